"""What Telegram takes and this project must not send: accidental links, previews, lost entities."""

from collections.abc import Collection, Iterator, Mapping

from tests.wire.telegram.entities import Judged, words_of

LINKS = frozenset({"url", "text_link"})


def alarms_of(judged: Judged, link_preview: Mapping[str, object], allowed: Collection[str] = ()) -> Iterator[str]:
    """Yield what is alarming in a text; `allowed` has the words that may be clickable, as they are written."""
    for entity in judged.detected:
        # The texts of bots are not searched for times of a recording.
        if entity["type"] == "media_timestamp":
            continue
        words = words_of(judged.text, entity)
        if words not in allowed:
            yield f"{entity['type']} {words}"
    if judged.dropped:
        yield f"{len(judged.dropped)} entities are lost"
    kinds = {entity["type"] for entity in (*judged.entities, *judged.detected)}
    if kinds & LINKS and not link_preview.get("is_disabled"):
        yield "a link shows a preview"
