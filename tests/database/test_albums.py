"""Of what comes in parts, one for each file, a person gets every file; where nobody has it, it is one message."""

import pytest

from bot.core.phrases import phrase
from bot.core.tickets.files import FILES, File, dumped
from tests.database.tickets_at_work import Office

NAMES = ("a.jpg", "b.jpg", "c.jpg")
ALBUM = "2000"
QUESTION = "Where is the unknown key?"


@pytest.fixture
async def owned(office: Office) -> Office:
    """An office where somebody has taken over what was asked in a chat."""
    await office.asks(QUESTION, message="1000", conversation="chat", company="direct")
    await office.works()
    await office.presses("claim")
    await office.works()
    return office


async def sends(office: Office, *names: str) -> None:
    """Have parts of an album delivered."""
    for name in names:
        file = File("fake", "T1", f"id of {name}", name, 12, "image/jpeg")
        wire = {FILES: dumped([file]), "part": name}
        await office.asks("", message=ALBUM, conversation="chat", company="direct", wire=wire)


async def told(office: Office) -> list[str]:
    """Return the files that the person has been told of, in order."""
    return [file.name for event in (await office.case()).events for file in event.files]


async def test_all_files_of_an_album_reach_the_person_who_has_the_conversation(owned: Office) -> None:
    await sends(owned, *NAMES)
    await owned.works()

    assert await told(owned) == [*NAMES]
    assert await owned.look("select count(*) from message where message like '2000%'") == [(1,)]


async def test_parts_that_come_late_or_twice_arrive_once(owned: Office) -> None:
    await sends(owned, NAMES[0], NAMES[0])
    await owned.works()
    await sends(owned, *NAMES, *NAMES)
    await owned.works()
    await sends(owned, *NAMES)
    await owned.works()

    assert await told(owned) == [*NAMES]


async def test_an_album_that_nobody_has_is_one_message_however_late_its_parts_come(office: Office) -> None:
    await sends(office, *NAMES[:2])
    await office.works()
    await sends(office, *NAMES)
    await office.works()

    assert office.askers.seen() == [phrase("refused_empty", "en")]
