"""The Messages API on loopback, for the real SDK.

with anthropic_server(honest()) as server:
    client = AsyncAnthropic(base_url=server.url, api_key="test", max_retries=0)
"""

from tests.wire.anthropic.catalogue import Catalogue
from tests.wire.anthropic.faults import Fault
from tests.wire.anthropic.manners import ANTHROPIC, Manners, compatible
from tests.wire.anthropic.models.honest import Honest
from tests.wire.anthropic.models.languages import WrongLanguage
from tests.wire.anthropic.models.lying import LIES, Lie, Lying
from tests.wire.anthropic.models.obedient import Obedient
from tests.wire.anthropic.models.pace import Absent, Slow, StopsMidSentence
from tests.wire.anthropic.plan import Block, Citation, Plan
from tests.wire.anthropic.prompt import Prompt, Reading, Source
from tests.wire.anthropic.server import AnthropicServer, Model, Received, anthropic_server

__all__ = [
    "ANTHROPIC",
    "LIES",
    "Absent",
    "AnthropicServer",
    "Block",
    "Catalogue",
    "Citation",
    "Fault",
    "Honest",
    "Lie",
    "Lying",
    "Manners",
    "Model",
    "Obedient",
    "Plan",
    "Prompt",
    "Reading",
    "Received",
    "Slow",
    "Source",
    "StopsMidSentence",
    "WrongLanguage",
    "anthropic_server",
    "compatible",
]
