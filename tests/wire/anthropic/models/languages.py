"""A model that answers in a language nobody asked for."""

from collections.abc import Callable

from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import nearest, sentences_of
from tests.wire.anthropic.plan import Plan
from tests.wire.anthropic.prompt import Prompt

GERMAN = "In der Dokumentation steht, dass der Zugang nach einer gewissen Zeit abläuft und erneuert werden muss."


class WrongLanguage:
    """Says a sentence of its own, rightly cited, for its first answers; then leaves the word to `model`.

    `times` None: it never comes to its senses.
    """

    def __init__(self, model: Callable[[Prompt], Plan], *, text: str = GERMAN, times: int | None = 1) -> None:
        self.model = model
        self.text = text
        self.times = times
        self.answers = 0

    def __call__(self, prompt: Prompt) -> Plan:
        self.answers += 1
        if self.times is not None and self.answers > self.times:
            return self.model(prompt)
        found = nearest(prompt, 1) or sentences_of(prompt.sources)[:1]
        return Plan(tuple(prompt.say(self.text, [cite(sentence) for sentence in found])))
