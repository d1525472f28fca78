"""Requests to host, join or practise, and the handles they lead to, as values.

Every interface builds these values; `TableAccess` is the protocol of the service that carries them
out (`sabtui.app.tables`). A practice game is a table in this process, without a connection
(`net.client.local`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from engine.bots import Playouts
from engine.edition import INTERNATIONAL, Edition
from engine.game import ROUNDS
from net.client.local import LocalSession, Opponents
from net.client.session import OnUpdate
from net.lobby import Settings
from net.lobby.bot_names import bot_names
from sabtui.app.names import DEFAULT_BOT_LEVEL
from sabtui.text.names import PlayerNames

if TYPE_CHECKING:
    from net.client.thread import RunnableSession
    from net.discovery.address import TypedAddress
    from net.discovery.catalog import DiscoveredGame
    from net.security.code import RoomCode


@dataclass(frozen=True, slots=True)
class Invitation:
    """Text parts with which a host invites players to the table of this `title`.

    `code` is empty if the table is open.

    `addresses` are those that can be typed, the likeliest first. `ssh` is a command line for a
    friend far away, "" if there is none.
    """

    title: str
    code: str
    addresses: tuple[str, ...] = ()
    ssh: str = ""


@dataclass(frozen=True, slots=True)
class TableHandle:
    """Access to a table: `make` creates the player's session, `invitation` is for other players.

    A `practice` table starts its game by itself, so its lobby is not shown first.
    """

    make: Callable[[OnUpdate], RunnableSession]
    invitation: Invitation | None = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """A game against bots that a player asks for."""

    name: str
    bots: int = 4
    level: str = DEFAULT_BOT_LEVEL
    edition: str = "international"
    rounds: int = 3


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A table that a player asks to open. `settings` has its seats, and whether it is open."""

    name: str
    title: str
    settings: Settings
    bots: int = 0
    level: str = DEFAULT_BOT_LEVEL


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A table that a player asks to join: a discovered game, or a typed address.

    `code` is `None` for an open table.
    """

    name: str
    at: DiscoveredGame | TypedAddress
    code: RoomCode | None


@dataclass(frozen=True, slots=True)
class ResumableTable:
    """A table to come back to. `id` is private to `TableAccess`; `is_host` if it was opened here.

    `when` is when it was last played or left, in seconds since 1970. `problem` says why it cannot
    be resumed and what to do, "" if it can.
    """

    id: str
    title: str
    when: float
    is_host: bool
    problem: str = ""


class TableAccess(Protocol):
    """Opens tables. All methods but `practise` may take a while.

    On failure they raise `UserError`, whose text is a sentence that says what to do.
    """

    def practise(self, request: PracticeRequest) -> TableHandle:
        """Return the handle of a new game against bots."""
        ...

    async def host(self, request: HostRequest) -> TableHandle:
        """Open a table, and return its handle."""
        ...

    async def join(self, request: JoinRequest) -> TableHandle:
        """Return the handle of another host's table."""
        ...

    def resumable(self) -> tuple[ResumableTable, ...]:
        """Return the tables that can be resumed, last played first."""
        ...

    async def resume(self, to: ResumableTable) -> TableHandle:
        """Return the handle of a table to resume."""
        ...


HASTY_BUDGET: Final = Playouts(120)
"""Playouts per move of bots that move at once: 0.1 to 0.2 seconds at the hard level."""


@dataclass(frozen=True, slots=True)
class PracticeSetup:
    """Options of a practice game. Without a `seed` each game has a new random deal.

    `hasty` bots move at once: in plain-text mode one reads afterwards what they did. `polite` bots
    say nothing during the player's turn, so that no line comes between a prompt and its answer.
    """

    name: str
    bots: int = 4
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    seed: bytes | None = None
    level: str = DEFAULT_BOT_LEVEL
    hasty: bool = True
    polite: bool = False

    @property
    def name_shown(self) -> str:
        """The player's name as the table shows it."""
        return PlayerNames.of((self.name,), 0).names[0]

    @property
    def company(self) -> Opponents:
        """The bots to play against."""
        names = bot_names(self.bots, {self.name_shown.casefold()})
        if not self.hasty:
            return Opponents(names, self.level, seeds=self._seeds())
        return Opponents(names, self.level, (0.0, 0.0), HASTY_BUDGET, self._seeds(), self.polite)

    def session(self, on_update: OnUpdate) -> LocalSession:
        """Return the player's session at the table."""
        settings = Settings(edition=self.edition.text, rounds=self.rounds, seats=self.bots + 1)
        return LocalSession(self.name_shown, settings, self.company, on_update)

    def _seeds(self) -> Callable[[], bytes]:
        """Return a source of seeds: for the bots' randomness, the first deal, and each later deal.

        With a `seed` the first two are that seed, and the others derive from it.
        """
        if self.seed is None:
            return lambda: secrets.token_bytes(32)
        chance, first = Random(self.seed), iter((self.seed, self.seed))
        return lambda: next(first, None) or chance.randbytes(32)


def practice_handle(request: PracticeRequest) -> TableHandle:
    """Return the handle of the practice game that a request describes."""
    return handle_of(
        PracticeSetup(
            request.name,
            request.bots,
            Edition.read(request.edition),
            request.rounds,
            level=request.level,
            hasty=False,
        )
    )


def handle_of(setup: PracticeSetup) -> TableHandle:
    """Return the handle of a practice game."""
    return TableHandle(setup.session, practice=True)
