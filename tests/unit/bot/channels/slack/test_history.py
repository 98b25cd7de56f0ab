from bot.channels.slack.clients import Me
from bot.channels.slack.readers.history import turns
from bot.core.messages import Turn

ME = Me("UBOT", "BBOT", "T1")


def test_a_thread_is_read_by_roles_without_marks_and_without_what_nobody_wrote() -> None:
    page = {
        "messages": [
            {"ts": "1.0", "user": "U1", "text": "The <https://vpn.example.com|VPN> &amp; I"},
            {"ts": "2.0", "user": "U2", "subtype": "channel_join", "text": "joined"},
            {"ts": "3.0", "user": "UBOT", "bot_id": "BBOT", "text": "Which one?"},
            {"ts": "4.0", "bot_id": "BOTHER", "text": "Build failed"},
            {"ts": "5.0", "user": "U1", "text": ""},
            {"ts": "6.0", "user": "U1", "text": "<@UBOT> and now?"},
        ]
    }

    assert turns(page, "6.0", ME) == (
        Turn("user", "The VPN (https://vpn.example.com) & I"),
        Turn("assistant", "Which one?"),
        Turn("user", "Build failed"),
    )


def test_only_the_end_of_a_long_thread_counts() -> None:
    page = {"messages": [{"ts": f"{number}.0", "user": "U1", "text": f"no {number}"} for number in range(30)]}

    assert [turn.text for turn in turns(page, "29.0", ME)] == [f"no {number}" for number in range(19, 29)]


def test_a_page_of_another_shape_has_no_turns() -> None:
    assert turns({"messages": "none"}, "1.0", ME) == ()
