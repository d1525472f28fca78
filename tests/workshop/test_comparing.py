"""Hosts that come between the programs that compare, once a game is under way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec import structs

from net.discovery.sockets import claim_port
from net.protocol.election import Compare, Elector, Electors, Watcher
from net.protocol.framing import decode
from net.protocol.requests import Chat
from net.secure.address import pack_hosts
from net.secure.connection import Connection
from net.secure.keys import SeatKey, TableCertificate
from net.takeover.election import Election
from net.takeover.election_acts import LINK_KINDS
from net.takeover.standby_listener import StandbyListener
from net.tasks import cancel_and_wait
from tests.net.server.served_table import HERE
from tests.workshop.rigged import GUESTS, Evening, findings_told, news, until
from tests.workshop.test_telling import other_words, to_cleo

pytestmark = pytest.mark.thorough


class Mirror:
    """A program of the host's that agrees with whoever compares with it."""

    def __init__(self) -> None:
        self.certificate, self.key = TableCertificate.new(), SeatKey.new()
        self.claim = claim_port(ports=[0], hosts=[HERE])
        self.asked = 0

    async def answer(self, connection: Connection, _member: int) -> None:
        """Say what is heard."""
        while True:
            message = decode(await connection.recv(), *LINK_KINDS)
            if isinstance(message, Compare):
                self.asked += 1
                connection.send(message)

    @asynccontextmanager
    async def listening(self, peer: Election) -> AsyncIterator[None]:
        """Listen as long as this is open, for one program alone."""
        known = SimpleNamespace(
            elected=None,
            member=0,
            peers={peer.member: None},
            member_with=lambda key: peer.member if key == peer.key.public else None,
        )
        listener = StandbyListener(
            self.claim, self.certificate, cast(Election, known), self.answer, lambda _member: None
        )
        task = asyncio.create_task(listener.run())
        try:
            yield
        finally:
            await cancel_and_wait(task)
            listener.close()


def in_place_of(elector: Elector, mirror: Mirror) -> Elector:
    """The same member, with the key, the certificate and the place of another program."""
    return structs.replace(
        elector,
        key=mirror.key.public,
        fingerprint=mirror.certificate.fingerprint,
        port=mirror.claim.port,
        addresses=pack_hosts([HERE]),
    )


async def two_stories(table: Evening) -> None:
    """Cleo is told that somebody has said something else, and all play to the end."""
    table.tells = to_cleo(lambda message: news(message, other_words))
    await table.wants("Ann", Chat("I saw stone"))
    await table.play()
    await table.all_know()


def each_names_the_other(table: Evening) -> bool:
    """Whether each knows that the other has seen another game, or could not be asked."""
    return all(
        {f"another game: {other}", f"not compared: {other}"}
        & set(findings_told(table.people[name]))
        for name, other in (GUESTS, GUESTS[::-1])
    )


async def test_programs_replaced(table: Evening) -> None:
    """From some moment on, each of two guests is told that the other is a program of the host's."""
    await table.begin()
    electors = table.table.electors.message(table.table.state)
    ben, cleo = (table.people[name].session._watch.election for name in GUESTS)
    mirrors = {"Ben": Mirror(), "Cleo": Mirror()}
    async with mirrors["Ben"].listening(cleo), mirrors["Cleo"].listening(ben):
        for name, other in (GUESTS, GUESTS[::-1]):
            mirror, member = mirrors[other], table.member(other)
            forged = tuple(
                in_place_of(one, mirror) if one.member == member else one
                for one in electors.electors
            )
            watcher = Watcher(member, mirror.key.public)
            table.says(name, Electors(electors.table, forged, (watcher,)))
        await two_stories(table)
        await until(lambda: each_names_the_other(table))


async def test_programs_left_out(table: Evening) -> None:
    """From some moment on, two guests are told that the other one's program does not elect."""
    await table.begin()
    electors = table.table.electors.message(table.table.state)
    for name, other in (GUESTS, GUESTS[::-1]):
        others = tuple(one for one in electors.electors if one.member != table.member(other))
        table.says(name, Electors(electors.table, others))
    await two_stories(table)
    await until(lambda: each_names_the_other(table))
