"""The SSH door: accepts connections on its port, and keeps its host key.

Guests' clients know the door again by that key.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import asyncssh

from net.client.files import owner_only
from net.secure.limits import AdmissionControl
from net.secure.listener import accept
from net.server.door_messages import DoorOpened
from sabtui.doors.guests import guest_book
from sabtui.doors.limits import SSH_LOGIN_TIMEOUT_S, Strangers
from sabtui.doors.ssh_server import SshServer
from sabtui.doors.ssh_session import KEEPALIVE_S, KEEPALIVES, SshDoor
from sabtui.doors.table_link import TableLink

STARTS_PER_S: Final = 20.0
"""Connections a second whose key exchange begins: each takes some milliseconds."""

START_BURST: Final = 20.0

HOST_KEY_FILE: Final = "ssh_host_key"

_PAUSE_S: Final = 0.02  # seconds between two looks: whose turn it is, whether guests are left
_log = logging.getLogger(__name__)


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the door's host key, which is made once and kept for its owner alone.

    Raises:
        OSError: it can be neither read nor written.
    """
    path = folder / HOST_KEY_FILE
    if not path.exists():
        key = asyncssh.generate_private_key("ssh-ed25519", comment="Sabtui")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        with open(fresh, "wb", opener=owner_only) as file:
            file.write(key.export_private_key("openssh"))
        try:
            os.link(fresh, path)  # unless another door was quicker
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    path.chmod(0o600)
    return asyncssh.import_private_key(path.read_bytes())


class SshListener:
    """Accepts connections, no more of strangers at once than have places."""

    def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
        self._options = options
        self._strangers = Strangers(AdmissionControl(rate=STARTS_PER_S, burst=START_BURST))
        self._greeted: dict[int, _Greeted] = {}

    async def run(self, sockets: Sequence[socket.socket]) -> None:
        """Accept until cancelled; connections that are not logged in end then."""
        try:
            async with asyncio.TaskGroup() as group:
                for listener in sockets:
                    group.create_task(self._accept(listener))
                group.create_task(self._give_turns())
        finally:
            for listener in sockets:
                listener.close()
            for greeted in tuple(self._greeted.values()):
                greeted.end()

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, host = await accept(listener)
            except OSError:  # gone already, or too many open files
                await asyncio.sleep(_PAUSE_S)
                continue
            greeted = _Greeted(connection)
            entry = self._strangers.enter(host, greeted.end)
            self._greeted[entry] = greeted
            greeted.task = asyncio.create_task(self._greet(entry, greeted))
            greeted.task.add_done_callback(partial(self._forget, entry))

    async def _give_turns(self) -> None:
        control = self._strangers.control
        while True:
            entry = control.turn(time.monotonic())
            if entry is None:
                await asyncio.sleep(_PAUSE_S if control.crowded else 5 * _PAUSE_S)
            elif entry in self._greeted:
                self._greeted[entry].turn.set()

    async def _greet(self, entry: int, greeted: _Greeted) -> None:
        """Let one connection log in, and open its session."""
        await greeted.turn.wait()
        greeted.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        ours = socket.socket(fileno=greeted.socket.detach())
        try:
            async with asyncio.timeout(SSH_LOGIN_TIMEOUT_S):
                await log_in(ours, self._options)
            self._strangers.trust(entry)
        except (OSError, asyncssh.Error, ValueError) as end:  # gone, too slow, refused, garbage
            _log.debug("nobody has logged in: %s", type(end).__name__)
        except Exception:  # noqa: BLE001 - what strangers send must not end the door
            _log.warning("a login broke", exc_info=True)

    def _forget(self, entry: int, _task: asyncio.Task[None]) -> None:
        self._strangers.leave(entry)
        self._greeted.pop(entry).socket.close()


class _Greeted:
    """A connection that was accepted, until its guest has a session."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.turn = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def end(self) -> None:
        """End it."""
        if self.task is not None:
            self.task.cancel()


async def log_in(ours: socket.socket, options: asyncssh.SSHServerConnectionOptions) -> None:
    """Let a guest log in on a socket and open their session; close it if they do not."""
    connection: asyncssh.SSHServerConnection | None = None
    try:
        connection = await asyncssh.run_server(ours, options=options)
        server = connection.get_owner()
        if isinstance(server, SshServer):  # else it is gone already
            await server.went_in.wait()
    except BaseException:  # too slow, or in the way of others, besides all that asyncssh raises
        if connection is not None:
            connection.abort()
        ours.close()  # asyncssh leaves that to the garbage collector if it is cancelled early
        raise


async def serve(table: TableLink, sockets: Sequence[socket.socket]) -> None:
    """Keep the door open while there is a table, or a guest."""
    asyncssh.set_log_level(logging.ERROR)
    folder = Path(table.order.folder)
    key = host_key(folder)
    door = SshDoor(table, guest_book(folder, table.order.table))
    listening = asyncio.create_task(SshListener(options_of(door, key)).run(sockets))
    table.report(DoorOpened(sockets[0].getsockname()[1], key.get_fingerprint()))
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
