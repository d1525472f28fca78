"""An evening over a LAN: games in a row at one table, with seats drawn anew for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lan.lan import Lan
from tests.lan.players import Player, sabtui

NewLan = type[Lan]

COUNTED = r"^Series: [1-3] of 3 games played"


@pytest.mark.thorough  # `tests/net/room/test_evening.py` plays one without a network in each run
async def test_games_of_an_evening_are_counted_and_seats_are_drawn_anew(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        # A bot takes a second for each move, an autopilot none.
        seats = ("--players", "3", "--bots", "1", "--rounds", "1", "--code", "amber-tulip")
        options = ("--plain", "--autopilot", "--series", "3", "--name", "Ann")
        home = tmp_path / "ann"
        ann = Player("Ann", await sabtui(lan, "h1", home, "host", "Rush", *options, *seats))
        await ann.reads("Room code: amber-tulip")
        options = ("--plain", "--autopilot", "--code", "amber-tulip", "--name", "Ben")
        ben = Player("Ben", await sabtui(lan, "h2", tmp_path / "ben", "join", "Rush", *options))
        await ann.reads("^Ben is ready")
        ann.says("start")
        for player in (ann, ben):
            await player.reads(COUNTED)
        ann.says("again")
        for player in (ann, ben):
            await player.reads("^Seats were drawn again. You are in seat")
