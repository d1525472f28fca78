"""Who gets an answer, and a goodbye: the host's side of the probe, with a limit for each and all.

Knows packets, where they came from and when. Must not know sockets or clocks. Sources can be
forged, so the limits spare the table's own time; that nothing is amplified, probe sees to.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from net.bucket import Bucket
from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.probe import read_question, write_answer, write_goodbye
from net.discovery.questions import PATIENCE

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

    __slots__ = ("_all", "_answered", "_each")

    def __init__(self) -> None:
        self._all = Bucket(ALL, ALL * BURST, now=0.0)
        self._each: OrderedDict[str, Bucket] = OrderedDict()
        self._answered: OrderedDict[Address, tuple[bytes, float]] = OrderedDict()

    def answer(self, packet: bytes, source: Address, now: float, advert: Advert) -> bytes | None:
        """Answer a packet from an address at a time in seconds, or say nothing."""
        nonce = read_question(packet)
        if nonce is None:
            return None
        bucket = self._each.setdefault(source.host, Bucket(EACH, EACH * BURST, now))
        self._each.move_to_end(source.host)
        if len(self._each) > KNOWN:
            self._each.popitem(last=False)
        if not bucket.take(1, now) or not self._all.take(1, now):
            return None
        self._answered.pop(source, None)
        self._answered[source] = (nonce, now)
        if len(self._answered) > KNOWN:
            self._answered.popitem(last=False)
        return write_answer(nonce, advert)

    def goodbyes(self, now: float, table: str) -> list[tuple[Address, bytes]]:
        """What to say to whom when the table is left: one packet to each who asked lately."""
        return [
            (source, write_goodbye(nonce, table))
            for source, (nonce, answered) in self._answered.items()
            if now - answered <= PATIENCE
        ]
