"""What can be wrong with a request to the core.

CoreError
└── QuestionProblem    the question cannot be asked as it is
"""


class CoreError(Exception):
    """Base of all errors of this package; its text names the thing, the value and the remedy."""


class QuestionProblem(CoreError):
    """The question cannot be asked as it is."""
