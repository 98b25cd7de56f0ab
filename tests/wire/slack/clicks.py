"""What people do with the app's own things: buttons, commands, shortcuts, dialogs."""

import secrets
from collections.abc import Iterator, Mapping

from tests.wire.slack.courier import Parcel
from tests.wire.slack.messages import Message
from tests.wire.slack.payloads import container_json, message_json, place_json, stranger, who
from tests.wire.slack.shapes import objects
from tests.wire.slack.state import APP_ID, OpenView, ResponseUrl, SlackState
from tests.wire.slack.workspace import Channel

Json = dict[str, object]
AWAY = "T0AWAY"


class NothingToClick(AssertionError):
    """No such button is visible to that person."""


class Clicks(SlackState):
    """Interactions, moved by a test."""

    def clicks(
        self, user: str, channel: str, ts: str, action_id: str, *, value: str | None = None, team: str | None = None
    ) -> None:
        """Let somebody click a button of a message; `value` tells apart two with the same id, as of feedback.

        With a `team` it is somebody of that other workspace, whoever they are, and the click comes from there.
        """
        with self.lock:
            place, message = self.channel(channel), self.message(channel, ts)
            if message.is_deleted or message.ephemeral_to not in (None, user):
                raise NothingToClick(f"{user} does not see {ts} in {channel}")
            action = _action(message, action_id, value)
            payload: Json = {
                "type": "block_actions",
                **(stranger(team, user) if team else who(self, self.home_of(channel), user)),
                "container": container_json(place, message),
                "trigger_id": self.new_trigger(user, place.team_id),
                "channel": place_json(place),
                "state": {"values": {}},
                "response_url": self._respond_at(place, user, message),
                "actions": [{**action, "action_ts": self.clock.ts()}],
            }
            if message.ephemeral_to is None:
                kept = {} if self.manners.tells_metadata else {"metadata": None}
                payload["message"] = {**message_json(message), **kept}
            self._hand_over(payload, place, user)

    def runs(self, user: str, channel: str, command: str, text: str = "") -> str:
        """Let somebody run a slash command, and return the address that it can be answered at."""
        with self.lock:
            place, home = self.channel(channel), self.home_of(channel)
            address = self._respond_at(place, user, None)
            form: Json = {
                "token": "verification-token",
                "team_id": home.id,
                "team_domain": home.domain,
                "channel_id": place.id,
                "channel_name": place_json(place)["name"],
                "user_id": user,
                "user_name": home.users[user].name,
                "command": command,
                "text": text,
                "api_app_id": APP_ID,
                "is_enterprise_install": "false",
                "response_url": address,
                "trigger_id": self.new_trigger(user, home.id),
            }
            self.courier.take(Parcel("slash_commands", form, home.id, channel=place.id, user=user))
            return address

    def uses_shortcut(self, user: str, channel: str, ts: str, callback_id: str) -> None:
        """Let somebody use a message shortcut; it is there even where the bot is not."""
        with self.lock:
            place, message = self.channel(channel), self.message(channel, ts)
            payload: Json = {
                "type": "message_action",
                **who(self, self.home_of(channel), user),
                "action_ts": self.clock.ts(),
                "channel": place_json(place),
                "callback_id": callback_id,
                "trigger_id": self.new_trigger(user, place.team_id),
                "message_ts": message.ts,
                "message": message_json(message),
                "response_url": self._respond_at(place, user, message),
            }
            self._hand_over(payload, place, user)

    def submits(self, view: OpenView, values: Mapping[str, Mapping[str, Json]] | None = None) -> None:
        """Let somebody send a dialog: by block_id and action_id, what Slack puts into `state.values`.

        Whoever is not of the workspace sends it from another one.
        """
        with self.lock:
            home = self.workspaces[view.team_id]
            payload: Json = {
                "type": "view_submission",
                **(who(self, home, view.user) if view.user in home.users else stranger(AWAY, view.user)),
                "trigger_id": self.new_trigger(view.user, home.id),
                "view": {**view_json(view, home.bot_id), "state": {"values": values or {}}},
                "response_urls": [],
                "is_cleared": False,
            }
            self.courier.take(Parcel("interactive", payload, home.id, user=view.user))

    def fills(self, user: str, **texts: str) -> OpenView:
        """Let somebody write into the dialog that is open before them, by the names of its inputs, and send it.

        What they do not write into stays as it is.
        """
        with self.lock:
            view = self.dialog_of(user)
            values: dict[str, dict[str, Json]] = {}
            for block in objects(view.view.get("blocks")):
                element = block.get("element")
                if isinstance(element, Mapping):
                    name = str(element["action_id"])
                    said = texts.get(name, element.get("initial_value"))
                    values[str(block["block_id"])] = {name: {"type": element["type"], "value": said}}
            self.submits(view, values)
            return view

    def dialog_of(self, user: str) -> OpenView:
        """Return the dialog that is open before somebody; AssertionError where there is none."""
        with self.lock:
            found = [one for one in self.views if one.user == user and one.is_open and one.view["type"] == "modal"]
            if not found:
                raise NothingToClick(f"{user} has no dialog before them")
            return found[-1]

    def buttons_of(self, channel: str, ts: str) -> dict[str, str]:
        """Return the buttons of a message that are seen, as what is written on them by action_id."""
        with self.lock:
            return {str(one["action_id"]): _words_on(one) for one in buttons(self.message(channel, ts))}

    def _respond_at(self, place: Channel, user: str, message: Message | None) -> str:
        thread = message.thread_ts if message else None
        return self.new_response_url(ResponseUrl(secrets.token_hex(8), place.id, user, message, thread))

    def _hand_over(self, payload: Json, place: Channel, user: str) -> None:
        self.courier.take(Parcel("interactive", payload, place.team_id, channel=place.id, user=user))


def view_json(view: OpenView, bot_id: str) -> Json:
    """Return a view as Slack shows it to the app."""
    defaults: Json = {"private_metadata": "", "callback_id": "", "external_id": "", "submit": None, "close": None}
    fixed: Json = {
        "id": view.id,
        "team_id": view.team_id,
        "state": {"values": {}},
        "hash": f"{view.id}.hash",
        "previous_view_id": None,
        "root_view_id": view.id,
        "app_id": APP_ID,
        "app_installed_team_id": view.team_id,
        "bot_id": bot_id,
    }
    return {**defaults, **view.view, **fixed}


def _action(message: Message, action_id: str, value: str | None) -> Json:
    """Return what a click sends of a button; AssertionError where there is none."""
    found = [one for one in buttons(message) if one["action_id"] == action_id]
    chosen = [one for one in found if value is None or one.get("value") == value]
    if not chosen:
        raise NothingToClick(f"no {action_id} {value or ''} in {message.reading!r}; {found}")
    return chosen[0]


def _words_on(button: Json) -> str:
    text = button.get("text")
    return str(text.get("text")) if isinstance(text, Mapping) else ""


def buttons(message: Message) -> Iterator[Json]:
    """Yield what can be clicked in a message, in the form that a click is told in."""
    for block in message.blocks:
        for element in (*objects(block.get("elements")), *objects([block.get("accessory")])):
            for button in _clickable(element):
                yield {"block_id": block.get("block_id"), "action_id": element.get("action_id"), **button}


def _clickable(element: Mapping[str, object]) -> Iterator[Json]:
    for side in ("positive_button", "negative_button"):
        button = element.get(side)
        if isinstance(button, Mapping):
            yield {"type": "feedback_buttons", "text": button["text"], "value": button["value"]}
    if element.get("type") in ("button", "icon_button"):
        more = {name: element[name] for name in ("text", "value", "style") if name in element}
        yield {"type": element["type"], **more}
