"""Count what the seats of a game did and won, from its events.

The events may be all of a game's (`engine.notation.replay`), or only those that one seat received.
Such a seat knows who took a gold card, but not the nuggets on the cards of others (D7). When all
gold is shown at the end, they follow for each seat that took its unknown cards in a single round;
all know what saboteurs are paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations

from engine.actions import Broke
from engine.cards import Role
from engine.events import (
    Event,
    GameEnded,
    GoldReceived,
    GoldTaken,
    Laid,
    Passed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
)
from engine.readonly import with_added, with_item
from engine.state import check_players


@dataclass(frozen=True, slots=True)
class SeatTally:
    """Counts of one seat."""

    tunnels: int = 0
    """The path cards that it laid, without the dead ends."""
    dead_ends: int = 0
    breaks: int = 0
    passes: int = 0

    def plus(self, more: SeatTally) -> SeatTally:
        """Return the sum of both."""
        return SeatTally(
            self.tunnels + more.tunnels,
            self.dead_ends + more.dead_ends,
            self.breaks + more.breaks,
            self.passes + more.passes,
        )


@dataclass(frozen=True, slots=True)
class RoundTally:
    """The winner and roles of a round, `None` until it ended, and its gold by seat."""

    number: int
    cards: tuple[int, ...]
    """The number of gold cards that each seat received; a miner may take several (D2)."""
    seen: tuple[tuple[int, ...], ...]
    """The nuggets on each seat's gold cards, as far as their faces are known."""
    paid: tuple[int, ...]
    """The nuggets that each seat was paid as a saboteur, chits included (D8)."""
    chits: tuple[int, ...]
    """How many of these nuggets are chits, by seat."""
    winner: Role | None = None
    roles: tuple[Role, ...] | None = None

    @staticmethod
    def begin(number: int, players: int) -> RoundTally:
        """Return the tally of a round that was just dealt."""
        nothing = (0,) * players
        return RoundTally(number, nothing, ((),) * players, nothing, nothing)

    @property
    def nuggets(self) -> tuple[int | None, ...]:
        """The worth of each seat's gold, chits included, and `None` where it is not known."""
        if self.winner is Role.SABOTEUR:
            return self.paid
        return tuple(
            sum(seen) if len(seen) == cards else None
            for seen, cards in zip(self.seen, self.cards, strict=True)
        )

    def find_paid(self, seat: int, gold: Counter[int]) -> tuple[int, ...]:
        """Return cards of this gold that a saboteur may have been paid, none for a miner."""
        due = self.paid[seat] - self.chits[seat]
        found = combinations(gold.elements(), self.cards[seat]) if due else ()
        return next((cards for cards in found if sum(cards) == due), ())

    def after(self, event: Event) -> RoundTally:
        """Return this tally after an event of the round."""
        match event:
            case RoundEnded(winner, roles):
                return replace(self, winner=winner, roles=roles)
            case GoldTaken(seat):
                return replace(self, cards=with_added(self.cards, seat, 1))
            case SaboteursPaid(due, cards, chits):
                # A saboteur gets a card or a chit, and nobody else gets either (D8).
                paid = [due if any(gold) else 0 for gold in zip(cards, chits, strict=True)]
                return replace(self, cards=cards, paid=tuple(paid), chits=chits)
            case GoldReceived(seat, nuggets):
                seen = (*self.seen[seat], *nuggets)
                return replace(self, seen=with_item(self.seen, seat, seen))
            case _:
                return self


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of each seat, and its rounds so far."""

    seats: tuple[SeatTally, ...]
    rounds: tuple[RoundTally, ...] = ()

    @staticmethod
    def of(events: Iterable[Event], players: int) -> Tally:
        """Return the tally of a game with this number of players, from its events in order.

        Raises `ValueError` for a number of players that S1 does not allow.
        """
        check_players(players)
        tally = Tally((SeatTally(),) * players)
        for event in events:
            tally = tally.after(event)
        return tally

    def after(self, event: Event) -> Tally:
        """Return this tally after an event."""
        match event:
            case Laid(seat, path) if path.through:
                return self._add(seat, SeatTally(tunnels=1))
            case Laid(seat):
                return self._add(seat, SeatTally(dead_ends=1))
            case Broke(seat):
                return self._add(seat, SeatTally(breaks=1))
            case Passed(seat):
                return self._add(seat, SeatTally(passes=1))
            case RoundBegan(number):
                begun = RoundTally.begin(number, len(self.seats))
                return replace(self, rounds=(*self.rounds, begun))
            case GameEnded(gold):
                return reduce(Tally._deduce, enumerate(gold), self)
            case _ if self.rounds:
                *before, now = self.rounds
                return replace(self, rounds=(*before, now.after(event)))
            case _:
                return self

    def _deduce(self, shown: tuple[int, tuple[int, ...]]) -> Tally:
        """Return this tally with a seat's unknown cards filled in, if it took all in one round.

        `shown` is the seat with all its gold cards.
        """
        seat, gold = shown
        hidden = [tally for tally in self.rounds if tally.nuggets[seat] is None]
        if len(hidden) != 1:
            return self
        left = Counter(gold)
        # Cards that were seen go first. What a saboteur was paid with is then sought in the rest.
        for tally in sorted(self.rounds, key=lambda tally: not tally.seen[seat]):
            left -= Counter(tally.seen[seat] or tally.find_paid(seat, left))
        deduced = replace(hidden[0], seen=with_item(hidden[0].seen, seat, tuple(left.elements())))
        return replace(
            self, rounds=tuple(deduced if tally is hidden[0] else tally for tally in self.rounds)
        )

    def _add(self, seat: int, more: SeatTally) -> Tally:
        counts = self.seats[seat].plus(more)
        return replace(self, seats=with_item(self.seats, seat, counts))
