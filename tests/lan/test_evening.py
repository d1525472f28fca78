"""An evening over a LAN: games in a row at two tables, counted together at a laptop of its own."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.lan.lan import Lan
from tests.lan.players import Player, sabtui

NewLan = type[Lan]

CODE = "amber-tulip"
COUNTED = r"^The evening: [1-3] of 3 games played"


async def open_table(lan: Lan, laptop: str, home: Path, title: str, host: str) -> Player:
    """Open a table of an evening for three, with one bot, whose host's seat an autopilot plays."""
    # A bot takes a second for each move, an autopilot none.
    seats = ("--players", "3", "--bots", "1", "--rounds", "1", "--code", CODE)
    evening = ("--evening", "3", "--evening-name", "club", "--name", host)
    arguments = ("host", title, "--plain", "--autopilot", *seats, *evening)
    player = Player(host, await sabtui(lan, laptop, home, *arguments))
    await player.reads("Room code: amber-tulip")
    return player


async def join(lan: Lan, laptop: str, home: Path, title: str, name: str) -> Player:
    """Join a table, and let an autopilot play."""
    arguments = ("join", title, "--plain", "--autopilot", "--code", CODE, "--name", name)
    return Player(name, await sabtui(lan, laptop, home, *arguments))


async def next_game(host: Player, *others: Player) -> None:
    """Play the next game to its end; everybody reads how far the evening is."""
    host.says("start")
    for player in (host, *others):
        await player.reads(COUNTED)


@pytest.mark.thorough  # `test_evenings` has two tables on one machine in each run
async def test_two_tables_of_an_evening_are_counted_together_by_who_has_no_seat_at_either(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(5) as lan:
        ann = await open_table(lan, "h1", tmp_path / "ann", "Rush", "Ann")
        dora = await open_table(lan, "h2", tmp_path / "dora", "Mine", "Dora")
        ben = await join(lan, "h3", tmp_path / "ben", "Rush", "Ben")
        await join(lan, "h5", tmp_path / "eva", "Mine", "Eva")
        await ann.reads("^Ben is ready")
        await dora.reads("^Eva is ready")
        await asyncio.gather(next_game(ann, ben), next_game(dora))
        ann.says("again")
        await ben.reads("^New seats were drawn: you are in seat")
        asked = ("standings", "--evening", "club")
        zoe = await sabtui(lan, "h4", tmp_path / "zoe", *asked)
        told = await zoe.rest()
        assert told.startswith("2 finished games.\n"), told
        games = dict(re.findall(r"^(\w+) +(\d) ", told, re.MULTILINE))
        assert (games["Ann"], games["Ben"], games["Dora"]) == ("1", "1", "1")
        assert "Mine (1 game) and Rush (1 game)." in told
        other = await sabtui(lan, "h4", tmp_path / "zoe", "standings", "--evening", "chess")
        assert "No table has sent its results yet." in await other.rest()
