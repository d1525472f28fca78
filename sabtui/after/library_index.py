"""The index of the library: its tables in SQLite, and the games in them as values.

It is the file `index.sqlite` in the folder of records, can be deleted at any time, and is made
again from the files. It has these tables:

    games     id        id of the game (`engine.notation.record_parser`), 32 hexadecimal digits
              file      name of the file in the folder; one of them, if several hold the game
              date      when it was played, in seconds since 1970: tag `Date`, else the file's time
              place     name of the table, tag `Table`, or empty
              edition   as in the tag `Edition`
              rounds    rounds to be played
              winners   the side that won each round that is over: letters `m` or `s`
              is_over   1 if the game was finished
              seen      seat whose own record it is; -1 for a watcher's, NULL for a whole record
              my_seat   seat of this user, from 0; NULL for a watcher, or if nobody knows
              is_checked  1 if this user's program saw the game, and the record agrees with it
    players   game, seat, name
              roles     dwarf in each round that is over: letters `m` or `s`
              gold      nuggets at the end; NULL if the game was not finished
    files     name, size, modified (nanoseconds), game, problem (why it is no record, or empty)
    analyses  game, kind, data: what was worked out of a game, such as a review; survives a rebuild
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from net.files import create

INDEX_NAME: Final = "index.sqlite"  # name of the index in the folder of records
SCHEMA_VERSION: Final = 3  # version of the schema; an index of another version is made again
BUSY_TIMEOUT_S: Final = 5.0  # seconds to wait for another program that writes the index

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, file TEXT NOT NULL, date REAL NOT NULL,
  place TEXT NOT NULL, edition TEXT NOT NULL, rounds INTEGER NOT NULL, winners TEXT NOT NULL,
  is_over INTEGER NOT NULL, seen INTEGER, my_seat INTEGER, is_checked INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS players (game TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,
  roles TEXT NOT NULL, gold INTEGER, PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, size INTEGER NOT NULL,
  modified INTEGER NOT NULL, game TEXT, problem TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS analyses (game TEXT NOT NULL, kind TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (game, kind)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_date ON games (date);
CREATE INDEX IF NOT EXISTS by_game ON files (game);
"""


@dataclass(frozen=True, slots=True)
class IndexedPlayer:
    """A player of a game; `gold` is `None` if the game was not finished."""

    name: str
    roles: str
    gold: int | None


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A game of the library: a row of the table `games`, and its players by seat."""

    id: str
    file: str
    date: float
    place: str
    edition: str
    rounds: int
    winners: str
    is_over: bool
    seen: int | None
    my_seat: int | None
    players: tuple[IndexedPlayer, ...]
    is_checked: bool = True

    @property
    def first(self) -> tuple[int, ...]:
        """The seats with the most gold; none if the game was not finished."""
        gold = [player.gold for player in self.players if player.gold is not None]
        return tuple(
            seat for seat, one in enumerate(self.players) if gold and one.gold == max(gold)
        )


GameRow: TypeAlias = tuple[str, str, float, str, str, int, str, int, int | None, int | None, int]
"""Row of the table `games`."""


def indexed_game(row: GameRow, players: Iterable[IndexedPlayer]) -> IndexedGame:
    """Return a row of the table `games`, with its players."""
    return IndexedGame(*row[:7], bool(row[7]), *row[8:10], tuple(players), bool(row[10]))


def open_index(folder: Path) -> sqlite3.Connection:
    """Open the index in a folder, and create it if it is missing, damaged or of another version.

    Raises `OSError` if that fails, as while another program writes it for too long.
    """
    try:
        try:
            return _open(folder / INDEX_NAME)
        except sqlite3.OperationalError:  # trouble with the system, not with what is in the file
            raise
        except sqlite3.Error:
            (folder / INDEX_NAME).unlink(missing_ok=True)
            return _open(folder / INDEX_NAME)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error


def _open(path: Path) -> sqlite3.Connection:
    """Open an index; make its tables if it has none. Raises `sqlite3.Error`, `OSError`."""
    with suppress(FileExistsError):
        if not path.exists():  # SQLite would let others read it
            create(path, b"")
    index = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        version = index.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA_VERSION):
            raise sqlite3.DatabaseError(version)
        if version == 0:
            index.executescript(
                f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT"
            )
        index.execute("PRAGMA synchronous=OFF")  # what is lost is made again
    except sqlite3.Error:
        index.close()
        raise
    return index
