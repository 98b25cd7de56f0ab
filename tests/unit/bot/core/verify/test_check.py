"""The verifier as a whole: what may be shown with what it cites."""

import pytest

from bot.core.verify.check import Verifier
from bot.core.verify.seen import Seen
from knowledge.errors import TransientError
from tests.fakes.embedder import FakeEmbedder

REFUND = Seen(
    "en",
    ("Returns", "Money back"),
    (
        "The first payment is refunded in full if you cancel within 30 days.",
        "Money arrives on the same card within 10 working days.",
        "pip install kestrel==1.2",
    ),
    quoted=(0, 1),
)
CODE = Seen("en", ("Setup",), REFUND.pieces, quoted=(2,))


class _Model:
    """An entailment model that gives every pair the same chance."""

    def __init__(self, chance: float) -> None:
        self.chance = chance
        self.asked: list[tuple[str, str]] = []

    async def entails(self, premise: str, hypothesis: str) -> float:
        self.asked.append((premise, hypothesis))
        return self.chance


class _Out:
    """An entailment model that is not there now."""

    async def entails(self, premise: str, hypothesis: str) -> float:
        raise TransientError("later")


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("Money arrives on the same card within 10 working days.", True),
        (" Money  arrives on the same\u00a0card within 10 working days. ", True),
        (" ".join(REFUND.pieces[:2]), True),
        ("Within 10 working days the money arrives on the same card!", True),
        (
            "If you cancel within 30 days, the first payment is refunded in full, and money arrives on the same card.",
            True,
        ),
        ("The first payment is refunded in full.", False),
        ("Money arrives on the same card within 12 working days.", False),
        ("Money arrives on the same card within 10 working weeks.", False),
        ("Money never arrives on the same card within 10 working days.", False),
        ("Money arrives on the same card within 10 working days, and a technician visits your building.", False),
        ("The parcel can be sent back to the shop.", False),
        ("Within 10 working days the money arrives on the same card?", False),
        ("❌ Within 10 working days the money arrives on the same card.", False),
        ("", False),
    ],
)
async def test_shows_only_what_the_cited_pieces_say(text: str, is_shown: bool) -> None:
    checks = await Verifier().check(text, language="en", cited=[REFUND])

    assert (checks.valid, checks.supported) == (True, is_shown)


async def test_a_quotation_is_taken_for_one_and_says_so() -> None:
    checks = await Verifier().check(REFUND.pieces[0], language="en", cited=[REFUND])

    assert (checks.method, checks.support) == ("verbatim", 1.0)


async def test_a_sentence_that_cites_nothing_is_not_valid() -> None:
    checks = await Verifier().check(REFUND.pieces[0], language="en", cited=[])

    assert (checks.valid, checks.supported) == (False, False)


@pytest.mark.parametrize(
    ("code", "is_shown"),
    [
        ("pip install  kestrel==1.2", True),
        ("kestrel==1.2", True),
        ("pip install kestrel", True),
        ("pip install kestrel==1.3", False),
    ],
)
async def test_code_must_stand_in_a_cited_piece_as_it_is(code: str, is_shown: bool) -> None:
    checks = await Verifier().check(code, language="en", cited=[CODE], is_code=True)

    assert checks.supported is is_shown


async def test_names_the_facts_and_the_difference_for_operators() -> None:
    number = await Verifier().check(
        "Money arrives on the same card within 12 working days.", language="en", cited=[REFUND]
    )
    condition = await Verifier().check("The first payment is refunded in full.", language="en", cited=[REFUND])

    assert number.missing
    assert condition.disagreement == "condition dropped"


async def test_across_languages_nothing_is_supported_without_vectors() -> None:
    checks = await Verifier().check("Деньги приходят за 10 рабочих дней.", language="ru", cited=[REFUND])

    assert (checks.valid, checks.support, checks.method) == (True, 0.0, "vectors")


async def test_across_languages_numbers_and_negations_must_agree() -> None:
    verifier = Verifier(embedder=FakeEmbedder())
    number = await verifier.check("Деньги приходят на карту за 12 рабочих дней.", language="ru", cited=[REFUND])
    negation = await verifier.check("Деньги не приходят на карту за 10 рабочих дней.", language="ru", cited=[REFUND])

    assert number.missing
    assert negation.disagreement == "negation added"


async def test_an_entailment_model_decides_on_support_but_not_on_facts() -> None:
    sure, unsure = _Model(0.9), _Model(0.2)
    text = "Money arrives on the same card within 10 working days, they say."

    assert (await Verifier(entailment=sure).check(text, language="en", cited=[REFUND])).method == "entailment"
    assert not (await Verifier(entailment=unsure).check(text, language="en", cited=[REFUND])).supported
    assert not (
        await Verifier(entailment=sure).check(text.replace("10", "12"), language="en", cited=[REFUND])
    ).supported


async def test_an_entailment_model_reads_the_headings_too() -> None:
    model = _Model(0.9)
    await Verifier(entailment=model).check(
        "Within 10 working days the money arrives on the card.", language="en", cited=[REFUND]
    )

    assert [premise.splitlines()[:2] for premise, _ in model.asked] == [["Returns", "Money back"]]


async def test_without_its_entailment_model_the_rules_decide(caplog: pytest.LogCaptureFixture) -> None:
    verifier = Verifier(entailment=_Out())
    text = "Within 10 working days the money arrives on the same card."
    checks = [await verifier.check(text, language="en", cited=[REFUND]) for _ in range(2)]

    assert [(one.supported, one.method) for one in checks] == [(True, "words"), (True, "words")]
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_pieces_in_the_language_of_a_sentence_are_compared_by_words_whatever_their_document_is_in() -> None:
    mistaken = Seen("ru", REFUND.above, REFUND.pieces, REFUND.quoted)
    checks = await Verifier().check(
        "Within 10 working days the money arrives on the same card.", language="en", cited=[mistaken]
    )

    assert (checks.supported, checks.method) == (True, "words")
