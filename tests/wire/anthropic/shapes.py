"""The shapes of JSON that requests are made of: each check refuses as the service does, naming the place."""

from collections.abc import Collection, Mapping, Sequence

from tests.wire.anthropic.errors import Refused

Json = Mapping[str, object]


def mapping(value: object, at: str, *, allowed: Collection[str], required: Collection[str] = ()) -> Json:
    """Return an object that has all required keys and none that are not allowed."""
    if not isinstance(value, dict):
        raise Refused(f"{at}: Input should be a valid dictionary")
    for key in required:
        if key not in value:
            raise Refused(f"{at}.{key}: Field required")
    for key in value:
        if key not in allowed:
            raise Refused(f"{at}.{key}: Extra inputs are not permitted")
    return value


def sequence(value: object, at: str, *, at_least: int = 0) -> Sequence[object]:
    """Return a list that is long enough."""
    if not isinstance(value, list):
        raise Refused(f"{at}: Input should be a valid list")
    if len(value) < at_least:
        raise Refused(f"{at}: List should have at least {at_least} item after validation, not {len(value)}")
    return value


def string(value: object, at: str, *, at_least: int = 0, at_most: int | None = None) -> str:
    """Return a text that is long enough and not too long."""
    if not isinstance(value, str):
        raise Refused(f"{at}: Input should be a valid string")
    if len(value) < at_least:
        raise Refused(f"{at}: String should have at least {at_least} character")
    if at_most is not None and len(value) > at_most:
        raise Refused(f"{at}: String should have at most {at_most} characters")
    return value


def whole_number(value: object, at: str, *, at_least: int) -> int:
    """Return an integer that is large enough."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(f"{at}: Input should be a valid integer")
    if value < at_least:
        raise Refused(f"{at}: Input should be greater than or equal to {at_least}")
    return value


def boolean(value: object, at: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool):
        raise Refused(f"{at}: Input should be a valid boolean")
    return value


def one_of(value: object, at: str, allowed: Collection[str]) -> str:
    """Return one of the words that are allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise Refused(f"{at}: Input should be one of {', '.join(sorted(allowed))}")
    return value
