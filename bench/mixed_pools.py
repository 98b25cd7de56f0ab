"""Small knowledge bases in mixed languages, drawn from XQuAD with a fixed seed, and the questions to ask them."""

import random
import shutil
from pathlib import Path

from knowledge.evaluate.labelled import Gold, Labelled, read_labelled

LANGUAGES = ("en", "ru", "es")
DOCUMENTS = (3, 4, 6, 8, 12, 16, 30, 40, 50, 60, 80, 120)
ANSWERABLE_A_LANGUAGE = 60
SEED = 20261129


def mixed_pools(data: Path, work: Path) -> list[tuple[Path, dict[str, Path]]]:
    """Write the knowledge bases below `work`; return each with its file of labelled questions, by set name.

    Each passage stands in one language only, questions come in all; for every two that the pool answers there is one
    that it does not.
    """
    draw = random.Random(SEED)
    questions = {language: read_labelled(data / f"eval/xquad-{language}.dev.jsonl") for language in LANGUAGES}
    return [_pool(data, work / "pools" / f"mixed-{size}", size, questions, draw) for size in DOCUMENTS]


def _pool(
    data: Path, folder: Path, size: int, questions: dict[str, list[Labelled]], draw: random.Random
) -> tuple[Path, dict[str, Path]]:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "kb").mkdir(parents=True)
    stems = sorted(path.stem.removesuffix("-en") for path in (data / "eval/xquad/kb/en").glob("*.md"))
    chosen = {stem: draw.choice(LANGUAGES) for stem in draw.sample(stems, size)}
    for stem, language in chosen.items():
        shutil.copy(data / f"eval/xquad/kb/{language}/{stem}-{language}.md", folder / "kb")
    lines = [
        labelled.model_dump_json()
        for language in LANGUAGES
        for labelled in _asked(draw.sample(questions[language], len(questions[language])), chosen)
    ]
    file = folder / "questions.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return folder / "kb", {folder.name: file}


def _asked(questions: list[Labelled], chosen: dict[str, str]) -> list[Labelled]:
    asked: list[Labelled] = []
    missing: list[Labelled] = []
    for labelled in questions:
        own_id = f"{labelled.id}-{labelled.language}"
        stem = labelled.gold[0].document.split("-")[0] if labelled.gold else ""
        if stem in chosen:
            gold = Gold(document=f"{stem}-{chosen[stem]}.md")
            asked.append(labelled.model_copy(update={"id": own_id, "gold": (gold,)}))
        else:
            missing.append(labelled.model_copy(update={"id": own_id, "gold": (), "answerable": False}))
    asked = asked[:ANSWERABLE_A_LANGUAGE]
    return asked + missing[: len(asked) // 2]
