"""The players, a row each: whose turn, name, cards, broken tools, gold, and what you noted.

Knows plain values, and what the lobby tells of links and bots. Gold of others is counted in cards,
as nobody knows what is on them: `2?`; one's own in nuggets: `$5`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, assert_never

from rich.cells import cell_len

from engine.cards import Role, Tool
from engine.view import View
from net.lobby import BotChair, Free, Lobby, Presence, Taken
from sabtui.screen.rows import Ground, Look, Row, Span, cut, filled, fitted
from sabtui.screen.table.choice import Choice
from sabtui.words.cards import role_words, tool
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, listed, pgettext

HAND: Final = 4
TOOLS: Final = 5
TOOLS_IN_WORDS: Final = 24
GOLD: Final = 5
ROOMY: Final = 48
"""From so many columns on broken tools are told in words."""


class Note(StrEnum):
    """What a player thinks of another, for themselves alone."""

    NONE = " "
    FRIEND = "+"
    FOE = "-"
    UNSURE = "?"

    @property
    def next(self) -> Note:
        """The one after it, round and round."""
        notes = tuple(Note)
        return notes[(notes.index(self) + 1) % len(notes)]


@dataclass(frozen=True, slots=True)
class Seating:
    """What is shown beside the view: names, notes by name, the seat under the cursor, a card.

    `unveiled` is how many dwarves are unveiled after a round, `None` for all of them.
    """

    cast: Cast
    notes: Mapping[str, Note] = field(default_factory=dict)
    cursor: int | None = None
    choice: Choice | None = None
    unveiled: int | None = None

    def veils(self, seat: int) -> bool:
        """Whether the dwarf of a seat is not unveiled yet."""
        return self.unveiled is not None and seat >= self.unveiled


def seats(view: View, lobby: Lobby, shown: Seating, columns: int) -> list[Row]:
    """The rows of the players."""
    return [_row(seat, view, lobby, shown, columns) for seat in range(view.table.players)]


def title(view: View, columns: int) -> Row:
    """What the columns are."""
    tools = _tools_room(view, columns)
    if view.table.end is None:
        about = _right(_("hand"), HAND) + _right(_("broken") if tools > TOOLS else _("tool"), tools)
    else:
        about = _right(_("dwarf"), HAND + tools)
    indent = " " * (2 + len(str(view.table.players)))
    text = fitted(indent + _("players"), columns - HAND - tools - GOLD)
    return filled((Span(text + about + _right(_("gold"), GOLD), Look.DIM),), columns)


def _row(seat: int, view: View, lobby: Lobby, shown: Seating, columns: int) -> Row:
    cast, tools = shown.cast, _tools_room(view, columns)
    number = f"{seat + 1:{len(str(view.table.players))}}"
    note = shown.notes.get(cast.names[seat], Note.NONE)
    turn = seat == view.to_act
    target = shown.choice is not None and shown.choice.at(seat) is not None
    head = (
        Span("*" if target else ">" if turn else " ", Look.TURN),
        Span(number, Look.KEY),
        Span(note.value, _note_look(note)),
    )
    about = 2 + len(number) + HAND + tools + GOLD
    look = Look.TURN if turn else Look.STRONG if seat == view.seat else Look.PLAIN
    row = (
        *head,
        *_named(seat, lobby, cast, columns - about, look),
        *_tools(seat, view, tools, veiled=seat != view.seat and shown.veils(seat)),
        *(_gold(seat, view) if shown.unveiled is None else (Span(" " * GOLD),)),
    )
    ground = None
    if seat == shown.cursor:
        ground = Ground.SMALL_CURSOR
    elif target:
        ground = Ground.LIT
    row = tuple(span._replace(ground=ground) for span in filled(row, columns))
    if seat == shown.cursor:  # reversed, so of one colour
        return tuple(span._replace(look=Look.STRONG) for span in row)
    return row


def _named(seat: int, lobby: Lobby, cast: Cast, columns: int, look: Look) -> Row:
    """The name, and what there is to say of who sits there: the name gives way."""
    status, of_status = _status(seat, lobby, cast)
    if not status:
        return (Span(fitted(cut(cast.names[seat], columns), columns), look),)
    name = cut(cast.names[seat], columns - 1 - cell_len(status))
    return (
        Span(name, look),
        Span(fitted(f" {status}", columns - cell_len(name)), of_status),
    )


def _status(seat: int, lobby: Lobby, cast: Cast) -> tuple[str, Look]:
    if seat == cast.me:
        return pgettext("a player", "you"), Look.DIM
    chair = lobby.chairs[seat]
    match chair:
        case BotChair() | Free():
            return pgettext("seat", "bot"), Look.DIM
        case Taken(member):
            person = lobby.person(member)
            if person is None or person.presence is Presence.GONE:
                # Translators: beside the name of who is not there; at most 6 columns.
                return pgettext("seat", "gone"), Look.BAD
            if person.presence is Presence.SHAKY:
                # Translators: beside the name of whose connection is bad; at most 6 columns.
                return pgettext("seat", "shaky"), Look.BAD
            return "", Look.DIM
        case _:
            assert_never(chair)


def _tools(seat: int, view: View, columns: int, *, veiled: bool) -> Row:
    """Cards held and tools broken, or once the round has ended the dwarf."""
    end = view.table.end
    if end is not None:
        if veiled:
            return (Span(_right("?", HAND + columns), Look.DIM),)
        role = end.roles[seat]
        look = Look.GOOD if role is Role.MINER else Look.BAD
        return (Span(_right(role_words(role), HAND + columns), look),)
    tools = Tool.within(view.table.broken[seat])
    letters = "".join(one.value for one in tools)
    broken = f"-{letters}" if letters else ""
    if columns > TOOLS:
        broken = listed([tool(one) for one in tools])
    return (
        Span(f"{view.table.hands[seat]:>{HAND}}", Look.PLAIN),
        Span(_right(broken, columns), Look.BAD),
    )


def _gold(seat: int, view: View) -> Row:
    score = view.score
    if score.nuggets is not None:
        text = f"${score.nuggets[seat]}"
    elif seat == view.seat:
        owned = sum(view.gold) + score.chits[seat]
        text = f"${owned}" if owned else ""
    else:
        text = f"{score.cards[seat]}?" if score.cards[seat] else ""
        text += f"+{score.chits[seat]}" if score.chits[seat] else ""
    return (Span(_right(text, GOLD), Look.GOLD),)


def _tools_room(view: View, columns: int) -> int:
    """Columns for broken tools; once the round has ended, with those of the hand, for dwarves."""
    if columns >= ROOMY:
        return TOOLS_IN_WORDS
    if view.table.end is None:
        return TOOLS
    longest = max(cell_len(role_words(role)) for role in Role)
    return max(TOOLS, 1 + longest - HAND)


def _note_look(note: Note) -> Look:
    match note:
        case Note.FRIEND:
            return Look.GOOD
        case Note.FOE:
            return Look.BAD
        case Note.UNSURE | Note.NONE:
            return Look.DIM
        case _:
            assert_never(note)


def _right(text: str, columns: int) -> str:
    """Text at the right end of so many cells."""
    text = cut(text, columns)
    return " " * (columns - cell_len(text)) + text
