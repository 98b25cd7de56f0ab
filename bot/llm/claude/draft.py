"""An answer while it is being written: cut into sentences that are given out as soon as each is complete."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.core.answer import Claim
from knowledge.parse.sentences import sentence_spans
from knowledge.quotable import Unit

_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[^\n`]*\n")
_BEGUN_FENCE = re.compile(r"`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^\n`]*")
_ITEM = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)]|#{1,6}|>)[ \t]+")
_BEGUN_ITEM = re.compile(r"(?:[-*+•–—>]|\d{1,3}[.)]?|#{1,6})[ \t]*")
_CLOSING = "\"'”’»›)]}*_`"
_ENDING = ".!?…。！？؟。"
_ALWAYS_ENDING = "!?…。！？؟"
# A word that can begin a sentence: after an abbreviation the segmenter sees no border before it.
_NEXT_SENTENCE = " Xx"
# Half a word behind a full stop does not tell yet whether that ended a sentence.
_WHOLE_WORD = re.compile(r"\w\W|[぀-ヿ㐀-鿿가-힯]")
_CODE_SPAN = re.compile(r"(`+)(.+?)\1")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_STRONG = re.compile(r"(?<!\w)(\*\*?)(?=\S)([^*\n]+?)(?<=\S)\1(?!\w)")
# What is left of them where a sentence ends inside of its paragraph's.
_HALF_STRONG = re.compile(r"^\*\*(?=\S)|(?<=\S)\*\*$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence or code block between offsets; `body` is where its words begin, after a list mark or fence."""

    body: int
    body_end: int
    end: int
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class _Cited:
    start: int
    end: int
    units: tuple[Unit, ...]


class Draft:
    """Takes text and citations in the order they come; gives out each sentence once, when it can no longer change.

    A sentence is given out when its end is certain and all its citations are known: `know` tells up to where they are.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._text = ""
        self._cited: list[_Cited] = []
        self._position = 0
        self._known = 0

    @property
    def length(self) -> int:
        """How much text there is: the offset where the next will stand."""
        return len(self._text)

    @property
    def ends_cited(self) -> bool:
        """Whether the last words that were not given out yet are followed by a citation, perhaps before a full stop."""
        last = max((cited.end for cited in self._cited), default=-1)
        return last >= self._position and not any(character.isalnum() for character in self._text[last:])

    @property
    def is_waiting(self) -> bool:
        """Whether there is text with known citations that was not given out yet."""
        return bool(self._text[self._position : self._known].strip())

    def add(self, text: str) -> None:
        """Append text."""
        self._text += text

    def cite(self, start: int, end: int, units: Sequence[Unit]) -> None:
        """Note that the text between two offsets, or the sentence that ends at one, stands on these units."""
        self._cited.append(_Cited(start, end, tuple(units)))

    def know(self, offset: int) -> None:
        """Note that no further citation will come for the text before an offset."""
        self._known = max(self._known, offset)

    def complete(self, *, at_pause: bool = False) -> Iterator[Claim]:
        """Yield the sentences that became complete; `at_pause`, the text may end one although nothing follows yet."""
        yield from self._claims(at_pause=at_pause, at_end=False)

    def rest(self) -> Iterator[Claim]:
        """Yield all that is left: the answer has come to its end."""
        self.know(self.length)
        yield from self._claims(at_pause=True, at_end=True)

    def _claims(self, *, at_pause: bool, at_end: bool) -> Iterator[Claim]:
        while piece := self._next_piece(at_pause=at_pause, at_end=at_end):
            stop = _skip_space(self._text, piece.end)
            text = self._words(piece)
            if text:
                yield Claim(text, tuple(self._units(piece, stop)), piece.is_code)
            self._position = stop

    def _next_piece(self, *, at_pause: bool, at_end: bool) -> _Piece | None:
        start = _skip_space(self._text, self._position)
        if start == len(self._text):
            return None
        piece = self._code_from(start, at_end) if self._begins_line(start) else None
        if piece is None and not (self._may_be_fence(start) and not at_end):
            piece = self._sentence_from(start, at_pause=at_pause, at_end=at_end)
        return piece if piece and piece.end <= self._known else None

    def _begins_line(self, start: int) -> bool:
        return not self._text[self._text.rfind("\n", 0, start) + 1 : start].strip()

    def _code_from(self, start: int, at_end: bool) -> _Piece | None:
        opening = _FENCE.match(self._text, start)
        if not opening:
            return None
        closing = re.compile(rf"^[ \t]*{re.escape(opening['fence'])}[ \t]*(?:\n|\Z)", re.MULTILINE)
        closed = closing.search(self._text, opening.end())
        if closed:
            return _Piece(opening.end(), closed.start(), len(self._text[: closed.end()].rstrip()), is_code=True)
        return _Piece(opening.end(), len(self._text), len(self._text), is_code=True) if at_end else None

    def _may_be_fence(self, start: int) -> bool:
        is_open = _FENCE.match(self._text, start) is not None
        return self._begins_line(start) and (is_open or _BEGUN_FENCE.fullmatch(self._text, start) is not None)

    def _sentence_from(self, start: int, *, at_pause: bool, at_end: bool) -> _Piece | None:
        line_end = self._text.find("\n", start)
        is_whole = at_end or line_end >= 0
        line_end = len(self._text) if line_end < 0 else line_end
        if self._begins_line(start):
            if not is_whole and _BEGUN_ITEM.fullmatch(self._text, start, line_end):
                return None
            item = _ITEM.match(self._text, start, line_end)
            start = item.end() if item else start
        line = self._text[start:line_end]
        end = self._closed(line, next(iter(sentence_spans(line, self._language)), (0, len(line)))[1])
        marked = self._cited_end(start, line_end) - start
        end = min(end, marked)
        is_followed = _WHOLE_WORD.search(line, end) is not None
        if is_whole or is_followed or (at_pause and (end == marked or self._is_ended(line, end))):
            return _Piece(start, start + end, start + end)
        return None

    def _closed(self, line: str, end: int) -> int:
        """Return the end of a sentence with the quotes and brackets that close it."""
        while end < len(line) and line[end] in _CLOSING:
            end += 1
        return end

    def _cited_end(self, start: int, stop: int) -> int:
        """Return where a citation shows that a sentence ends: it stands before or behind its full stop.

        So "5 min" cited, and then a full stop, is no abbreviation; beyond `stop` where nothing shows an end.
        """
        ends = [stop + 1]
        for cited in self._cited:
            if start < cited.end < stop and self._text[cited.end] in _ENDING:
                end = start + self._closed(self._text[start:stop], cited.end + 1 - start)
                ends.extend([end] if not self._text[end : min(end + 1, stop)].strip() else [])
            if cited.start == cited.end and start < cited.end <= stop:
                words = self._text[start : cited.end].rstrip()
                ends.extend([start + len(words)] if words.rstrip(_CLOSING)[-1:] in _ENDING else [])
        return min(ends)

    def _is_ended(self, line: str, end: int) -> bool:
        """Tell whether a sentence that no words follow yet has come to its end: "3." may go on as "3.5"."""
        sentence, is_spaced = line[:end], end < len(line)
        bare = sentence.rstrip(_CLOSING + " \t")
        if not bare or bare[-1] not in _ENDING:
            return False
        if bare[-1] in _ALWAYS_ENDING:
            return True
        spans = list(sentence_spans(bare + _NEXT_SENTENCE, self._language))
        may_be_decimal = bare[-2:-1].isdigit() and not is_spaced
        return not may_be_decimal and len(spans) > 1 and spans[-2][1] == len(bare)

    def _words(self, piece: _Piece) -> str:
        raw = self._text[piece.body : piece.body_end]
        if piece.is_code:
            return raw.strip("\n") if raw.strip() else ""
        text = without_marks(raw)
        return text if any(character.isalnum() for character in text) else ""

    def _units(self, piece: _Piece, stop: int) -> Iterable[Unit]:
        """Return the units cited by what overlaps the piece in words, or by a mark that stands right behind it."""
        found: dict[Unit, None] = {}
        for cited in self._cited:
            overlap = self._text[max(cited.start, piece.body) : min(cited.end, piece.body_end)]
            is_mark = cited.start == cited.end and self._position <= cited.start <= stop
            if is_mark or any(character.isalnum() for character in overlap):
                found |= dict.fromkeys(cited.units)
        self._cited = [cited for cited in self._cited if cited.end > stop]
        return found


def without_marks(text: str) -> str:
    """Return prose as its reader sees it: without Markdown's marks, and on one line."""
    pieces: list[str] = []
    position = 0
    for code in _CODE_SPAN.finditer(text):
        pieces += [_plain(text[position : code.start()]), code[2]]
        position = code.end()
    pieces.append(_plain(text[position:]).replace("`", ""))
    return _HALF_STRONG.sub("", " ".join("".join(pieces).split()))


def _plain(text: str) -> str:
    return _STRONG.sub(r"\2", _LINK.sub(r"\1", _IMAGE.sub("", text)))


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
