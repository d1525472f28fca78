"""Whole games at a LAN party, also as a table goes on at another computer.

Everything is the real program in lines, each at a laptop of its own, played by autopilots; what is
timed is printed.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import sys
import time
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore, StoredCredentials
from tests.lan.lan import Lan, NewLan, signal_to, within
from tests.lan.players import (
    ALSO_AT,
    MOVED,
    MOVED_SELF,
    NEW_HOST,
    OVER,
    SILENT,
    Player,
    all_read,
    homes,
    pause,
    person,
    table_processes,
    three,
)

BACK = 1.0
CABLE_OUT = 15.0


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
    """The words of the last round that a player asks for, to say them to another."""
    three = "[a-z-]+ [a-z-]+ [a-z-]+"
    words = re.compile(rf"Six words to compare for round 2: ({three}, {three})")
    player.says("fair")
    while (found := words.search(" ".join(player.said.split()))) is None:
        await player.reads("")  # they may fill two lines
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


# Tables that go on at another computer, out of what their seats know.

ELSEWHERE = r"The table goes on at [\d.]+:\d+"
GOES_ON = 5.0
"""Seconds from the typed word to a move that is possible."""


def kill_table(home: Path) -> None:
    """Kill the table of somebody with this home."""
    (process,) = table_processes(home)
    signal_to(process, "KILL")


async def hand_of(player: Player) -> list[str]:
    """Return the lines of a player's hand."""
    player.says("hand")
    await player.reads("^ 1 ")
    player.says("t mark")
    await player.reads('mark"$')
    lines = [line for _, line in player.lines]
    last = max(at for at, line in enumerate(lines) if line.startswith(" 1 "))
    found: list[str] = []
    for line in lines[last:]:
        if not re.match(r"^ ?\d+ ", line):
            break
        found.append(line.strip())
    return found


async def hands_of(*players: Player) -> list[list[str]]:
    """Return the lines of all hands."""
    return [await hand_of(player) for player in players]


async def three_in_pause(lan: Lan, home: Path) -> tuple[Player, Player, Player]:
    """Three in a game that is paused, with the host first."""
    ann, ben, cleo = await three(lan, home, "--rounds", "1")
    await ben.reads(MOVED_SELF)
    await pause(ann, ben, cleo)
    return ann, ben, cleo


async def play_on(host: Player, *others: Player) -> None:
    """Let the game go on, and see everybody's own move."""
    host.says("go")
    await all_read("^The game goes on", host, *others)
    await all_read(MOVED_SELF, host, *others)


async def test_a_table_whose_host_is_killed_goes_on_with_all_cards_at_one_computer_after_the_other(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three_in_pause(lan, tmp_path)
        before = await hands_of(ann, ben, cleo)
        kill_table(tmp_path / "ann")
        await all_read(SILENT, ben, cleo)
        begun = time.monotonic()
        cleo.says("go-on")
        for player in (cleo, ben, ann):
            when, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"{player.name} is at the new host", begun, when)
        assert before == await hands_of(ann, ben, cleo)
        kill_table(tmp_path / "cleo")
        await ben.reads(SILENT)
        ben.says("go-on")
        await all_read(NEW_HOST, ann, ben, cleo)
        assert before == await hands_of(ann, ben, cleo)
        await play_on(ben, ann, cleo)
        await all_read("^The game is over", ann, ben, cleo)


async def test_a_host_who_was_cut_off_waits_alone_and_plays_on_at_the_new_host(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three(lan, tmp_path)
        await ben.reads(MOVED_SELF)
        await lan.run("cable", "h1", "out")
        await all_read(SILENT, ben, cleo)
        ben.says("go-on")
        await all_read(NEW_HOST, ben, cleo)
        await pause(ben, cleo)
        moves = [line for _, line in ann.lines if re.search(MOVED, line)]
        await lan.run("cable", "h1", "in")
        await ann.reads(ALSO_AT)
        ann.says("go-over")
        begun = time.monotonic()
        when, _ = await ann.reads("Ben is the host now")
        within(GOES_ON, "Ann is at the new host", begun, when)
        assert not re.search("Round 2|won round", ann.said)
        assert len(moves) <= 60
        await play_on(ben, ann, cleo)


async def test_a_host_who_wants_to_leave_gives_the_table_to_a_player_at_once(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three_in_pause(lan, tmp_path)
        before = await hands_of(ann, ben, cleo)
        ann.says("give-host Ben")
        await ben.reads("go-on")
        begun = time.monotonic()
        ben.says("go-on")
        for player in (ben, cleo, ann):
            when, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"{player.name} is at the new host", begun, when)
        assert before == await hands_of(ann, ben, cleo)
        await play_on(ben, ann, cleo)


async def test_a_host_who_brings_the_table_back_is_asked_to_join_it_where_it_goes_on(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three_in_pause(lan, tmp_path)
        before = await hands_of(ben, cleo)
        ann.says("quit")
        ann.says("yes")
        await all_read("^Ann left for now", ben, cleo)
        kill_table(tmp_path / "ann")
        await all_read(SILENT, ben, cleo)
        ben.says("go-on")
        await all_read(NEW_HOST, ben, cleo)
        resume = ("host", "--resume", "Rush")
        command = shlex.join([sys.executable, "-m", "sabtui", *resume, "--headless"])
        line = f"{command} 2>&1; echo code $?"
        headless = await lan.start("h1", "env", *homes(tmp_path / "ann"), "sh", "-c", line)
        told = Player("Ann", headless)
        await told.reads(f"^sabtui: {ELSEWHERE} now: join it there")
        await told.reads("^code 1$")
        ann = await person("Ann", lan, "h1", tmp_path / "ann", *resume, "--plain")
        await ann.reads(r"^The table is now at [\d.]+:\d+\. Join it there")
        ann.says("")
        await ann.reads("^Table: Rush")
        await all_read("^Ann is back", ben, cleo)
        assert before == await hands_of(ben, cleo)
        await hand_of(ann)
