"""How fast a whole table can be guessed at: five codes at once, then one in three seconds.

One account for all links and all addresses, as addresses are free on a LAN. A guess is paid for
when the host gives its share of the exchange, and given back when the proof is right: so guesses
that run side by side or are never finished count too, and cost the host its work only that often.

Who has to wait stands in a line, one place for an address, so that a friend gets in while others
guess as fast as they may. It goes by when one came to stand in it, and counts each earlier try as
HANDICAP later: whoever has tried often is overtaken by who has not, and nobody is overtaken for
ever. Who does not come in time loses the place, and has tried. Who shares an address shares its
place.

Times are seconds of the caller's clock. Knows no link, no code and no proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FREE: Final = 5
PACE: Final = 3.0
"""Seconds between two guesses once FREE were wrong."""

HANDICAP: Final = 10 * PACE
"""Seconds by which an address stands further back in the line for each earlier try."""

LONGEST: Final = 60.0
"""The most seconds that anybody is told to wait; then they are told anew."""

GRACE: Final = 3.0
"""Seconds that a place in the line is kept for who is late."""

ADDRESSES: Final = 4096
"""How many addresses are kept in mind; then the one that came first is forgotten."""


@dataclass(frozen=True, slots=True)
class WrongCodes:
    """Tell the host: so many wrong codes have been tried at this table since it was opened."""

    tried: int


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the line, by `turn`, the least first."""

    turn: tuple[float, int]
    until: float


class GuessLimiter:
    """The account of one table."""

    __slots__ = ("_asked", "_at", "_credit", "_line", "_now", "_tell_at", "_tries", "wrong_codes")

    def __init__(self) -> None:
        self.wrong_codes = 0
        self._tell_at = FREE
        self._credit = float(FREE)
        self._now = 0.0  # goes on with the caller's clock, and never back
        self._at = float("inf")
        self._asked = 0
        self._tries: dict[str, int] = {}
        self._line: dict[str, _Place] = {}

    def admit(self, address: str, now: float) -> float:
        """Pay for one guess: 0.0 if it may be made, else the seconds until to ask again."""
        self._refill(now)
        turn = self._turn(address)
        ahead = sum(place.turn < turn for place in self._line.values())
        missing = ahead + 1 - self._credit
        if missing < 1e-6:
            self._line.pop(address, None)
            self._credit -= 1
            return 0.0
        wait = min(missing * PACE, LONGEST)
        self._line[address] = _Place(turn, self._now + wait + GRACE)
        return wait

    def right(self, address: str, now: float) -> None:
        """Give back what a guess cost that was the code: friends do not slow each other down."""
        self._refill(now)
        self._tries.pop(address, None)
        self._credit = min(self._most, self._credit + 1)

    def wrong(self) -> WrongCodes | None:
        """Count a wrong code; the host is told of the 5th, 10th, 20th, 40th and so on."""
        self.wrong_codes += 1
        if self.wrong_codes < self._tell_at:
            return None
        self._tell_at *= 2
        return WrongCodes(self.wrong_codes)

    @property
    def _most(self) -> float:
        return 1.0 if self.wrong_codes >= FREE else float(FREE)

    def _turn(self, address: str) -> tuple[float, int]:
        """When it is whose turn: who stands in the line keeps it, and whoever comes has tried."""
        if address in self._line:
            return self._line[address].turn
        tries = self._tries.pop(address, 0) + 1
        self._tries[address] = tries
        if len(self._tries) > ADDRESSES:
            del self._tries[next(iter(self._tries))]
        self._asked += 1
        return self._now + (tries - 1) * HANDICAP, self._asked

    def _refill(self, now: float) -> None:
        """Take the time; a clock that jumps back counts as one that stood still."""
        passed = max(0.0, now - self._at)
        self._at = now
        self._now += passed
        self._credit = min(self._most, self._credit + passed / PACE)
        late = [address for address, place in self._line.items() if place.until <= self._now]
        for address in late:
            del self._line[address]
