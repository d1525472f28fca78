"""The library of games: a folder of `.sab` files, and an index of them in SQLite.

The files are the library; the index can be deleted at any time and is made again from them. It
is the file `index.sqlite` in the same folder, and has these tables:

    games     id        id of the game (`engine.notation.summary`), 32 hexadecimal digits
              file      name of the file in the folder; one of them, if several hold the game
              date      when it was played, in seconds since 1970: tag `Date`, else the file's time
              place     name of the table, tag `Table`, or empty
              edition   as in the tag `Edition`
              rounds    rounds to be played
              winners   the side that won each round that is over: letters `m` or `s`
              is_over   1 if the game was finished
              seen      seat whose own record it is; -1 for a watcher's, NULL for a whole record
              my_seat   seat of this user, from 0; NULL for a watcher, or if nobody knows
    players   game, seat, name
              key       fingerprint of the seat's key if this user's programs had that key
              roles     dwarf in each round that is over: letters `m` or `s`
              gold      nuggets at the end; NULL if the game was not finished
    files     name, size, modified (nanoseconds), game, problem (why it is no record, or empty)
    analyses  game, kind, data: what was worked out of a game, such as a review; survives a rebuild

Who kept a game is in its file, in the tag `Kept`: their seat, the fingerprint of its key, and the
id of their library (the file `keeper` in the folder). A file that somebody else kept is theirs.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from engine.notation import NotationError
from engine.notation.lexer import MAX_RECORD_CHARACTERS
from engine.notation.summary import RecordSummary, summarise
from net.protocol.text import clean
from sabtui.text.errors import located, system_words

RECORD_SUFFIX: Final = ".sab"
"""Suffix of record files."""

INDEX_NAME: Final = "index.sqlite"
"""Name of the index in the folder of records."""

KEEPER_NAME: Final = "keeper"
"""Name of the file in the folder that holds the id of this user's library."""

KEEPER_BYTES: Final = 8
"""Bytes of that id."""

MAX_RECORD_BYTES: Final = 4 * MAX_RECORD_CHARACTERS
"""Bytes of a file that are read: no valid record is longer."""

SCHEMA_VERSION: Final = 1
"""Version of the schema; an index of another version is made again."""

FILES_AT_ONCE: Final = 100
"""Files whose rows are written together; then the progress is told."""

BUSY_TIMEOUT_S: Final = 5.0
"""Seconds to wait for another program that writes the index."""

MAX_PLACE_CELLS: Final = 60
"""Terminal cells of the name of a table."""

_SCHEMA: Final = """
CREATE TABLE games (id TEXT PRIMARY KEY, file TEXT NOT NULL, date REAL NOT NULL,
  place TEXT NOT NULL, edition TEXT NOT NULL, rounds INTEGER NOT NULL, winners TEXT NOT NULL,
  is_over INTEGER NOT NULL, seen INTEGER, my_seat INTEGER) WITHOUT ROWID;
CREATE TABLE players (game TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, key TEXT,
  roles TEXT NOT NULL, gold INTEGER, PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE TABLE files (name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  game TEXT, problem TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE analyses (game TEXT NOT NULL, kind TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (game, kind)) WITHOUT ROWID;
CREATE INDEX by_date ON games (date);
CREATE INDEX by_game ON files (game);
"""

Progress = Callable[[int, int], bool]
"""Callback with the files that are done and all files; it returns False to stop."""


@dataclass(frozen=True, slots=True)
class IndexedPlayer:
    """A player of a game; `gold` is `None` if the game was not finished."""

    name: str
    roles: str
    gold: int | None
    key: str | None = None


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

    @property
    def first(self) -> tuple[int, ...]:
        """The seats with the most gold; none if the game was not finished."""
        gold = [player.gold for player in self.players if player.gold is not None]
        return tuple(
            seat for seat, one in enumerate(self.players) if gold and one.gold == max(gold)
        )


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The outcome of bringing the index up to date; `problems` are sentences by file name."""

    added: int
    removed: int
    problems: tuple[tuple[str, str], ...]
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """Who kept a file: their seat, the fingerprint of its key, and the id of their library."""

    seat: int | None
    key: str
    keeper: str

    @property
    def text(self) -> str:
        """The text of the tag `Kept`."""
        seat = "-" if self.seat is None else str(self.seat + 1)
        return f"{seat} {self.key or '-'} {self.keeper}"

    @staticmethod
    def read(text: str, players: int) -> Kept | None:
        """Return what a tag `Kept` says, `None` if it says nothing."""
        seat, key, keeper, *more = (*text.split(" "), "", "", "")
        seats = {str(number + 1): number for number in range(players)}
        if any(more) or (seat != "-" and seat not in seats):
            return None
        return Kept(seats.get(seat), "" if key == "-" else key, keeper)


class Library:
    """The library in a folder. One thread at a time may use it; `close` it afterwards.

    `name` is the user's: in a game that somebody else kept, it is how they are known.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        """Open the index, and create it if it is missing, damaged or of another version.

        Raises `OSError` if the folder cannot be written.
        """
        self.folder: Final = folder
        self._name = name.casefold()
        folder.mkdir(parents=True, exist_ok=True)
        self.keeper: Final = keeper_of(folder)
        try:
            self._index = self._open()
        except sqlite3.Error:
            with suppress(OSError):
                (folder / INDEX_NAME).unlink(missing_ok=True)
            try:
                self._index = self._open()
            except sqlite3.Error as error:
                raise OSError(str(error)) from error

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def games(self) -> tuple[IndexedGame, ...]:
        """Return all games, the newest first."""
        players: dict[str, list[IndexedPlayer]] = {}
        rows = self._index.execute(
            "SELECT game, name, roles, gold, key FROM players ORDER BY game, seat"
        )
        for game, *player in rows:
            players.setdefault(game, []).append(IndexedPlayer(*player))
        return tuple(
            _game(row, players[row[0]])
            for row in self._index.execute("SELECT * FROM games ORDER BY date DESC, id")
        )

    def problems(self) -> tuple[tuple[str, str], ...]:
        """Return the names of the files that are no records, each with a sentence why."""
        rows = self._index.execute("SELECT name, problem FROM files WHERE problem != ''")
        return tuple((name, problem) for name, problem in rows)

    def file_of(self, game: str) -> Path | None:
        """Return the file of a game, `None` if it is not in the library."""
        row = self._index.execute("SELECT file FROM games WHERE id = ?", (game,)).fetchone()
        return None if row is None else self.folder / row[0]

    def analysis(self, game: str, kind: str) -> bytes | None:
        """Return what was worked out of a game, `None` if nothing was."""
        row = self._index.execute(
            "SELECT data FROM analyses WHERE game = ? AND kind = ?", (game, kind)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def store_analysis(self, game: str, kind: str, data: bytes) -> None:
        """Store what was worked out of a game. Raises `OSError` if that fails."""
        try:
            with self._index:
                self._index.execute(
                    "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?)", (game, kind, data)
                )
        except sqlite3.Error as error:
            raise OSError(str(error)) from error

    def rebuild(self, progress: Progress = lambda _done, _all: True) -> Refreshed:
        """Make the index again from the files. Raises `OSError` as `refresh` does."""
        try:
            with self._index:
                for table in ("games", "players", "files"):
                    self._index.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
        except sqlite3.Error as error:
            raise OSError(str(error)) from error
        return self.refresh(progress)

    def refresh(self, progress: Progress = lambda _done, _all: True) -> Refreshed:
        """Bring the index up to date with files that are new, changed or gone.

        A game that was in several files stays as long as one of them does. Raises `OSError` if the
        folder cannot be read, or the index not written.
        """
        try:
            return self._refresh(progress)
        except sqlite3.Error as error:
            raise OSError(str(error)) from error

    def _open(self) -> sqlite3.Connection:
        """Open the index; make its tables if it has none. Raises `sqlite3.Error`."""
        index = sqlite3.connect(
            self.folder / INDEX_NAME, timeout=BUSY_TIMEOUT_S, check_same_thread=False
        )
        try:
            version = index.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA_VERSION):
                raise sqlite3.DatabaseError(version)
            if version == 0:
                index.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT")
            index.execute("PRAGMA synchronous=OFF")  # what is lost is made again
        except sqlite3.Error:
            index.close()
            raise
        return index

    def _refresh(self, progress: Progress) -> Refreshed:
        known = {
            name: (size, modified)
            for name, size, modified in self._index.execute(
                "SELECT name, size, modified FROM files"
            )
        }
        found = dict(_files(self.folder))
        gone = [name for name in known if name not in found]
        changed = [name for name in sorted(found) if known.get(name) != found[name]]
        with self._index:
            self._forget([*gone, *(name for name in changed if name in known)])
        added = 0
        for start in range(0, len(changed), FILES_AT_ONCE):
            if not progress(start, len(changed)):
                return Refreshed(added, len(gone), self.problems(), is_stopped=True)
            with self._index:
                for name in changed[start : start + FILES_AT_ONCE]:
                    added += self._add(name, *found[name])
        progress(len(changed), len(changed))
        return Refreshed(added, len(gone), self.problems())

    def _forget(self, names: Iterable[str]) -> None:
        """Delete the rows of files, and of games that are in no other file."""
        for name in names:
            row = self._index.execute("SELECT game FROM files WHERE name = ?", (name,)).fetchone()
            self._index.execute("DELETE FROM files WHERE name = ?", (name,))
            game = row[0]
            other = self._index.execute(
                "SELECT name FROM files WHERE game = ? ORDER BY name", (game,)
            ).fetchone()
            if other is None:
                self._index.execute("DELETE FROM games WHERE id = ?", (game,))
                self._index.execute("DELETE FROM players WHERE game = ?", (game,))
            else:
                self._index.execute("UPDATE games SET file = ? WHERE id = ?", (other[0], game))

    def _add(self, name: str, size: int, modified: int) -> bool:
        """Read a file into the index; return True if it holds a game that was not there yet."""
        try:
            summary = summarise(_content(self.folder / name))
        except (OSError, NotationError) as error:
            problem = system_words(error) if isinstance(error, OSError) else located(error)
            self._note((name, size, modified, None, problem))
            return False
        self._note((name, size, modified, summary.id, ""))
        there = self._index.execute(
            "SELECT my_seat FROM games WHERE id = ?", (summary.id,)
        ).fetchone()
        mine = self._my_seat(summary)
        if there is None or (there[0] is None and mine is not None):
            self._write(name, modified / 1e9, summary, mine)
        return there is None

    def _note(self, row: tuple[str, int, int, str | None, str]) -> None:
        """Write the row of a file."""
        self._index.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", row)

    def _write(self, name: str, modified: float, summary: RecordSummary, mine: int | None) -> None:
        """Write the rows of a game."""
        extra = dict(summary.extra)
        kept = self._kept(summary)
        seen = None if summary.seen is None else summary.seen[0]
        self._index.execute(
            "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                summary.id,
                name,
                _seconds(extra.get("Date", ""), modified),
                clean(extra.get("Table", ""), MAX_PLACE_CELLS, 4 * MAX_PLACE_CELLS),
                summary.edition.text,
                summary.rounds,
                "".join(one.winner for one in summary.played),
                summary.nuggets is not None,
                None if summary.seen is None else -1 if seen is None else seen,
                mine,
            ),
        )
        self._index.executemany(
            "INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?)",
            (
                (
                    summary.id,
                    seat,
                    player,
                    kept.key if kept is not None and kept.seat == seat and kept.key else None,
                    "".join(one.roles[seat] for one in summary.played),
                    None if summary.nuggets is None else summary.nuggets[seat],
                )
                for seat, player in enumerate(summary.names)
            ),
        )

    def _kept(self, summary: RecordSummary) -> Kept | None:
        """Return who kept a game if it was this user, else `None`."""
        kept = Kept.read(dict(summary.extra).get("Kept", ""), len(summary.names))
        return kept if kept is not None and kept.keeper == self.keeper else None

    def _my_seat(self, summary: RecordSummary) -> int | None:
        """Return the seat of this user: where they kept the game, or the only one of their name."""
        kept = self._kept(summary)
        if kept is not None:
            return kept.seat
        mine = [seat for seat, name in enumerate(summary.names) if name.casefold() == self._name]
        return mine[0] if len(mine) == 1 and self._name else None


_GameRow: TypeAlias = tuple[str, str, float, str, str, int, str, int, int | None, int | None]
"""Row of the table `games`."""


def _game(row: _GameRow, players: Iterable[IndexedPlayer]) -> IndexedGame:
    """Return a row of the table `games`, with its players."""
    game, file, date, place, edition, rounds, winners, is_over, seen, mine = row
    every = tuple(players)
    return IndexedGame(
        game, file, date, place, edition, rounds, winners, bool(is_over), seen, mine, every
    )


def keeper_of(folder: Path) -> str:
    """Return the id of the library in a folder, made up if it has none."""
    path = folder / KEEPER_NAME
    with suppress(OSError, UnicodeDecodeError):
        text = path.read_text(encoding="ascii").strip()
        if len(text) == 2 * KEEPER_BYTES and text.isalnum():
            return text
    fresh = os.urandom(KEEPER_BYTES).hex()
    with suppress(OSError):
        path.write_text(f"{fresh}\n", encoding="ascii", newline="\n")
    return fresh


def _files(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names of record files, each with its size and time. Raises `OSError`."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith(RECORD_SUFFIX) or not _is_text(entry.name):
                continue
            with suppress(OSError):
                known = entry.stat()
                if entry.is_file():
                    yield entry.name, (known.st_size, known.st_mtime_ns)


def _is_text(name: str) -> bool:
    """Return True if a file's name can be written as UTF-8."""
    with suppress(UnicodeEncodeError):
        return bool(name.encode())
    return False


def _content(path: Path) -> bytes:
    """Return the bytes of a file, at most a few more than those of the longest record."""
    with closing(path.open("rb")) as file:
        return file.read(MAX_RECORD_BYTES + 1)


def _seconds(date: str, otherwise: float) -> float:
    """Return the time of a tag `Date` in seconds since 1970, `otherwise` if it is none."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise
