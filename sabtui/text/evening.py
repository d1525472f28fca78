"""An evening at a table in words: how many games it has had, and who has won what in them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event, GameEnded
from net.client.session import Status
from net.protocol.lobby import Lobby
from net.protocol.messages import CloseReason
from sabtui.text.cards import nuggets_counted
from sabtui.text.i18n import _, join_words, ngettext, pgettext
from sabtui.text.layout import align_columns


def earned_words(name: str, lobby: Lobby) -> str:
    """Return a player's games and gold of the evening in words, "" if they have not played yet."""
    rows = (row for row in lobby.evening.rows if row.name.casefold() == name.casefold())
    row = next(rows, None)
    if row is None:
        return ""
    # Translators: beside a player's name: so many of their games this evening were won.
    won = _("{won} of {games} won").format(won=row.won, games=row.games)
    return f"{won}, {nuggets_counted(row.gold)}"


def counted_lines(events: Sequence[Event], lobby: Lobby | None) -> list[str]:
    """Return the lines on the evening after the last events of a game; none before."""
    is_end = any(isinstance(one, GameEnded) for one in events)
    return finished_lines(lobby) if is_end and lobby is not None else []


def finished_lines(lobby: Lobby) -> list[str]:
    """Return how the evening stands, nothing while its only game says the same."""
    return standing_lines(lobby) if lobby.evening.games > 1 else []


def standing_lines(lobby: Lobby) -> list[str]:
    """Return how many games there were, who has won them, and who has how much gold."""
    evening = lobby.evening
    if not evening.games:
        return []
    text = ngettext("{count} game so far.", "{count} games so far.", evening.games)
    won = {row.name: row.won for row in evening.rows if row.won}
    return [
        text.format(count=evening.games),
        # Translators: {names} is a list with numbers: Ana 2 and Bruno 1.
        _("Games won: {names}.").format(names=_list_counts(won)),
        # Translators: the gold of an evening: {gold} is a list: Ana 12, Bruno 7 and Carla 3.
        _("Gold: {gold}.").format(gold=_list_counts({row.name: row.gold for row in evening.rows})),
    ]


def _list_counts(counts: dict[str, int]) -> str:
    parts = (_("{name} {count}").format(name=name, count=count) for name, count in counts.items())
    return join_words(list(parts))


def farewell_lines(status: Status) -> list[str]:
    """Return who has won an evening of several games, and its table, once the table is closed."""
    lobby = status.lobby
    if lobby is None or lobby.evening.games < 2 or status.ending is not CloseReason.CLOSED:
        return []
    names = [row.name for row in lobby.evening.first]
    text = ngettext("{names} has won the evening.", "{names} have won the evening.", len(names))
    return [text.format(names=join_words(names)), *evening_lines(lobby)]


def evening_lines(lobby: Lobby) -> list[str]:
    """Return the table of the evening, a line for each who played; nothing before its end."""
    if not lobby.evening.games:
        return []
    name, games = pgettext("standings", "name"), pgettext("standings", "games")
    header = (name, _("gold"), games, pgettext("standings", "won"))
    rows = [(row.name, str(row.gold), str(row.games), str(row.won)) for row in lobby.evening.rows]
    return align_columns([header, *rows])
