"""Everything that can go wrong with the knowledge base, sorted by what the caller does about it.

KnowledgeError
├── TransientError            try again later
│   ├── RateLimited           ... after `retry_after_s`
│   ├── SourceUnavailable     a source does not answer
│   ├── SourceBusy            another process is syncing it
│   ├── EmbedderUnavailable   the embedding model does not answer in time
│   └── DatabaseUnavailable   the server does not answer
└── PermanentError            somebody must change something
    ├── SettingsProblem       a setting is wrong
    ├── SourceProblem         a source cannot be read
    ├── DatabaseUnfit         the server answers but cannot serve us
    ├── EmbedderProblem       the embedding model cannot be loaded
    └── DimensionMismatch     vectors of another length than their space
"""


class KnowledgeError(Exception):
    """Base of all errors of this package; its text names the thing, the value and the remedy."""


class TransientError(KnowledgeError):
    """The same call may succeed later."""


class RateLimited(TransientError):
    """The service asked us to wait."""

    def __init__(self, message: str, *, retry_after_s: float) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class SourceUnavailable(TransientError):
    """A source does not answer, or has no answer now."""


class SourceBusy(TransientError):
    """Another process is syncing the same source."""


class EmbedderUnavailable(TransientError):
    """The embedding model does not answer in time."""


class DatabaseUnavailable(TransientError):
    """The database does not answer."""


class PermanentError(KnowledgeError):
    """The same call fails until somebody changes something."""


class SettingsProblem(PermanentError):
    """A setting is wrong."""


class SourceProblem(PermanentError):
    """A source cannot be read."""


class DatabaseUnfit(PermanentError):
    """The database answers but lacks what we need."""


class EmbedderProblem(PermanentError):
    """The embedding model cannot be loaded or run."""


class DimensionMismatch(PermanentError):
    """A vector does not have the length of its embedding space."""
