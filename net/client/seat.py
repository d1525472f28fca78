"""What a face holds of its place at a table: what is now, what came, and what it may want.

Values alone, and the one interface between a face and whatever is behind it: a link to a host, or
a table in the same process. Must not know which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from engine import Move, View
from net.link import LinkFault
from net.lobby import Lobby
from net.messages import DiskIs, Farewell, No, Want
from net.secure.client import Rejection
from net.seen import Undone
from net.table_view import Heard, Held


class Standing(StrEnum):
    """How the link to the table is."""

    LINKING = "linking"  # there was none yet
    LINKED = "linked"
    SHAKY = "shaky"  # nothing was heard for five seconds
    LOST = "lost"  # and is looked for again
    ENDED = "ended"  # for good


Ending: TypeAlias = Farewell | Rejection | LinkFault | No
"""Why a seat has ended: what the host said, why there is no trust, why there is no link at all, or
why one may not enter."""


@dataclass(frozen=True, slots=True)
class Now:
    """What a face shows.

    `member` is who one is, 0 before the first welcome. `unanswered` counts what one wanted and the
    host has not answered yet. `announced` is false for a host of whose table the network cannot be
    told, `kept` where one cannot come back to the seat once this program has ended. `ending` is set
    when `standing` is ENDED. `undone` is set while the table has gone back behind what was seen,
    and the player has not decided to go on. `code` is the room code in place of the first, told to
    the host alone.
    """

    standing: Standing = Standing.LINKING
    member: int = 0
    held: Held | None = None
    disk: DiskIs = DiskIs.FINE
    announced: bool = True
    kept: bool = True
    unanswered: int = 0
    ending: Ending | None = None
    undone: Undone | None = None
    code: str = ""

    @property
    def lobby(self) -> Lobby | None:
        """Who is at the table, `None` before the first welcome."""
        return None if self.held is None else self.held.lobby

    @property
    def view(self) -> View | None:
        """What one knows of the game, `None` without one."""
        return None if self.held is None else self.held.view

    @property
    def seat(self) -> int | None:
        """Where one sits, from 0, `None` for who watches."""
        return None if self.held is None else self.held.lobby.seat_of(self.member)

    @property
    def is_host(self) -> bool:
        """Whether one has the host's powers."""
        return self.held is not None and self.held.lobby.host == self.member != 0


@dataclass(frozen=True, slots=True)
class Update:
    """Something came: what is now, and what was `heard` to make it so, if the host said anything.

    Each piece of news and each event is in exactly one update, in order, unless `heard.renewed`
    says that all was replaced.
    """

    now: Now
    heard: Heard | None = None


Hear: TypeAlias = Callable[[Update], None]


class Seat(Protocol):
    """A place at a table, as a face drives it. Nothing here waits, and nothing raises."""

    @property
    def now(self) -> Now:
        """What is now."""
        ...

    def want(self, want: Want) -> None:
        """Want something of the host. The answer is in some later update."""
        ...

    def play(self, move: Move) -> None:
        """Want to make a move in the turn that is in view."""
        ...

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        ...

    def leave(self) -> None:
        """Let go of the link. Whoever wanted to `Leave` for good has said so before."""
        ...
