"""Finding a table, by a typed name or address or by neither, and the credentials to join it with.

Credentials of a seat that the player already had are reused.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from net.client.credentials import Credentials, CredentialStore, StoredCredentials
from net.discovery.advert import OURS, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.discovery.networks import is_in_network, is_near, own_networks
from net.discovery.service import Browser, resolve, seek
from net.protocol.cleaning import clean_name
from net.protocol.messages import NOTHING_SEEN
from net.secure import address
from net.secure.code import RoomCode
from sabtui.app.errors import UsageError, UserError
from sabtui.app.requests import JoinRequest
from sabtui.text import network
from sabtui.text.i18n import _

FIND_TIMEOUT_S: Final = 4.0  # seconds to search this network for a game; most are found within two

RECENT_S: Final = 12 * 3600.0
"""Age in seconds up to which a stored seat counts as recent: 12 hours, one evening's game."""

REFUSED_TIMEOUT_S: Final = 1.5
"""Seconds within which a computer on our network refuses a connection, unless it drops it."""

OTHERS_TIMEOUT_S: Final = 0.7
"""Seconds to wait for further games after the first joinable one appeared."""


class NoTableFound(UserError):
    """No table of the requested name was found, or none at all."""


class SeveralTables(UserError):
    """Raised if several `games` can be joined; `command` is the one to type to choose one."""

    def __init__(self, games: Sequence[DiscoveredGame]) -> None:
        super().__init__(games)
        self.games = tuple(network.sort_games(games))
        self.command = "sabtui join NAME"

    def __str__(self) -> str:
        """Name the games, for a caller that cannot ask which one is meant."""
        text = _("Several games are open here: {titles}. Choose one: {command}")
        titles = ", ".join(game.title for game in self.games)
        return text.format(titles=titles, command=self.command)


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and its possible addresses, the likeliest first."""

    title: str
    table: str  # its id, "" if unknown
    addresses: tuple[address.Address, ...]
    has_begun: bool = False  # True if a game is known to be under way or over
    code: RoomCode | None = None  # if the typed text contains it

    @staticmethod
    def of(game: DiscoveredGame) -> FoundTable:
        begun = game.advert.stage in (AdvertStage.PLAYING, AdvertStage.OVER)
        return FoundTable(game.title, game.advert.id, game.addresses, begun)


async def find(wanted: str, known: Sequence[str] = ()) -> FoundTable:
    """Find the requested table: by name, by address, or the only one there is.

    If several match, the first whose id is `known` is taken: the player was there before. Raises
    `SeveralTables`, or `UserError`: there is none, or it cannot be joined.
    """
    typed, wrong, name = None, None, ""
    try:
        typed = address.parse_typed(wanted) if wanted else None
    except address.BadAddress as bad:
        if bad.mistake in {address.AddressMistake.EMPTY, address.AddressMistake.LOGIN}:
            raise UsageError(network.bad_address()) from bad
        wrong, name = bad, bad.text.strip()
    if typed is not None and not typed.name:
        return await find_at(typed, known)
    name = name if typed is None else typed.name
    games = await _look(name)
    if games:
        found = _only(games, known)
        return found if typed is None else replace(found, code=typed.code)
    if wrong is not None and wrong.mistake is address.AddressMistake.PORT:
        raise UsageError(network.bad_address())
    if typed is None:
        in_network = is_in_network()
        nothing = network.nothing_found(in_network=in_network)
        raise NoTableFound(_none_called(name) if name and in_network else nothing)
    return await find_at(typed, known)


def games_named(games: Iterable[DiscoveredGame], text: str) -> tuple[DiscoveredGame, ...]:
    """Return the games that a typed name may mean: that title, else all with that name."""
    games = tuple(games)
    wanted = text.strip().casefold()
    exact = tuple(game for game in games if game.title.casefold() == wanted)
    return exact or tuple(game for game in games if game.advert.name.casefold() == wanted)


async def _look(wanted: str) -> Sequence[DiscoveredGame]:
    """Search the network, and return the games of this name, or all games."""
    chosen: Sequence[DiscoveredGame] = ()
    async with Browser(OURS) as browser:
        try:
            async with asyncio.timeout(FIND_TIMEOUT_S) as limit:
                async for games in browser:
                    chosen = games_named(games, wanted) if wanted else games
                    if any(game.status is GameStatus.JOINABLE for game in chosen):
                        # One is found: wait only briefly to see if the choice is ambiguous.
                        soon = asyncio.get_running_loop().time() + OTHERS_TIMEOUT_S
                        limit.reschedule(min(soon, limit.when() or soon))
        except TimeoutError:
            pass  # a search ends only by its time limit: what was found until now counts
        if browser.trouble is not None and not chosen:
            raise NoTableFound(network.no_search(browser.trouble, network.JOIN_BY_ADDRESS))
    return chosen


def _only(games: Sequence[DiscoveredGame], known: Sequence[str]) -> FoundTable:
    """Return the only joinable game, or the one the player was at before.

    A game that is over counts only if there is no other. Raises `SeveralTables`, or `UserError`:
    none can be joined.
    """
    joinable = [game for game in games if game.status is GameStatus.JOINABLE]
    joinable = [game for game in joinable if game.advert.stage is not AdvertStage.OVER] or joinable
    if not joinable:
        game = games[0]
        text = _("{title}: {facts}").format(
            title=game.title, facts=f"{network.status_words(game)}."
        )
        if game.status is GameStatus.UNREACHABLE:
            advice = _("On the host's computer, {command} shows how to let others in.")
            text = f"{text} {advice.format(command='sabtui doctor')}"
        raise UserError(text)
    back = [game for table in known for game in joinable if game.advert.id == table]
    if len(joinable) > 1 and not back:
        raise SeveralTables(joinable)
    return FoundTable.of((back or joinable)[0])


async def find_at(typed: address.TypedAddress, known: Sequence[str] = ()) -> FoundTable:
    """Return the table at an address, or the table whose door is there.

    If none answers, return the address as that of a table, if a port was typed.

    Raises `SeveralTables`, or `UserError`: there is no table, or the host name is unknown.
    """
    if address.is_tunnel(typed.host):
        there = address.Address(typed.host, typed.port or address.PORTS[0])
        return FoundTable(there.host, "", (there,), code=typed.code)
    try:
        addresses = await resolve(typed)
    except OSError:
        text = _("No computer named {name} was found. Try its address, as in {command}")
        text = text.format(name=typed.host, command="sabtui join 192.168.1.20")
        raise NoTableFound(_none_called(typed.name) if typed.name else text) from None
    games = await seek(addresses, OURS, FIND_TIMEOUT_S / 2)
    if typed.is_door:
        doors = [(game.advert.doors.ssh, game.advert.doors.web) for game in games]
        behind = [game for game, ports in zip(games, doors, strict=True) if typed.port in ports]
        games = tuple(behind) or games
    if games:
        return replace(_only(games, known), code=typed.code)
    if typed.port is None:
        if not is_in_network():
            raise NoTableFound(network.join_network_first())
        if await _is_silent(addresses[0]):
            raise UserError(network.no_answer(typed.host))
        text = _("No game answered at {host}. If it uses another port, add it: {command}")
        command = f"sabtui join {typed.host}:7400"  # a port outside the range that was asked
        raise UserError(text.format(host=typed.host, command=command))
    return FoundTable(f"{typed.host}:{typed.port}", "", addresses, code=typed.code)


async def _is_silent(at: address.Address) -> bool:
    """Return True if an address on one of our networks does not even refuse a connection.

    A computer that exists and does not drop packets refuses at once.
    """
    if not is_near(at.host, own_networks()):
        return False
    try:
        async with asyncio.timeout(REFUSED_TIMEOUT_S):
            _reader, writer = await asyncio.open_connection(at.host, at.port)
    except ConnectionRefusedError:
        return False
    except OSError:  # also TimeoutError, and an address that nobody has
        return True
    writer.close()
    return False


def _none_called(wanted: str) -> str:
    text = _("No game called {name} found on this network; {command} lists all games.")
    return text.format(name=wanted, command="sabtui games")


def credentials_for(place: FoundTable, request: JoinRequest, store: CredentialStore) -> Credentials:
    """Return the credentials to join with: the stored ones for this table, or new ones."""
    here = [found for found in store.list_stored() if _is_of(found.credentials, place)]
    mine = [kept for kept in here if _may_take(kept, request)]
    if not mine and request.code is None:
        mine = [kept for kept in here if _is_unused(kept)]
    if not mine and place.has_begun and not request.watch and not request.claims_name:
        mine = here  # no other seat is left, and the process that holds it may hang
    if not mine:
        return new_credentials(place, request)
    credentials = mine[0].credentials
    if credentials.was_removed and request.code not in (None, credentials.code):
        return new_credentials(place, request)  # the host has given them a new code
    if request.claims_name and _is_unused(mine[0]):
        credentials = replace(credentials, name=request.name)
    known = tuple(dict.fromkeys((*place.addresses, *credentials.addresses)))
    watch = credentials.watch or request.watch
    return replace(credentials, addresses=known, watch=watch)


def is_free_seat(kept: StoredCredentials, place: FoundTable) -> bool:
    """Return True if a seat at a table is stored, and no running program uses it."""
    credentials = kept.credentials
    return _is_of(credentials, place) and not (kept.in_use or credentials.was_removed)


def recent_credentials(request: JoinRequest, store: CredentialStore) -> list[Credentials]:
    """Return the credentials of tables visited recently (see `RECENT_S`), the latest first."""
    return [
        found.credentials
        for found in store.list_stored()
        if time.time() - found.changed < RECENT_S
        and _may_take(found, request)
        and not found.credentials.club
        and not found.credentials.was_removed
    ]


def new_credentials(place: FoundTable, request: JoinRequest) -> Credentials:
    return Credentials(
        name=request.name,
        addresses=place.addresses,
        table=place.table,
        title=place.title,
        code=request.code or place.code,
        watch=request.watch,
        may_differ=not request.claims_name,
    )


def _is_of(credentials: Credentials, place: FoundTable) -> bool:
    """Return True if the credentials are for a table, by its id or, if unknown, by an address.

    Those for a table in a club never are: the way there is through the hall.
    """
    if credentials.club:
        return False
    if place.table:
        return credentials.table == place.table
    return any(known in credentials.addresses for known in place.addresses)


def _is_unused(stored: StoredCredentials) -> bool:
    """Return True for credentials not used yet, such as those of a host who has not joined."""
    return stored.credentials.seen == NOTHING_SEEN and not stored.in_use


def _may_take(stored: StoredCredentials, request: JoinRequest) -> bool:
    """Return True if stored credentials have the name asked for or, if none was, are not in use."""
    if request.claims_name:
        return stored.credentials.name.casefold() == clean_name(request.name).casefold()
    return not stored.in_use
