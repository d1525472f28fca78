"""The keys by which a move is made at the table."""

from __future__ import annotations

from engine import Move, View
from engine.moves import Discard, KeepGold
from sabtui.tui.table.selection import Choice, Selection


def keys_for(move: Move, view: View, selection: Selection) -> list[str]:
    """The keys that make a move at a table where this much is selected."""
    if isinstance(move, KeepGold):
        return [str(move.nuggets), "enter"]
    at = view.hand.index(card_of(move, view))
    first = [str(at + 1)] if selection.card != at else []
    if isinstance(move, Discard):
        return [*first, "x", "enter"]
    choice, keys, place = Choice.of(view, view.hand[at]), first, move.place
    if first:
        selection = selection.choose_card(at, view)
    while selection.place != place:
        after = choice.after(selection.place, 1)
        assert after is not None
        selection = selection.move_to(after)
        keys.append("n")
    return [*keys, *(["r"] if choice.play_at(place, selection.turned) != move else []), "enter"]


def card_of(move: Move, view: View) -> object:
    """The card of the hand that a move plays."""
    if isinstance(move, Discard):
        return move.card
    return next(
        card
        for card in view.hand
        if any(move in plays for plays in Choice.of(view, card).targets.values())
    )
