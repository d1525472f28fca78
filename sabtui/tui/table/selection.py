"""Selection of the player, what a card can do, and how the mine shows it, as plain values.

A place is a cell of the mine or a seat; at each a card can be played in one or two ways: the two
ways up of a path card, or the two tools of a double repair. The turn does not matter here, so that
a player may plan ahead. A lay lights the cards that it would join and the cells that it would open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine import legality
from engine.actions import Repair, TargetPlace, TurnEvent
from engine.board import START, Board, Cell, neighbours
from engine.cards import Card, E, N, S, W
from engine.events import Passed, PlayedTurn
from engine.moves import Discard, KeepGold, Lay, Move, PlacedPlay, Play, Reason, plays_at
from engine.view import View
from sabtui.text.cards import rank_by_treasure
from sabtui.tui.mine.picture import Highlights
from sabtui.tui.mine.tiles import CellMark, Ghost


@dataclass(frozen=True, slots=True)
class Choice:
    """Everything that a card can do."""

    view: View
    card: Card
    targets: Mapping[TargetPlace, tuple[PlacedPlay, ...]]
    """The legal plays of the card by place, in the order in which to offer the places."""

    @staticmethod
    def of(view: View, card: Card) -> Choice:
        """Return what a card of the seat's hand can do."""
        assert view.seat is not None
        ways: dict[TargetPlace, list[PlacedPlay]] = {}
        for play in legality.list_plays(view.table, view.seat, (card,)):
            ways.setdefault(play.place, []).append(play)
        places = sorted(ways, key=lambda place: _rank_place(place, ways[place][0], view))
        return Choice(view, card, {place: tuple(ways[place]) for place in places})

    @property
    def on_seats(self) -> bool:
        """True if the card is played on players, not in the mine."""
        return bool(plays_at(self.card, 0))

    def play_at(self, place: TargetPlace, turned: bool) -> Play | None:  # noqa: FBT001 - the state of a selection
        """Return the play at a place, legal or not: as the card is turned, or the way that fits."""
        ways = plays_at(self.card, place)
        if not ways:
            return None
        # `turned` counts as 0 or 1; some cards have one way only.
        move, legal = ways[turned % len(ways)], self.targets.get(place, ())
        return move if not legal or move in legal else legal[0]

    def other_way(self, place: TargetPlace, turned: bool) -> Play | None:  # noqa: FBT001 - as above
        taken = self.play_at(place, turned)
        return next((way for way in plays_at(self.card, place) if way != taken), None)

    def why_not(self, play: Play) -> Reason | None:
        """Return why a play would be illegal if it were this seat's turn, or `None`."""
        view = self.view
        assert view.seat is not None
        return legality.why_not(view.table, view.seat, view.hand, play)

    def after(self, place: TargetPlace | None, step: int) -> TargetPlace | None:
        """Return the next place to play at, or the previous; from elsewhere the first or last.

        `step` is 1 or -1. Without a place to play at, return `None`.
        """
        places = list(self.targets)
        if not places:
            return None
        if place is None or place not in places:
            return places[0 if step > 0 else -1]
        return places[(places.index(place) + step) % len(places)]


def _rank_place(place: TargetPlace, play: PlacedPlay, view: View) -> tuple[int, int]:
    """Return the rank of a place: cells by distance to the gold; the own seat first for repairs."""
    if isinstance(place, int):
        return int((place == view.seat) != isinstance(play, Repair)), place
    return rank_by_treasure(place, view)


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection of the player: a card and a place."""

    cell: Cell = START  # the cell of the cursor, unless it is at a seat
    seat: int | None = None
    card: int | None = None  # index into the hand
    turned: bool = False
    discarding: bool = False
    """True if Enter discards the chosen card."""
    nuggets: int | None = None  # the gold card about to be kept

    @property
    def place(self) -> TargetPlace:
        return self.cell if self.seat is None else self.seat

    def find_card(self, view: View) -> Card | None:
        return None if self.card is None else view.hand[self.card]

    def choice(self, view: View) -> Choice | None:
        """Return what the chosen card can do, or `None` without one."""
        card = self.find_card(view)
        return None if card is None else Choice.of(view, card)

    def choose_card(self, card: int, view: View) -> Selection:
        """Return the selection with another card, the cursor at a place where it can be played."""
        choice = Choice.of(view, view.hand[card])
        selection = replace(self, card=card, turned=False, discarding=False)
        if not choice.on_seats:
            selection = replace(selection, seat=None)
        if selection.place in choice.targets:
            return selection
        first = choice.after(None, 1)
        if first is not None:
            return selection.move_to(first)
        return replace(selection, seat=view.seat) if choice.on_seats else selection

    def move_to(self, place: TargetPlace) -> Selection:
        if isinstance(place, int):
            return replace(self, seat=place, discarding=False)
        return replace(self, seat=None, cell=place, discarding=False)

    def move_cursor(self, east: int, south: int, players: int) -> Selection:
        """Return the selection with the cursor moved; among seats it moves up or down the list."""
        if self.seat is not None:
            return self.move_to((self.seat + (south or east)) % players)
        x, y = self.cell
        return self.move_to((x + east, y + south))

    def back(self) -> Selection:
        """Return the selection one step back: discard, then card, then cursor to the mine."""
        if self.discarding:
            return replace(self, discarding=False)
        if self.card is not None or self.nuggets is not None:
            return replace(self, card=None, turned=False, nuggets=None, seat=None)
        return replace(self, seat=None)

    def choose_gold(self, view: View) -> int | None:
        """Return the nuggets of the gold card that Enter keeps: the chosen one or the only kind."""
        kinds = set(view.offer)
        return next(iter(kinds)) if self.nuggets is None and len(kinds) == 1 else self.nuggets

    def chosen_move(self, view: View) -> Move | None:
        """Return the move that Enter would make; without a chosen card the only one there is."""
        card, choice = self.find_card(view), self.choice(view)
        if card is None or choice is None:
            only = view.legal_moves() if len(view.hand) == 1 else ()
            return only[0] if len(only) == 1 else None
        return Discard(card) if self.discarding else choice.play_at(self.place, self.turned)

    def choose_move(self, move: Move, view: View) -> Selection:
        """Return the selection with which Enter makes a legal move. Raises `ValueError` if none."""
        if isinstance(move, KeepGold):
            return replace(self, nuggets=move.nuggets)
        for at, card in enumerate(view.hand):
            selection = replace(self, card=at, turned=False)
            if isinstance(move, Discard):
                if card == move.card:
                    return replace(selection, discarding=True)
                continue
            choice = Choice.of(view, card)
            for place, plays in choice.targets.items():
                if move in plays:
                    turned = choice.play_at(place, selection.turned) != move
                    return replace(selection.move_to(place), turned=turned)
        raise ValueError(str(move))

    def follow(self, before: View | None, view: View | None) -> Selection:
        """Return the selection after an update: a card that was played is no longer selected."""
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


ARROWS: Final = {N: "^", E: ">", S: "v", W: "<"}
"""Characters for the direction in which a tunnel opens."""


def find_highlights(view: View, selection: Selection) -> Highlights:
    """Return the highlights in the mine while it rests."""
    newest = find_newest_cell(view)
    cursor = selection.cell if selection.seat is None else None
    choice = selection.choice(view)
    if choice is None or selection.discarding:
        return Highlights(cursor, new=newest)
    mark = CellMark.FITS if choice.card.ways else CellMark.HERE
    places = {place: mark for place in choice.targets if not isinstance(place, int)}
    lay = None if cursor is None else choice.play_at(cursor, selection.turned)
    if not isinstance(lay, Lay):
        return Highlights(cursor, places, new=newest)
    fits = lay in choice.targets.get(lay.cell, ())
    marks, labels = _find_effect(view.table.board, lay) if fits else ({}, {})
    return Highlights(cursor, {**marks, **places}, Ghost(lay.path, fits), newest, labels)


def _find_effect(board: Board, lay: Lay) -> tuple[dict[Cell, CellMark], dict[Cell, str]]:
    """Return marks for cards that a lay would join and cells that it would open, and arrows."""
    after = board.with_card(lay.cell, lay.path)
    connected = {
        beside
        for side, back, beside in neighbours(lay.cell)
        if lay.path.edges & side and beside in board.cards and board.cards[beside].edges & back
    }
    if lay.cell not in after.reached:  # a dead end opens nothing
        return dict.fromkeys(connected, CellMark.JOINED), {}
    newly = after.reached - board.reached
    marks = dict.fromkeys(connected | newly - {lay.cell}, CellMark.JOINED)
    before = {cell for cell, _asked in board.openings} | {*board.opened_goals()}
    labels: dict[Cell, str] = {}
    for cell in {*(cell for cell, _asked in after.openings), *after.opened_goals()} - before:
        marks[cell] = CellMark.OPENED
        labels[cell] = next(
            ARROWS[back]
            for _side, back, beside in neighbours(cell)
            if beside in newly and after.cards[beside].edges & back
        )
    return marks, labels


def find_last_turn(view: View) -> PlayedTurn | None:
    """Return the last turn of the round so far, `None` before the first."""
    return next((event for event in reversed(view.history) if isinstance(event, PlayedTurn)), None)


def find_own_turn(view: View) -> TurnEvent | None:
    """Return the last turn of the player in the round so far, `None` before the first."""
    turns = (event for event in reversed(view.history) if isinstance(event, TurnEvent))
    return next((event for event in turns if event.seat == view.seat), None)


def find_newest_cell(view: View) -> Cell | None:
    """Return the cell of the last card played, `None` if it was not played in the mine."""
    last = find_last_turn(view)
    place = None if last is None or isinstance(last, Passed) else last.move.place
    return place if isinstance(place, tuple) else None


class PlayerNote(StrEnum):
    """Private note on another player."""

    NONE = " "
    FRIEND = "+"
    FOE = "-"
    UNSURE = "?"

    @property
    def next(self) -> PlayerNote:
        """Next note, in a cycle."""
        notes = tuple(PlayerNote)
        return notes[(notes.index(self) + 1) % len(notes)]
