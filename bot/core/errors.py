"""What can be wrong with a request to the core, or with those who word its answers.

CoreError
├── QuestionProblem    the question cannot be asked as it is
├── EntryProblem       what was asked for an entry of what people taught cannot be
├── RecordingProblem   a recording cannot be turned into words
├── AnswererDown       the model does not answer, or not to its end
├── MaybeSent          nobody knows whether a message was sent
└── Undeliverable      a message can never be sent
"""


class CoreError(Exception):
    """Base of all errors of this package; its text names the thing, the value and the remedy."""


class QuestionProblem(CoreError):
    """The question cannot be asked as it is."""


class EntryProblem(CoreError):
    """There is no such entry, or that does not follow on its state."""


class RecordingProblem(CoreError):
    """The recording cannot be read, or is too long: the same one never becomes words."""


class AnswererDown(CoreError):
    """The model does not answer now, or broke off: words from elsewhere must do."""


class MaybeSent(CoreError):
    """The platform did not say whether it took a message: it has to be looked for before it is sent again."""


class Undeliverable(CoreError):
    """The place is gone, or we may not write there: trying again is of no use."""
