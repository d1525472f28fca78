"""When a bot is to say something: of the goal it looked at, to who blames it, of its broken tool.

A function of what a watcher hears and of nothing else, so that whether a bot speaks, and when,
tells nothing of what it knows; and so that a table that is brought back from its journal knows what
bots still have to say. Bots on chairs of their own alone speak: who stands in for somebody
does not speak in their name. All has an end: bots that blame one another soon have said enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from engine import Phase, events
from engine.board import GOAL_CELLS
from engine.events import heard_by
from net.lobby import BotChair, Claim, Topic
from net.lobby.news import BotClaimed, Claimed
from net.room.outcome import Cue
from net.room.step import Made
from net.room.tell import Change
from net.speech import Blamed, Hindered, Looked, Occasion

MOST: Final = 6
"""How often a bot speaks in a round."""

ANSWERS: Final = 2
"""How many of those who blame it a bot answers in a round, each of them once."""

BLAME: Final = frozenset({Topic.DIGS_AGAINST_US, Topic.BLUFF})


TOPICS: Final[Mapping[type[Occasion], frozenset[Topic]]] = {
    Looked: frozenset({Topic.GOLD_AT, Topic.STONE_AT}),
    Blamed: frozenset({Topic.DIGS_FOR_US, Topic.DIGS_AGAINST_US, Topic.WHO_ME}),
    Hindered: frozenset({Topic.HELP_ME}),
}
"""What is said on each occasion."""


@dataclass(frozen=True, slots=True)
class Cues:
    """`waiting` are those of which nothing was said yet, oldest first; `given` all of this round.

    `called` are the bots that have called for help since they last moved.
    """

    waiting: tuple[Cue, ...] = ()
    given: tuple[Cue, ...] = ()
    called: frozenset[int] = frozenset()

    def without(self, done: Cue) -> Cues:
        """The others wait on."""
        waiting = tuple(cue for cue in self.waiting if cue != done)
        return Cues(waiting, self.given, self.called)

    def answered(self, seat: int, claim: Claim) -> Cues:
        """The others wait on, now that a bot has said this.

        Bots speak in the order of their cues: on those before, nothing was to be said any more.
        """
        of_seat = [cue for cue in self.waiting if cue.seat == seat]
        fitting = [cue for cue in of_seat if claim.topic in TOPICS[type(cue.occasion)]]
        for cue in (*fitting, *of_seat):
            waiting = self.waiting[self.waiting.index(cue) + 1 :]
            return Cues(waiting, self.given, self.called)
        return self


def cues_after(cues: Cues, change: Change) -> Cues:
    """What bots are to speak of after a step: only while a round is played."""
    now, before = change.now, change.before
    if now.phase is not Phase.PLAY:
        return Cues()
    for news in change.step.news:
        if isinstance(news, BotClaimed):
            cues = cues.answered(news.seat, news.claim)
    called = cues.called
    if before.game is not None and isinstance(change.step.act, Made):
        called -= {before.game.to_act}
    cues = Cues(cues.waiting, cues.given, called)
    for seat, occasion in _occasions(change):
        if _is_bot(change, seat) and _may_speak(cues, seat, occasion):
            cue = Cue(now.number, seat, occasion)
            called = cues.called | {seat} if isinstance(occasion, Hindered) else cues.called
            cues = Cues((*cues.waiting, cue), (*cues.given, cue), called)
    return cues


def _is_bot(change: Change, seat: int) -> bool:
    return isinstance(change.now.lobby.chairs[seat], BotChair)


def _occasions(change: Change) -> Iterator[tuple[int, Occasion]]:
    """What in a step a seat could speak of."""
    for event in heard_by(None, change.events):
        match event:
            case events.Looked(seat, cell):
                yield seat, Looked(GOAL_CELLS.index(cell))
            case events.Broke(target=seat):
                yield seat, Hindered()
            case _:
                pass
    for news in change.step.news:
        match news:
            case Claimed(member, claim):
                by = change.now.lobby.seat_of(member)
            case BotClaimed(by, claim):
                pass
            case _:
                continue
        if by is not None and claim.topic in BLAME:
            yield claim.about, Blamed(by)


def _may_speak(cues: Cues, seat: int, occasion: Occasion) -> bool:
    """Whether a bot has not said enough yet."""
    given = [cue.occasion for cue in cues.given if cue.seat == seat]
    if len(given) >= MOST:
        return False
    match occasion:
        case Looked():
            return True
        case Blamed():
            blamed = [one for one in given if isinstance(one, Blamed)]
            return occasion not in blamed and len(blamed) < ANSWERS
        case Hindered():
            return seat not in cues.called
        case _:
            assert_never(occasion)
