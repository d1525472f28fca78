"""The SSH door: who may log in over SSH, and the key that identifies the door to guests' clients.

The password is the room code, and the table counts a wrong one as it counts those at its own port.
A client whose SSH key is known for that name needs no code. An admitted client may have one session
(`sabtui.doors.ssh_session`), and nothing else.
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
from net.protocol.cleaning import clean_name
from net.protocol.doors import DoorTrouble
from net.secure.connection import Trust, accept_in_turn
from net.secure.limits import AdmissionControl, Limit
from net.tasks import wait_for_event
from sabtui.doors import guests
from sabtui.doors.ssh_session import KEEPALIVE_S, KEEPALIVES, DoorConnection, GuestSession, SshDoor
from sabtui.doors.table_link import DoorOpened, TableGone, TableLink
from sabtui.text.door_words import SshMistake, wrong_code
from sabtui.text.i18n import _
from sabtui.text.network import code_asked

SSH_LOGIN_TIMEOUT_S: Final = 90.0
"""Seconds to log in over SSH: time to ask for the code, to type it, and to wait for a turn."""

SESSION_TIMEOUT_S: Final = 10.0
"""Seconds from the login to a session: clients ask for one at once, unless they have -N."""

STARTS: Final = Limit(rate=20, burst=20)
"""Connections that may begin a key exchange each second: one takes a few milliseconds."""

HOST_KEY_FILE: Final = "ssh_host_key"

MAX_TRIES: Final = 3  # wrong codes on one connection, after which it is closed

MAX_KEYS_OFFERED: Final = 20
"""Maximum number of keys that one connection may offer before it is closed; agents hold a
handful."""

Challenge: TypeAlias = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]

_log = logging.getLogger(__name__)


class SshServer(asyncssh.SSHServer):
    """Answers asyncssh's questions about one connection: who may log in, and what they may open."""

    connection: DoorConnection

    def __init__(self, door: SshDoor) -> None:
        self.door = door
        self.address = ""
        self.name = ""
        self._session: GuestSession | None = None
        self._proven = ""  # the fingerprint of the key of a guest with a seat, "" for none
        self._has_code = False  # True if they typed the room code, or the table needs none
        self._renewed = 0  # how often the code had been renewed by then
        self._offered: dict[str, None] = {}  # the fingerprints of offered keys, in order
        self._keys_offered = self._tries = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        assert isinstance(conn, DoorConnection)
        self.connection = conn
        self.address = guests.normalise_address(str(conn.get_extra_info("peername", ("",))[0]))

    def connection_lost(self, exc: Exception | None) -> None:
        _log.debug("a connection is gone: %s", exc)
        self.connection.session_settled.set()
        if self._session is not None:
            self._session.end()

    def begin_auth(self, username: str) -> bool:
        """Begin a login under a name; what was proven under another name no longer counts."""
        self.name = clean_name(username)
        self._proven, self._has_code = "", False
        return True

    # Login with a known key.

    def public_key_auth_supported(self) -> bool:
        """Return True: a guest may log in with a key."""
        return True

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Return True for the key of a guest with a seat; asyncssh then asks for a signature."""
        self._keys_offered += 1
        if self._keys_offered > MAX_KEYS_OFFERED:
            self.connection.abort()  # each key costs the table a question
            return False
        mark = key.get_fingerprint()
        if len(self._offered) < guests.MAX_SECRETS:
            self._offered[mark] = None
        with suppress(TableGone):  # refuse the key: the question for the code then hangs up
            if await self.door.find_seated(guests.Caller(username), mark) is not None:
                self._proven = mark
                return True
        return False

    # Login with the room code.

    def password_auth_supported(self) -> bool:
        """Return True: some clients know only passwords."""
        return True

    def kbdint_auth_supported(self) -> bool:
        """Return True: a client shows the question for the code."""
        return True

    async def validate_password(self, _username: str, password: str) -> bool:
        return await self._check_code(password)

    async def get_kbdint_challenge(self, _username: str, _lang: str, _methods: str) -> Challenge:
        """Ask for the room code, unless the table needs none."""
        return await self._try_code("") or self._make_question("")

    async def validate_kbdint_response(self, _username: str, responses: Sequence[str]) -> Challenge:
        """Return True if the answer is the room code, else the next question."""
        if len(responses) == 1 and await self._check_code(responses[0]):
            return True
        return self._make_question(wrong_code())

    def _make_question(self, trouble: str) -> Challenge:
        """Ask for the room code, below a sentence about the last mistake."""
        title = self.door.table.order.title
        return "Sabtui", trouble, "", [(f"{code_asked(title)}: ", True)]

    async def _check_code(self, typed: str) -> bool:
        """Return True for the room code; close the connection after `MAX_TRIES` wrong ones."""
        self._tries += 1
        is_right = await self._try_code(typed)
        if not is_right and self._tries >= MAX_TRIES:
            self.connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, wrong_code())
        return is_right

    async def _try_code(self, typed: str) -> bool:
        """Ask the table whether a code is right, again if it says to wait; "" if it needs none."""
        try:
            while (answer := await self.door.table.try_code(self.address, typed)).wait:  # noqa: ASYNC110 - the table says how long
                await asyncio.sleep(answer.wait)
        except TableGone:
            self.connection.abort()
            return False
        self._has_code, self._renewed = answer.yes, answer.renewed
        return answer.yes

    # After login.

    def session_requested(self) -> GuestSession | bool:
        if self._session is not None:
            return False
        self._session = GuestSession(self.door, self.connection, self.address, self.caller)
        return self._session

    @property
    def caller(self) -> guests.Caller:
        """The guest who has logged in; with the room code, also the keys that they have offered."""
        if self._has_code:
            name, offered = self.name or _("Player"), tuple(self._offered)
            return guests.Caller(name, offered=offered, renewed=self._renewed)
        return guests.Caller(self.name, proven=self._proven)


def load_host_key(folder: Path) -> tuple[asyncssh.SSHKey, DoorTrouble]:
    """Return the door's host key, created if there is none; only this user may read its file.

    A file that contains no key is renamed to `.bad`; then a new key is made, and `NEW_KEY`
    returned.

    Raises OSError: the key can be neither read nor written.
    """
    path, trouble = folder / HOST_KEY_FILE, DoorTrouble.NONE
    with suppress(FileNotFoundError):  # the first start: a key is made below
        try:
            asyncssh.import_private_key(path.read_bytes())
        except ValueError:  # asyncssh's key errors are ValueErrors
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
    """Serve the SSH door of a table until the table and the last guest are gone."""
    asyncssh.set_log_level(logging.ERROR)
    folder = Path(table.order.folder)
    key, trouble = load_host_key(folder)
    door = SshDoor(table, guests.open_guest_book(folder, table.order.table))
    options, loop = make_options(door, key), asyncio.get_running_loop()

    async def greet(accepted: socket.socket, _host: str, trust: Trust) -> None:
        """Let a guest log in on one connection and start a screen; close it if they do not."""
        connection = DoorConnection(options)
        try:
            async with asyncio.timeout(SSH_LOGIN_TIMEOUT_S):
                with suppress(OSError):  # no processes left: starting the screen will report it
                    await door.nursery.prepare()
                # From here on the loop closes the socket, after `abort` returns. Closing it at once
                # would give its number to the next connection, which nobody would then read.
                ours = socket.socket(fileno=accepted.detach())
                await loop.connect_accepted_socket(lambda: connection, ours)
                await connection.logged_in
                if not await wait_for_event(connection.session_settled, SESSION_TIMEOUT_S):
                    name = clean_name(connection.get_extra_info("username", ""))
                    reason = connection.explain(SshMistake.NO_GAME, name)
                    connection.disconnect(asyncssh.DISC_SERVICE_NOT_AVAILABLE, reason)
                    return
            trust()
        except BaseException as end:  # also if it is too slow, or makes room for another
            connection.abort()
            if not isinstance(end, asyncssh.Error | ValueError):  # refused, or no SSH at all
                raise
            _log.debug("nobody has logged in: %s", type(end).__name__)

    strangers = AdmissionControl(starts=STARTS)
    listening = asyncio.create_task(
        accept_in_turn(sockets, strangers, greet, guests.find_household)
    )
    table.send(DoorOpened(sockets[0].getsockname()[1], key.get_fingerprint(), trouble))
    try:
        await table.gone.wait()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        while door.screens:  # noqa: ASYNC110 - guests leave one by one, and nothing is urgent
            await asyncio.sleep(1.0)
    finally:
        await door.nursery.close()


def make_options(door: SshDoor, key: asyncssh.SSHKey) -> asyncssh.SSHServerConnectionOptions:
    """Return the options of all connections; they turn off all that the door does not need."""
    return asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: SshServer(door),
        server_host_keys=[key],
        server_version="Sabtui",
        # Dropbear's client sends the first packet of this exchange as a guess. asyncssh accepts it
        # even if another algorithm is first here, and then fails. The client's order decides.
        kex_algs="^curve25519-sha256",
        compression_algs=["none"],  # else the length of a padded screen would depend on its text
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
