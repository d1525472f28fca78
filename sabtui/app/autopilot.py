"""Bots that help a player: an autopilot, for demonstrations and short absences, and hints."""

from __future__ import annotations

import threading
from random import Random

from engine.bots import BOTS, Budget, greedy
from engine.bots.hints import Hint, find_hints
from engine.bots.talk import Talk
from engine.view import View
from net.client.session import ConnectionState, Session, Status
from net.protocol.lobby import TablePhase
from net.protocol.requests import SetReady
from net.room.permissions import is_asked_whether_ready
from net.server.bots import BOT_BUDGET
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.errors import log_exception


class Autopilot:
    """Plays a seat. Pass each status to `on_update`; `session` must be callable from other threads.

    It makes at most one request per step of the table, and does not repeat one that the host
    refused. It reports ready when the table asks for it, but never starts a game or closes a table.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._chance = Random()
        self._acted = 0, 0
        self._is_on = False

    def on_update(self, status: Status) -> None:
        """Play from now on: make the move, or report ready, if that is due in this status."""
        self._is_on = True
        held = status.game_state
        if held is None or status.connection is not ConnectionState.CONNECTED or status.unanswered:
            return
        if self._acted == (held.incarnation, held.step):
            return
        view = held.view
        if must_say_ready(status):
            self._session.request(SetReady(ready=True))
        elif view is not None and may_move(status):
            # A bot may think for a while: updates must not wait for it.
            threading.Thread(target=self._play, args=(view,), name="autopilot", daemon=True).start()
        else:
            return
        self._acted = held.incarnation, held.step

    def stop(self) -> None:
        self._is_on = False
        self._acted = 0, 0

    def _play(self, view: View) -> None:
        """Compute a move, and send it if the view is still the same."""
        try:
            move = BOTS[DEFAULT_BOT_LEVEL](view, self._chance, BOT_BUDGET)
        except Exception as error:  # noqa: BLE001 - a host may send what can never have happened
            log_exception(error)
            move = greedy(view, self._chance, BOT_BUDGET)
        status = self._session.status
        if self._is_on and status.view == view:
            self._session.request(status.move_request(move))


def must_say_ready(status: Status) -> bool:
    """Return True if a game or a round waits for this seat to report ready."""
    lobby, request = status.lobby, SetReady(ready=True)
    if lobby is None or status.why_not(request) is not None:
        return False
    return is_asked_whether_ready(lobby, status.view, status.member)


def may_move(status: Status) -> bool:
    """Return True if it is this seat's turn and neither a pause nor a full disk blocks the move."""
    lobby, view = status.lobby, status.view
    if lobby is None or view is None or lobby.stage is not TablePhase.PLAYING:
        return False
    mine = view.seat is not None and view.to_act == view.seat
    return mine and not lobby.paused and not status.disk.is_waiting


def hints_for(view: View, talk: Talk, budget: Budget) -> list[Hint]:
    """Return hints from the player's view and the round's `talk`, none if that fails."""
    try:
        return find_hints(view, Random(len(view.history)), budget, talk)
    except Exception as error:  # noqa: BLE001 - a host may send what can never have happened
        log_exception(error)
        return []
