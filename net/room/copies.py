"""Copies of a table's log, kept by the programs of its players, so that it can go on without them.

A copy is what the host has on its disk: the founding and the steps, whose secrets are sealed. A
program gets each step with its frame, and asks for what it lacks. It learns nothing by it that its
player must not know: of the key, it holds one share, and more are needed.

So there are copies only while people play at two computers beside the host's. A lone guest's share
would be the whole key, and nobody could go on without the host anyway. A part of the log that is
asked for is sealed again by the present key, so that somebody who once held the whole key cannot
read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.state import Phase
from net.protocol.lobby import Lobby, Stage
from net.protocol.messages import MAX_PART_STEPS, LogPart
from net.room.sealing import Rewritten, Sealer
from net.room.state import Step, read_step, write
from net.room.succession import find_entitled, has_successors

MAX_PART_BYTES: Final = 24 * 1024  # bytes of steps in one part of the log, but for the last of them


MAX_COPY_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a copy that is renewed no further: no evening is that long."""

LONG_LOG_BYTES: Final = MAX_COPY_BYTES * 3 // 4
"""Bytes of a log from which on newcomers are refused: the rest is for those who play."""


def keeps_copy(lobby: Lobby, member: int) -> bool:
    """Return True if a member's program keeps a copy of the log."""
    return has_successors(lobby) and member in find_entitled(lobby)


def outlives_program(lobby: Lobby, member: int, phase: Phase | None) -> bool:
    """Return True if a member's program keeps its copy on disk, too: as long as there is a game.

    Between the games of an evening it does as well.
    """
    plan = lobby.settings.evening
    is_done = phase is Phase.OVER and (plan is None or lobby.evening.is_over(plan))
    return keeps_copy(lobby, member) and lobby.stage is not Stage.CLOSED and not is_done


def without_news(step: Step) -> bytes:
    """Return a step as it stands in a frame, which has its lobby events beside it."""
    return write(replace(step, news=()))


class CopiedLog:
    """The log of a table, in memory, in the bytes of its journal: a third of their values' size."""

    def __init__(self, founding: bytes) -> None:
        self._founding = founding
        self._steps: list[bytes] = []
        self._size = 0

    @property
    def is_long(self) -> bool:
        """True if people who come and go could make it too long for the copies."""
        return self._size >= LONG_LOG_BYTES

    def load(self, steps: Iterable[Step]) -> None:
        """Begin with the steps of a journal."""
        self._steps = list(map(write, steps))
        self._size = sum(map(len, self._steps))

    def add(self, step: bytes, rewritten: Rewritten) -> None:
        """Add a step, and put in the earlier steps that it rewrites."""
        self._steps.append(step)
        self._size += len(step)
        for number, payload in rewritten:
            self._steps[number - 1] = payload

    def part(self, after: int, sealer: Sealer) -> LogPart:
        """Return the next part for a copy that ends with step `after`."""
        steps, size = list[bytes](), 0
        for number, step in enumerate(self._steps[after : after + MAX_PART_STEPS], after + 1):
            steps.append(write(sealer.for_copy(number, read_step(step))))
            size += len(steps[-1])
            if size > MAX_PART_BYTES:
                break
        return LogPart(after + 1, b"" if after else self._founding, tuple(steps))
