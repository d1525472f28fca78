"""The library of games: a folder of `.sab` files, an index of them, and the rows of a list of them.

The index is the file `index.sqlite` in the folder of records, can be deleted at any time, and is
made again from the files. It has these tables:

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

The files are the library. Records of others that are put beside one's own show up in it, too.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from engine.cards import Role
from engine.notation import NotationError
from engine.notation.record_parser import RecordSummary, parse_summary
from net.files import create, private_folder
from net.protocol.text import clean
from sabtui.app.files import Kept, keeper_of, record_bytes, record_files, seconds_of
from sabtui.text.cards import role_initial, role_words
from sabtui.text.errors import system_words
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import align_columns
from sabtui.text.names import PlayerNames
from sabtui.text.settings import edition_name

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


FILES_AT_ONCE: Final = 100  # files whose rows are written together; then the progress is told
MAX_PLACE_CELLS: Final = 60  # terminal cells of the name of a table

Progress = Callable[[int, int], bool]
"""Callback with how many files or steps are done, and of how many; it returns False to stop."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The outcome of bringing the index up to date; `problems` are sentences by file name."""

    added: int
    removed: int
    problems: tuple[tuple[str, str], ...]
    is_stopped: bool = False


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
        private_folder(folder)
        self.keeper: Final = keeper_of(folder)  # `None` if it cannot be read
        self._index = open_index(folder)

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def games(self) -> tuple[IndexedGame, ...]:
        """Return all games, the newest first."""
        players: dict[str, list[IndexedPlayer]] = {}
        rows = self._index.execute(
            "SELECT game, name, roles, gold FROM players ORDER BY game, seat"
        )
        for game, *player in rows:
            players.setdefault(game, []).append(IndexedPlayer(*player))
        return tuple(
            indexed_game(row, players[row[0]])
            for row in self._index.execute("SELECT * FROM games ORDER BY date DESC, id")
        )

    def problems(self) -> tuple[tuple[str, str], ...]:
        """Return the names of the files that are no records, each with a sentence why."""
        rows = self._index.execute("SELECT name, problem FROM files WHERE problem != ''")
        return tuple((name, problem) for name, problem in rows)

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

    def _refresh(self, progress: Progress) -> Refreshed:
        known = {
            name: (size, modified)
            for name, size, modified in self._index.execute(
                "SELECT name, size, modified FROM files"
            )
        }
        found = dict(record_files(self.folder))
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
            summary = parse_summary(record_bytes(self.folder / name))
        except (OSError, NotationError) as error:
            problem = system_words(error) if isinstance(error, OSError) else str(error)
            self._note((name, size, modified, None, problem))
            return False
        self._note((name, size, modified, summary.id, ""))
        there = self._index.execute(
            "SELECT my_seat, is_checked FROM games WHERE id = ?", (summary.id,)
        ).fetchone()
        mine, is_checked = self._find_own(summary)
        if there is None or (mine is not None, is_checked) > (there[0] is not None, there[1]):
            self._write(name, modified / 1e9, summary, mine, is_checked=is_checked)
        return there is None

    def _note(self, row: tuple[str, int, int, str | None, str]) -> None:
        """Write the row of a file."""
        self._index.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", row)

    def _write(
        self,
        name: str,
        modified: float,
        summary: RecordSummary,
        mine: int | None,
        *,
        is_checked: bool,
    ) -> None:
        """Write the rows of a game."""
        extra = dict(summary.extra)
        seen = None if summary.seen is None else summary.seen[0]
        self._index.execute(
            "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                summary.id,
                name,
                seconds_of(extra.get("Date", ""), modified),
                clean(extra.get("Table", ""), MAX_PLACE_CELLS, 4 * MAX_PLACE_CELLS),
                summary.edition.text,
                summary.rounds,
                "".join(one.winner for one in summary.played),
                summary.nuggets is not None,
                None if summary.seen is None else -1 if seen is None else seen,
                mine,
                is_checked,
            ),
        )
        self._index.executemany(
            "INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?)",
            (
                (
                    summary.id,
                    seat,
                    player,
                    "".join(one.roles[seat] for one in summary.played),
                    None if summary.nuggets is None else summary.nuggets[seat],
                )
                for seat, player in enumerate(summary.names)
            ),
        )

    def _find_own(self, summary: RecordSummary) -> tuple[int | None, bool]:
        """Return this user's seat, and True if their program saw the game as the record has it.

        The seat is theirs where they kept the game, else the only one of their name.
        """
        kept = Kept.read(dict(summary.extra).get("Kept", ""), len(summary.names))
        if kept is not None:
            for agrees in (True, False):
                if kept.is_by(self.keeper, summary.id, agrees=agrees):
                    return kept.seat, agrees
        mine = [seat for seat, name in enumerate(summary.names) if name.casefold() == self._name]
        return (mine[0] if len(mine) == 1 and self._name else None), False


def counted_games(where: Path, me: str, progress: Progress) -> tuple[IndexedGame, ...]:
    """Return all games of the library in a folder, once the index is up to date.

    Raises `OSError` if the library cannot be opened.
    """
    with closing(Library(where, me)) as library:
        library.refresh(progress)
        return library.games()


BAR_CHARACTERS: Final = 20  # characters of a progress bar


def game_titles(*, has_own: bool = True) -> tuple[str, ...]:
    """Return the titles of the columns of the list.

    Without `has_own` there is no column for one's own role and gold.
    """
    # Translators: titles of columns: when a game was played, who won, one's own role and gold, and
    # all players.
    when, winner = pgettext("games", "date"), pgettext("games", "winner")
    own = (pgettext("a player", "you"),) if has_own else ()
    return (when, winner, *own, _("players"))


def game_cells(game: IndexedGame, *, has_own: bool = True) -> tuple[str, ...]:
    """Return a game as a row of the list below such titles."""
    names = _names(game)
    players = ", ".join(names.names)
    if not game.is_checked:
        # Translators: in a list of games: nobody's program here saw this game.
        players = _("not checked: {players}").format(players=players)
    own = (_own(game),) if has_own else ()
    return (date_words(game.date), _winner(game, names), *own, players)


def game_lines(game: IndexedGame, *, in_rows: bool) -> list[str]:
    """Return the details of a game: its edition, each player's roles and gold."""
    rows = [
        (name, _initials(one), "" if one.gold is None else f"${one.gold}")
        for name, one in zip(_names(game).names, game.players, strict=True)
    ]
    if in_rows:
        return [edition_name(game.edition), "", *align_columns(rows)]
    return [edition_name(game.edition), ", ".join(" ".join(filter(None, row)) for row in rows)]


def search_words(game: IndexedGame) -> str:
    """Return the words by which a game is found."""
    names = _names(game)
    own = "" if game.my_seat is None else game.players[game.my_seat].roles
    roles = {role_words(Role(role)) for role in own}
    parts = (date_words(game.date), game.place, game.edition, *names.names, *roles)
    return " ".join(parts).casefold()


def _names(game: IndexedGame) -> PlayerNames:
    return PlayerNames.of((player.name for player in game.players), game.my_seat)


def matches(typed: str, words: str) -> bool:
    """Return True if all typed words are among the words of a game, or begin or are within one."""
    return all(word in words for word in typed.casefold().split())


def reading_sentence(done: int, every: int) -> str:
    """Return how many files are read, with a bar."""
    full = BAR_CHARACTERS * done // max(every, 1)
    bar = "#" * full + "." * (BAR_CHARACTERS - full)
    return _("Reading games: [{bar}] {done} of {count}").format(bar=bar, done=done, count=every)


def date_words(seconds: float) -> str:
    """Return a time as date and time of day, in this computer's time zone."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "?"


def _winner(game: IndexedGame, names: PlayerNames) -> str:
    """Return who won, or that the game was not finished."""
    if not game.is_over:
        # Translators: in a list of games: this one was not finished; at most 16 columns.
        return _("not finished")
    return ", ".join(names.call(seat) for seat in game.first)


def _initials(player: IndexedPlayer) -> str:
    """Return a player's roles, a letter for each round; a saboteur is a capital."""
    return "".join(role_initial(Role(role)) for role in player.roles)


def _own(game: IndexedGame) -> str:
    """Return one's own roles and gold."""
    if game.my_seat is None:
        return "-"
    me = game.players[game.my_seat]
    return _initials(me) or "-" if me.gold is None else f"{_initials(me)} ${me.gold}"
