"""Where connections to a table come from: the host's own address, or another computer's."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from net.protocol.lobby import Settings
from net.protocol.messages import NOTHING_SEEN, EnterTable
from net.server.options import origin_of
from tests.net.attack.connection_attack import join_from
from tests.net.server.served_table import QUICK, hosting, until

OPTIONS = replace(QUICK, origin=origin_of)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
async def test_who_connects_from_the_very_address_of_the_host_plays_at_its_computer(
    where: Path,
) -> None:
    async with hosting(where, Settings(seats=5, rounds=1), OPTIONS) as hosted:
        ann, ben = await hosted.come("Ann", "Ben")
        connections = [await join_from(f"127.0.0.{number}", hosted.port) for number in (2, 3, 2)]
        for name, connection in zip(("Cleo", "Dan", "Eve"), connections, strict=True):
            assert not connection.is_here
            connection.send(EnterTable(name, watch=False, incarnation=0, seen=NOTHING_SEEN))
            await until(lambda name=name: hosted.state.lobby.has_name(name))  # type: ignore[misc] # - mypy infers none
        computers = {person.name: person.computer for person in hosted.state.lobby.people}
        assert computers == {"Ann": 0, "Ben": 0, "Cleo": 1, "Dan": 2, "Eve": 1}
        assert all(guest.connection and guest.connection.is_here for guest in (ann, ben))
        for connection in connections:
            connection.abort()
