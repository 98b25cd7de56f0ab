"""A ticket on the terminal: all that a person needs to take it over."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bot.channels.terminal import shown
from bot.core.desk.book import Case, Event
from bot.core.desk.card import title_of, why
from bot.core.desk.judging import CLOCK
from bot.core.desk.readable import Readable
from bot.core.tickets.state import ACTIVE, OWNED, State

PASSAGES_SHOWN = 5
TURNS_SHOWN = 6
BAR_CELLS = 24
# What is due within so long is shown as urgent.
SOON = timedelta(hours=1)
_STYLES: dict[State, str] = {"open": "yellow", "claimed": "cyan", "answered": "green", "expired": "red"}
_THEN = {
    "remind": "the desk is reminded",
    "escalate": "it goes to a second desk as well",
    "late": "the asker is told that it takes longer",
    "time_out": "who has it loses it, unless they say something",
    "expire": "it expires",
}
_HAPPENED = {
    "opened": "opened",
    "claim": "took it",
    "release": "gave it back to the desk",
    "reply": "replied",
    "ask": "asked back",
    "draft": "sent the draft",
    "offer": "sent the answer that was found",
    "note": "noted",
    "edit": "reworded",
    "close": "closed it",
    "return": "gave the conversation back to the bot",
    "reopen": "opened it again",
    "teach": "wants to teach it",
    "follow_up": "wrote",
    "added": "asked also",
    "remind": "the desk was reminded",
    "escalate": "it went to a second desk",
    "late": "the asker was told that it takes longer",
    "time_out": "its owner was silent for too long",
    "expire": "it expired",
    "refused": "was refused",
    "undelivered": "a message could not be delivered",
    "answerable": "an answer was found",
}


def card(found: Readable, asker: str | None, *, now: datetime) -> RenderableType:
    """Return a ticket as it is shown."""
    return Group(*_pieces(found, asker, now))


def _pieces(found: Readable, asker: str | None, now: datetime) -> Iterator[RenderableType]:
    case = found.case
    yield _title(case)
    if case.is_forgotten:
        yield Text("its people have been forgotten: what was said is erased", style="dim")
    else:
        yield Padding(Text(shown(case.question), style="bold"), (1, 2))
    yield _row("asked by", _asked_by(case, asker))
    yield _row("why", why(case, "en"))
    if case.relevance is not None:
        yield Text.assemble(_label("relevance"), score_bar(case.relevance, case.threshold))
    if case.due_at and case.state in ACTIVE:
        yield Text.assemble(_label("due"), due(case, now))
    if case.next_at:
        yield _row("then", f"{_THEN.get(case.next_step or '', case.next_step)}, at {_moment(case.next_at)}")
    yield from _passages(found)
    yield from _draft(found)
    yield from _history(found)
    yield _heading("what happened")
    yield Text(f"  {_moment(case.opened_at)}  opened: {case.reason}")
    yield from (_event(event) for event in case.events)
    yield Text(f"\n{next_steps(case, has_draft=bool(found.draft))}", style="dim")


def _title(case: Case) -> Text:
    owner = f" by {case.owner_name or case.owner}" if case.owner and case.state in OWNED else ""
    desk = f", desk {case.desk}" if case.desk else ""
    return Text.assemble(
        (f"ticket {case.number}", "bold"),
        "  ",
        (shown(f"{case.state}{owner}"), _STYLES.get(case.state, "dim")),
        shown(desk),
    )


def _asked_by(case: Case, asker: str | None) -> str:
    if case.place is None:
        return f"somebody at a terminal, in {case.language}"
    where = f"{case.place.platform}, {case.company} {case.place.channel}"
    return f"{asker or 'somebody'} in {where}, in {case.language}, {_moment(case.opened_at)}"


def score_bar(relevance: float, threshold: float) -> Text:
    """Return how far a relevance is from the threshold, drawn and in numbers."""
    filled, mark = round(relevance * BAR_CELLS), min(round(threshold * BAR_CELLS), BAR_CELLS - 1)
    bar = Text()
    for cell in range(BAR_CELLS):
        if cell == mark:
            bar.append("┃", "bold yellow")
        else:
            bar.append("█" if cell < filled else "░", "green" if relevance >= threshold else "red")
    bar.append(f" {relevance:.3f} of {threshold:.3f}")
    return bar


def due(case: Case, now: datetime) -> Text:
    """Return until when the asker was promised an answer, in the colour of how urgent that is."""
    if case.due_at is None or case.state not in ACTIVE:
        return Text("–")
    left = urgency(case, now)
    return Text(f"{_moment(case.due_at)} ({left.plain})", style=left.style)


def urgency(case: Case, now: datetime) -> Text:
    """Return how long it is until then, or since then."""
    if case.due_at is None or case.state not in ACTIVE:
        return Text("–")
    left = case.due_at - now
    if left < timedelta(0):
        return Text(f"{_length(-left)} ago", style="bold red")
    return Text(f"in {_length(left)}", style="yellow" if left < SOON else "green")


def _length(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    if minutes >= 24 * 60:
        return f"{minutes // (24 * 60)} d {minutes % (24 * 60) // 60} h"
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def _passages(found: Readable) -> Iterator[RenderableType]:
    yield _heading("nearest passages")
    if not found.candidates:
        yield Text("  none" if not found.left_out else "  none that may be read here", style="dim")
    for place, candidate in enumerate(found.candidates[:PASSAGES_SHOWN], 1):
        yield _passage(place, candidate)
    if found.left_out:
        told = f"{found.left_out} left out that may not be read here; `--as ADDRESS` shows what that person may read"
        yield Text(f"  {told}", style="dim")


def _passage(place: int, candidate: dict[str, Any]) -> Text:
    first, last = candidate["start_line"], candidate["end_line"]
    lines = f"{first}–{last}" if last > first else str(first)
    where = f"{candidate['source']}: {candidate['document']}:{lines}"
    title = shown(title_of(candidate))
    passage = Text.assemble(
        (f"  {place}. ", "cyan"), (title, "bold"), shown(f" — {where}"), f"  {candidate['relevance']:.3f}"
    )
    if quote := " ".join(str(candidate.get("quote") or "").split()):
        passage.append(f"\n     “{shown(quote)}”", style="italic dim")
    if url := candidate.get("url"):
        passage.append(f"\n     {shown(url)}", style="dim")
    return passage


def _draft(found: Readable) -> Iterator[RenderableType]:
    if found.draft:
        yield _heading("draft that was not sent")
    for sentence in found.draft:
        yield Text.assemble(
            "  ", shown(" ".join(str(sentence["text"]).split())), (f"\n     ✗ {shown(failed_check(sentence))}", "red")
        )
        for source in sentence.get("sources", ()):
            yield Text(f"     {shown(source)}", style="dim")


def failed_check(sentence: dict[str, Any]) -> str:
    """Return which checks a sentence of a draft failed."""
    if sentence.get("is_below"):
        return "what it stands on is not relevant enough"
    missing, disagreement = sentence.get("missing") or [], sentence.get("disagreement")
    problems = [] if sentence.get("is_valid", True) else ["quotes what does not stand there"]
    problems += [f"not in the source: {', '.join(missing)}"] if missing else []
    problems += [f"means something else than the source: {disagreement}"] if disagreement else []
    return "; ".join(problems) or f"not borne out by the source (support {sentence.get('support', 0.0):.2f})"


def _history(found: Readable) -> Iterator[RenderableType]:
    if found.history:
        yield _heading("before")
    for turn in found.history[-TURNS_SHOWN:]:
        who = "asker" if turn.role == "user" else "bot"
        yield Text.assemble((f"  {who}: ", "cyan"), shown(turn.text))


def _event(event: Event) -> Text:
    who = event.name or event.actor
    acted = _HAPPENED.get(event.kind, event.kind)
    told = acted if event.actor == CLOCK else f"{who} {acted}"
    changed = f" ({event.from_state} → {event.to_state})" if event.from_state != event.to_state else ""
    files = f" [{', '.join(file.name for file in event.files)}]" if event.files else ""
    line = Text(shown(f"  {_moment(event.at)}  {told}{changed}{files}"))
    if event.text:
        line.append(shown(f"\n      “{event.text}”"), style="italic")
    return line


def next_steps(case: Case, *, has_draft: bool) -> str:
    """Return what a person can do with a ticket now."""
    if case.is_forgotten:
        return "nothing is left to be done"
    if case.state == "open":
        acts = ["claim", "reply", "ask", *(["send-draft"] if has_draft else []), "note", "close"]
    elif case.state in OWNED:
        acts = ["reply", "ask", "note", "return", *(["release"] if case.state == "claimed" else []), "close"]
    else:
        acts = ["reopen", "note"]
    return f"next: answerdesk tickets {'|'.join(acts)} {case.number}"


def _row(label: str, text: str) -> Text:
    return Text.assemble(_label(label), shown(text))


def _label(text: str) -> tuple[str, str]:
    return f"{text + ':':<11}", "cyan"


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
