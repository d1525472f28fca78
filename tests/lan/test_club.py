"""A club at a LAN party: found by mDNS, two tables at once, killed and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lan.lan import Lan, NewLan, Program
from tests.lan.players import Player, person, sabtui
from tests.lan.test_playing import CODE, all_read


async def club(lan: Lan, home: Path) -> Program:
    """Run the club on the first laptop."""
    program = await sabtui(lan, "h1", home / "club", "club", "The Nugget", "--code", CODE)
    await Player("club", program).reads("Ctrl.C stops it")
    return program


async def come(lan: Lan, laptop: str, home: Path, name: str) -> Player:
    """Join the club that is seen on the network."""
    words = ("join", "--plain", "--code", CODE, "--name", name)
    player = await person(name, lan, laptop, home / name, *words)
    await player.reads("^Joining")
    await player.reads(rf"^The Nugget: {name} \(you\)")
    return player


@pytest.mark.level("thorough")  # `test_tables` of the server kills one
async def test_a_club_is_killed_and_brought_back_with_its_games(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(5) as lan:
        program = await club(lan, tmp_path)
        people = [
            await come(lan, laptop, tmp_path, name)
            for laptop, name in (("h2", "Ben"), ("h3", "Cleo"), ("h4", "Dan"), ("h5", "Eve"))
        ]
        ben, cleo, dan, eve = people
        eve.says("new Quiet Mine")
        await eve.reads("^Table: Quiet Mine")
        ben.says("new Deep Mine")
        await ben.reads("^Table: Deep Mine")
        for player in (cleo, dan):
            await player.reads("^2 Deep Mine")
            player.says("2")
            await player.reads("^Table: Deep Mine")
        for player in (ben, cleo, dan):
            player.says("auto")
        for name in ("Cleo", "Dan"):
            if f"{name} has joined" not in ben.said:
                await ben.reads(f"^{name} has joined")
        ben.says("start")
        await all_read("^The game begins", ben, cleo, dan)
        await program.kill()
        again = await club(lan, tmp_path)
        await all_read("^(You|Ben|Cleo|Dan) (laid|passed|broke|repaired|looked|brought)", ben, cleo)
        await eve.reads("^(The host is answering again|You are up to date)")
        eve.says("quit")
        eve.says("yes")
        await eve.reads("^1 Quiet Mine")
        await again.kill()
