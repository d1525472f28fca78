"""A host that proves the code, and then sends what no host sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from net.client import remote
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import MAX_BAD_CONNECTIONS, RemoteSession
from net.client.session import ConnectionState
from net.discovery.advert import OURS
from net.discovery.networks import claim_port
from net.protocol.messages import Ping
from net.secure.address import Address
from net.secure.connection import Connection, ConnectionFault, accept_peer
from net.secure.handshake import TableTrust
from net.secure.keys import TableCertificate
from net.secure.limits import GuessLimiter
from net.secure.listener import listen
from net.tasks import cancel_and_wait
from tests.net.server.served_table import CODE, HERE, until


class BadHost:
    """A host that lets everybody in, counts them, and lies."""

    def __init__(self, lie: Callable[[Connection], None]) -> None:
        self.claim = claim_port(ports=[0], hosts=[HERE])
        self.connections = 0
        self._lie = lie
        self._certificate = TableCertificate.new()
        self._guesses = GuessLimiter()

    async def run(self) -> None:
        """Lie to whoever comes."""
        await listen(self.claim.tcp, self._certificate, self._greet)

    async def _greet(self, connection: Connection) -> None:
        fingerprint = self._certificate.fingerprint
        trust = TableTrust(fingerprint, OURS, CODE, self._guesses, lambda _: True)
        await accept_peer(connection, trust, lambda _: None)
        self.connections += 1
        self._lie(connection)
        while True:
            await connection.recv()


@asynccontextmanager
async def visit(
    lie: Callable[[Connection], None], folder: Path
) -> AsyncIterator[tuple[BadHost, RemoteSession]]:
    """Let a client join such a host."""
    host = BadHost(lie)
    at = Credentials(name="Ben", addresses=(Address(HERE, host.claim.port),), code=CODE)
    client = RemoteSession(at, lambda _: None, CredentialStore(folder / "seats"))
    tasks = (asyncio.create_task(host.run()), asyncio.create_task(client.run()))
    try:
        yield host, client
    finally:
        await cancel_and_wait(*tasks)
        host.claim.close()


def a_clients_message(connection: Connection) -> None:
    """Send what only clients send."""
    connection.send(Ping(1))


def no_frame(connection: Connection) -> None:
    """Send bytes that are no frame."""
    connection.send_packed(bytes(100))


@pytest.mark.parametrize("lie", [a_clients_message, no_frame])
async def test_a_host_that_goes_on_lying_is_left_for_good(
    lie: Callable[[Connection], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.0)
    async with visit(lie, tmp_path) as (host, client):
        await until(lambda: client.status.connection is ConnectionState.ENDED)
        assert client.status.ending is ConnectionFault.BAD_FRAME
        assert host.connections == MAX_BAD_CONNECTIONS


async def test_what_was_misread_long_ago_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.0)
    monkeypatch.setattr(remote, "BAD_CONNECTIONS_WINDOW_S", 0.0)
    async with visit(a_clients_message, tmp_path) as (host, client):
        await until(lambda: host.connections > MAX_BAD_CONNECTIONS)
        assert client.status.ending is None


async def test_a_host_that_ends_each_link_at_once_is_not_dialled_without_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.1)
    loop = asyncio.get_running_loop()
    came = list[float]()

    def end(connection: Connection) -> None:
        came.append(loop.time())
        connection.abort()

    async with visit(end, tmp_path) as (host, _client):
        await until(lambda: host.connections >= 4)
    assert came[3] - came[0] >= 0.25
