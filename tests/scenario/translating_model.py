"""A model that answers in the asker's language from pages in another one."""

from collections.abc import Callable, Mapping

from tests.wire.anthropic import Plan, Prompt
from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import language_of, sentences_of

# What the English page says, as a translator would.
TRANSLATED: Mapping[str, Mapping[str, str]] = {
    "A VPN certificate expires after 90 days.": {
        "ru": "Срок действия сертификата VPN истекает через 90 дней.",
        "uk": "Термін дії сертифіката VPN спливає через 90 днів.",
        "es": "Un certificado VPN caduca a los 90 días.",
    },
    "Renewing a VPN certificate takes 2 hours.": {
        "ru": "Продление сертификата VPN занимает 2 часа.",
        "uk": "Поновлення сертифіката VPN займає 2 години.",
        "es": "Renovar un certificado VPN tarda 2 horas.",
    },
    "You must not share a VPN certificate with a colleague.": {
        "ru": "Вы не должны передавать сертификат VPN коллеге.",
        "uk": "Ви не повинні передавати сертифікат VPN колезі.",
        "es": "No debe compartir un certificado VPN con un compañero.",
    },
}
ASKED: Mapping[str, str] = {
    "ru": "Через сколько дней истекает сертификат VPN и можно ли передавать его коллеге?",
    "uk": "Через скільки днів спливає сертифікат VPN і чи можна передавати його колезі?",
    "es": "¿A los cuántos días caduca un certificado VPN y se puede compartir con un compañero?",
}


class Translating:
    """Says what it knows to translate, in the language of the question and after `change`; `said` keeps it."""

    def __init__(self, change: Callable[[str], str] = str) -> None:
        self._change = change
        self.said: list[str] = []

    def __call__(self, prompt: Prompt) -> Plan:
        language = language_of(prompt.question)
        blocks = []
        for found in sentences_of(prompt.sources):
            if found.text in TRANSLATED:
                self.said.append(self._change(TRANSLATED[found.text][language]))
                blocks += prompt.say(self.said[-1], [cite(found)])
        return Plan(tuple(blocks))
