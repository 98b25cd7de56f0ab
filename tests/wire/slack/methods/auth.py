"""Tokens, installations and connections."""

import secrets
import time
from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.methods.places import workspace_of, workspaces_of
from tests.wire.slack.records import Call
from tests.wire.slack.state import APP_ID, SlackState
from tests.wire.slack.tokens import Token

Answer = Mapping[str, object]


def api_test(state: SlackState, call: Call) -> Answer:
    """Return what was sent."""
    if call.text("error"):
        raise Refused(call.text("error"), args=call.args)
    return {"args": call.args}


def test(state: SlackState, call: Call) -> Answer:
    """Tell who a token is."""
    homes = workspaces_of(state, call)
    home = homes[0]
    assert call.granted is not None
    is_org_wide = call.granted.team_id is None
    return {
        "url": f"https://{home.domain}.slack.com/",
        "team": home.domain,
        "user": home.users[home.bot_user].name,
        "team_id": home.enterprise_id if is_org_wide else home.id,
        "user_id": home.bot_user,
        "bot_id": home.bot_id,
        **({"enterprise_id": home.enterprise_id} if home.enterprise_id else {}),
        "is_enterprise_install": is_org_wide,
    }


def revoke(state: SlackState, call: Call) -> Answer:
    """Make a token worthless."""
    assert call.granted is not None
    if not call.flag("test"):
        call.granted.state = "revoked"
    return {"revoked": not call.flag("test")}


def uninstall(state: SlackState, call: Call) -> Answer:
    """Remove the app from a workspace."""
    _check_client(state, call)
    assert call.granted is not None
    for token in state.token_book.of_team(call.granted.team_id or ""):
        token.state = "inactive"
    return {}


def open_connection(state: SlackState, call: Call) -> Answer:
    """Return an address for Socket Mode, good for one connection."""
    if not state.manners.socket_mode:
        raise Refused("socket_mode_not_enabled")
    ticket = secrets.token_hex(16)
    state.tickets.add(ticket)
    return {"url": f"ws://127.0.0.1:{state.port}/link/?ticket={ticket}&app_id={APP_ID}"}


def team_info(state: SlackState, call: Call) -> Answer:
    """Return a workspace."""
    home = workspace_of(state, call)
    team = {"id": home.id, "name": home.domain, "domain": home.domain, "email_domain": "example.com"}
    return {"team": {**team, **({"enterprise_id": home.enterprise_id} if home.enterprise_id else {})}}


def oauth_access(state: SlackState, call: Call) -> Answer:
    """Finish an installation, or renew a token."""
    _check_client(state, call)
    if call.text("grant_type") == "refresh_token":
        token = state.token_book.renew(call.text("refresh_token"))
        if token is None:
            raise Refused("invalid_refresh_token")
    else:
        token = state.token_book.redeem(call.text("code"))
        if token is None:
            raise Refused("invalid_code")
    return _installation(state, token)


def _check_client(state: SlackState, call: Call) -> None:
    if call.text("client_id") != state.client_id:
        raise Refused("invalid_client_id")
    if call.text("client_secret") != state.client_secret:
        raise Refused("bad_client_secret")


def _installation(state: SlackState, token: Token) -> Answer:
    homes = state.workspaces.values()
    home = next(one for one in homes if token.team_id in (one.id, None) and token.enterprise_id == one.enterprise_id)
    expires: Mapping[str, object] = {}
    if token.expires_at is not None:
        expires = {"expires_in": max(1, round(token.expires_at - time.time())), "refresh_token": token.refresh}
    enterprise = {"id": home.enterprise_id, "name": "Organisation"} if home.enterprise_id else None
    return {
        "app_id": APP_ID,
        "authed_user": {"id": next(iter(home.users))},
        "scope": ",".join(token.scopes),
        "token_type": "bot",
        "access_token": token.value,
        "bot_user_id": home.bot_user,
        "team": None if token.team_id is None else {"id": home.id, "name": home.domain},
        "enterprise": enterprise,
        "is_enterprise_install": token.team_id is None,
        **expires,
    }
