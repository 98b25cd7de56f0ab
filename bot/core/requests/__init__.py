"""What people ask of the bot itself: help, their language, what an answer stands on, who they are, to be forgotten."""

from bot.core.requests.given import Given, GivenAnswers, HandedOver
from bot.core.requests.people import Forgetting, Forgotten, Ownership, People
from bot.core.requests.quotes import Quotes, Sections
from bot.core.requests.serve import Request, Requests, Said

__all__ = [
    "Forgetting",
    "Forgotten",
    "Given",
    "GivenAnswers",
    "HandedOver",
    "Ownership",
    "People",
    "Quotes",
    "Request",
    "Requests",
    "Said",
    "Sections",
]
