"""Finding games where networks are rough (issue 5's bounds, in seconds), and what is said of it."""

import asyncio
import time

import pytest

from tests.lan.finding import on, table, tell_table, wall, watch, within
from tests.lan.lan import NewLan, wait_for_list

WITHOUT_MULTICAST = 3.0
TRUE = 1.0
FOLLOWED = 3.0


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
        changed = await tell_table(ana, "players 4")
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
        changed = await tell_table(ana, "players 2")
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
            "Half": "joinable",
            "Elsewhere": "elsewhere",
            "Refused": "unreachable",
        }
        found = await wait_for_list(watcher, set(causes))
        within(3.0, "all listed", max(*opened, looked), found.at)
        assert {title: game["status"] for title, game in found.games.items()} == causes
        assert all(game["players"] == "1" for game in found.games.values())
