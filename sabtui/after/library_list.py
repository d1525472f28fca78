"""Kept games as rows of a list: when, who won, one's own role and gold, and who played."""

from __future__ import annotations

import time
from typing import Final

from engine.cards import Role
from sabtui.after.library_index import IndexedGame, IndexedPlayer
from sabtui.text.cards import role_initial, role_words
from sabtui.text.editions import edition_name
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import align_columns
from sabtui.text.names import PlayerNames

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
