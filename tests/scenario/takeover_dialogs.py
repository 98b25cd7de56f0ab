"""What people do with bots that hand over to people: elsewhere than alone, directly, and in odd ways."""

import time
from collections.abc import Callable, Mapping
from itertools import count

from bot.channels.slack.render.blocks import ASK_HUMAN
from bot.core.phrases import phrase
from tests.scenario.takeover_office import ANN, BOB, STAYS_S, Asker, Desk, Takeover
from tests.scenario.takeover_sides import SlackAsker, SlackDesk, TelegramAsker, TelegramDesk
from tests.scenario.whole_bot import EXPIRES, HANDED_OVER, IN_DAYS, beginning
from tests.wire.slack import ASKER, MENTION, PUBLIC, TEAM
from tests.wire.telegram import MENTION as ON_TELEGRAM_MENTION

TICKETS = "select id, state from ticket where asker = '{asker}' order by id"
# Each test on Telegram has a desk of its own: the bot writes to a group twenty times a minute.
animals = iter(["dog", "hamster", "parrot", "turtle"] * 10)
# What Telegram tells in a topic beside what people say.
SERVICES: tuple[Mapping[str, object], ...] = (
    {"forum_topic_edited": {"name": "Another name"}},
    {"forum_topic_closed": {}},
    {"forum_topic_reopened": {}},
    {"new_chat_title": "Another desk"},
    {"dice": {"emoji": "🎲", "value": 4}},
    {"location": {"latitude": 50.4, "longitude": 30.5}},
    {"contact": {"phone_number": "+380000000000", "first_name": "Bob"}},
)
numbers = count(500)


def desk_on_its_own(office: Takeover, desk_on: str) -> Desk:
    """Return a desk for a question that nobody else asks."""
    animal = next(animals)
    question = f"Who feeds the office {animal if desk_on == 'telegram' else 'cat'} {next(numbers)} on Sundays?"
    return office.desk(desk_on, animal, question)


def begun(office: Takeover, asked_on: str, desk_on: str) -> tuple[Asker, Desk]:
    """Return an asker whose question has just come to a desk."""
    asker, desk = office.asker(asked_on, next(numbers)), desk_on_its_own(office, desk_on)
    asker.asks(desk.question)
    office.sees(desk.card)
    office.sees(asker.read)
    return asker, desk


def tickets_of(office: Takeover, asker: Asker) -> list[tuple[object, ...]]:
    """Return the numbers and states of what somebody has asked people, oldest first."""
    assert isinstance(asker, SlackAsker | TelegramAsker)
    return office.rows(TICKETS.format(asker=asker.user))


def hands_over(text: str) -> bool:
    """Tell whether a text says that a person is asked."""
    return any(words in text for words in HANDED_OVER)


def _asked_in_a_channel(office: Takeover, question: str) -> Callable[[str], list[str]]:
    thread = office.slack.says(ASKER, PUBLIC, f"{MENTION} {question}")

    def say(text: str) -> list[str]:
        if text:
            office.slack.says(ASKER, PUBLIC, f"{MENTION} {text}", thread=thread)
        return [one.text for one in office.slack.answers(PUBLIC, thread=thread)]

    return say


def _asked_in_a_topic(office: Takeover, question: str) -> Callable[[str], list[str]]:
    telegram, asker, forum = office.telegram, 930_000_001, -1_001_930_000_001
    telegram.add_user(asker, language="en")
    telegram.add_supergroup(forum, [asker], is_forum=True)
    topic = telegram.add_topic(forum, "VPN", topic=17, opened_by=asker)
    telegram.says(asker, forum, f"{ON_TELEGRAM_MENTION} {question}", topic=topic)

    def say(text: str) -> list[str]:
        if text:
            telegram.says(asker, forum, f"{ON_TELEGRAM_MENTION} {text}", topic=topic)
        assert {one.topic for one in telegram.answers(forum)} <= {topic}
        return [one.text for one in telegram.answers(forum, topic=topic)]

    return say


AMONG_OTHERS: Mapping[str, tuple[str, Callable[[Takeover, str], Callable[[str], list[str]]]]] = {
    "in a thread on Slack": ("telegram", _asked_in_a_channel),
    "in a topic on Telegram": ("slack", _asked_in_a_topic),
}


def among_others(office: Takeover, desk_on: str, ask: Callable[[Takeover, str], Callable[[str], list[str]]]) -> None:
    """What is asked in a topic is answered in General; and it talks over the person (40)."""
    desk = desk_on_its_own(office, desk_on)
    say = ask(office, desk.question)
    office.sees(desk.card)
    office.sees(lambda: hands_over("".join(say(""))))
    desk.says(ANN, "Bob does.")
    office.sees(lambda: say("")[-1].endswith("Bob does."))
    said = len(say(EXPIRES))
    office.sees(lambda: EXPIRES in "".join(desk.read()))
    time.sleep(STAYS_S)

    assert len(say("")) == said
    desk.presses(ANN, "return")
    office.sees(lambda: say("")[-1] == phrase("asker_returned", "en"))
    say(EXPIRES)
    office.sees(lambda: IN_DAYS in say("")[-1])


def _human_by_command(office: Takeover, asker: Asker, desk: Desk) -> None:
    asker.asks(f"/human {desk.question}")


def _human_by_button_on_telegram(office: Takeover, asker: Asker, desk: Desk) -> None:
    assert isinstance(asker, TelegramAsker)
    asker.asks(desk.question)
    office.sees(lambda: asker.read() and IN_DAYS in asker.read()[-1])
    office.sees(lambda: any(one.buttons for one in office.telegram.answers(asker.user)))
    office.telegram.presses_newest(asker.user, asker.user, phrase("button_human", "en"))


def _human_by_button_on_slack(office: Takeover, asker: Asker, desk: Desk) -> None:
    assert isinstance(asker, SlackAsker)
    asker.asks(desk.question)
    office.sees(lambda: asker.read() and IN_DAYS in asker.read()[-1])
    office.sees(office.is_settled)
    answer = office.slack.answers(asker.room)[-1]
    office.slack.clicks(asker.user, asker.room, answer.ts, ASK_HUMAN)


WAYS_TO_A_PERSON: Mapping[str, tuple[str, str, Callable[[Takeover, Asker, Desk], None]]] = {
    "by a command": ("telegram", "Who feeds the cat {number}?", _human_by_command),
    "by a button on Telegram": ("telegram", f"{EXPIRES} (cat {{number}})", _human_by_button_on_telegram),
    "by a button on Slack": ("slack", f"{EXPIRES} (cat {{number}})", _human_by_button_on_slack),
}


def directly(office: Takeover, asked_on: str, question: str, ask: Callable[[Takeover, Asker, Desk], None]) -> None:
    """A person can be had only after a failure."""
    asker = office.asker(asked_on, next(numbers))
    desk = office.desk("slack", "", question.format(number=next(numbers)))
    ask(office, asker, desk)
    office.sees(desk.card)
    office.sees(lambda: asker.read() and beginning("asked_for_a_person") in asker.read()[-1])
    desk.says(ANN, "Here I am.")
    office.sees(lambda: asker.read()[-1].endswith("Here I am."))

    assert [state for _, state in tickets_of(office, asker)] == ["answered"]


def moved(office: Takeover) -> None:
    """A group became a supergroup while a person had its question, and the answer goes nowhere."""
    telegram, asker, group = office.telegram, 930_000_002, -4_930_002
    telegram.add_user(asker, language="en")
    telegram.add_group(group, [asker])
    desk = desk_on_its_own(office, "slack")
    telegram.says(asker, group, f"{ON_TELEGRAM_MENTION} {desk.question}")
    office.sees(desk.card)
    office.sees(lambda: telegram.answers(group))
    desk.presses(ANN, "claim")
    chat = telegram.migrates(group)
    desk.says(ANN, "Bob does.")
    office.sees(lambda: [one.text.endswith("Bob does.") for one in telegram.answers(chat)] == [True])
    telegram.says(asker, chat, f"{ON_TELEGRAM_MENTION} {EXPIRES}")
    office.sees(lambda: EXPIRES in "".join(desk.read()))
    desk.presses(ANN, "return")
    office.sees(lambda: telegram.answers(chat)[-1].text == phrase("asker_returned", "en"))
    telegram.says(asker, chat, f"{ON_TELEGRAM_MENTION} {EXPIRES}")
    office.sees(lambda: IN_DAYS in telegram.answers(chat)[-1].text)

    assert len(telegram.answers(chat)) == 3


def _odd_on_slack(office: Takeover, desk: Desk) -> None:
    assert isinstance(desk, SlackDesk)
    slack, user, card = office.slack, desk.people[BOB], desk.button("claim")
    slack.says(user, desk.channel, "", thread=card)
    slack.reacts(user, desk.channel, card, "eyes")
    slack.unreacts(user, desk.channel, card, "eyes")
    slack.says(user, desk.channel, "has joined the channel", thread=card, subtype="channel_join")
    gone = slack.says(user, desk.channel, "🔒 gone soon", thread=card)
    slack.deletes(desk.channel, gone)
    slack.joins(ASKER, desk.channel)
    slack.leaves(ASKER, desk.channel)
    slack.opens_home(user, TEAM)


def _odd_on_telegram(office: Takeover, desk: Desk) -> None:
    assert isinstance(desk, TelegramDesk)
    telegram, user, (card, _) = office.telegram, 900_000_002, desk.button("claim")
    (topic,) = desk.topics()
    telegram.reacts(user, desk.chat, card, "👀")
    for service in SERVICES:
        telegram.serves(desk.chat, service, by=user, topic=topic)
    for media in ("sticker", "voice", "photo", "video_note"):
        telegram.says(user, desk.chat, media=media, topic=topic)


FILES: Mapping[str, list[str]] = {"slack": [], "telegram": ["voice.ogg", "photo.jpg", "video.mp4"]}
ODD: Mapping[str, Callable[[Takeover, Desk], None]] = {"slack": _odd_on_slack, "telegram": _odd_on_telegram}


def odd_things(office: Takeover, desk_on: str) -> None:
    """An update without a text crashes the handler."""
    asker, desk = begun(office, "slack", desk_on)
    ODD[desk_on](office, desk)
    desk.says(ANN, "Bob does.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    office.sees(lambda: not office.telegram.pending_update_ids and office.is_settled())

    assert "Traceback" not in office.bot.log.read_text(encoding="utf-8")
    assert office.bot.is_running
    assert sum(text.endswith("Bob does.") for text in asker.read()) == 1
    assert asker.files() == FILES[desk_on], "what can be sent on is"


def sources_stay(office: Takeover) -> None:
    """Citations jump to another message."""
    asker = office.asker("telegram", next(numbers))
    assert isinstance(asker, TelegramAsker)
    asker.asks(EXPIRES)
    office.sees(lambda: asker.read() and IN_DAYS in asker.read()[-1])
    (answer,) = office.telegram.answers(asker.user)
    desk = desk_on_its_own(office, "slack")
    asker.says(desk.question)
    office.sees(desk.card)
    desk.says(ANN, "Bob does.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does."))
    office.telegram.says(asker.user, asker.user, "/sources", reply_to=answer.id)
    office.sees(lambda: not asker.read()[-1].endswith("Bob does."))

    assert IN_DAYS in asker.read()[-1]
    assert desk.question not in asker.read()[-1]
