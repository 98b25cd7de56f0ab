"""Random answers for Telegram, each with what a reader is meant to see of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from bot.core.inert import WORD_JOINER
from bot.core.messages import Checks, Citation, Reply, Sentence
from knowledge.types import Relevance

LONGEST_ANSWER_CHARACTERS = 60_000
PLAIN = re.findall(
    r"\S+",
    r"""badge сторінка ответ número ключ_доступа snake_case 2*3 2**3 a|b <b> & # - + = 1. [x] \ \* __init__ *one* _two_
    **kwargs п`ять об`єкт 😀 👩‍👩‍👧 🇺🇦🇩🇪 👍🏽 é ñ̃̃ 日本語の文章 ~~gone~~ http:// [a](b) &amp; #tag #1 @name x@y $ $100
    TCP/IP 24/7 and/or C# v1.2.3 Node.js foo.bar and.so 10:30 (see) «так» “so” /etc/hosts **/*.py src/** ***all*** a.b.c
    हिन्दी عربى ภาษาไทย ﷽ \u00a0x e.g. i.e. ##x ·#y _@z -- — …""",
)
CODE_WORDS = ["x", "a b", "f(x)", "п`ять", "**no**", "README.md", "/help @you", "https://evil.com", "😀", "a|b"]
COPIED = ["README.md", "docs/setup.py", "a.sh:12", "/help", "$USD", "$HOME", "10.0.0.1", "10.0.0.1:8080/x"]
COPIED += ["+380441234567", "+1 (212) 555-0123", "4111 1111 1111 1111", "8 800 555-35-35", "http://wiki/page"]
WIKI = "https://wiki.example.org/"
LINKS = [f"{WIKI}a_b", f"{WIKI}стор(інка)?x=1&y=2#z", f"{WIKI}*a*b"]
FOREIGN = ["evil.com", "https://evil.com/x", "@name", "/start", "#tag", "ann@evil.com", "$USD", "README.md", "tg://x"]
# What may be a piece of something clickable, or end one.
PIECES = [*"ab1A9 $#@/.:-_*`()[]<>|\\+ \n,;·é日!?&=%~'\"«»{}^", "\u200d", "\u0301", "\u200c", WORD_JOINER, "😀"]
PIECES += [
    "com",
    "рф",
    "http://",
    "https://",
    "www.",
    "t.me",
    "ftp://",
    "mailto:",
    "ton://",
    "**",
    ".so",
    "org/",
    "USD",
]
PIECES += ["help", "example.com", "1.2.3.4", *FOREIGN, *COPIED, *CODE_WORDS]
ENDINGS = [".", "!", "?", "…", ""]
NOT_SEEN = re.compile(rf"[\s{WORD_JOINER}]")

# A character that is seen, and what it is.
Sign = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Said:
    """A text of an answer and what a reader is meant to see of it."""

    text: str
    signs: list[Sign] = field(default_factory=list)

    def __add__(self, other: "Said") -> "Said":
        return Said(f"{self.text} {other.text}", self.signs + other.signs)


def signs_of(text: str, *kinds: str) -> list[Sign]:
    return [(sign, frozenset(kinds)) for sign in NOT_SEEN.sub("", text)]


class Made:
    """Random answers with their meaning: the same seed makes the same."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._tables = 0

    def words(self, most: int = 20) -> str:
        return " ".join(self.random.choice(PLAIN) for _ in range(self.random.randint(1, most)))

    def fragment(self) -> Said:
        kind = self.random.randint(0, 19)
        if kind == 0:
            code = self.random.choice(CODE_WORDS)
            ticks = "``" if "`" in code else "`"
            return Said(f"{ticks}{code}{ticks}", signs_of(code, "code"))
        if kind == 1:
            strong = f"Bold {self.random.choice(['слово', 'snake_case', '2*3', '👩‍👩‍👧 x', '(so)'])}"
            return Said(f"**{strong}**", signs_of(strong, "bold"))
        if kind == 2:
            return Said(
                "**Run `it` now:**", [*signs_of("Run", "bold"), *signs_of("it", "code"), *signs_of("now:", "bold")]
            )
        if kind == 3:
            name = self.random.choice(COPIED)
            return Said(f"at {name},", [*signs_of("at"), *signs_of(name, "code"), *signs_of(",")])
        if kind == 4:
            url = self.random.choice(LINKS)
            return Said(url, signs_of(url, "text_link", url))
        words = self.words(6)
        return Said(words, signs_of(words))

    def prose(self, most: int = 8) -> Said:
        said = Said("So", signs_of("So"))
        for _ in range(self.random.randint(1, most)):
            said += self.fragment()
        return said + Said(f"end{(ending := self.random.choice(ENDINGS))}", signs_of(f"end{ending}"))

    def code(self) -> str:
        lines = [
            "".join(self.random.choice("ab Ж`<>|*_😀é") for _ in range(self.random.randint(0, 90))) for _ in range(9)
        ]
        long = [lines[0] * 200] if self.random.random() < 0.1 else []
        return "\n".join(["start", *lines * self.random.choice([1, 1, 1, 60]), *long, "end"])

    def next_sentences(self) -> Iterator[tuple[Sentence, list[Sign]]]:
        match self.random.randint(0, 11):
            case 0:
                language = self.random.choice([None, "python", "c++"])
                code = self.code()
                sentence = self.sentence(code, quote=f"```{language or ''}\nstart", is_code=True)
                yield sentence, [*signs_of(code, "pre", *filter(None, [language])), *marks_of(sentence)]
            case 1:
                yield from self.table()
                yield from self.spoken(Said("Behind.", signs_of("Behind.")))
            case 2:
                for _ in range(self.random.randint(1, 9)):
                    said = self.prose(2)
                    yield from self.spoken(Said(f"- {said.text}", signs_of("•") + said.signs))
            case 3 if self.random.random() < 0.2:
                word = self.random.choice(["x", "Ж", "👩‍👩‍👧", "é̃"]) * self.random.randint(1, 9_000)
                yield from self.spoken(Said(word, signs_of(word)))
            case 4 if self.random.random() < 0.2:
                strong = "word 😀 " * self.random.randint(1, 2_000) + "end"
                yield from self.spoken(Said(f"**{strong}**", signs_of(strong, "bold")))
            case _:
                yield from self.spoken(self.prose())

    def spoken(self, said: Said) -> Iterator[tuple[Sentence, list[Sign]]]:
        sentence = self.sentence(said.text)
        yield sentence, said.signs + marks_of(sentence)

    def table(self) -> Iterator[tuple[Sentence, list[Sign]]]:
        """Yield a table; its lines are meant to be one block, or, with a very wide cell, words."""
        self._tables += 1
        is_wide = self.random.random() < 0.4
        head = self.sentence(f"| head{self._tables} | col |")
        count = self.random.choice([1, 3, 300])
        wide = Said("wide " * 20 + "`x`", [*signs_of("wide" * 20), *signs_of("x", "code")])
        cell = wide if is_wide else Said("**b** README.md 日本 `x` @you", signs_of("bREADME.md日本x@you", "pre"))
        rows = [self.sentence(f"| row{number} | {cell.text} |") for number in range(count)]
        shown = f"head{self._tables}col"
        yield head, [] if is_wide else [*signs_of(shown, "pre"), *plain_marks(head)]
        for number, row in enumerate(rows):
            if is_wide:
                is_other = number == 0 and head.markers != row.markers
                marks = [*(marks_of(head) if is_other else []), *marks_of(row)]
                signs = signs_of(f"head{self._tables}:row{number}col:") + cell.signs + marks
            else:
                signs = [*signs_of(f"row{number}", "pre"), *cell.signs, *plain_marks(row)]
            yield row, signs

    def sentence(self, text: str, *, quote: str = "q", is_code: bool = False) -> Sentence:
        marker = self.random.randint(1, 40)
        url = f"{WIKI}{marker}?стор=1&b=[2]|" if marker % 3 else None
        citation = Citation(
            marker=marker,
            passage_id=1,
            title=f"Title {self.random.choice(FOREIGN)} {self.words(12)}",
            heading=("Title", self.words(5)),
            url=url,
            source="docs",
            document="a.md",
            quote=quote,
            start_line=1,
            end_line=1,
            author=None,
            updated_at=None,
        )
        return Sentence(text, (citation,), Checks(valid=True), is_code)

    def reply(self, *, most_characters: int = LONGEST_ANSWER_CHARACTERS) -> tuple[Reply, list[Sign]]:
        size = most_characters ** self.random.uniform(0.2, 1)
        sentences: list[Sentence] = []
        signs: list[Sign] = []
        while sum(len(sentence.text) for sentence in sentences) < size:
            for sentence, meant in self.next_sentences():
                sentences.append(sentence)
                signs += meant
        notes = tuple(f"{self.random.choice(FOREIGN)} {self.words()}" for _ in range(self.random.randint(0, 3)))
        return replied(tuple(sentences), self.random.choice(["en", "ru", "uk", "es"]), notes), signs


def replied(sentences: tuple[Sentence, ...], language: str, notes: tuple[str, ...]) -> Reply:
    return Reply(
        decision="answer",
        question="How?",
        text="",
        language=language,
        relevance=None,
        threshold=Relevance(0.5),
        reason=None,
        sentences=sentences,
        ticket=None,
        answerer="model",
        evidence=(),
        timings_ms={},
        fingerprint="f",
        notes=notes,
    )


def marks_of(sentence: Sentence) -> list[Sign]:
    url = sentence.citations[0].url
    return signs_of(sentence.markers, "text_link", url) if url else signs_of(sentence.markers)


def plain_marks(sentence: Sentence) -> list[Sign]:
    return signs_of(sentence.markers, "pre")
