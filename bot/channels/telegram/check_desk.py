"""Verifies that the people of a desk in Telegram can be written to, and are heard."""

from telegram import Bot, ChatMemberAdministrator, ChatMemberOwner

from bot.channels.finding import Finding
from bot.channels.telegram.errors import asked, masked
from bot.core.errors import Undeliverable

ADMINISTRATOR = "make the bot an administrator there, with the right to manage topics if each ticket is to have its own"


async def desk_finding(bot: Bot, chat: str) -> Finding:
    """Return whether the bot hears what is written at a desk, and may open topics there."""
    name = f"the desk in {chat}"
    try:
        shown = await asked(bot.get_chat(chat), f"getChat for {name}")
        me = await asked(bot.get_me(), "getMe")
        member = await asked(bot.get_chat_member(chat, me.id), f"getChatMember for {name}")
    except Undeliverable as exc:
        return Finding(False, masked(str(exc)), "write the number of the group, and add the bot to it")
    name = f"{name} ({masked(shown.title or shown.full_name or '?')})"
    is_heard = isinstance(member, ChatMemberAdministrator | ChatMemberOwner) or bool(me.can_read_all_group_messages)
    if not is_heard:
        return Finding(False, f"{name}: the bot sees only commands and replies to it there", ADMINISTRATOR)
    may_open = isinstance(member, ChatMemberAdministrator) and bool(member.can_manage_topics)
    if shown.is_forum and may_open:
        return Finding(True, f"{name}: the bot hears all, and may open topics")
    why = "it may not open any" if shown.is_forum else "the group has none"
    return Finding(True, f"{name}: the bot hears all; there are no topics of tickets, for {why}")
