"""Finding games on a real network: who sees what, and how soon (issue 3's bounds, in seconds)."""

import sys
import time
from pathlib import Path

import pytest

from tests.lan.lan import Lan, Program, seen

NewLan = type[Lan]

FOUND = 2.0
TRUE = 1.0
AT_ONCE = 0.5
LOST = 6.0
BACK = 2.0


async def table(lan: Lan, laptop: str, *arguments: str) -> tuple[Program, float, int]:
    """Open a table; when it was open, and its port."""
    program = await lan.module(laptop, "tests.lan.table", *arguments)
    opened, port = (await program.line()).split()
    return program, float(opened), int(port)


async def watch(lan: Lan, laptop: str) -> tuple[Program, float]:
    """Open a list; when it was open."""
    program = await lan.module(laptop, "tests.lan.watch")
    return program, float(await program.line())


async def told(program: Program, line: str) -> float:
    """Tell a table something; when it was done."""
    program.say(line)
    return float(await program.line())


def within(seconds: float, what: str, since: float, until: float) -> None:
    """Print how long something took, and fail if that is too long."""
    print(f"{what}: {until - since:.3f} s of {seconds}")  # noqa: T201 - the measured figure
    assert until - since <= seconds, what


@pytest.mark.parametrize(
    ("families", "address"),
    [
        (("-4",), "10.77.0.1:7341"),
        (("-6",), "[fd77::1]:7341"),
        (("-4", "-6"), "10.77.0.1:7341"),
    ],
    ids=["IPv4", "IPv6", "both"],
)
async def test_a_table_is_found_within_2_s_whichever_side_opens_first(
    new_lan: NewLan, families: tuple[str, ...], address: str
) -> None:
    async with new_lan(3, *families) as lan:  # without a default route, as all of these
        early, _ = await watch(lan, "h2")
        _, opened, _ = await table(lan, "h1", "Ana")
        found = await seen(early, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, list first", opened, found.at)
        late, looked = await watch(lan, "h3")
        found = await seen(late, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, table first", looked, found.at)


async def test_tables_of_one_name_are_told_apart_on_one_machine_and_on_one_network(
    new_lan: NewLan,
) -> None:
    async with new_lan(3, "-4", "-6") as lan:
        _, _, first = await table(lan, "h1", "Ana", "aaaa000000000001")
        _, _, second = await table(lan, "h1", "Ana", "bbbb000000000002")
        _, opened, third = await table(lan, "h2", "Ana", "cccc000000000003")
        assert (first, second, third) == (7341, 7342, 7341)
        for laptop in ("h1", "h3"):
            watcher, looked = await watch(lan, laptop)
            found = await seen(watcher, {"Ana (aaaa)", "Ana (bbbb)", "Ana (cccc)"})
            within(FOUND, f"three of one name, from {laptop}", max(looked, opened), found.at)
            assert {title: game["address"] for title, game in found.games.items()} == {
                "Ana (aaaa)": "10.77.0.1:7341",
                "Ana (bbbb)": "10.77.0.1:7342",
                "Ana (cccc)": "10.77.0.2:7341",
            }


async def test_two_tables_of_one_name_may_open_at_the_same_moment(new_lan: NewLan) -> None:
    async with new_lan(3) as lan:
        watcher, _ = await watch(lan, "h3")
        one = await lan.module("h1", "tests.lan.table", "Ana", "aaaa000000000001")
        two = await lan.module("h2", "tests.lan.table", "Ana", "bbbb000000000002")
        opened = max([float((await program.line()).split()[0]) for program in (one, two)])
        found = await seen(watcher, {"Ana (aaaa)", "Ana (bbbb)"})
        within(FOUND, "both found", opened, found.at)


async def test_the_player_count_is_true_within_1_s_again_and_again(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana"})
        for players in ("2", "3", "4", "5", "1"):
            changed = await told(host, f"players {players}")
            found = await seen(watcher, {"Ana"}, players=players)
            within(TRUE, f"{players} players", changed, found.at)


async def test_the_player_count_is_true_within_1_s_where_multicast_dies_meanwhile(
    new_lan: NewLan,
) -> None:
    async with new_lan(2, "-4", "-6") as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana"})
        await lan.run("mode", "nomcast")
        changed = await told(host, "players 4")
        found = await seen(watcher, {"Ana"}, players="4")
        within(TRUE, "4 players, by asking alone", changed, found.at)


async def test_a_goodbye_takes_a_table_off_the_list_at_once(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        await table(lan, "h1", "Bruno")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana", "Bruno"})
        left = await told(host, "leave")
        found = await seen(watcher, {"Bruno"})
        within(AT_ONCE, "gone by goodbye", left, found.at)


async def test_a_frozen_laptop_leaves_the_list_and_comes_back(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana"})
        frozen = time.monotonic()
        await lan.run("freeze", "h1", "on")
        found = await seen(watcher, set())
        within(LOST, "gone by silence", frozen, found.at)
        thawed = time.monotonic()
        await lan.run("freeze", "h1", "off")
        found = await seen(watcher, {"Ana"})
        within(BACK, "back", thawed, found.at)


async def test_a_pulled_cable_empties_the_list_and_fills_it_again(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2, "-4", "-6") as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana"})
        pulled = time.monotonic()
        await lan.run("cable", "h2", "out")
        found = await seen(watcher, set())
        within(LOST, "gone with the cable", pulled, found.at)
        capture = tmp_path / "wire.pcap"
        await lan.sniff(capture)
        await lan.run("cable", "h2", "in")
        plugged = time.monotonic()
        found = await seen(watcher, {"Ana"})
        within(BACK, "back", plugged, found.at)
        await told(host, "players 2")  # half a second later, the capture holds what was before
        await seen(watcher, {"Ana"}, players="2")
        assert b"SABT\x01A" in capture.read_bytes(), "a capture holds what crossed the bridge"


async def test_a_killed_table_leaves_the_list_and_its_resumed_self_is_found(
    new_lan: NewLan,
) -> None:
    async with new_lan(2) as lan:
        host, _, _ = await table(lan, "h1", "Ana", "aaaa000000000001")
        watcher, _ = await watch(lan, "h2")
        await seen(watcher, {"Ana"})
        killed = time.monotonic()
        await host.kill()
        found = await seen(watcher, set())
        within(LOST, "gone by silence", killed, found.at)
        _, opened, port = await table(lan, "h1", "Ana", "aaaa000000000001")
        assert port == 7341
        found = await seen(watcher, {"Ana"})
        within(FOUND, "found again", opened, found.at)


async def test_a_machine_without_any_network_finds_its_own_tables(new_lan: NewLan) -> None:
    async with new_lan(1) as lan:
        remove = await lan.start("h1", "ip", "link", "delete", "eth0")
        await remove.rest()
        early, _ = await watch(lan, "h1")
        _, opened, _ = await table(lan, "h1", "Ana")
        found = await seen(early, {"Ana"}, status="joinable", address="127.0.0.1:7341")
        within(FOUND, "found, list first", opened, found.at)
        late, looked = await watch(lan, "h1")
        found = await seen(late, {"Ana"}, status="joinable")
        within(FOUND, "found, table first", looked, found.at)


async def test_a_table_behind_a_firewall_is_listed_as_such(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        rules = "add table inet wall; add chain inet wall in { type filter hook input priority 0; }"
        for rule in (rules, "add rule inet wall in iifname eth0 udp dport 7341 drop"):
            wall = await lan.start("h1", "nft", rule)
            await wall.rest()
        _, opened, _ = await table(lan, "h1", "Ana")
        watcher, looked = await watch(lan, "h2")
        found = await seen(watcher, {"Ana"}, status="unreachable", players="1")
        within(FOUND, "listed as unreachable", max(opened, looked), found.at)
        await (await lan.start("h1", "nft", "delete table inet wall")).rest()
        await seen(watcher, {"Ana"}, status="joinable")


async def test_sabtui_games_writes_a_line_for_each_table(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        await table(lan, "h1", "Ana")
        await table(lan, "h1", "Bruno\x1b[31m")
        program = await lan.start(
            "h2",
            sys.executable,
            "-c",
            "import asyncio, sys; from sabtui.games import games;"
            "sys.exit(asyncio.run(games(2.0, sys.stdout)))",
        )
        lines = sorted((await program.rest()).splitlines())
        assert lines == [
            "Ana  10.77.0.1:7341  1/5 players  waiting for players",
            "Bruno[31m  10.77.0.1:7342  1/5 players  waiting for players",
        ]
