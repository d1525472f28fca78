"""A guest who forges and floods: the others find their game, and nobody is made a nuisance of."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from net.discovery.advert import QUESTION_BYTES
from net.discovery.service import ADDRESS_ANSWERS
from tests.lan.finding import on, read_packets, table, watch, within
from tests.lan.lan import NewLan, Program, Seen
from tests.lan.players import person

FOUND = 3.0
GROWS = 32 * 1024


def memory(program: Program) -> int:
    """The kilobytes that a program has in memory."""
    status = Path(f"/proc/{program._process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.level("thorough")  # `test_list_rough` floods a list, `test_rough_network` mDNS
async def test_thousands_of_forged_records_cost_little_and_lead_nowhere(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        await on(lan, "h2", "ip", "route", "add", "default", "via", "10.77.0.3")
        watcher, _ = await watch(lan, "h2")
        host, _, _ = await table(lan, "h1", "Ana")
        before = memory(watcher), memory(host)
        await lan.sniff(tmp_path / "wire.pcap")
        guest = await lan.module("h3", "tests.lan.forge", "5000")
        await guest.line()
        _, opened, _ = await table(lan, "h1", "Bruno")
        found = Seen(await watcher.line())
        while not found.games.keys() >= {"Ana", "Bruno"}:
            found = Seen(await watcher.line())
        within(FOUND, "found among the forged", opened, found.at)
        assert max(memory(watcher) - before[0], memory(host) - before[1]) < GROWS
        assert all(packet[16] != 203 for packet in read_packets(tmp_path / "wire.pcap"))


async def test_a_flood_of_questions_is_answered_for_a_while_and_never_at_length(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        _, _, _ = await table(lan, "h1", "Ana")
        await lan.sniff(tmp_path / "wire.pcap")
        begun = time.monotonic()
        guest = await lan.module("h3", "tests.lan.flood", "10.77.0.1", "5000")
        watcher, looked = await watch(lan, "h2")
        found = Seen(await watcher.line())
        within(FOUND, "found meanwhile", looked, found.at)
        assert found.games["Ana"]["status"] == "joinable"
        await guest.line()
        lasted = time.monotonic() - begun
    packets = [
        packet for packet in read_packets(tmp_path / "wire.pcap") if packet[28:32] == b"SABT"
    ]
    to_guest = [packet for packet in packets if packet[16:20] == bytes((10, 77, 0, 3))]
    assert (
        ADDRESS_ANSWERS.rate
        <= len(to_guest)
        <= ADDRESS_ANSWERS.burst + ADDRESS_ANSWERS.rate * lasted
    )
    assert max(len(packet) - 28 for packet in to_guest) <= QUESTION_BYTES


@pytest.mark.parametrize("how", [(), ("open",)])
async def test_a_stranger_who_answers_in_a_tables_name_keeps_nobody_from_it(
    how: tuple[str, ...], new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        hosting = ("host", "Gold Rush", "--headless", "--code", "amber-tulip")
        host = await person("Ann", lan, "h1", tmp_path / "ann", *hosting)
        await host.reads("is open")
        stranger = await lan.module("h3", "tests.lan.impostor", *how)
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
