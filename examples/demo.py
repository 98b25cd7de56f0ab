"""The demo: index the handbook beside this file, ask four questions in four languages, then talk.

Run it with `make demo`; it needs no key, no server and no network. On a terminal it goes on as `answerdesk chat`.
`python -m examples.demo --picture FILE.svg` also draws what it showed.
"""

import argparse
import re
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from bot.channels.terminal import show_reply
from bot.cli import DONE, PROBLEM, run
from bot.commands.chat import chat
from bot.commands.sync import Wanted, sync
from bot.compose import open_desk
from bot.core.messages import Asked
from bot.settings import Settings

PICTURE_WIDTH = 110
# Without the fonts that a viewer would have to fetch from the web.
PICTURE_FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
CONFIG = Path(__file__).with_name("answerdesk.toml")
# One a language; nothing in the handbook answers the last, so a person has to.
QUESTIONS = (
    "How quickly must a lost phone be reported?",
    "В какие часы поддержка работает в субботу?",
    "до якого числа здати чеки за минулий місяць?",
    "¿puedo traer a mi perro a la oficina?",
)


def main() -> None:
    """Run the demo with the same error messages and exit codes as any command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="draw what the demo shows into this SVG file")
    picture: Path | None = parser.parse_args().picture
    run(CONFIG, lambda settings: demo(settings, picture))


async def demo(settings: Settings, picture: Path | None) -> int:
    """Index, ask, answer; a question that is handed over becomes a ticket."""
    console = Console(highlight=False, record=picture is not None, width=PICTURE_WIDTH if picture else None)
    code = await sync(settings, Wanted(), as_json=False)
    if code != DONE:
        return code
    decisions = []
    async with open_desk(settings) as desk:
        for question in QUESTIONS:
            console.print(Rule(Text(question, style="bold"), align="left", style="dim"))
            reply = await desk.handler.handle(Asked(question))
            show_reply(console, reply)
            console.print()
            decisions.append(reply.decision)
    answered = decisions.count("answer")
    console.print(
        f"{answered} of {len(QUESTIONS)} answered with sources, {len(QUESTIONS) - answered} handed to a person."
    )
    if picture:
        console.save_svg(str(picture), title="make demo", code_format=PICTURE_FORMAT)
    if answered != len(QUESTIONS) - 1:
        return PROBLEM
    if sys.stdin.isatty() and sys.stdout.isatty():
        return await chat(settings, read_as=None, language=None)
    return DONE


if __name__ == "__main__":
    main()
