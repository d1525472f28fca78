"""A guest's session at the SSH door: their screen on a channel, and what a channel may ask for.

There is no shell and no command, no subsystem, no forwarding of ports, agents or X11, and of the
environment only what describes the terminal is read (`sabtui.doors.ssh_connection`). Whoever asks
for a command or a subsystem, or has no terminal, is told in a sentence what to type. asyncssh
refuses what is not named here; tests hold that.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

import asyncssh

from sabtui.app.terminal import sane_size
from sabtui.doors.fork_server import ForkServer
from sabtui.doors.guest_screen import GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import Caller, Guest, GuestBook
from sabtui.doors.limits import MAX_SCREENS, plain_address
from sabtui.doors.padding import PaddedOutput
from sabtui.doors.ssh_connection import DoorConnection
from sabtui.doors.table_link import TableGone, TableLink
from sabtui.text.doors import door_full, log_in_again, terminal_needed

KEEPALIVE_S, KEEPALIVES = 5, 3
"""Seconds between questions whether a client is still there, and how many may go unanswered."""

PRESENCE_S, PRESENCE_TRIES = 1, 2
"""The same, for a client whose name somebody else comes with: gone or not, in three seconds."""

_log = logging.getLogger(__name__)


class SshDoor:
    """The SSH door as all its connections share it: the table, the guests, and who is there."""

    def __init__(self, table: TableLink, guests: GuestBook) -> None:
        self.table = table
        self.guests = guests
        self.there: dict[str, GuestSession] = {}
        """The sessions that have a screen, by the id of the guest."""
        self.screens = 0
        self.fork_server = ForkServer.where_possible()

    async def guest_for(self, caller: Caller, session: GuestSession) -> Guest:
        """Return the guest that a caller is, a new one if need be; this is their session now.

        A caller who proves a key takes over from an earlier terminal of theirs. One who comes by
        name and code does so only if that terminal is gone: two friends may have one name.

        Raises:
            OSError: a new guest cannot be noted.
            TableGone: the table is closed.
        """
        guest = await self._returning(caller)
        if guest is None:
            offered = [mark for mark in caller.offered if not await self.find_seated(caller, mark)]
            guest = self.guests.add(replace(caller, offered=tuple(offered)))
        earlier = self.there.get(guest.id)
        if earlier is not None:
            earlier.end()
        self.there[guest.id] = session
        self.guests.note_visit(guest)
        await self.guests.make_room(self.there, self.table.is_seated)
        return guest

    async def find_seated(self, caller: Caller, mark: str) -> Guest | None:
        """Return the guest with a seat whom a caller with this mark is, None if there is none.

        Who comes by the code may offer anybody's key: it is never noted as a mark of theirs while
        somebody of that name and key has a seat.

        Raises TableGone: the table is closed.
        """
        for guest in self.guests.find_known(Caller(caller.name, proven=mark)):
            if await self.table.is_seated(guest.seat.public):
                return guest
        return None

    async def _returning(self, caller: Caller) -> Guest | None:
        """Return the guest of before that a caller is, None for a new one."""
        if caller.proven:
            found = await self.find_seated(caller, caller.proven)
            return None if found is None else self.guests.note_proof(found, caller.proven)
        answered = set[GuestSession]()
        while True:  # others may come and go while one is asked
            known = self.guests.find_known(caller)
            for guest in known:
                if guest.id not in self.there:
                    return guest
            sessions = [self.there[guest.id] for guest in known]
            asked = next((one for one in sessions if one not in answered), None)
            if asked is None:
                return None
            answered.add(asked)
            if not await asked.is_there():
                self.release(asked)

    async def make_room(self, caller: Caller) -> bool:
        """Return True if there is room for a guest who comes back to their seat at a full door.

        If need be, the screen ends that has been there the longest of those without a seat: nobody
        is kept from their seat by strangers with the code who fill the door.

        Raises TableGone: the table is closed.
        """
        known = self.guests.find_known(caller)
        if not any([await self.table.is_seated(guest.seat.public) for guest in known]):
            return False
        if caller.proven and any(guest.id in self.there for guest in known):
            return True  # their earlier screen ends
        for number, session in tuple(self.there.items()):
            guest = self.guests.get(number)
            if guest is None or not await self.table.is_seated(guest.seat.public):
                session.end()
                self.release(session)
                return True
        return False

    def release(self, session: GuestSession) -> None:
        """Note that a session has no guest any more."""
        for guest in [guest for guest, there in self.there.items() if there is session]:
            del self.there[guest]


class GuestSession(asyncssh.SSHServerSession[bytes]):
    """The terminal of one guest, and their screen on it."""

    def __init__(
        self,
        door: SshDoor,
        connection: DoorConnection,
        address: str,
        caller: Caller,
    ) -> None:
        self._door = door
        self._connection = connection
        self._address = address
        self._caller = caller
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._screen: GuestScreen | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_terminal = self._has_place = False
        self._size = 80, 24
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._gone = asyncio.Event()

    # Called by asyncssh.

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Note the channel."""
        self._channel = chan

    def connection_lost(self, _exc: Exception | None) -> None:
        """End the screen with its channel."""
        self.end()

    def pty_requested(
        self, _term: str, term_size: tuple[int, int, int, int], _modes: object
    ) -> bool:
        """Grant a terminal."""
        self._has_terminal = True
        self._size = sane_size(*term_size[:2])
        return True

    def shell_requested(self) -> bool:
        """Grant what SSH calls a shell: it is the game, or a sentence without a terminal."""
        return True

    def exec_requested(self, _command: str) -> bool:
        """Grant a command, in place of which there is a sentence."""
        self._has_terminal = False
        return True

    def subsystem_requested(self, _subsystem: str) -> bool:
        """Grant a subsystem, such as SFTP, in place of which there is a sentence."""
        self._has_terminal = False
        return True

    def session_started(self) -> None:
        """Start the screen, or say why there is none, and hang up."""
        channel, door = self._channel, self._door
        assert channel is not None
        if not self._has_terminal:
            address, port = self._connection.get_extra_info("sockname")[:2]
            told = terminal_needed(port, plain_address(address), self._caller.name)
            channel.write_stderr(told.encode() + b"\r\n")
            channel.exit(1)
            return
        self._has_place = door.screens < MAX_SCREENS
        if not self._has_place and not door.guests.find_known(self._caller):
            channel.write(door_full().encode() + b"\r\n")
            channel.exit(1)
            return
        self._connection.went_in.set()
        door.screens += 1
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._is_over)

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Pass on what the guest types."""
        if self._screen is not None:
            self._screen.write(data)

    def eof_received(self) -> bool:
        """Keep the channel: who has closed their input still looks on, until they hang up."""
        return True

    def terminal_size_changed(self, width: int, height: int, _wide: int, _high: int) -> None:
        """Pass on the new size of the window."""
        self._size = sane_size(width, height)
        if self._screen is not None:
            self._screen.resize(*self._size)

    def pause_writing(self) -> None:
        """Wait before reading on: the guest's line is slow, or nobody reads there."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self._may_write.set()

    # Called by the door.

    def end(self) -> None:
        """End the screen, if it was started."""
        self._gone.set()
        self._may_write.set()
        if self._task is not None:
            self._task.cancel()

    async def is_there(self) -> bool:
        """Return True if the client still answers; else its connection is over by then."""
        connection = self._connection
        if self._gone.is_set():
            return False
        connection.set_keepalive(PRESENCE_S, PRESENCE_TRIES)
        with suppress(TimeoutError):
            async with asyncio.timeout(PRESENCE_S * (PRESENCE_TRIES + 2)):
                await self._gone.wait()
        if self._gone.is_set():
            return False
        connection.set_keepalive(KEEPALIVE_S, KEEPALIVES)
        return True

    async def _run(self) -> None:
        """Show the guest's screen until it ends, or the guest is gone."""
        channel = self._channel
        assert channel is not None
        code = 1
        try:
            if not (self._has_place or await self._door.make_room(self._caller)):
                channel.write(door_full().encode() + b"\r\n")
            elif (guest := await self._settle()) is None:
                channel.write(log_in_again().encode() + b"\r\n")
            else:
                code = await self._show(channel, guest)
        except (OSError, TableGone, BrokenPipeError) as error:
            _log.warning("a guest's screen cannot be shown: %s", type(error).__name__)
        finally:
            self._door.release(self)
            with suppress(OSError):
                channel.exit(code if 0 <= code < 256 else 1)

    def _is_over(self, _task: asyncio.Task[None]) -> None:
        """Free the place of a screen that has ended; a task cancelled at once runs no `finally`."""
        self._door.screens -= 1
        self._gone.set()

    async def _settle(self) -> Guest | None:
        """Return the guest that this is, None if the table does not let them in."""
        caller = self._caller
        guest = await self._door.guest_for(caller, self)
        admitted = await self._door.table.admit(
            guest.seat.public,
            self._address,
            is_new=not caller.proven,
            renewed=caller.renewed,
        )
        return guest if admitted else None

    async def _show(self, channel: asyncssh.SSHServerChannel[bytes], guest: Guest) -> int:
        """Start the screen, pass on what it draws until it ends, and return its exit code."""
        terminal = terminal_of(channel, self._size)
        home = self._door.guests.home(guest)
        request = GuestRequest.of(guest, self._door.table.order, terminal, home)
        self._screen = screen = await GuestScreen.start(request, fork_server=self._door.fork_server)
        try:
            screen.resize(*self._size)  # it may have changed meanwhile
            output = PaddedOutput(screen.read)
            while data := await output.read():
                await self._may_write.wait()
                await self._connection.has_room.wait()
                channel.write(data)
        finally:
            code = await screen.close()
        return code


def terminal_of(channel: asyncssh.SSHServerChannel[bytes], size: tuple[int, int]) -> GuestTerminal:
    """Return the guest's terminal, from all of their environment that is read."""
    variables = channel.get_environment()
    return GuestTerminal(
        term=channel.get_terminal_type() or "",
        lang=variables.get("LANG", ""),
        colorterm=variables.get("COLORTERM", ""),
        no_color=bool(variables.get("NO_COLOR")),
        columns=size[0],
        rows=size[1],
    )
