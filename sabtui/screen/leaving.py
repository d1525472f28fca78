"""A screen from which one goes to a table, once at a time.

Knows how a way is awaited and what is said meanwhile; where it leads is the screen's.
"""

from __future__ import annotations

from collections.abc import Awaitable

from sabtui.screen.commands import Commanded
from sabtui.screen.doors import Way
from sabtui.trouble import Trouble


class Leaving(Commanded):
    """While it is `busy`, one is on one's way already."""

    def __init__(self) -> None:
        self.busy = False
        super().__init__()

    def leave_by(self, way: Awaitable[Way], meanwhile: str) -> None:
        """Go to a table as soon as the way to it is known; where there is none, say why."""
        self.busy = True
        self.say(meanwhile)
        self.run_worker(self._leave_by(way))

    async def _leave_by(self, way: Awaitable[Way]) -> None:
        try:
            found = await way
        except Trouble as trouble:
            self.say(str(trouble))
        else:
            self.say("")
            self.house.sit(found)
        finally:
            self.busy = False
