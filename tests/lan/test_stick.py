"""A stick for laptops without internet: what it installs where no route leads out is played.

It is what `make pyz PLATFORMS=here` makes, and needs an index.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lan.lan import HOUSE, NewLan
from tests.lan.players import Player
from tools.stick.targets import HERE


@pytest.mark.level("soak")
async def test_a_stick_as_it_is_made_is_played_without_a_route(
    new_lan: NewLan, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    made = [sys.executable, "-m", "tools.stick", str(stick), HERE]
    subprocess.run(made, cwd=HOUSE, check=True)  # noqa: ASYNC221, S603 - ourselves, nobody waits
    async with new_lan(3) as lan:

        async def run(laptop: str, name: str, *command: str) -> Player:
            places = (f"HOME={tmp_path / name}", f"XDG_STATE_HOME={tmp_path / name / 'state'}")
            path = f"PATH={Path(sys.executable).parent}:{os.environ['PATH']}"  # the wheels are its
            calm = ("env", f"--chdir={tmp_path}", *places, path, "PYTHONUNBUFFERED=1")
            return Player(name, await lan.start(laptop, *calm, *command))

        routes = await run("h1", "route", "ip", "route", "show", "default")
        assert await routes.program.rest() == ""
        installing = await run(
            "h1", "install", "sh", str(stick / "install.sh"), str(tmp_path / "here")
        )
        _, told = await installing.reads("^Sabtui is installed. Play: (.*)")
        same = ("--plain", "--autopilot", "--code", "amber-tulip", "--name")
        game = ("host", "Rush", "--players", "3", "--rounds", "1")
        ann = await run("h1", "Ann", told[1], *game, *same, "Ann")
        await ann.reads("Room code: amber-tulip")
        ben = await run("h2", "Ben", told[1], "join", *same, "Ben")
        cleo = await run("h3", "Cleo", told[1], "join", *same, "Cleo")
        await ann.reads("^Enter starts the game")
        ann.says("start")
        for player in (ann, ben, cleo):
            await player.reads("^The game is over")
        ann.says("close")
        ann.says("yes")
        await ben.reads("closed the table")
