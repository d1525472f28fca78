"""Requests to host, join or practise, and what comes of them, as values for every interface.

How one gets to a table: what a player chose, and what the app is given for it.

Values and one protocol.

A game against bots in this process: what it is made of, for every face.

It is played at a table like any other (`net.client.local`).

The way to a game against bots: a table in this process, without a link.

What is played there, the room decides.
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
class TableHandle:
    """A way to a table: what makes the seat there, and what its host tells others.

    `practice` is a table that begins by itself, so that its lobby is not shown before.
    """

    make: Callable[[OnUpdate], RunnableSession]
    invitation: Invitation | None = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """A game against bots that a player wants."""

    name: str
    bots: int = 4
    level: str = DEFAULT_BOT_LEVEL
    edition: str = "international"
    rounds: int = 3


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A table that a player wants to open. `settings` has its seats, and whether it is open."""

    name: str
    title: str
    settings: Settings
    bots: int = 0
    level: str = DEFAULT_BOT_LEVEL


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A table that a player wants to join: one of the list, or one at an address.

    `code` is `None` for an open table.
    """

    name: str
    at: DiscoveredGame | TypedAddress
    code: RoomCode | None


@dataclass(frozen=True, slots=True)
class ResumableTable:
    """A table that one may come back to: `id` is the doors' own, `is_host` whose table it is.

    `when` is when it was left, or last played, in seconds since 1970. Where the way back is barred
    `problem` says why, and what to do.
    """

    id: str
    title: str
    when: float
    is_host: bool
    problem: str = ""


class TableAccess(Protocol):
    """Opens ways to tables. All but `practise` may take a while.

    Where there is no way they raise `UserError`, whose text is the sentence that says what to do.
    """

    def practise(self, request: PracticeRequest) -> TableHandle:
        """The way to a game against bots."""
        ...

    async def host(self, request: HostRequest) -> TableHandle:
        """Open a table, and the way to it."""
        ...

    async def join(self, request: JoinRequest) -> TableHandle:
        """The way to somebody's table."""
        ...

    def resumable(self) -> tuple[ResumableTable, ...]:
        """The tables one may come back to, last played first."""
        ...

    async def resume(self, to: ResumableTable) -> TableHandle:
        """The way back to one of them."""
        ...


HASTY_BUDGET: Final = Playouts(120)
"""How much bots think that do not let one wait: a tenth of a second or two where they are hard."""


@dataclass(frozen=True, slots=True)
class PracticeSetup:
    """What a practice game is to be. Without a `seed` there is a new deal each time.

    Bots that are `hasty` move at once: in lines, one reads afterwards what they did. Those that are
    `polite` say nothing in the player's turn: nothing comes between a prompt and its answer.
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
        """What the player is called at the table."""
        return PlayerNames.of((self.name,), 0).names[0]

    @property
    def company(self) -> Opponents:
        """The bots."""
        names = bot_names(self.bots, {self.name_shown.casefold()})
        if not self.hasty:
            return Opponents(names, self.level, seeds=self._seeds())
        return Opponents(names, self.level, (0.0, 0.0), HASTY_BUDGET, self._seeds(), self.polite)

    def session(self, on_update: OnUpdate) -> LocalSession:
        """The player's seat at the table."""
        settings = Settings(edition=self.edition.text, rounds=self.rounds, seats=self.bots + 1)
        return LocalSession(self.name_shown, settings, self.company, on_update)

    def _seeds(self) -> Callable[[], bytes]:
        """What gives a seed for the bots' chance, for the first deal, and for each deal after it.

        The first two are what was asked for; the rest follow from it.
        """
        if self.seed is None:
            return lambda: secrets.token_bytes(32)
        chance, first = Random(self.seed), iter((self.seed, self.seed))
        return lambda: next(first, None) or chance.randbytes(32)


def practice_handle(request: PracticeRequest) -> TableHandle:
    """The way to a game against bots."""
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
    """The way to a game that is set up."""
    return TableHandle(setup.session, practice=True)
