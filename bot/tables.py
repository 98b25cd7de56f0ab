"""The tables of answerdesk.toml that every deployment may have, each validated by itself."""

from collections.abc import Mapping
from datetime import date
from ipaddress import ip_address
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator

from bot.core.linking import mail_address, mail_domain
from knowledge.sources.audience_tags import AudienceTags
from knowledge.types import PUBLIC

MINUTES_OF_A_YEAR = 525_600
MOST_DAYS = 36_500


class Table(BaseModel):
    """A table: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerSettings(Table):
    """`[answer]`: who words the answer, and how sure we must be to give one."""

    kind: str = "extractive"
    # The careful default until an operator's own questions have certified a threshold; docs/decisions.md has the table
    # of what it answers, and how much of that wrongly, on the development sets.
    threshold: float = Field(default=0.65, ge=0.0, le=1.0)
    # Links lead to the hosts of the configured sources, and to these.
    link_hosts: tuple[str, ...] = ()
    # An answer says when its source has not changed for so long; 0: never.
    outdated_days: int = Field(default=730, ge=0)
    # For how long the same question of the same readers gets the stored answer, while nothing changes; 0: not at all.
    cache_days: float = Field(default=7.0, ge=0.0)


class SyncTimes(Table):
    """When a source is synced, as its `[[sources]]` table may say: at an interval, or by a cron line (UTC)."""

    every_minutes: float | None = Field(default=None, gt=0, le=MINUTES_OF_A_YEAR)
    cron: str | None = None

    @field_validator("cron")
    @classmethod
    def _has_sense(cls, cron: str | None) -> str | None:
        if cron is not None:
            # Imported here: without a cron line no command needs the scheduler.
            from knowledge.schedule import cron_trigger

            cron_trigger(cron)
        return cron


class SyncSettings(SyncTimes):
    """`[sync]`: how a running bot keeps its knowledge in step, where a source has no times of its own."""

    every_minutes: float = Field(default=15.0, gt=0, le=MINUTES_OF_A_YEAR)
    jitter_s: int = Field(default=10, ge=0, le=3600)


class LogSettings(Table):
    """`[log]`."""

    level: str = Field(default="warning", pattern="^(debug|info|warning|error)$")
    json_lines: bool = False


class MessageSettings(Table):
    """`[messages]`: how what people write is taken in."""

    # So many questions of one person, and in one place, are taken within a minute.
    per_person_a_minute: int = Field(default=10, ge=1)
    per_place_a_minute: int = Field(default=60, ge=1)
    # What one author writes within so many seconds of the last message is one question.
    burst_s: float = Field(default=1.2, ge=0.0, le=30.0)
    # A question older than this gets an apology, a ticket and a button to ask again.
    stale_hours: float = Field(default=6.0, gt=0.0)
    # Questions answered at once by one process.
    at_once: int = Field(default=8, ge=1, le=64)


class MetricsSettings(Table):
    """`[metrics]`: figures for Prometheus."""

    # Where they are served; without a port nowhere.
    port: int | None = Field(default=None, ge=1, le=65535)
    host: str = "127.0.0.1"


def _address(given: str) -> str:
    address = mail_address(given)
    if address is None:
        raise ValueError("is no e-mail address; write for instance ann@example.org")
    return address


def _domain(given: str) -> str:
    domain = mail_domain(given)
    if domain is None:
        raise ValueError("is no domain of e-mail addresses; write what stands behind the @, for instance example.org")
    return domain


Person = Annotated[str, StringConstraints(pattern=r"^[a-z]+:\S+$")]
Address = Annotated[str, AfterValidator(_address)]
Domain = Annotated[str, AfterValidator(_domain)]


class LinkingSettings(Table):
    """`[linking]`: whose e-mail address a person on a platform has; it decides what they may read."""

    # Who is known without a code: platform and the person's number or id there, and their address.
    people: Mapping[Person, Address] = Field(default_factory=dict)
    # The addresses that people may link by themselves; none: /link is off.
    domains: tuple[Domain, ...] = ()
    # The mail hook may be a program of this machine, reached without encryption.
    local_mail_hook: bool = False
    # What mails a code to an address; without it the operator confirms each code.
    mail_hook: str | None = None

    @field_validator("mail_hook")
    @classmethod
    def _is_private(cls, url: str | None, known: ValidationInfo) -> str | None:
        if url is None:
            return None
        if not is_private_address(url, may_be_local=known.data.get("local_mail_hook") is True):
            raise ValueError(
                "carries codes and has to begin with https://; http:// is for a program of this machine, 127.0.0.1 for"
                " instance, with local_mail_hook = true"
            )
        return url


def is_private_address(url: str, *, may_be_local: bool) -> bool:
    """Tell whether what goes to an address is read by nobody on the way: encrypted, or to this machine."""
    parts = urlsplit(url)
    is_local = may_be_local and _is_loopback(parts.hostname or "")
    return bool(parts.hostname) and parts.scheme in (("http", "https") if is_local else ("https",))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class LearningSettings(Table):
    """`[learning]`: how what people answer becomes knowledge."""

    # Who may read an entry, where nobody says otherwise.
    audience: AudienceTags = (PUBLIC,)
    # An entry is to be looked at again after so many days; 0: never.
    review_days: int = Field(default=180, ge=0, le=MOST_DAYS)
    # It leaves the index after so many days; 0: never.
    expire_days: int = Field(default=0, ge=0, le=MOST_DAYS)
    # Whether an entry is suggested after each ticket that was answered.
    suggest: bool = True
    # Models of spaCy, by the name of their package or their folder, that find names of people.
    name_models: tuple[str, ...] = ()


class PlaceSettings(Table):
    """`[[places]]`: what holds in one channel in place of the usual."""

    channel: str = Field(min_length=1)
    sources: tuple[str, ...] | None = None
    language: str | None = None
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    # The queue of people that questions from here go to.
    desk: str | None = None
    # Also what is not addressed to the bot is answered, where it is sure; what it does not know it leaves alone.
    answers_all: bool = False


class DeskTable(Table):
    """What every `[[desks]]` table may say: who answers there, what comes there, and when."""

    name: str = Field(min_length=1)
    # What askers are told the desk is called; its name, where that is not set.
    title: str = ""
    language: str = "en"
    time_zone: str = "UTC"
    # For instance "Mon-Fri 09:00-18:00, Sat 10:00-14:00"; nothing: always.
    hours: str = ""
    # Days on which nobody works, as 2026-12-25.
    holidays: tuple[date, ...] = ()
    # Askers are told to have an answer within so much working time.
    answer_within_minutes: int = Field(default=240, ge=1, le=MINUTES_OF_A_YEAR)
    # The desk that a ticket goes to as well when nobody has answered by then.
    fallback: str | None = None
    # Questions whose best passage is of these sources, or in which one of these words stands, come here.
    sources: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    # The names that askers see of people, by platform and id there; only these may act where `only_people` is set.
    people: Mapping[Person, str] = Field(default_factory=dict)
    only_people: bool = False
    sign: Literal["name", "desk"] = "name"
    # What everybody at the desk may read, as tags; passages beyond that are left out of its cards.
    reads: tuple[str, ...] = ("public",)


class HandoverSettings(Table):
    """`[handover]`: what becomes of tickets."""

    # Askers are asked before their question goes to a person.
    ask_first: bool = False
    # What a desk sees of who asked.
    show_asker: Literal["name", "id", "nothing"] = "name"
    # Words by which a question is risky, and goes to a person whatever the documents say.
    risky_words: tuple[str, ...] = ()
    # A thumb down opens a ticket.
    on_dislike: bool = False
    # A person who has said nothing for so long no longer owns the conversation; 0: they own it until they give it back.
    return_after_hours: float = Field(default=24.0, ge=0.0)
    # A ticket that nobody took up for so long expires.
    expire_days: float = Field(default=14.0, gt=0.0)
    # The words of tickets that ended so long ago are erased; 0: they are kept.
    keep_days: float = Field(default=365.0, ge=0.0)
    # The desk is offered answers to open questions that new documents or entries bring; or they are sent at once.
    send_found_answers: bool = False


class File(Table):
    """The file's tables; each is validated by itself, so that a mistake in one hides none in another."""

    sources: list[dict[str, Any]] = Field(default_factory=list)
    embedder: dict[str, Any] = Field(default_factory=dict)
    reranker: dict[str, Any] = Field(default_factory=dict)
    retrieval: dict[str, Any] = Field(default_factory=dict)
    answer: dict[str, Any] = Field(default_factory=dict)
    budget: dict[str, Any] = Field(default_factory=dict)
    entailment: dict[str, Any] = Field(default_factory=dict)
    transcriber: dict[str, Any] = Field(default_factory=dict)
    sync: dict[str, Any] = Field(default_factory=dict)
    cutting: dict[str, Any] = Field(default_factory=dict)
    desks: list[dict[str, Any]] = Field(default_factory=list)
    handover: dict[str, Any] = Field(default_factory=dict)
    messages: dict[str, Any] = Field(default_factory=dict)
    linking: dict[str, Any] = Field(default_factory=dict)
    learning: dict[str, Any] = Field(default_factory=dict)
    places: list[dict[str, Any]] = Field(default_factory=list)
    metrics: dict[str, Any] = Field(default_factory=dict)
    log: dict[str, Any] = Field(default_factory=dict)
