"""The host's side of the probe: answers questions and says goodbye, with rate limits.

Sources can be forged, so the limits, per source and in all, protect the table's own time; `probe`
sees to it that no answer is longer than its question.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.probe import read_question, write_answer, write_goodbye
from net.discovery.queries import QUERY_LIFETIME_S
from net.transport.rate_limit import TokenBucket

ANSWERS_PER_ADDRESS_PER_S: Final = 50.0
"""Answers a second to one source. Ten players on one machine, each with a list open, ask 20."""

ANSWERS_PER_S: Final = 500.0
"""Answers a second to all sources together."""

ANSWER_BURST_S: Final = 2.0
"""Seconds' worth of answers that may be saved up."""

MAX_KNOWN_ADDRESSES: Final = 1024
"""Number of recent sources that are remembered."""


class ProbeResponder:
    """Answers questions within the rate limits."""

    __slots__ = ("_all", "_answered", "_each")

    def __init__(self) -> None:
        self._all = TokenBucket(ANSWERS_PER_S, ANSWERS_PER_S * ANSWER_BURST_S, now=0.0)
        self._each: OrderedDict[str, TokenBucket] = OrderedDict()
        self._answered: OrderedDict[Address, tuple[bytes, float]] = OrderedDict()

    def answer(self, packet: bytes, source: Address, now: float, advert: Advert) -> bytes | None:
        """Return the answer to a packet received at `now` (seconds), or `None`."""
        nonce = read_question(packet)
        if nonce is None:
            return None
        token_bucket = self._each.setdefault(
            source.host,
            TokenBucket(ANSWERS_PER_ADDRESS_PER_S, ANSWERS_PER_ADDRESS_PER_S * ANSWER_BURST_S, now),
        )
        self._each.move_to_end(source.host)
        if len(self._each) > MAX_KNOWN_ADDRESSES:
            self._each.popitem(last=False)
        if not token_bucket.take(1, now) or not self._all.take(1, now):
            return None
        self._answered.pop(source, None)
        self._answered[source] = (nonce, now)
        if len(self._answered) > MAX_KNOWN_ADDRESSES:
            self._answered.popitem(last=False)
        return write_answer(nonce, advert)

    def goodbyes(self, now: float, table: str) -> list[tuple[Address, bytes]]:
        """Return the packets to send when the table closes: one for each recent asker's address."""
        return [
            (source, write_goodbye(nonce, table))
            for source, (nonce, answered) in self._answered.items()
            if now - answered <= QUERY_LIFETIME_S
        ]
