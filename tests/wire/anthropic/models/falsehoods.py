"""Small changes that make a true sentence false, in the languages of the test data."""

import re

from tests.wire.anthropic.models.words import language_of

# The number of a list item is no fact.
_NUMBER = re.compile(r"(?!\A\d+[.)]\s)(?<!\d)\d+")
_ENDING = re.compile(r"[.!?…]*$")
_PERIODS = {"en": " within 17 days", "es": " en 17 días", "ru": " в течение 17 дней", "uk": " протягом 17 днів"}
_INVENTED = {
    "en": "Requests are approved by the finance board within 43 hours.",
    "es": "Las solicitudes las aprueba el consejo financiero en 43 horas.",
    "ru": "Заявки утверждает финансовый совет в течение 43 часов.",
    "uk": "Заявки затверджує фінансова рада протягом 43 годин.",
}
_NEGATED = {
    "en": re.compile(r"\b(?:not |never )|(?<=can)not\b"),
    "es": re.compile(r"\b(?:no|nunca) ", re.IGNORECASE),
    "ru": re.compile(r"\b(?:не|никогда) ", re.IGNORECASE),
    "uk": re.compile(r"\b(?:не|ніколи) ", re.IGNORECASE),
}
_VERB = {
    "en": re.compile(r"\b(is|are|can|must|will|should|does|do|may|was|were|has|have)\b"),
    "es": re.compile(r"\b(es|son|puede|pueden|debe|deben|está|están|hay|tiene|tienen|se)\b"),
    "ru": re.compile(
        r"\b(можно|нужно|должен|должна|должно|должны|может|могут|будет|будут|является|следует|доступ\w+)\b"
    ),
    "uk": re.compile(r"\b(можна|потрібно|повинен|повинна|повинні|може|можуть|буде|будуть|є|слід|доступ\w+)\b"),
}
_NOT = {"en": r"\1 not", "es": r"no \1", "ru": r"не \1", "uk": r"не \1"}
_UNTRUE = {"en": "It is not true that ", "es": "No es cierto que ", "ru": "Неверно, что ", "uk": "Неправда, що "}


def other_number(text: str) -> str:
    """Change the first number of a sentence to one that it does not hold, or add one."""
    if found := _NUMBER.search(text):
        taken = set(_NUMBER.findall(text))
        number = int(found.group()) + 3
        while str(number) in taken:
            number += 1
        return f"{text[: found.start()]}{number}{text[found.end() :]}"
    at = _ending(text)
    return f"{text[:at]}{_PERIODS[language_of(text)]}{text[at:]}"


def negated(text: str) -> str:
    """Turn a sentence into its contrary."""
    language = language_of(text)
    without = _NEGATED[language].sub("", text, count=1)
    if without != text:
        return without[:1].upper() + without[1:]
    with_not = _VERB[language].sub(_NOT[language], text, count=1)
    return with_not if with_not != text else f"{_UNTRUE[language]}{text}"


def invented(like: str) -> str:
    """Return a sentence that stands nowhere, in the language of another one."""
    return _INVENTED[language_of(like)]


def _ending(text: str) -> int:
    found = _ENDING.search(text)
    return found.start() if found else len(text)
