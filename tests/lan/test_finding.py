"""Finding games on a real network, also a rough one: who sees what, and how soon.

Bounds are those of issues 3 and 5, in seconds. Nobody has a default route.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from tests.lan.lan import PROGRAMS, Lan, NewLan, Program, within
from tests.lan.players import person

FOUND = 2.0
TRUE = 1.0
AT_ONCE = 0.5
LOST = 6.0
BACK = 2.0
WITHOUT_MULTICAST = FOLLOWED = ALL_LISTED = 3.0


class Seen:
    """A line of `tests.lan.watch`: when it was printed, and the games by title."""

    def __init__(self, line: str) -> None:
        told = json.loads(line)
        self.at = float(told["at"])
        self.games: dict[str, dict[str, str]] = told["games"]


async def wait_for_list(watcher: Program, titles: set[str], **texts: str) -> Seen:
    """Read lists until one has exactly these titles, with these facts told of each."""
    while True:
        latest = Seen(await watcher.line())
        facts = [
            game.get(key) == value for game in latest.games.values() for key, value in texts.items()
        ]
        if set(latest.games) == titles and all(facts):
            return latest


async def table(lan: Lan, laptop: str, *arguments: str) -> tuple[Program, float, int]:
    """Open a table; when it was open, and its port."""
    program = await lan.module(laptop, PROGRAMS, "table", *arguments)
    opened, port = (await program.line()).split()
    return program, float(opened), int(port)


async def watch(lan: Lan, laptop: str) -> tuple[Program, float]:
    """Open a list; when it was open."""
    program = await lan.module(laptop, PROGRAMS, "watch")
    return program, float(await program.line())


async def command_table(program: Program, line: str) -> float:
    """Tell a table something; when it was done."""
    program.say(line)
    return float(await program.line())


async def on(lan: Lan, laptop: str, *command: str) -> None:
    """Run a command on a laptop to its end."""
    await lan.run("on", laptop, *command)


async def wall(lan: Lan, laptop: str, *what: str, how: str = "drop") -> None:
    """Let a laptop's firewall drop, or reject, what comes to these, such as `udp dport 7341`."""
    chain = "add chain inet wall in { type filter hook input priority 0; }"
    rules = [f"add rule inet wall in iifname eth0 {each} {how}" for each in what]
    await on(lan, laptop, "nft", "; ".join(["add table inet wall", chain, *rules]))


async def mute(lan: Lan, laptop: str) -> None:
    """Keep a laptop from calling, so that it finds by mDNS alone."""
    chain = "add chain inet mute out { type filter hook output priority 0; }"
    rule = "add rule inet mute out fib daddr type broadcast drop"
    await on(lan, laptop, "nft", f"add table inet mute; {chain}; {rule}")


@pytest.mark.needs("IPv6")
async def test_a_table_is_found_within_2_s_by_ipv6_alone_whichever_side_opens_first(
    new_lan: NewLan,
) -> None:
    address = "[fd77::1]:7341"
    async with new_lan(3, "-6") as lan:  # without a default route, as all of these
        early, _ = await watch(lan, "h2")
        _, opened, _ = await table(lan, "h1", "Ana")
        found = await wait_for_list(early, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, list first", opened, found.at)
        late, looked = await watch(lan, "h3")
        found = await wait_for_list(late, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, table first", looked, found.at)


@pytest.mark.needs("IPv6")
async def test_a_table_that_is_found_printed_no_error_whatever_its_interfaces_take(
    new_lan: NewLan, tmp_path: Path
) -> None:
    errors = tmp_path / "errors"
    async with new_lan(2, "-4", "-6") as lan:
        watcher, _ = await watch(lan, "h2")
        opened = (sys.executable, "-m", "sabtui", "host", "Rush", "--headless", "--open")
        place = ("env", f"XDG_STATE_HOME={tmp_path}", f"XDG_CONFIG_HOME={tmp_path}")
        await lan.start("h1", *place, "sh", "-c", 'exec "$@" 2>"$0"', str(errors), *opened)
        await wait_for_list(watcher, {"Rush"}, status="joinable")
    assert errors.read_text(encoding="utf-8") == ""


async def test_two_tables_of_one_name_may_open_at_the_same_moment(new_lan: NewLan) -> None:
    async with new_lan(3) as lan:
        watcher, _ = await watch(lan, "h3")
        one = await lan.module("h1", PROGRAMS, "table", "Ana", "aaaa000000000001")
        two = await lan.module("h2", PROGRAMS, "table", "Ana", "bbbb000000000002")
        opened = max([float((await program.line()).split()[0]) for program in (one, two)])
        found = await wait_for_list(watcher, {"Ana (aaaa)", "Ana (bbbb)"})
        within(FOUND, "both found, list first", opened, found.at)
        late, looked = await watch(lan, "h3")
        found = await wait_for_list(late, {"Ana (aaaa)", "Ana (bbbb)"}, status="joinable")
        within(FOUND, "both found, tables first", looked, found.at)


@pytest.mark.needs("IPv6", "nft")
async def test_the_player_count_is_true_within_1_s_again_and_again_and_where_multicast_has_died(
    new_lan: NewLan,
) -> None:
    async with new_lan(2, "-4", "-6") as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await wait_for_list(watcher, {"Ana"})
        for players in ("2", "3", "5", "1"):
            changed = await command_table(host, f"players {players}")
            found = await wait_for_list(watcher, {"Ana"}, players=players)
            within(TRUE, f"{players} players", changed, found.at)
        await lan.run("mode", "nomcast")
        changed = await command_table(host, "players 4")
        found = await wait_for_list(watcher, {"Ana"}, players="4")
        within(TRUE, "4 players, by asking alone", changed, found.at)


@pytest.mark.needs("nft")
async def test_a_goodbye_takes_a_table_off_the_list_at_once(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        await mute(lan, "h2")
        host, _, _ = await table(lan, "h1", "Ana")
        await table(lan, "h1", "Bruno")
        watcher, _ = await watch(lan, "h2")
        await wait_for_list(watcher, {"Ana", "Bruno"})
        left = await command_table(host, "leave")
        found = await wait_for_list(watcher, {"Bruno"})
        within(AT_ONCE, "gone by goodbye", left, found.at)


@pytest.mark.needs("IPv6", "nft")
async def test_silence_takes_tables_off_the_list_and_their_first_answer_brings_them_back(
    new_lan: NewLan,
) -> None:
    """A frozen laptop, a killed table and a pulled cable, all in one evening."""
    async with new_lan(4, "-4", "-6") as lan:
        await table(lan, "h1", "Ana")
        bruno, _, _ = await table(lan, "h2", "Bruno", "bbbb000000000002")
        (there, _), (cut_off, _) = await watch(lan, "h3"), await watch(lan, "h4")
        for watcher in (there, cut_off):
            await wait_for_list(watcher, {"Ana", "Bruno"})
        silent = time.monotonic()
        await lan.run("cable", "h4", "out")
        await bruno.kill()
        await lan.run("freeze", "h1", "on")
        for watcher, why in ((there, "by silence"), (cut_off, "with the cable")):
            found = await wait_for_list(watcher, set())
            within(LOST, f"gone {why}", silent, found.at)
        again = time.monotonic()
        await lan.run("cable", "h4", "in")
        await lan.run("freeze", "h1", "off")
        _, opened, port = await table(lan, "h2", "Bruno", "bbbb000000000002")
        assert port == 7341
        for watcher in (there, cut_off):
            found = await wait_for_list(watcher, {"Ana", "Bruno"})
            within(BACK, "back", max(again, opened), found.at)


async def test_a_machine_without_any_network_finds_its_own_tables(new_lan: NewLan) -> None:
    async with new_lan(1) as lan:
        remove = await lan.start("h1", "ip", "link", "delete", "eth0")
        await remove.rest()
        early, _ = await watch(lan, "h1")
        _, opened, _ = await table(lan, "h1", "Ana")
        found = await wait_for_list(early, {"Ana"}, status="joinable", address="127.0.0.1:7341")
        within(FOUND, "found, list first", opened, found.at)
        late, looked = await watch(lan, "h1")
        found = await wait_for_list(late, {"Ana"}, status="joinable")
        within(FOUND, "found, table first", looked, found.at)


@pytest.mark.needs("IPv6", "nft")
async def test_where_multicast_is_eaten_tables_are_found_within_3_s_by_calls(
    new_lan: NewLan,
) -> None:
    async with new_lan(4, "-4", "-6") as lan:
        await lan.run("mode", "nomcast")
        await on(lan, "h4", "ip", "link", "set", "eth0", "multicast", "off")
        early, _ = await watch(lan, "h3")
        ana, first, _ = await table(lan, "h1", "Ana")
        _, second, _ = await table(lan, "h1", "Bruno")
        _, third, _ = await table(lan, "h4", "Chiara")
        found = await wait_for_list(early, {"Ana", "Bruno", "Chiara"}, status="joinable")
        within(WITHOUT_MULTICAST, "found, list first", max(first, second, third), found.at)
        assert {title: game["address"] for title, game in found.games.items()} == {
            "Ana": "10.77.0.1:7341",
            "Bruno": "10.77.0.1:7342",
            "Chiara": "10.77.0.4:7341",
        }
        late, looked = await watch(lan, "h2")
        found = await wait_for_list(late, {"Ana", "Bruno", "Chiara"}, status="joinable")
        within(WITHOUT_MULTICAST, "found, table first", looked, found.at)
        changed = await command_table(ana, "players 4")
        while found.games["Ana"]["players"] != "4":
            found = await wait_for_list(late, {"Ana", "Bruno", "Chiara"})
        within(TRUE, "4 players", changed, found.at)


async def test_addresses_that_change_are_followed_on_both_sides_even_by_who_slept_meanwhile(
    new_lan: NewLan,
) -> None:
    async with new_lan(3) as lan:
        ana, _, _ = await table(lan, "h1", "Ana")
        awake, _ = await watch(lan, "h2")
        asleep, _ = await watch(lan, "h3")
        for watcher in (awake, asleep):
            await wait_for_list(watcher, {"Ana"}, address="10.77.0.1:7341")
        asleep.signal("STOP")
        moved = time.monotonic()
        await lan.run("address", "h1", "10.77.0.201/24")
        found = await wait_for_list(awake, {"Ana"}, address="10.77.0.201:7341")
        within(FOLLOWED, "the host moved", moved, found.at)
        await lan.run("address", "h2", "10.77.0.202/24")
        await asyncio.sleep(0.6)  # the time in which the list may go wrong
        changed = await command_table(ana, "players 2")
        found = await wait_for_list(awake, {"Ana"}, players="2")
        within(TRUE, "2 players, for a list that moved", changed, found.at)
        await lan.run("address", "h3", "10.77.0.203/24")
        woken = time.monotonic()
        asleep.signal("CONT")
        found = await wait_for_list(asleep, {"Ana"}, address="10.77.0.201:7341", players="2")
        within(FOLLOWED, "the list slept while all moved", woken, found.at)


@pytest.mark.needs("nft")
async def test_a_host_of_many_addresses_is_found_at_the_one_that_leads_there(
    new_lan: NewLan,
) -> None:
    async with new_lan(2) as lan:
        for number in range(1, 13):
            bridge = f"docker{number}"
            await on(lan, "h1", "ip", "link", "add", bridge, "type", "bridge")
            await on(lan, "h1", "ip", "addr", "add", f"10.0.{number}.1/24", "dev", bridge)
            await on(lan, "h1", "ip", "link", "set", bridge, "up")
        await lan.run("mode", "nomcast")  # what mDNS tells comes later than what a call finds
        _, opened, _ = await table(lan, "h1", "Ana")
        watcher, looked = await watch(lan, "h2")
        found = await wait_for_list(watcher, {"Ana"}, status="joinable", address="10.77.0.1:7341")
        within(WITHOUT_MULTICAST, "found by a call", max(opened, looked), found.at)
        await lan.run("mode", "open")
        late, looked = await watch(lan, "h2")
        found = await wait_for_list(late, {"Ana"}, status="joinable", address="10.77.0.1:7341")
        within(2.0, "found by mDNS", looked, found.at)


@pytest.mark.needs("nft")
async def test_a_table_that_cannot_be_reached_is_listed_with_the_cause(new_lan: NewLan) -> None:
    async with new_lan(5, "-4") as lan:
        await wall(lan, "h1", "udp dport 7341", "tcp dport 7341")
        await wall(lan, "h2", "udp dport 7341")
        await lan.run("address", "h3", "10.99.0.3/24")
        await wall(lan, "h5", "udp dport 7341", "tcp dport 7341", how="reject")
        where = {"h1": "Walled", "h2": "Half", "h3": "Elsewhere", "h5": "Refused"}
        opened = [(await table(lan, laptop, name))[1] for laptop, name in where.items()]
        watcher, looked = await watch(lan, "h4")
        causes = {
            "Walled": "unreachable",
            "Half": "unreachable",
            "Elsewhere": "elsewhere",
            "Refused": "unreachable",
        }
        found = await wait_for_list(watcher, set(causes))
        within(ALL_LISTED, "all listed", max(*opened, looked), found.at)
        assert {title: game["status"] for title, game in found.games.items()} == causes
        assert all(game["players"] == "1" for game in found.games.values())


async def test_strangers_who_answer_in_a_tables_name_keep_nobody_from_it(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(4) as lan:
        hosting = ("host", "Gold Rush", "--headless", "--code", "amber-tulip")
        host = await person("Ann", lan, "h1", tmp_path / "ann", *hosting)
        await host.reads("is open")
        for laptop, how in (("h3", ()), ("h4", ("open",))):
            stranger = await lan.module(laptop, PROGRAMS, "impostor", *how)
            await stranger.line()
        listed = await person("Ben", lan, "h2", tmp_path / "ben", "games")
        await listed.reads(r"Gold Rush.*10\.77\.0\.1:7341")
        joining = ("join", "Gold Rush", "--plain", "--name")
        with_code = (*joining, "Ben", "--code", "amber-tulip")
        ben = await person("Ben", lan, "h2", tmp_path / "ben", *with_code)
        await ben.reads("^Table: Gold Rush")
        cleo = await person("Cleo", lan, "h2", tmp_path / "cleo", *joining, "Cleo")
        await cleo.reads("^Room code of Gold Rush")
        cleo.says("amber tulip")
        await cleo.reads("^Table: Gold Rush")
