"""One port number for a table, free for TCP and for UDP, on IPv4 and on IPv6.

Knows sockets, and nothing of what they carry. The game takes the TCP ones, the announcer the UDP
ones; they are opened here together, so that nobody can take the one between the other.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from net.discovery.address import PORTS

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - a table is for everybody on the network
LOOPBACK: Final = ("127.0.0.1", "::1")

_BACKLOG: Final = 128
_TRIES: Final = 20
_ABSENT: Final = frozenset(
    (
        errno.EAFNOSUPPORT,
        errno.EADDRNOTAVAIL,
        errno.EPROTONOSUPPORT,
        errno.ENOPROTOOPT,
    )
)
_TAKEN: Final = frozenset((errno.EADDRINUSE, errno.EACCES))


class NoPortFree(OSError):
    """Somebody else has each of these ports."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__(errno.EADDRINUSE, f"ports {ports[0]} to {ports[-1]} are taken")
        self.ports = ports

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.ports,), vars(self)  # OSError would be made of its own arguments.


@dataclass(frozen=True, slots=True)
class Claim:
    """A port with its sockets, TCP ones listening; a family that this machine lacks is absent."""

    port: int
    tcp: tuple[socket.socket, ...]
    udp: tuple[socket.socket, ...]

    def close(self) -> None:
        """Give the port back. Closing twice does no harm."""
        for opened in (*self.tcp, *self.udp):
            opened.close()


def claim(
    *,
    first: int | None = None,
    ports: Iterable[int] = PORTS,
    hosts: Iterable[str] = EVERYWHERE,
) -> Claim:
    """Take `first`, if given and free, else the first free one of `ports`; 0 is any.

    Raises:
        NoPortFree: none of them is free.
        OSError: this machine has none of the hosts' families, or forbids sockets.
    """
    wanted = [*([] if first is None else [first]), *ports]
    hosts = tuple(hosts)
    for port in wanted:
        for _ in range(1 if port else _TRIES):
            if taken := _take(port, hosts):
                return taken
    raise NoPortFree(wanted)


def _take(port: int, hosts: Sequence[str]) -> Claim | None:
    """Take a port on all hosts that there are, or not at all."""
    tcp: list[socket.socket] = []
    udp: list[socket.socket] = []
    absent: OSError | None = None
    complete = False
    try:
        for host in hosts:
            try:
                listening = _open(socket.SOCK_STREAM, host, port)
            except OSError as error:
                if error.errno not in _ABSENT:
                    raise
                absent = error
                continue
            tcp.append(listening)
            port = listening.getsockname()[1]
            udp.append(_open(socket.SOCK_DGRAM, host, port))
        if absent is not None and not tcp:
            raise absent
        complete = True
        return Claim(port, tuple(tcp), tuple(udp))
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        return None
    finally:
        if not complete:
            Claim(port, tuple(tcp), tuple(udp)).close()


def _open(kind: socket.SocketKind, host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, kind)
    try:
        opened.settimeout(0)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if sys.platform == "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        elif kind == socket.SOCK_STREAM:
            # A host that was killed gets its port back at once, old connections or not.
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        if kind == socket.SOCK_STREAM:
            opened.listen(_BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened
