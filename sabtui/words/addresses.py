"""Addresses in a sentence: where a table is, and what is wrong with one that somebody typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from net.discovery.address import BadAddress, Mistake
from sabtui.words.tongue import _


def either(addresses: Sequence[str]) -> str:
    """An address, or the first two of several."""
    if len(addresses) < 2:
        return addresses[0]
    return _("{one} or {other}").format(one=addresses[0], other=addresses[1])


def bad_address(bad: BadAddress) -> str:
    """Say why that is no address."""
    match bad.mistake:
        case Mistake.EMPTY:
            return _("Type the address that your host's screen shows, as in 192.168.1.20.")
        case Mistake.BRACKET:
            return _("A bracket [ wants its ] after the address, as in [fe80::1]:7341.")
        case Mistake.HOST:
            return _("That is no address: type it as in 192.168.1.20, or box.local.")
        case Mistake.PORT:
            return _("A port is a number from 1 to 65535, as in 192.168.1.20:7341.")
        case never:
            assert_never(never)
