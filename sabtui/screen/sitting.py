"""A seat that runs beside the app, and what of it the screens have not been told yet.

Updates come from the seat's thread and are kept in order until the app takes them, so that none is
lost while screens change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from net.client.beside import Beside
from net.client.seat import Now, Seat, Standing, Update
from sabtui.screen.doors import Facts, Way

GOODBYE: Final = 1.5
"""Seconds that a seat is given to say goodbye."""


class Sitting:
    """A seat from `begin` until `end`. `wake` is called in the seat's thread when there is news."""

    def __init__(self, way: Way, wake: Callable[[Sitting], None]) -> None:
        self.now = Now()
        self.facts: Facts | None = way.facts
        self.practice = way.practice
        self._told: deque[Update] = deque()
        self._wake = wake
        self._beside = Beside(way.make, self._hear)

    @property
    def seat(self) -> Seat:
        """What screens drive."""
        return self._beside

    def begin(self) -> None:
        """Run it."""
        self._beside.start()

    def end(self) -> None:
        """Let go of it."""
        self._beside.leave()

    def wait(self) -> None:
        """Wait for the goodbye, not for ever."""
        with suppress(Exception):  # its failure was told when it came
            self._beside.join(GOODBYE)

    @property
    def failure(self) -> BaseException | None:
        """The bug of ours by which it ended, `None` where it goes on or has ended for a reason."""
        if self.now.standing is not Standing.ENDED or self.now.ending is not None:
            return None
        try:
            self._beside.join(0)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            return error
        return None

    def take(self) -> Iterator[Update]:
        """Take what came, in order; `now` is then what the taken ones say."""
        while self._told:
            update = self._told.popleft()
            self.now = update.now
            yield update

    def _hear(self, update: Update) -> None:
        self._told.append(update)
        self._wake(self)
