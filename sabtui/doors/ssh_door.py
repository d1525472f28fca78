"""The SSH door: who may come in by SSH, and the key that guests' clients know the door by.

The password is the room code, and the table counts a wrong one as it counts those at its own port.
A client whose SSH key is known for that name needs none. A client that is let in may have one
session (`sabtui.doors.ssh_session`), and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import asyncssh

from net.files import create, private_folder
from net.protocol.doors import DoorTrouble
from net.protocol.text import clean_name
from net.secure.connection import Trust, accept_in_turn
from net.secure.limits import AdmissionControl, Limit
from sabtui.doors import guests
from sabtui.doors.ssh_session import KEEPALIVE_S, KEEPALIVES, DoorConnection, GuestSession, SshDoor
from sabtui.doors.table_link import DoorOpened, TableGone, TableLink
from sabtui.text.doors import wrong_code
from sabtui.text.i18n import _
from sabtui.text.network import code_asked

SSH_LOGIN_TIMEOUT_S: Final = 90.0
"""Seconds to log in by SSH: time to ask for two words and to type them, and to wait for a turn."""

STARTS: Final = Limit(rate=20, burst=20)
"""Connections whose key exchange begins: each takes some milliseconds."""

HOST_KEY_FILE: Final = "ssh_host_key"

MAX_TRIES: Final = 3  # wrong codes on one connection, after which it is closed

MAX_KEYS_OFFERED: Final = 20
"""Keys that one connection may offer, after which it is closed; agents hold a handful."""

Challenge: TypeAlias = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]

_log = logging.getLogger(__name__)


class SshServer(asyncssh.SSHServer):
    """One connection, until it is gone."""

    connection: DoorConnection

    def __init__(self, door: SshDoor) -> None:
        self.door = door
        self.address = ""
        self.name = ""
        self._session: GuestSession | None = None
        self._proven = ""
        self._has_code, self._renewed = False, 0
        self._offered: dict[str, None] = {}
        self._keys_offered = self._tries = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Note the connection and the address that it comes from."""
        assert isinstance(conn, DoorConnection)
        self.connection = conn
        self.address = guests.plain_address(str(conn.get_extra_info("peername", ("",))[0]))

    def connection_lost(self, exc: Exception | None) -> None:
        """End the screen."""
        _log.debug("a connection is gone: %s", exc)
        self.connection.went_in.set()
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
            self.connection.abort()
            return False
        mark = key.get_fingerprint()
        if len(self._offered) < guests.MAX_SECRETS:
            self._offered[mark] = None
        with suppress(TableGone):
            if await self.door.find_seated(guests.Caller(username), mark) is not None:
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
        return await self._try("") or self._question("")

    async def validate_kbdint_response(self, _username: str, responses: Sequence[str]) -> Challenge:
        """Let in who knows the room code; ask again who does not."""
        if len(responses) == 1 and await self._is_right(responses[0]):
            return True
        return self._question(wrong_code())

    def _question(self, trouble: str) -> Challenge:
        title = self.door.table.order.title
        return "Sabtui", trouble, "", [(f"{code_asked(title)}: ", True)]

    async def _is_right(self, typed: str) -> bool:
        """Return True for the room code; hang up on who has tried too often."""
        self._tries += 1
        is_right = await self._try(typed)
        if not is_right and self._tries >= MAX_TRIES:
            self.connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, wrong_code())
        return is_right

    async def _try(self, typed: str) -> bool:
        """Ask the table whether a code is right, "" if it needs none; wait first, if it says so."""
        try:
            # The table says how long; the time limit for logging in goes on.
            while (answer := await self.door.table.try_code(self.address, typed)).wait:  # noqa: ASYNC110 - as above
                await asyncio.sleep(answer.wait)
        except TableGone:
            self.connection.abort()
            return False
        self._has_code, self._renewed = answer.yes, answer.renewed
        return answer.yes

    # Inside.

    def session_requested(self) -> GuestSession | bool:
        """Return the one session that a connection may have."""
        if self._session is not None:
            return False
        self._session = GuestSession(self.door, self.connection, self.address, self.caller)
        return self._session

    @property
    def caller(self) -> guests.Caller:
        """The caller who has come in. Keys that were offered in vain are kept for the next time."""
        if self._has_code:
            name, offered = self.name or _("Player"), tuple(self._offered)
            return guests.Caller(name, offered=offered, renewed=self._renewed)
        return guests.Caller(self.name, proven=self._proven)


def host_key(folder: Path) -> tuple[asyncssh.SSHKey, DoorTrouble]:
    """Return the door's host key, which is made once and kept for its owner alone.

    A file that holds no key is kept as `.bad`; there is a new key then, and that trouble.

    Raises OSError: it can be neither read nor written.
    """
    path, trouble = folder / HOST_KEY_FILE, DoorTrouble.NONE
    with suppress(FileNotFoundError):
        try:
            asyncssh.import_private_key(path.read_bytes())
        except ValueError:  # asyncssh's errors of keys are ValueErrors
            _log.warning("the host key was damaged, and there is a new one now")
            path.replace(path.with_suffix(".bad"))
            trouble = DoorTrouble.NEW_KEY
    if not path.exists():
        key = asyncssh.generate_private_key("ssh-ed25519", comment="Sabtui")
        private_folder(folder)
        with suppress(FileExistsError):  # another door was quicker
            create(path, key.export_private_key("openssh"))
    path.chmod(0o600)
    return asyncssh.import_private_key(path.read_bytes()), trouble


async def serve(table: TableLink, sockets: Sequence[socket.socket]) -> None:
    """Keep the door open while there is a table, or a guest."""
    asyncssh.set_log_level(logging.ERROR)
    folder = Path(table.order.folder)
    key, trouble = host_key(folder)
    door = SshDoor(table, guests.guest_book(folder, table.order.table))
    options, loop = options_of(door, key), asyncio.get_running_loop()

    async def greet(accepted: socket.socket, _host: str, trust: Trust) -> None:
        """Let a guest log in on one connection and open their session, else close it."""
        connection, ours = DoorConnection(options), socket.socket(fileno=accepted.detach())
        try:
            async with asyncio.timeout(SSH_LOGIN_TIMEOUT_S):
                await loop.connect_accepted_socket(lambda: connection, ours)
                await connection.logged_in
                await connection.went_in.wait()
            trust()
        except BaseException as end:  # too slow, or in the way of others, besides what follows
            connection.abort()
            ours.close()
            if not isinstance(end, asyncssh.Error | ValueError):  # refused, garbage
                raise
            _log.debug("nobody has logged in: %s", type(end).__name__)

    strangers = AdmissionControl(starts=STARTS)
    listening = asyncio.create_task(accept_in_turn(sockets, strangers, greet, guests.household))
    table.tell(DoorOpened(sockets[0].getsockname()[1], key.get_fingerprint(), trouble))
    await table.gone.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    while door.screens:  # noqa: ASYNC110 - guests leave one by one, and none is in a hurry
        await asyncio.sleep(1.0)


def options_of(door: SshDoor, key: asyncssh.SSHKey) -> asyncssh.SSHServerConnectionOptions:
    """Return the options of all connections, which turn off what asyncssh could do besides."""
    return asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: SshServer(door),
        server_host_keys=[key],
        server_version="Sabtui",
        compression_algs=["none"],  # else the length of what is filled up says how much that was
        encoding=None,
        line_editor=False,
        allow_scp=False,
        agent_forwarding=False,
        x11_forwarding=False,
        gss_kex=False,
        gss_auth=False,
        host_based_auth=False,
        login_timeout=SSH_LOGIN_TIMEOUT_S,
        keepalive_interval=KEEPALIVE_S,
        keepalive_count_max=KEEPALIVES,
    )
