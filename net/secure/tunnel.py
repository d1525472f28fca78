"""Connections that the system's own ssh carries: `ssh -W`, with the player's keys and settings.

The other end of it is a TCP connection on the computer that ssh logs in to, made from there. TLS
and the handshake run inside, so that computer's users see no more than those of any network.

ssh asks nothing (BatchMode): a screen may own the terminal. So it needs a key or an agent, and a
host key that is known; whoever logs in there by hand once has both. POSIX only.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Final

from net.secure.address import LOGIN
from net.tasks import finish

HANDS_SOCKETS: Final = sys.platform != "win32"
"""True if a socket can be the standard input of a program."""

TUNNEL_TIMEOUT_S: Final = 20.0
"""Seconds in which ssh has to log in, over other computers if need be, and TLS to begin."""

_OPTIONS: Final = (
    *("-o", "BatchMode=yes"),
    *("-o", "ConnectTimeout=10"),
    *("-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"),
)


def ssh_command(host: str, port: int) -> tuple[str, ...]:
    """Return the command that carries a connection to this port on the computer of a login.

    Only what is in the pattern gets into it, so nothing can pose as an option.
    """
    typed = LOGIN.fullmatch(host)
    assert typed is not None, "it was parsed before"
    login = ("-p", typed["port"]) if typed["port"] else ()
    user = ("-l", typed["user"]) if typed["user"] else ()
    return (
        "ssh",
        *_OPTIONS,
        *login,
        *user,
        "-W",
        f"localhost:{port}",
        "--",
        typed["host"].strip("[]"),
    )


class Tunnel:
    """A process of ssh, and our end of what it carries. It has to be ended with `end`."""

    def __init__(self, ours: socket.socket, process: asyncio.subprocess.Process) -> None:
        self.socket = ours
        self._process = process

    @classmethod
    async def open(cls, host: str, port: int) -> Tunnel:
        """Start ssh.

        Raises OSError: there is no ssh, or this system cannot hand it a socket.
        """
        if not HANDS_SOCKETS:
            raise OSError("no socket can be the input of a program here")
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = await asyncio.create_subprocess_exec(
                    *ssh_command(host, port),
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.DEVNULL,
                )
            except BaseException:
                ours.close()
                raise
        ours.setblocking(False)  # noqa: FBT003 - the library's own way
        return cls(ours, process)

    async def end(self) -> None:
        """End ssh, and wait until it has. The socket belongs to the connection that uses it."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()

    async def end_after(self, gone: asyncio.Event) -> None:
        """Wait until the connection is gone, and end ssh; also if this is cancelled."""
        try:
            await gone.wait()
        finally:
            await finish(self.end())
