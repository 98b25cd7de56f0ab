"""When a call is made again, and when none is made."""

from datetime import UTC, datetime

import anthropic
import httpx2
import pytest

from bot.llm.claude.failures import failures_as_ours, of_status, retry_after_s
from bot.llm.claude.missing import named_in
from bot.llm.claude.patience import MAX_ATTEMPTS, OPEN_S, CallFailed, Circuit, Patience, wait_before_retry_s

KEY = "sk-secret"


def failure(status: int, headers: dict[str, str] | None = None, message: str = "No.") -> CallFailed:
    request = httpx2.Request("POST", "http://127.0.0.1/v1/messages", headers={"authorization": f"Bearer {KEY}"})
    response = httpx2.Response(status, headers=headers, request=request)
    body = {"type": "error", "error": {"type": "x", "message": message}}
    return of_status(anthropic.APIStatusError(message, response=response, body=body), KEY)


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    wait_s = wait_before_retry_s(failure(status), 1, left_s=6)

    assert wait_s is not None
    assert 0 < wait_s < 1


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 429])
def test_what_somebody_must_change_is_not(status: int) -> None:
    assert wait_before_retry_s(failure(status), 1, left_s=6) is None


def test_waits_grow_and_end() -> None:
    waits = [wait_before_retry_s(failure(500), attempt, left_s=60) for attempt in range(1, MAX_ATTEMPTS + 1)]

    assert waits[-1] is None
    assert all(wait is not None and wait <= 0.3 * 2**at for at, wait in enumerate(waits[:-1]))


def test_a_wait_that_is_asked_for_is_kept_or_the_call_given_up() -> None:
    asked = failure(429, {"retry-after": "3"})

    assert (wait_before_retry_s(asked, 1, left_s=6) or 0) >= 3
    assert wait_before_retry_s(asked, 1, left_s=2.9) is None


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500])
def test_no_failure_repeats_the_key(status: int) -> None:
    assert KEY not in str(failure(status, message=f"Your key {KEY} is no good"))


@pytest.mark.parametrize(
    ("raised", "may_pass"),
    [
        (httpx2.ReadError("cut"), True),
        (httpx2.RemoteProtocolError("cut"), True),
        (TimeoutError(), True),
        (ValueError("no JSON"), False),
        (anthropic.AnthropicError("odd"), False),
    ],
)
def test_every_foreign_exception_becomes_ours(raised: Exception, may_pass: bool) -> None:
    with pytest.raises(CallFailed) as caught, failures_as_ours(KEY):
        raise raised

    assert caught.value.may_pass == may_pass


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("0.5", 0.5),
        ("7", 7.0),
        ("-1", 0.0),
        ("Mon, 30 Nov 2026 12:00:10 GMT", 10.0),
    ],
)
def test_a_wait_is_read_in_seconds_or_as_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, datetime(2026, 11, 30, 12, 0, tzinfo=UTC)) == seconds


def test_silence_ends_an_answer_and_so_does_its_whole_time() -> None:
    patience = Patience(silence_s=6, whole_s=60)

    assert patience.next_by(0, 5.9, has_words=False) == pytest.approx(7.5)
    assert patience.next_by(0, 1, has_words=False) == 7
    assert patience.next_by(0, 20, has_words=True) == 26
    assert patience.next_by(0, 58, has_words=True) == 60


def test_the_circuit_opens_after_three_failures_and_lets_one_call_try() -> None:
    circuit = Circuit()
    for moment in (1, 2, 3):
        assert circuit.admits(moment)
        circuit.failed(moment)

    assert not circuit.admits(3 + OPEN_S - 1)
    assert circuit.admits(3 + OPEN_S)
    assert not circuit.admits(3 + OPEN_S)


@pytest.mark.parametrize(("worked", "admitted"), [(True, [True, True]), (False, [False, False]), (None, [True, False])])
def test_the_call_that_tries_decides(worked: bool | None, admitted: list[bool]) -> None:
    circuit = Circuit()
    for moment in (1, 2, 3):
        circuit.failed(moment)
    assert circuit.admits(40)

    if worked is None:
        circuit.gave_up()
    elif worked:
        circuit.succeeded()
    else:
        circuit.failed(41)

    assert [circuit.admits(42), circuit.admits(42)] == admitted


def test_failures_between_successes_do_not_add_up() -> None:
    circuit = Circuit()
    for moment in range(10):
        circuit.failed(moment)
        circuit.failed(moment)
        circuit.succeeded()

    assert circuit.admits(11)


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        (None, None),
        ("", ""),
        ("the price of the plan", "the price of the plan"),
        ("prices of plans", "prices of plans"),
        ("Call 555-1234 about the plan", ""),
        ("see https://evil.example", ""),
    ],
)
def test_what_is_missing_is_told_in_words_of_the_question_only(missing: str | None, named: str | None) -> None:
    assert named_in("What is the price of the plan?", missing, "en") == named
