"""The program of the SSH door: `python -m sabtui.doors.ssh_door`, started by the table's process.

It listens for SSH on a port of its own, and keeps its host key, so that guests' clients know the
door again. When the table is gone, or has closed the door, it lets nobody in any more; the guests
who are there stay, since their screens find the table by themselves when it comes back.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from net.client.credentials import owner_only
from net.discovery.address import SSH_PORTS
from net.protocol.messages import DoorTrouble
from net.server.door_messages import DoorFailed, DoorOpened
from net.server.process import hide_memory
from net.transport.admission import AdmissionControl
from sabtui.doors.guests import guest_book
from sabtui.doors.table_link import TableGone, TableLink
from sabtui.text.i18n import load_locale, set_language

if TYPE_CHECKING:
    import asyncssh

LOGIN_TIMEOUT_S: Final = 90.0
"""Seconds to log in: time to ask for two words and to type them, and to wait once for a turn."""

STARTS_PER_S: Final = 20.0
"""Connections a second whose key exchange begins: each takes some milliseconds."""

START_BURST: Final = 20.0

PORT_PATIENCE_S: Final = 1.0
"""Seconds to wait for the first port: the door of a table that was resumed is just leaving it."""

HOST_KEY_FILE: Final = "ssh_host_key"

_PAUSE_S: Final = 0.02
"""Seconds between two looks: whose turn it is, whether a port is free, whether guests are left."""

_log = logging.getLogger(__name__)


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the door's host key, which is made once and kept for its owner alone.

    Raises:
        OSError: it can be neither read nor written.
    """
    import asyncssh  # noqa: PLC0415 - an extra

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


async def claim(ports: Sequence[int] = SSH_PORTS) -> list[socket.socket]:
    """Return sockets that listen on the first free port, on IPv4 and IPv6; [] if none is free."""
    until = time.monotonic() + PORT_PATIENCE_S
    while not (found := _bound(ports[0])) and time.monotonic() < until:  # noqa: ASYNC110 - nobody tells when a port is free
        await asyncio.sleep(_PAUSE_S)
    return found or next(filter(None, map(_bound, ports[1:])), [])


def _bound(port: int) -> list[socket.socket]:
    """Return sockets that listen on a port, none if it is in use for any family."""
    sockets: list[socket.socket] = []
    for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):  # noqa: S104 - guests come from anywhere
        try:
            opened = socket.socket(family, socket.SOCK_STREAM)
        except OSError:  # a system without that family
            continue
        sockets.append(opened)
        try:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened.bind((host, port))
            opened.listen(100)
            opened.setblocking(False)  # noqa: FBT003 - the library's own way
        except OSError as error:
            sockets.remove(opened)
            opened.close()
            if error.errno == errno.EADDRINUSE:
                for other in sockets:
                    other.close()
                return []
    return sockets


class SshListener:
    """Accepts connections, no more of strangers at once than `AdmissionControl` allows."""

    def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
        self._options = options
        self._admission = AdmissionControl(rate=STARTS_PER_S, burst=START_BURST)
        self._waiting: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def run(self, sockets: list[socket.socket]) -> None:
        """Accept until cancelled; connections that are not logged in end then."""
        try:
            async with asyncio.TaskGroup() as group:
                for listener in sockets:
                    group.create_task(self._accept(listener))
                group.create_task(self._give_turns())
        finally:
            for listener in sockets:
                listener.close()
            for task in tuple(self._tasks.values()):
                task.cancel()

    async def _accept(self, listener: socket.socket) -> None:
        from sabtui.doors.ssh_server import plain_address  # noqa: PLC0415 - an extra

        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, (host, *_rest) = await loop.sock_accept(listener)
            except OSError:  # gone already, or too many open files
                await asyncio.sleep(_PAUSE_S)
                continue
            admitted = self._admission.enter(plain_address(host))
            if admitted.evicted is not None and admitted.evicted in self._tasks:
                self._tasks[admitted.evicted].cancel()
            entry = admitted.entry
            self._waiting[entry] = asyncio.Event()
            self._tasks[entry] = task = asyncio.create_task(self._greet(entry, connection))
            task.add_done_callback(partial(self._forget, entry))

    async def _give_turns(self) -> None:
        while True:
            entry = self._admission.turn(time.monotonic())
            if entry is None:
                await asyncio.sleep(_PAUSE_S if self._admission.crowded else 5 * _PAUSE_S)
            elif entry in self._waiting:
                self._waiting[entry].set()

    async def _greet(self, entry: int, connection: socket.socket) -> None:
        """Let one connection log in."""
        import asyncssh  # noqa: PLC0415 - an extra

        with connection:
            await self._waiting[entry].wait()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ours = socket.socket(fileno=connection.detach())
        try:
            async with asyncio.timeout(LOGIN_TIMEOUT_S):
                await asyncssh.run_server(ours, options=self._options)
            self._admission.trust(entry)
        except (OSError, asyncssh.Error, ValueError) as end:  # gone, too slow, refused, garbage
            _log.debug("nobody has logged in: %s", type(end).__name__)
        except Exception:  # noqa: BLE001 - what strangers send must not end the door
            _log.warning("a login broke", exc_info=True)

    def _forget(self, entry: int, _task: asyncio.Task[None]) -> None:
        self._admission.leave(entry)
        del self._waiting[entry], self._tasks[entry]


async def serve(table: TableLink, ports: Sequence[int] = SSH_PORTS) -> None:
    """Open the door, and keep it open while there is a table, or a guest."""
    try:
        from sabtui.doors.ssh_server import (  # noqa: PLC0415 - an extra
            KEEPALIVE_S,
            KEEPALIVES,
            SshDoor,
            SshServer,
        )
    except ImportError:
        table.report(DoorFailed(DoorTrouble.MISSING))
        return
    import asyncssh  # noqa: PLC0415 - an extra

    asyncssh.set_log_level(logging.ERROR)
    folder = Path(table.order.folder)
    key = host_key(folder)
    sockets = await claim(ports)
    if not sockets:
        table.report(DoorFailed(DoorTrouble.NO_PORT))
        return
    door = SshDoor(table, guest_book(folder, table.order.table))
    options = asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: SshServer(door),
        server_host_keys=[key],
        server_version="Sabtui",
        encoding=None,
        line_editor=False,
        allow_scp=False,
        agent_forwarding=False,
        x11_forwarding=False,
        gss_kex=False,
        gss_auth=False,
        host_based_auth=False,
        login_timeout=LOGIN_TIMEOUT_S,
        keepalive_interval=KEEPALIVE_S,
        keepalive_count_max=KEEPALIVES,
    )
    listening = asyncio.create_task(SshListener(options).run(sockets))
    table.report(DoorOpened(sockets[0].getsockname()[1], key.get_fingerprint()))
    await table.gone.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    while door.screens:  # noqa: ASYNC110 - guests leave one by one, and none is in a hurry
        await asyncio.sleep(1.0)


async def run(ports: Sequence[int]) -> None:
    """Run the door of the table that has started this process."""
    with suppress(TableGone):
        table = await TableLink.connect()
        set_language(load_locale(table.order.language))
        try:
            await serve(table, ports)
        finally:
            await table.close()


def main() -> None:
    """Run the program. A port that is named is taken in place of the usual ones; 0 is any."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s ssh door: %(message)s")
    hide_memory()
    asyncio.run(run(tuple(map(int, sys.argv[1:])) or SSH_PORTS))


if __name__ == "__main__":
    main()
