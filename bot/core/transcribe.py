"""The port to what turns a recording into words."""

from typing import Protocol


class Transcriber(Protocol):
    """Writes down what was said in a short recording, where a deployment has something that can."""

    async def transcribe(self, recording: bytes, *, language: str | None) -> str:
        """Return the words of a recording as a messenger sends it, "" where nothing was said.

        `language` ("uk", "pt-BR") is a hint, None where nobody knows it. Raises RecordingProblem where this recording
        can never be turned into words, and TransientError where it cannot be now.
        """
        ...
