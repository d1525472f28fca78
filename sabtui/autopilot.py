"""A bot that plays a person's seat: for who watches, and for who has to leave for a minute.

Knows what its seat is told, as a face does, and drives it the same way; a face shows what happens.
"""

from __future__ import annotations

import threading
from random import Random
from typing import Final

from engine.bots import BOTS, Budget, Seconds, greedy
from engine.table import Phase
from engine.view import View
from net.client.seat import Now, Seat, Standing
from net.lobby import Stage, Taken
from net.messages import DiskIs, SetReady
from sabtui.logs import note

THOUGHT: Final = Seconds(0.4)


class Autopilot:
    """Plays a seat, once `heed` is called with each update; `seat` has to take calls of threads.

    It wants one thing in each step of the table, and not again where the host refuses it. It says
    that it is ready where that is asked for, and begins or closes nothing.
    """

    def __init__(
        self,
        seat: Seat,
        level: str = "fair",
        thought: Budget = THOUGHT,
        chance: Random | None = None,
    ) -> None:
        self._seat = seat
        self._bot = BOTS[level]
        self._thought = thought
        self._chance = chance or Random()
        self._acted = 0, 0
        self._flies = False

    def heed(self, now: Now) -> None:
        """Fly from now on, and do what is due."""
        self._flies = True
        held = now.held
        if held is None or now.standing is not Standing.LINKED or now.unanswered:
            return
        if self._acted == (held.incarnation, held.step):
            return
        view = held.view
        if is_asked_whether_ready(now):
            self._seat.want(SetReady(ready=True))
        elif view is not None and may_move(now):
            threading.Thread(target=self._play, args=(view,), name="autopilot", daemon=True).start()
        else:
            return
        self._acted = held.incarnation, held.step

    def rest(self) -> None:
        """Fly no more; what is being thought is forgotten."""
        self._flies = False
        self._acted = 0, 0

    def _play(self, view: View) -> None:
        """Think, and move if the turn is still the same."""
        try:
            move = self._bot(view, self._chance, self._thought)
        except Exception as error:  # noqa: BLE001 - a host may tell what never can have happened
            note(error)
            move = greedy(view, self._chance, self._thought)
        if self._flies and self._seat.now.view == view:
            self._seat.play(move)


def is_asked_whether_ready(now: Now) -> bool:
    """Whether a game or a round waits for this seat to be ready."""
    lobby, seat = now.lobby, now.seat
    if lobby is None or seat is None:
        return False
    chair = lobby.chairs[seat]
    waits = now.view is None or now.view.phase is Phase.DEAL
    return waits and isinstance(chair, Taken) and not chair.ready


def may_move(now: Now) -> bool:
    """Whether this seat is to move, and can."""
    lobby, view = now.lobby, now.view
    if lobby is None or view is None or lobby.stage is not Stage.PLAYING:
        return False
    mine = view.seat is not None and view.to_act == view.seat
    return mine and not lobby.paused and now.disk is not DiskIs.FULL
