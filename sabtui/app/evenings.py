"""Evenings of several tables: their results, asked of the tables on this network, and kept.

Signed results are kept in the folder `evenings` beside the records, in a folder by the evening's
word and a file by the table's id, so that an evening can be counted after its tables are closed.
They are checked whenever they are read. A table keeps its certificate; another one counts only if
the table has gone on with a new host, and has all games that the former one had.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, assert_never

import msgspec
from msgspec import Meta

from engine.cards import Role
from net.client.results import ask_results
from net.discovery.advert import OURS
from net.discovery.browser import Browser
from net.discovery.catalog import DiscoveredGame
from net.protocol.fields import roles_of
from net.security.handshake import SignedResults
from net.security.results import BadResults, GameResult, ResultsFault, TableResults, read_results
from net.transport.connection import ConnectionFailed
from sabtui.app.files import not_written
from sabtui.app.library_index import IndexedGame, IndexedPlayer
from sabtui.text.i18n import _, listed, ngettext

FOLDER_NAME: Final = "evenings"
"""Name of the folder in the folder of records."""

SUFFIX: Final = ".results"
"""Suffix of a file with what one table signed."""

SEARCH_S: Final = 3.0
"""Seconds to search for tables: they are found within two, or three without mDNS."""

MAX_ASKED_AT_ONCE: Final = 8
"""Most tables that are asked at once."""

MAX_KEPT: Final = 16
"""Most results of a table that are kept: new ones replace those that they include."""

ORDER_S: Final = 0.001
"""Seconds between games that a table told at once, so that they stay in their order."""

MAX_EVENING_FILE_BYTES: Final = MAX_KEPT * 64 * 1024
"""Bytes of a file that are read."""


class KeptResults(msgspec.Struct, frozen=True):
    """Results that a table signed, oldest first, and when each game first came, in Unix time."""

    signed: Annotated[tuple[SignedResults, ...], Meta(max_length=MAX_KEPT)] = ()
    seen: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class EveningTable:
    """A table of an evening: its name, and how many of its games are counted."""

    name: str
    games: int


@dataclass(frozen=True, slots=True)
class GatheredEvening:
    """The games of an evening, its tables, and sentences on what was left out."""

    games: tuple[IndexedGame, ...] = ()
    tables: tuple[EveningTable, ...] = ()
    problems: tuple[str, ...] = ()


async def ask_tables(where: Path, word: str = "") -> tuple[str, ...]:
    """Ask all tables on this network for results, and keep them; return what went wrong.

    With a `word`, only those of this evening are kept.
    """
    found: dict[str, DiscoveredGame] = {}
    async with Browser(OURS) as browser:
        with suppress(TimeoutError):
            async with asyncio.timeout(SEARCH_S):
                async for listed_games in browser:
                    found |= {game.advert.id: game for game in listed_games}
    return await ask_these(found.values(), where, word)


async def ask_these(
    games: Iterable[DiscoveredGame], where: Path, word: str = ""
) -> tuple[str, ...]:
    """Ask these tables for results, and keep them; return what went wrong."""
    turns = asyncio.Semaphore(MAX_ASKED_AT_ONCE)

    async def ask(game: DiscoveredGame) -> str:
        async with turns:
            return await _ask(game, where, word)

    problems = await asyncio.gather(*map(ask, games))
    return tuple(sorted(filter(None, problems)))


async def _ask(game: DiscoveredGame, where: Path, word: str) -> str:
    """Ask a table for results and keep them; return the sentence on what is wrong with them."""
    try:
        signed = await ask_results(game.addresses, game.advert.id)
    except ConnectionFailed:
        return ""  # the list of games says what to do about it
    except BadResults as bad:
        return refused_sentence(game.title, bad.why)
    return "" if signed is None else keep_results(signed, where, word, time.time())


def keep_results(signed: SignedResults, where: Path, word: str, now: float) -> str:
    """Keep results that a table told at this Unix time; return the sentence on what is wrong.

    With a `word`, those of other evenings are left alone.
    """
    try:
        fresh = read_results(signed)
    except BadResults as bad:
        return refused_sentence("?", bad.why)
    if not fresh.word or word not in ("", fresh.word):
        return ""
    path = where / FOLDER_NAME / fresh.word / f"{fresh.table}{SUFFIX}"
    before, _problems = _read_file(path)
    if not _follows(signed, fresh, before):
        text = _("{table} signs its results with a different key than before: they are left out.")
        return text.format(table=fresh.name)
    ids = _ids(fresh)
    kept = [one for one in before.signed if not _ids(read_results(one)) <= ids]
    # Games that are told for the first time together keep the order in which they were played.
    order = (game.id.hex() for game in fresh.games)
    seen = {game: now + at * ORDER_S for at, game in enumerate(order)} | before.seen
    after = KeptResults((*kept, signed)[-MAX_KEPT:], seen)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_bytes(msgspec.msgpack.encode(after))
        new.replace(path)
    except OSError as error:
        return not_written(path, error)
    return ""


def _follows(signed: SignedResults, fresh: TableResults, before: KeptResults) -> bool:
    """Return True if results may be of the same table as those kept before."""
    if not before.signed or before.signed[-1].certificate == signed.certificate:
        return True
    last = read_results(before.signed[-1])
    return fresh.term > last.term and _ids(last) <= _ids(fresh)


def _ids(results: TableResults) -> frozenset[str]:
    return frozenset(game.id.hex() for game in results.games)


def refused_sentence(table: str, why: ResultsFault) -> str:
    """Return the sentence that the results of a table are refused."""
    match why:
        case ResultsFault.FORGED:
            text = _("The results of {table} are not signed by its own key: they are left out.")
        case ResultsFault.DAMAGED:
            text = _("The results of {table} cannot be true: they are left out.")
        case ResultsFault.OTHER_TABLE:
            text = _("{table} sent another table's results: they are left out.")
        case _:
            assert_never(why)
    return text.format(table=table)


def evening_words(where: Path) -> tuple[str, ...]:
    """Return the words of the evenings of which results are kept."""
    folder = where / FOLDER_NAME
    with suppress(OSError):
        return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir()))
    return ()


def read_evening(where: Path, word: str, library: Iterable[IndexedGame] = ()) -> GatheredEvening:
    """Return the games of an evening as its tables told them, the newest first.

    A game that is in the library, too, is taken from there: who kept it knows their own seat.
    """
    own = {game.id: game for game in library}
    games: dict[str, IndexedGame] = {}
    tables: list[EveningTable] = []
    problems: list[str] = []
    for path in sorted((where / FOLDER_NAME / word).glob(f"*{SUFFIX}")):
        kept, troubles = _read_file(path)
        problems += troubles
        there: dict[str, IndexedGame] = {}
        for results in map(read_results, kept.signed):
            for game in results.games:
                date = kept.seen.get(game.id.hex(), 0.0)
                there[game.id.hex()] = indexed(game, results.name, date)
        if kept.signed:
            tables.append(EveningTable(read_results(kept.signed[-1]).name, len(there)))
        games |= {game: own.get(game, one) for game, one in there.items()}
    newest = sorted(games.values(), key=lambda game: (-game.date, game.id))
    tables.sort(key=lambda table: table.name.casefold())
    return GatheredEvening(tuple(newest), tuple(tables), tuple(problems))


def indexed(game: GameResult, table: str, date: float) -> IndexedGame:
    """Return a game that a table told as it would stand in the library."""
    return IndexedGame(
        id=game.id.hex(),
        file="",
        date=date,
        place=table,
        edition="",
        rounds=len(game.winners),
        winners=_letters(game.winners),
        is_over=True,
        seen=None,
        my_seat=None,
        players=tuple(
            IndexedPlayer(one.name, _letters(one.roles), one.gold, one.key.hex() or None)
            for one in game.players
        ),
    )


def _letters(roles: bytes) -> str:
    return "".join(str(Role(role)) for role in roles_of(roles))


def _read_file(path: Path) -> tuple[KeptResults, list[str]]:
    """Return what is kept in a file, and sentences on what was altered there."""
    try:
        with path.open("rb") as file:
            kept = msgspec.msgpack.decode(file.read(MAX_EVENING_FILE_BYTES + 1), type=KeptResults)
    except FileNotFoundError:
        return KeptResults(), []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return KeptResults(), [_altered(path)]
    sound = [one for one in kept.signed if _is_sound(one, path)]
    problems = [] if len(sound) == len(kept.signed) else [_altered(path)]
    return KeptResults(tuple(sound), kept.seen), problems


def _is_sound(signed: SignedResults, path: Path) -> bool:
    """Return True if results are signed, and lie where they belong."""
    try:
        results = read_results(signed)
    except BadResults:
        return False
    return (results.word, f"{results.table}{SUFFIX}") == (path.parent.name, path.name)


def _altered(path: Path) -> str:
    return _("{path} was altered: its results are left out.").format(path=path)


def tables_sentence(tables: Sequence[EveningTable]) -> str:
    """Return the sentence on the tables whose games are counted."""
    if not tables:
        return _("No table has sent its results yet.")
    text = _("Counted from results signed by: {tables}.")
    return text.format(tables=listed([_games_words(table) for table in tables]))


def _games_words(table: EveningTable) -> str:
    text = ngettext("{table} ({count} game)", "{table} ({count} games)", table.games)
    return text.format(table=table.name, count=table.games)
