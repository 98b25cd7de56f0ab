"""The answer verifier: whether a sentence may be shown with the passages that it cites."""

import logging
import unicodedata
from collections.abc import Sequence

from bot.core.messages import SUPPORTED_FROM, VERBATIM, Checks
from bot.core.verify.entailment import Entailment
from bot.core.verify.facts.check import missing_facts
from bot.core.verify.facts.order import are_exchanged
from bot.core.verify.form import is_comparable, is_statement
from bot.core.verify.polarity.across import disagreement_across
from bot.core.verify.polarity.align import Places
from bot.core.verify.polarity.check import disagreement
from bot.core.verify.polarity.reading import read
from bot.core.verify.seen import Seen
from bot.core.verify.support.scope import Scope, scope_of
from bot.core.verify.support.vectors import BackgroundVectors, CrossLingual
from bot.core.verify.support.words import word_support
from knowledge.embed import Embedder
from knowledge.errors import TransientError
from knowledge.language import is_written_in

log = logging.getLogger(__name__)

# Recorded in the configuration's fingerprint: other rules make another score.
VERIFIER = "rules-2"
# A longer text is no sentence, and only its own words bear it out.
MAX_CHARACTERS = 4_000
# So many pieces that follow each other are one quotation at most.
MAX_RUN = 12


class Verifier:
    """Checks sentences by rules; across languages by an embedder's vectors; by an entailment model if there is one."""

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        background: BackgroundVectors | None = None,
        entailment: Entailment | None = None,
    ) -> None:
        self._across = CrossLingual(embedder, background) if embedder else None
        self._entailment = entailment
        self._is_warned = False

    async def check(self, text: str, *, language: str, cited: Sequence[Seen], is_code: bool = False) -> Checks:
        """Return what speaks for and against a sentence, list item, table row or code block."""
        if not cited:
            return Checks(valid=False)
        if _is_quoted(text, cited):
            return VERBATIM
        if is_code:
            is_part = any(_folded(text) in _folded(seen.pieces[index]) for seen in cited for index in seen.quoted)
            return Checks(valid=True, support=float(is_part and bool(_folded(text))), method="verbatim")
        pieces = [seen.pieces[index] for seen in cited for index in seen.quoted]
        if len(text) > MAX_CHARACTERS or not is_statement(text, pieces):
            return Checks(valid=True)
        return await self._compared(text, language, cited)

    async def _compared(self, text: str, language: str, cited: Sequence[Seen]) -> Checks:
        """Check by words the passages in the sentence's own language first, then by vectors those in others."""
        own = [seen for seen in cited if _is_in_language(seen, language)]
        foreign = [seen for seen in cited if seen not in own]
        checks = await self._by_words(text, language, own) if own else None
        if checks and (checks.supported or not foreign):
            return checks
        across = await self._by_vectors(text, language, foreign)
        return across if checks is None or across.supported else checks

    async def _by_vectors(self, text: str, language: str, cited: Sequence[Seen]) -> Checks:
        near = await self._across.nearest(text, language, cited) if self._across else None
        if near is None:
            return Checks(valid=True, method="vectors")
        scope = near.scope
        if not is_comparable(text, scope.text):
            return Checks(valid=True, method="vectors")
        missing = missing_facts(text, language, [(line, near.language) for line in (scope.text, *scope.above)])
        support, method = await self._supported(text, scope, missing, (near.support, "vectors"))
        differs = disagreement_across(text, language, scope.text, near.language)
        if differs is None and are_exchanged(text, language, scope.text, near.language):
            differs = "order"
        return Checks(valid=True, missing=missing, disagreement=differs, support=support, method=method)

    async def _by_words(self, text: str, language: str, cited: Sequence[Seen]) -> Checks:
        sentence = Places(read(text, language))
        scope = scope_of(sentence.reading, cited, language)
        above = [Places(read(line, language)) for line in scope.above]
        support = word_support(sentence, Places(read(scope.text, language)), above)
        return await self._judged(text, language, scope, support)

    async def _judged(self, text: str, language: str, scope: Scope, support: float) -> Checks:
        windows = [(line, language) for line in (scope.text, *scope.above)]
        missing = missing_facts(text, language, windows)
        support, method = await self._supported(text, scope, missing, (support, "words"))
        return Checks(
            valid=True,
            missing=missing,
            disagreement=disagreement(text, scope.text, language) if support >= SUPPORTED_FROM else None,
            support=support,
            method=method,
        )

    async def _supported(
        self, text: str, scope: Scope, missing: Sequence[str], found: tuple[float, str]
    ) -> tuple[float, str]:
        """Return the support by the entailment model, or what was found without it while it is absent or fails."""
        if self._entailment is None or missing:
            return found
        try:
            return await self._entailment.entails("\n".join([*scope.above, scope.text]), text), "entailment"
        except TransientError as exc:
            if not self._is_warned:
                log.warning("the entailment model failed (%s): sentences are checked without it", exc)
            self._is_warned = True
            return found


def _is_in_language(seen: Seen, language: str) -> bool:
    """Tell whether the quoted pieces are in a language, whatever their whole document's was taken for."""
    if seen.language == language:
        return True
    text = " ".join(seen.pieces[index] for index in seen.quoted)
    return is_written_in(text, language) and not is_written_in(text, seen.language)


def _is_quoted(text: str, cited: Sequence[Seen]) -> bool:
    """Tell whether a sentence is a quoted piece, or several that follow each other, word for word."""
    folded = _folded(text)
    return bool(folded) and any(_begins_run(folded, seen, index) for seen in cited for index in seen.quoted)


def _begins_run(folded: str, seen: Seen, index: int) -> bool:
    """Tell whether a text is the quoted pieces from `index` on, up to any of them."""
    quoted = frozenset(range(index, index + MAX_RUN)) & frozenset(seen.quoted)
    position = 0
    while index in quoted:
        piece = _folded(seen.pieces[index])
        if not folded.startswith(piece, position):
            return False
        position += len(piece)
        if position == len(folded):
            return True
        if folded[position] != " ":
            return False
        position += 1
        index += 1
    return False


def _folded(text: str) -> str:
    """Return a text as it counts for being the same: NFC, each white space one blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())
