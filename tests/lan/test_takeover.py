"""Tables that go on without their host at a LAN party: killed, cut off, back again, outvoted."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore
from net.server.journal_listing import JournalInfo, list_journals
from tests.lan.finding import within
from tests.lan.lan import Lan
from tests.lan.players import NEW_HOST, Player, can_go_on, sabtui
from tests.lan.test_playing import CODE, MOVED, all_read, host, join, three
from tests.net.server.served_table import Guest
from tests.net.server.test_secrecy import (
    facts_of,
    files_in,
    hold_still,
    memory_of,
    secrets_in,
)

assert sys.platform != "win32"  # so that types know, too

NewLan = type[Lan]

GOES_ON = 8.0
"""Seconds in which play goes on, from the last word of the host."""

BACK = 6.0
"""Seconds in which a host that was away is at the table that went on."""

HANDED_OVER = 4.0

ASK_AGAIN_S = 0.2
"""Seconds between two tries of a host to hand over: who asks quicker is refused for that."""

SECRET_BYTES = 8
"""Bytes of a secret from which on it is found nowhere by chance."""


PAUSED = "^(The host|You) (has|have) paused the game"


def table_process(home: Path) -> int:
    """Return the process that runs the table of somebody with this home."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if b"sabtui.app.table_process" in command and f"HOME={home}\0".encode() in environment:
            return int(folder.name)
    raise AssertionError(f"no table runs at {home}")


@asynccontextmanager
async def three_at_table(
    new_lan: NewLan, folder: Path, laptops: int = 3
) -> AsyncIterator[tuple[Lan, Player, Player, Player]]:
    """Ann hosts, and plays with Ben and Cleopatra, each at a computer of their own."""
    async with new_lan(laptops) as lan:
        ann, ben, cleo = await three(lan, folder)
        await can_go_on(folder / "ben", folder / "cleo")
        yield lan, ann, ben, cleo


async def pause(host: Player, *others: Player) -> None:
    """Pause the game, so that it is not over before what is tried has happened."""
    host.says("pause")
    await all_read(PAUSED, host, *others)


async def play_on(host: Player, *others: Player) -> None:
    """End the pause, and see that each of these players makes a move."""
    host.says("go")
    await all_read("^The game goes on", host, *others)
    await all_read(f"^You {MOVED}", host, *others)


async def test_a_host_killed_in_mid_round_is_gone_on_without_and_a_watcher_follows(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with three_at_table(new_lan, tmp_path, 4) as (lan, ann, ben, cleo):
        await ben.reads(f"^You {MOVED}")
        await pause(ann, ben, cleo)
        arguments = ("join", "Rush", "--watch", "--plain", "--code", CODE, "--name", "Wim")
        wim = Player("Wim", await sabtui(lan, "h4", tmp_path / "wim", *arguments))
        await wim.reads("^Table: Rush")
        # A step counts once most programs have it: all have seen what was said after Wim came.
        ann.says("t Welcome, Wim")
        await all_read("Welcome, Wim", ann, ben, cleo, wim)
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        killed = time.monotonic()
        for player in (ann, ben, cleo, wim):
            went_on, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"gone on for {player.name}", killed, went_on)
        assert "Ben is the host now" in wim.said
        await ben.reads("^Room code: amber-tulip")
        await ben.reads("sabtui join 10.77.0.2")
        await play_on(ben, ann, cleo)


@pytest.mark.thorough  # the one killed before is gone on without in each run
async def test_a_host_whose_cable_is_out_is_gone_on_without_and_sits_down_when_it_is_back(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with three_at_table(new_lan, tmp_path) as (lan, ann, ben, cleo):
        await ben.reads(f"^You {MOVED}")
        await pause(ann, ben, cleo)
        await lan.run("cable", "h1", "out")
        pulled = time.monotonic()
        for player in (ben, cleo):
            went_on, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"gone on for {player.name}", pulled, went_on)
        await ann.reads("^More than half of the players are out of reach")
        await play_on(ben, cleo)
        await pause(ben, cleo)
        await lan.run("cable", "h1", "in")
        plugged = time.monotonic()
        back, _ = await ann.reads(NEW_HOST)
        within(BACK, "Ann is back at her own seat", plugged, back)
        await play_on(ben, ann)
        expect_finished(tmp_path / "ann")


@pytest.mark.thorough  # `test_computers` of the room has whose programs count
async def test_guests_at_the_hosts_computer_do_not_hold_up_those_who_go_on_without_it(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann = await host(lan, tmp_path / "ann", "--players", "5")
        dan = await join(lan, "h1", tmp_path / "dan", "Dan")
        eve = await join(lan, "h1", tmp_path / "eve", "Eve")
        ben = await join(lan, "h2", tmp_path / "ben", "Ben")
        cleo = await join(lan, "h3", tmp_path / "cleo", "Cleopatra")
        for name in ("Dan", "Eve", "Ben", "Cleopatra"):
            if f"{name} is ready" not in ann.said:
                await ann.reads(f"^{name} is ready")
        ann.says("start")
        await all_read("^The game begins", ann, ben, cleo, dan, eve)
        await can_go_on(tmp_path / "ben", tmp_path / "cleo")
        await lan.run("cable", "h1", "out")
        pulled = time.monotonic()
        for player in (ben, cleo):
            went_on, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"gone on for {player.name}", pulled, went_on)
            moved, _ = await player.reads(f"(You|Ann|Ben|Cleopatra|Dan|Eve) {MOVED}")
            within(GOES_ON, f"the first move for {player.name}", pulled, moved)
        await all_read("A bot made this move for (Ann|Dan|Eve)", ben, cleo)


@pytest.mark.thorough  # `test_takeover` of the client has two halves, without a network
async def test_the_smaller_half_of_a_network_waits_and_says_so(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with three_at_table(new_lan, tmp_path) as (lan, ann, ben, cleo):
        await cleo.reads(f"^You {MOVED}")
        await lan.run("cable", "h3", "out")
        await cleo.reads("^More than half of the players are out of reach")
        await all_read("A bot made this move for Cleopatra", ann, ben)
        await lan.run("cable", "h3", "in")
        await cleo.reads("^(The host is answering again|You are up to date)")
        assert "is the host now" not in cleo.said


async def hand_over(host: Player, name: str) -> float:
    """Hand the table over as soon as that player's program can take it; return when."""
    while True:
        asked = time.monotonic()
        host.says(f"host {name}")
        _, said = await host.reads(f"or not yet|{NEW_HOST}")
        if said[0] != "or not yet":
            return asked
        await asyncio.sleep(ASK_AGAIN_S)


@pytest.mark.thorough  # `test_succession` has a host that does, with real links
async def test_a_host_hands_the_table_over_without_waiting(new_lan: NewLan, tmp_path: Path) -> None:
    async with three_at_table(new_lan, tmp_path) as (_lan, ann, ben, cleo):
        await ben.reads(f"^You {MOVED}")
        await pause(ann, ben, cleo)
        asked = await hand_over(ann, "Cleopatra")
        await all_read(NEW_HOST, ben, cleo)
        for player in (ann, ben, cleo):
            went_on = next(at for at, line in player.lines if re.search(NEW_HOST, line))
            within(HANDED_OVER, f"handed over for {player.name}", asked, went_on)
        assert "You are the host now" in cleo.said
        await play_on(cleo, ann, ben)
        expect_finished(tmp_path / "ann")


@pytest.mark.thorough  # programs of `test_takeover_chaos` are restarted in the same way
async def test_a_game_goes_on_once_those_are_back_whose_laptops_died_with_the_hosts(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with three_at_table(new_lan, tmp_path) as (lan, ann, ben, cleo):
        await ben.reads(f"^You {MOVED}")
        for player in (ann, ben, cleo):
            player.program.signal("KILL")
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        arguments = ("join", "Rush", "--plain", "--autopilot", "--code", CODE, "--name")
        again = [
            Player(name, await sabtui(lan, laptop, tmp_path / home, *arguments, name))
            for name, laptop, home in (("Ben", "h2", "ben"), ("Cleopatra", "h3", "cleo"))
        ]
        await all_read(f"^You {MOVED}", *again)


@pytest.mark.thorough  # `test_succession` has a program that finds it, restarted
async def test_a_host_whose_laptop_died_finds_the_table_where_it_went_on(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with three_at_table(new_lan, tmp_path) as (lan, ann, ben, cleo):
        await ben.reads(f"^You {MOVED}")
        await pause(ann, ben, cleo)
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        await ann.program.kill()
        await all_read(NEW_HOST, ben, cleo)
        arguments = ("host", "--resume", "--plain", "--autopilot")
        again = Player("Ann", await sabtui(lan, "h1", tmp_path / "ann", *arguments))
        await all_read("^Ann is back", ben, cleo)
        await play_on(ben, again)
        await all_read(f"^Ann {MOVED}", ben, cleo)
        expect_finished(tmp_path / "ann")


@pytest.mark.thorough  # `test_standbys` and `test_election` have whom nobody reaches
@pytest.mark.needs("nft")
async def test_who_lets_nobody_in_is_told_so_beforehand_and_passed_over(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        await lan.run("firewall", "h2")
        ann, ben, cleo = await three(lan, tmp_path)
        await pause(ann, ben, cleo)
        await ben.reads("^The host cannot connect to your computer")
        await ann.reads("^The host cannot connect to Ben's computer")
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        killed = time.monotonic()
        for player in (ann, ben, cleo):
            went_on, _ = await player.reads("(Cleopatra is the host now|You are the host now)")
            within(GOES_ON, f"gone on for {player.name}", killed, went_on)
        await play_on(cleo, ann, ben)


@pytest.mark.thorough  # as a cable pulled out where there is IPv4
@pytest.mark.needs("IPv6")
async def test_a_table_goes_on_where_there_is_no_ipv4(new_lan: NewLan, tmp_path: Path) -> None:
    async with new_lan(3, "-6") as lan:
        ann, ben, cleo = await three(lan, tmp_path)
        await can_go_on(tmp_path / "ben", tmp_path / "cleo")
        await ben.reads(f"^You {MOVED}")
        await pause(ann, ben, cleo)
        await lan.run("cable", "h1", "out")
        pulled = time.monotonic()
        for player in (ben, cleo):
            went_on, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"gone on for {player.name}", pulled, went_on)
        await play_on(ben, cleo)
        await pause(ben, cleo)
        await lan.run("cable", "h1", "in")
        await ann.reads(NEW_HOST)
        await play_on(ben, ann)


@pytest.mark.thorough  # `test_secrecy` of the server searches each kind of process in each run
async def test_no_file_command_line_or_other_program_holds_a_secret_of_a_table_that_went_on(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = players = await three(lan, tmp_path)
        await can_go_on(tmp_path / "ben", tmp_path / "cleo")
        await ben.reads(f"^You {MOVED}")
        await pause(*players)
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        await all_read(NEW_HOST, *players)
        await play_on(ben, ann, cleo)
        await pause(ben, ann, cleo)
        table = table_process(tmp_path / "ben")
        homes = {name: tmp_path / name for name in ("ann", "ben", "cleo")}
        (journal,) = (homes["ben"] / "state" / "sabtui" / "tables").glob("*t1.table")
        with hold_still(table):
            sealed = secrets_in(journal, tmp_path, [*map(seat_of, homes.values())])
            readable = {f"files of {name}": files_in(home) for name, home in homes.items()}
            assert all(any(home.rglob("*.copy")) for home in homes.values()), "copies of the log"
            readable["the table's command line"] = facts_of(table)
            for player in players:
                program = player.program.pid
                readable[f"{player.name}'s command line"] = facts_of(program)
                if os.geteuid() == 0:  # the program of each player, which could host the table
                    readable[f"{player.name}'s memory"] = memory_of(program)
            if os.geteuid() == 0:
                inside = memory_of(table)
                assert any(secret in inside for secret in sealed.secrets), "it can be found"
    assert sealed.keys
    secrets = {secret for secret in sealed.secrets if len(secret) >= SECRET_BYTES}
    assert len(secrets) > len(sealed.keys) + 3, "seeds and moves"
    found = [(where, one) for one in secrets for where, text in readable.items() if one in text]
    assert found == []


def seat_of(home: Path) -> Guest:
    """The only seat of somebody with this home."""
    (kept,) = CredentialStore(home / "state" / "sabtui" / "seats").list_stored()
    return Guest(kept.credentials.name, 0, kept.credentials.key)


def expect_finished(home: Path) -> None:
    """Expect that no table of somebody with this home can be brought back."""
    journals = list_journals(home / "state" / "sabtui" / "tables")
    assert [one.finished for one in journals if isinstance(one, JournalInfo)] == [True]
