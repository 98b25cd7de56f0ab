"""Reads a recording as samples, and cuts them into pieces that a speech model can hear at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from bot.core.errors import RecordingProblem

# Ogg, WAV, FLAC and MP3 with and without a title: libsndfile reads more, which no message should be able to reach.
STARTS = (b"OggS", b"RIFF", b"fLaC", b"ID3", b"\xff")
MAX_BYTES = 50_000_000
MAX_CHANNELS = 2
MIN_RATE_HZ = 8_000
# Those that onnx-asr resamples from, in ascending order.
RATES_HZ = (8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
# Most models hear 20 to 30 s at once: https://istupakov.github.io/onnx-asr/usage/#vad-voice-activity-detection
MAX_PIECE_S = 25.0
MIN_CUT_S = 10.0
MIN_PIECE_S = 0.5
FRAME_S = 0.1
SILENCE = 0.001  # of full scale: -60 dB

Samples = NDArray[np.float32]


@dataclass(frozen=True)
class Sound:
    """One channel of samples in [-1, 1], at a rate out of RATES_HZ."""

    samples: Samples
    rate_hz: int


def read(recording: bytes, *, max_seconds: int) -> Sound:
    """Return the sound of an Ogg (Opus, Vorbis), MP3, WAV or FLAC file; raise RecordingProblem where there is none."""
    if len(recording) > MAX_BYTES:
        raise RecordingProblem(
            f"the recording has {len(recording)} bytes, more than {MAX_BYTES}; ask for a shorter one"
        )
    if not recording.startswith(STARTS):
        raise RecordingProblem(f"the recording starts with {recording[:12]!r}: it is no Ogg, MP3, WAV or FLAC")
    try:
        with soundfile.SoundFile(BytesIO(recording)) as file:
            return _sound(file, max_seconds)
    except soundfile.SoundFileError as exc:
        raise RecordingProblem(f"libsndfile cannot read the recording of {len(recording)} bytes ({exc})") from exc


def _sound(file: soundfile.SoundFile, max_seconds: int) -> Sound:
    if file.channels > MAX_CHANNELS or not MIN_RATE_HZ <= file.samplerate <= RATES_HZ[-1]:
        raise RecordingProblem(
            f"the recording has {file.channels} channels of {file.samplerate} Hz;"
            f" only up to {MAX_CHANNELS} of {MIN_RATE_HZ} to {RATES_HZ[-1]} Hz are read"
        )
    if file.frames > max_seconds * file.samplerate:
        lasts_s = file.frames / file.samplerate
        raise RecordingProblem(
            f"the recording lasts {lasts_s:.0f} s, more than [transcriber] max_seconds {max_seconds}"
        )
    channels: Samples = file.read(dtype="float32", always_2d=True)
    mono = np.clip(np.nan_to_num(channels.mean(axis=1)), -1.0, 1.0)
    return _at_known_rate(Sound(mono, file.samplerate))


def _at_known_rate(sound: Sound) -> Sound:
    """Return the sound at the next higher rate of RATES_HZ: Opus may have 12 kHz."""
    rate_hz = next(known for known in RATES_HZ if known >= sound.rate_hz)
    if rate_hz == sound.rate_hz:
        return sound
    length = len(sound.samples)
    times = np.arange(length * rate_hz // sound.rate_hz) * (sound.rate_hz / rate_hz)
    return Sound(np.interp(times, np.arange(length), sound.samples).astype(np.float32), rate_hz)


def pieces(sound: Sound) -> Iterator[Sound]:
    """Yield what may be speech, in order: cut where it is quietest, without pieces of mere silence."""
    for samples in _cut(sound.samples, sound.rate_hz):
        if max(_loudness(samples, sound.rate_hz), default=0.0) > SILENCE:
            missing = max(0, int(MIN_PIECE_S * sound.rate_hz) - len(samples))
            yield Sound(np.pad(samples, (0, missing)), sound.rate_hz)


def _cut(samples: Samples, rate_hz: int) -> Iterator[Samples]:
    longest, earliest, frame = (int(seconds * rate_hz) for seconds in (MAX_PIECE_S, MIN_CUT_S, FRAME_S))
    while len(samples) > longest:
        quietest = int(np.argmin(_loudness(samples[earliest:longest], rate_hz)))
        end = earliest + quietest * frame + frame // 2
        yield samples[:end]
        samples = samples[end:]
    yield samples


def _loudness(samples: Samples, rate_hz: int) -> NDArray[np.float64]:
    """Return the root mean square of each whole frame."""
    frame = int(FRAME_S * rate_hz)
    frames = samples[: len(samples) // frame * frame].reshape(-1, frame).astype(np.float64)
    loudness: NDArray[np.float64] = np.sqrt(np.square(frames).mean(axis=1))
    return loudness
