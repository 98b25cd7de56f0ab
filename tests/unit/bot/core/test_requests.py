"""What people ask of the bot itself, with every port in memory."""

from dataclasses import replace
from typing import get_args

import pytest

from bot.core.incoming import Company, Question
from bot.core.linking import Linking, LinkRules
from bot.core.messages import Citation, Reason, Reply, Sentence
from bot.core.outgoing import Readers
from bot.core.phrases import languages, phrase
from bot.core.requests import Forgotten, Given, HandedOver, Requests, Said
from knowledge.types import Reader, Relevance
from tests.fakes.channel import incoming, question
from tests.fakes.core import VERBATIM, FakeStanding, citation
from tests.fakes.evidence import hit
from tests.fakes.links import FakeLinks
from tests.fakes.people import FakePeople
from tests.fakes.requests import FakeForgetting, FakeGiven, FakeSections, requests_of

ANN = Reader(frozenset({"public", "user:ann@example.org"}))
EVERYBODY = Readers(Reader(), ANN)


def request(name: str, about: str = "", *, company: Company = "public") -> Question:
    return question(replace(incoming("", company=company, origin="request"), wire={"request": name, "about": about}))


def quoting(quote: str, marker: int = 1, *, line: int = 1, title: str = "VPN") -> Citation:
    return replace(citation(hit(quote), quote), marker=marker, start_line=line, end_line=line, title=title)


def given(*sentences: Sentence) -> Given:
    return Given(
        number=7,
        question="How do I reset my PIN?",
        language="en",
        relevance=Relevance(0.876),
        threshold=Relevance(0.65),
        sentences=sentences or (Sentence("Open the app.", (quoting("Open the app."),), VERBATIM),),
        answerer="claude",
        fingerprint="f",
        is_own_words=False,
        is_cached=False,
    )


def handed_over(reason: Reason = "below_threshold") -> HandedOver:
    return HandedOver(12, "Who feeds the cat?", "en", reason, Relevance(0.6499), Relevance(0.65), is_open=True)


async def said(requests: Requests, asked: Question, readers: Readers = EVERYBODY, language: str = "en") -> Said:
    found = await requests.serve(asked, readers, language)
    assert isinstance(found, Said)
    return found


async def replied(requests: Requests, asked: Question, readers: Readers = EVERYBODY) -> Reply:
    found = await requests.serve(asked, readers, "en")
    assert isinstance(found, Reply)
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [("start", "start"), ("help", "help"), ("stranger", "refused_stranger"), ("", "help"), ("unheard of", "help")],
)
@pytest.mark.parametrize("language", languages())
async def test_the_bot_says_what_it_is_for(name: str, expected: str, language: str) -> None:
    assert await said(requests_of(), request(name), language=language) == Said(phrase(expected, language))


async def test_a_choice_of_languages_says_the_present_one() -> None:
    people = FakePeople()

    before = await said(requests_of(people), request("language"))
    people.languages["U1"] = "uk"
    after = await said(requests_of(people), request("language"), language="uk")

    assert before == Said(phrase("language_now_auto", "en"), "languages")
    assert after == Said(phrase("language_now", "uk", chosen="Українська"), "languages")


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ("ru", "ru"), ("RU-ru", "ru"), ("русский", "ru"), ("Русский.", "ru"), ("російська", "ru"), ("russian", "ru"),
        ("Українська", "uk"), ("УКРАЇНСЬКА", "uk"), ("ukrainian", "uk"), ("español", "es"), ("Español", "es"),
        ("spanish", "es"), ("English", "en"), ("английский", "en"), ("uk", "uk"),
    ],
)  # fmt: skip
async def test_a_language_is_known_by_its_code_and_its_names(about: str, code: str) -> None:
    people = FakePeople()

    told = await said(requests_of(people), request("language", about))

    assert (told, people.languages) == (Said(phrase("language_set", code)), {"U1": code})


@pytest.mark.parametrize("about", ["auto", "AUTO", "авто", "automático"])
async def test_the_language_of_each_question_can_be_chosen_again(about: str) -> None:
    people = FakePeople()
    people.languages["U1"] = "uk"

    told = await said(requests_of(people), request("language", about), replace(EVERYBODY, language="es-MX"), "uk")

    assert (told, people.languages) == (Said(phrase("language_auto", "es")), {"U1": None})


@pytest.mark.parametrize("about", ["klingon", "r", "en ru", "x" * 5_000, "{0}", ", ,", "english, английский"])
async def test_an_unknown_language_changes_nothing_and_lists_ours(about: str) -> None:
    people = FakePeople()

    told = await said(requests_of(people), request("language", about))

    assert (told.button, people.languages) == ("languages", {})
    assert "English, Español, Русский, Українська" in told.text


async def test_sources_are_the_quotes_with_the_markers_of_the_answer() -> None:
    first, second = quoting("Open the **app**.", 2), quoting("Choose @reset.", 1, line=3)
    code = Sentence("run\n\tit", (quoting("```sh\nrun\n\tit\n```", 3),), VERBATIM, is_code=True)
    answer = given(Sentence("Open it.", (first,), VERBATIM), Sentence("Reset it.", (second, first), VERBATIM), code)

    reply = await replied(requests_of(given=FakeGiven(answer)), request("sources"))

    assert [(sentence.text, sentence.markers, sentence.is_code) for sentence in reply.sentences] == [
        ("Choose @\u2060reset.", "[1]", False),
        ("Open the **app**.", "[2]", False),
        ("run\n\tit", "[3]", True),
    ]
    assert [sentence.citations[0].quote for sentence in reply.sentences[:2]] == [second.quote, first.quote]
    assert (reply.number, reply.decision, reply.notes, reply.question) == (7, "answer", (), answer.question)


@pytest.mark.parametrize(("name", "about"), [("sources", "7"), ("more", "7"), ("why", "7")])
async def test_a_request_may_name_the_answer(name: str, about: str) -> None:
    known = FakeGiven(given())

    await requests_of(given=known, sections=FakeSections(hit("Open the app."))).serve(
        request(name, about), EVERYBODY, "en"
    )

    assert known.asked == [7]


@pytest.mark.parametrize("about", ["", "please", "1" * 19, "-1", "²"])
async def test_without_a_number_the_last_answer_is_meant(about: str) -> None:
    known = FakeGiven(given())

    await replied(requests_of(given=known), request("sources", about))

    assert known.asked == [None]


@pytest.mark.parametrize("name", ["sources", "more"])
async def test_what_no_longer_stands_is_named_and_not_quoted(name: str) -> None:
    stays, gone = quoting("Stays.", 1), quoting("Secret.", 2, line=2)
    known = FakeGiven(given(Sentence("A.", (stays, gone), VERBATIM)))
    requests = requests_of(given=known, standing=FakeStanding("Secret."), sections=FakeSections(hit("Stays.")))

    reply = await replied(requests, request(name))

    assert [sentence.text for sentence in reply.sentences] == ["Stays."]
    assert reply.notes == (phrase("source_removed", "en"),)
    assert "Secret" not in reply.text


@pytest.mark.parametrize("name", ["sources", "more"])
async def test_where_nothing_stands_any_more_that_is_said(name: str) -> None:
    requests = requests_of(given=FakeGiven(given()), standing=FakeStanding("Open the app."))

    assert await said(requests, request(name)) == Said(phrase("source_removed", "en"))


@pytest.mark.parametrize(("name", "phrase_name"), [("sources", "no_answer_yet"), ("why", "no_question_yet")])
async def test_where_nothing_was_answered_that_is_said(name: str, phrase_name: str) -> None:
    assert await said(requests_of(), request(name), language="uk") == Said(phrase(phrase_name, "uk"))


@pytest.mark.parametrize(("company", "reader"), [("public", Reader()), ("group", Reader()), ("direct", ANN)])
async def test_passages_are_shown_to_all_who_read_along(company: Company, reader: Reader) -> None:
    sections = FakeSections(hit("Open the app."))

    await replied(requests_of(given=FakeGiven(given()), sections=sections), request("more", company=company))

    assert sections.readers == [reader]


async def test_more_is_the_whole_passage_in_its_own_words() -> None:
    passage = hit("## PIN\n\nFirst [open](https://evil.example) it.\n\nOpen the app.\n\n- Wait.", start_line=10)
    known = FakeGiven(given(Sentence("Open it.", (quoting("Open the app.", 4),), VERBATIM)))

    reply = await replied(requests_of(given=known, sections=FakeSections(passage)), request("more"))

    assert [(sentence.text, sentence.markers) for sentence in reply.sentences] == [
        ("First open it.", "[4]"),
        ("Open the app.", "[4]"),
        ("Wait.", "[4]"),
    ]
    assert [sentence.citations[0].start_line for sentence in reply.sentences] == [12, 14, 16]


async def test_of_a_long_passage_the_part_around_the_quote_is_shown_and_of_many_a_few() -> None:
    long = [hit("\n\n".join(f"Sentence {n} of {p}." * 6 for n in range(100)), passage_id=p) for p in range(5)]
    cited = tuple(quoting(f"Sentence 50 of {p}.", p + 1, line=p + 1) for p in range(5))
    known = FakeGiven(given(Sentence("A.", cited, VERBATIM)))

    reply = await replied(requests_of(given=known, sections=FakeSections(*long)), request("more"))

    lengths = {
        marker: sum(len(sentence.text) for sentence in reply.sentences if sentence.markers == marker)
        for marker in dict.fromkeys(sentence.markers for sentence in reply.sentences)
    }
    assert list(lengths) == ["[1]", "[2]", "[3]"]
    assert all(1_300 < length <= 1_500 for length in lengths.values())
    assert "Sentence 50 of 0." in reply.text


async def test_why_an_answer_was_given() -> None:
    cited = (quoting("A.", 1), quoting("B.", 2, line=2, title="Doors"), quoting("C.", 3, line=3, title="Secret"))
    known = FakeGiven(given(Sentence("One.", cited, VERBATIM), Sentence("Two.", cited[:1], VERBATIM)))
    requests = requests_of(given=known, standing=FakeStanding("C."))

    told = await said(requests, request("why"))

    assert told.text.split("\n") == [
        "The question: “How do I reset my PIN?”",
        "I was 87 % sure that the documents answer it; I answer from 65 % on.",
        "A language model worded it.",
        "Sentences that were checked against their sources: 2.",
        "Documents: VPN; Doors.",
        phrase("source_removed", "en"),
    ]


async def test_own_words_and_repeated_answers_are_called_so() -> None:
    known = FakeGiven(replace(given(), is_own_words=True, is_cached=True))

    told = await said(requests_of(given=known), request("why"))

    assert phrase("why_own_words", "en") in told.text
    assert phrase("why_cached", "en") in told.text


@pytest.mark.parametrize("reason", get_args(Reason))
@pytest.mark.parametrize("language", languages())
async def test_every_reason_for_a_person_has_its_words(reason: Reason, language: str) -> None:
    known = FakeGiven(replace(handed_over(reason), language=language))

    told = await said(requests_of(given=known), request("why"))

    lines = told.text.split("\n")
    assert len(lines) == 3
    assert lines[2] == phrase("why_ticket_open", language, ticket=12)


async def test_what_was_below_the_threshold_never_looks_as_if_it_had_reached_it() -> None:
    told = await said(requests_of(given=FakeGiven(handed_over())), request("why"))

    assert phrase("why_below_threshold", "en", relevance=64, threshold=65) in told.text


@pytest.mark.parametrize(("chosen", "language"), [(None, "uk"), ("es", "es")])
async def test_an_answer_is_spoken_of_in_its_own_language_unless_another_was_chosen(
    chosen: str | None, language: str
) -> None:
    known = FakeGiven(replace(given(), language="uk"))
    readers = replace(EVERYBODY, language="ru", chosen=chosen)

    told = await said(requests_of(given=known), request("why"), readers)
    reply = await replied(requests_of(given=known), request("sources"), readers)

    assert phrase("why_model", language) in told.text
    assert reply.language == language


@pytest.mark.parametrize(("kept", "extra"), [(0, ""), (2, " " + phrase("forgotten_kept", "en", count=2))])
async def test_forgetting_says_what_was_done_and_what_stays(kept: int, extra: str) -> None:
    forgetting = FakeForgetting(Forgotten(5, kept))

    told = await said(requests_of(forgetting=forgetting), request("forget"))

    assert told == Said(phrase("forgotten", "en", count=5) + extra)
    assert forgetting.requests == [1]


async def test_linking_is_asked_who_somebody_is() -> None:
    linking = Linking(FakeLinks(), rules=LinkRules({"fake:U1": "ada@corp.example"}))

    told = await said(requests_of(linking=linking), request("link", company="direct"))

    assert told == Said(phrase("link_by_operator", "en", email="ada@corp.example"))
