"""Slack's limits are never hit, and nothing of an answer is lost, whatever it consists of."""

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.channels.markdown import split
from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.render.reply import (
    MAX_ANSWER_CHARACTERS,
    Posting,
    ephemeral,
    fits_one_message,
    postings,
)
from bot.channels.utf16 import length
from bot.core.inert import WORD_JOINER
from bot.core.messages import Checks, Citation, Reply, Sentence
from knowledge.types import Relevance
from tests.wire.slack.alarms import alarms_of
from tests.wire.slack.validation import problems_of
from tests.wire.slack.visible import texts_of

MAX_POSTING_CHARACTERS = 10_000
MAX_FALLBACK_CHARACTERS = 3_000
LONGEST_ANSWER_CHARACTERS = 60_000
WORDS = re.findall(
    r"\S+",
    r"""badge сторінка ответ número ключ_доступа snake_case 2*3 ~5 a|b <b> & `x` # - + = 1. [x] \ \* __init__
    😀 👩‍👩‍👧 🇺🇦 é README.md /help @here <!channel> <@U1> :tada: 日本語の文章 **bold** http https://wiki.example.org/a_b""",
)
ENDINGS = [".", "!", "?", "…", ""]
LANGUAGES = ["en", "ru", "uk", "es"]
FIXED = settings(
    derandomize=True, database=None, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
CASES = st.tuples(st.integers(0, 2**32), st.integers(1, LONGEST_ANSWER_CHARACTERS))


class Made:
    """Random texts: the same seed makes the same."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._tables = 0

    def words(self, most: int = 30) -> str:
        return " ".join(self._random.choice(WORDS) for _ in range(self._random.randint(1, most)))

    def code(self) -> str:
        lines = [
            "".join(self._random.choice("ab Ж`<>|*_😀") for _ in range(self._random.randint(0, 90))) for _ in range(9)
        ]
        long = [lines[0] * 200] if self._random.random() < 0.05 else []
        return "\n".join(["start", *lines * self._random.choice([1, 1, 1, 60]), *long, "end"]).replace("```", "``")

    def table(self, cells: str) -> list[str]:
        self._tables += 1
        head = f"| head{self._tables} | {cells} |"
        return [head, *(f"| row{number} | {cells} |" for number in range(self._random.choice([1, 3, 400])))]

    def sentences(self) -> list[Sentence]:
        match self._random.randint(0, 9):
            case 0:
                return [self.said(self.code(), is_code=True)]
            case 1:
                return [self.said(row) for row in self.table("cell `x` *y* <!here>")] + [self.said("Behind.")]
            case 2:
                return [self.said(f"- item {self.words(9)}") for _ in range(self._random.randint(1, 9))]
            case 3 if self._random.random() < 0.1:
                return [self.said("x" * self._random.randint(1, 30_000))]
            case _:
                return [self.said(f"So {self.words()} end{self._random.choice(ENDINGS)}")]

    def said(self, text: str, *, is_code: bool = False) -> Sentence:
        return Sentence(text, (self.citation(),), Checks(valid=True), is_code)

    def citation(self) -> Citation:
        marker = self._random.randint(1, 60)
        url = self._random.choice([None, f"https://wiki.example.org/{'страница|' * marker}"])
        return Citation(
            marker=marker,
            passage_id=1,
            title=f"Title {self.words(60)}",
            heading=("Title", self.words(5)),
            url=url,
            source="docs",
            document="a.md",
            quote="q",
            start_line=1,
            end_line=1,
            author=None,
            updated_at=None,
        )

    def reply(self, size: int) -> Reply:
        sentences: list[Sentence] = []
        while sum(len(sentence.text) for sentence in sentences) < size:
            sentences += self.sentences()
        return Reply(
            decision="answer",
            question="How?",
            text="",
            language=self._random.choice(LANGUAGES),
            relevance=None,
            threshold=Relevance(0.5),
            reason=None,
            sentences=tuple(sentences),
            ticket=None,
            answerer="model",
            evidence=(),
            timings_ms={},
            fingerprint="f",
            notes=(self.words(),) * self._random.randint(0, 3),
        )


def bare(text: str) -> str:
    return "".join(text.replace(WORD_JOINER, "").split())


def visible(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "code_inline", "fence", "code_block"):
            yield token.content
        yield from visible(token.children or ())


PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def seen(parts: Sequence[str]) -> str:
    """Return what a reader of all parts sees, without the headers that stand there once more."""
    text = ""
    for part in parts:
        tokens = PARSER.parse(part)
        if text and part.startswith("| head"):
            first = next(index for index, token in enumerate(tokens) if token.type == "thead_close")
            header = bare("".join(visible(tokens[:first])))
            tokens = tokens[first:] if header in text else tokens
        text += bare("".join(visible(tokens)))
    return text


def expected(reply: Reply) -> str:
    return bare("".join(f"{_words(sentence)}{sentence.markers}" for sentence in reply.sentences))


def _words(sentence: Sentence) -> str:
    if sentence.text.startswith("| "):
        return sentence.text[2:-2].replace(" | ", " ")
    return sentence.text.removeprefix("- ")


def answers(posted: Sequence[Posting]) -> list[str]:
    return [str(block["text"]) for posting in posted for block in posting.blocks if block["type"] == "markdown"]


@FIXED
@given(CASES)
def test_every_payload_is_within_the_limits_of_slack(case: tuple[int, int]) -> None:
    reply = Made(case[0]).reply(case[1])
    sent = [("chat.postMessage", posting) for posting in postings(reply, answer_id="a1")]
    sent += [("chat.postEphemeral", posting) for posting in ephemeral(reply, answer_id="a1", question="7")]
    for method, posting in sent:
        payload = {"text": posting.text, "blocks": posting.blocks, "unfurl_links": False, "unfurl_media": False}

        assert problems_of(method, payload) == []
        assert alarms_of(method, payload) == []
        assert sum(map(length, texts_of(posting.blocks, with_buttons=True))) < MAX_POSTING_CHARACTERS
        assert 0 < length(posting.text) < MAX_FALLBACK_CHARACTERS


@FIXED
@given(CASES)
def test_an_answer_that_fits_one_message_can_be_streamed(case: tuple[int, int]) -> None:
    reply = Made(case[0]).reply(case[1] // 6)
    markdown = answer_markdown(reply.sentences)
    below = [block for posting in postings(reply, answer_id="a1")[:1] for block in posting.blocks[1:]]
    payload = {"chunks": [{"type": "markdown_text", "text": markdown}], "blocks": below}

    assert problems_of("chat.stopStream", payload) == [] or not fits_one_message(reply.sentences, reply.language)
    assert alarms_of("chat.stopStream", payload) == []


@FIXED
@given(CASES)
def test_the_messages_show_the_whole_answer_and_cut_nothing_that_belongs_together(case: tuple[int, int]) -> None:
    reply = Made(case[0]).reply(case[1])
    parts = answers(postings(reply, answer_id="a1"))
    rows = [bare(text) for part in parts for text in rows_of(part)]
    links = [token.attrs["href"] for part in parts for token in inline_of(part) if token.type == "link_open"]

    assert seen(parts) == expected(reply)
    assert all(bare(_words(said)) + said.markers in rows for said in reply.sentences if said.text.startswith("| row"))
    assert links == ["https://wiki.example.org/a_b"] * sum(
        said.text.count("https://wiki") for said in reply.sentences if not said.is_code
    )
    assert all("`" * 3 not in token.content for part in parts for token in inline_of(part))


def rows_of(part: str) -> Iterator[str]:
    tokens = PARSER.parse(part)
    starts = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
    ends = [index for index, token in enumerate(tokens) if token.type == "tr_close"]
    yield from ("".join(visible(tokens[start:end])) for start, end in zip(starts, ends, strict=True))


def inline_of(part: str) -> Iterator[Token]:
    for token in PARSER.parse(part):
        yield from token.children or ()


@FIXED
@given(CASES)
def test_an_answer_grows_at_its_end(case: tuple[int, int]) -> None:
    sentences = Made(case[0]).reply(min(case[1], MAX_ANSWER_CHARACTERS)).sentences
    halfway = answer_markdown(sentences[: len(sentences) // 2])

    assert answer_markdown(sentences).startswith(halfway)
    assert seen([answer_markdown(sentences)]) == expected(Made(case[0]).reply(min(case[1], MAX_ANSWER_CHARACTERS)))


BLOCKS = [
    "Some *emphasis that has* words, **and strong ones**, `code with words` and [a link](http://wiki.test/a_(b)). ",
    "Просте речення. Ещё одно предложение! ¿Y otra? 日本語の文章。",
    "# A heading",
    "- an item\n- another\n    - below\n      and on\n        1. deep\n        2. deeper\n\n- last",
    "> a quote of words\n> and more of them\n>\n> - with an item",
    "```python\nfor line in lines:\n    pass\n\n# no heading\n```",
    "    indented code\n    more of it",
    "1. one\n\n   ```sh\n   run it\n   ```\n\n2. two",
    "---",
]


def document(seed: int) -> str:
    random = Random(seed)
    blocks = [
        random.choice(BLOCKS) * (random.choice([1, 5]) if block == 0 else 1) for block in range(random.randint(1, 40))
    ]
    tables = [
        "\n".join(
            [f"| head{number} | b |", "|---|:-:|", *(f"| row{row} | `x` |" for row in range(random.randint(1, 30)))]
        )
        for number in range(3)
    ]
    blocks += tables
    random.shuffle(blocks)
    return "\n\n".join(blocks)


@settings(FIXED, max_examples=200)
@given(st.integers(0, 2**32), st.integers(60, 2_000))
def test_the_parts_of_any_markdown_show_all_of_it(seed: int, limit: int) -> None:
    text = document(seed)
    parts = split(text, limit)

    assert all(len(part) <= limit for part in parts)
    assert seen(parts) == seen([text])
    assert {words_at_end(f"{part}\n\nBehind it") for part in parts} == {"Behind it"}
    assert languages_in(parts) - languages_in([text]) <= {""}
    assert [link for part in parts for link in links_of(part)] == list(links_of(text))


def words_at_end(part: str) -> str:
    return list(visible(PARSER.parse(part)))[-1]


def languages_in(parts: Sequence[str]) -> set[str]:
    return {token.info for part in parts for token in PARSER.parse(part) if token.type == "fence"}


def links_of(part: str) -> Iterator[str]:
    yield from (str(token.attrs["href"]) for token in inline_of(part) if token.type == "link_open")


@pytest.mark.parametrize("seed", range(5))
def test_the_same_reply_is_shown_the_same_way(seed: int) -> None:
    reply = Made(seed).reply(5_000)

    assert postings(reply, answer_id="a") == postings(reply, answer_id="a")
