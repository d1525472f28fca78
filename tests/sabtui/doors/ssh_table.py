"""A table with an SSH door beside it, and guests who come by asyncssh's client or by OpenSSH's."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from tests.net.server.served_table import CODE, HERE, SMALL
from tests.sabtui.doors.open_doors import Door, in_this_process, without_nurseries
from tests.sabtui.doors.watched import OWN_TERMINAL, WatchedGuest
from tests.terminal import Terminal

COLOURS = {"LANG": "en_GB.UTF-8", "COLORTERM": "truecolor"}


def connect(
    port: int, name: str, password: str | None, **options: object
) -> AbstractAsyncContextManager[asyncssh.SSHClientConnection]:
    """Log in by asyncssh's client, which has no keys and trusts any door unless it is told."""
    usual = dict.fromkeys(("client_keys", "agent_path", "known_hosts", "config"))
    return asyncssh.connect(HERE, port, username=name, password=password, **(usual | options))


@dataclass(frozen=True, slots=True)
class SshDoor(Door):
    """A door that is open; guests come to the port `via` if there is one, and on from there."""

    kind = DoorKind.SSH
    via: int = 0

    @property
    def port(self) -> int:
        return self.via or self.now.port

    @asynccontextmanager
    async def login(
        self,
        name: str,
        password: str | None = str(CODE),
        keys: tuple[asyncssh.SSHKey, ...] = (),
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """Log in by asyncssh's client, which trusts this door's key alone."""
        known = f"[{HERE}]:{self.port} " + host_key_line(self.folder)
        options: dict[str, object] = {"known_hosts": asyncssh.import_known_hosts(known)}
        if keys:
            options["client_keys"] = list(keys)
        async with connect(self.port, name, password, **options) as connection:
            yield connection

    @asynccontextmanager
    async def guest(
        self,
        name: str,
        password: str | None = str(CODE),
        keys: tuple[asyncssh.SSHKey, ...] = (),
        env: Mapping[str, str] = COLOURS,
        size: tuple[int, int] = (80, 24),
    ) -> AsyncIterator[WatchedGuest]:
        """A guest at their screen."""
        async with (
            self.login(name, password, keys) as connection,
            shell(connection, env, size) as watched,
        ):
            yield watched


@asynccontextmanager
async def shell(
    connection: asyncssh.SSHClientConnection,
    env: Mapping[str, str] = COLOURS,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[WatchedGuest]:
    """Open the screen on a connection."""
    process: asyncssh.SSHClientProcess[bytes] = await connection.create_process(
        term_type="xterm-256color", term_size=size, env=env, encoding=None
    )
    try:
        async with WatchedGuest(
            lambda: process.stdout.read(1 << 16), process.stdin.write, size
        ) as watched:
            watched.resize = process.change_terminal_size
            yield watched
    finally:
        process.close()


def host_key_line(folder: Path) -> str:
    key = asyncssh.read_private_key(folder / "ssh_host_key")
    return key.export_public_key().decode()


door, beside = SshDoor.open, SshDoor.beside


@asynccontextmanager
async def quick_door(
    where: Path, folder: Path, settings: Settings = SMALL
) -> AsyncIterator[SshDoor]:
    """A new table, its host Ann, and the door in this process; its guests' screens are echoes."""
    with without_nurseries():
        async with in_this_process(), door(where, folder, settings) as opened:
            yield opened


async def typed_ssh(opened: SshDoor, name: str, folder: Path, code: str = str(CODE)) -> Terminal:
    """Type OpenSSH's line into a terminal, then the room code; known hosts are in the folder."""
    known = folder / "known_hosts"
    known.write_text(f"[{HERE}]:{opened.port} {host_key_line(opened.folder)}\n")
    found = shutil.which("ssh")
    assert found
    terminal = await Terminal.start(
        *(sys.executable, "-c", OWN_TERMINAL, found, "-F", "none", "-p", str(opened.port)),
        *(f"-oUserKnownHostsFile={known}", "-oStrictHostKeyChecking=yes", "-oIdentitiesOnly=yes"),
        f"{name}@{HERE}",
        env={**os.environ, "TERM": "xterm-256color", "SSH_AUTH_SOCK": ""},
    )
    await terminal.sees("Room code of Gold Rush, two words:")
    terminal.type(f"{code}\r")
    return terminal
