"""The library of games: the `.sab` files of a folder, the rows of a list of them, and standings.

It is read again whenever it is shown, newest files first, including files from others that the user
has put there.

Standings count every person's gold and games won, by name, ignoring case. Records do not say who
was a bot, so bots' names count as people.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.cards import Role
from engine.notation import NotationError
from engine.notation.record_parser import RecordSummary, parse_summary
from net.files import private_folder
from net.protocol.cleaning import clean
from net.protocol.lobby import BOT_NAMES
from sabtui.app.errors import UserError, print_lines
from sabtui.app.preferences import records_folder
from sabtui.app.records import record_bytes, record_files, seconds_of
from sabtui.text import cards, errors, evening, layout
from sabtui.text.i18n import _, capitalise, pgettext, put_title
from sabtui.text.names import PlayerNames
from sabtui.text.settings import edition_name

MAX_PLACE_CELLS: Final = 60  # maximum terminal cells of the name of a table


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of the library."""

    file: str  # name of its file
    date: float  # when it was played, in seconds since 1970
    place: str  # name of the table
    my_seat: int | None  # the user's seat, by their name; `None` if they did not play
    record: RecordSummary

    @property
    def first(self) -> tuple[int, ...]:
        """The winners' seats, with the most gold; none if the game was not finished."""
        gold = self.record.nuggets or ()
        return tuple(seat for seat, nuggets in enumerate(gold) if nuggets == max(gold))

    def roles(self, seat: int) -> list[Role]:
        return [Role(played.roles[seat]) for played in self.record.played]

    def initials(self, seat: int) -> str:
        """Return a letter for the role of a seat in each round, a capital for saboteurs."""
        return "".join(map(cards.role_initial, self.roles(seat)))


@dataclass(frozen=True, slots=True)
class Library:
    """The games of a folder."""

    games: tuple[KeptGame, ...]  # the newest first
    broken: tuple[str, ...]  # names of files that are not records


def read_library(folder: Path, name: str = "") -> Library:
    """Read all games in a folder, which is made if it is missing; `name` is the user's own.

    If a game has several files, the newest counts. Takes about 0.5 ms a game.

    Raises OSError: the folder cannot be made, written or listed.
    """
    private_folder(folder)
    games, broken = dict[str, KeptGame](), list[str]()
    times = {file: modified / 1e9 for file, (_size, modified) in record_files(folder)}
    for file, modified in sorted(times.items(), key=lambda file: (-file[1], file[0])):
        try:
            summary = parse_summary(record_bytes(folder / file))
        except (OSError, NotationError):
            broken.append(file)
        else:
            games.setdefault(summary.id, _make_kept_game(file, modified, summary, name.casefold()))
    newest = sorted(games.values(), key=lambda game: (-game.date, game.record.id))
    return Library(tuple(newest), tuple(broken))


def _make_kept_game(file: str, modified: float, summary: RecordSummary, own: str) -> KeptGame:
    extra = dict(summary.extra)
    mine = [seat for seat, name in enumerate(summary.names) if name.casefold() == own]
    return KeptGame(
        file,
        seconds_of(extra.get("Date", ""), modified),
        clean(extra.get("Table", ""), MAX_PLACE_CELLS, 4 * MAX_PLACE_CELLS),
        mine[0] if len(mine) == 1 and own else None,
        summary,
    )


def game_titles(*, has_own: bool = True) -> tuple[str, ...]:
    """Return the column titles of the list; if `has_own`, with the user's role and gold."""
    # Translators: titles of columns: when a game was played, who won, one's own role, one's own
    # gold, and all players.
    when, winner = pgettext("games", "date"), pgettext("games", "winner")
    own = (pgettext("a player", "you"), _("gold")) if has_own else ()
    return tuple(map(capitalise, (when, winner, *own, _("players"))))


def game_cells(game: KeptGame, *, has_own: bool = True) -> tuple[str, ...]:
    """Return a game as a row of the list, below the `game_titles` for the same `has_own`."""
    names = _names(game)
    winner = ", ".join(names.call(seat) for seat in game.first)
    if game.record.nuggets is None:
        # Translators: in a list of games: this one was not finished; at most 16 columns.
        winner = _("not finished")
    own = _own_cells(game) if has_own else ()
    return (date_words(game.date), winner, *own, ", ".join(names.names))


def game_lines(game: KeptGame, *, in_rows: bool) -> list[str]:
    """Return the edition of a game, and each player's roles and gold `in_rows`.

    Without rows there are the user's own roles, and everybody's gold.
    """
    gold, edition = game.record.nuggets, edition_name(game.record.edition.text)
    names = _names(game).names
    if not in_rows:
        lines, roles = [edition], () if game.my_seat is None else game.roles(game.my_seat)
        if roles:
            you = capitalise(pgettext("a player", "you"))
            lines.append(put_title(you, ", ".join(map(cards.role_words, roles))))
        if gold is not None:
            lines += evening.gold_lines(dict(zip(names, gold, strict=True)))
        return lines
    rows = [
        (
            name,
            *map(cards.role_words, game.roles(seat)),
            "" if gold is None else cards.nuggets_counted(gold[seat]),
        )
        for seat, name in enumerate(names)
    ]
    return [edition, "", *layout.align_columns(rows)]


def search_words(game: KeptGame) -> str:
    """Join everything that a game can be found by, as one text."""
    names = _names(game)
    roles = () if game.my_seat is None else set(map(cards.role_words, game.roles(game.my_seat)))
    edition = game.record.edition.text
    parts = (date_words(game.date), game.place, edition, *names.names, *roles)
    return " ".join(parts).casefold()


def _names(game: KeptGame) -> PlayerNames:
    return PlayerNames.of(game.record.names, game.my_seat)


def matches(typed: str, words: str) -> bool:
    """Return True if every typed word is somewhere in the `search_words` of a game."""
    return all(word in words for word in typed.casefold().split())


def date_words(seconds: float) -> str:
    """Return a time as date and time of day, in this computer's time zone."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "?"


def _own_cells(game: KeptGame) -> tuple[str, str]:
    """Return the user's roles and gold, "-" where there is nothing."""
    if game.my_seat is None:
        return "-", "-"
    gold = game.record.nuggets
    return game.initials(game.my_seat) or "-", "-" if gold is None else str(gold[game.my_seat])


def count_standings(games: Iterable[KeptGame]) -> tuple[evening.PersonStanding, ...]:
    """Return the standing of every person in these games, most gold first."""
    found: dict[str, evening.PersonStanding] = {}
    for game in games:
        for seat, name in enumerate(game.record.names):
            if seat != game.my_seat and name.partition(" ")[0] in BOT_NAMES:
                continue
            before = found.get(name.casefold(), evening.PersonStanding(name))
            found[name.casefold()] = evening.PersonStanding(
                before.name,
                before.gold + (game.record.nuggets[seat] if game.record.nuggets else 0),
                before.won + (seat in game.first),
                before.games + 1,
            )
    return tuple(sorted(found.values(), key=lambda row: (-row.gold, -row.won, row.name.casefold())))


def standings_lines(games: Iterable[KeptGame]) -> list[str]:
    """Return the standings over games as a table, and how many games count."""
    counted = [game for game in games if game.record.nuggets is not None]
    return evening.standings_table(len(counted), count_standings(counted))


BAR_ROOM: Final = 60
"""Maximum columns that the other columns of the standings take, with the longest names."""

MAX_BAR_COLUMNS: Final = 80


def standings_titles() -> tuple[str, ...]:
    name, gold, won, games = evening.standings_header()
    return ("", capitalise(name), "", *map(capitalise, (gold, won, games)))


def standings_rows(
    standings: Iterable[evening.PersonStanding], columns: int, sign: str
) -> list[tuple[str, ...]]:
    """Return rows of a table of this many columns: place, name, a bar of gold, and numbers."""
    standings = tuple(standings)
    most = max((row.gold for row in standings), default=0)
    room = max(0, min(columns - BAR_ROOM, MAX_BAR_COLUMNS))
    return [
        (
            str(1 + sum(other.gold > row.gold for other in standings)),
            row.name,
            sign * round(room * row.gold / max(most, 1)),
            *map(str, (row.gold, row.won, row.games)),
        )
        for row in standings
    ]


def show_standings() -> int:
    """Print the standings over the user's own games; return the exit code.

    Raises UserError: their folder cannot be opened.
    """
    where = records_folder()
    try:
        library = read_library(where)
    except OSError as error:
        raise UserError(errors.not_written(where, error)) from error
    return print_lines(standings_lines(library.games))
