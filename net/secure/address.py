"""The address of a table, and the parser for an address that a player types."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from net.secure.code import BadCode, RoomCode

PORTS: Final = range(7341, 7351)
"""A table takes the first of these ports that is free; questions without a port go to all of
them."""

SSH_PORTS: Final = range(7351, 7361)
"""A table's SSH door takes the first of these ports that is free."""

WEB_PORTS: Final = range(7361, 7371)
"""A table's browser door takes the first of these ports that is free."""

SCHEME: Final = "ssh://"

LOGIN: Final = re.compile(
    r"ssh://(?:(?P<user>[\w.][\w.-]{0,63})@)?"
    r"(?P<host>[\w.][\w.-]{0,252}|\[[0-9a-fA-F:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?:/(?P<table>[0-9]{1,5}))?/?",
    re.ASCII,
)
"""An ssh login, and the table's port on the computer that it leads to."""

MAX_TYPED: Final = 500  # maximum characters of a text that is read as an address

_NAME: Final = re.compile(r"(?=.{1,253}$)(?!-)[\w-]{1,63}(\.[\w-]{1,63})*\.?")
_PORT: Final = re.compile(r"[0-9]{1,5}")
_COMMAND: Final = re.compile(r"(?:[$>#]\s*)?sabtui\s+(?:join|stage)\b(?P<rest>.*)")
_SSH: Final = re.compile(r"(?:[$>#]\s*)?ssh\s+(?P<rest>.*)")
_LINK: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)?(?P<host>[^\s/?#]+)(?P<more>[/?#]\S*)?", re.IGNORECASE
)
_APART: Final = re.compile(
    r"(?P<host>\S+?)(?:\s*[,;]\s*|\s+)(?:port\s+)?:?(?P<port>[0-9]{1,5})", re.IGNORECASE
)

_SSH_OPTIONS: Final = frozenset("BDEFIJLOPQRSWbceilmopw")
"""The options of ssh that are followed by a value."""
_IP = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Address:
    """An IP address, with its `%scope` if it has one, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def rank(self) -> tuple[int, str, int]:
        """The sort key of addresses equally near: IPv4, IPv6, link-local IPv6, then loopback."""
        ip = read_ip(self.host)
        if ip is None or ip.is_loopback:
            kind = 3
        elif ip.version == 4:
            kind = 0
        else:
            kind = 2 if ip.is_link_local else 1
        return kind, self.host, self.port


class AddressMistake(StrEnum):
    """The mistake in a typed address."""

    EMPTY = "empty"
    HOST = "host"
    PORT = "port"
    LOGIN = "login"


class BadAddress(ValueError):
    """The typed text is not an address; `text` is the text, `mistake` the reason."""

    def __init__(self, text: str, mistake: AddressMistake) -> None:
        super().__init__(text, mistake)
        self.text = text
        self.mistake = mistake

    def __str__(self) -> str:
        return f"{self.text!r}: {self.mistake}"


@dataclass(frozen=True, slots=True)
class TypedAddress:
    """A host as somebody typed it: by name, by address, or as an ssh login."""

    host: str
    port: int | None  # the port, or the port of the table behind a login; `None` if none was typed
    code: RoomCode | None = None  # the room code that a link or a command has
    name: str = ""
    """The name of a table that the text may mean as well, "" if it can only be an address."""

    @property
    def is_door(self) -> bool:
        return self.port in SSH_PORTS or self.port in WEB_PORTS

    @property
    def ports(self) -> tuple[int, ...]:
        if self.port is None:
            return tuple(PORTS)
        return (*PORTS, self.port) if self.is_door else (self.port,)


def read_ip(text: str) -> _IP | None:
    """Parse an IP address, with or without a scope; return `None` if it is not one."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def is_tunnel(host: str) -> bool:
    return host.startswith(SCHEME)


def parse_tunnel(text: str) -> Address:
    """Parse `ssh://[USER@]HOST[:PORT][/TABLE]`: a login, and the table's port, usually 7341.

    The address that is returned has the login as its host, and the table's port.

    Raises BadAddress: it is not such a text.
    """
    typed = LOGIN.fullmatch(text.strip())
    if typed is None:
        raise BadAddress(text, AddressMistake.LOGIN)
    ports = [int(typed[name] or usual) for name, usual in (("port", 22), ("table", PORTS[0]))]
    if not all(1 <= port <= 65535 for port in ports):
        raise BadAddress(text, AddressMistake.PORT)
    user = f"{typed['user']}@" if typed["user"] else ""
    port = f":{typed['port']}" if typed["port"] else ""
    return Address(f"{SCHEME}{user}{typed['host']}{port}", ports[1])


def parse_typed(text: str) -> TypedAddress:
    """Parse what people type or paste as an address.

    That is `host`, `host:port`, `[ipv6]:port`, `[ipv6]` or a bare IPv6 address; with a blank or a
    comma before the port, `user@` before it, or the end of a sentence or a network after it; a link
    to a door's page, whose `#` has the room code; a line for ssh, to a door or to a computer with a
    login; and the command that joins a table.

    Raises BadAddress: the text is none of these. Its text may be a table's name.
    """
    if len(text) > MAX_TYPED:
        raise BadAddress(text, AddressMistake.HOST)
    typed = text.strip().strip("<>\"'`").strip()
    if command := _COMMAND.fullmatch(typed):
        return _parse_command(command["rest"])
    if line := _SSH.fullmatch(typed):
        typed = _read_ssh_line(text, line["rest"])
    if typed.startswith(SCHEME):
        return _parse_login(typed)
    if not typed:
        raise BadAddress(text, AddressMistake.EMPTY)
    apart = _APART.fullmatch(typed)
    if apart and ("." in apart["host"] or read_ip(apart["host"])):
        bare = f"[{apart['host']}]" if read_ip(apart["host"]) and ":" in apart["host"] else ""
        typed = f"{bare or apart['host'].rstrip(':')}:{apart['port']}"
    code, is_link = None, False
    link = _LINK.fullmatch(typed)
    if "://" in typed and not (link and link["scheme"]):
        raise BadAddress(text, AddressMistake.HOST)
    if link and (link["scheme"] or re.search("[.:]", link["host"])):
        typed, is_link = link["host"], bool(link["scheme"] or link["more"])
        code = _read_code((link["more"] or "").partition("#")[2])
    host, port = _parse_host(text, typed.rpartition("@")[2])
    is_sure = is_link or port is not None or read_ip(host) is not None or host.endswith(".local")
    return TypedAddress(host, port, code, "" if is_sure else text.strip())


def _parse_host(text: str, typed: str) -> tuple[str, int | None]:
    """Parse a host and its port, without punctuation at the end. Raises `BadAddress`."""
    typed = typed.rstrip(",;")
    if re.search(r"[0-9\]]\.$", typed):
        typed = typed[:-1]
    if typed.startswith("["):
        host, closed, rest = typed[1:].partition("]")
        if not closed or rest[:1] not in {"", ":"} or ":" not in host or not _is_whole(host):
            raise BadAddress(text, AddressMistake.HOST)
        return host, _parse_port(text, rest[1:]) if rest[1:] else None
    if typed.count(":") > 1:
        if not _is_whole(typed):
            raise BadAddress(text, AddressMistake.HOST)
        return typed, None
    host, _, port = typed.partition(":")
    if not _NAME.fullmatch(host):
        raise BadAddress(text, AddressMistake.HOST)
    return host, _parse_port(text, port) if port else None


def _parse_command(rest: str) -> TypedAddress:
    """Parse the arguments of `sabtui join`, of which only the place and the code are used."""
    words, code = list[str](), None
    before = ""
    for word in rest.replace("=", " ").split():
        if before == "--code":
            code = _read_code(word)
        elif not word.startswith("-") and before != "--name":
            words.append(word)
        before = word
    typed = parse_typed(" ".join(words))
    return replace(typed, code=code or typed.code)


def _read_ssh_line(text: str, rest: str) -> str:
    """Return the login of a line for ssh, with the table's port if it says `localhost:PORT`.

    Raises BadAddress: the line names no computer.
    """
    user, port, before = "", "", ""
    for word in rest.split():
        if before in {"-p", "-l"}:
            user, port = (word, port) if before == "-l" else (user, word)
        elif not word.startswith("-") and before[1:] not in _SSH_OPTIONS:
            at = word.removeprefix(SCHEME)
            user = f"{user}@" if user and "@" not in word else ""
            table = re.search(r"localhost:([0-9]{1,5})", rest)
            door = f":{port}" if port else ""
            return f"{SCHEME}{user}{at}{door}" + (f"/{table[1]}" if table else "")
        before = word if word.startswith("-") else ""
    raise BadAddress(text, AddressMistake.LOGIN)


def _parse_login(login: str) -> TypedAddress:
    """Parse an ssh login, or a table's SSH door into its host and port. Raises BadAddress."""
    there = parse_tunnel(login)
    typed = LOGIN.fullmatch(there.host)
    if typed is not None and typed["port"] and int(typed["port"]) in SSH_PORTS:
        return TypedAddress(typed["host"].strip("[]"), int(typed["port"]))
    return TypedAddress(there.host, there.port)


def _read_code(text: str) -> RoomCode | None:
    with suppress(BadCode):
        return RoomCode.parse(text)
    return None


def may_be_asked(address: Address) -> bool:
    """Return True if a hint may make us send a question there: to a single host, not a system port.

    Anybody on the network can forge a hint. A link-local IPv6 address without a scope is unusable.
    """
    ip = read_ip(address.host)
    if ip is None or not 1024 <= address.port <= 65535:
        return False
    if ip.is_unspecified or ip.is_multicast or (ip.is_reserved and not ip.is_loopback):
        return False
    return _is_whole(address.host)


def _is_whole(host: str) -> bool:
    """Return True for a usable IP address: a link-local IPv6 one needs a scope."""
    ip = read_ip(host)
    if isinstance(ip, ipaddress.IPv6Address) and ip.is_link_local:
        return ip.scope_id is not None
    return ip is not None


def _parse_port(text: str, digits: str) -> int:
    """Parse a port, or raise `BadAddress` for the whole `text`."""
    if not _PORT.fullmatch(digits) or not 1 <= int(digits) <= 65535:
        raise BadAddress(text, AddressMistake.PORT)
    return int(digits)
