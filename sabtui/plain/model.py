"""The state of plain-text mode as values: `PlainSession`, `GameView`, and effects.

Methods return the next value together with the lines to show and, as an `Effect`, the action that
the driver is to carry out. `updates` makes the next session from an update, `parser` from a typed
line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, assert_never

from engine.cards import Card, Tool
from engine.events import Event, HandDealt, RoundBegan
from engine.moves import Move
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.lobby import BotChair, Free, Lobby, Presence, Stage, Taken
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import OwnRequest, Request
from sabtui.plain.lobby import BETWEEN, offers, save_offered
from sabtui.table.deed import Aim, Deed
from sabtui.table.deeds import PAUSE
from sabtui.table.sight import Sight
from sabtui.text.actions import no_paths
from sabtui.text.cards import card_words
from sabtui.text.connection import looking_for_host, standing
from sabtui.text.events import event_lines
from sabtui.text.i18n import _, capitalise, ngettext
from sabtui.text.layout import TerminalSize, wrap_lines
from sabtui.text.lesson import task_of, task_words
from sabtui.text.moves import pile_words, waiting
from sabtui.text.moving import TYPED, few_here
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import refusal_sentence, why_not, why_unavailable
from sabtui.text.seats import gone_words, may_return, ready_words
from sabtui.text.summary import (
    cells_sentence,
    gold_lines,
    hand_entries,
    hand_lines,
    play_lines,
)

if TYPE_CHECKING:
    from sabtui.app.replays import ReplayPosition


@dataclass(frozen=True, slots=True)
class SendMove:
    """Send a move, which the view allows."""

    move: Move


@dataclass(frozen=True, slots=True)
class SendRequests:
    """Send requests to the table, in order."""

    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class SaveRecord:
    """Write the record of the finished game into a file."""

    path: str


class Parting(Enum):
    """Ways to part from a table."""

    DISCONNECT = auto()  # it is closed; the seat may be kept


Effect = SendMove | SendRequests | SaveRecord | Parting


@dataclass(frozen=True, slots=True)
class GameView:
    """One player's game in plain-text mode.

    `card` is the card whose places were listed, so that the next number typed is a place; `listed`
    is how many of them are shown so far.
    """

    sight: Sight
    size: TerminalSize = field(default_factory=TerminalSize)
    card: Card | None = None
    listed: int = 0

    @property
    def view(self) -> View:
        """The player's view."""
        return self.sight.view

    @property
    def names(self) -> PlayerNames:
        """The players' names; sentences spell cells and cards."""
        return self.sight.names

    @property
    def my_turn(self) -> bool:
        """True if this player is to move or to choose gold."""
        return self.sight.is_mine

    @property
    def plays(self) -> Sequence[Move]:
        """The plays of the chosen card."""
        return next((kind.plays for kind in hand_entries(self.view) if kind.card is self.card), ())

    def apply(self, events: Iterable[Event]) -> list[str]:
        """Return the lines for the events of a step, which the view includes already."""
        lines: list[str] = []
        hand = False
        for event in events:
            lines += event_lines(event, self.view, self.names)
            if isinstance(event, RoundBegan) and event.number == 1:
                lines.append(cells_sentence())
            hand = hand or isinstance(event, HandDealt)
        return [*lines, *hand_lines(self.view)] if hand and not self.my_turn else lines

    def where(self) -> list[str]:
        """Return whose turn it is, and what can be done."""
        view = self.view
        if self.my_turn and view.phase is Phase.GOLD:
            return [_keep_which(view.offer), *gold_lines(view)]
        if self.my_turn:
            return [self._your_turn(), *hand_lines(view)]
        return [waiting(view, self.names)]

    def choose(self, card: Card, page: int = 0) -> Reply:
        """Choose a card, and list its plays from index `page` on."""
        game = replace(self, card=card)
        plays = game.plays
        if not plays:
            discard = _("{card} ({words}) can only be discarded now: x{number}.")
            number = [kind.card for kind in hand_entries(self.view)].index(card) + 1
            text = discard.format(card=card.text, words=card_words(card), number=number)
            return self.put_back().say([text])
        upto = min(len(plays), page + self.size.rows - 5)
        out = play_lines(plays[page:upto], self.view, self.names, page)
        head = _("Ways to play {card} ({words}):").format(card=card.text, words=card_words(card))
        ways = [_("x discards it, b goes back")]
        if upto < len(plays):
            ways.append(_("+ lists {count} more").format(count=len(plays) - upto))
        return replace(game, listed=upto).say([head, *out, f"{', '.join(ways)}."])

    def attempt(self, move: Move) -> Reply:
        """Send a move if it is legal; if not, say why, and change nothing."""
        reason = self.view.why_not(move)
        if reason is not None:
            return self.say([why_not(reason, move, self.view, self.names)])
        return self.put_back().say([], SendMove(move))

    def put_back(self) -> GameView:
        """Return the game with no card chosen."""
        return replace(self, card=None, listed=0)

    def say(self, lines: Iterable[str], effect: Effect | None = None) -> Reply:
        """Return a reply with these lines, wrapped to the terminal's width."""
        return Reply(self, tuple(wrap_lines(lines, self.size.columns)), effect)

    def prompt(self) -> str:
        """Return the prompt: whose turn it is, and what the next line answers."""
        view = self.view
        if not self.my_turn:
            return waiting(view, self.names).rstrip(".")
        if view.phase is Phase.GOLD:
            return _("Your gold, {cards}").format(
                cards="/".join(str(nuggets) for nuggets in dict.fromkeys(view.offer))
            )
        if self.card is not None:
            return _format_turn(self.card.text, self.listed)
        return _format_turn(_("card"), len(hand_entries(view)))

    def _your_turn(self) -> str:
        clock = f" {self.sight.clock}".rstrip()
        lines = [waiting(self.view, self.names) + clock, pile_words(self.view)]
        assert self.view.seat is not None
        broken = Tool.within(self.view.table.broken[self.view.seat])
        if broken:
            lines.append(no_paths(broken, self.view, self.names))
        return " ".join(lines)


def _format_turn(card: str, last: int) -> str:
    """Return the prompt of a turn: a card, or the word for one, and the numbers to type."""
    # Translators: a prompt, as in: Your turn, card 1-6.
    text = _("Your turn, {card} {numbers}")
    return text.format(card=card, numbers=f"1-{last}" if last > 1 else "1")


def _keep_which(offer: Sequence[int]) -> str:
    """Return the question which gold card the player keeps, and what becomes of the others."""
    question = _("Which gold card do you keep? Type its nuggets.")
    if len(set(offer)) == 1:
        text = _("Type {nuggets} to keep a gold card: there is only one kind.")
        question = text.format(nuggets=offer[0])
    passed_on = len(offer) - 1
    if not passed_on:
        return question
    others = ngettext(
        "The other card goes to the next player.",
        "The other {count} cards go to the next player.",
        passed_on,
    )
    return f"{question} {others.format(count=passed_on)}"


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of a game: the next `GameView`, lines to show, and an effect if any."""

    game: GameView
    lines: tuple[str, ...]
    effect: Effect | None = None


class PendingQuestion(Enum):
    """A question that was asked; the next line is the answer."""

    QUIT = auto()


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a deed was asked; if the answer is yes, it is done."""

    deed: Deed
    aim: Aim


@dataclass(frozen=True, slots=True)
class PlainSession:
    """A player's place at a table.

    `status` is the session's latest status, `game` the game if there is one. `awaiting` counts the
    requests that the host has still to answer. `is_on_autopilot` is True while the autopilot plays.
    `silent` hides the lobby until a game begins. `back` says how to come back to a seat that is
    kept. `addresses` are those of the player's own table. `replay` is the player's place in the
    finished game, while it is watched again.
    """

    status: Status = field(default_factory=Status)
    game: GameView | None = None
    size: TerminalSize = field(default_factory=TerminalSize)
    question: PendingQuestion | Asked | None = None
    awaiting: int = 0
    is_on_autopilot: bool = False
    silent: bool = False
    back: str = ""
    addresses: tuple[str, ...] = ()
    replay: ReplayPosition | None = None

    @property
    def way_back(self) -> str:
        """The sentence on how to come back; empty if nothing is kept."""
        seated = not self.back or self.status.seat is not None
        return self.back if seated else may_return("sabtui join")

    @property
    def lobby(self) -> Lobby:
        """The lobby, available once the player has joined."""
        assert self.status.lobby is not None, "not at a table yet"
        return self.status.lobby

    @property
    def bot_moves(self) -> bool:
        """True if the game waits for a bot, and nothing keeps it from moving."""
        view = self.status.view
        if view is None or view.to_act is None or self.lobby.stage is not Stage.PLAYING:
            return False
        if self.lobby.paused or self.status.disk is DiskStatus.FULL:
            return False
        return isinstance(self.lobby.chairs[view.to_act], BotChair | Free)

    def say(self, lines: Iterable[str], effect: Effect | None = None) -> Reaction:
        """Return a reaction with an effect and these lines, wrapped to the terminal's width."""
        wanted = _count_answers(effect)
        session = replace(self, awaiting=self.awaiting + wanted)
        texts = [*lines]
        if wanted and self.status.connection is not ConnectionState.CONNECTED:
            texts.append(_("The host will get this once the connection is back."))
        return Reaction(session, tuple(wrap_lines(texts, self.size.columns)), effect)

    def request(self, *requests: Request) -> Reaction:
        """Return the reaction that sends requests, or says why the table would refuse one.

        While the host has still to answer, nobody knows: then it decides.
        """
        reasons = [why_unavailable(self.status, request) for request in requests]
        known = next((reason for reason in reasons if reason is not None), None)
        if known is not None and not self.awaiting:
            return self.say([known])
        return self.say([], SendRequests(requests))

    def react_to_reply(self, reply: Reply) -> Reaction:
        """Return a game's reply as a reaction; a move is refused while a request is unanswered."""
        session = replace(self, game=reply.game)
        if not isinstance(reply.effect, SendMove):
            return Reaction(session, reply.lines, reply.effect)
        if self.awaiting:
            return self.say([_("Please wait: the host has not answered yet.")])
        return replace(session, is_on_autopilot=False).say(reply.lines, reply.effect)

    def where(self) -> list[str]:
        """Return what the table or the game waits for, and what can be done."""
        if self.status.game_state is None:
            return [standing(self.status, TYPED)]
        if self.status.connection is ConnectionState.ENDED:
            leave = _("Enter leaves.")
            return [f"{save_offered()}. {leave}"]
        if self.status.connection is not ConnectionState.CONNECTED:
            return [standing(self.status, TYPED)]
        if few := few_here(self.status, TYPED):
            return [few]
        if self.lobby.paused:
            if self.status.is_host:
                return [_("Paused: {key} resumes.").format(key=PAUSE.typed[1])]
            return [refusal_sentence(Refusal.PAUSED)]
        if self.game is None or self.game.view.phase in BETWEEN:
            return self.task_lines() or offers(self.status, self.lobby)
        return [*self.game.where(), *self.task_lines()]

    def task_lines(self) -> list[str]:
        """Return what a lesson waits for, nothing outside one."""
        task = task_of(self.status)
        if task is None or self.game is None:
            return []
        return [task_words(task, self.game.view, self.game.names, in_lines=True)]

    def prompt(self) -> str:
        """Return the prompt: the open question, or the state of connection, table and game."""
        if self.question is not None:
            return _("yes or no")
        if self.replay is not None:
            from sabtui.plain.replay import prompt  # noqa: PLC0415 - rarely needed

            return prompt(self.replay)
        if self.status.game_state is None:
            return looking_for_host()
        match self.status.connection:
            case ConnectionState.CONNECTING:
                return looking_for_host()
            case ConnectionState.SHAKY:
                return capitalise(_("connection shaky"))
            case ConnectionState.LOST:
                return capitalise(gone_words(Presence.GONE))
            case ConnectionState.ENDED:
                return _("The table is closed")
            case ConnectionState.CONNECTED:
                return self._describe_link()
            case _:
                assert_never(self.status.connection)

    def takes_line(self, *, eager: bool) -> bool:
        """Return True if a typed line can be processed now.

        Lines wait until the host has answered earlier ones; once the table is closed, until the
        connection ends, which follows at once. Lines from a file (not `eager`) also
        wait for bots to move, which they do soon.
        """
        linked = self.status.connection is ConnectionState.CONNECTED
        lobby = self.status.lobby
        if linked and (self.awaiting or (lobby and lobby.stage is Stage.CLOSED)):
            return False
        if self.silent and self.game is None:
            return self.status.connection is ConnectionState.ENDED
        if eager or self.is_on_autopilot:
            return True
        if self.status.game_state is None:
            return self.status.connection is ConnectionState.ENDED
        return not (linked and self.bot_moves)

    def _describe_link(self) -> str:
        if self.status.disk is DiskStatus.FULL:
            return _("The disk is full")
        if self.lobby.paused:
            return _("Paused")
        if self.is_on_autopilot:
            return _("A bot plays for you")
        if self.game is not None:
            return self.game.prompt()
        lobby = _("Lobby")
        if self.status.is_host:
            return lobby
        if self.status.seat is None:
            watching = _("watching")
            return f"{lobby}, {watching}"
        chair = self.lobby.chairs[self.status.seat]
        ready = isinstance(chair, Taken) and chair.ready
        return f"{lobby}, {ready_words(ready=ready)}"


@dataclass(frozen=True, slots=True)
class Reaction:
    """Result of an update or a typed line: the next session, lines to show, and an effect."""

    session: PlainSession
    lines: tuple[str, ...] = ()
    effect: Effect | None = None


def _count_answers(effect: Effect | None) -> int:
    """Return how many answers of the host an effect leads to."""
    match effect:
        case SendMove():
            return 1
        case SendRequests(requests):
            return sum(not isinstance(one, OwnRequest) for one in requests)
        case SaveRecord() | Parting() | None:
            return 0
        case _:
            assert_never(effect)
