"""The listener of one program for those with whom it would elect a new host, and for nobody else.

A caller has to prove the seat key of an elector, or of a watcher who looks for the table; nobody
joins here. Anybody else is shown the newest mandate, if there is one, and nothing more: a person
whom the old host let in just before it was gone is known to nobody else, and would look for it for
ever. Strangers are bounded as at a host, too: in number, in time and in bytes. Each member has one
connection, the newest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from net.discovery.advert import OURS
from net.discovery.sockets import PortClaim
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, MAX_HOST_FRAME_BYTES, BadFrame
from net.secure.authenticate import accept_peer
from net.secure.code import RoomCode
from net.secure.connection import Connection
from net.secure.guess_limiter import GuessLimiter
from net.secure.keys import TableCertificate
from net.secure.limits import AdmissionControl, Quota
from net.secure.listener import listen
from net.secure.server import HostHandshake, TableTrust
from net.takeover.election import Election

ELECTOR_QUOTA: Final = Quota(
    frames=200, frames_burst=400, bytes=1024 * 1024, bytes_burst=2 * 1024 * 1024
)
"""Quota of an elector's program: a copy of the log, in small parts, has to come in seconds."""

ReadFrom: TypeAlias = Callable[[Connection, int], Awaitable[None]]
"""Reads what an elector, by member, says on a connection, until this fails."""


class StandbyListener:
    """The connections of other programs to this one, by member.

    `read` is called with each; `left` with a member who has no connection any more.
    """

    def __init__(
        self,
        claim: PortClaim,
        certificate: TableCertificate,
        election: Election,
        read: ReadFrom,
        left: Callable[[int], None],
    ) -> None:
        for unneeded in claim.udp:
            unneeded.close()
        self.claim = claim
        self.certificate = certificate
        self.connections: dict[int, Connection] = {}
        self._election = election
        self._read = read
        self._left = left
        self._admission = AdmissionControl()
        # No program ever knows this code. A table without one would be open to everybody.
        self._trust = TableTrust(
            certificate.fingerprint, OURS, RoomCode.new(), GuessLimiter(), self._is_known
        )

    async def run(self) -> None:
        """Listen until cancelled."""
        await listen(self.claim.tcp, self.certificate, self._greet, admission=self._admission)

    def close(self) -> None:
        """Let go of the port."""
        self.claim.close()

    def keep_members(self) -> None:
        """End the connections of people who have left the table."""
        election = self._election
        members = {one.member for one in election.known}
        members |= {one.member for one in election.watchers}
        for member, connection in self.connections.items():
            if member not in members:
                connection.abort()

    def _is_known(self, key: bytes) -> bool:
        election = self._election
        return election.elected is not None or election.member_with(key) is not None

    async def _greet(self, connection: Connection) -> None:
        """Serve one connection, from its handshake until it is gone."""
        handshake = HostHandshake(self._trust, connection.peer)
        welcomed = await accept_peer(connection, handshake, lambda _alarm: None)
        member = self._election.member_with(welcomed.key)
        if member is None or member == self._election.member:
            if self._election.elected is not None:
                connection.send(self._election.elected)
                connection.close()
            return
        if member in self._election.peers:
            connection.trust(
                receive=MAX_CLIENT_FRAME_BYTES, send=MAX_HOST_FRAME_BYTES, allowance=ELECTOR_QUOTA
            )
        older = self.connections.get(member)
        self.connections[member] = connection
        if older is not None:
            older.abort()
        try:
            await self._read(connection, member)
        except BadFrame:
            pass  # the listener ends the connection
        finally:
            if self.connections.get(member) is connection:
                del self.connections[member]
                self._left(member)
