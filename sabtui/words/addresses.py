"""What is wrong with an address as somebody typed it, in a sentence."""

from __future__ import annotations

from typing import assert_never

from net.discovery.address import BadAddress, Mistake
from sabtui.words.tongue import _


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
