"""A bot as Bolt's own examples have it: acknowledged first, then answered from memory.

Events are acknowledged before their listener runs; a queue in memory and as many workers as ours has are all there is.
"""

import argparse
import asyncio
import os

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

ANSWER = "The documentation says: A VPN certificate expires after 90 days."


def main() -> None:
    """Answer until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("api_url")
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--answer-s", type=float, default=2.0)
    chosen = parser.parse_args()
    asyncio.run(run(chosen.api_url, chosen.at_once, chosen.answer_s))


async def run(api_url: str, at_once: int, answer_s: float) -> None:
    """Listen by Socket Mode."""
    client = AsyncWebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=api_url)
    app = AsyncApp(client=client)
    waiting: asyncio.Queue[tuple[str, str, str]] = asyncio.Queue()
    known: set[tuple[str, str]] = set()

    @app.event("app_mention")
    @app.event("message")
    async def take(event: dict[str, str]) -> None:
        key = (event["channel"], event["ts"])
        if key not in known and "bot_id" not in event:
            known.add(key)
            waiting.put_nowait((*key, event.get("thread_ts", event["ts"])))

    async def work() -> None:
        while True:
            channel, _, thread = await waiting.get()
            await asyncio.sleep(answer_s)
            await client.chat_postMessage(channel=channel, thread_ts=thread, text=ANSWER)

    socket = AsyncSocketModeHandler(app, os.environ["SLACK_APP_TOKEN"], web_client=AsyncWebClient(base_url=api_url))
    async with asyncio.TaskGroup() as tasks:
        for _ in range(at_once):
            tasks.create_task(work())
        tasks.create_task(socket.start_async())  # type: ignore[no-untyped-call] # Bolt gives no types here


if __name__ == "__main__":
    main()
