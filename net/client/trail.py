"""All that a client holds and has seen of a table: state, record, steps, and moves lost since.

The fold of a host's frames into that is here, too; `net.client.missed` has that of missed steps. A
state that no table can be in is refused.

A host that restores its table from an older journal does not know the moves made since. It cannot
be trusted to say so, so each client compares what the host knows with what it saw itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.edition import Edition
from engine.events import Event, GameEnded, Played, Private, RoundBegan, RoundEnded
from engine.notation.record import ObservedRecord
from engine.notation.record_parser import format_record
from engine.state import Phase
from engine.view import View
from net.client.draws import NOTHING_DEALT, OwnShare, SeenDeals, SeenRound, is_due
from net.protocol.chat import BEFORE_ALL, ChatHistory, chat_after, moment
from net.protocol.events import PlayedWire, write_event
from net.protocol.lobby import THE_TABLE, Lobby, Stage
from net.protocol.lobby_events import (
    MAX_MISSING_MOVES,
    GameBegins,
    LobbyEvent,
    RecordPublished,
    Rematch,
)
from net.protocol.messages import NOTHING_SEEN, Mark, StepFrame
from net.protocol.plausibility import can_follow, is_settled
from net.protocol.requests import ReportMissing
from net.protocol.state_hash import running_hash
from net.room.fold import apply, count_game
from net.room.validation import can_be_told, is_clean_lobby

MAX_REMEMBERED_STEPS: Final = 2_000  # steps that are remembered: those of a long evening

MAX_REMEMBERED_STATES: Final = 32
"""States that are remembered: the steps that a new host may lack, and some more."""


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything a client holds of a table after step `step`.

    `view` is the player's view of the game, if there is one; its history covers the present round.
    `past` holds the events seen in the rounds before, `None` if the player was not there for all of
    them. `record` is the text of the last game, once it is over. `running` is the running hash.
    `deals` is all that was seen of the game for its audit.
    """

    incarnation: int
    step: int
    lobby: Lobby
    view: View | None
    talk: ChatHistory = ()
    record: str = ""
    past: tuple[Event, ...] | None = ()
    running: bytes = NOTHING_SEEN.hash
    deals: SeenDeals = NOTHING_DEALT

    @property
    def mark(self) -> Mark:
        """The mark of the last step."""
        return Mark(self.step, self.running)

    @property
    def phase(self) -> Phase | None:
        """The phase of the game, `None` without a game."""
        return None if self.view is None else self.view.phase

    def has_new_seat(self, member: int) -> bool:
        """Return True if a member's seat is not that of the view, which lacks its secrets then."""
        return self.view is not None and self.lobby.seat_of(member) != self.view.seat


@dataclass(frozen=True, slots=True)
class SeenMove:
    """A move that was seen, and the name of the player in its seat at that time."""

    name: str
    move: Played


@dataclass(frozen=True, slots=True)
class SeenStep:
    """A step that was seen: its mark, and the moves made in it."""

    mark: Mark
    moves: tuple[SeenMove, ...] = ()

    @staticmethod
    def of(mark: Mark, lobby: Lobby, events: Iterable[Event]) -> SeenStep:
        """Return the step with these events, with the players' names from the lobby."""
        moves = [event for event in events if isinstance(event, Played)]
        return SeenStep(mark, tuple(SeenMove(lobby.name_at(move.seat), move) for move in moves))


@dataclass(frozen=True, slots=True)
class Rollback:
    """A rollback of the table: the host knows nothing of what was seen after step `since`.

    `seen` is the last step that was seen. `moves` are the missing moves that were seen, in order;
    `is_whole` is True if these are all. `held` is the state held before, `None` if it was held by
    an earlier run of the program, which kept only the mark.
    """

    since: int
    seen: int
    moves: tuple[SeenMove, ...]
    is_whole: bool
    held: GameState | None


@dataclass(frozen=True, slots=True)
class Trail:
    """The last steps that were seen, and the last states that were held, the oldest first."""

    steps: tuple[SeenStep, ...] = ()
    states: tuple[GameState, ...] = ()

    def then(self, held: GameState, *steps: SeenStep) -> Trail:
        """Return the trail with more steps, of which the last leads to this state."""
        return Trail(
            (*self.steps, *steps)[-MAX_REMEMBERED_STEPS:],
            (*self.states[1 - MAX_REMEMBERED_STATES :], held),
        )

    def hash_at(self, incarnation: int, step: int) -> bytes | None:
        """Return the running hash after a step, `None` for one that was not seen.

        It is `None`, too, unless the table is of this incarnation: in a later one it may have gone
        on from an earlier step, in another way.
        """
        if not self.states or self.states[-1].incarnation != incarnation:
            return None
        found = (one.mark.hash for one in reversed(self.steps) if one.mark.step == step)
        return next(found, None)

    def up_to(self, since: int) -> Trail:
        """Return the trail without what came after a step."""
        return Trail(
            tuple(step for step in self.steps if step.mark.step <= since),
            tuple(held for held in self.states if held.step <= since),
        )

    def make_rollback(self, seen: Mark, shared: int | None, held: GameState | None) -> Rollback:
        """Return the rollback of a table with which our past parts after the step `shared`.

        It is `None` if no step is known that both have in common.
        """
        first = self.steps[0].mark.step if self.steps else seen.step
        since = first - 1 if shared is None else shared
        lost = [step for step in self.steps if step.mark.step > since]
        whole = shared is not None and len(lost) == seen.step - since
        moves = tuple(move for step in lost for move in step.moves)
        return Rollback(since, seen.step, moves, whole, held)


def reports(undone: Rollback, seen: Mark) -> Iterator[ReportMissing]:
    """Yield a report of the missing moves for each player who made them, to tell the others."""
    by_player: dict[tuple[int, str], list[PlayedWire]] = {}
    for move in undone.moves:
        by_player.setdefault((move.move.seat, move.name), []).append(write_event(move.move))
    for (seat, name), moves in by_player.items():
        shown, more = tuple(moves[:MAX_MISSING_MOVES]), min(len(moves[MAX_MISSING_MOVES:]), 127)
        yield ReportMissing(seen.hash, seat, name, shown, more)


def seen_record(held: GameState | None) -> str:
    """Return the record of the game as its seat saw it so far, as the text of a `.sab` file.

    It holds nothing that the seat did not see. It is the complete record if the game is over, and
    empty if there is no game, or none by the rules. A player who was not there for the earlier
    rounds gets a record of the present round alone, as the first of a game; a `Round` tag gives its
    real number.
    """
    if held is None or held.view is None:
        return ""
    if held.record:
        return held.record
    if held.past is None:
        seen = _of_this_round(held.lobby, held.view)
    else:
        seen = _record(held.lobby, held.view).with_events(*held.past, *held.view.history)
    try:
        return format_record(seen)
    except ValueError:  # what a host that plays false has shown is no game
        return ""


def _record(lobby: Lobby, view: View) -> ObservedRecord:
    names = tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs)))
    return ObservedRecord(names, view.seat, view.table.edition, view.score.rounds)


def _of_this_round(lobby: Lobby, view: View) -> ObservedRecord:
    record = replace(_record(lobby, view), extra=(("Round", str(view.score.number)),))
    return record.with_events(*map(_as_the_first, view.history))


def _as_the_first(event: Event) -> Event:
    return replace(event, number=1) if isinstance(event, RoundBegan) else event


def after_frame(
    held: GameState, frame: StepFrame, events: tuple[Event, ...], member: int, share: OwnShare
) -> GameState:
    """Return a member's state after the next step, whose game events were read already.

    Raises:
        LookupError: the step is about something that is not held, or may not happen now.
        ValueError: an event's values are impossible.
    """
    running = running_hash(held.running, frame.step, frame.lobby_events, events)
    mark = Mark(frame.step, running)
    return after_step(held, frame.lobby_events, events, mark, Viewer(member, share))


@dataclass(frozen=True, slots=True)
class Viewer:
    """The member that follows a table, by a program with this part in its draws.

    One who is `away` follows steps later, as a watcher would, and knows no private events of them.
    """

    member: int
    share: OwnShare
    away: bool = False


def after_step(
    held: GameState,
    news: Sequence[LobbyEvent],
    events: Sequence[Event],
    mark: Mark,
    viewer: Viewer,
) -> GameState:
    """Return a member's state after the step with this mark.

    Raises:
        LookupError: the step is about something that is not held, or may not happen now.
        ValueError: an event's values are impossible.
    """
    lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
    past, deals = held.past, held.deals
    when = BEFORE_ALL if view is None else moment(view.table, view.score)
    for lobby_event in news:
        if not can_be_told(lobby, lobby_event):
            raise LookupError("news of what is not at this table")
        if not is_due(lobby_event, held.running, lobby, view):
            raise LookupError("news that is not due")
        talk = chat_after(talk, lobby, lobby_event, when)
        before, lobby = lobby, apply(lobby, lobby_event)
        deals = deals.after(before, lobby_event, lobby, viewer.member, viewer.share)
        match lobby_event:
            case GameBegins():
                view = view_before_game(lobby, THE_TABLE if viewer.away else viewer.member)
                record, past = "", ()
            case Rematch():
                view = None
            case RecordPublished(text):
                record = text
            case _:
                pass
    for event in events:
        if view is None or not can_follow(view, event):
            raise LookupError("an event that has no place in this game")
        if isinstance(event, RoundBegan):
            is_first = event.number == 1
            over = None if is_first else SeenRound(view.history, whole=not viewer.away)
            deals = deals.add_round(viewer.share.describe_draw(lobby, event.number), over)
            past = None if past is None or (over and viewer.away) else past + view.history
        view = view.after(event)
        if isinstance(event, GameEnded):
            lobby = count_game(lobby, view.score.nuggets or ())
    dealt = 0 if view is None else view.score.number
    if lobby.draw is not None and lobby.draw.done and lobby.draw.round > dealt:
        raise LookupError("a draw without its deal")
    return GameState(
        incarnation=held.incarnation,
        step=mark.step,
        lobby=lobby,
        view=view,
        talk=talk,
        record=record,
        past=past,
        running=mark.hash,
        deals=deals,
    )


def is_told(told: Sequence[Event], seen: Sequence[Event]) -> bool:
    """Return True if all that was seen was told, in order, and of the rest only secrets."""
    waiting = iter(seen)
    due = next(waiting, None)
    for event in told:
        if event == due:
            due = next(waiting, None)
        elif not isinstance(event, Private):
            return False
    return due is None


def ends_round(events: Iterable[Event], view: View) -> bool:
    """Return True if programs are to compare what they have seen after a step with these events.

    They do so at the end of a round, but for the last one, after which the game ends soon, too.
    """
    is_last = view.score.number == view.score.rounds
    return any(isinstance(event, GameEnded if is_last else RoundEnded) for event in events)


def view_before_game(lobby: Lobby, member: int) -> View:
    """Return a member's view of a game before its first deal."""
    settings = lobby.settings
    edition = Edition.read(settings.edition)
    return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(member))


def is_possible(
    lobby: Lobby, view: View | None, member: int, *, before: Lobby | None = None
) -> bool:
    """Return True if a member can hold this lobby and this view together, after any step.

    A lobby that is still the one held `before` is not looked at again.
    """
    if lobby is not before and not is_clean_lobby(lobby):
        return False
    if view is None:
        return lobby.stage is not Stage.PLAYING
    settings = lobby.settings
    return (
        lobby.stage is not Stage.LOBBY
        and view.table.players == len(lobby.chairs)
        and view.table.edition == Edition.read(settings.edition)
        and view.score.rounds == settings.rounds
        and view.seat == lobby.seat_of(member)
        and is_settled(view)
    )
