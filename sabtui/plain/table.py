"""A visit to a table in lines of text: events are printed, and typed lines run in their turn.

A `TableVisit` takes updates and typed lines from one queue, one at a time. What a line means is in
`sabtui.plain.commands`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from engine import moves as engine_moves
from engine.actions import TurnEvent
from engine.cards import Card, Tool
from engine.events import Event, HandDealt, RoundBegan, visible_to
from engine.moves import Move
from engine.state import Phase
from engine.view import View
from net.client.session import (
    ConnectionState,
    OnUpdate,
    Received,
    RunnableSession,
    SessionThread,
    Status,
    Update,
)
from net.client.trail import count_same
from net.protocol.chat import chat_line_of
from net.protocol.lobby import BotChair, Free, Lobby, Presence, TablePhase, Taken
from net.protocol.lobby_events import BotClaimed, LobbyEvent, StepShown
from net.protocol.messages import CloseReason, Refusal
from net.protocol.requests import Close, OwnRequest, Request, ShowStep
from sabtui.app.autopilot import Autopilot
from sabtui.app.errors import UserError, complain
from sabtui.app.records import ends_game, keep_finished
from sabtui.plain.console import QUIT_WORDS, Console
from sabtui.plain.overview import (
    BETWEEN,
    find_next_request,
    offer_lines,
    others_lines,
    phase_of,
    table_lines,
)
from sabtui.table.commands import CLOSE, PAUSE
from sabtui.table.sight import Sight, missed_lines
from sabtui.text import audit, connection, evening, events, moves, reasons, seats, summary, talk
from sabtui.text.cards import card_spelt, card_words
from sabtui.text.i18n import _, capitalise, enter_does, ngettext
from sabtui.text.layout import wrap_lines
from sabtui.text.lesson import task_of, task_words
from sabtui.text.lobby import TYPED, describe_step, few_here, player_names
from sabtui.text.names import PlayerNames
from sabtui.text.settings import nothing_changed

if TYPE_CHECKING:
    from sabtui.after.lines import ReplayInLines

_WAIT_S: Final = 1.0  # seconds of a wait: an endless one would not notice Ctrl+C on Windows
_SETTLE_S: Final = 0.2  # seconds without an update after which bots are done moving
_CLOSE_TIMEOUT_S: Final = 3.0  # seconds that a session may take to close its connection
MAX_MISSED_MOVES: Final = 6  # maximum number of missed moves that are listed after a snapshot

_GOOD_ENDS: Final = CloseReason.LEFT, CloseReason.CLOSED  # these make the exit code 0

Lines: TypeAlias = Iterable[str]

Incoming: TypeAlias = "SimpleQueue[Update | None]"
"""What a visit waits for: an update, or `None` for a line that was typed at its console."""

InHall: TypeAlias = Callable[[SessionThread, Update, Incoming], int]
"""Continues a session in a club's hall from its first update there and whatever follows; returns
the exit code."""


class NotDone(UserError):
    """Raised for a line that does nothing; `word` is a fixed word for the reason, for programs.

    The word is that of a `Refusal`, or one of those in docs/json.md.
    """

    def __init__(self, word: str, *lines: str) -> None:
        super().__init__(" ".join(lines))
        self.word = word
        self.lines = lines


def table_refusal(why: Refusal) -> NotDone:
    """Return the error for what the table would refuse."""
    return NotDone(why.value, reasons.refusal_sentence(why))


_WORDS: Final = {
    engine_moves.OnlyWatching: Refusal.NO_SEAT,
    engine_moves.DealAwaited: Refusal.NOT_NOW,
    engine_moves.GameOver: Refusal.NOT_NOW,
    engine_moves.GoldBeingShared: Refusal.NOT_YOUR_TURN,
}
"""The refusals that say the same as a reason why a move is illegal."""


def reason_word(reason: engine_moves.Reason) -> str:
    """Return the fixed word of a reason why a move is illegal, such as `not in hand`."""
    word: str | None = _WORDS.get(type(reason))
    return word or spell_type(type(reason))


def spell_type(kind: type) -> str:
    """Return the name of a type as words in lower case: `sat down`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


@dataclass(eq=False)
class TableVisit(ABC):
    """A player's visit to a table, in lines of text."""

    is_spelt: ClassVar = True  # sentences name cells and cards in notation, too
    closing_word: ClassVar = CLOSE.typed[0]  # closes the table; "" names none

    console: Console
    back: str = ""  # how to return to a seat that is kept; "" if quitting ends the game
    is_on_autopilot: bool = False
    is_silent: bool = False  # True if the lobby is not shown, as practice begins at once
    status: Status = field(default_factory=Status)  # the latest
    sight: Sight | None = None
    card: Card | None = None  # the card whose places were listed: the next number is a place
    awaiting: int = 0  # requests that the host has yet to answer
    question: Callable[[bool], Lines] | None = None  # called with the answer to a question
    replay: ReplayInLines | None = None  # the finished game while it is watched again
    followed: ReplayInLines | None = None  # the replay while the host shows its steps
    word: str = ""  # the first word of the line that is running
    session: SessionThread = field(init=False)
    _incoming: Incoming = field(init=False, default_factory=SimpleQueue)
    _left: bool = field(init=False, default=False)
    _input_ended: bool = field(init=False, default=False)  # and the visit continues without it
    _calm: bool = field(init=False, default=True)  # True after `_SETTLE_S` without an update
    _may_be_hall: bool = field(init=False, default=False)
    _hall: Update | None = field(init=False, default=None)

    def visit(
        self,
        make: Callable[[OnUpdate], RunnableSession],
        greeting: Iterable[str] = (),
        in_hall: InHall | None = None,
    ) -> int:
        """Play at a table until it is left or ends, and return the exit code.

        If it turns out to be a club's hall, `in_hall` takes over. The code is 0 if the player left
        or the table was closed, else 1, with a line on standard error. Call this in the main
        thread: the session that `make` makes runs in another, in an event loop of its own.
        """
        self.session = SessionThread(make, self._incoming.put)
        notes = [seats.autopilot_plays("auto")] if self.is_on_autopilot else []
        self.say(*greeting, *notes)
        autopilot = Autopilot(self.session)
        self._may_be_hall = in_hall is not None
        self.console.listen(partial(self._incoming.put, None))
        self.session.start()
        try:
            while not (self._left or self._hall is not None or self._is_over()):
                if self._incoming.empty() and self._prepare_to_read():
                    self._read(self.console.take_line())
                else:
                    self._take()
                self._run_autopilot(autopilot)
            if self._hall is not None and in_hall is not None:
                return in_hall(self.session, self._hall, self._incoming)
            return 0 if self._left else self._report_end()
        finally:
            self.session.leave()
            self.session.join(_CLOSE_TIMEOUT_S)

    def _take(self) -> None:
        """Wait for the next update or typed line, and process it if it is an update."""
        try:
            update = self._incoming.get(timeout=_WAIT_S if self._calm else _SETTLE_S)
        except Empty:
            self._calm = True
            return
        self._calm = False
        if update is None:
            if self.console.is_eager and None not in self.console.typed:
                self.console.note_answer()  # Enter ends the prompt's line, Ctrl+D does not
        elif update.status.hall is not None:
            self._hall = update
        else:
            self.learn(update)
            if self.console.keeps_files and ends_game(update):
                self.say(keep_finished(update).text)
            if self.status.connection is ConnectionState.ENDED and not self._is_over():
                reason = connection.why_ended(self.status.ending)
                self.say(reason, *self.where())

    def _prepare_to_read(self) -> bool:
        """Prompt for a line if that is due; return True if one is there, and can be done now."""
        eager, typed = self.console.is_eager, self.console.typed
        if self._input_ended:
            return False
        if self._may_be_hall and self.status.lobby is None:  # typed lines may be for the hall
            if not typed:
                return False
            said = "q" if typed[0] is None else self.console.read(typed[0])
            return said.strip().casefold() in QUIT_WORDS
        if not self.takes_line(eager=eager):
            return False
        if not (eager and (typed or (self.bot_moves and not self._calm))):
            self.show_prompt()
        return bool(typed)

    def show_prompt(self) -> None:
        """Show the question that the next line answers."""
        self.console.prompt(self.prompt())

    def takes_line(self, *, eager: bool) -> bool:
        """Return True if a typed line can be processed now.

        Lines wait until the host has answered earlier ones; once the table is closed, until the
        connection ends, which follows at once. Lines from a file (not `eager`) also wait for bots
        to move, which they do soon.
        """
        has_ended = self.status.connection is ConnectionState.ENDED
        linked, lobby = self.status.connection is ConnectionState.CONNECTED, self.status.lobby
        if linked and (self.awaiting or (lobby and lobby.stage is TablePhase.CLOSED)):
            return False
        if self.is_silent and self.sight is None:
            return has_ended
        if eager or self.is_on_autopilot:
            return True
        return has_ended if lobby is None else not (linked and self.bot_moves)

    @property
    def bot_moves(self) -> bool:
        """True if the game waits for a bot, and nothing keeps it from moving."""
        view, lobby = self.status.view, self.status.lobby
        if view is None or lobby is None or view.to_act is None:
            return False
        is_held = lobby.paused or self.status.disk.is_waiting
        # In a game, a bot plays for a free seat, too.
        is_bot = isinstance(lobby.chairs[view.to_act], BotChair | Free)
        return lobby.stage is TablePhase.PLAYING and is_bot and not is_held

    def _read(self, line: str | None) -> None:
        """Do a typed line. At the end of input (`None`) leave, unless the autopilot plays on.

        A host alone in a lobby then closes the table: no game could ever begin there.
        """
        if line is not None:
            self.console.note_answer()
            self.do_line(line)
            return
        if self.console.outlives_input:
            self._input_ended = True
            return
        ended, status, lobby = _("No more input."), self.status, self.status.lobby
        if self.is_on_autopilot:
            self._input_ended = True
            self.say(f"{ended} {seats.autopilot_plays('auto')}")
            return
        is_kept = self.back or phase_of(status) is Phase.OVER
        self.say(ended if is_kept else f"{ended} {seats.game_lost()}")
        is_alone = lobby is not None and lobby.stage is TablePhase.LOBBY and len(lobby.people) == 1
        if status.is_host and is_alone:
            self.session.request(Close())
            self._left = True
        else:
            self.say(*self.leave_table())

    def _run_autopilot(self, autopilot: Autopilot) -> None:
        if not self.is_on_autopilot:
            autopilot.stop()
        elif self._input_ended and phase_of(self.status) is Phase.OVER:
            self.say(*self.leave_table())  # nobody is left to begin another game
        elif not self.awaiting:
            autopilot.on_update(self.status)

    def leave_table(self) -> Lines:
        """Leave the table; return how to come back to a seat that is kept."""
        self._left = True
        has_ended = self.status.connection is ConnectionState.ENDED
        return [self.way_back] if self.back and not has_ended else ()

    def _is_over(self) -> bool:
        """Return True if the session has ended, unless the player may view a finished game."""
        status = self.status
        if status.connection is not ConnectionState.ENDED:
            return False
        was_closed = status.ending is CloseReason.CLOSED and not status.is_host
        may_look = self.console.is_eager and not self._input_ended
        return not (may_look and was_closed and phase_of(status) is Phase.OVER)

    def _report_end(self) -> int:
        """Report why the session has ended, and return the exit code."""
        why = self.status.ending
        if why is None:  # an exception, which joining the session's thread raises
            return 1
        if why is CloseReason.CALLED:
            return 0
        if why in _GOOD_ENDS:
            self.say(connection.why_ended(why))
            for line in evening.farewell_lines(self.status):
                self.say(line)
            return 0
        self.console.leave()
        complain(f"sabtui: {connection.why_ended(why)}")
        return 1

    @abstractmethod
    def do_line(self, typed: str) -> None:
        """Do what a typed line says, or say why it cannot be done. It may contain anything."""

    # What commands use.

    @property
    def way_back(self) -> str:
        """Explain how to come back; empty if nothing is kept."""
        if self.back and self.status.is_host and not self.status.in_club:
            return seats.table_stays("sabtui join", CLOSE.typed[0])
        seated = not self.back or self.status.seat is not None
        return self.back if seated else seats.return_sentence("sabtui join")

    @property
    def lobby(self) -> Lobby:
        assert self.status.lobby is not None, "not at a table yet"
        return self.status.lobby

    @property
    def game(self) -> Sight:
        """The game as this person sees it; there has to be one."""
        assert self.sight is not None, "there is no game"
        return self.sight

    @property
    def view(self) -> View:
        return self.game.view

    @property
    def names(self) -> PlayerNames:
        return self.game.names

    @property
    def kinds(self) -> Sequence[summary.HandEntry]:
        return summary.hand_entries(self.view)

    def wrap(self, lines: Iterable[str]) -> list[str]:
        return wrap_lines(lines, self.console.size.columns)

    def say(self, *lines: str) -> None:
        self.console.say(self.wrap(lines))

    def request(self, *requests: Request) -> Lines:
        """Send requests. Raises `NotDone` if the table would refuse one.

        While an answer is awaited, the reasons may be out of date, so the host decides.
        """
        refused = next(filter(None, map(self.status.why_not, requests)), None)
        if refused is not None and not self.awaiting:
            raise table_refusal(refused)
        wanted = sum(not isinstance(request, OwnRequest) for request in requests)
        self.awaiting += wanted
        for request in requests:
            self.session.request(request)
        if wanted and self.status.connection is not ConnectionState.CONNECTED:
            return [_("The host will get this once the connection is back.")]
        return ()

    def attempt(self, move: Move) -> Lines:
        """Send a move. Raises `NotDone` if it is illegal, and then changes nothing."""
        reason = self.view.why_not(move)
        if reason is not None:
            text = reasons.why_not(reason, move, self.view, self.names)
            raise NotDone(reason_word(reason), text)
        if self.awaiting:
            raise NotDone("too soon", moves.move_sent())
        self.card = None
        self.is_on_autopilot = False
        return self.request(self.status.move_request(move))

    def plays(self, card: Card | None) -> Sequence[Move]:
        """Return the plays of a card in the hand, in the order of their numbers."""
        return next((kind.plays for kind in self.kinds if kind.card is card), ())

    def choose(self, card: Card) -> Lines:
        """Choose a card, and return the list of its plays."""
        plays, words = self.plays(card), card_words(card)
        if not plays:
            self.card = None
            number = [kind.card for kind in self.kinds].index(card) + 1
            text = _("{card} ({words}) can only be discarded now: x{number}.")
            return [text.format(card=card.text, words=words, number=number)]
        self.card = card
        rows = summary.play_lines(plays, self.view, self.names)
        return [f"{card_spelt(card)}.", *rows, _("x discards it, b goes back.")]

    def quit(self) -> Lines:
        """Leave for now, after a question if something would be lost."""
        is_over = phase_of(self.status) is Phase.OVER or self.status.game_state is None
        question = "" if is_over else seats.leave_question(self.status, close=self.closing_word)
        if not question:
            return self.leave_table()
        self.question = lambda yes: self.leave_table() if yes else [nothing_changed()]
        return [f"{question} {self.way_back}".rstrip()]

    # Updates.

    def learn(self, update: Update) -> None:
        """Process an update: show what happened, then the present state if necessary."""
        before, status, received = self.status, update.status, update.received or Received()
        # The session may have sent this update before it got our latest request: only an answer, or
        # a change of the connection, lowers the count.
        answered = received.settled or received.refused is not None or received.renewed
        if answered or status.connection is not before.connection:
            self.awaiting = 0
        self.awaiting = max(self.awaiting, status.unanswered)
        had, self.status, self.sight = self.sight, status, Sight.of(status, spelt=self.is_spelt)
        if had is None or self.sight is None or received.events or received.renewed:
            self.card = None
        self.is_silent = self.is_silent and status.view is None
        if phase_of(status) is not Phase.OVER:
            self.replay = self.followed = None
        self.show_changes(before, received)

    def show_changes(self, before: Status, received: Received) -> None:
        """Show what happened since `before`, then what can be done where that is due."""
        status, lines = self.status, list[str]()
        was, now = before.connection, status.connection
        is_first = was is ConnectionState.CONNECTING and now is ConnectionState.CONNECTED
        if now not in {was, ConnectionState.CONNECTING, ConnectionState.ENDED} and not is_first:
            lines.append(connection.state_words(status, TYPED))  # the end is reported later
        lines += self._table_lines(before, received)
        if self.console.shows_reactions:
            lines += filter(None, [talk.describe_reaction(received.reaction, status.lobby)])
        lines += private_lines(status, before, received, is_silent=self.is_silent)
        lines += self.shown_lines(received)
        if not self.is_silent and self._is_prompt_due(before, received):
            lines += self.where()
        elif task_of(status) is not None and (received.settled or task_of(before) is None):
            lines += self._task_lines()
        self.say(*lines)

    def _table_lines(self, before: Status, received: Received) -> list[str]:
        """Return the lines for what happened, or after a snapshot the present state."""
        if received.renewed:
            return self._describe_snapshot(before)
        if self.is_silent or self.status.lobby is None:
            return []
        lines = lobby_news(before.lobby or self.lobby, received.news, self.status, self.sight)
        if self.sight is not None:
            lines += game_news(received.events, self.sight)
            if HandDealt in map(type, received.events) and not self.sight.is_mine:
                lines += summary.hand_lines(self.view)
        return [*lines, *self._count_gold(before)]

    def show_step(self) -> None:
        """Show the step of the replay to the whole table, if this is its host."""
        if self.replay is not None and self.status.is_host:
            self.session.request(ShowStep(self.replay.step))

    def shown_lines(self, received: Received) -> list[str]:
        """Return what happened in the step of the finished game that the host shows."""
        held = self.status.game_state
        shown = next((event for event in received.news if isinstance(event, StepShown)), None)
        if shown is None or self.status.is_host or held is None:
            return []
        from sabtui.after.lines import watch_again  # noqa: PLC0415 - a feature

        with suppress(UserError):  # without a valid record there is nothing to watch
            self.followed = self.replay or self.followed or watch_again(held)
            return self.followed.visit(shown.step)
        return []

    def _count_gold(self, before: Status) -> list[str]:
        """Return the result of the round that has just ended, or of the game if it is over."""
        now, sight = phase_of(self.status), self.sight
        if sight is None or now not in BETWEEN or phase_of(before) in BETWEEN:
            return []
        if now is Phase.OVER:
            result = evening.final_lines(sight.tally, sight.record, sight.names)
            return [*result, *evening.finished_lines(self.lobby)]
        last = sight.tally.rounds[-1:]
        return [
            evening.round_line(round_, sight.names) for round_ in last if round_.roles is not None
        ]

    def _describe_snapshot(self, before: Status) -> list[str]:
        """Return the lines for a snapshot: the whole table on joining, else a short sentence."""
        status, lobby, sight = self.status, self.lobby, self.sight
        if before.game_state is not None:
            is_same = status.seat == before.seat
            seat = [] if is_same else [seats.new_seat(status.seat)]
            if sight is None:
                return seat
            missed = _describe_missed(sight, before.view)
            return [*seat, summary.round_words(sight.view), *missed, *self._count_gold(before)]
        if self.is_silent:
            return []
        lines = table_lines(status, lobby)
        if sight is None:
            return lines
        watches = [seats.watching_sentence()] if status.seat is None else []
        role = [] if sight.view.role is None else [events.role_lies()]
        players = summary.player_lines(sight.view, sight.names)
        others, missed = others_lines(status, lobby), missed_lines(status, before)
        number = summary.round_words(sight.view)
        return [lines[0], *watches, *role, *players, *others, number, *missed]

    def _is_prompt_due(self, before: Status, received: Received) -> bool:
        """Return True if the player has to be shown what the table or the game waits for now."""
        status, lobby = self.status, self.status.lobby
        if lobby is None or status.connection is not ConnectionState.CONNECTED:
            return False
        if lobby.paused or lobby.stage is TablePhase.CLOSED:
            return False
        if received.renewed or lobby.is_drawing:
            return received.renewed  # the deal follows at once, unless a program does not answer
        if lobby.stage is TablePhase.PLAYING and phase_of(status) not in BETWEEN:
            mine = self.sight is not None and self.sight.is_mine and not self.is_on_autopilot
            return mine and (bool(received.events) or bool(before.lobby and before.lobby.paused))
        return _list_facts(before) != _list_facts(status)

    # What comes next.

    def where(self) -> list[str]:
        """Return what the table or the game waits for, and what can be done."""
        status, sight = self.status, self.sight
        if status.lobby is None:
            return [connection.state_words(status, TYPED)]
        if status.connection is ConnectionState.ENDED:
            return [enter_does(_("leave"))]
        if status.connection is not ConnectionState.CONNECTED:
            return [connection.state_words(status, TYPED)]
        if few := few_here(status, TYPED):
            return [few]
        if status.lobby.paused:
            if status.is_host:
                return [_("Paused: {key} resumes.").format(key=PAUSE.typed[1])]
            return [reasons.refusal_sentence(Refusal.PAUSED)]
        if sight is None or sight.view.phase in BETWEEN:
            return self._task_lines() or offer_lines(status, status.lobby)
        view, names = sight.view, sight.names
        lines = [moves.waiting(view, names)]
        if sight.is_mine and view.phase is Phase.GOLD:
            lines += summary.gold_lines(view)
        elif sight.is_mine:
            assert view.seat is not None
            turn = [f"{lines[0]} {sight.clock}".rstrip(), moves.pile_words(view)]
            if broken := Tool.within(view.table.broken[view.seat]):
                turn.append(events.no_paths(broken))
            lines = [" ".join(turn), *summary.hand_lines(view)]
        return [*lines, *self._task_lines()]

    def _task_lines(self) -> list[str]:
        task = task_of(self.status)
        if task is None or self.sight is None:
            return []
        return [task_words(task, self.view, self.names, in_lines=True)]

    def prompt(self) -> str:
        status = self.status
        if self.question is not None:
            return seats.yes_or_no()
        if self.replay is not None:
            return self.replay.prompt()
        if status.lobby is None or status.connection is ConnectionState.CONNECTING:
            return seats.looking_for_table()
        if status.connection is ConnectionState.SHAKY:
            return capitalise(_("connection shaky"))
        if status.connection is ConnectionState.LOST:
            return capitalise(seats.gone_words(Presence.GONE))
        if status.connection is ConnectionState.ENDED:
            return _("The table is closed")
        if status.disk.is_waiting:
            return _("Waiting for the disk")
        if status.lobby.paused:
            return _("Paused")
        if self.is_on_autopilot:
            return capitalise(_("autopilot"))
        if self.sight is None:
            return self._prompt_of_lobby()
        if not self.game.is_mine:
            return moves.waiting(self.view, self.names).rstrip(".")
        if self.view.phase is Phase.GOLD:
            offer = "/".join(map(str, dict.fromkeys(self.view.offer)))
            return f"{moves.your_gold()}, {offer}"
        card, last = _("card"), len(self.kinds)
        if self.card is not None:
            card, last = self.card.text, len(self.plays(self.card))
        return f"{moves.your_turn()}, {card} {f'1-{last}' if last > 1 else '1'}"

    def _prompt_of_lobby(self) -> str:
        lobby, seat = _("Lobby"), self.status.seat
        if self.status.is_host:
            return lobby
        if seat is None:
            watching = _("watching")
            return f"{lobby}, {watching}"
        chair = self.lobby.chairs[seat]
        ready = isinstance(chair, Taken) and chair.ready
        return f"{lobby}, {seats.ready_words(ready=ready)}"


def _list_facts(status: Status) -> object:
    """Return the facts whose change is worth showing while the game does not wait for a move."""
    if status.lobby is None:
        return None
    chair = None if status.seat is None else status.lobby.chairs[status.seat]
    return status.lobby.stage, phase_of(status), chair, find_next_request(status, status.lobby)


def lobby_news(
    lobby: Lobby, news: Iterable[LobbyEvent], status: Status, sight: Sight | None
) -> list[str]:
    """Return the lines for what happened at a table since the state `lobby`."""
    lines = list[str]()
    for event, before, text in describe_step(news, lobby, status.member):
        said, names, why = chat_line_of(event, before), player_names(before, status.member), ""
        if said is not None and sight is not None and isinstance(event, BotClaimed):
            why = talk.bot_reason(said, sight.view, sight.names)
        lines += [text or ""] if said is None else [talk.chat_words(said, names.names, why)]
    return [*filter(None, lines)]


def game_news(happened: Iterable[Event], sight: Sight) -> list[str]:
    """Return the lines for the events of a step, which the view includes already."""
    lines = list[str]()
    for event in happened:
        lines += events.event_lines(event, sight.view, sight.names)
        if sight.names.spelt and isinstance(event, RoundBegan) and event.number == 1:
            lines.append(summary.cells_sentence())
    return lines


def private_lines(
    status: Status, before: Status, received: Received, *, is_silent: bool
) -> list[str]:
    """Return the lines that are for this player only: refusals, checks, disk, doors."""
    lines = list[str]()
    if received.refused is not None and status.lobby is not None:  # otherwise another name is tried
        lines.append(reasons.refusal_sentence(received.refused.reason))
    lines += connection.host_lines(received)
    lines += [] if is_silent else audit.wrong_lines(received)
    if received.disagreed:
        lines.append(connection.disagreed_sentence())
    if before.game_state is not None and before.disk is not status.disk:
        lines.append(connection.disk_sentence(status.disk, is_host=status.is_host))
    return [*lines, *connection.own_news(status, before, TYPED)]


def _describe_missed(sight: Sight, before: View | None) -> list[str]:
    """Return how many moves of this round a player missed since a view, and the last of them."""
    # A seat that was dealt new cards when the table moved has seen the same moves as before.
    old = visible_to(() if before is None else before.history, None)
    history = visible_to(sight.view.history, None)
    unseen = history[count_same(old, history) :]
    missed = [event for event in unseen if isinstance(event, TurnEvent)]
    if not missed:
        return []
    text = ngettext(
        "You missed {count} move of this round.",
        "You missed {count} moves of this round.",
        len(missed),
    )
    last = events.log_lines(missed[-MAX_MISSED_MOVES:], sight.view, sight.names)
    return [text.format(count=len(missed)), *last]
