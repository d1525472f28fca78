"""What a player is about to do: the card in their fingers, the cursor, what was asked of them.

A value that follows from keys and clicks; knows a view, and nothing of terminals. Its card is kept
as a place in the hand, so that of two equal cards one is lifted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board import START, Cell
from engine.cards import Card
from engine.moves import Discard, Keep, Move
from engine.view import View
from sabtui.screen.table.choice import Choice, Place


@dataclass(frozen=True, slots=True)
class Desk:
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
    def place(self) -> Place:
        """Where the cursor is."""
        return self.cell if self.seat is None else self.seat

    def held(self, view: View) -> Card | None:
        """The chosen card."""
        return None if self.card is None else view.hand[self.card]

    def choice(self, view: View) -> Choice | None:
        """What the chosen card can do."""
        card = self.held(view)
        return None if card is None else Choice.of(view, card)

    def choosing(self, card: int, view: View) -> Desk:
        """With another card chosen, and the cursor where it can be played, if it can be."""
        choice = Choice.of(view, view.hand[card])
        desk = replace(self, card=card, turned=False, discarding=False)
        if not choice.on_seats:
            desk = replace(desk, seat=None)
        if choice.at(desk.place) is not None:
            return desk
        first = choice.after(None, 1)
        if first is not None:
            return desk.moved_to(first)
        return replace(desk, seat=view.seat) if choice.on_seats else desk

    def moved_to(self, place: Place) -> Desk:
        """With the cursor elsewhere."""
        if isinstance(place, int):
            return replace(self, seat=place, discarding=False)
        return replace(self, seat=None, cell=place, discarding=False)

    def moved(self, east: int, south: int, players: int) -> Desk:
        """With the cursor so far from where it was; among seats, up and down alone count."""
        if self.seat is not None:
            return self.moved_to((self.seat + (south or east)) % players)
        x, y = self.cell
        return self.moved_to((x + east, y + south))

    def back(self) -> Desk:
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

    def about_to(self, move: Move, view: View) -> Desk:
        """With all chosen so that Enter would make a move that may be made."""
        if isinstance(move, Keep):
            return replace(self, nuggets=move.nuggets)
        for at, card in enumerate(view.hand):
            desk = replace(self, card=at, turned=False)
            if isinstance(move, Discard):
                if card == move.card:
                    return replace(desk, discarding=True)
                continue
            choice = Choice.of(view, card)
            for target in choice.targets:
                if move in target.ways:
                    turned = choice.way(target.place, desk.turned) != move
                    return replace(desk.moved_to(target.place), turned=turned)
        raise ValueError(move)

    def follow(self, before: View | None, view: View | None) -> Desk:
        """What is left of it when the game goes on: a card that is played is not held any more."""
        if view is None or before is None:
            return Desk()
        desk = self
        played = before.seat is not None and before.to_act == before.seat != view.to_act
        if played or view.seat != before.seat or view.hand != before.hand:
            desk = replace(desk, card=None, turned=False, discarding=False, seat=None)
        if view.offer != before.offer:
            desk = replace(desk, nuggets=None)
        if desk.seat is not None and desk.seat >= view.table.players:
            desk = replace(desk, seat=None)
        return desk
