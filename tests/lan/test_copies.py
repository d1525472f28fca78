"""Two copies of one table: nobody goes back to the older one, and nobody's table is taken."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.lan.lan import HOUSE, PATIENCE, Lan, NewLan, signal_to
from tests.lan.players import (
    CODE,
    LOOK_AGAIN_S,
    MOVED_SELF,
    NEW_HOST,
    OLDER,
    SILENT,
    Player,
    all_read,
    homes,
    join,
    pause,
    person,
    table_processes,
    three,
)

STAYS_S = 8.0
"""Seconds in which a program would have gone to another copy: it looks for one at once."""


async def headless(lan: Lan, home: Path, people: int, bots: int = 0) -> Player:
    """Open a table that nobody's program hosts, on the first laptop."""
    game = (
        "--players",
        "3",
        "--bots",
        str(bots),
        "--start-with",
        str(people),
        "--speed",
        "instant",
    )
    ann = await person("Ann", lan, "h1", home, "host", "Rush", "--headless", "--code", CODE, *game)
    await ann.reads("Room code: amber-tulip")
    return ann


def said_after(player: Player, lines: int) -> str:
    """What somebody's program has printed after so many lines."""
    return "\n".join(line for _, line in player.lines[lines:])


async def test_nobody_goes_back_to_a_headless_table_that_was_cut_off_and_it_ends(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(4) as lan:
        ann = await headless(lan, tmp_path / "ann", 3)
        names = ("Ben", "Cleo", "Dov")
        people = [
            await join(lan, f"h{at}", tmp_path / name, name) for at, name in enumerate(names, 2)
        ]
        ben, *others = people
        await all_read("^The game begins", *people)
        await ben.reads(MOVED_SELF)
        await lan.run("cable", "h1", "out")
        await all_read(SILENT, *people)
        ben.says("go-on")
        await all_read(NEW_HOST, *people)
        await ben.reads(MOVED_SELF)
        await lan.run("cable", "h2", "out")
        await lan.run("cable", "h1", "in")
        await all_read(SILENT, *others)
        for other in others:
            other.says("board")  # nobody is moved meanwhile, so the table still waits
        await asyncio.sleep(STAYS_S)
        await lan.run("cable", "h2", "in")
        for _ in range(2):
            await all_read(MOVED_SELF, *people)
        await ann.reads(r"^The table goes on at 10\.77\.0\.2:\d+ now")
        await ann.program.rest()
        assert not [player.name for player in people if re.search(OLDER, player.said)]


@pytest.mark.parametrize("hosts", [True, False], ids=["the host's program", "headless"])
async def test_somebody_who_pulls_their_own_cable_takes_nobody_from_a_table_that_runs(
    new_lan: NewLan,
    tmp_path: Path,
    hosts: bool,  # noqa: FBT001 - a parameter
) -> None:
    async with new_lan(3) as lan:
        ann = await headless(lan, tmp_path / "ann", 2, bots=1)
        mal = await join(lan, "h2", tmp_path / "mal", "Mal")
        home = tmp_path / ("ann" if hosts else "hana")
        hana = await person(
            *("Hana", lan, "h1" if hosts else "h3", home, "join", "--plain", "--autopilot"),
            *(("--code", CODE, "--name", "Hana") if not hosts else ()),
        )
        await all_read("^The game begins", mal, hana)
        await hana.reads(MOVED_SELF)
        await lan.run("cable", "h2", "out")
        await mal.reads(SILENT)
        mal.says("go-on")
        await mal.reads("^You are the host now")
        await lan.run("cable", "h2", "in")
        await hana.reads("^The table also runs at Mal's computer. go-over takes you there")
        lines = len(hana.lines)
        await asyncio.sleep(STAYS_S)
        hana.says("t still here")
        await hana.reads('still here"$')
        assert not re.search(f"{NEW_HOST}|{OLDER}", said_after(hana, lines))
        assert ann.program.is_running
        hana.says("go-over")
        await hana.reads("Mal is the host now")
        await ann.reads("^The table goes on at")


async def test_a_table_that_wakes_after_its_hosts_program_ends(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three(lan, tmp_path)
        await ben.reads(MOVED_SELF)
        (table,) = table_processes(tmp_path / "ann")
        for process in (table, ann.program.pid):
            signal_to(process, "STOP")
        await all_read(SILENT, ben, cleo)
        ben.says("go-on")
        await all_read(NEW_HOST, ben, cleo)
        signal_to(ann.program.pid, "CONT")
        await ann.reads("Ben is the host now")
        before = {player.name: len(player.lines) for player in (ben, cleo)}
        signal_to(table, "CONT")
        async with asyncio.timeout(PATIENCE):
            while table_processes(tmp_path / "ann"):  # noqa: ASYNC110 - others'
                await asyncio.sleep(LOOK_AGAIN_S)
        # A step on its way when the host froze may be lost at the move itself; none may be later.
        for player in (ben, cleo):
            assert not re.search(OLDER, said_after(player, before[player.name])), player.name


THIEF = """
from net.client.remote import RemoteSession
from net.client import remote
from net.protocol import CopyRank
from net.room.room import Room

remote.next_term = lambda term, seat: term + 500

async def steal(self):
    import asyncio
    while True:
        await asyncio.sleep(0.05)
        lobby = self.status.lobby
        if lobby is not None and lobby.handing and self._opening is None:
            print("Stealing", flush=True)
            self._opening = asyncio.ensure_future(self._go_on_here())

RemoteSession._search_loop = steal
Room.rank = property(lambda room: CopyRank(True, 120, room.lobby.term or 500))
"""
"""A changed program of a guest, and of the table at their computer."""


async def test_during_a_handover_nobody_goes_to_another_guest_whatever_they_claim(
    new_lan: NewLan, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(THIEF)
    async with new_lan(3) as lan:
        ann = await person(
            *("Ann", lan, "h1", tmp_path / "ann", "host", "Rush", "--plain", "--autopilot"),
            *("--code", CODE, "--name", "Ann", "--players", "3"),
        )
        await ann.reads("Room code: amber-tulip")
        ben = await join(lan, "h2", tmp_path / "ben", "Ben")
        changed = f"PYTHONPATH={tmp_path}:{HOUSE}"
        words = ("join", "--plain", "--autopilot", "--code", CODE, "--name", "Mal")
        command = (*homes(tmp_path / "mal"), changed, "PYTHONUNBUFFERED=1", sys.executable)
        mal = Player("Mal", await lan.start("h3", "env", *command, "-m", "sabtui", *words))
        await mal.reads("^Table: Rush")
        await ann.reads("^Mal has joined")
        ann.says("start")
        await all_read("^The game begins", ann, ben, mal)
        await pause(ann, ben, mal)
        ann.says("give-host Ben")
        await ben.reads("go-on")
        ben.says("go-on")
        await mal.reads("^Stealing")
        await all_read("Ben is the host now|^You are the host now", ann, ben)
        assert not re.search("Mal is the host", ann.said + ben.said)
