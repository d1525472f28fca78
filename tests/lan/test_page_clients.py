"""A game without any Sabtui client at the table: programs written from the protocol's page alone.

The table starts by itself, each client is a process on a laptop of its own, and nothing of Sabtui
is imported there.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.docs import page_client
from tests.lan.lan import NewLan
from tests.lan.players import person

NAMES = ("Paige", "Pablo", "Pauline")
ENDED = re.compile(r"gold [0-9]+( [0-9]+){3}; 2 seeds; ([0-9a-f]{32}); refused \[\]\n")


@pytest.mark.level("thorough")  # `test_protocol_page` has one play in each run
async def test_three_of_them_and_a_bot_play_a_game_that_starts_by_itself_and_the_table_ends(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(4) as lan:
        opened = ("host", "Rush", "--headless", "--start-with", "3", "--bots", "1", "--rounds", "2")
        quick = ("--speed", "instant", "--code", "amber-tulip")
        table = await person("table", lan, "h1", tmp_path, *opened, *quick)
        _, address = await table.reads(r"By address: sabtui join ([0-9.]+):([0-9]+)")
        await table.reads("^The game starts automatically once 3 people are ready.")
        program = (sys.executable, "-m", page_client.__name__, address[1], address[2])
        clients = [
            await lan.start(f"h{number}", *program, "amber-tulip", name)
            for number, name in enumerate(NAMES, 2)
        ]
        said = await asyncio.gather(*(client.rest() for client in clients))
        told = [ENDED.fullmatch(text) for text in said]
        assert all(told), said
        assert len({line[0].partition(";")[0] for line in told if line}) == 1, "they saw one end"
        assert await table.program.rest() == (
            "Ctrl+C stops it; sabtui host --resume Rush --headless --speed instant "
            "brings it back.\n"
        )
