"""Requests to host, join or practise, and the handles and invitations they lead to, as values.

The command line and the forms of the screens build them; `sabtui.app.tables` carries them out. A
practice game is a table in this process, without a connection (`net.client.local`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from engine.bots import Playouts, Seconds
from engine.edition import INTERNATIONAL, Edition
from engine.state import ROUNDS
from net.client.local import LeftGame, LocalSession, Opponents
from net.client.session import OnUpdate, RunnableSession
from net.discovery.networks import LOOPBACK_HOSTS
from net.protocol.doors import DoorKind
from net.protocol.lobby import MIN_SEATS, Dwarf, Settings, bot_names
from net.secure.address import Address, TypedAddress
from net.server.bots import BOT_BUDGET, BOT_MOVE_DELAY_S, BotPace
from sabtui.app import DEFAULT_BOT_LEVEL, Speed
from sabtui.app.errors import UserError
from sabtui.app.preferences import PreferencesStore, usual_path
from sabtui.text import connection, lobby, network
from sabtui.text.door_words import host_of
from sabtui.text.i18n import _
from sabtui.text.names import PlayerNames

if TYPE_CHECKING:
    from net.discovery.games import DiscoveredGame
    from net.secure.code import RoomCode


class HostRequest(msgspec.Struct, frozen=True, tag="host"):
    """A table that a player called `name` asks to open. `settings` say whether it needs a code."""

    name: str
    title: str
    settings: Settings = Settings()
    bots: int = 0
    level: str = DEFAULT_BOT_LEVEL
    code: str = ""  # "" for a random one
    port: int = 0  # 0 means any port in our range
    doors: tuple[DoorKind, ...] = ()  # to open beside it
    speed: Speed = Speed.NORMAL  # of its bots


class ReopenRequest(msgspec.Struct, frozen=True, tag="reopen"):
    """A table of this player to resume; `journal` is the path of its journal."""

    journal: str
    doors: tuple[DoorKind, ...] = ()  # to open beside it; those that were open are opened anyway
    port: int = 0  # 0 means the one that it had, or any in our range
    speed: Speed = Speed.NORMAL  # of its bots from now on


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A table that a player asks to join: a discovered game, or an address or a name as typed.

    A player who `claims_name` takes back the seat stored under that name, even if another process
    may be using it, and gets no other name at the table; a host who has not joined yet may have any
    name. Otherwise only a seat that no process uses is taken back, unless the game has begun: a
    second player could then only watch, so a seat in use is taken back, too.
    """

    name: str
    at: DiscoveredGame | TypedAddress | str  # "" for the only table there is
    code: RoomCode | None = None  # also for a table whose code is not known yet
    watch: bool = False
    claims_name: bool = False


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """A game against bots."""

    name: str
    bots: int = 4
    level: str = DEFAULT_BOT_LEVEL
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    seed: bytes | None = None  # `None` for a new random deal in each game
    speed: Speed | None = None  # `None` for the usual speed of the interface

    @property
    def name_shown(self) -> str:
        return PlayerNames.of((self.name,), 0).names[0]

    @property
    def opponents(self) -> tuple[str, ...]:
        return bot_names(self.bots, {self.name_shown.casefold()})


class HallVisit(Protocol):
    """A player's visit to a club, from whose hall they go to its tables, or to a single table."""

    @property
    def is_club(self) -> bool:
        """True once it is known to be a club."""

    def hall(self, invitation: Invitation | None = None) -> TableHandle:
        """Return the handle of the hall, or of the single table."""


@dataclass(frozen=True, slots=True)
class TableHandle:
    """Everything needed to sit at a table: how to make the session, and what goes with it."""

    make: Callable[[OnUpdate], RunnableSession]  # makes the player's session
    invitation: Invitation | None = None  # for other players
    practice: bool = False  # its game starts automatically, so its lobby is not shown first
    club: HallVisit | None = None  # the visit that this handle begins, if it may be to a club
    in_club: bool = False  # True for a table in that club


class GoesOnElsewhere(UserError):
    """Raised if a table to resume has moved to another computer, at this address.

    `there` is the handle of the seat there. `open_here` opens the table here anyway: it waits for
    its players, and follows them if they have moved.
    """

    def __init__(
        self,
        at: Address,
        there: TableHandle,
        open_here: Callable[[], Coroutine[object, None, TableHandle]],
    ) -> None:
        super().__init__(at, there, open_here)
        self.at = at
        self.question = lobby.join_elsewhere(at)
        self.there = there
        self.open_here = open_here

    def __str__(self) -> str:
        """Say where the table continues, for a caller that cannot ask."""
        return lobby.goes_on_elsewhere(self.at)


@dataclass(frozen=True, slots=True)
class ResumableTable:
    """A table to return to."""

    id: str  # private to `TableService`
    title: str
    when: float  # when it was last played or left, in seconds since 1970
    is_host: bool  # True if it was opened here
    problem: str = ""  # why it cannot be resumed and what to do, "" if it can
    is_practice: bool = False  # a game against bots in this program


MIN_OPPONENTS: Final = MIN_SEATS - 1  # minimum number of bots in a practice game

HASTY_BUDGET: Final = Playouts(120)
"""Playouts per move of bots that hardly pause: 0.1 to 0.2 seconds at the hard level."""

PACES_S: Final[Mapping[Speed, tuple[float, float]]] = {
    Speed.SLOW: (1.8, 3.0),
    Speed.NORMAL: BOT_MOVE_DELAY_S,
    Speed.FAST: (0.2, 0.4),
    Speed.INSTANT: (0.0, 0.0),
}
"""Shortest and longest time in seconds that a bot takes for a move."""

MIN_PAUSE_S: Final = 0.15  # minimum seconds for a move of a bot among people

SLACK_S: Final = 0.1
"""Seconds from the end of a bot's thinking to the end of its shortest pause, on a busy machine."""


def pace_among_people(speed: Speed) -> BotPace:
    """Return the pace of bots at a table with other people.

    Bots think for less time than the shortest pause, so that the time of a move betrays no card.
    """
    shortest, longest = (max(pause, MIN_PAUSE_S) for pause in PACES_S[speed])
    thought = Seconds(min(BOT_BUDGET.seconds, shortest - SLACK_S))
    return BotPace((shortest, longest), thought)


def own_dwarf() -> Dwarf:
    """Return the dwarf that this player has picked before, at any table."""
    kept, _trouble = PreferencesStore(usual_path()).read()
    return Dwarf(kept.face - 1, kept.colour - 1)


def practise(
    request: PracticeRequest,
    *,
    usual: Speed = Speed.NORMAL,
    polite: bool = False,
    begun: LeftGame | None = None,
    keep: Callable[[LeftGame | None], None] = lambda _left: None,
) -> TableHandle:
    """Return the handle of a practice game; its bots play at `usual` speed unless requested.

    `polite` bots are silent during the player's turn: no line comes between a prompt and its
    answer. `begun` is a game to resume, with its own bots and rules. `keep` is called with the game
    when the player leaves it unfinished, and with `None` otherwise.
    """
    speed = request.speed or usual
    names, seeds = request.opponents, _seeds(request.seed)
    opponents = Opponents(names, request.level, PACES_S[speed], seeds=seeds, polite=polite)
    if speed in {Speed.FAST, Speed.INSTANT}:
        opponents = replace(opponents, thought=HASTY_BUDGET)
    settings = Settings(edition=request.edition.text, rounds=request.rounds, seats=request.bots + 1)
    game: Settings | LeftGame = settings
    if begun is not None:
        game, bots = begun, begun.created.bots
        names, level = tuple(bot.name for bot in bots), bots[0].level
        opponents = replace(opponents, names=names, level=level)

    def make(on_update: OnUpdate) -> LocalSession:
        dwarf = own_dwarf()
        return LocalSession(request.name_shown, game, opponents, on_update, keep, dwarf=dwarf)

    return TableHandle(make, practice=True)


def _seeds(seed: bytes | None) -> Callable[[], bytes]:
    """Return a source of seeds: for the bots' randomness, the first deal, and each later deal.

    With a `seed` the first two are that seed, and the others derive from it.
    """
    if seed is None:
        return lambda: secrets.token_bytes(32)
    chance, first = Random(seed), iter((seed, seed))
    return lambda: next(first, None) or chance.randbytes(32)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Text with which a host invites players to the table called `title`."""

    title: str
    code: str  # empty if the table is open
    addresses: tuple[str, ...] = ()  # that can be typed, the likeliest first
    warnings: tuple[str, ...] = ()  # for the host only

    @property
    def is_alone(self) -> bool:
        """True if all addresses of the table lead to the computer that they are read on."""
        hosts = [host_of(address) for address in self.addresses]
        return bool(hosts) and all(host in LOOPBACK_HOSTS for host in hosts)


def typable_addresses(hosts: tuple[str, ...], port: int) -> list[Address]:
    """Return the addresses that others can type: all but link-local IPv6, which needs a zone."""
    return [Address(at, port) for at in hosts if not at.startswith("fe80:")]


def near_line(command: str) -> str:
    """Name the command to join from this network."""
    return _("On this network: {command}").format(command=command)


def address_line(address: str) -> str:
    """Explain how to join by an address."""
    return _("By address: sabtui join {address}").format(address=address)


def code_lines(code: str) -> list[str]:
    """Return the lines of an invitation that change with the room code, empty if none is needed."""
    return [
        connection.code_sentence(code) if code else network.anybody_joins(),
        near_line(f"sabtui join --code {code}" if code else "sabtui join"),
    ]


def invitation_lines(invitation: Invitation) -> list[str]:
    """Explain how other players join, line by line."""
    lines = [
        *invitation.warnings,
        _("{table} is open.").format(table=invitation.title),
        *code_lines(invitation.code),
    ]
    if invitation.is_alone:
        return [*lines, network.join_network_first()]
    return lines + [address_line(address) for address in invitation.addresses]
