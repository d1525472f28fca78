"""All that a client holds and has seen of a table: state, record, steps, and moves lost since.

The fold of a host's frames and snapshots into that is here, too. Each is checked: a state that no
table can be in is refused.

A host that restores its table from an older journal does not know the moves made since. It cannot
be trusted to say so, so each client compares what the host knows with what it saw itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.edition import Edition
from engine.events import Event, GameEnded, Played, RoundBegan
from engine.notation.record import ObservedRecord
from engine.notation.record_parser import format_record
from engine.view import View
from net.client.draws import NOTHING_DEALT, OwnShare, SeenDeals, contradicts, is_due
from net.lobby.chat import BEFORE_ALL, ChatHistory, chat_after, moment
from net.lobby.events import MAX_MISSING_MOVES, GameBegins, RecordPublished, Rematch
from net.lobby.fold import apply, count_game
from net.lobby.model import Lobby, Stage
from net.lobby.validation import can_be_told, is_clean_line, is_clean_lobby
from net.protocol.events import PlayedWire, write_event
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import NOTHING_SEEN, Mark, Snapshot, StepFrame
from net.protocol.plausibility import can_follow, follows_from_history, is_settled
from net.protocol.requests import ReportMissing
from net.protocol.state_hash import hash_of_all, running_hash
from net.protocol.text import is_clean_page
from net.protocol.views import read_view

MAX_REMEMBERED_STEPS: Final = 2_000
"""Steps that are remembered: those of a long evening."""


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything a client holds of a table after step `step`.

    `view` is the player's view of the game, if there is one; its history covers the present round.
    `past` holds the events seen in the rounds before, `None` if the player was not there for all of
    them. `record` is the text of the last game, once it is over. `running` is the running hash.
    `deals` is what was seen of the way in which the game was dealt.
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
    """The last steps that were seen, the oldest first."""

    steps: tuple[SeenStep, ...] = ()

    def then(self, step: SeenStep) -> Trail:
        """Return the trail with one more step."""
        return Trail((*self.steps[-MAX_REMEMBERED_STEPS:], step))

    def hash_at(self, step: int) -> bytes | None:
        """Return the running hash after a step, `None` for one that was not seen."""
        found = (one.mark.hash for one in reversed(self.steps) if one.mark.step == step)
        return next(found, None)

    def undone(self, seen: Mark, reopenings: Iterable[Mark], held: GameState | None) -> Rollback:
        """Return the rollback of a table restored at these marks: the steps seen that it has lost.

        Steps are lost only when a table is restored, so the two pasts part at the last of these
        marks that was seen too.
        """
        ours = {step.mark for step in self.steps}
        shared = [mark.step for mark in reopenings if mark in ours]
        first = self.steps[0].mark.step if self.steps else seen.step
        since = max(shared, default=first - 1)
        lost = [step for step in self.steps if step.mark.step > since]
        whole = bool(shared) and len(lost) == seen.step - since
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
    empty if there is no game. A player who was not there for the earlier rounds gets a record of
    the present round alone, as the first of a game; a `Round` tag gives its real number.
    """
    if held is None or held.view is None:
        return ""
    if held.record:
        return held.record
    if held.past is None:
        return format_record(_of_this_round(held.lobby, held.view))
    return format_record(_record(held.lobby, held.view).with_events(*held.past, *held.view.history))


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
        LookupError: the step is about something that is not held.
        ValueError: an event's values are impossible.
    """
    lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
    past, deals = held.past, held.deals
    when = BEFORE_ALL if view is None else moment(view.table, view.score)
    for lobby_event in frame.lobby_events:
        if not can_be_told(lobby, lobby_event):
            raise LookupError("news of what is not at this table")
        if not is_due(lobby_event, held.running, lobby, view):
            raise LookupError("a draw that is not due")
        talk = chat_after(talk, lobby, lobby_event, when)
        lobby = apply(lobby, lobby_event)
        match lobby_event:
            case GameBegins():
                view, record, past = view_before_game(lobby, member), "", ()
                deals = SeenDeals(tuple(map(lobby.name_at, range(len(lobby.chairs)))))
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
            deals = deals.then(event.number, share.seen(lobby, event.number, live=True))
            past = None if past is None else past + view.history
        view = view.after(event)
        if isinstance(event, GameEnded):
            lobby = count_game(lobby, view.score.nuggets or ())
    return GameState(
        incarnation=frame.incarnation,
        step=frame.step,
        lobby=lobby,
        view=view,
        talk=talk,
        record=record,
        past=past,
        running=running_hash(held.running, frame.step, frame.lobby_events, events),
        deals=deals,
    )


def view_before_game(lobby: Lobby, member: int) -> View:
    """Return a member's view of a game before its first deal."""
    settings = lobby.settings
    edition = Edition.read(settings.edition)
    return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(member))


def from_snapshot(snapshot: Snapshot, before: GameState | None, share: OwnShare) -> GameState:
    """Return the state of a snapshot; `before` is what was held, `None` if it does not count.

    Raises:
        BadFrame: the snapshot contradicts itself, or no table can be in this state.
    """
    lobby, view = snapshot.lobby, None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    if (
        hash_of_all(lobby, view) != snapshot.hash
        or not is_possible(lobby, view, snapshot.member)
        or not is_clean_page(snapshot.record)
        or (view is not None and not follows_from_history(view))
        or not all(map(is_clean_line, snapshot.talk))
    ):
        raise BadFrame(FrameFault.MESSAGE)
    return GameState(
        incarnation=snapshot.incarnation,
        step=snapshot.step,
        lobby=lobby,
        view=view,
        talk=snapshot.talk,
        record=snapshot.record,
        past=past_before(before, view),
        running=snapshot.running,
        deals=deals_before(before, share, lobby, view),
    )


def is_possible(lobby: Lobby, view: View | None, member: int) -> bool:
    """Return True if a member can hold this lobby and this view together, after any step."""
    if not is_clean_lobby(lobby):
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


def past_before(held: GameState | None, view: View | None) -> tuple[Event, ...] | None:
    """Return the events of the rounds before that of a snapshot's view, `None` if not known.

    `held` is what was held before the snapshot, `None` if it does not count.
    """
    if view is None or view.score.number <= 1:
        return ()
    ours = None if held is None else held.view
    if held is None or ours is None or ours.seat != view.seat:
        return None
    same = ours.score.number == view.score.number
    follows = view.ledger[: len(ours.ledger)] == ours.ledger
    return held.past if same and follows else None


def deals_before(
    held: GameState | None, share: OwnShare, lobby: Lobby, view: View | None
) -> SeenDeals:
    """Return the deals seen, at a snapshot."""
    if view is None:
        return NOTHING_DEALT
    number = view.score.number
    seen = share.seen(lobby, number, live=False)
    if held is None or held.view is None:
        return NOTHING_DEALT.then(number, seen)
    is_rewritten = contradicts(held.lobby, held.view, lobby, view)
    return held.deals.after_gap(number, seen, is_rewritten=is_rewritten)
