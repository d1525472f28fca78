"""All that a program says against the host or the others: nothing, where all programs are honest.

Each simulated world counts what its programs were told, compares the ends of rounds as they do, and
fails with the first accusation, so that its seeds show how often an honest table is suspected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random

from net.client.session import Comparison, Received, Status
from net.client.state import ClientState
from net.protocol.election import Compare, Elector
from net.protocol.messages import HostMessage, Mark, Refusal, Snapshot
from net.room.past import PublicPast
from net.takeover.comparing import Comparing
from net.takeover.election_acts import Say

LOOK_S = 0.25
"""Seconds between two looks at whom a program has to dial to compare."""


def accusations(received: Received, status: Status) -> Iterator[str]:
    """Yield what a message of the host makes a program say against the host or another player."""
    if received.disagreed:
        yield f"the two sides disagree: {received.disagreed}"
    if received.audit is not None:
        yield from (f"the audit found: {one}" for one in received.audit.mismatches)
    yield from (f"not heard: {one}" for one in received.left_out if one.answered)
    if received.refused is not None and received.refused.reason is Refusal.ILLEGAL:
        yield "a move that was legal in view was refused"
    if status.sealed is not None and (status.sealed.wrong or status.sealed.broken):
        yield f"a journal is said to be altered: {status.sealed}"


def lacks(message: HostMessage, past: PublicPast, seen: Mark) -> bool:
    """Whether the table of a snapshot lacks the last step that was seen."""
    if not isinstance(message, Snapshot):
        return False
    return message.step < seen.step or past.hash_at(seen.step) != seen.hash


@dataclass(eq=False)
class Witness:
    """What one run of a program was told: `dealt` are the rounds dealt before it came.

    `losses` are the rollbacks that it was told of; `comparing` is its part in comparing, over
    `links` to the runs of other programs.
    """

    state: ClientState
    dealt: int | None = None
    losses: int = 0
    audits: int = 0
    comparing: Comparing = field(init=False)
    links: set[Witness] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.comparing = Comparing(self._hash_at)

    def _hash_at(self, incarnation: int, step: int) -> bytes | None:
        return self.state.trail.hash_at(incarnation, step)

    def judge(self, received: Received, *, lost: bool) -> None:
        """Fail if a message made the program accuse somebody, or tell of a loss without `lost`."""
        state = self.state
        said = list(accusations(received, state.status))
        assert not said, said
        told = received.lost is not None or state.status.undone is not None
        assert lost or not told, "a table that lost nothing has gone back"
        self.losses += told
        view = state.status.view
        if self.dealt is None and state.status.game_state is not None:
            self.dealt = 0 if view is None else view.score.number
        if received.audit is not None:
            self.audits += 1
            unseen = [number for number in received.audit.unseen if number > (self.dealt or 0)]
            assert self.losses or not unseen, f"rounds that were seen count as unseen: {unseen}"
            assert len(received.audit.rollbacks) <= self.losses, "a loss that was none"


class Comparisons:
    """Programs of honest players that compare the ends of rounds, on links that come and go.

    `reach` says if one can be connected to another now, `later` does something after some seconds.
    """

    def __init__(
        self,
        rng: Random,
        later: Callable[[float, Callable[[], None]], None],
        now: Callable[[], float],
        witnesses: Callable[[], Iterable[Witness]],
        reach: Callable[[Witness, Witness], bool],
    ) -> None:
        self._rng, self._later, self._now = rng, later, now
        self._witnesses, self._reach = witnesses, reach
        self.agreed = self.missing = 0

    def look(self) -> None:
        """Let all programs dial whom they need, lose some links, and tell what came of it."""
        self._later(LOOK_S, self.look)
        all_of_them = list(self._witnesses())
        for one in all_of_them:
            for other in list(one.links):
                if other not in all_of_them or not self._reach(one, other) or self._breaks():
                    self._unlink(one, other)
            member, others = one.state.status.member, self._electors(all_of_them)
            wanted = one.comparing.select_peers(member, others, self._now())
            for other in all_of_them:
                is_wanted = other.state.status.member in wanted and other is not one
                if is_wanted and other not in one.links and self._reach(one, other):
                    one.links.add(other)
                    other.links.add(one)
                    self._send(one, one.comparing.note_link(other.state.status.member))
            self._check_told(one.comparing.tick(self._now()))

    def begin(self, one: Witness, mark: Mark) -> None:
        """Let a program compare the end of a round with those of all who are there."""
        held = one.state.status.game_state
        assert held is not None
        sitting = [person for _, person in held.lobby.sitting if not person.presence.is_gone]
        names = {person.member: person.name for person in sitting}
        if names.pop(one.state.status.member, None) is not None and names:
            said = one.comparing.begin(held.incarnation, mark, names, self._now())
            self._send(one, said)

    def _breaks(self) -> bool:
        return self._rng.random() < 0.02

    def _unlink(self, one: Witness, other: Witness) -> None:
        one.links.discard(other)
        other.links.discard(one)
        one.comparing.note_unlink(other.state.status.member)
        other.comparing.note_unlink(one.state.status.member)

    def _check_told(self, comparison: Comparison | None) -> None:
        if comparison is not None:
            assert not comparison.differing, f"an honest program is accused: {comparison}"
            self.agreed += len(comparison.agreed)
            self.missing += len(comparison.missing)

    def _send(self, one: Witness, acts: Iterable[Say]) -> None:
        for say in acts:
            to = [other for other in one.links if other.state.status.member == say.member]
            assert isinstance(say.message, Compare)
            for other in to:
                delay = self._rng.choice((0.001, 0.03, 0.5))
                self._later(delay, partial(self._arrive, one, other, say.message))

    def _arrive(self, one: Witness, other: Witness, message: Compare) -> None:
        if other in one.links and self._reach(one, other):
            self._send(other, other.comparing.receive(one.state.status.member, message))

    @staticmethod
    def _electors(witnesses: Iterable[Witness]) -> tuple[Elector, ...]:
        members = sorted({one.state.status.member for one in witnesses})
        return tuple(Elector(member, bytes(32), bytes(32), 1) for member in members)
