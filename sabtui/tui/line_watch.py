"""Speed of the line to the terminal: looks tell if it is too slow for drawn cards.

The app looks whether the terminal is behind a moment after it has written, and again for as long as
that has to be settled: on a line that keeps up there is one look for each burst of writing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

LOOK_S: Final = 0.5
"""Seconds between two looks, and from writing to the first."""

SLOW_LOOKS: Final = 4
"""Looks in a row at a terminal that is behind, after which its line is slow."""

FAST_LOOKS: Final = 20
"""Looks in a row at a terminal that keeps up, after which its line is no longer slow."""

MAX_FAST_LOOKS: Final = 16 * FAST_LOOKS
"""The same for a line that was slow again and again: each time it takes twice as many."""


@dataclass(frozen=True, slots=True)
class LineSpeed:
    """Knowledge of a line's speed: `is_slow`, until enough looks in a row are `contrary`."""

    is_slow: bool = False
    contrary: int = 0
    fast_looks: int = FAST_LOOKS

    @property
    def is_settled(self) -> bool:
        """True if the line keeps up, and need not be looked at before it is written to."""
        return not self.is_slow and not self.contrary

    def look(self, *, is_behind: bool) -> LineSpeed:
        """Return what the looks have told with one more."""
        if is_behind is self.is_slow:
            return replace(self, contrary=0)
        if self.contrary + 1 < (self.fast_looks if self.is_slow else SLOW_LOOKS):
            return replace(self, contrary=self.contrary + 1)
        if is_behind:
            return replace(self, is_slow=True, contrary=0)
        return LineSpeed(fast_looks=min(2 * self.fast_looks, MAX_FAST_LOOKS))


class LineWatch:
    """Looks at the line when there is something to see, and tells when its `speed` changes."""

    def __init__(self, is_behind: Callable[[], bool], tell: Callable[[], None]) -> None:
        self.speed = LineSpeed()
        self._is_behind = is_behind
        self._tell = tell
        self._is_looking = False

    def look_later(self) -> None:
        """Look in a moment, as something was written. Call it in the app's event loop."""
        if not self._is_looking:
            self._is_looking = True
            asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        was_slow = self.speed.is_slow
        self.speed = self.speed.look(is_behind=self._is_behind())
        self._is_looking = False
        if not self.speed.is_settled:
            self.look_later()
        if self.speed.is_slow is not was_slow:
            self._tell()
