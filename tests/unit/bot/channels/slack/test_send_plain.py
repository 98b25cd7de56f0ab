"""Blocks as plain text."""

from bot.channels.slack.render.reply import postings
from bot.channels.slack.send.plain import MAX_PLAIN_CHARACTERS, plain_parts
from tests.unit.bot.channels.slack_replies import answered, said


def test_blocks_as_plain_text_have_all_words_and_sources_and_nothing_to_click() -> None:
    (posting,) = postings(answered(said("Take the *badge* & sign <here>."), notes=("Ask again.",)), answer_id="1")

    (text,) = plain_parts({"text": posting.text, "blocks": posting.blocks})

    assert "Take the *badge* &amp; sign &lt;here&gt;. [1]" in text
    assert "|VPN › First steps>" in text
    assert "Ask again." in text
    assert "Helpful" not in text


def test_a_long_text_goes_in_parts_that_slack_takes() -> None:
    blocks = [{"type": "markdown", "text": "Слово. " * 2_000}]

    parts = plain_parts({"text": "Слово…", "blocks": blocks})

    assert all(len(part) <= MAX_PLAIN_CHARACTERS for part in parts)
    assert "".join(parts).count("Слово.") == 2_000


def test_without_blocks_the_text_stands_for_itself() -> None:
    assert plain_parts({"text": "Done."}) == ["Done."]


def test_code_stands_as_it_is_and_runs_nothing() -> None:
    (posting,) = postings(answered(said("grep '\\.md$' a\\*b <https://evil.test|x> & y", is_code=True)), answer_id="1")

    (text,) = plain_parts({"text": posting.text, "blocks": posting.blocks})

    assert "\n".join(["```", "grep '\\.md$' a\\*b &lt;https://evil.test|x&gt; &amp; y", "```"]) in text
