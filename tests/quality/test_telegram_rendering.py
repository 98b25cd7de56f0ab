"""Whatever an answer consists of, Telegram takes every part of it as it was meant, and nothing foreign can be clicked.

TDLib is the judge. TELEGRAM_CASES=10000 is the long run.
"""

import os
import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.channels.telegram.render.inline import formatted
from bot.channels.telegram.render.names import quiet
from bot.channels.telegram.render.reply import Posting, growing, notices, payload, plain, postings
from bot.channels.telegram.render.text import LIMIT, Styled, clean
from bot.channels.utf16 import length
from bot.core.inert import inert
from bot.core.messages import Citation, Reply
from bot.core.phrases import phrase
from tests.quality.telegram_answers import NOT_SEEN, PIECES, WIKI, Made, Sign
from tests.wire.telegram import tdlib
from tests.wire.telegram.entities import judge
from tests.wire.telegram.messages import Entity

pytestmark = pytest.mark.skipif(not tdlib.is_here(), reason="tdjson is not installed")

CASES = int(os.environ.get("TELEGRAM_CASES", "200"))
RULE = re.compile(r"-+(\+-+)+")
SEEDS = st.integers(0, 2**32)
FIXED = settings(
    derandomize=True, database=None, deadline=None, max_examples=CASES, suppress_health_check=[HealthCheck.too_slow]
)


def judged(text: Styled) -> list[tuple[str, frozenset[str]]]:
    """Return a text as TDLib keeps it, each character with what it is; it has to keep it as it was given."""
    given = [entity.as_json() for entity in text.entities]
    found = judge(text.text, "", given)

    assert found.text == text.text
    assert found.dropped == []
    assert [one for one in found.detected if is_detected(one)] == []
    shown = styles(text.text, found.entities)
    assert found.entities == given or shown == styles(text.text, given)
    return shown


def styles(text: str, entities: Sequence[Entity]) -> list[Sign]:
    """Return each character of a text with what it is."""
    places = [at for at, sign in enumerate(text) for _ in range(2 if sign > "\uffff" else 1)] + [len(text)]
    kinds = [frozenset[str]()] * len(text)
    for entity in entities:
        first, units = int(str(entity["offset"])), int(str(entity["length"]))
        kind = {str(entity[name]) for name in ("type", "url", "language") if entity.get(name)}
        start, end = places[first], places[first + units]
        kinds[start:end] = [before | kind for before in kinds[start:end]]
    return list(zip(text, kinds, strict=True))


def seen(shown: Sequence[Sequence[Sign]]) -> list[Sign]:
    """Return what a reader of the parts sees, without rules of tables and headers that stand there once more."""
    signs: list[Sign] = []
    headers: set[str] = set()
    for line, piece in (found for part in shown for found in lines_of(part)):
        is_code = bool(piece) and "pre" in piece[0][1]
        is_header = is_code and line.startswith("head")
        if is_code and (RULE.fullmatch(line) or line in headers):
            continue
        headers |= {line} if is_header else set()
        is_row = is_code and (is_header or line.startswith("row"))
        signs += [(sign, kinds) for sign, kinds in piece if not NOT_SEEN.match(sign) and not (is_row and sign == "|")]
    return signs


def lines_of(part: Sequence[Sign]) -> Iterator[tuple[str, Sequence[Sign]]]:
    at = 0
    for line in "".join(sign for sign, _ in part).split("\n"):
        yield line, part[at : at + len(line)]
        at += len(line) + 1


def without_place(posted: Sequence[Posting], language: str) -> Iterator[list[Sign]]:
    for number, posting in enumerate(posted, start=1):
        shown = judged(posting.text)
        place = "\n\n" + phrase("continued", language, part=number, parts=len(posted)) if len(posted) > 1 else ""

        assert posting.text.text.endswith(place)
        assert {kinds for _, kinds in shown[len(shown) - len(place.strip()) :] if place} <= {frozenset({"italic"})}
        yield shown[: len(shown) - len(place)]


def small_print(reply: Reply) -> list[str]:
    first: dict[int, Citation] = {}
    for sentence in reply.sentences:
        for citation in sentence.citations:
            first.setdefault(citation.marker, citation)
    titles = [f"[{marker}] {cited.title} › {cited.heading[1]}" for marker, cited in sorted(first.items())]
    return [*titles, *reply.notes, phrase("suggestion", reply.language)]


@FIXED
@given(SEEDS)
def test_every_part_is_taken_as_it_was_meant_and_nothing_is_cut_or_doubled(seed: int) -> None:
    reply, meant = Made(seed).reply()
    posted = postings(reply, answer_id="7")
    found = seen(list(without_place(posted, reply.language)))
    below = "".join(sign for sign, _ in found[len(meant) :])

    assert found[: len(meant)] == meant
    assert below == NOT_SEEN.sub("", "".join(small_print(reply)))
    assert [bool(posting.keyboard) for posting in posted] == [False] * (len(posted) - 1) + [True]


@FIXED
@given(SEEDS)
def test_an_answer_grows_as_it_will_stand(seed: int) -> None:
    reply, _ = Made(seed).reply(most_characters=3_000)
    grown = [growing(reply.sentences[:count], reply.language) for count in (1, 5, len(reply.sentences))]
    posted = postings(reply, answer_id="7")

    assert all(judged(shown) for shown in grown if shown)
    assert len(posted) > 1 or (grown[-1] is not None and posted[0].text.text.startswith(grown[-1].text))


@FIXED
@given(SEEDS)
def test_nothing_can_be_clicked_where_entities_are_refused_but_the_sources(seed: int) -> None:
    reply, _ = Made(seed).reply(most_characters=6_000)
    sent = [payload(posting) for posting in postings(reply, answer_id="7", heading="Why /start @you evil.com?")]
    texts = [plain(posting) for posting in sent]
    # There is no room for joiners in a message that is full of code.
    changed = [text for text, posting in zip(texts, sent, strict=True) if text != posting["text"]]

    assert all(0 < length(text) <= LIMIT for text in texts)
    assert [url for text in changed for url in clicked(text) if not url.lstrip("(").startswith(WIKI)] == []


def clicked(text: str) -> list[str]:
    found = judge(text, "", [])
    units = found.text.encode("utf-16-le")
    places = [(int(str(one["offset"])), int(str(one["length"]))) for one in found.detected if is_detected(one)]
    return [units[start * 2 : (start + many) * 2].decode("utf-16-le") for start, many in places]


def is_detected(entity: Entity) -> bool:
    # Bots' texts are not searched for times.
    return entity["type"] != "media_timestamp"


@settings(FIXED, max_examples=CASES * 5)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=25).map("".join) | st.text(min_size=1))
def test_nothing_that_anyone_writes_can_be_clicked(text: str) -> None:
    said = formatted(inert(text, cited=(), hosts=()))
    titled = Styled(quiet(clean(text).strip()))
    noticed = [posting.text for posting in notices(text)]

    assert NOT_SEEN.sub("", "".join(sign for shown in noticed for sign, _ in judged(shown))) == NOT_SEEN.sub(
        "", clean(text)
    )
    assert [entity for entity in said.entities if entity.type == "text_link"] == []
    assert "".join(sign for sign, _ in judged(said)) == said.text
    assert "".join(sign for sign, _ in judged(titled)) == titled.text


@pytest.mark.parametrize("seed", range(5))
def test_the_same_reply_is_shown_the_same_way(seed: int) -> None:
    reply, _ = Made(seed).reply()

    assert postings(reply, answer_id="7") == postings(reply, answer_id="7")
