"""Nobody becomes somebody else by saying so."""

from dataclasses import replace

import pytest

from bot.core.incoming import Company, Place
from bot.core.linking import (
    CODE_ALPHABET,
    CODE_LENGTH,
    MOST_CODES_AN_HOUR,
    Linking,
    LinkRules,
    code_hash,
    mail_address,
    mail_domain,
    new_code,
    typed_code,
)
from bot.core.phrases import phrase
from tests.fakes.channel import PLACE, incoming
from tests.fakes.links import FakeCourier, FakeLinks

ADDRESS = "ada@corp.example"
RULES = LinkRules(domains=frozenset({"corp.example"}))


class Talk:
    """Somebody's direct messages with a bot that links addresses."""

    def __init__(self, *, rules: LinkRules = RULES, courier: FakeCourier | None = None) -> None:
        self.links = FakeLinks()
        self.linking = Linking(self.links, rules=rules, courier=courier)

    async def say(self, about: str = "", *, company: Company = "direct", author: str = "U1") -> str:
        message = replace(incoming("/link", company=company), author=author)
        return await self.linking.serve(message, about, "en")


async def test_a_mailed_code_links_the_address_that_it_was_mailed_to() -> None:
    courier = FakeCourier()
    talk = Talk(courier=courier)

    asked = await talk.say("  Ada@CORP.example ")
    ((address, code, language),) = courier.carried
    linked = await talk.say(f"{code[:4].lower()} - {code[4:]}")

    assert (address, language) == (ADDRESS, "en")
    assert asked == phrase("link_mailed", "en", email=ADDRESS, minutes=15)
    assert linked == phrase("link_done", "en", email=ADDRESS)
    assert await talk.say() == phrase("link_known", "en", email=ADDRESS)


async def test_without_a_courier_the_operator_is_told_the_code_and_the_asker_cannot_use_it() -> None:
    talk = Talk()

    told = await talk.say(ADDRESS)
    code = next(word for word in map(typed_code, told.replace(".", "").split()) if word)

    assert told == phrase("link_ask_operator", "en", email=ADDRESS, code=code, minutes=15)
    assert talk.links.claims["U1"].code_hash == code_hash(code)
    assert await talk.say(code) == phrase("link_wrong_code", "en")
    assert talk.links.emails == {}


@pytest.mark.parametrize("courier", [FakeCourier(), None])
async def test_the_code_is_said_to_nobody_else(courier: FakeCourier | None) -> None:
    talk = Talk(courier=courier)

    told = await talk.say(ADDRESS)

    codes = [code for _, code, _ in courier.carried] if courier else []
    assert [code for code in codes if code in told] == []
    assert all(claim.is_mailed == (courier is not None) for claim in talk.links.claims.values())


async def test_another_persons_code_links_nothing() -> None:
    courier = FakeCourier()
    talk = Talk(courier=courier)
    await talk.say(ADDRESS)

    told = await talk.say(courier.carried[0][1], author="U2")

    assert (told, talk.links.emails) == (phrase("link_wrong_code", "en"), {})


@pytest.mark.parametrize("company", ["group", "private", "public", "shared"])
@pytest.mark.parametrize("about", ["", ADDRESS, "ABCD2345", "off"])
async def test_in_a_group_nothing_is_said_of_anybody(company: Company, about: str) -> None:
    courier = FakeCourier()
    talk = Talk(courier=courier, rules=LinkRules({"fake:U1": ADDRESS}, RULES.domains))
    talk.links.emails["U1"] = ADDRESS

    told = await talk.say(about, company=company)

    assert (told, courier.carried) == (phrase("link_elsewhere", "en"), [])
    assert talk.links.emails == {"U1": ADDRESS}


async def test_the_same_is_said_of_every_address_of_a_domain() -> None:
    talk = Talk(courier=FakeCourier())

    told = [await talk.say(f"{name}@corp.example", author=name) for name in ("ada", "nobody")]

    assert told[0].replace("ada", "nobody") == told[1]


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ("ada@other.example", "link_not_ours"),
        ("ada@corp.example.evil.example", "link_not_ours"),
        ("ada@sub.corp.example", "link_not_ours"),
        ("ada@corp.example@evil.example", "link_no_address"),
        ("@corp.example", "link_no_address"),
        ("ada@", "link_no_address"),
        ("ada @corp.example", "link_no_address"),
        ("ada@corp.example, eve@corp.example", "link_no_address"),
        ('"ada"@corp.example', "link_no_address"),
        ("ada\u202e@corp.example", "link_no_address"),
        ("ABCD234", "link_wrong_code"),
        ("ABCD2345", "link_wrong_code"),
        ("what?", "link_wrong_code"),
    ],
)
async def test_what_cannot_be_linked_is_told_and_nothing_is_mailed(about: str, name: str) -> None:
    courier = FakeCourier()
    talk = Talk(courier=courier)

    assert await talk.say(about) == phrase(name, "en")
    assert (courier.carried, talk.links.claims) == ([], {})


async def test_whom_the_operator_knows_stays_who_they_are() -> None:
    talk = Talk(rules=LinkRules({"fake:U1": ADDRESS}, RULES.domains), courier=FakeCourier())

    told = {about: await talk.say(about) for about in ("", "eve@corp.example", "off", "ABCD2345")}

    assert set(told.values()) == {phrase("link_by_operator", "en", email=ADDRESS)}


@pytest.mark.parametrize("about", ["", ADDRESS, "ABCD2345"])
async def test_without_domains_linking_is_off(about: str) -> None:
    talk = Talk(rules=LinkRules({"fake:U9": ADDRESS}))

    assert await talk.say(about) == phrase("link_off", "en")
    assert talk.links.claims == {}


async def test_who_was_linked_before_it_was_switched_off_is_told_and_can_undo_it() -> None:
    talk = Talk(rules=LinkRules())
    talk.links.emails["U1"] = ADDRESS

    known, undone = await talk.say(), await talk.say("OFF")

    assert (known, undone) == (phrase("link_known", "en", email=ADDRESS), phrase("link_undone", "en"))
    assert talk.links.emails == {}


async def test_a_courier_that_fails_is_told_without_the_address_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk(courier=FakeCourier(works=False))

    assert await talk.say(ADDRESS) == phrase("link_not_mailed", "en")
    assert "the courier sleeps" in caplog.text
    assert ADDRESS not in caplog.text


async def test_too_many_codes_are_refused() -> None:
    courier = FakeCourier()
    talk = Talk(courier=courier)

    told = [await talk.say(ADDRESS) for _ in range(MOST_CODES_AN_HOUR + 1)]

    assert told[-1] == phrase("link_too_often", "en", codes=MOST_CODES_AN_HOUR)
    assert len(courier.carried) == MOST_CODES_AN_HOUR


def test_codes_have_no_signs_that_look_alike_and_do_not_repeat() -> None:
    codes = {new_code() for _ in range(1_000)}

    assert len(codes) == 1_000
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert not set("01ILO") & set(CODE_ALPHABET)
    assert {typed_code(code) for code in codes} == codes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada.Lovelace+x@Corp.Example", "ada.lovelace+x@corp.example"),
        ("ада@почта.рф", "ада@почта.рф"),
        ("o_b-r@a-b.co", "o_b-r@a-b.co"),
        # A letter that would become another in lower case could be somebody else.
        ("ada@\u212aorp.example", None),
        ("ada@corp", None),
        ("ada@-corp.example", None),
        ("ada@corp..example", None),
        ("ada@127.0.0.1", None),
        (f"{'a' * 65}@corp.example", None),
        (f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 20}", None),
        ("a\nb@corp.example", None),
        ("<ada@corp.example>", None),
        ("", None),
    ],
)
def test_an_address_is_one_as_addresses_are_compared(text: str, expected: str | None) -> None:
    assert mail_address(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("Corp.Example", "corp.example"), ("@corp.example", None), ("", None)])
def test_a_domain_is_one_as_domains_are_compared(text: str, expected: str | None) -> None:
    assert mail_domain(text) == expected


def test_people_are_known_on_their_own_platform_only() -> None:
    rules = LinkRules({"fake:U1": ADDRESS})

    assert rules.known(PLACE, "U1") == ADDRESS
    assert rules.known(Place("other", "T1", "C1"), "U1") is None
