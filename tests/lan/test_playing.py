"""Whole games at a LAN party: found by mDNS, heard by a sniffer, with a cable pulled.

Everything is the real program in lines, each at a laptop of its own, played by autopilots; what is
timed is printed.
"""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore, StoredCredentials
from tests.lan.lan import Lan, NewLan, within
from tests.lan.players import Player, person, sabtui

FOUND = 2.0
STARTED = 2.0
"""Seconds in which a program starts, beside a whole suite on two cores."""

BACK = 1.0
CABLE_OUT = 15.0

OVER = "^The game is over"
MOVED = "(laid|passed|broke|repaired|looked|brought)"
MOVED_SELF = f"^(You {MOVED}|Your map)"
CODE = "amber-tulip"


async def host(lan: Lan, home: Path, *more: str) -> Player:
    """Open a table for three on the first laptop, whose player's seat a bot plays."""
    arguments = ("host", "Rush", "--plain", "--autopilot", "--code", CODE, "--name", "Ann")
    program = await sabtui(lan, "h1", home, *arguments, "--players", "3", *more)
    ann = Player("Ann", program)
    await ann.reads("Room code: amber-tulip")
    return ann


async def join(lan: Lan, laptop: str, home: Path, name: str, *, in_time: bool = False) -> Player:
    """Join the table that is seen on the network, in time if that is asked; let a bot play."""
    arguments = ("join", "--plain", "--autopilot", "--code", CODE, "--name", name)
    begun = time.monotonic()
    player = await person(name, lan, laptop, home, *arguments)
    found, _ = await player.reads("^Joining")
    if in_time:
        within(STARTED + FOUND, f"found by {name}", begun, found)
    await player.reads("^Table: Rush")
    return player


async def three(
    lan: Lan, home: Path, *more: str, in_time: bool = False
) -> tuple[Player, Player, Player]:
    """Three at a table, which two have found, in time if that is asked; and the game begun."""
    ann = await host(lan, home / "ann", *more)
    ben = await join(lan, "h2", home / "ben", "Ben", in_time=in_time)
    cleo = await join(lan, "h3", home / "cleo", "Cleopatra", in_time=in_time)
    for name in ("Ben", "Cleopatra"):
        if f"{name} has joined" not in ann.said:
            await ann.reads(f"^{name} has joined")
    ann.says("start")
    await all_read("^The game begins", ann, ben, cleo)
    return ann, ben, cleo


async def all_read(pattern: str, *players: Player) -> None:
    """Wait until each has a line with this pattern."""
    await asyncio.gather(*(player.reads(pattern) for player in players))


@pytest.mark.needs("IPv6")
async def test_a_game_found_by_mdns_is_played_to_the_last_nugget_and_a_sniffer_learns_nothing(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3, "-4", "-6") as lan:
        capture = tmp_path / "capture.pcap"
        await lan.sniff(capture)
        ann, ben, cleo = await three(lan, tmp_path, "--rounds", "2", in_time=True)
        await all_read(OVER, ann, ben, cleo)
        assert len({await words_read(player) for player in (ann, ben, cleo)}) == 1
        secrets = secrets_of(tmp_path)
        ann.says("close")
        ann.says("yes")
        await all_read("closed the table", ben, cleo)
        caught = capture.read_bytes()
    assert b"Rush" in caught, "the table's name is told to everybody"
    assert [secret for secret in secrets if secret in caught] == []


async def words_read(player: Player) -> str:
    """The words of the round that a player reads, to say them to another."""
    three = "[a-z-]+ [a-z-]+ [a-z-]+"
    words = re.compile(rf"Six words to compare for round 1: ({three}, {three})")
    while (found := words.search(" ".join(player.said.split()))) is None:
        await player.reads("")  # they take a moment to compute, and may fill two lines
    return found[1]


def secrets_of(home: Path) -> list[bytes]:
    """What nobody may read on the wire: the code, keys, seeds, and the words of cards and roles."""
    seats = [kept.credentials for kept in stored_seats(home)]
    assert len(seats) == 3
    words = [b"amber-tulip", b"tulip", b"saboteur", b"miner", b"Cleopatra"]
    return [*words, *(credentials.key.secret for credentials in seats)]


def stored_seats(home: Path) -> list[StoredCredentials]:
    """The credentials of all players of a test."""
    folders = [home / name / "state" / "sabtui" / "seats" for name in ("ann", "ben", "cleo")]
    return [kept for folder in folders for kept in CredentialStore(folder).list_stored()]


async def test_a_cable_pulled_for_15_s_and_put_back_is_a_game_that_goes_on_within_1_s(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three(lan, tmp_path, "--absent", "wait", "--rounds", "1")
        await ben.reads("^(You|Ann|Cleopatra) ")
        await lan.run("cable", "h2", "out")
        await asyncio.sleep(CABLE_OUT)  # what is tested is this very time
        await lan.run("cable", "h2", "in")
        plugged = time.monotonic()
        back, _ = await ann.reads("^Ben is back")
        within(BACK, "back at the table", plugged, back)
        moved, _ = await cleo.reads(f"^Ben {MOVED}")
        within(BACK + 0.4, "and a move made", plugged, moved)  # a bot thinks for a moment
        await all_read(OVER, ann, ben, cleo)
