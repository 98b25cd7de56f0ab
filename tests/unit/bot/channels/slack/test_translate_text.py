"""Slack's marks become what a person typed."""

import pytest

from bot.channels.slack.translate.text import mentions, plain

ME = "U0BOT"


@pytest.mark.parametrize(
    ("marked", "typed"),
    [
        ("<@U0BOT> how do I reset it?", "how do I reset it?"),
        ("<@U0BOT|desk>: how?", "how?"),
        ("how, <@U0BOT>, do I?", "how, , do I?"),
        ("— a dash that nobody put behind our name", "— a dash that nobody put behind our name"),
        ("<@U0BOT> — як скинути пароль?", "як скинути пароль?"),
        ("ask <@U2|anna> or <@U3>", "ask @anna or @U3"),
        ("in <#C1|general>, <#C2|> or <#C3>", "in #general, #C2 or #C3"),
        ("<!here> and <!channel|@channel>", "@here and @channel"),
        ("<!subteam^S1|@support> or <!subteam^S2>", "@support or @S2"),
        ("due <!date^1392734382^{date}|18 February>", "due 18 February"),
        ("see <https://example.com/a?b=1&amp;c=2>", "see https://example.com/a?b=1&c=2"),
        ("see <http://example.com|example.com>", "see example.com"),
        ("see <https://example.com/x|the page>", "see the page (https://example.com/x)"),
        ("<mailto:a@example.com|a@example.com> <tel:+123|+123>", "a@example.com +123"),
        ("is 1 &lt; 2 &amp;&amp; 3 &gt; 2?", "is 1 < 2 && 3 > 2?"),
        ("what is &amp;lt; in HTML", "what is &lt; in HTML"),
        ("```\nif a &lt; b:\n    pass\n```", "```\nif a < b:\n    pass\n```"),
        ("no marks at all: 日本語 🙂", "no marks at all: 日本語 🙂"),
        ("<@U0BOT>", ""),
        ("", ""),
        ("<", "<"),
    ],
)
def test_marks_become_what_a_person_typed(marked: str, typed: str) -> None:
    assert plain(marked, ME) == typed


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [("<@U0BOT> hi", True), ("hi <@U0BOT|desk>", True), ("<@U0BOT2> hi", False), ("@U0BOT hi", False), ("", False)],
)
def test_only_our_own_name_is_a_mention(text: str, is_ours: bool) -> None:
    assert mentions(text, ME) is is_ours


def test_without_a_name_of_our_own_nobody_mentions_us() -> None:
    assert not mentions("<@> hi", "")
