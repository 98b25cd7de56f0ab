"""The languages that the bot answers in, as people name them."""

from bot.core.phrases import languages, phrase, spoken

AUTO = "auto"
# Longer texts are no name of a language.
LONGEST_NAME = 40


def language_name(code: str) -> str:
    """Return what a language calls itself."""
    return phrase("language_name", code)


def language_names() -> str:
    """Return what all of them call themselves."""
    return ", ".join(map(language_name, languages()))


def named_language(text: str) -> str | None:
    """Return the code of the language that somebody names in any language of ours, "auto" for that of each question."""
    name = text.strip().strip(".,!«»“”\"'").casefold()
    if len(name) > LONGEST_NAME:
        return None
    if name == AUTO or any(name in _listed("language_auto_names", code) for code in languages()):
        return AUTO
    found = (code for code in languages() if name in (code, *_listed("language_names", code)))
    return next(found, None) or (spoken(name) if len(name) <= len("xx-yyyy-zz") else None)


def _listed(name: str, code: str) -> list[str]:
    return [part.strip().casefold() for part in phrase(name, code).split(",")]
