"""What documents and models write is shown without anything that a client would act on."""

import pytest

from bot.core.inert import WORD_JOINER, inert, inert_code

HOSTS = frozenset({"wiki.example.org"})
PAGE = "See https://wiki.example.org/pin and https://evil.test/x?q=1."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://wiki.example.org/pin.", "See https://wiki.example.org/pin."),
        ("See https://wiki.example.org/other.", "See wiki[.]example[.]org/other."),
        ("See https://wiki.example.org/pin?q=SECRET.", "See wiki[.]example[.]org/pin?q=SECRET."),
        ("See https://evil.test/x?q=1.", "See evil[.]test/x?q=1."),
        ("Go to [the wiki](https://wiki.example.org/pin).", "Go to the wiki (https://wiki.example.org/pin)."),
        ("Go to [here](https://evil.test/?q=SECRET).", "Go to here (evil[.]test/?q=SECRET)."),
        ("Go to [https://evil.test](https://evil.test).", "Go to evil[.]test."),
        ("![chart](https://evil.test/a.png) Seen.", "chart Seen."),
        ("![chart](https://evil.test/a.png", "chart"),
        ("Visit www.shoplux.com today.", "Visit www[.]shoplux[.]com today."),
        ("Visit shoplux.com today.", "Visit shoplux[.]com today."),
        ("Or javascript:alert(1)", "Or alert(1)"),
        ("Call tg://resolve?domain=x", "Call resolve?domain=x"),
        ("<https://evil.test/a>", "<evil[.]test/a>"),
        ("<https://wiki.example.org/pin|Read on>", "<wiki[.]example[.]org/pin|Read on>"),
        ("Open evil.test:8080/a.", "Open evil[.]test:8080/a."),
        ("a.b.c.d.e.f.g.evil.test", "a[.]b[.]c[.]d[.]e[.]f[.]g[.]evil[.]test"),
        ("See …evil.test, -evil.test", "See …evil[.]test, -evil[.]test"),
        ("请访问evil.com。然后", "请访问evil[.]com[.]然后"),
        ("https://evil。test/x", "evil[.]test/x"),
        ("ht\u200btps://evil.test", "evil[.]test"),
        ("https：／／evil․test", f"https：{WORD_JOINER}／／evil[.]test"),
        ("http://s://evil.test", "evil[.]test"),
        ("See [a\nb](https://evil.test/x)", "See a b (evil[.]test/x)"),
        ("See [[a](b)](https://evil.test)", f"See [a (b)]{WORD_JOINER}(evil[.]test)"),
        ("[Read][r] [r]: https://evil.test", f"[Read]{WORD_JOINER}[r] [r]{WORD_JOINER}: evil[.]test"),
        ('<img src="https://evil.test/x">', f'<{WORD_JOINER}img src="evil[.]test/x">'),
        ("![x][r]", f"!{WORD_JOINER}[x]{WORD_JOINER}[r]"),
        ("Take dict[key](not the list)", f"Take dict[key]{WORD_JOINER}(not the list)"),
        ("mailto:thief@evil.test?body=x", "thief at evil[.]test?body=x"),
    ],
)
def test_a_link_stays_only_when_it_is_cited_and_its_host_allowed(text: str, shown: str) -> None:
    assert inert(text, cited=[PAGE], hosts=HOSTS) == shown


@pytest.mark.parametrize("mail", ["ann@example.org", "ann@wiki.example.org", "thief@evil.test", "ann@org"])
def test_a_mail_address_stays_only_when_it_is_cited_and_its_domain_is_that_of_an_allowed_host(mail: str) -> None:
    shown = inert(f"Write to {mail} now", cited=[f"Write to {mail}"], hosts=HOSTS)

    assert (mail in shown) == (mail != "thief@evil.test")
    assert inert(f"Write to {mail} now", cited=[], hosts=HOSTS).count("@") == (mail == "ann@org")


def test_what_belongs_to_an_allowed_address_stays_in_it() -> None:
    address = "https://wiki.example.org/@ann/pin?a[0]=1"

    assert inert(f"See {address}.", cited=[address], hosts=HOSTS) == f"See {address}."


@pytest.mark.parametrize(
    "address",
    [
        "https://wiki.example.org.evil.test/pin",
        "https://evil.test/wiki.example.org",
        "https://wiki.example.org@evil.test/pin",
        "https://user:password@wiki.example.org/pin",
        "https://wiki.example.org\\@evil.test/",
        "http://[::1",
        "ftp://wiki.example.org/pin",
        "//wiki.example.org.evil.test/pin",
    ],
)
def test_a_host_is_compared_as_a_host_even_where_the_page_itself_says_so(address: str) -> None:
    assert "://" not in inert(f"See {address} now", cited=[f"See {address} now"], hosts=HOSTS)


@pytest.mark.parametrize(
    "text",
    [
        *("README.md and main.py", "e.g. this", "v1.2.3 is out", "3.5 GB", "U.S.A. today", "os.path.join", "и т.д."),
        *("EE.UU. y p.ej. esto", "user: data: x", "List<String> & co.", "a[i] and b", "C:\\Users", "10:30"),
    ],
)
def test_what_only_looks_like_an_address_stays(text: str) -> None:
    assert inert(text, cited=[], hosts=HOSTS) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ask @channel now", f"Ask @{WORD_JOINER}channel now"),
        ("<!channel> read", "channel read"),
        ("<@U123ABC> read", "U123ABC read"),
        ("<#C123|general> read", "C123|general read"),
        ("@everyone", f"@{WORD_JOINER}everyone"),
        ("Hello.@everyone", f"Hello.@{WORD_JOINER}everyone"),
        ("-@channel", f"-@{WORD_JOINER}channel"),
        ("@\u200bchannel", f"@{WORD_JOINER}channel"),
        ("＠everyone", f"＠{WORD_JOINER}everyone"),
        ("@<!x>channel", f"@{WORD_JOINER}xchannel"),
        ("<!subteam^S1|@all people>", f"<{WORD_JOINER}!subteam^S1|@{WORD_JOINER}all people>"),
        ("<https://!channel>", "channel"),
        ("&lt;!channel&gt; &#64;here", f"&{WORD_JOINER}lt;!channel&{WORD_JOINER}gt; &{WORD_JOINER}#64;here"),
        ("ssh ann@server", "ssh ann@server"),
        ("write to ann@mail.wiki", "write to ann at mail[.]wiki"),
    ],
)
def test_nobody_is_notified(text: str, shown: str) -> None:
    assert inert(text, cited=[], hosts=()) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is so [1].", "It is so ［1］."),
        ("It is so [1, 2] and [3–5].", "It is so ［1, 2］ and ［3–5］."),
        ("items[0] is first", "items［0］ is first"),
        ("Half\u200b hid\u2060den\U000e0041 \u202etext\x07", "Half hidden text"),
        ("Soft\u00adly", "Softly"),
        ("Family 👨\u200d👩\u200d👧 stays", "Family 👨\u200d👩\u200d👧 stays"),
    ],
)
def test_no_marker_is_forged_and_nothing_is_hidden(text: str, shown: str) -> None:
    assert inert(text, cited=[], hosts=()) == shown


def test_code_does_not_end_its_fence() -> None:
    assert inert_code("````\n```\n@channel") == f"``{WORD_JOINER}`{WORD_JOINER}`\n``{WORD_JOINER}`\n@channel"


def test_code_is_shown_as_it_is() -> None:
    code = 'curl https://api.example.com/v1\n@app.get("/")\nprint(items[0])'

    assert inert_code(code + "\u200b") == code


@pytest.mark.parametrize("piece", ["[", "![", "](", "@", "www.", "a.", "https://", "<!", "[1", "1,", "x" * 60 + "."])
def test_much_of_anything_takes_no_long_time(piece: str) -> None:
    assert inert(piece * (60_000 // len(piece)), cited=[], hosts=HOSTS) is not None
