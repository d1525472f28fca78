"""A table with a game as one person sees it, and the questions that the table asks them unprompted.

Faces draw and print a `Sight`, and use neither the connection nor the lobby nor a record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.actions import TurnEvent
from engine.bots.talk import Talk
from engine.cards import Card, Role
from engine.events import DiscardedCard, Event, GoalPeeked, GoldReceived
from engine.game import Game
from engine.state import Phase
from engine.tally import Tally
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.chat import ChatHistory, talk_of
from net.protocol.lobby import Chair, Lobby, Presence, Taken
from net.protocol.requests import ContinueWithout, HandOver, LetBotMove, NextRound, TableRequest
from net.room.permissions import LONG_TURN_S, people_waited_for
from sabtui.text.audit import wrong_check
from sabtui.text.evening import finished_lines, tally_of
from sabtui.text.events import log_lines
from sabtui.text.i18n import _
from sabtui.text.lobby import (
    asking_sentence,
    missing_people,
    player_names,
    table_name,
    without_question,
)
from sabtui.text.names import PlayerNames


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question, and the request that a yes makes; if much depends on it, Enter is not a yes."""

    text: str
    request: TableRequest
    takes_enter: bool = True


def due_questions(status: Status, waited: int = 0) -> tuple[TableQuestion, ...]:
    """Return the questions that this person can answer now, the most important first.

    The present turn has lasted for `waited` seconds.
    """
    lobby, view, due = status.lobby, status.view, list[TableQuestion]()
    if lobby is None or status.silent:
        return ()
    if status.may_continue and not status.may_switch_host:
        due.append(TableQuestion(without_question(missing_people(lobby)), ContinueWithout()))
    for left in lobby.deserted if status.is_host else ():
        for member in left.asks:
            text = asking_sentence(lobby, left.seat, member)
            due.append(TableQuestion(text, HandOver(left.seat, member), takes_enter=False))
    if waited >= LONG_TURN_S and view is not None and view.phase is Phase.DEAL:
        awaited = people_waited_for(lobby, view)
        if late := [person.name for person in awaited if person.member != status.member]:
            due.append(TableQuestion(without_question(late), NextRound(), takes_enter=False))
    if waited >= LONG_TURN_S and view is not None and view.to_act is not None:
        text = _("Let a bot make this move for {name}?").format(name=lobby.name_at(view.to_act))
        due.append(TableQuestion(text, LetBotMove(), takes_enter=False))
    return tuple(question for question in due if status.why_not(question.request) is None)


@dataclass(frozen=True)
class Sight:
    """A table as one person sees it."""

    view: View
    names: PlayerNames
    title: str = ""
    presences: tuple[Presence | None, ...] = ()  # of the people by seat, `None` for a bot
    said: ChatHistory = ()  # the last lines of chat
    past: tuple[Event, ...] | None = ()
    """Events of the rounds before, `None` if the person was not there for all of them."""
    record: str = ""  # text of a game that is over
    evening: tuple[str, ...] = ()  # the evening's standings after a game that is over
    is_paused: bool = False
    turn_left: int | None = None  # seconds left in the present turn, `None` without a limit
    allows_hints: bool = True
    revealed: Game | None = None  # with all cards open, `None` for people who see only their own
    waits_for_seat: bool = False  # True for somebody who watches until the next game
    wrong: tuple[str, ...] = ()  # the line that says that the finished game failed its check

    @staticmethod
    def of(status: Status, *, spelt: bool = False) -> Sight | None:
        """Return what the player sees, if there is a game; `spelt` sentences name cells."""
        held = status.game_state
        if held is None or held.view is None:
            return None
        lobby = held.lobby
        me = lobby.person(status.member)
        is_heard = status.connection is ConnectionState.CONNECTED
        is_timed = is_heard and not status.disk.is_waiting
        return Sight(
            held.view,
            replace(player_names(lobby, status.member), spelt=spelt),
            table_name(lobby),
            tuple(_presence(chair, lobby) for chair in lobby.chairs),
            held.talk,
            held.past,
            held.record,
            tuple(finished_lines(lobby)) if held.phase is Phase.OVER else (),
            lobby.paused,
            status.turn_left if is_timed else None,
            lobby.settings.hints,
            waits_for_seat=me is not None and me.waits,
            wrong=wrong_check(status),
        )

    @cached_property
    def talk(self) -> Talk:
        return talk_of(self.view, self.said)

    @cached_property
    def tally(self) -> Tally:
        """Counts of what each player did in the game so far, as far as it is known."""
        return tally_of(self.view, self.past, self.record)

    @property
    def seats(self) -> range:
        return range(self.view.table.players)

    @property
    def is_mine(self) -> bool:
        """True if the person is to move or to choose gold."""
        return self.view.seat is not None and self.view.to_act == self.view.seat

    @property
    def clock(self) -> str:
        """Time left in the turn, in minutes and seconds, "" if it is not limited."""
        left = self.turn_left
        return "" if left is None else format_time(left)

    def role(self, seat: int) -> Role | None:
        """Return the role of a seat, `None` if it is not known."""
        if self.view.table.end is not None:
            return self.view.table.end.roles[seat]
        if self.revealed is not None:
            return self.revealed.round.roles[seat]
        return self.view.role if seat == self.view.seat else None

    def hand(self, seat: int) -> tuple[Card, ...] | None:
        if self.revealed is not None:
            return self.revealed.round.hands[seat]
        return self.view.hand if seat == self.view.seat else None

    def nuggets(self, seat: int) -> int | None:
        """Return the nuggets of a seat if all of them are known, else `None`."""
        if self.view.score.nuggets is not None:
            return self.view.score.nuggets[seat]
        if self.revealed is None:
            return None
        return sum(self.revealed.purse.held[seat]) + self.revealed.score.chits[seat]


_FOR_ONE: Final = DiscardedCard, GoalPeeked, GoldReceived
"""Events that tell a seat the secret result of its own pass, map or choice of gold."""


def missed_lines(status: Status, before: Status) -> list[str]:
    """Return what was played for the person while they were away, [] for nothing.

    Without a game in `before`, they return to where an earlier session left off.
    """
    sight, now = Sight.of(status), status.place
    then = status.left_at if before.view is None else before.place
    if sight is None or now.seat is None or then[:3] != now[:3]:
        return []
    own = [
        event
        for event in sight.view.history[then.events :]
        if isinstance(event, _FOR_ONE) or (isinstance(event, TurnEvent) and event.seat == now.seat)
    ]
    away = _("While you were away: {what}")
    return [away.format(what=line) for line in log_lines(own, sight.view, sight.names)]


def format_time(seconds: int) -> str:
    """Return a time in minutes and seconds, as clocks show it."""
    return f"{seconds // 60}:{seconds % 60:02}"


def _presence(chair: Chair, lobby: Lobby) -> Presence | None:
    """Return the presence of the person on a chair, `None` for a bot."""
    if not isinstance(chair, Taken):
        return None
    person = lobby.person(chair.member)
    return Presence.GONE if person is None else person.presence


@dataclass(frozen=True, slots=True)
class Playing:
    """A game in progress as one person sees it, and the lobby of its table."""

    sight: Sight
    lobby: Lobby
