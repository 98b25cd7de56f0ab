"""Which methods there are; getUpdates is apart, in `polling`, for it waits."""

from collections.abc import Callable, Mapping

from tests.wire.telegram.methods import about, editing, files, sending
from tests.wire.telegram.records import Call
from tests.wire.telegram.state import TelegramState

Run = Callable[[TelegramState, Call], object]
GET_UPDATES = "getUpdates"

METHODS: Mapping[str, Run] = {
    "getMe": about.get_me,
    "sendMessage": sending.send_message,
    "sendMessageDraft": sending.send_draft,
    "sendChatAction": sending.send_action,
    **dict.fromkeys(files.KINDS, files.send_file),
    "setMessageReaction": sending.set_reaction,
    "answerGuestQuery": sending.answer_guest,
    "editMessageText": editing.edit_text,
    "editMessageReplyMarkup": editing.edit_buttons,
    "deleteMessage": editing.delete,
    "deleteMessages": editing.delete_many,
    "answerCallbackQuery": editing.answer_query,
    "setMyCommands": about.set_commands,
    "getMyCommands": about.get_commands,
    "deleteMyCommands": about.delete_commands,
    "setMyName": about.set_text,
    "setMyDescription": about.set_text,
    "setMyShortDescription": about.set_text,
    "setWebhook": about.set_webhook,
    "deleteWebhook": about.delete_webhook,
    "getWebhookInfo": about.get_webhook,
    "getFile": about.get_file,
    "getChat": about.get_chat,
    "getChatMember": about.get_member,
    "getChatAdministrators": about.get_admins,
    "getChatMemberCount": about.get_member_count,
    "leaveChat": about.leave,
    "createForumTopic": about.create_topic,
    "closeForumTopic": about.close_topic,
    "reopenForumTopic": about.close_topic,
}
CANONICAL = {name.casefold(): name for name in (*METHODS, GET_UPDATES)}
