"""The player's side of the probe: matches answers to the open questions.

An answer is matched by its nonce alone, not by its source: a host of several addresses may answer
from another one than was asked, and only those who saw the question know its nonce. A broadcast is
one question to a whole network; each of its answers stands for the address that it came from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.probe import read_answer, read_goodbye, write_question

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
