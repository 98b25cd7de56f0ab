"""What a request has used, and what that costs."""

from dataclasses import dataclass, field, replace

from bot.core.messages import Call
from bot.llm.claude.settings import ClaudeSettings

CACHE_READ_SHARE = 0.1
CACHE_WRITE_SHARE = 1.25
MILLION = 1_000_000
# A summary of a ticket: what is sent, what is said (400 characters of any script), and what is thought before, where a
# model cannot be kept from it.
SUMMARY_INPUT_TOKENS = 6_000
SUMMARY_TOKENS = 400
THINKING_TOKENS = 1_024


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counts them; None where it does not tell."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None

    def __or__(self, later: "Usage") -> "Usage":
        """Return these counts with those that are told later in their place."""
        return Usage(
            _latest(self.input_tokens, later.input_tokens),
            _latest(self.output_tokens, later.output_tokens),
            _latest(self.cache_read_tokens, later.cache_read_tokens),
            _latest(self.cache_write_tokens, later.cache_write_tokens),
        )


def _latest(before: int | None, later: int | None) -> int | None:
    return before if later is None else later


@dataclass(frozen=True, slots=True)
class Account:
    """The counts of one request so far; the server's later counts replace its earlier ones."""

    settings: ClaudeSettings
    prompt: str
    usage: Usage = field(default_factory=Usage)

    def after(self, later: Usage) -> "Account":
        """Return the account with what the server tells now."""
        return replace(self, usage=self.usage | later)

    def call(self, *, seconds: float, stop_reason: str | None = None) -> Call:
        """Return the account for the journal."""
        usage = self.usage
        return Call(
            model=self.settings.model,
            prompt=self.prompt,
            input_tokens=usage.input_tokens or 0,
            output_tokens=usage.output_tokens or 0,
            cache_read_tokens=usage.cache_read_tokens or 0,
            cache_write_tokens=usage.cache_write_tokens or 0,
            usd=self._usd(),
            seconds=seconds,
            stop_reason=stop_reason,
        )

    def _usd(self) -> float:
        usage = self.usage
        cached = CACHE_READ_SHARE * (usage.cache_read_tokens or 0) + CACHE_WRITE_SHARE * (usage.cache_write_tokens or 0)
        spent = self.settings.input_usd_per_million * ((usage.input_tokens or 0) + cached)
        return (spent + self.settings.output_usd_per_million * (usage.output_tokens or 0)) / MILLION


def most_usd(settings: ClaudeSettings) -> float:
    """Return what one answer costs at most: all tokens that may be sent, written to the cache, and all it may say."""
    sent = CACHE_WRITE_SHARE * settings.input_usd_per_million * settings.max_input_tokens
    return (sent + settings.output_usd_per_million * settings.max_output_tokens) / MILLION


def most_usd_of_summary(settings: ClaudeSettings) -> float:
    """Return what one summary costs at most; a cheaper model than that of the answers is not reckoned as one."""
    said = settings.output_usd_per_million * (SUMMARY_TOKENS + THINKING_TOKENS)
    return (settings.input_usd_per_million * SUMMARY_INPUT_TOKENS + said) / MILLION
