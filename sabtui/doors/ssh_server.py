"""The SSH door's server: who may come in by SSH, and their screen on the channel.

All that a client can do is log in, ask for a terminal, and sit at the table. There is no shell and
no command, no subsystem, no forwarding of ports, agents or X11, and of the environment only what
describes the terminal is read. asyncssh refuses what is not named here; tests hold that.

The password is the room code, and the table counts a wrong one as it counts those at its own port.
A client whose SSH key is known for that name needs none.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import asyncssh

from net.protocol.text import clean_name
from sabtui.doors.guest_screen import GuestOrder, GuestRequest, GuestScreen, GuestTerminal
from sabtui.doors.guests import MAX_SECRETS, Caller, Guest, GuestBook
from sabtui.doors.table_link import TableGone, TableLink
from sabtui.text.addresses import code_asked
from sabtui.text.doors import log_in_again, wrong_code
from sabtui.text.i18n import _

MAX_SCREENS: Final = 16
"""Screens at once: a full table and some watchers, at some 65 MB each."""

MAX_TRIES: Final = 3
"""Wrong codes on one connection, after which it is closed."""

MAX_KEYS_OFFERED: Final = 20
"""Keys that one connection may offer, after which it is closed; agents hold a handful."""

MAX_VARIABLES: Final = 200
"""Variables that a client may send; four are read. OpenSSH's usual settings send a dozen."""

KEEPALIVE_S, KEEPALIVES = 5, 3
"""Seconds between questions whether a client is still there, and how many may go unanswered."""

LOOK_S, LOOKS = 1, 2
"""The same, for a client whose name somebody else comes with: gone or not, in three seconds."""

Challenge: TypeAlias = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]

_log = logging.getLogger(__name__)


class SshDoor:
    """What all connections of the SSH door share: the table, the guests, and who is there."""

    def __init__(self, table: TableLink, guests: GuestBook) -> None:
        self.table = table
        self.guests = guests
        self.there: dict[str, GuestSession] = {}
        """The sessions that have a screen, by the id of the guest."""
        self.screens = 0

    async def guest_for(self, caller: Caller) -> Guest:
        """Return the guest that a caller is, a new one if need be.

        Who proves a key takes over from an earlier terminal of theirs. Who comes by name and code
        does so only if that one is gone: two friends may have one name.

        Raises:
            OSError: a new guest cannot be noted.
        """
        guest = self.guests.known(caller)
        if guest is None:
            return self.guests.add(caller)
        earlier = self.there.get(guest.id)
        if earlier is not None and not caller.proven and await earlier.is_there():
            return self.guests.add(caller)
        if earlier is not None:
            earlier.end()
        return guest


class SshServer(asyncssh.SSHServer):
    """One connection, until it is gone."""

    def __init__(self, door: SshDoor) -> None:
        self.door = door
        self.address = ""
        self.name = ""
        self.connection: asyncssh.SSHServerConnection | None = None
        self._session: GuestSession | None = None
        self._proven = ""
        self._has_code = False
        self._offered: dict[str, None] = {}
        self._keys_offered = self._tries = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Note the connection and the address that it comes from."""
        self.connection = conn
        self.address = plain_address(str(conn.get_extra_info("peername", ("",))[0]))

    def connection_lost(self, exc: Exception | None) -> None:
        """End the screen."""
        _log.debug("a connection is gone: %s", exc)
        if self._session is not None:
            self._session.end()

    def begin_auth(self, username: str) -> bool:
        """Begin with a name; whatever was proven under another name counts no more."""
        self.name = clean_name(username)
        self._proven, self._has_code = "", False
        return True

    # By a key that is known.

    def public_key_auth_supported(self) -> bool:
        """Return True."""
        return True

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Return True for a key of somebody who has a seat; asyncssh then asks for a proof."""
        self._keys_offered += 1
        if self._keys_offered > MAX_KEYS_OFFERED:
            self._abort()
            return False
        mark = key.get_fingerprint()
        if len(self._offered) < MAX_SECRETS:
            self._offered[mark] = None
        guest = self.door.guests.proven_by(username, mark)
        if guest is None:
            return False
        with suppress(TableGone):
            if await self.door.table.admit(guest.seat.public, self.address, is_new=False):
                self._proven = mark
                return True
        return False

    # By the room code.

    def password_auth_supported(self) -> bool:
        """Return True."""
        return True

    def kbdint_auth_supported(self) -> bool:
        """Return True."""
        return True

    async def validate_password(self, _username: str, password: str) -> bool:
        """Return True if the password is the room code."""
        return await self._is_right(password)

    async def get_kbdint_challenge(self, _username: str, _lang: str, _methods: str) -> Challenge:
        """Ask for the room code, unless the table needs none."""
        return True if await self._is_open() else self._question("")

    async def validate_kbdint_response(self, _username: str, responses: Sequence[str]) -> Challenge:
        """Let in who knows the room code; ask again who does not."""
        if len(responses) == 1 and await self._is_right(responses[0]):
            return True
        return self._question(wrong_code())

    def _question(self, trouble: str) -> Challenge:
        title = self.door.table.order.title
        return "Sabtui", trouble, "", [(f"{code_asked(title)}: ", True)]

    async def _is_open(self) -> bool:
        """Ask the table whether it needs no code."""
        try:
            self._has_code = (await self.door.table.try_code(self.address, "")).yes
        except TableGone:
            self._abort()
            return False
        return self._has_code

    async def _is_right(self, typed: str) -> bool:
        """Ask the table whether a code is right; wait first, if it says so."""
        self._tries += 1
        while True:
            try:
                answer = await self.door.table.try_code(self.address, typed)
            except TableGone:
                self._abort()
                return False
            if not answer.wait:
                break
            await asyncio.sleep(answer.wait)  # the time limit for logging in goes on
        self._has_code = answer.yes
        if not answer.yes and self._tries >= MAX_TRIES and self.connection is not None:
            self.connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, wrong_code())
        return answer.yes

    def _abort(self) -> None:
        if self.connection is not None:
            self.connection.abort()

    # Inside.

    def session_requested(self) -> GuestSession | bool:
        """Return the one session that a connection may have."""
        if self._session is not None:
            return False
        self._session = GuestSession(self)
        return self._session

    @property
    def caller(self) -> Caller:
        """The caller who has come in. Keys that were offered in vain are kept for the next time."""
        if self._has_code:
            return Caller(self.name or _("Player"), offered=tuple(self._offered))
        return Caller(self.name, proven=self._proven)


class GuestSession(asyncssh.SSHServerSession[bytes]):
    """The terminal of one guest, and their screen on it."""

    def __init__(self, server: SshServer) -> None:
        self._server = server
        self._door = server.door
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._screen: GuestScreen | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_terminal = False
        self._size = 80, 24
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._gone = asyncio.Event()

    # What asyncssh calls.

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
        self._size = term_size[:2]
        return True

    def shell_requested(self) -> bool:
        """Grant what SSH calls a shell, to who has a terminal: it is the game."""
        channel = self._channel
        if channel is None or len(channel.get_environment()) > MAX_VARIABLES:
            return False
        return self._has_terminal and self._door.screens < MAX_SCREENS

    def exec_requested(self, _command: str) -> bool:
        """Refuse commands."""
        return False

    def subsystem_requested(self, _subsystem: str) -> bool:
        """Refuse subsystems, such as SFTP."""
        return False

    def session_started(self) -> None:
        """Start the screen."""
        self._door.screens += 1
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
        self._size = width, height
        if self._screen is not None:
            self._screen.resize(width, height)

    def pause_writing(self) -> None:
        """Wait before reading on: the guest's line is slow, or nobody reads there."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self._may_write.set()

    # What the door calls.

    def end(self) -> None:
        """End the screen, if it was started."""
        self._gone.set()
        self._may_write.set()
        if self._task is not None:
            self._task.cancel()

    async def is_there(self) -> bool:
        """Return True if the client still answers; else its connection is over by then."""
        connection = self._server.connection
        if connection is None or self._gone.is_set():
            return False
        connection.set_keepalive(LOOK_S, LOOKS)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S * (LOOKS + 2)):
                await self._gone.wait()
        if self._gone.is_set():
            return False
        connection.set_keepalive(KEEPALIVE_S, KEEPALIVES)
        return True

    async def _run(self) -> None:
        """Show the guest's screen until it ends, or the guest is gone."""
        channel = self._channel
        assert channel is not None
        guest: Guest | None = None
        code = 1
        try:
            guest = await self._settle()
            if guest is None:
                channel.write(log_in_again().encode() + b"\r\n")
            else:
                self._door.there[guest.id] = self
                code = await self._show(channel, guest)
        except (OSError, TableGone, BrokenPipeError) as error:
            _log.warning("a guest's screen cannot be shown: %s", type(error).__name__)
        finally:
            if guest is not None and self._door.there.get(guest.id) is self:
                del self._door.there[guest.id]
            with suppress(OSError):
                channel.exit(code if 0 <= code < 256 else 1)

    def _is_over(self, _task: asyncio.Task[None]) -> None:
        """Free the place of a screen that has ended; a task cancelled at once runs no `finally`."""
        self._door.screens -= 1
        self._gone.set()

    async def _settle(self) -> Guest | None:
        """Return the guest that this is, None if the table does not let them in."""
        caller = self._server.caller
        guest = await self._door.guest_for(caller)
        address, is_new = self._server.address, not caller.proven
        admitted = await self._door.table.admit(guest.seat.public, address, is_new=is_new)
        return guest if admitted else None

    async def _show(self, channel: asyncssh.SSHServerChannel[bytes], guest: Guest) -> int:
        """Start the screen, pass on what it draws until it ends, and return its exit code."""
        order = self._door.table.order
        request = GuestRequest(
            GuestOrder(
                guest.name,
                order.port,
                guest.key,
                pin=order.pin,
                table=order.table,
                title=order.title,
            ),
            terminal_of(channel, self._size),
            str(self._door.guests.home(guest)),
        )
        self._screen = screen = await GuestScreen.start(request)
        try:
            screen.resize(*self._size)  # it may have changed meanwhile
            while data := await screen.read():
                await self._may_write.wait()
                channel.write(data)
        finally:
            code = await screen.close()
        return code


def terminal_of(channel: asyncssh.SSHServerChannel[bytes], size: tuple[int, int]) -> GuestTerminal:
    """Return the guest's terminal, from all of their environment that is read."""
    said = channel.get_environment()
    return GuestTerminal(
        term=channel.get_terminal_type() or "",
        lang=said.get("LANG", ""),
        colorterm=said.get("COLORTERM", ""),
        no_color=bool(said.get("NO_COLOR")),
        columns=size[0],
        rows=size[1],
    )


def plain_address(host: str) -> str:
    """Return an address as the table sees it: no zone, and IPv4 as such."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
