"""A session that is told of a new host in any moment: it goes there, and to nobody else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import AddressFinder
from net.client.session import HeartbeatPolicy
from net.protocol.messages import Welcome
from net.secure.address import Address
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault
from net.takeover.remote import RemoteSession
from tests.net.server.served_table import HERE, until
from tests.net.takeover.electors import ANN, BEN, CLEO, TABLE, elect_host, print_of

FORMER, NEW = print_of(ANN), print_of(BEN)
STAYS = HeartbeatPolicy(beat=60, shaky=60, lost=120)
WORRIES = HeartbeatPolicy(beat=0.04, shaky=0.02, lost=60)


class Line(Connection):
    """A connection to a host who says nothing, or just welcomes one as it is ended."""

    is_here = False

    def __init__(self, fingerprint: bytes, *, welcomes: bool = False) -> None:
        self.fingerprint = fingerprint
        self.welcomes = welcomes
        self.clock = time.monotonic
        self.is_over = asyncio.Event()

    def send(self, value: object) -> None:
        """Send nothing."""

    def abort(self) -> None:
        """End it."""
        self.is_over.set()

    def close(self) -> None:
        """End it."""
        self.is_over.set()

    async def recv(self) -> object:
        """Wait until it is over."""
        await self.is_over.wait()
        if self.welcomes:
            self.welcomes = False
            return msgspec.to_builtins(Welcome(CLEO, 1, known=False, last=0))
        raise ConnectionFailed(ConnectionFault.LOST)


def after(turns: int, do: Callable[[], None]) -> None:
    """Do something so many turns of the loop later."""
    if turns:
        asyncio.get_running_loop().call_soon(after, turns - 1, do)
    else:
        do()


@pytest.mark.parametrize("heartbeat", [STAYS, WORRIES])
@pytest.mark.parametrize("turns", range(12))
async def test_one_who_is_told_of_a_new_host_just_as_they_reach_the_former_goes_to_the_new_one(
    turns: int, heartbeat: HeartbeatPolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list[Line]()
    told_at = 1 if heartbeat is STAYS else 2  # the second is dialled beside the first
    where = (Address(HERE, 7341),)
    at = Credentials("Cleo", where, table=TABLE, pin=FORMER)
    session = RemoteSession(at, lambda _: None, CredentialStore(tmp_path), heartbeat)
    session._watch.election.member = CLEO

    def follow() -> None:
        session.follow(elect_host(1, BEN, BEN, CLEO), was_ours=False)

    async def dial(_: AddressFinder, credentials: Credentials, _patience: object) -> Connection:
        assert credentials.pin is not None
        lines.append(Line(credentials.pin))
        if len(lines) == told_at:
            after(turns, follow)
        return lines[-1]

    monkeypatch.setattr(AddressFinder, "dial", dial)
    running = asyncio.create_task(session.run())
    try:
        await until(lambda: any(line.fingerprint == NEW for line in lines), 5)
        await until(lambda: all(one.is_over.is_set() for one in lines[:told_at]), 5)
        assert session._credentials.pin == NEW
    finally:
        session.leave()
        await running


async def test_one_whom_the_former_host_welcomes_as_they_are_told_of_a_new_one_goes_to_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, store = list[Line](), CredentialStore(tmp_path)
    at = Credentials("Cleo", (Address(HERE, 7341),), table=TABLE, pin=FORMER)
    session = RemoteSession(at, lambda _: None, store, STAYS)
    session._watch.election.member = CLEO

    async def dial(_: AddressFinder, credentials: Credentials, _patience: object) -> Connection:
        assert credentials.pin is not None
        lines.append(Line(credentials.pin, welcomes=credentials.pin == FORMER))
        return lines[-1]

    monkeypatch.setattr(AddressFinder, "dial", dial)
    running = asyncio.create_task(session.run())
    try:
        await until(lambda: session._connection is not None, 5)
        session.follow(elect_host(1, BEN, BEN, CLEO), was_ours=False)
        await until(lambda: len(lines) == 2, 5)
        assert lines[1].fingerprint == NEW
        assert [one.credentials.pin for one in store.list_stored()] == [NEW]
    finally:
        session.leave()
        await running
