"""One program's part in comparing what the players' programs have seen, without socket or clock.

At the end of a round each program tells the others the number of its last step, the running hash
after it, and the table's incarnation. Of two programs the one with the lower seat dials the other,
and the other one too if that is in vain. Nothing else is said, and nobody waits for it.

A program that lies can only seem to have seen something else itself. Two that have seen different
games cannot know whether the host is to blame, or one of them. `net.takeover.standby` has the
connections.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from net.client.session import Comparison
from net.protocol.election import Compare, Elector
from net.protocol.messages import NOTHING_SEEN, Mark
from net.takeover.election_acts import Say

COMPARED_S: Final = 5.0
"""Seconds in which the programs of the others have to answer, before they count as out of reach."""

OTHER_WAY_S: Final = 2.0  # seconds after which the program with the higher seat dials, too


class Comparing:
    """One program's part, from the end of one round to that of the next.

    `hash_at` returns the running hash after a step that this program has seen of the table in an
    incarnation, which is the present one, else `None`.
    """

    def __init__(self, hash_at: Callable[[int, int], bytes | None]) -> None:
        self._hash_at = hash_at
        self._incarnation = 0
        self._mark = NOTHING_SEEN
        self._began = 0.0
        self._is_told = True  # what came of it was returned
        self._names: dict[int, str] = {}
        self._heard: dict[int, Compare] = {}
        self._same: dict[int, bool] = {}
        self._links: set[int] = set()
        self._answered: set[int] = set()

    @property
    def mark(self) -> Mark:
        """The end of the last round: the step, and the running hash after it."""
        return self._mark

    def begin(
        self, incarnation: int, mark: Mark, names: Mapping[int, str], now: float
    ) -> list[Say]:
        """Begin to compare with these members at the end of a round; tell those who are linked.

        Some may have reached it before us: what they said is kept.
        """
        self._incarnation = incarnation
        self._heard = {one: was for one, was in self._heard.items() if was.step > self._mark.step}
        self._mark, self._began, self._names = mark, now, dict(names)
        self._same, self._is_told = {}, False
        self._answered = set()
        self._judge()
        return [say for member in sorted(self._links) for say in self._answer(member)]

    def select_peers(self, us: int, electors: Sequence[Elector], now: float) -> dict[int, Elector]:
        """Return those to whom a connection is needed now, by member; `us` is our own member."""
        if self._is_told:
            return {}
        order = [one.member for one in electors]
        listens = any(one.member == us and one.port for one in electors)
        is_late = now >= self._began + OTHER_WAY_S
        return {
            one.member: one
            for at, one in enumerate(electors)
            if one.member in self._names and one.member not in self._same and one.port
            if is_late or not listens or us in order[:at]
        }

    def note_link(self, member: int) -> list[Say]:
        """Note a connection to a member's program: tell it what we have seen."""
        self._links.add(member)
        self._answered.discard(member)
        return self._answer(member)

    def note_unlink(self, member: int) -> None:
        """Note that a connection to or from a member's program is gone."""
        self._links.discard(member)
        self._answered.discard(member)

    def receive(self, member: int, message: Compare) -> list[Say]:
        """Note what a member's program has seen, and tell it the same of ours."""
        self._links.add(member)
        self._heard[member] = message
        return self._answer(member)

    def tick(self, now: float) -> Comparison | None:
        """Return what has come of it, once; and again if somebody who answers late differs."""
        known = {member for member, same in self._same.items() if not same}
        self._judge()
        if self._is_told:
            late = [one for one, same in self._same.items() if not same and one not in known]
            return Comparison(differing=self._list_names(late)) if late else None
        if len(self._same) < len(self._names) and now < self._began + COMPARED_S:
            return None
        self._is_told = True
        return Comparison(
            agreed=self._list_names([one for one, same in self._same.items() if same]),
            differing=self._list_names([one for one, same in self._same.items() if not same]),
            missing=self._list_names([one for one in self._names if one not in self._same]),
        )

    def _answer(self, member: int) -> list[Say]:
        """Tell a member's program where our last round ended, once on each connection."""
        if member in self._answered or member not in self._names:
            return []
        self._answered.add(member)
        return [Say(member, Compare(self._incarnation, self._mark.step, self._mark.hash))]

    def _judge(self) -> None:
        """Judge what was heard: the hash after a step that we have seen, too, is ours or not.

        One from before the end of our round proves nothing unless it differs, and one after it only
        once we have seen that step. One of another incarnation may have been undone since.
        """
        for member, theirs in self._heard.items():
            if member not in self._names or member in self._same:
                continue
            if theirs.incarnation != self._incarnation:
                continue
            is_mark = theirs.step == self._mark.step
            ours = self._mark.hash if is_mark else self._hash_at(theirs.incarnation, theirs.step)
            if ours is None:
                continue
            if ours != theirs.running or theirs.step >= self._mark.step:
                self._same[member] = ours == theirs.running

    def _list_names(self, members: Sequence[int]) -> tuple[str, ...]:
        """Return the names of members, by seat."""
        return tuple(name for member, name in self._names.items() if member in members)
