"""The app at a real table with a large mine: `python -m benchmarks.dug_table FILE ART`.

Bots dig fast until the mine has `CARDS` cards on the player's turn, who then says `READY`. `FILE`
is that of the preferences, `ART` the way cards are drawn. `benchmarks.screen` measures it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

from engine import Move, View
from engine.board import GOAL_CELLS
from engine.bots import Playouts
from engine.moves import Discard, Lay
from net.client.local import LocalSession, Opponents
from net.client.session import OnUpdate, Status, Update
from net.protocol.lobby import Settings, bot_names
from net.protocol.requests import Chat
from net.room import inputs
from net.room.bots import BotMoveRequest
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableHandle
from sabtui.app.tables import TableService
from sabtui.art import Art
from sabtui.tui.app import SabtuiApp, run

BOTS: Final = 4
"""Number of bots at the table."""
PACE_S: Final = 0.8
"""Seconds that a bot takes for a move while the cost of its moves is measured."""
CARDS: Final = 40
"""Cards in the mine when measuring begins, the start and the goals included."""
READY: Final = "All is ready."
"""The player's chat message once the table is ready to be measured."""
SEED: Final = 7341


class Dug(LocalSession):
    """A table at which bots dig fast until the mine has `CARDS` cards, and then play as usual.

    Its player digs too, and says `READY` in the chat once the mine is large enough.
    """

    def __init__(self, on_update: OnUpdate) -> None:
        seeds, self._chance_to_dig = Random(SEED), Random(SEED)
        names = bot_names(BOTS, {"ana"})
        opponents = Opponents(
            names, "greedy", (PACE_S, PACE_S), Playouts(0), lambda: seeds.randbytes(32)
        )
        self._loop = asyncio.get_running_loop()
        self._on_update = on_update
        self._is_dug = False
        self._turn = -1
        super().__init__("Ana", Settings(rounds=1, seats=BOTS + 1), opponents, self._receive)

    def _receive(self, update: Update) -> None:
        self._on_update(update)
        self._loop.call_soon(self._go_on, update.status)

    def _go_on(self, status: Status) -> None:
        view = status.view
        if self._is_dug or view is None:
            return
        if view.to_act == 0 and len(view.history) != self._turn:
            self._turn = len(view.history)
            if len(view.table.board.tunnels()) + len(GOAL_CELLS) + 1 >= CARDS:
                self._is_dug = True
                self.request(Chat(READY))
            else:
                self.request(self.status.move_request(digs(view, self._chance_to_dig)))

    def _may_speak(self) -> bool:
        """Return False: no bot may speak, as its claims would be counted as turns."""
        return False

    async def _let_bot_play(self, turn: BotMoveRequest) -> None:
        """Make a digging move at once while the mine is too small; then let the bot think."""
        if self._is_dug:
            await super()._let_bot_play(turn)
        else:
            move = digs(turn.view, self._chance_to_dig)
            self._apply_effects(inputs.make_bot_move(self._room, time.monotonic(), turn, move))


def digs(view: View, chance: Random) -> Move:
    """Return a random path card to lay west of the goals, or else a pass.

    Action cards are discarded first, so that path cards remain.
    """
    moves = list(view.legal_moves())
    lays = [move for move in moves if isinstance(move, Lay) and move.cell[0] < 7]
    passes = [move for move in moves if isinstance(move, Discard)]
    actions = [move for move in passes if not move.card.ways]
    return chance.choice(lays or actions or passes or moves)


def no_tables() -> TableService:
    """Raise `NotImplementedError`: no other table can be opened from here."""
    raise NotImplementedError


if __name__ == "__main__":
    run(
        SabtuiApp(
            no_tables,
            PreferencesStore(Path(sys.argv[1])),
            art=Art(sys.argv[2]),
            handle=TableHandle(Dug, practice=True),
        )
    )
