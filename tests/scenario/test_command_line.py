"""The command-line contract that scripts rely on."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.scenario.conftest import Commands

VPN = """\
# VPN

## Reset the PIN

Open the portal and choose "Forgot PIN". The new PIN has eight digits and is valid for ninety days.

## Error codes

| Code | Meaning |
| --- | --- |
| VP-1042 | The certificate has expired |
| VP-2001 | The gateway is unreachable |
"""
KITCHEN = "# Кухня\n\nКофемашину чистят каждую пятницу после обеда. Молоко стоит в холодильнике на третьем этаже.\n"
QUESTION = "How many digits does the new VPN PIN have?"


@pytest.fixture
def filled(commands: Commands) -> Commands:
    """Two indexed documents."""
    (commands.folder / "docs/it").mkdir()
    (commands.folder / "docs/it/vpn.md").write_text(VPN, encoding="utf-8")
    (commands.folder / "docs/kitchen.md").write_text(KITCHEN, encoding="utf-8")
    assert commands.run("sync").returncode == 0
    return commands


def test_ask_obeys_the_contract_and_quotes_verbatim(filled: Commands) -> None:
    reply = filled.json("ask", QUESTION, ANSWERDESK_ANSWER__THRESHOLD="0.3")

    assert list(reply) == [
        "decision", "text", "language", "relevance", "threshold", "reason", "citations", "ticket", "answerer",
        "timings_ms", "fingerprint", "notes", "sentences", "rejected", "calls", "cached",
    ]  # fmt: skip
    assert (reply["decision"], reply["language"], reply["reason"], reply["ticket"]) == ("answer", "en", None, None)
    assert set(reply["timings_ms"]) == {"embed", "search", "rerank", "answer", "total"}
    assert [f"[{cited['marker']}]" in reply["text"] for cited in reply["citations"]] == [True] * len(reply["citations"])
    for cited in reply["citations"]:
        lines = (filled.folder / "docs" / cited["document"]).read_text(encoding="utf-8").split("\n")
        assert cited["quote"] in "\n".join(lines[cited["start_line"] - 1 : cited["end_line"]])
    assert "eight digits" in reply["text"]
    assert reply["citations"][0]["heading"] == ["VPN", "Reset the PIN"]


def test_each_sentence_comes_with_its_quotes_and_checks_and_a_section_has_one_footnote(filled: Commands) -> None:
    reply = filled.json("ask", QUESTION, ANSWERDESK_ANSWER__THRESHOLD="0.3")

    footnotes = {cited["marker"]: cited for cited in reply["citations"]}
    assert list(footnotes) == list(range(1, len(reply["citations"]) + 1))
    for sentence in reply["sentences"]:
        assert (sentence["supported"], sentence["support"], sentence["method"]) == (True, 1.0, "verbatim")
        assert sentence["checks"] == {
            "valid": True, "facts": True, "missing": [], "polarity": True, "disagreement": None,
        }  # fmt: skip
        for cited in sentence["citations"]:
            assert cited["quote"] in footnotes[cited["marker"]]["quote"]


def test_the_same_question_is_answered_from_the_journal_until_something_changes(filled: Commands) -> None:
    def ask() -> tuple[bool, str]:
        reply = filled.json("ask", QUESTION, ANSWERDESK_ANSWER__THRESHOLD="0.3")
        return reply["cached"], reply["text"]

    first, again = ask(), ask()
    (filled.folder / "docs/it/vpn.md").write_text(VPN.replace("eight digits", "nine digits"), encoding="utf-8")
    filled.run("sync")
    changed = ask()

    assert (first[0], again) == (False, (True, first[1]))
    assert (changed[0], "nine digits" in changed[1]) == (False, True)


def test_what_nobody_wrote_down_becomes_a_ticket_that_is_listed(filled: Commands) -> None:
    reply = filled.json("ask", "Кто выиграл вчерашний матч?")
    tickets = filled.json("tickets")["tickets"]

    assert (reply["decision"], reply["citations"], reply["language"]) == ("escalate", [], "ru")
    mine = next(ticket for ticket in tickets if ticket["id"] == reply["ticket"])
    assert (mine["question"], mine["reason"], mine["state"]) == (
        "Кто выиграл вчерашний матч?",
        "below_threshold",
        "open",
    )
    assert mine["candidates"][0]["document"] in ("it/vpn.md", "kitchen.md")


def test_search_shows_every_rank(filled: Commands) -> None:
    hits = filled.json("search", "VP-1042", "--limit", "2")["hits"]

    assert [hits[0][key] for key in ("document", "lexical_rank", "fused_rank", "start_line")] == ["it/vpn.md", 1, 1, 9]
    assert set(hits[0]) == {
        "document", "heading", "text", "source", "url", "dense_rank", "lexical_rank", "fused_rank", "relevance",
        "start_line", "end_line",
    }  # fmt: skip
    assert hits[0]["text"] in VPN


def test_a_second_sync_embeds_nothing_and_a_changed_paragraph_only_its_passage(filled: Commands) -> None:
    page = filled.folder / "docs/it/vpn.md"

    again = filled.json("sync")
    page.write_text(VPN.replace("ninety days", "thirty days"), encoding="utf-8")
    changed = filled.json("sync")
    page.unlink()
    deleted = filled.json("sync")

    counts = [next(iter(run["sources"].values())) for run in (again, changed, deleted)]
    assert [(c["unchanged"], c["changed"], c["deleted"]) for c in counts] == [(2, 0, 0), (1, 1, 0), (1, 0, 1)]
    assert [run["embedded"] for run in (again, changed, deleted)] == [0, 1, 0]


def test_without_waiting_words_alone_find_a_document_at_once(commands: Commands) -> None:
    (commands.folder / "docs/lift.md").write_text(
        "# Lift\n\nError LF-77 means that the lift is full.\n", encoding="utf-8"
    )

    synced = commands.json("sync", "--no-wait")
    hits = commands.json("search", "what is LF-77")["hits"]

    assert (synced["embedded"], synced["missing_vectors"]) == (0, 1)
    assert (hits[0]["document"], hits[0]["dense_rank"], hits[0]["lexical_rank"]) == ("lift.md", None, 1)


def test_an_asker_never_sees_what_is_not_for_them(commands: Commands) -> None:
    (commands.folder / "docs/pay.md").write_text(
        "# Salaries\n\nThe director earns a million a year.\n", encoding="utf-8"
    )
    path = commands.folder / "answerdesk.toml"
    commands.configure(path.read_text(encoding="utf-8") + 'audience = ["user:ann@example.org"]\n')
    commands.run("sync")

    assert commands.json("search", "What does the director earn?")["hits"] == []
    assert len(commands.json("search", "What does the director earn?", "--as", "Ann@example.org")["hits"]) == 1


def test_status_and_check_tell_what_is_there(filled: Commands) -> None:
    status = filled.json("status")
    check = filled.run("check")

    assert [source["documents"] for source in status["sources"] if source["name"] in check.stdout] == [2]
    assert check.returncode == 0
    assert check.stdout.count("ok ") == 4


def test_evaluate_reports_every_figure(filled: Commands) -> None:
    labelled = [
        {"id": "1", "question": QUESTION, "language": "en", "answerable": True,
         "gold": [{"document": "it/vpn.md", "quote": "The new PIN has eight digits"}], "answers": ["eight digits"]},
        {"id": "2", "question": "Кто выиграл матч?", "language": "ru", "answerable": False, "gold": [], "answers": []},
    ]  # fmt: skip
    file = filled.folder / "questions.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in labelled), encoding="utf-8")

    report = filled.json("evaluate", str(file))

    assert report["overall"]["recall@1"] == 1.0
    assert report["overall"]["quote_recall@5"] == 1.0
    assert report["languages"]["ru"]["recall@1"] is None
    assert {"mrr@10", "ndcg@10", "auroc", "answered_share", "wrong_reply_share", "false_answer_share",
            "citation_validity", "citation_recall", "citation_precision"} <= set(report["overall"])  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("ask", " "), 2, "the question is empty"),
        (("ask", "Hi?", "--language", "[/]"), 2, "the bot speaks en, es, ru, uk"),
        (("ask", "x" * 100_000), 2, "100,000 characters"),
        (("ask", "Hi", "--config", "none.toml"), 2, "correct --config"),
        (("sync", "--source", "nowhere"), 2, "no source named 'nowhere'"),
        (("evaluate", "none.jsonl"), 2, "cannot be read"),
        (("search",), 2, "Missing argument"),
    ],
)
def test_wrong_usage_ends_with_a_clear_message(
    commands: Commands, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = commands.run(*arguments)

    assert (done.returncode, done.stdout) == (code, "")
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_missing_folder_loses_nothing_that_was_indexed(filled: Commands) -> None:
    (filled.folder / "docs").rename(filled.folder / "moved")

    done = filled.run("sync")

    assert done.returncode == 1
    assert "does not exist" in done.stdout
    assert filled.json("search", "VP-1042")["hits"][0]["document"] == "it/vpn.md"


def test_bad_files_are_named_and_the_others_are_indexed(commands: Commands) -> None:
    docs = commands.folder / "docs"
    (docs / "good.md").write_text(VPN, encoding="utf-8")
    (docs / "latin.md").write_bytes("Größe".encode("latin-1"))
    with (docs / "huge.md").open("wb") as huge:
        huge.truncate(200 * 1024 * 1024)

    outcome = next(iter(commands.json("sync")["sources"].values()))

    assert (outcome["added"], outcome["failed"]) == (1, 2)
    assert "not UTF-8" in outcome["failures"]["latin.md"]
    assert "200 MB is over the limit of 10 MB" in outcome["failures"]["huge.md"]


@pytest.mark.parametrize(
    ("address", "code", "message"),
    [
        ("postgresql://nobody@127.0.0.1:1/none", 1, "the database does not answer"),
        ("not an address", 1, "DATABASE_URL is not a PostgreSQL address"),
    ],
)
def test_a_database_that_cannot_be_used_is_named(commands: Commands, address: str, code: int, message: str) -> None:
    done = commands.run("ask", "Hi?", DATABASE_URL=address)

    assert (done.returncode, done.stdout) == (code, "")
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_conversation_shows_sources_and_why(filled: Commands) -> None:
    typed = f"{QUESTION}\n/why\n/help\n\n/quit\n"

    done = filled.run("chat", text=typed, ANSWERDESK_ANSWER__THRESHOLD="0.3", COLUMNS="100")

    assert done.returncode == 0, done.stderr
    for part in (
        "eight digits",
        "[1]",
        "Sources",
        "it/vpn.md, line 5",
        "threshold 0.300",
        "relevance  where",
        "it/vpn.md:5–5",
        "embed",
        "/tickets",
    ):
        assert part in done.stdout


def test_the_demo_answers_in_three_languages_and_hands_one_over(embedded_home: Path) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        env={"ANSWERDESK_HOME": str(embedded_home), "COLUMNS": "200", "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "3 of 4 answered with sources, 1 handed to a person." in done.stdout


def test_a_narrowed_audience_holds_after_the_next_sync(filled: Commands) -> None:
    path = filled.folder / "answerdesk.toml"
    filled.configure(path.read_text(encoding="utf-8") + 'audience = ["user:ann@example.org"]\n')

    filled.run("sync")

    assert filled.json("search", "VP-1042")["hits"] == []


def test_escape_sequences_of_a_document_never_reach_the_terminal(commands: Commands) -> None:
    text = "# Lift \x1b]0;owned\x07\n\nThe lift code is LX-55 \x1b[2J\u202e now.\n"
    (commands.folder / "docs/lift.md").write_text(text, encoding="utf-8")
    commands.run("sync")

    done = commands.run("ask", "What is the lift code LX-55?", ANSWERDESK_ANSWER__THRESHOLD="0")
    found = commands.run("search", "LX-55")

    assert "LX-55" in done.stdout
    assert [mark in done.stdout + found.stdout for mark in ("\x1b", "\x07", "\u202e")] == [False] * 3


def test_a_reader_that_has_seen_enough_is_no_error(filled: Commands) -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m bot status --json | true"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=filled.folder,
        env={"ANSWERDESK_HOME": str(filled.home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_version_is_shown(commands: Commands) -> None:
    done = commands.run("--version")

    assert (done.returncode, done.stdout) == (0, f"answerdesk {version('answerdesk')}\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("sync", "--source", "nope"), 2), (("ask", " "), 2), (("ask", "What?", "--as", "nobody"), 2)],
)
def test_what_fails_with_json_is_one_document_too(commands: Commands, arguments: tuple[str, ...], code: int) -> None:
    done = commands.run(*arguments, "--json")

    assert done.returncode == code
    assert list(json.loads(done.stdout)) == ["error"]
    assert "error:" in done.stderr
