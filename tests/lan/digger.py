"""The program, with an autopilot that digs for gold whatever it is, and rests at a given time.

`python -m tests.lan.digger FILE host --plain --autopilot ...`: the file says when, as in "2 gold".
Then, and later, it makes no move and does not say that it is ready for the next round. It looks
there at each step of the table, and prints what the time is: "At 2 gold".
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.bots import greedy
from engine.cards import Role
from engine.state import Phase
from net.client import remote
from net.client.session import Session, Status
from sabtui.app.autopilot import Autopilot
from sabtui.cli.main import main
from sabtui.plain import table

TIMES = ("lobby", "draw", "deal", "middle", "gold", "between", "over")
"""Times of a round; it is in its middle once this many things have happened."""

MIDDLE = 9

ASLEEP = "asleep"
"""The file in a home that says for how long its computer has slept, in seconds."""


def time_of(status: Status) -> tuple[int, int]:
    """Return the round, and the place of its present time among `TIMES`."""
    lobby, view = status.lobby, status.view
    number = 0 if view is None else view.score.number
    if lobby is None or view is None:
        time = "lobby"
    elif view.phase is Phase.PLAY:
        time = "middle" if len(view.history) >= MIDDLE else "deal"
    else:
        time = {Phase.GOLD: "gold", Phase.DEAL: "between", Phase.OVER: "over"}[view.phase]
    if lobby is not None and lobby.is_drawing:
        number, time = number + 1, "draw"
    return number, TIMES.index(time)


class Digger(Autopilot):
    """An autopilot that digs until it is time to rest."""

    rests_at = Path()

    def __init__(self, session: Session) -> None:
        """Play a seat."""
        super().__init__(session)
        self._bot = lambda view, rng, budget: greedy(view._replace(role=Role.MINER), rng, budget)
        self._time = (-1, -1)

    def on_update(self, status: Status) -> None:
        """Say what the time is, and play unless it is time to rest."""
        time = time_of(status)
        if time != self._time:
            self._time = time
            print(f"\nAt {time[0]} {TIMES[time[1]]}", flush=True)  # noqa: T201 - a test reads it
        number, name = self.rests_at.read_text().split()
        if time < (int(number), TIMES.index(name)):
            super().on_update(status)


def seconds_asleep() -> float:
    """Return how long this computer has slept, as its lid's test says."""
    file = Path(os.environ["HOME"], ASLEEP)
    return float(file.read_text()) if file.exists() else 0.0


if __name__ == "__main__":
    vars(remote)["seconds_asleep"] = seconds_asleep
    Digger.rests_at = Path(sys.argv.pop(1))
    vars(table)["Autopilot"] = Digger  # in the place of what the program makes
    sys.exit(main())
