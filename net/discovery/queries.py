"""Both sides of the probe: the player's open questions, and the host's answers and goodbyes.

An answer is matched by its nonce alone, not by its source: a host of several addresses may answer
from another one than was asked, and only those who saw the question know its nonce. A broadcast is
one question to a whole network; each of its answers stands for the address that it came from.

A host answers within rate limits, per source and in all. Sources can be forged, so these protect
the table's own time; `probe` sees to it that no answer is longer than its question.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.probe import (
    read_answer,
    read_goodbye,
    read_question,
    write_answer,
    write_goodbye,
    write_question,
)
from net.transport.limits import SourceLimits

QUERY_LIFETIME_S: Final = 3.0
"""Seconds that a question stays open, and that its answer can be taken back."""


@dataclass(frozen=True, slots=True)
class ProbeReply:
    """An answer to a question.

    `address` is the address it stands for, `asked` the time it was asked there, in seconds.
    """

    address: Address
    asked: float
    advert: Advert


class Queries:
    """The open questions, and the answers of the last seconds."""

    __slots__ = ("_answered", "_nonce", "_open")

    def __init__(self, nonce: Callable[[], bytes]) -> None:
        self._nonce = nonce
        self._open: dict[bytes, tuple[Address, float]] = {}
        self._answered: dict[bytes, ProbeReply] = {}

    def ask(self, address: Address, now: float) -> bytes:
        """Return a question to an address, and keep it open."""
        for nonce, (_, asked) in list(self._open.items()):
            if now - asked <= QUERY_LIFETIME_S:
                break
            del self._open[nonce]
        nonce = self._nonce()
        self._open[nonce] = (address, now)
        return write_question(nonce)

    def match_answer(self, packet: bytes, now: float) -> ProbeReply | None:
        """Parse an answer; return `None` if it matches no open question."""
        answer = read_answer(packet)
        question = self._open.pop(answer.nonce, None) if answer else None
        if answer is None or question is None or now - question[1] > QUERY_LIFETIME_S:
            return None
        reply = ProbeReply(*question, answer.advert)
        late = {
            nonce: one
            for nonce, one in self._answered.items()
            if now - one.asked <= QUERY_LIFETIME_S
        }
        self._answered = late | {answer.nonce: reply}
        return reply

    def match_goodbye(self, packet: bytes, now: float) -> ProbeReply | None:
        """Parse a goodbye; return the answer that it takes back, `None` if there is none."""
        goodbye = read_goodbye(packet)
        reply = self._answered.pop(goodbye.nonce, None) if goodbye else None
        if goodbye is None or reply is None or now - reply.asked > QUERY_LIFETIME_S:
            return None
        return reply if reply.advert.id == goodbye.table else None


class Broadcasts:
    """The open broadcast questions."""

    __slots__ = ("_nonce", "_open")

    def __init__(self, nonce: Callable[[], bytes]) -> None:
        self._nonce = nonce
        self._open: dict[bytes, float] = {}

    def open(self, now: float) -> bytes:
        """Return a question to broadcast, and keep it open."""
        self._open = {nonce: at for nonce, at in self._open.items() if now - at <= QUERY_LIFETIME_S}
        nonce = self._nonce()
        self._open[nonce] = now
        return write_question(nonce)

    def match_answer(self, packet: bytes, source: Address, now: float) -> ProbeReply | None:
        """Parse an answer; return `None` if it matches no open broadcast."""
        answer = read_answer(packet)
        asked = self._open.get(answer.nonce) if answer else None
        if answer is None or asked is None or now - asked > QUERY_LIFETIME_S:
            return None
        return ProbeReply(source, asked, answer.advert)


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

    __slots__ = ("_answered", "_limits")

    def __init__(self) -> None:
        self._limits = SourceLimits(
            rate=ANSWERS_PER_ADDRESS_PER_S,
            total=ANSWERS_PER_S,
            burst_s=ANSWER_BURST_S,
            known=MAX_KNOWN_ADDRESSES,
        )
        self._answered: OrderedDict[Address, tuple[bytes, float]] = OrderedDict()

    def answer(self, packet: bytes, source: Address, now: float, advert: Advert) -> bytes | None:
        """Return the answer to a packet received at `now` (seconds), or `None`."""
        nonce = read_question(packet)
        if nonce is None or not self._limits.take(source.host, now):
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
