"""How one gets to a table: what a player chose, and what the app is given for it.

Values and one protocol. Knows neither process nor socket: those who open doors do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sabtui.dwarves import LEVEL

if TYPE_CHECKING:
    from net.client.beside import Running
    from net.client.seat import Hear
    from net.discovery.address import Typed
    from net.discovery.game import Game
    from net.lobby import Settings
    from net.secure.code import RoomCode


@dataclass(frozen=True, slots=True)
class Facts:
    """What a host tells those who want to come to the table of this `title`.

    `code` is empty where the table is open.

    `addresses` are what can be typed, the likeliest first; `ssh` is the line for a friend far
    away, empty where there is none.
    """

    title: str
    code: str
    addresses: tuple[str, ...] = ()
    ssh: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to a table: what makes the seat there, and what its host tells others.

    `practice` is a table that begins by itself, so that its lobby is not shown before.
    """

    make: Callable[[Hear], Running]
    facts: Facts | None = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Practising:
    """A game against bots that a player wants."""

    name: str
    bots: int = 4
    level: str = LEVEL
    edition: str = "international"
    rounds: int = 3


@dataclass(frozen=True, slots=True)
class Hosting:
    """A table that a player wants to open. `settings` has its seats, and whether it is open."""

    name: str
    title: str
    settings: Settings
    bots: int = 0
    level: str = LEVEL


@dataclass(frozen=True, slots=True)
class Joining:
    """A table that a player wants to join: one of the list, or one at an address.

    `code` is `None` for an open table.
    """

    name: str
    at: Game | Typed
    code: RoomCode | None


@dataclass(frozen=True, slots=True)
class Comeback:
    """A table that one may come back to: `id` is the doors' own, `is_host` whose table it is.

    `when` is when it was left, or last played, in seconds since 1970. Where the way back is barred
    `problem` says why, and what to do.
    """

    id: str
    title: str
    when: float
    is_host: bool
    problem: str = ""


class Doors(Protocol):
    """Opens ways to tables. All but `practise` may take a while.

    Where there is no way they raise `Trouble`, whose text is the sentence that says what to do.
    """

    def practise(self, wish: Practising) -> Way:
        """The way to a game against bots."""
        ...

    async def host(self, wish: Hosting) -> Way:
        """Open a table, and the way to it."""
        ...

    async def join(self, wish: Joining) -> Way:
        """The way to somebody's table."""
        ...

    def comebacks(self) -> tuple[Comeback, ...]:
        """The tables one may come back to, last played first."""
        ...

    async def come_back(self, to: Comeback) -> Way:
        """The way back to one of them."""
        ...
