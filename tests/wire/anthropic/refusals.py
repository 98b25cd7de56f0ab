"""What the Messages API refuses (400), checked before a model sees the request."""

from collections.abc import Collection

from tests.wire.anthropic.blocks import BlockRules, check_cache_control, check_text_blocks
from tests.wire.anthropic.errors import Refused
from tests.wire.anthropic.shapes import Json, boolean, mapping, one_of, sequence, string, whole_number

COUNTED = frozenset(
    {"model", "messages", "system", "cache_control", "output_config", "thinking", "tools", "tool_choice"}
)
ACCEPTED = COUNTED | frozenset(
    {"max_tokens", "stream", "stop_sequences", "metadata", "service_tier", "speed", "container", "diagnostics"}
    | {"inference_geo", "user_profile_id", "workspace_id"}
)
SAMPLING = frozenset({"temperature", "top_p", "top_k"})
EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})
LARGEST_USER_ID_CHARACTERS = 512
MAX_BREAKPOINTS = 4


def check_message_request(body: object, *, allows_sampling: bool, search_results: str) -> Json:
    """Return the body of POST /v1/messages if the service takes it."""
    allowed = ACCEPTED | SAMPLING if allows_sampling else ACCEPTED
    request = _top_level(body, allowed)
    if "max_tokens" not in request:
        raise Refused("max_tokens: Field required")
    whole_number(request["max_tokens"], "max_tokens", at_least=0)
    boolean(request.get("stream", False), "stream")
    for at, sequence_ in enumerate(sequence(request.get("stop_sequences", []), "stop_sequences")):
        string(sequence_, f"stop_sequences.{at}", at_least=1)
    if "service_tier" in request:
        one_of(request["service_tier"], "service_tier", {"auto", "standard_only"})
    _check_metadata(request.get("metadata"))
    _check_read(request, search_results)
    return request


def check_count_request(body: object, *, search_results: str) -> Json:
    """Return the body of POST /v1/messages/count_tokens if the service takes it."""
    request = _top_level(body, COUNTED)
    _check_read(request, search_results)
    return request


def _top_level(body: object, allowed: Collection[str]) -> Json:
    if not isinstance(body, dict):
        raise Refused("The request body is not valid JSON.")
    for key in body:
        if key not in allowed:
            raise Refused(f"{key}: Extra inputs are not permitted")
    for key in ("model", "messages"):
        if key not in body:
            raise Refused(f"{key}: Field required")
    string(body["model"], "model", at_least=1)
    return body


def _check_read(request: Json, search_results: str) -> None:
    """Check what a model is to read, and how it is to answer."""
    rules = BlockRules(search_results)
    check_cache_control(request.get("cache_control"), "cache_control", rules)
    if not isinstance(request.get("system", ""), str):
        check_text_blocks(request["system"], "system", rules)
    _check_messages(request["messages"], rules)
    if rules.breakpoints > MAX_BREAKPOINTS:
        message = f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided."
        raise Refused(f"{message} Found {rules.breakpoints}.")
    _check_thinking(request.get("thinking"), request.get("max_tokens"))
    _check_output(request.get("output_config"), cites=any(rules.cites))
    for at, tool in enumerate(sequence(request.get("tools", []), "tools")):
        if not isinstance(tool, dict):
            raise Refused(f"tools.{at}: Input should be a valid dictionary")


def _check_messages(value: object, rules: BlockRules) -> None:
    messages = sequence(value, "messages")
    if not messages:
        raise Refused("messages: at least one message is required")
    roles = []
    for at, item in enumerate(messages):
        message = mapping(item, f"messages.{at}", allowed={"role", "content"}, required=("role", "content"))
        roles.append(one_of(message["role"], f"messages.{at}.role", {"user", "assistant"}))
        _check_content(message["content"], at, roles[-1], rules)
    if roles[0] != "user":
        raise Refused('messages: first message must use the "user" role')
    if roles[-1] == "assistant":
        raise Refused(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )


def _check_content(content: object, at: int, role: str, rules: BlockRules) -> None:
    if not isinstance(content, str):
        rules.check_content(content, f"messages.{at}.content", role)
    elif not content.strip():
        raise Refused(f"messages.{at}: {role} messages must have non-empty content")


def _check_metadata(value: object) -> None:
    if value is None:
        return
    metadata = mapping(value, "metadata", allowed={"user_id"})
    if metadata.get("user_id") is not None:
        string(metadata["user_id"], "metadata.user_id", at_most=LARGEST_USER_ID_CHARACTERS)


def _check_thinking(value: object, max_tokens: object) -> None:
    if value is None:
        return
    thinking = mapping(value, "thinking", allowed={"type", "display", "budget_tokens"}, required=("type",))
    kind = one_of(thinking["type"], "thinking.type", {"adaptive", "disabled", "enabled", "between_tools"})
    if kind == "enabled":
        budget = whole_number(thinking.get("budget_tokens"), "thinking.enabled.budget_tokens", at_least=1024)
        if isinstance(max_tokens, int) and budget >= max_tokens:
            raise Refused("`max_tokens` must be greater than `thinking.budget_tokens`.")
    elif "budget_tokens" in thinking:
        raise Refused(f"thinking.{kind}.budget_tokens: Extra inputs are not permitted")


def _check_output(value: object, *, cites: bool) -> None:
    if value is None:
        return
    output = mapping(value, "output_config", allowed={"effort", "format"})
    if output.get("effort") is not None:
        one_of(output["effort"], "output_config.effort", EFFORTS)
    if output.get("format") is None:
        return
    wanted = mapping(output["format"], "output_config.format", allowed={"type", "schema"}, required=("type", "schema"))
    one_of(wanted["type"], "output_config.format.type", {"json_schema"})
    if cites:
        raise Refused("Citations cannot be enabled together with output_config.format.")
