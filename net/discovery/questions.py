"""Which answer is to which question: the player's side of the probe.

Knows the nonces of open questions. Must not know sockets or clocks, and draws no nonce itself.
The answer to a question counts by its nonce alone, not by where it came from: a host of several
addresses may well answer from another one than was asked, and nobody who did not see the question
can guess it. A call is a question to all of a network; each of its answers speaks for the address
that it came from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.probe import read_answer, read_goodbye, write_question

PATIENCE: Final = 3.0
"""Seconds that a question stays open, and its answer can be taken back."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer: what was said, the address it speaks for, and when that was asked (seconds)."""

    address: Address
    asked: float
    advert: Advert


class Questions:
    """The open questions, and what was answered lately."""

    __slots__ = ("_answered", "_nonce", "_open")

    def __init__(self, nonce: Callable[[], bytes]) -> None:
        self._nonce = nonce
        self._open: dict[bytes, tuple[Address, float]] = {}
        self._answered: dict[bytes, Heard] = {}

    def ask(self, address: Address, now: float) -> bytes:
        """Write a question to an address, and keep it open."""
        for nonce, (_, asked) in list(self._open.items()):
            if now - asked <= PATIENCE:
                break
            del self._open[nonce]
        nonce = self._nonce()
        self._open[nonce] = (address, now)
        return write_question(nonce)

    def hear(self, packet: bytes, now: float) -> Heard | None:
        """Read an answer. One that nobody waits for, or waits for no more, is `None`."""
        answer = read_answer(packet)
        question = self._open.pop(answer.nonce, None) if answer else None
        if answer is None or question is None or now - question[1] > PATIENCE:
            return None
        heard = Heard(*question, answer.advert)
        late = {nonce: one for nonce, one in self._answered.items() if now - one.asked <= PATIENCE}
        self._answered = late | {answer.nonce: heard}
        return heard

    def hear_goodbye(self, packet: bytes, now: float) -> Heard | None:
        """Read a goodbye: the answer that it takes back. Any other packet is `None`."""
        goodbye = read_goodbye(packet)
        heard = self._answered.pop(goodbye.nonce, None) if goodbye else None
        if goodbye is None or heard is None or now - heard.asked > PATIENCE:
            return None
        return heard if heard.advert.id == goodbye.table else None


class Calls:
    """The open calls."""

    __slots__ = ("_nonce", "_open")

    def __init__(self, nonce: Callable[[], bytes]) -> None:
        self._nonce = nonce
        self._open: dict[bytes, float] = {}

    def call(self, now: float) -> bytes:
        """Write a question to all who hear it, and keep it open."""
        self._open = {nonce: at for nonce, at in self._open.items() if now - at <= PATIENCE}
        nonce = self._nonce()
        self._open[nonce] = now
        return write_question(nonce)

    def hear(self, packet: bytes, source: Address, now: float) -> Heard | None:
        """Read an answer; one that nobody waits for is `None`."""
        answer = read_answer(packet)
        asked = self._open.get(answer.nonce) if answer else None
        if answer is None or asked is None or now - asked > PATIENCE:
            return None
        return Heard(source, asked, answer.advert)
