"""Keys per move: a player who takes the first hint's move by the fewest keys, in the real app.

The app runs without a terminal, at a real table of bots. Each move is made by card, place and
Enter, without asking for the hint, and every key goes through the app.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean
from typing import Final

from textual.pilot import Pilot

from engine.bots import Playouts
from engine.bots.hints import find_hints
from engine.moves import Discard, KeepGold, Move
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.protocol.game_wire import read_move
from net.protocol.lobby import Settings
from net.protocol.requests import MakeMove
from sabtui.tui.table.actions import command_rows
from sabtui.tui.table.model import SendRequest, TableModel
from sabtui.tui.table.screen import TableMoment, TableScreen
from tests.sabtui.tui.run_app import Practice

MOVES: Final = 50
"""Number of moves that are made."""

SIZE: Final = (80, 24)
BUDGET: Final = Playouts(40)
PATIENCE_S: Final = 30.0
MOST_JUMPS: Final = 40  # most presses of n or N that are tried


def main() -> None:
    """Play until enough moves are made, and print the keys that each kind of move took."""
    print(f"keys per move: {MOVES} first hints, {SIZE[0]}x{SIZE[1]}")
    taken: dict[str, list[tuple[int, str]]] = {}
    seed = 0
    while sum(map(len, taken.values())) < MOVES:
        seed += 1
        for move, keys in asyncio.run(_game(seed)):
            told = f"{move}: {' '.join(keys)}"
            taken.setdefault(type(move).__name__, []).append((len(keys), told))
    for kind, counts in sorted(taken.items()):
        most, told = max(counts)
        average = mean(count for count, _told in counts)
        print(f"  {kind:<12}{len(counts):>4} moves   mean {average:.2f}, most {most} ({told})")


async def _game(seed: int) -> list[tuple[Move, tuple[str, ...]]]:
    """Play a game of three rounds in the app, and return the moves with their keys."""
    app, rng = Practice(settings=Settings(), seed=seed), Random(seed)
    made: list[tuple[Move, tuple[str, ...]]] = []
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: isinstance(app.screen, TableScreen))
        table = app.table
        while True:
            await _until(pilot, lambda: _is_awaited(table))
            view = table.status.view
            assert view is not None
            if view.phase is Phase.OVER:
                return made
            if view.phase is Phase.DEAL:
                await pilot.press("enter", "enter")
                continue
            move = find_hints(view, rng, BUDGET)[0].move
            keys = _find_shortest_keys(table.model, table.status, move)
            made.append((move, keys))
            await pilot.press(*keys)


def _find_shortest_keys(model: TableModel, status: Status, move: Move) -> tuple[str, ...]:
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
    actions = {key: row.action for row in command_rows() for key in row.keys.split()}
    for key in keys:
        model, effects = TableMoment(model, status).act(actions[key])
        for effect in effects:
            if isinstance(effect, SendRequest) and isinstance(effect.request, MakeMove):
                return read_move(effect.request.move)
    return None


def _is_awaited(table: TableScreen) -> bool:
    """Return True if the game waits for the player, or is over."""
    view = table.status.view
    if view is None:
        return False
    between = view.phase in {Phase.DEAL, Phase.OVER}
    return between or (view.to_act == view.seat and not table.model.is_sent(table.status))


async def _until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    late = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < late, "the table does not go on"
        await pilot.pause(0.01)
