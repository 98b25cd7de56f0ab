"""How a recording becomes samples, and samples become pieces that a model can hear at once."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.core.errors import RecordingProblem
from bot.speech.sound import MAX_PIECE_S, RATES_HZ, Sound, pieces, read
from tests.fakes.speech_model import recorded, spoken

RATE_HZ = 16_000


def noise(seconds: float, loudness: float = 0.1) -> NDArray[np.float32]:
    made = np.random.default_rng(1).normal(scale=loudness, size=round(seconds * RATE_HZ))
    return made.astype(np.float32)


def lengths_s(*parts: NDArray[np.float32]) -> list[float]:
    return [len(piece.samples) / RATE_HZ for piece in pieces(Sound(np.concatenate(parts), RATE_HZ))]


@pytest.mark.parametrize("seconds", [0.5, 3.0, MAX_PIECE_S])
def test_what_a_model_can_hear_at_once_stays_whole(seconds: float) -> None:
    assert lengths_s(noise(seconds)) == [seconds]


def test_a_long_recording_is_cut_in_its_pause() -> None:
    cut = lengths_s(noise(18), noise(0.3, loudness=0.002), noise(20))

    assert cut == [pytest.approx(18.15, abs=0.15), pytest.approx(20.15, abs=0.15)]


def test_pieces_together_are_the_recording() -> None:
    samples = noise(100)

    cut = [piece.samples for piece in pieces(Sound(samples, RATE_HZ))]

    assert max(map(len, cut)) <= MAX_PIECE_S * RATE_HZ
    assert np.array_equal(np.concatenate(cut), samples)


def test_pieces_of_mere_silence_are_left_out() -> None:
    assert len(lengths_s(noise(20), noise(80, loudness=0.0005), noise(20))) < len(lengths_s(noise(120)))
    assert lengths_s(noise(60, loudness=0.0005)) == []


@pytest.mark.parametrize(("seconds", "length"), [(0.0, []), (0.05, []), (0.2, [0.5]), (0.6, [0.6])])
def test_a_word_is_long_enough_for_a_model_and_a_click_is_none(seconds: float, length: list[float]) -> None:
    assert lengths_s(noise(seconds)) == length


@pytest.mark.parametrize(
    ("recorded_hz", "read_hz"), [(8_000, 8_000), (9_000, 11_025), (12_000, 16_000), (37_800, 44_100), (48_000, 48_000)]
)
def test_every_rate_becomes_one_that_models_are_given(recorded_hz: int, read_hz: int) -> None:
    recording = recorded(spoken(["port"], rate_hz=recorded_hz), rate_hz=recorded_hz, kind="WAV", subtype=None)

    sound = read(recording, max_seconds=10)

    meant = spoken(["port"], rate_hz=read_hz)
    assert sound.rate_hz == read_hz
    assert abs(len(sound.samples) - len(meant)) <= 1
    assert np.abs(sound.samples[: len(meant)] - meant[: len(sound.samples)]).max() < 0.04


@pytest.mark.parametrize(("seconds", "is_read"), [(10.0, True), (10.1, False)])
def test_a_recording_may_last_as_long_as_is_allowed_and_no_longer(seconds: float, is_read: bool) -> None:
    recording = recorded(noise(seconds), rate_hz=RATE_HZ, kind="WAV", subtype=None)

    try:
        read(recording, max_seconds=10)
    except RecordingProblem:
        assert not is_read
    else:
        assert is_read


def test_a_file_that_was_written_without_its_length_is_read_to_its_end() -> None:
    streamed = bytearray(recorded(noise(2), rate_hz=RATE_HZ, kind="WAV", subtype=None))
    streamed[4:8] = streamed[40:44] = b"\xff" * 4

    assert len(read(bytes(streamed), max_seconds=10).samples) == 2 * RATE_HZ


def test_a_recording_that_broke_off_is_read_as_far_as_it_goes() -> None:
    whole = recorded(spoken(["443"] * 20))

    sound = read(whole[: len(whole) // 2], max_seconds=60)

    assert 3.0 < len(sound.samples) / sound.rate_hz < 7.0


@pytest.mark.parametrize(
    ("kind", "subtype"), [("OGG", "OPUS"), ("OGG", "VORBIS"), ("WAV", "PCM_16"), ("FLAC", "PCM_16")]
)
def test_a_damaged_recording_is_read_or_refused_and_nothing_else(kind: str, subtype: str) -> None:
    whole, chance = recorded(spoken(["443", "порт"]), kind=kind, subtype=subtype), random.Random(1)

    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 12)):
            damaged[chance.randrange(chance.choice([60, 200, len(whole)]))] = chance.randrange(256)
        try:
            sound = read(bytes(damaged[: chance.randrange(len(whole) // 2, len(whole))]), max_seconds=60)
        except RecordingProblem:
            continue
        assert sound.rate_hz in RATES_HZ
        assert np.abs(sound.samples).max(initial=0.0) <= 1.0
        assert all(len(piece.samples) <= MAX_PIECE_S * piece.rate_hz for piece in pieces(sound))
