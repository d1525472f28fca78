"""Finding games on a real network: who sees what, and how soon (issue 3's bounds, in seconds)."""

import sys
import time
from pathlib import Path

import pytest

from tests.lan.finding import mute, table, tell_table, watch, within
from tests.lan.lan import NewLan, wait_for_list

FOUND = 2.0
TRUE = 1.0
AT_ONCE = 0.5
LOST = 6.0
BACK = 2.0

IPV6 = pytest.mark.needs("IPv6")


@pytest.mark.parametrize(
    ("families", "address"),
    [
        (("-4",), "10.77.0.1:7341"),
        pytest.param(("-6",), "[fd77::1]:7341", marks=IPV6),
        pytest.param(("-4", "-6"), "10.77.0.1:7341", marks=(IPV6, pytest.mark.level("thorough"))),
    ],
    ids=["IPv4", "IPv6", "both"],
)
async def test_a_table_is_found_within_2_s_whichever_side_opens_first(
    new_lan: NewLan, families: tuple[str, ...], address: str
) -> None:
    async with new_lan(3, *families) as lan:  # without a default route, as all of these
        early, _ = await watch(lan, "h2")
        _, opened, _ = await table(lan, "h1", "Ana")
        found = await wait_for_list(early, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, list first", opened, found.at)
        late, looked = await watch(lan, "h3")
        found = await wait_for_list(late, {"Ana"}, status="joinable", address=address)
        within(FOUND, "found, table first", looked, found.at)


@pytest.mark.parametrize(
    "families",
    [
        pytest.param(("-4",), marks=pytest.mark.level("thorough")),
        pytest.param(("-6",), marks=(IPV6, pytest.mark.level("thorough"))),
        pytest.param(("-4", "-6"), marks=IPV6),
    ],
    ids=["IPv4", "IPv6", "both"],
)
async def test_a_table_that_is_found_printed_no_error_whatever_its_interfaces_take(
    new_lan: NewLan, families: tuple[str, ...], tmp_path: Path
) -> None:
    errors = tmp_path / "errors"
    async with new_lan(2, *families) as lan:
        watcher, _ = await watch(lan, "h2")
        opened = (sys.executable, "-m", "sabtui", "host", "Rush", "--headless", "--open")
        place = ("env", f"XDG_STATE_HOME={tmp_path}", f"XDG_CONFIG_HOME={tmp_path}")
        await lan.start("h1", *place, "sh", "-c", 'exec "$@" 2>"$0"', str(errors), *opened)
        await wait_for_list(watcher, {"Rush"}, status="joinable")
    assert errors.read_text(encoding="utf-8") == ""


@pytest.mark.level("thorough")  # `test_list` tells them apart, and the next test has two
@pytest.mark.needs("IPv6")
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
            found = await wait_for_list(watcher, {"Ana (aaaa)", "Ana (bbbb)", "Ana (cccc)"})
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
        found = await wait_for_list(watcher, {"Ana (aaaa)", "Ana (bbbb)"})
        within(FOUND, "both found", opened, found.at)


async def test_the_player_count_is_true_within_1_s_again_and_again(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await wait_for_list(watcher, {"Ana"})
        for players in ("2", "3", "4", "5", "1"):
            changed = await tell_table(host, f"players {players}")
            found = await wait_for_list(watcher, {"Ana"}, players=players)
            within(TRUE, f"{players} players", changed, found.at)


@pytest.mark.needs("IPv6", "nft")
async def test_the_player_count_is_true_within_1_s_where_multicast_dies_meanwhile(
    new_lan: NewLan,
) -> None:
    async with new_lan(2, "-4", "-6") as lan:
        host, _, _ = await table(lan, "h1", "Ana")
        watcher, _ = await watch(lan, "h2")
        await wait_for_list(watcher, {"Ana"})
        await lan.run("mode", "nomcast")
        changed = await tell_table(host, "players 4")
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
        left = await tell_table(host, "leave")
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


async def test_sabtui_games_writes_a_line_for_each_table(new_lan: NewLan) -> None:
    async with new_lan(2) as lan:
        await table(lan, "h1", "Ana")
        await table(lan, "h1", "Bruno\x1b[31m")
        program = await lan.start(
            "h2",
            sys.executable,
            "-c",
            "import asyncio, sys; from sabtui.cli.games import watch_games;"
            "sys.exit(asyncio.run(watch_games(1.5, sys.stdout)))",
        )
        lines = sorted((await program.rest()).splitlines())
        assert lines == [
            "Ana  10.77.0.1:7341  1/5 players  waiting",
            "Bruno[31m  10.77.0.1:7342  1/5 players  waiting",
        ]
