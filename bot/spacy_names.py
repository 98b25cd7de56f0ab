"""Names of people, found by models of spaCy: an optional package, and models that the operator chooses."""

import asyncio
from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.core.errors import EntryProblem
from knowledge.errors import SettingsProblem

# What its models call people: OntoNotes, and WikiNER and the Slavic corpora.
LABELS = frozenset({"PERSON", "PER"})
# The language of a model for any.
ANY = "xx"


class SpacyNames:
    """The `NameFinder` port; the models are loaded by their first use. SettingsProblem says which is not there."""

    def __init__(self, models: Sequence[str]) -> None:
        if find_spec("spacy") is None:
            raise SettingsProblem('[learning] name_models needs spaCy: pip install "answerdesk[names]"')
        for name in models:
            if not (Path(name).is_dir() or (name.isidentifier() and find_spec(name))):
                raise SettingsProblem(
                    f"[learning] name_models: {name!r} is neither a folder nor a package here;"
                    f" python -m spacy download {name}"
                )
        self._names = tuple(models)
        self._models: dict[str, Any] | None = None
        self._loading = asyncio.Lock()

    async def names(self, text: str, language: str) -> Collection[tuple[int, int]]:
        async with self._loading:
            if self._models is None:
                self._models = await asyncio.to_thread(_loaded, self._names)
        model = self._models.get(language) or self._models.get(ANY)
        return await asyncio.to_thread(_found, model, text) if model else ()


def _loaded(names: Sequence[str]) -> dict[str, Any]:
    """Return the models by their language, the first one of each."""
    spacy = import_module("spacy")
    models: dict[str, Any] = {}
    for name in names:
        try:
            model = spacy.load(name)
        except (OSError, ValueError, ImportError) as exc:
            raise EntryProblem(f"names cannot be looked for: the model {name!r} in [learning] does not load") from exc
        models.setdefault(model.lang, model)
    return models


def _found(model: Any, text: str) -> list[tuple[int, int]]:
    return [(entity.start_char, entity.end_char) for entity in model(text).ents if entity.label_ in LABELS]
