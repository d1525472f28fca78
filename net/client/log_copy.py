"""A program's copy of the table's log: with others it can open it, and go on without the host.

Its secrets are sealed (`net.room.copies`). A copy has no gap: it ends where steps were missed. It
is then renewed, and also when a game is over and nothing is secret: the part in the clear is kept,
and the rest asked of the host, who seals it by the present key or sends it in the clear. The old
copy, which can be opened as well, is kept until the new one is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from engine.state import Phase
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.lobby import Lobby
from net.protocol.lobby_events import HostChanged, LobbyEvent, RecordPublished
from net.protocol.messages import MAX_PART_STEPS, LogPart, Mark, StepFrame
from net.room.copies import MAX_COPY_BYTES
from net.room.sealing import has_secrets
from net.room.state import Step, read_founding, read_step, write

T = TypeVar("T")

MAX_PEER_PART_BYTES: Final = 4 * 1024
"""Bytes of steps in a part for another program: a client's frame is short."""


@dataclass(frozen=True, slots=True)
class SavedCopy:
    """A copy of a table's log for a file: all of its steps; `mark` is the last one.

    One of the same `revision` begins with the same steps.
    """

    table: str
    founding: bytes
    steps: tuple[bytes, ...]
    mark: Mark
    revision: int = 0


class Steps:
    """The steps of a log from the first on, as its journal has them."""

    def __init__(self, clear: Iterable[bytes] = ()) -> None:
        self.payloads = list(clear)
        self._size = sum(map(len, self.payloads))
        self._clear: int | None = None  # the number of those before the first that is sealed
        self.term = 0
        """The term of the host under whom the last of them was made."""
        for payload in self.payloads:
            self._note_term(read_step(payload))

    @property
    def last(self) -> int:
        """The last of the steps, 0 if there is none."""
        return len(self.payloads)

    @property
    def is_full(self) -> bool:
        """True if these are more than any evening has."""
        return self._size > MAX_COPY_BYTES

    @property
    def has_secrets(self) -> bool:
        """True if some of the steps are sealed."""
        return self._clear is not None

    def add(self, step: Step) -> None:
        """Add the next step."""
        if self._clear is None and (step.sealed or step.epoch is not None):
            self._clear = self.last
        self.payloads.append(write(step))
        self._size += len(self.payloads[-1])
        self._note_term(step)

    def _note_term(self, step: Step) -> None:
        terms = [event.term for event in step.news if isinstance(event, HostChanged)]
        self.term = max((self.term, *terms))

    def in_the_clear(self) -> Steps:
        """Return the steps before the first that is sealed."""
        return Steps(self.payloads[: self._clear])


class LogCopy:
    """The founding of a table, and its steps as far as they are known."""

    def __init__(self) -> None:
        self.founding = b""
        self.revision = 0
        """Number of times that earlier steps were replaced; between two, a copy only grows."""
        self._kept = Steps()
        self._renewed: Steps | None = Steps()  # what takes its place once it is complete

    @property
    def last(self) -> int:
        """The last step of the copy, 0 if there is none yet."""
        return self._kept.last

    @property
    def term(self) -> int:
        """The term of the host under whom its last step was made."""
        return self._kept.term

    @property
    def position(self) -> tuple[int, int]:
        """The last step, after the term of its host: of two copies the higher has seen more."""
        return self.term, self.last

    @property
    def steps(self) -> list[bytes]:
        """The steps, as the journal has or had them."""
        return self._kept.payloads

    @property
    def lacks_after(self) -> int | None:
        """The step after which it is incomplete, `None` if it is whole."""
        return None if self._renewed is None else self._renewed.last

    @property
    def is_full(self) -> bool:
        """True if it is longer than any evening, and is renewed no further."""
        return self._kept.is_full

    def restore(self, founding: bytes, steps: Iterable[bytes]) -> None:
        """Begin with what an earlier run of the program has saved."""
        self.founding, self._kept = founding, Steps()
        for payload in steps:
            self._kept.add(read_step(payload))
        self._renewed = None
        self.revision += 1

    def to_save(self, table: str, mark: Mark, last: SavedCopy | None) -> SavedCopy:
        """Return all of it, whose last step is `mark`, for a file; the `last` one if that is it."""
        if last is not None and (last.mark, last.revision) == (mark, self.revision):
            return last
        return SavedCopy(table, self.founding, tuple(self.steps), mark, self.revision)

    def part(self, after: int) -> LogPart:
        """Return the next part of it for a copy that ends with step `after`."""
        steps, size = list[bytes](), 0
        for payload in self.steps[after : after + MAX_PART_STEPS]:
            size += len(payload)
            if steps and size > MAX_PEER_PART_BYTES:
                break
            steps.append(payload)
        return LogPart(after + 1, b"" if after else self.founding, tuple(steps))

    def follow(self, frame: StepFrame, lobby: Lobby, phase: Phase | None) -> None:
        """Add the step of a frame if it is the next, and renew the copy once nothing is secret.

        `lobby` and `phase` are those after it.

        Raises BadFrame: what the frame has of it is no step.
        """
        step = _of_frame(frame) if frame.sealed else None
        if step is not None:
            if frame.step == self._kept.last + 1 and not self._kept.is_full:
                self._kept.add(step)
            if step.epoch is not None and self._renewed is not None:
                self._renewed = self._renewed.in_the_clear()  # the rest comes by another key
        newest = self._renewed or self._kept
        if newest.has_secrets and not has_secrets(lobby, phase):
            self._renewed = newest.in_the_clear()

    def forget(self) -> None:
        """Begin again with nothing: what was kept is no past of this table."""
        self._kept, self._renewed = Steps(), Steps()
        self.revision += 1

    def renew(self) -> None:
        """Begin to ask for what may have changed, or was missed."""
        self._renewed = self._kept.in_the_clear()

    def find_gap(self, newest: int) -> int | None:
        """Return the step after which a part is to be asked for, `None` if nothing is lacking."""
        if self._renewed is None and self._kept.last < newest:
            self.renew()
        self._finish(newest)
        if self._renewed is None or self._renewed.is_full:
            return None
        return self._renewed.last

    def take(self, part: LogPart, newest: int) -> None:
        """Take in a part of the log that was asked for; `newest` is the last step seen.

        A part that does not follow, or has steps that were not seen yet, is left out.

        Raises BadFrame: there is something else in it.
        """
        steps, renewed = [_check(read_step, step) for step in part.steps], self._renewed
        if renewed is None or part.first != renewed.last + 1 or renewed.is_full:
            return
        if renewed.last + len(steps) > newest:
            return
        if part.first == 1:
            _check(read_founding, part.founding)
            self.founding = part.founding
        for step in steps:
            renewed.add(step)
        self._finish(newest)

    def _finish(self, newest: int) -> None:
        """Keep what is renewed once it is complete."""
        if self._renewed is not None and self._renewed.last == newest:
            self._kept, self._renewed = self._renewed, None
            self.revision += 1


def _of_frame(frame: StepFrame) -> Step:
    """Return the step of a frame as the journal has it, with its lobby events."""
    return replace(_check(read_step, frame.sealed), news=_news(frame.lobby_events))


def _news(lobby_events: Iterable[LobbyEvent]) -> tuple[LobbyEvent, ...]:
    """Return the lobby events of a step: the record at the end of a game is none of its own."""
    return tuple(event for event in lobby_events if not isinstance(event, RecordPublished))


def _check(read: Callable[[bytes], T], payload: bytes) -> T:
    """Return what bytes from the host are. Raises `BadFrame` if they are something else."""
    try:
        return read(payload)
    except msgspec.DecodeError:
        raise BadFrame(FrameFault.MESSAGE) from None
