"""How near a sentence is in meaning to pieces in another language, by vectors of one multilingual model."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from bot.core.messages import SUPPORTED_FROM
from bot.core.verify.additions import Worded, added_part
from bot.core.verify.seen import Seen
from bot.core.verify.support.scope import Scope
from bot.core.verify.support.words import scaled
from knowledge.background import Background
from knowledge.embed import Embedder, Vectors
from knowledge.errors import EmbedderProblem, TransientError

# Pieces and pairs of neighbours that one sentence is compared with.
MAX_WINDOWS = 16
# The cosine above the background and a share of the gain from which a sentence is supported (0.5), and fully (1).
VECTORS_CUT, FULL_VECTORS, GAIN_SHARE = 0.035, 0.095, 0.5
# How much nearer texts on one topic are than others in the usual pair of languages, where it cannot be measured.
USUAL_GAIN = 0.12
# More than so much comes from the words that two close languages share (Russian and Ukrainian: 0.152), and made the
# check stricter with them than with any others.
MOST_GAIN = 0.14
SAME_TEXT_FROM = 0.99
# An answer's sentences, and the two checks of each, ask for the same pieces and parts: some 40 a sentence.
REMEMBERED_TEXTS = 512

# A passage, and one or two of its pieces.
Window = tuple[Seen, tuple[str, ...]]
# Numbers, and words that are long enough to be the same name in two languages.
_WORD = re.compile(r"\d+|\w{4,}")


@dataclass(frozen=True, slots=True)
class Near:
    """The window that is nearest to a sentence, its language, and the support that it gives."""

    scope: Scope
    language: str
    support: float


class BackgroundVectors(Protocol):
    """Vectors of texts about everything, on the same topics in each language."""

    async def vectors(self, language: str) -> Vectors:
        """Return those of a language by topic; those of English for a language without any."""
        ...


class CrossLingual:
    """Finds the window of foreign pieces that says most nearly what a sentence says.

    Without a `background` it embeds one of its own.
    """

    def __init__(self, embedder: Embedder, background: BackgroundVectors | None = None) -> None:
        self._embedder = embedder
        self._background = background or Background(embedder)
        self._remembered: OrderedDict[str, Vectors] = OrderedDict()

    async def nearest(self, text: str, language: str, cited: Sequence[Seen]) -> Near | None:
        """Return the nearest window with its support, 0 if the sentence adds to it; None without the model."""
        windows = [(seen, pieces) for seen in cited for pieces in _windows(seen)][:MAX_WINDOWS]
        if not windows:
            return None
        try:
            near = await self._nearest(text, language, windows)
            is_added_to = near.support >= SUPPORTED_FROM and await self._is_added_to(text, language, near)
        except (TransientError, EmbedderProblem):
            return None
        return replace(near, support=0.0) if is_added_to else near

    async def _nearest(self, text: str, language: str, windows: Sequence[Window]) -> Near:
        vectors = await self._vectors([text, *(" ".join(pieces) for _, pieces in windows)])
        margins = [
            float((await self._margins(vectors[:1], language, vector[None], seen.language))[0, 0])
            for vector, (seen, _) in zip(vectors[1:], windows, strict=True)
        ]
        best = int(np.argmax(margins))
        seen, pieces = windows[best]
        support = scaled(margins[best], cut=VECTORS_CUT, full=FULL_VECTORS)
        return Near(Scope(pieces, seen.above), seen.language, support)

    async def _is_added_to(self, text: str, language: str, near: Near) -> bool:
        async def margins(ours: Sequence[str], theirs: Sequence[str]) -> Vectors:
            vectors = await self._vectors([*ours, *theirs])
            return await self._margins(vectors[: len(ours)], language, vectors[len(ours) :], near.language)

        piece = Worded(" ".join(near.scope.pieces), near.language)
        return await added_part(Worded(text, language), piece, margins) is not None

    async def _margins(self, ours: Vectors, language: str, theirs: Vectors, other_language: str) -> Vectors:
        """Return the cosine of each pair less what any texts, and texts on one topic, have in common anyway."""
        background, other = await self._background.vectors(language), await self._background.vectors(other_language)
        levels = (ours @ other.mean(axis=0))[:, None] + (theirs @ background.mean(axis=0))[None, :]
        margins = ours @ theirs.T - levels / 2 - GAIN_SHARE * _gain(background, other)
        return np.asarray(margins, np.float32)

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """Embed what is not remembered, each text once."""
        found = {text: self._remembered.pop(text) for text in dict.fromkeys(texts) if text in self._remembered}
        self._remembered.update(found)
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, await self._embedder.embed(new, role="passage"), strict=True)
            self._remembered.update((text, found[text]) for text in new)
        while len(self._remembered) > REMEMBERED_TEXTS:
            self._remembered.popitem(last=False)
        return np.stack([found[text] for text in texts])


def _gain(ours: Vectors, theirs: Vectors) -> float:
    """Return how much nearer texts on one topic are than texts on two; one line of each file has the same topic.

    Languages that share their background, for want of an own one, get the usual gain.
    """
    likeness = ours @ theirs.T
    same = float(np.trace(likeness)) / len(ours)
    others = (float(likeness.sum()) - float(np.trace(likeness))) / (likeness.size - len(ours))
    return USUAL_GAIN if same > SAME_TEXT_FROM else min(same - others, MOST_GAIN)


def _windows(seen: Seen) -> list[tuple[str, ...]]:
    """Return each quoted piece alone, and each with the next one where that is quoted as well.

    With neighbours that are not quoted, 94 % of wrong pieces were rejected at 95 % of true ones in place of 98 %.
    """
    quoted = sorted(set(seen.quoted))
    pairs = [index for index in quoted if index + 1 in seen.quoted]
    return [(seen.pieces[index],) for index in quoted] + [seen.pieces[index : index + 2] for index in pairs]
