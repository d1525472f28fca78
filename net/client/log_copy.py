"""A program's copy of the table's log: with others it can open it, and go on without the host.

What is secret of it is sealed (`net.room.copies`). A copy has no gap. Where steps were missed, it
ends, and the host is asked for the rest. All that is sealed is dropped then, and asked for anew: it
may be sealed by another key by now, or by none, as after a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.state import Phase
from net.lobby.events import LobbyEvent, RecordPublished
from net.lobby.model import Lobby
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import LogPart, StepFrame
from net.room.sealing import has_secrets
from net.room.state import Step, read_founding, read_step, write

MAX_COPY_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a copy, at which it ends: no evening is that long."""


class LogCopy:
    """The founding of a table, and its steps from the first on, as its journal has them."""

    def __init__(self) -> None:
        self.founding = b""
        self.steps: list[bytes] = []
        self._sealed_from: int | None = None  # the first step that is not in the clear
        self._size = 0

    @property
    def last(self) -> int:
        """The last step of the copy, 0 before the first."""
        return len(self.steps)

    @property
    def is_full(self) -> bool:
        """True if nothing more is taken in."""
        return self._size > MAX_COPY_BYTES

    def follow(self, frame: StepFrame, lobby: Lobby, phase: Phase | None) -> None:
        """Add the step of a frame if it is the next. `lobby` and `phase` are those after it.

        Raises:
            BadFrame: what the frame has of it is no step.
        """
        step = _of_frame(frame) if frame.sealed else None
        if not has_secrets(lobby, phase) or (step is not None and step.epoch and self._lags(frame)):
            self.drop_sealed()
        if step is not None and not self._lags(frame):
            self._add(step)

    def take(self, part: LogPart, newest: int) -> None:
        """Add a part of the log, if it follows the copy and has no step after the `newest` seen.

        Raises:
            BadFrame: there is something else in it.
        """
        steps = [_read(step) for step in part.steps]
        if part.first != self.last + 1 or self.last + len(steps) > newest:
            return
        if part.first == 1:
            _check_founding(part.founding)
            self.founding = part.founding
        for step in steps:
            self._add(step)

    def drop_sealed(self) -> None:
        """Drop all from the first step on that is sealed."""
        if self._sealed_from is not None:
            del self.steps[self._sealed_from - 1 :]
            self._sealed_from = None
            self._size = sum(map(len, self.steps))

    def _lags(self, frame: StepFrame) -> bool:
        return frame.step != self.last + 1

    def _add(self, step: Step) -> None:
        if self.is_full:
            return
        self.steps.append(write(step))
        self._size += len(self.steps[-1])
        if self._sealed_from is None and (step.sealed or step.epoch is not None):
            self._sealed_from = self.last


def _of_frame(frame: StepFrame) -> Step:
    """Return the step of a frame as the journal has it, with its lobby events."""
    return replace(_read(frame.sealed), news=_news(frame.lobby_events))


def _news(lobby_events: Iterable[LobbyEvent]) -> tuple[LobbyEvent, ...]:
    """Return the lobby events of a step: the record at the end of a game is none of its own."""
    return tuple(event for event in lobby_events if not isinstance(event, RecordPublished))


def _read(payload: bytes) -> Step:
    try:
        return read_step(payload)
    except msgspec.DecodeError:
        raise BadFrame(FrameFault.MESSAGE) from None


def _check_founding(founding: bytes) -> None:
    try:
        read_founding(founding)
    except msgspec.DecodeError:
        raise BadFrame(FrameFault.MESSAGE) from None
