"""An evening over a LAN: games in a row at one table, which every program counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lan.lan import Lan
from tests.lan.players import Player, sabtui

NewLan = type[Lan]


# `tests/net/room/test_evening.py` plays one without a network in each run
@pytest.mark.level("thorough")
async def test_games_of_an_evening_are_counted(new_lan: NewLan, tmp_path: Path) -> None:
    async with new_lan(2) as lan:
        # A bot takes a second for each move, an autopilot none.
        new = ("--players", "3", "--bots", "1", "--rounds", "1", "--code", "amber-tulip")
        options = ("--plain", "--autopilot", "--name", "Ann")
        home = tmp_path / "ann"
        ann = Player("Ann", await sabtui(lan, "h1", home, "host", "Rush", *options, *new))
        await ann.reads("Room code: amber-tulip")
        asked = ("--plain", "--autopilot", "--code", "amber-tulip", "--name", "Ben")
        ben = Player("Ben", await sabtui(lan, "h2", tmp_path / "ben", "join", "Rush", *asked))
        await ann.reads("^Ben has joined")
        ann.says("start")
        await ann.reads("wins? the game|share the win")
        ann.says("again")
        for player in (ann, ben):
            await player.reads("^New game: everybody is ready. 1 game so far.")
        ann.says("start")
        for player in (ann, ben):
            await player.reads("^2 games so far.")
        ann.says("close")
        ann.says("y")
        for player in (ann, ben):
            await player.reads("won the evening")
