"""What one card can do now: places on the table, and at each of them one way or two.

Knows a view. A place is a cell of the mine or a seat; the ways are the two ways up of a card, or
the two tools that a repair mends. That it may not be one's turn changes nothing here: a player may
think ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import rules
from engine.board import Cell
from engine.cards import Card
from engine.moves import Break, Lay, Map, Play, Repair, Rockfall
from engine.reasons import Reason
from engine.view import View
from sabtui.words.mine import nearest_gold

Place: TypeAlias = Cell | int
"""A cell of the mine, or a seat."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place, and what the card can do there."""

    place: Place
    ways: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """All that a card can do, the places in the order in which to offer them."""

    view: View
    card: Card
    targets: tuple[Target, ...]

    @staticmethod
    def of(view: View, card: Card) -> Choice:
        """What a card of the seat's hand can do."""
        assert view.seat is not None
        ways: dict[Place, list[Play]] = {}
        for play in rules.plays(view.table, view.seat, (card,)):
            ways.setdefault(place_of(play), []).append(play)
        targets = (Target(place, tuple(plays)) for place, plays in ways.items())
        return Choice(view, card, tuple(sorted(targets, key=lambda target: _rank(target, view))))

    @property
    def on_seats(self) -> bool:
        """Whether it is played on players, and not in the mine."""
        return self.card.breaks is not None or bool(self.card.repairs)

    def at(self, place: Place) -> Target | None:
        """What the card can do at a place."""
        return next((target for target in self.targets if target.place == place), None)

    def way(self, place: Place, turned: bool) -> Play | None:  # noqa: FBT001 - the state of a desk
        """What to do at a place: as the player turned the card, or else the way that can be.

        A place where nothing can be done has its wish too, so that one can ask why not.
        """
        ways = self._all_ways(place)
        if not ways:
            return None
        wish = ways[turned % len(ways)]
        target = self.at(place)
        if target is None or wish in target.ways:
            return wish
        return target.ways[0]

    def other_way(self, place: Place, turned: bool) -> Play | None:  # noqa: FBT001 - as above
        """The way that is not taken, be it possible or not; `None` where there is one way alone."""
        taken = self.way(place, turned)
        return next((way for way in self._all_ways(place) if way != taken), None)

    def why_not(self, play: Play) -> Reason | None:
        """What forbids it on one's turn, be it one's turn or not."""
        view = self.view
        assert view.seat is not None
        return rules.why_not(view.table, view.seat, view.hand, play)

    def after(self, place: Place | None, step: int) -> Place | None:
        """The next place where something can be done, or the one before; `None` if there is none.

        From elsewhere, the first.
        """
        places = [target.place for target in self.targets]
        if not places:
            return None
        if place is None or place not in places:
            return places[0 if step > 0 else -1]
        return places[(places.index(place) + step) % len(places)]

    def _all_ways(self, place: Place) -> tuple[Play, ...]:
        """What the card could do there but for the rules."""
        card = self.card
        if isinstance(place, int):
            if card.breaks is not None:
                return (Break(card.breaks, place),)
            return tuple(Repair(card, place, tool) for tool in card.repairs)
        if card.ways:
            return tuple(Lay(path, place) for path in card.ways)
        if card is Card.MAP:
            return (Map(place),)
        return (Rockfall(place),) if card is Card.ROCKFALL else ()


def place_of(play: Play) -> Place:
    """Where something is done."""
    match play:
        case Lay(_, cell) | Rockfall(cell) | Map(cell):
            return cell
        case Break(_, seat) | Repair(_, seat, _):
            return seat
        case _:
            raise ValueError(play)


def _rank(target: Target, view: View) -> tuple[int, int]:
    """What to offer first: places near the gold, and other players before oneself."""
    place = target.place
    if isinstance(place, int):
        mends = isinstance(target.ways[0], Repair)
        return int((place == view.seat) != mends), place
    return nearest_gold(place, view)
