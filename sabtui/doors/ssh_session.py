"""A guest's session at the SSH door: their screen on a channel, and what one connection may store.

asyncssh keeps every variable, keeps reading while a request waits for its answer, and stores
answers for a client that reads none. So until the screen starts a client may send
`MAX_BYTES_BEFORE_SCREEN`; then it is read at the speed of somebody who plays, and only keys and the
window's size are used of what it sends. A client that leaves too much output unread is cut off.

There is no shell and no command, no subsystem, no forwarding of ports, agents or X11, and of the
environment only what describes the terminal is read. A guest who asks for a command or a subsystem,
or has no terminal, is told in a sentence what to type. asyncssh refuses everything else, which
tests check. A connection has one session, and ends with it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Final

import asyncssh
from asyncssh.constants import OPEN_RESOURCE_SHORTAGE
from asyncssh.misc import MaybeAwait
from asyncssh.packet import SSHPacket, SSHPacketLogger
from asyncssh.session import SSHSession

from net.tasks import wait_for_event
from sabtui.app.terminal import sane_size
from sabtui.doors.guest_screen import GuestOrder, GuestScreen, GuestTerminal, pad_output
from sabtui.doors.guests import MAX_SCREENS, Caller, Guest, GuestBook, normalise_address
from sabtui.doors.nursery import Nursery
from sabtui.doors.table_link import TableGone, TableLink
from sabtui.text.door_words import SshMistake, door_full, log_in_again, ssh_mistake_sentence

MAX_BYTES_BEFORE_SCREEN: Final = 128 * 1024
"""Maximum bytes of a client until its screen starts. A login sends 5 kB, with 20 keys 30 kB."""

BYTES_PER_S: Final = 64 * 1024
"""Speed at which a client is read once its screen has started. A moving mouse sends 10 kB/s."""

WINDOW_BYTES: Final = 32 * 1024  # bytes that a client may type until the door has taken them

MAX_UNREAD_BYTES: Final = 256 * 1024
"""Maximum bytes that wait for a client; at a quarter of them asyncio lets the screen wait."""

MAX_DEFERRED: Final = 256
"""Maximum number of packets that wait for a client to finish a key exchange."""

MIN_PACKET_BYTES: Final = 1024
"""Smallest packet size that a client may ask for; 16 or 32 KiB are usual."""

VARIABLES: Final = (b"LANG", b"COLORTERM", b"NO_COLOR")
"""The variables that are read; all others are refused."""

MAX_VARIABLE_BYTES: Final = 64

HANG_UP_S: Final = 5.0
"""Seconds for a client to read the end of its session and close its side of it."""


class DoorConnection(asyncssh.SSHServerConnection):
    """An SSH connection with limits on what is read from it, and on what waits to be sent.

    `logged_in` is done once its guest is admitted; if they are not, it raises what asyncssh raises.
    `session_settled` is set once the guest has a screen, or is gone. `has_room` is set while not
    too much waits for the client.
    """

    _line: asyncio.Transport  # the transport of the connection

    def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
        loop = asyncio.get_running_loop()
        own = copy(options)
        own.waiter = self.logged_in = loop.create_future()
        super().__init__(loop, own, wait="auth")
        self._left = MAX_BYTES_BEFORE_SCREEN
        self.session_settled: Final = asyncio.Event()
        self.has_room: Final = asyncio.Event()
        self.has_room.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Accept input within limits: `MAX_BYTES_BEFORE_SCREEN`, then `BYTES_PER_S`."""
        if self.session_settled.is_set():
            self._line.pause_reading()
            pause_s = len(data) / BYTES_PER_S
            asyncio.get_running_loop().call_later(pause_s, self._line.resume_reading)
        else:
            self._left -= len(data)
        if self._left < 0:
            self.abort()
        else:
            super().data_received(data, datatype)

    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """Send a packet; cut off a client that reads nothing, or never finishes a key exchange."""
        super().send_packet(pkttype, *args, handler=handler)
        line, deferred = self._line, self._deferred_packets
        waiting = line.get_write_buffer_size()
        waiting += sum(len(part) for _type, parts in deferred for part in parts)
        if line.is_closing() or waiting > MAX_UNREAD_BYTES or len(deferred) > MAX_DEFERRED:
            self.abort()

    def explain(self, mistake: SshMistake, name: str) -> str:
        """Explain a guest's mistake, with this connection's address and port."""
        address, port = self.get_extra_info("sockname")[:2]
        return ssh_mistake_sentence(mistake, port, normalise_address(address), name)

    def pause_writing(self) -> None:
        """Pause the screen: enough output waits for the client."""
        self.has_room.clear()

    def resume_writing(self) -> None:
        self.has_room.set()

    def create_server_channel(
        self, encoding: str | None = "", errors: str = "", window: int = 0, max_pktsize: int = 0
    ) -> asyncssh.SSHServerChannel[bytes]:
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
    """A channel that keeps only the `VARIABLES` that are read."""

    def process_open(
        self,
        send_chan: int,
        send_window: int,
        send_pktsize: int,
        session: MaybeAwait[SSHSession[bytes]],
    ) -> None:
        """Open the channel; raises ChannelOpenError if the client wants too small packets."""
        if send_pktsize < MIN_PACKET_BYTES:
            raise asyncssh.ChannelOpenError(OPEN_RESOURCE_SHORTAGE, "packets too small")
        super().process_open(send_chan, send_window, send_pktsize, session)

    def _process_env_request(self, packet: SSHPacket) -> bool:
        """Accept a variable, or refuse it by returning False; asyncssh calls this."""
        name, value = packet.get_string(), packet.get_string()
        is_kept = name in VARIABLES and len(value) <= MAX_VARIABLE_BYTES
        if is_kept:
            self._env[name] = value
        return is_kept


KEEPALIVE_S, KEEPALIVES = 5, 3
"""Seconds between keep-alive questions to a client; how many it may leave unanswered."""

PRESENCE_S, PRESENCE_TRIES = 1, 2
"""`KEEPALIVE_S` and `KEEPALIVES` while another guest of the same name waits for the seat."""

_log = logging.getLogger(__name__)


class SshDoor:
    """The SSH door that all its connections share: the table, its guests, and who is there."""

    def __init__(self, table: TableLink, guests: GuestBook) -> None:
        self.table = table
        self.guests = guests
        self.nursery: Final = Nursery("-m", "sabtui.doors.guest_program", "screens")
        self.there: dict[str, GuestSession] = {}
        """The sessions that have a screen, by the id of the guest."""
        self.screens = 0
        """The number of screens, with those that are about to start."""

    async def find_guest(self, caller: Caller, session: GuestSession) -> Guest:
        """Return the guest that a caller is, else a new one, and make this their session.

        A caller who proves a key ends their earlier session. A caller with name and code counts as
        an earlier guest only if that guest's client is gone: two friends may have the same name.

        Raises:
            OSError: a new guest cannot be stored.
            TableGone: the table is closed.
        """
        guest = await self._find_returning(caller)
        if guest is None:
            offered = [mark for mark in caller.offered if not await self.find_seated(caller, mark)]
            guest = self.guests.add(replace(caller, offered=tuple(offered)))
        earlier = self.there.get(guest.id)
        if earlier is not None:
            earlier.end()
        self.there[guest.id] = session
        self.guests.note_visit(guest)
        await self.guests.forget_guests(self.there, self.table.is_seated)
        return guest

    async def find_seated(self, caller: Caller, mark: str) -> Guest | None:
        """Return the guest with a seat who has the caller's name and this mark, None if none has.

        A caller with the code may offer anybody's key. It does not become a mark of theirs while
        this finds its owner.

        Raises TableGone: the table is closed.
        """
        for guest in self.guests.find_known(Caller(caller.name, proven=mark)):
            if await self.table.is_seated(guest.seat.public):
                return guest
        return None

    async def _find_returning(self, caller: Caller) -> Guest | None:
        """Return the earlier guest that a caller is, None for a new guest."""
        if caller.proven:
            found = await self.find_seated(caller, caller.proven)
            return None if found is None else self.guests.note_proof(found, caller.proven)
        known = self.guests.find_known(caller)
        for guest in sorted(known, key=lambda guest: guest.id in self.there):  # absent ones first
            session = self.there.get(guest.id)
            if session is None or not await session.is_there():
                return guest
        return None

    async def make_room(self, caller: Caller) -> bool:
        """Make room at a full door for a caller who returns to their seat; return True if done.

        An earlier screen of their own ends, or else the oldest one of a guest without a seat: the
        door may be full of strangers with the code, and they must not keep anybody from a seat.

        Raises TableGone: the table is closed.
        """
        known = self.guests.find_known(caller)
        if not any([await self.table.is_seated(guest.seat.public) for guest in known]):
            return False
        if caller.proven and any(guest.id in self.there for guest in known):
            return True  # their earlier screen ends
        number = await self.guests.find_unseated(self.there, self.table.is_seated)
        session = None if number is None else self.there.pop(number, None)
        if session is None:
            return False
        session.end()
        return True

    def release(self, session: GuestSession) -> None:
        """Note that a session has ended, whichever guest it had."""
        for guest in [guest for guest, there in self.there.items() if there is session]:
            del self.there[guest]


class GuestSession(asyncssh.SSHServerSession[bytes]):
    """The terminal of one guest, and their screen on it."""

    _channel: asyncssh.SSHServerChannel[bytes]

    def __init__(
        self, door: SshDoor, connection: DoorConnection, address: str, caller: Caller
    ) -> None:
        self._door = door
        self._connection = connection
        self._address = address
        self._caller = caller
        self._screen: GuestScreen | None = None
        self._task: asyncio.Task[None] | None = None
        self._mistake: SshMistake | None = SshMistake.NO_TERMINAL
        self._has_place = False
        self._size = 80, 24
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._gone = asyncio.Event()

    # Called by asyncssh.

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    def connection_lost(self, _exc: Exception | None) -> None:
        """End the screen with its channel, and the connection, which may open no other."""
        self.end()
        self._connection.close()

    def pty_requested(
        self, _term: str, term_size: tuple[int, int, int, int], _modes: object
    ) -> bool:
        self._mistake = None
        self._size = sane_size(*term_size[:2])
        return True

    def shell_requested(self) -> bool:
        """Grant a shell, which is the game or, without a terminal, a sentence."""
        return True

    def exec_requested(self, _command: str) -> bool:
        """Grant a command, but write a sentence instead of running it."""
        self._mistake = SshMistake.NO_GAME
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Grant a subsystem, such as SFTP, in the same way."""
        return self.exec_requested(subsystem)

    @property
    def _host(self) -> str:
        """The address of this computer to which the guest connected."""
        return normalise_address(self._connection.get_extra_info("sockname")[0])

    def session_started(self) -> None:
        """Start the screen, or say why there is none, and hang up."""
        channel, door = self._channel, self._door
        if self._mistake is not None:
            explanation = self._connection.explain(self._mistake, self._caller.name)
            channel.write_stderr(explanation.encode() + b"\r\n")
            self._exit(1)
            return
        self._has_place = door.screens < MAX_SCREENS
        if not self._has_place and not door.guests.find_known(self._caller):
            channel.write(door_full().encode() + b"\r\n")
            self._exit(1)
            return
        self._connection.session_settled.set()
        door.screens += 1
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._free_place)

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        if self._screen is not None:
            self._screen.write(data)

    def eof_received(self) -> bool:
        """Return True to keep the channel: without input a guest may still watch."""
        return True

    def terminal_size_changed(self, width: int, height: int, _wide: int, _high: int) -> None:
        self._size = sane_size(width, height)
        if self._screen is not None:
            self._screen.resize(*self._size)

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    # Called by the door.

    def end(self) -> None:
        self._gone.set()
        self._may_write.set()
        if self._task is not None:
            self._task.cancel()

    async def is_there(self) -> bool:
        """Return True if the client still answers; otherwise its connection has ended by now."""
        connection = self._connection
        if self._gone.is_set():
            return False
        connection.set_keepalive(PRESENCE_S, PRESENCE_TRIES)
        if await wait_for_event(self._gone, PRESENCE_S * (PRESENCE_TRIES + 2)):
            return False
        connection.set_keepalive(KEEPALIVE_S, KEEPALIVES)
        return True

    async def _run(self) -> None:
        channel = self._channel
        code, caller, door = 1, self._caller, self._door
        try:
            if not (self._has_place or await door.make_room(caller)):
                channel.write(door_full().encode() + b"\r\n")
                return
            guest = await door.find_guest(caller, self)
            if await door.table.admit(
                guest.seat.public, self._address, is_new=not caller.proven, renewed=caller.renewed
            ):
                code = await self._show(channel, guest)
            else:
                channel.write(log_in_again().encode() + b"\r\n")
        except (OSError, TableGone) as error:
            _log.warning("a guest's screen cannot be shown: %s", type(error).__name__)
        finally:
            self._door.release(self)
            self._exit(code if 0 <= code < 256 else 1)

    def _exit(self, code: int) -> None:
        """End the session, and its connection once the client has closed its side, or is late."""
        with suppress(OSError):  # the client closed the channel first
            self._channel.exit(code)
        asyncio.get_running_loop().call_later(HANG_UP_S, self._connection.abort)

    def _free_place(self, _task: asyncio.Task[None]) -> None:
        """Free the screen's place: not in `_run`, which never begins if it is cancelled at once."""
        self._door.screens -= 1
        self._gone.set()

    async def _show(self, channel: asyncssh.SSHServerChannel[bytes], guest: Guest) -> int:
        """Start the screen, pass on what it draws until it ends, and return its exit code."""
        variables = channel.get_environment()
        terminal = GuestTerminal(
            term=channel.get_terminal_type() or "",
            lang=variables.get("LANG", ""),
            colorterm=variables.get("COLORTERM", ""),
            no_color=bool(variables.get("NO_COLOR")),
            columns=self._size[0],
            rows=self._size[1],
        )
        order = GuestOrder.for_guest(guest, self._door.table.order, host=self._host)
        home, nursery = self._door.guests.home(guest), self._door.nursery
        screen = await GuestScreen.start(order, home, terminal, nursery)
        self._screen = screen
        try:
            screen.resize(*self._size)  # it may have changed meanwhile
            async for data in pad_output(screen.read):
                await self._may_write.wait()
                await self._connection.has_room.wait()
                channel.write(data)
        finally:
            code = await screen.close()
        return code
