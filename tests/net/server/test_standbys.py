"""Whose program nobody can connect to: the host finds out, and tells all who have seats."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from net.client.log_copy import LogCopy
from net.protocol.election import Electors, Standby
from net.secure.keys import TableCertificate
from net.server import standbys
from net.server.standbys import StandbyProbes, reaches
from net.takeover.election import Election
from net.tasks import cancel_and_wait
from tests.net.secure.test_connection import echo, listening
from tests.net.server.served_table import HERE, Guest, Hosted, hosting, until

HERE_PACKED = socket.inet_aton(HERE)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for programs that listen nowhere, and try again sooner."""
    monkeypatch.setattr(standbys, "STANDBY_TIMEOUT_S", 0.3)
    monkeypatch.setattr(standbys, "PROBE_AGAIN_S", 0.2)


def unheard() -> int:
    """A port at which nobody listens."""
    with socket.create_server((HERE, 0)) as opened:
        port: int = opened.getsockname()[1]
    return port


def election_of(guest: Guest) -> Election:
    """Return what somebody's program knows of those who may become the host."""
    election = Election(guest.key, LogCopy(), host=guest.lobby.host)
    for told in guest.got:
        if isinstance(told, Electors):
            election.set_electors(told.electors)
    return election


def cannot_host(guest: Guest) -> frozenset[int]:
    """Return whose programs listen in vain, as far as somebody's program knows."""
    return election_of(guest).cannot_host


def find_unreached(guest: Guest) -> set[int]:
    """Return the members at whose programs nobody answers, or who have none that listens."""
    return {one.member for one in election_of(guest).electors if not one.reachable}


async def seat_three(hosted: Hosted) -> tuple[Guest, Guest, Guest]:
    """Three people, who have seats but no program that listens yet."""
    ann, ben, cleo = await hosted.come("Ann", "Ben", "Cleo")
    return ann, ben, cleo


async def test_whose_program_is_reached_may_become_the_host_and_who_listens_nowhere_may_not(
    where: Path,
) -> None:
    certificate = TableCertificate.new()
    async with hosting(where) as hosted, listening(certificate, echo) as port:
        ann, ben, cleo = await seat_three(hosted)
        ben.say(Standby(certificate.fingerprint, port, (HERE_PACKED,)))
        await until(lambda: find_unreached(ann) == {cleo.state.status.member})
        assert find_unreached(ben) == {cleo.state.status.member}
        assert not cannot_host(ben), "a guest at a door listens nowhere: that is no news"


async def test_a_program_behind_a_firewall_is_told_of_until_there_is_a_way_to_it(
    where: Path,
) -> None:
    certificate, port = TableCertificate.new(), unheard()
    async with hosting(where) as hosted:
        ann, ben, _ = await seat_three(hosted)
        ben.say(Standby(certificate.fingerprint, port, (HERE_PACKED,)))
        await until(lambda: ben.state.status.member in cannot_host(ann))
        async with listening(certificate, echo) as reached:
            ben.say(Standby(certificate.fingerprint, reached, (HERE_PACKED,)))
            await until(lambda: ben.state.status.member not in cannot_host(ann))


async def test_another_program_in_that_place_is_none_of_theirs() -> None:
    async with listening(TableCertificate.new(), echo) as port:
        assert not await reaches(Standby(bytes(32), port, (HERE_PACKED,)))


async def test_one_address_of_several_is_enough() -> None:
    certificate = TableCertificate.new()
    async with listening(certificate, echo) as port:
        told = Standby(certificate.fingerprint, port, (socket.inet_aton("127.0.0.99"), HERE_PACKED))
        assert await reaches(told)


async def test_who_is_gone_is_not_tried_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, told = list[Standby](), list[tuple[int, bool]]()

    async def reach(standby: Standby) -> bool:
        tried.append(standby)
        return False

    monkeypatch.setattr(standbys, "reaches", reach)
    wanted: dict[int, Standby | None] = {2: Standby(bytes(32), 7350, ())}
    probes = StandbyProbes(lambda: wanted, lambda member, found: told.append((member, found)))
    running = asyncio.create_task(probes.run())
    await until(lambda: len(tried) > 2)
    wanted.clear()
    probes.look()
    await until(lambda: not probes._seen)
    assert told == [(2, False)], "it is told once"
    await cancel_and_wait(running)
