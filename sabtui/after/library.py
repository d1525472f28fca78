"""The library of games: a folder of `.sab` files, and an index of them (`library_index`).

The files are the library. Records of others that are put beside one's own show up in it, too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.notation import NotationError
from engine.notation.record_parser import RecordSummary, parse_summary
from net.files import private_folder
from net.protocol.text import clean
from sabtui.after.library_index import IndexedGame, IndexedPlayer, indexed_game, open_index
from sabtui.app.files import Kept, keeper_of, record_bytes, record_files, seconds_of
from sabtui.text.errors import system_words

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
