"""Selection and what a card can do (Choice): values.

What one card can do now: places on the table, and at each of them one way or two.

A place is a cell of the mine or a seat; the ways are the two ways up of a card, or the two tools
that a repair mends. That it may not be one's turn changes nothing here: a player may think ahead.

What a player is about to do: the card in their fingers, the cursor, what was asked of them.

A value that follows from keys and clicks; knows a view, and nothing of terminals. Its card is kept
as a place in the hand, so that of two equal cards one is lifted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from engine import rules
from engine.board import START, Cell
from engine.cards import Card
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Play, Repair, Rockfall
from engine.reasons import Reason
from engine.view import View
from sabtui.text.mine import nearest_gold

TargetPlace: TypeAlias = Cell | int
"""A cell of the mine, or a seat."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place, and what the card can do there."""

    place: TargetPlace
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
        ways: dict[TargetPlace, list[Play]] = {}
        for play in rules.plays(view.table, view.seat, (card,)):
            ways.setdefault(place_of(play), []).append(play)
        targets = (Target(place, tuple(plays)) for place, plays in ways.items())
        return Choice(view, card, tuple(sorted(targets, key=lambda target: _rank(target, view))))

    @property
    def on_seats(self) -> bool:
        """Whether it is played on players, and not in the mine."""
        return self.card.breaks is not None or bool(self.card.repairs)

    def at(self, place: TargetPlace) -> Target | None:
        """What the card can do at a place."""
        return next((target for target in self.targets if target.place == place), None)

    def way(self, place: TargetPlace, turned: bool) -> Play | None:  # noqa: FBT001 - the state of a desk
        """What to do at a place: as the player turned the card, or else the way that can be.

        A place where nothing can be done has its wish too, so that one can ask why not.
        """
        ways = self._all_ways(place)
        if not ways:
            return None
        move = ways[turned % len(ways)]
        target = self.at(place)
        if target is None or move in target.ways:
            return move
        return target.ways[0]

    def other_way(self, place: TargetPlace, turned: bool) -> Play | None:  # noqa: FBT001 - as above
        """The way that is not taken, be it possible or not; `None` where there is one way alone."""
        taken = self.way(place, turned)
        return next((way for way in self._all_ways(place) if way != taken), None)

    def why_not(self, play: Play) -> Reason | None:
        """What forbids it on one's turn, be it one's turn or not."""
        view = self.view
        assert view.seat is not None
        return rules.why_not(view.table, view.seat, view.hand, play)

    def after(self, place: TargetPlace | None, step: int) -> TargetPlace | None:
        """The next place where something can be done, or the one before; `None` if there is none.

        From elsewhere, the first.
        """
        places = [target.place for target in self.targets]
        if not places:
            return None
        if place is None or place not in places:
            return places[0 if step > 0 else -1]
        return places[(places.index(place) + step) % len(places)]

    def _all_ways(self, place: TargetPlace) -> tuple[Play, ...]:
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


def place_of(play: Play) -> TargetPlace:
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


@dataclass(frozen=True, slots=True)
class Selection:
    """`card` is the place in the hand of the chosen card, `turned` whether it is turned.

    The cursor is on `cell`, or at `seat` while that is not `None`. With `discarding`, Enter
    discards the chosen card. `nuggets` is the gold card about to be kept.
    """

    cell: Cell = START
    seat: int | None = None
    card: int | None = None
    turned: bool = False
    discarding: bool = False
    nuggets: int | None = None

    @property
    def place(self) -> TargetPlace:
        """Where the cursor is."""
        return self.cell if self.seat is None else self.seat

    def held(self, view: View) -> Card | None:
        """The chosen card."""
        return None if self.card is None else view.hand[self.card]

    def choice(self, view: View) -> Choice | None:
        """What the chosen card can do."""
        card = self.held(view)
        return None if card is None else Choice.of(view, card)

    def choosing(self, card: int, view: View) -> Selection:
        """With another card chosen, and the cursor where it can be played, if it can be."""
        choice = Choice.of(view, view.hand[card])
        selection = replace(self, card=card, turned=False, discarding=False)
        if not choice.on_seats:
            selection = replace(selection, seat=None)
        if choice.at(selection.place) is not None:
            return selection
        first = choice.after(None, 1)
        if first is not None:
            return selection.moved_to(first)
        return replace(selection, seat=view.seat) if choice.on_seats else selection

    def moved_to(self, place: TargetPlace) -> Selection:
        """With the cursor elsewhere."""
        if isinstance(place, int):
            return replace(self, seat=place, discarding=False)
        return replace(self, seat=None, cell=place, discarding=False)

    def moved(self, east: int, south: int, players: int) -> Selection:
        """With the cursor so far from where it was; among seats, up and down alone count."""
        if self.seat is not None:
            return self.moved_to((self.seat + (south or east)) % players)
        x, y = self.cell
        return self.moved_to((x + east, y + south))

    def back(self) -> Selection:
        """One step back: a discard, then the card, then the cursor to the mine."""
        if self.discarding:
            return replace(self, discarding=False)
        if self.card is not None or self.nuggets is not None:
            return replace(self, card=None, turned=False, nuggets=None, seat=None)
        return replace(self, seat=None)

    def kept(self, view: View) -> int | None:
        """The nuggets of the gold card that Enter keeps: the chosen one's, or the only kind's."""
        kinds = set(view.offer)
        return next(iter(kinds)) if self.nuggets is None and len(kinds) == 1 else self.nuggets

    def wish(self, view: View) -> Move | None:
        """What Enter would do, if it may."""
        card, choice = self.held(view), self.choice(view)
        if card is None or choice is None:
            return None
        return Discard(card) if self.discarding else choice.way(self.place, self.turned)

    def about_to(self, move: Move, view: View) -> Selection:
        """With all chosen so that Enter would make a move that may be made."""
        if isinstance(move, KeepGold):
            return replace(self, nuggets=move.nuggets)
        for at, card in enumerate(view.hand):
            selection = replace(self, card=at, turned=False)
            if isinstance(move, Discard):
                if card == move.card:
                    return replace(selection, discarding=True)
                continue
            choice = Choice.of(view, card)
            for target in choice.targets:
                if move in target.ways:
                    turned = choice.way(target.place, selection.turned) != move
                    return replace(selection.moved_to(target.place), turned=turned)
        raise ValueError(move)

    def follow(self, before: View | None, view: View | None) -> Selection:
        """What is left of it when the game goes on: a card that is played is not held any more."""
        if view is None or before is None:
            return Selection()
        selection = self
        played = before.seat is not None and before.to_act == before.seat != view.to_act
        if played or view.seat != before.seat or view.hand != before.hand:
            selection = replace(selection, card=None, turned=False, discarding=False, seat=None)
        if view.offer != before.offer:
            selection = replace(selection, nuggets=None)
        if selection.seat is not None and selection.seat >= view.table.players:
            selection = replace(selection, seat=None)
        return selection
