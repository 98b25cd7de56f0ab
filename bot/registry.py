"""Every implementation that a deployment can choose, and where it is built; imported only when chosen."""

import inspect
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import Any, get_type_hints

from pydantic import BaseModel

REGISTRY: Mapping[str, Mapping[str, str]] = {
    "channel": {"slack": "bot.channels.slack.open:build", "telegram": "bot.channels.telegram.open:build"},
    "source": {
        "confluence": "knowledge.sources.confluence.source:build",
        "folder": "knowledge.sources.folder:build",
        "git": "knowledge.sources.git.source:build",
    },
    "chunker": {
        "api": "knowledge.chunk.api:build",
        "code": "knowledge.chunk.code:build",
        "headings": "knowledge.chunk.headings:build",
        "recursive": "knowledge.chunk.recursive:build",
        "semantic": "knowledge.chunk.semantic:build",
        "table": "knowledge.chunk.table:build",
    },
    "desk": {"chat": "bot.desks.chat:build", "webhook": "bot.desks.webhook:build"},
    "embedder": {"local": "knowledge.embedders.local:build"},
    "reranker": {"local": "knowledge.rerankers.local:build"},
    "answerer": {"claude": "bot.llm.claude.answerer:build", "extractive": "bot.llm.extractive:build"},
    "summarizer": {"claude": "bot.llm.claude.summary:build"},
    "entailment": {"onnx": "bot.llm.entailment:build"},
    "transcriber": {"onnx": "bot.speech.onnx:build"},
}


class UnknownKind(LookupError):
    """Nothing of this name can be built."""


def settings_model(port: str, kind: str) -> type[BaseModel]:
    """Return the model that validates the table of one implementation; raise UnknownKind naming the known ones."""
    model = get_type_hints(_builder(port, kind))["settings"]
    assert isinstance(model, type), f"{REGISTRY[port][kind]} takes no settings model"
    assert issubclass(model, BaseModel), f"{REGISTRY[port][kind]} takes no settings model"
    return model


def build(port: str, kind: str, settings: BaseModel, **offered: object) -> AbstractAsyncContextManager[Any]:
    """Open one implementation, handing it those of the `offered` dependencies that it asks for by name."""
    builder = _builder(port, kind)
    wanted = inspect.signature(builder).parameters
    opened = builder(settings, **{name: value for name, value in offered.items() if name in wanted})
    assert isinstance(opened, AbstractAsyncContextManager)
    return opened


def _builder(port: str, kind: str) -> Any:
    if kind not in REGISTRY[port]:
        raise UnknownKind(f"{kind!r} is no {port}; choose one of: {', '.join(sorted(REGISTRY[port]))}")
    module, name = REGISTRY[port][kind].split(":")
    return getattr(import_module(module), name)
