"""People, bots and groups."""

from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.methods.paging import page
from tests.wire.slack.methods.places import workspace_of, workspaces_of
from tests.wire.slack.payloads import user_json
from tests.wire.slack.records import Call
from tests.wire.slack.state import APP_ID, SlackState
from tests.wire.slack.workspace import User, Workspace

Answer = Mapping[str, object]


def info(state: SlackState, call: Call) -> Answer:
    """Return one person."""
    for home in workspaces_of(state, call):
        if call.text("user") in home.users:
            return {"user": _json(call, home.users[call.text("user")])}
    raise Refused("user_not_found")


def listed(state: SlackState, call: Call) -> Answer:
    """Return all people."""
    home = workspace_of(state, call)
    return page(call, [_json(call, one) for one in home.users.values()], "members", state.manners.largest_page)


def by_email(state: SlackState, call: Call) -> Answer:
    """Return the person with an e-mail address."""
    home = workspace_of(state, call)
    for user in home.users.values():
        if user.email == call.text("email") and not user.is_stranger:
            return {"user": _json(call, user)}
    raise Refused("users_not_found")


def bot_info(state: SlackState, call: Call) -> Answer:
    """Return one bot."""
    home = workspace_of(state, call)
    for user in home.users.values():
        if user.bot_id and user.bot_id == (call.text("bot") or home.bot_id):
            app = APP_ID if user.bot_id == home.bot_id else "A0OTHER"
            return {"bot": {"id": user.bot_id, "user_id": user.id, "name": user.name, "app_id": app, "deleted": False}}
    raise Refused("bot_not_found")


def usergroups(state: SlackState, call: Call) -> Answer:
    """Return the groups of people, which free plans do not have."""
    home = _paying(state, call)
    with_users = call.flag("include_users")
    shown = []
    for group in home.usergroups.values():
        written = {"id": group.id, "team_id": home.id, "is_usergroup": True, "handle": group.handle, "date_delete": 0}
        shown.append({**written, **({"users": [*group.users]} if with_users else {}), "user_count": len(group.users)})
    return {"usergroups": shown}


def usergroup_users(state: SlackState, call: Call) -> Answer:
    """Return who is in a group of people."""
    home = _paying(state, call)
    group = home.usergroups.get(call.text("usergroup"))
    if group is None:
        raise Refused("no_such_subteam")
    return {"users": [*group.users]}


def _paying(state: SlackState, call: Call) -> Workspace:
    home = workspace_of(state, call)
    if home.is_free:
        raise Refused("plan_upgrade_required")
    return home


def _json(call: Call, user: User) -> Mapping[str, object]:
    assert call.granted is not None
    return user_json(user, with_email="users:read.email" in call.granted.scopes)
