"""Where a person owns the conversation the bot is silent, whatever happens in whatever order; afterwards it is not."""

import os
import sys
from random import Random

import pytest

from knowledge.store.pool import Pool
from tests.quality.silence_walk import Walk

# SILENCE_STEPS=10000 for the long run.
STEPS = int(os.environ.get("SILENCE_STEPS", "300"))
SEEDS = [int(os.environ["SILENCE_SEED"])] if "SILENCE_SEED" in os.environ else [6]


@pytest.mark.parametrize("seed", SEEDS)
async def test_the_bot_is_silent_where_a_person_owns_the_conversation_and_mute_nowhere(seed: int, pool: Pool) -> None:
    walk = Walk(pool, Random(seed))

    for number in range(1, STEPS + 1):
        await walk.step(number)
    await walk.drain()

    sys.stdout.write(f"{walk.rules.watched}\n")
    assert walk.rules.watched["message begun"] > STEPS / 50
