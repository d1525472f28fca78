"""Missed steps: their public part, and the snapshot after them, made into what a client holds.

The client computes the running hash of each missed step by itself, and follows the step as a
watcher would. So it knows all that was public while it was away, and a snapshot can only add what
its own seat was told meanwhile: in all else it has to be what the steps lead to.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from engine.board import NO_PEEKS
from engine.events import visible_to
from engine.view import View
from net.client.draws import MAX_NOTES, NOTHING_DEALT, RolledBack
from net.client.session import Disagreement
from net.client.trail import (
    MAX_REMEMBERED_STEPS,
    GameState,
    Rollback,
    SeenStep,
    Trail,
    Viewer,
    after_step,
    ends_round,
    is_possible,
    is_told,
)
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import NOTHING_SEEN, Mark, Snapshot
from net.protocol.plausibility import follows_from_history
from net.protocol.state_hash import hash_after, hash_of_all, read_public
from net.protocol.text import is_clean_page
from net.protocol.views import read_view
from net.room.seeds import host_name
from net.room.validation import is_clean_event, is_clean_line

MIN_KEPT_STEPS: Final = 1_000  # fewest steps that an honest host keeps, if it has dropped any


@dataclass(slots=True)
class Missed:
    """The missed steps as far as they have come, up to `mark`, for a client that has `seen` some.

    `since` is the mark from which they go on. `origin` is the state that this client held after the
    last step that both it and the host know, `None` if it holds none, and `shared` is that step.
    `followed` is the state that the steps after it lead to, `None` if they lead to none. `steps`
    are these steps, and `round_end` is the mark at the end of the last round in them.
    """

    since: Mark
    trail: Trail
    seen: Mark
    mark: Mark = NOTHING_SEEN
    origin: GameState | None = None
    shared: int | None = None
    followed: GameState | None = None
    steps: list[SeenStep] = field(default_factory=list)
    round_end: Mark | None = None
    _known: frozenset[Mark] = frozenset()

    def __post_init__(self) -> None:
        if self.since.step == 0 and self.since != NOTHING_SEEN:
            raise BadFrame(FrameFault.MESSAGE)
        self._known = frozenset((self.seen, *(step.mark for step in self.trail.steps)))
        self.mark = self.since
        self._meet()

    def add(self, public: bytes, viewer: Viewer) -> None:
        """Add the next step, as it was public, for somebody who is away.

        Raises BadFrame: these bytes are no step, or its text is unclean.
        """
        self.mark = Mark(self.mark.step + 1, hash_after(self.mark.hash, public))
        if self._meet() or self.followed is None:
            return
        number, news, events = read_public(public)
        if number != self.mark.step or not all(map(is_clean_event, news)):
            raise BadFrame(FrameFault.MESSAGE)
        self.steps.append(SeenStep.of(self.mark, self.followed.lobby, events))
        del self.steps[:-MAX_REMEMBERED_STEPS]
        try:
            self.followed = after_step(self.followed, news, events, self.mark, viewer)
        except (LookupError, ValueError):
            self.followed = None
        view = None if self.followed is None else self.followed.view
        if view is not None and ends_round(events, view):
            self.round_end = self.mark

    @property
    def _is_after_gap(self) -> bool:
        """True if the host keeps no more what came after the last step that was seen."""
        return self.since.step > self.seen.step

    @property
    def gap(self) -> int:
        """The number of missed steps that the host keeps no more, for one who has seen some."""
        return self.since.step - self.seen.step if self.seen.step and self._is_after_gap else 0

    @property
    def seen_steps(self) -> tuple[SeenStep, ...]:
        """The steps that are seen by now, the last of all among them."""
        last = self.steps[-1].mark if self.steps else self.origin and self.origin.mark
        return (*self.steps, *(() if last == self.mark else (SeenStep(self.mark),)))

    def _meet(self) -> bool:
        """Begin anew from what was held at this mark, if we have seen it; return True if so."""
        if self.mark not in self._known:
            return False
        self.shared = self.mark.step
        states = reversed(self.trail.states)
        held = next((held for held in states if held.mark == self.mark), None)
        if held is not None:
            self.origin, self.followed = held, _as_watched(held)
            self.steps.clear()
            self.round_end = None
        return held is not None

    def rollback(self, held: GameState | None) -> Rollback | None:
        """Return the rollback of this table behind what was seen, `None` if there is none.

        `held` is the state held before. Steps that the host keeps no more are no rollback.
        """
        is_kept = self.shared is not None and self.shared >= self.seen.step
        if is_kept or self._is_after_gap or self.seen.step == 0:
            return None
        return self.trail.make_rollback(self.seen, self.shared, held)

    def state_of(self, snapshot: Snapshot, held: GameState | None) -> tuple[GameState, bool]:
        """Return the state of the snapshot after the last step, and if it contradicts the steps.

        `held` is the state held before.

        Raises BadFrame: the snapshot contradicts itself, no table can be in this state, or it is
        not that after the last step.
        """
        state = _read(snapshot, self.mark)
        number = 0 if state.view is None else state.view.score.number
        deals = (NOTHING_DEALT if held is None else held.deals).after_gap(number)
        deals = replace(deals, has_gap=deals.has_gap or self.gap > 0)
        state = replace(state, past=() if number <= 1 else None, deals=deals)
        if self.origin is None:
            # A host that has dropped what we lack, but not much else, hides something.
            is_short = self.mark.step - self.since.step < MIN_KEPT_STEPS
            hides = held is not None and self._is_after_gap and is_short
            return replace(state, deals=replace(deals, rewritten=deals.rewritten or hides)), hides
        if self.followed is None or not _leads_to(self.origin, self.followed, state):
            return replace(state, deals=replace(deals, rewritten=True)), True
        past = self.followed.past if _seat(self.origin) == _seat(state) else state.past
        deals = replace(self.followed.deals, rollbacks=deals.rollbacks, rewritten=deals.rewritten)
        return replace(state, past=past if number > 1 else (), deals=deals), False


def note_rollback(held: GameState, undone: Rollback) -> GameState:
    """Return a state with a note for its audit that moves were lost."""
    names = tuple(dict.fromkeys(move.name for move in undone.moves))
    note = RolledBack(host_name(held.lobby), undone.since, names)
    deals = held.deals
    return replace(held, deals=replace(deals, rollbacks=(*deals.rollbacks[-MAX_NOTES:], note)))


def contradiction(snapshot: Snapshot, missed: Missed) -> Disagreement:
    """Return where a snapshot and the steps before it differ."""
    followed, origin = missed.followed, missed.origin
    ours = b"" if followed is None else hash_of_all(followed.lobby, None)
    view = None if origin is None else origin.view
    return Disagreement(snapshot.incarnation, snapshot.step, snapshot.hash, ours, (), (), view)


def _read(snapshot: Snapshot, mark: Mark) -> GameState:
    """Return what a snapshot says. Raises `BadFrame`."""
    lobby, view = snapshot.lobby, None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    if (
        snapshot.step != mark.step
        or hash_of_all(lobby, view) != snapshot.hash
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
        running=mark.hash,
    )


def _as_watched(held: GameState) -> GameState:
    """Return a state as somebody goes on from it who hears no secrets any more."""
    view = held.view
    if view is None:
        return held
    watched = view._replace(
        seat=None, role=None, hand=(), peeks=NO_PEEKS, buried=(), gold=(), offer=()
    )
    return replace(held, view=watched)


def _seat(held: GameState) -> int | None:
    return None if held.view is None else held.view.seat


def _leads_to(origin: GameState, followed: GameState, state: GameState) -> bool:
    """Return True if what was followed as a watcher, from `origin` on, can be this state."""
    if (followed.lobby, followed.talk) != (state.lobby, state.talk):
        return False
    ours, view = followed.view, state.view
    if ours is None or view is None:
        return ours is view
    if (ours.table, ours.score) != (view.table, view.score):
        return False
    if followed.record not in {"", state.record}:
        return False
    return _knows(origin, ours, view)


def _knows(origin: GameState, ours: View, view: View) -> bool:
    """Return True if a view has all that its seat was told before, and in public since."""
    history, ledger = ours.history, ours.ledger
    if origin.view is not None and origin.view.seat != view.seat:
        history, ledger = visible_to(history, None), visible_to(ledger, None)
    return is_told(view.history, history) and is_told(view.ledger, ledger)
