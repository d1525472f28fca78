"""The fewest keys that make a move at the table, found by trying them on the table's state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.moves import Discard, KeepGold, Move
from engine.view import View
from net.client.session import Status
from net.protocol.events import read_move
from net.protocol.requests import MakeMove
from sabtui.tui.table.model import SendRequest, TableModel
from sabtui.tui.table.screen import TableMoment
from tests.sabtui.tui.table.pure_table import actions_by_key

ACTIONS: Final = actions_by_key()
MOST_JUMPS: Final = 40


def shortest_keys(model: TableModel, status: Status, move: Move) -> tuple[str, ...]:
    """Return the fewest keys after which the table sends a move; hints are not asked for.

    Raises `LookupError` if none of those that a player would try do.
    """
    view = status.view
    assert view is not None
    for keys in sorted(_tries(view, move), key=len):
        if _sent_move(model, status, keys) == move:
            return keys
    raise LookupError(f"no keys make the move {move}")


def _tries(view: View, move: Move) -> Iterator[tuple[str, ...]]:
    """Yield the keys of a player who knows all of them."""
    if isinstance(move, KeepGold):
        yield str(move.nuggets), "enter"
        return
    for at, card in enumerate(view.hand, 1):
        if card is not move.card:
            continue
        if isinstance(move, Discard):
            yield "x", str(at)
            continue
        jumps = [(key,) * times for key in "nN" for times in range(1, MOST_JUMPS)]
        for where in ((), *jumps):
            yield str(at), *where, "enter"
            yield str(at), *where, "r", "enter"
            yield str(at), *where, "R"


def _sent_move(model: TableModel, status: Status, keys: tuple[str, ...]) -> Move | None:
    """Return the move that the table sends after these keys."""
    for key in keys:
        model, effects = TableMoment(model, status).act(ACTIONS[key])
        for effect in effects:
            if isinstance(effect, SendRequest) and isinstance(effect.request, MakeMove):
                return read_move(effect.request.move)
    return None
