"""Names of environment variables, as settings give them; the secrets themselves never stand in a file."""

import re
from typing import Annotated

from pydantic import AfterValidator

# In capitals, as variables for secrets are: a token that was put here by mistake is then most surely refused.
_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")


def _is_a_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("is no name of an environment variable; write its name in capitals, not the secret itself")
    return name


VariableName = Annotated[str, AfterValidator(_is_a_name)]
