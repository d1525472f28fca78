"""Rows of the lobby: chairs and their dwarves, watchers, log lines, status line.

Pure functions of the lobby, of this client's status, and of an update.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, assert_never

from textual.content import Content

from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.chat import chat_line_of
from net.protocol.cleaning import sanitise
from net.protocol.lobby import BotChair, Chair, Free, Lobby, Taken
from net.room.permissions import players_missing
from sabtui.art.catalogue import find_dwarf
from sabtui.art.store import Size, list_sizes
from sabtui.table.commands import HOST_SIT, SIT, what_start_needs
from sabtui.text import connection, seats
from sabtui.text.evening import earned_facts
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import width
from sabtui.text.lobby import describe_step
from sabtui.text.reasons import refusal_sentence
from sabtui.text.talk import chat_words
from sabtui.tui.command import key_name
from sabtui.tui.mine.card_tiles import draw_picture
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets import panel

NO_REACTIONS: Final[Mapping[int, str]] = MappingProxyType({})


def draw_dwarves(
    lobby: Lobby, room: Size, glyphs: Glyphs, reactions: Mapping[int, str] = NO_REACTIONS
) -> list[panel.Row]:
    """Return the players at a table as lines of dwarves with their names below.

    The word of a member's reaction replaces the name.

    They are as large as there is room for; a free seat leaves its place blank. There are no rows if
    cards are not drawn.
    """
    names, (columns, rows) = _names(lobby), room
    if glyphs.cards is None or not names:  # a hall has no chairs
        return []
    fitting = list[tuple[Size, int]]()  # sizes, and how many dwarves fit in a line
    for size in list_sizes(find_dwarf(0, 0).name):
        most = (columns - 1) // (size[0] + 1)
        lines = -(-len(names) // most) if most else rows
        if lines * (size[1] + 1) <= rows:
            fitting.append((size, -(-len(names) // lines)))
    if not fitting:
        return []
    size, across = fitting[-1]
    members = (chair.member if isinstance(chair, Taken) else None for chair in lobby.chairs)
    said = ["" if member is None else reactions.get(member, "") for member in members]
    shown_names = [word or name for word, name in zip(said, names, strict=True)]
    gap, blank = panel.StyledSpan(" "), panel.fill_row((), size[0])
    places = [
        [
            *draw_picture(find_dwarf(dwarf.face, dwarf.colour), size, glyphs),
            (panel.StyledSpan(panel.centre_text(shown, size[0]), panel.player_look(dwarf.colour)),),
        ]
        if shown
        else [blank] * (size[1] + 1)
        for shown, dwarf in zip(shown_names, lobby.dwarves, strict=True)
    ]
    return [
        panel.fill_row((gap, *panel.join_rows((*row, gap) for row in line)), columns)
        for first in range(0, len(places), across)
        for line in zip(*places[first : first + across], strict=True)
    ]


CHAIR_NAME_COLUMNS: Final = 20
"""Columns of a name, so that the facts beside the names are aligned."""


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """Row of the lobby: a seat, or a watcher."""

    seat: int | None  # `None` for a watcher
    member: int | None  # number of the person who sits there or watches, `None` for others

    @property
    def id(self) -> str:
        return f"member {self.member}" if self.seat is None else f"seat {self.seat}"


def list_rows(lobby: Lobby) -> tuple[LobbyRow, ...]:
    """Return the rows: chairs by number, then watchers."""
    chairs = (
        LobbyRow(seat, chair.member if isinstance(chair, Taken) else None)
        for seat, chair in enumerate(lobby.chairs)
    )
    watching = (LobbyRow(None, person.member) for person in lobby.watchers)
    return *chairs, *watching


def draw_row(
    place: LobbyRow,
    lobby: Lobby,
    status: Status,
    columns: int,
    reactions: Mapping[int, str] = NO_REACTIONS,
) -> Content:
    """Return a row as it is shown: its number, the name, and facts about the person or bot.

    The last facts are left out if `columns` have no room for them.
    """
    if place.seat is None:
        assert place.member is not None
        person = lobby.person(place.member)
        number, name, facts = "", "" if person is None else person.name, [_("watching")]
        facts += [pgettext("a player", "you")] if place.member == status.member else []
        facts += seats.person_facts(place.member, lobby)
    else:
        number, chair = str(place.seat + 1), lobby.chairs[place.seat]
        # Translators: a seat that nobody has.
        name = lobby.name_at(place.seat) or pgettext("seat", "free")
        facts = [*_chair_facts(chair, lobby, status)]
        if place.seat == lobby.settings.youngest:
            facts.append(_("youngest, goes first"))
        facts += earned_facts(name, lobby)
    if place.member is not None and place.member in reactions:
        facts.insert(0, reactions[place.member])
    name = sanitise(name)
    shown = Content(name).stylize("bold") if place.member or facts else Content(name)
    gap = " " * max(CHAIR_NAME_COLUMNS - width(name), 1)
    room = columns - width(f"{number:>2} {name}{gap}")
    while facts and width(", ".join(facts)) > room:
        del facts[-1]
    return Content(f"{number:>2} ") + shown + Content(gap + sanitise(", ".join(facts)))


def describe_wait_for_start(lobby: Lobby, status: Status) -> str:
    """Return a sentence on what is needed before the game can begin."""
    if lobby.is_drawing:
        return seats.drawing_sentence()
    missing = what_start_needs(lobby)
    if status.is_host and (status.seat is not None or not missing):
        return missing or f"{seats.enter_starts()} {seats.uneven_words(lobby)}".rstrip()
    if status.seat is None:
        keys = (HOST_SIT if status.is_host else SIT).lobby
        assert keys is not None
        return seats.watching_sentence(key_name(keys.keys[0]) if lobby.free_seats else "")
    if not lobby.is_ready(status.member):
        return seats.press_when_ready("r")
    awaited = missing or seats.waits_for_start()
    if count := players_missing(lobby):  # only the host can add bots
        awaited = seats.waits_for_players(count)
    # Translators: you have a seat at this table.
    seated = _("You have joined.")
    return f"{seated} {awaited}"


def _chair_facts(chair: Chair, lobby: Lobby, status: Status) -> Iterator[str]:
    """Yield the facts to show beside a name, first what the others are waiting for."""
    match chair:
        case Free():
            return
        case BotChair(_name, level):
            yield seats.bot_words(level)
        case Taken(member, ready):
            if member == status.member:
                yield pgettext("a player", "you")
            if not ready and member != lobby.host:
                yield seats.ready_words(ready=ready)
            yield from seats.person_facts(member, lobby)
        case _:
            assert_never(chair)


def list_log_lines(received: Received, lobby: Lobby, me: int) -> Iterator[str]:
    """Yield the log lines of an update for a member; `lobby` is as it was before it."""
    yield from connection.host_lines(received)
    for event, before, happened in describe_step(received.news, lobby, me):
        if happened is not None:
            yield happened
        line = chat_line_of(event, before)
        if line is not None:
            yield chat_words(line, _names(before), quoted=False)


def list_talk(status: Status) -> Iterator[str]:
    """Yield the chat so far and the current warnings, for a client that has just joined."""
    if status.game_state is not None:
        names = _names(status.game_state.lobby)
        yield from (chat_words(line, names, quoted=False) for line in status.game_state.talk)
    yield from connection.own_news(connection.without_open_doors(status), Status())


def describe_update(update: Update, before: Status) -> str | None:
    current, received = update.status, update.received
    if received is not None and received.refused is not None:
        return refusal_sentence(received.refused.reason)
    if received is not None and (lines := connection.host_lines(received)):
        return lines[0]
    if received is not None and received.disagreed:
        return connection.disagreed_sentence()
    if own := connection.own_news(current, before):
        return own[0]
    if current.disk is not before.disk:
        return connection.disk_sentence(current.disk, is_host=current.is_host)
    if current.connection is not before.connection:
        return (
            ""
            if current.connection is ConnectionState.CONNECTED
            else connection.state_words(current)
        )
    return None


def _names(lobby: Lobby) -> list[str]:
    return [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
