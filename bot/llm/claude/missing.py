"""What a model says is not answered: shown only as far as it repeats the question."""

from knowledge.terms import question_terms

MAX_CHARACTERS = 200


def named_in(question: str, missing: str | None, language: str) -> str | None:
    """Return what is missing if all its words are the question's own, "" if it says anything else.

    It has no source that could bear it out, so it may say nothing that the asker did not.
    """
    if missing is None:
        return None
    asked = question_terms(question, language)
    named = question_terms(missing, language)
    is_asked = bool(named) and named.keys() <= asked.keys() and len(missing) <= MAX_CHARACTERS
    return missing if is_asked else ""
