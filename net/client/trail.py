"""All that a client holds and has seen of a table: state, record, steps, and moves lost since.

A host that restores its table from an older journal does not know the moves made since. It cannot
be trusted to say so, so each client compares what the host knows with what it saw itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Event, Played, RoundBegan
from engine.notation.record import ObservedRecord
from engine.notation.record_parser import format_record
from engine.view import View
from net.client.draws import NOTHING_DEALT, SeenDeals
from net.lobby.chat import ChatHistory
from net.lobby.events import MAX_MISSING_MOVES
from net.lobby.model import Lobby
from net.protocol.events import PlayedWire, write_event
from net.protocol.messages import NOTHING_SEEN, Mark
from net.protocol.requests import ReportMissing

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

    def undone(self, seen: Mark, reopenings: Iterable[Mark], held: GameState | None) -> Rollback:
        """Return what is missing of what was seen, at a table that was restored at these marks.

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
    return format_record(_record(held.lobby, held.view).heard(*held.past, *held.view.history))


def _record(lobby: Lobby, view: View) -> ObservedRecord:
    names = tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs)))
    return ObservedRecord(names, view.seat, view.table.edition, view.score.rounds)


def _of_this_round(lobby: Lobby, view: View) -> ObservedRecord:
    record = replace(_record(lobby, view), extra=(("Round", str(view.score.number)),))
    return record.heard(*map(_as_the_first, view.history))


def _as_the_first(event: Event) -> Event:
    return replace(event, number=1) if isinstance(event, RoundBegan) else event
