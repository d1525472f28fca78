"""Kept games as rows of a list: when, who won, one's own role and gold, and who played."""

from __future__ import annotations

import time
from typing import Final

from rich.cells import set_cell_size

from engine.cards import Role
from sabtui.after.library_index import IndexedGame
from sabtui.text.cards import role_initial, role_words
from sabtui.text.i18n import _, pgettext
from sabtui.text.names import PlayerNames, width

DATE_COLUMNS, SHORT_DATE_COLUMNS = 16, 10
WINNER_COLUMNS: Final = 14
OWN_COLUMNS: Final = 8  # terminal cells for the date, for who won, and for one's own roles and gold
WIDE_COLUMNS: Final = 72  # columns of a terminal from which the time of day stands beside the date
BAR_CHARACTERS: Final = 20  # characters of a progress bar


def game_titles(columns: int, *, has_own: bool = True) -> str:
    """Return the titles of the columns of the list, in a terminal of this width.

    Without `has_own` there is no column for one's own role and gold.
    """
    # Translators: titles of columns: when a game was played, who won, one's own role and gold, and
    # all players.
    when, winner = pgettext("games", "date"), pgettext("games", "winner")
    own, players = pgettext("a player", "you") if has_own else None, _("players")
    return f"  {_row(when, winner, own, players, columns)}"


def game_words(game: IndexedGame, columns: int, *, has_own: bool = True) -> str:
    """Return a game as a row of the list below such titles, in a terminal of this width."""
    names = _names(game)
    players = ", ".join(names.names)
    if not game.is_checked:
        # Translators: in a list of games: nobody's program here saw this game.
        players = _("not checked: {players}").format(players=players)
    own = _own(game) if has_own else None
    return _row(date_words(game.date), _winner(game, names), own, players, columns)


def search_words(game: IndexedGame) -> str:
    """Return the words by which a game is found."""
    names = _names(game)
    roles = {role_words(Role(role)) for role in _own_roles(game)}
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


def _row(date: str, winner: str, own: str | None, players: str, columns: int) -> str:
    when = DATE_COLUMNS if columns >= WIDE_COLUMNS else SHORT_DATE_COLUMNS
    parts = (winner, WINNER_COLUMNS), (own, OWN_COLUMNS)
    fitted = (_fit(text, room) for text, room in parts if text is not None)
    return "  ".join([set_cell_size(date, when), *fitted, players])


def _fit(text: str, columns: int) -> str:
    """Return a text in exactly this many terminal cells; a full stop marks a cut."""
    if width(text) > columns:
        return set_cell_size(set_cell_size(text, columns - 1).rstrip() + ".", columns)
    return set_cell_size(text, columns)


def _winner(game: IndexedGame, names: PlayerNames) -> str:
    """Return who won, or that the game was not finished."""
    if not game.is_over:
        # Translators: in a list of games: this one was not finished; at most 16 columns.
        return _("not finished")
    return ", ".join(names.call(seat) for seat in game.first)


def _own_roles(game: IndexedGame) -> str:
    return "" if game.my_seat is None else game.players[game.my_seat].roles


def _own(game: IndexedGame) -> str:
    """Return one's own roles, a letter for each round, and gold; a saboteur is a capital."""
    roles = "".join(role_initial(Role(role)) for role in _own_roles(game))
    gold = None if game.my_seat is None else game.players[game.my_seat].gold
    return f"{roles} ${gold}" if gold is not None else roles or "-"
