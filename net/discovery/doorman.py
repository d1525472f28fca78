"""Who gets an answer: the host's side of the probe, with a limit for each address and for all.

Knows packets, where they came from and when. Must not know sockets or clocks. Sources can be
forged, so the limits spare the table's own time; that nothing is amplified, probe sees to.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from net.bucket import Bucket
from net.discovery.advert import Advert
from net.discovery.probe import read_question, write_answer

EACH: Final = 50.0
"""Answers a second to one address. Ten players on one machine, each with a list open, ask 20."""

ALL: Final = 500.0
"""Answers a second to all."""

BURST: Final = 2.0
"""Seconds' worth of answers that may be saved up."""

KNOWN: Final = 1024
"""How many addresses are kept in mind, the latest."""


class Doorman:
    """Answers questions, as long as there are not too many."""

    __slots__ = ("_all", "_each")

    def __init__(self) -> None:
        self._all = Bucket(ALL, ALL * BURST, now=0.0)
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def answer(self, packet: bytes, source: str, now: float, advert: Advert) -> bytes | None:
        """Answer a packet from an IP address at a time in seconds, or say nothing."""
        nonce = read_question(packet)
        if nonce is None:
            return None
        bucket = self._each.setdefault(source, Bucket(EACH, EACH * BURST, now))
        self._each.move_to_end(source)
        if len(self._each) > KNOWN:
            self._each.popitem(last=False)
        if not bucket.take(1, now) or not self._all.take(1, now):
            return None
        return write_answer(nonce, advert)
