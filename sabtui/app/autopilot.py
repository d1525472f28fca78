"""A bot that plays a person's seat: for who watches, and for who has to leave for a minute."""

from __future__ import annotations

import threading
from random import Random
from typing import Final

from engine.bots import BOTS, Budget, Seconds, greedy
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Session, Status
from net.lobby import Stage, Taken
from net.protocol.messages import DiskStatus, SetReady
from sabtui.app.paths import log_exception

BOT_BUDGET: Final = Seconds(0.4)


class Autopilot:
    """Plays a seat. `on_update` takes each update, and `session` has to take calls of threads.

    It wants one thing in each step of the table, and not again where the host refuses it. It says
    that it is ready where that is asked for, and begins or closes nothing.
    """

    def __init__(
        self,
        session: Session,
        level: str = "fair",
        thought: Budget = BOT_BUDGET,
        chance: Random | None = None,
    ) -> None:
        self._session = session
        self._bot = BOTS[level]
        self._thought = thought
        self._chance = chance or Random()
        self._acted = 0, 0
        self._flies = False

    def on_update(self, status: Status) -> None:
        """Fly from now on, and do what is due."""
        self._flies = True
        held = status.game_state
        if held is None or status.connection is not ConnectionState.LINKED or status.unanswered:
            return
        if self._acted == (held.incarnation, held.step):
            return
        view = held.view
        if is_asked_whether_ready(status):
            self._session.request(SetReady(ready=True))
        elif view is not None and may_move(status):
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
            log_exception(error)
            move = greedy(view, self._chance, self._thought)
        if self._flies and self._session.status.view == view:
            self._session.play(move)


def is_asked_whether_ready(status: Status) -> bool:
    """Whether a game or a round waits for this seat to be ready."""
    lobby, seat = status.lobby, status.seat
    if lobby is None or seat is None:
        return False
    chair = lobby.chairs[seat]
    waits = status.view is None or status.view.phase is Phase.DEAL
    return waits and isinstance(chair, Taken) and not chair.ready


def may_move(status: Status) -> bool:
    """Whether this seat is to move, and can."""
    lobby, view = status.lobby, status.view
    if lobby is None or view is None or lobby.stage is not Stage.PLAYING:
        return False
    mine = view.seat is not None and view.to_act == view.seat
    return mine and not lobby.paused and status.disk is not DiskStatus.FULL
