"""The SSH door: accepts connections on its port, and keeps its host key.

Guests' clients know the door again by that key.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import asyncssh

from net.client.files import owner_only
from net.secure.limits import AdmissionControl
from net.secure.listener import Trust, accept_in_turn
from net.server.door_messages import DoorOpened
from sabtui.doors.guests import guest_book
from sabtui.doors.limits import SSH_LOGIN_TIMEOUT_S, household
from sabtui.doors.ssh_server import SshServer
from sabtui.doors.ssh_session import KEEPALIVE_S, KEEPALIVES, SshDoor
from sabtui.doors.table_link import TableLink

STARTS_PER_S: Final = 20.0
"""Connections a second whose key exchange begins: each takes some milliseconds."""

START_BURST: Final = 20.0

HOST_KEY_FILE: Final = "ssh_host_key"

_log = logging.getLogger(__name__)


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the door's host key, which is made once and kept for its owner alone.

    Raises OSError: it can be neither read nor written.
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
    options = options_of(door, key)

    async def greet(accepted: socket.socket, _host: str, trust: Trust) -> None:
        """Let one connection log in, and open its session."""
        try:
            async with asyncio.timeout(SSH_LOGIN_TIMEOUT_S):
                await log_in(socket.socket(fileno=accepted.detach()), options)
            trust()
        except (asyncssh.Error, ValueError) as end:  # refused, garbage
            _log.debug("nobody has logged in: %s", type(end).__name__)

    strangers = AdmissionControl(rate=STARTS_PER_S, burst=START_BURST)
    listening = asyncio.create_task(accept_in_turn(sockets, strangers, greet, household))
    table.report(DoorOpened(sockets[0].getsockname()[1], key.get_fingerprint()))
    await table.gone.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    while door.screens:  # noqa: ASYNC110 - guests leave one by one, and none is in a hurry
        await asyncio.sleep(1.0)
    if door.fork_server is not None:
        await door.fork_server.close()


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
