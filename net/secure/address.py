"""The address of a table, and the parser for an address that a player types."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PORTS: Final = range(7341, 7351)
"""A table takes the first of these ports that is free; questions without a port go to all of
them."""

SSH_PORTS: Final = range(7351, 7361)
"""A table's SSH door takes the first of these ports that is free."""

WEB_PORTS: Final = range(7361, 7371)
"""A table's browser door takes the first of these ports that is free."""

_NAME: Final = re.compile(r"(?=.{1,253}$)(?!-)[\w-]{1,63}(\.[\w-]{1,63})*\.?")
_PORT: Final = re.compile(r"[0-9]{1,5}")
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
        """The sort key for trying addresses: IPv4, IPv6, link-local IPv6, then loopback."""
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
    BRACKET = "bracket"
    HOST = "host"
    PORT = "port"


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
    """A host, by name or address, and its port if one was typed."""

    host: str
    port: int | None

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports to ask at."""
        return tuple(PORTS) if self.port is None else (self.port,)


def read_ip(text: str) -> _IP | None:
    """Parse an IP address, with or without a scope; return `None` if it is none."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def parse_typed(text: str) -> TypedAddress:
    """Parse `host`, `host:port`, `[ipv6]:port`, `[ipv6]` or a bare IPv6 address.

    Raises BadAddress: the text is none of these.
    """
    typed = text.strip()
    if not typed:
        raise BadAddress(text, AddressMistake.EMPTY)
    if typed.startswith("["):
        host, closed, rest = typed[1:].partition("]")
        if not closed or rest[:1] not in {"", ":"}:
            raise BadAddress(text, AddressMistake.BRACKET)
        if ":" not in host or read_ip(host) is None:
            raise BadAddress(text, AddressMistake.HOST)
        return TypedAddress(host, _port(text, rest[1:]) if rest else None)
    if typed.count(":") > 1:
        if read_ip(typed) is None:
            raise BadAddress(text, AddressMistake.HOST)
        return TypedAddress(typed, None)
    host, colon, port = typed.partition(":")
    if not _NAME.fullmatch(host):
        raise BadAddress(text, AddressMistake.HOST)
    return TypedAddress(host, _port(text, port) if colon else None)


def may_be_asked(address: Address) -> bool:
    """Return True if a hint may make us send a question there: to one host, not at a system port.

    Anybody on the network can forge a hint. A link-local IPv6 address without a scope is unusable.
    """
    ip = read_ip(address.host)
    if ip is None or not 1024 <= address.port <= 65535:
        return False
    if ip.is_unspecified or ip.is_multicast or (ip.is_reserved and not ip.is_loopback):
        return False
    return not (isinstance(ip, ipaddress.IPv6Address) and ip.is_link_local and not ip.scope_id)


def _port(text: str, digits: str) -> int:
    if not _PORT.fullmatch(digits) or not 1 <= int(digits) <= 65535:
        raise BadAddress(text, AddressMistake.PORT)
    return int(digits)
