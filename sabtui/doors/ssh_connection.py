"""A connection to the SSH door that can store only so much here, whatever its client sends.

asyncssh keeps every variable, reads on while a request waits for its answer, and keeps answers for
a client that reads none. So until the screen starts a client may send `MAX_BYTES_BEFORE_SCREEN`;
then it is read at the speed of somebody who plays, and of what it sends only keys and the window's
size count. A client for whom too much waits is cut off.
"""

from __future__ import annotations

import asyncio
from copy import copy
from typing import Final

import asyncssh
from asyncssh.constants import OPEN_RESOURCE_SHORTAGE
from asyncssh.misc import MaybeAwait
from asyncssh.packet import SSHPacket, SSHPacketLogger
from asyncssh.session import SSHSession

MAX_BYTES_BEFORE_SCREEN: Final = 128 * 1024
"""Most bytes of a client until its screen starts. A login sends 5 kB, with 20 keys some 30 kB."""

BYTES_PER_S: Final = 64 * 1024
"""Speed at which a client is read whose screen has started. A mouse that moves sends 10 kB/s."""

WINDOW_BYTES: Final = 32 * 1024
"""Bytes that a client may type until the door has taken them."""

MAX_UNREAD_BYTES: Final = 256 * 1024
"""Most bytes that wait for a client; a screen draws no more while a quarter of it waits."""

MAX_DEFERRED: Final = 256
"""Most packets that wait for a client to end a key exchange."""

MIN_PACKET_BYTES: Final = 1024
"""Least length of packets that a client may ask for; usual are 16 or 32 KiB."""

VARIABLES: Final = (b"LANG", b"COLORTERM", b"NO_COLOR")
"""The variables that are read; all others are refused."""

MAX_VARIABLE_BYTES: Final = 64


class DoorConnection(asyncssh.SSHServerConnection):
    """A connection with bounds.

    `logged_in` is done when its guest is let in; if they are not, it has what asyncssh raises.
    `went_in` is set once the guest has a screen, or is gone.
    """

    def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
        loop = asyncio.get_running_loop()
        own = copy(options)
        own.waiter = self.logged_in = loop.create_future()
        super().__init__(loop, own, wait="auth")
        self._line: asyncio.Transport | None = None
        self._left = MAX_BYTES_BEFORE_SCREEN
        self.went_in: Final = asyncio.Event()
        self.has_room: Final = asyncio.Event()
        self.has_room.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Take what has come. It must be little before there is a screen, and slow after that."""
        line = self._line
        assert line is not None
        if self.went_in.is_set():
            line.pause_reading()
            asyncio.get_running_loop().call_later(len(data) / BYTES_PER_S, line.resume_reading)
        else:
            self._left -= len(data)
        if self._left < 0:
            self.abort()
        else:
            super().data_received(data, datatype)

    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """Send a packet; cut off a client that reads nothing, or never ends a key exchange."""
        super().send_packet(pkttype, *args, handler=handler)
        line, deferred = self._line, self._deferred_packets
        assert line is not None
        waiting = line.get_write_buffer_size()
        waiting += sum(len(part) for _type, parts in deferred for part in parts)
        if line.is_closing() or waiting > MAX_UNREAD_BYTES or len(deferred) > MAX_DEFERRED:
            self.abort()

    def pause_writing(self) -> None:
        """Let the screen wait: enough waits for the client already."""
        self.has_room.clear()

    def resume_writing(self) -> None:
        """Let the screen draw on."""
        self.has_room.set()

    def create_server_channel(
        self,
        encoding: str | None = "",
        errors: str = "",
        window: int = 0,
        max_pktsize: int = 0,
    ) -> asyncssh.SSHServerChannel[bytes]:
        """Return the channel of a session, which refuses variables that are not read."""
        return DoorChannel(
            self,
            asyncio.get_running_loop(),
            allow_pty=True,
            line_editor=False,
            line_echo=False,
            line_history=0,
            max_line_length=0,
            encoding=encoding or None,
            errors=errors or "strict",
            window=window or WINDOW_BYTES,
            max_pktsize=max_pktsize or WINDOW_BYTES,
        )


class DoorChannel(asyncssh.SSHServerChannel[bytes]):
    """A channel that keeps the variables alone that are read."""

    def process_open(
        self,
        send_chan: int,
        send_window: int,
        send_pktsize: int,
        session: MaybeAwait[SSHSession[bytes]],
    ) -> None:
        """Open the channel. Raises ChannelOpenError: each byte would cost the door a packet."""
        if send_pktsize < MIN_PACKET_BYTES:
            raise asyncssh.ChannelOpenError(OPEN_RESOURCE_SHORTAGE, "packets too small")
        super().process_open(send_chan, send_window, send_pktsize, session)

    def _process_env_request(self, packet: SSHPacket) -> bool:
        name, value = packet.get_string(), packet.get_string()
        is_kept = name in VARIABLES and len(value) <= MAX_VARIABLE_BYTES
        if is_kept:
            self._env[name] = value
        return is_kept
