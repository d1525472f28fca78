"""The list of players: turn, name, cards, broken tools, gold, and the player's notes.

Gold of others is counted in cards, `2?`, because nobody knows their nuggets; one's own is counted
in nuggets, `$5`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import Final, assert_never

from rich.cells import cell_len

from engine.cards import Role, Tool
from engine.edition import Direction
from engine.events import RoundEnded
from engine.view import View
from net.protocol.lobby import Presence
from sabtui.table.sight import Sight
from sabtui.text.cards import role_words, tool
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.tui.table.layout import Seats
from sabtui.tui.table.result_columns import role_look
from sabtui.tui.table.selection import Choice
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    aligned_right,
    cut,
    fill_row,
    fit_text,
    join_rows,
    player_look,
)
from sabtui.tui.widgets.rows import width as row_width

HAND_COLUMNS: Final = 4
TOOLS_COLUMNS: Final = 5
TOOLS_IN_WORDS_COLUMNS: Final = 24
GOLD_COLUMNS: Final = 5
TIGHT_COLUMNS: Final = 28
"""Columns up to which a role leaves a name hardly any room."""
ROOMY_COLUMNS: Final = 48
"""Columns from which broken tools are named in words, if names leave room for that."""

HALF_HAND_COLUMNS: Final = 3
ROOMY_HALF_COLUMNS: Final = 22
"""Columns of half a row from which it has cards held and gold, too."""

MIN_NAME_COLUMNS: Final = 4
"""Columns that a name always keeps."""

STATUS_SIGNS: Final = {Presence.GONE: "!", Presence.AWAY: "!", Presence.SHAKY: "~"}
"""Signs in place of the words beside a name, where these do not fit; they are never cut."""


class PlayerNote(StrEnum):
    """Private note on another player."""

    NONE = " "
    FRIEND = "+"
    FOE = "-"
    UNSURE = "?"

    @property
    def next(self) -> PlayerNote:
        """Next note, in a cycle."""
        notes = tuple(PlayerNote)
        return notes[(notes.index(self) + 1) % len(notes)]


@dataclass(frozen=True, slots=True)
class PlayersContext:
    """A table with what its reader has added: notes by name, seat under the cursor, chosen card.

    `unveiled` is the number of dwarves unveiled after a round, `None` for all of them.
    """

    sight: Sight
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    cursor: int | None = None
    choice: Choice | None = None
    unveiled: int | None = None

    def note(self, seat: int) -> PlayerNote:
        """Return the note on a seat."""
        return self.notes.get(self.sight.names.names[seat], PlayerNote.NONE)

    def mark(self, seat: int) -> StyledSpan:
        """Return the mark before a seat: a target of the chosen card, else the one to play."""
        turn = ">" if seat == self.sight.view.to_act else " "
        return StyledSpan("*" if self.is_target(seat) else turn, Look.TURN)

    def is_target(self, seat: int) -> bool:
        """Return True if the chosen card can be played on a seat."""
        return self.choice is not None and self.choice.at(seat) is not None

    def veils(self, seat: int) -> bool:
        """Return True if the dwarf of a seat is not unveiled yet."""
        is_hidden = self.unveiled is not None and seat >= self.unveiled
        return is_hidden and seat != self.sight.view.seat

    def gold(self, seat: int) -> str:
        """Return the gold of a seat, "" while dwarves are unveiled: it would tell who is who."""
        return _gold_text(seat, self.sight.view) if self.unveiled is None else ""

    def on_ground(self, row: Row, seat: int) -> Row:
        """Return a row on the background for the cursor or for a target of the chosen card."""
        if seat == self.cursor:  # shown in reverse, which needs a single look
            return tuple(StyledSpan(span.text, Look.STRONG, Ground.SMALL_CURSOR) for span in row)
        ground = Ground.LIT if self.is_target(seat) else None
        return tuple(span._replace(ground=ground) for span in row)


@dataclass(frozen=True, slots=True)
class FactColumns:
    """Columns of cards held, of broken tools, and of gold; no `hand` where only letters fit."""

    hand: int = 0
    tools: int = 0
    gold: int = 0

    @staticmethod
    def of(sight: Sight, room: Seats) -> FactColumns:
        """Return the columns beside the names, in a row of their own or in half a row."""
        if not room.is_paired:
            tools = _tools_room(sight, room.columns)
            return FactColumns(HAND_COLUMNS, tools, _gold_room(sight.view, room.columns))
        if room.columns < ROOMY_HALF_COLUMNS:
            return FactColumns()
        has_gold = any(_gold_text(seat, sight.view) for seat in sight.seats)
        return FactColumns(HALF_HAND_COLUMNS, TOOLS_COLUMNS, GOLD_COLUMNS * has_gold)


def seats(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the rows of the players, below a title if there is room."""
    about, columns = FactColumns.of(shown.sight, room), room.layout.text
    rows = [_row(seat, shown, room.columns, about) for seat in shown.sight.seats]
    if room.is_paired:
        gap = (StyledSpan(" "),)
        pairs = zip_longest(rows[: room.lines], rows[room.lines :], fillvalue=())
        rows = [fill_row(join_rows((left, gap, right)), columns) for left, right in pairs]
    title = StyledSpan(_title(shown.sight.view, room, about), Look.DIM)
    return [fill_row((title,), columns), *rows] if room.has_title else rows


def is_upwards(view: View) -> bool:
    """Return True if turns go up the list (counter-clockwise), as in few editions."""
    return view.table.edition.direction is Direction.COUNTER_CLOCKWISE


def _label(view: View) -> str:
    """Return the title above the names, or the direction of turns where that is unusual."""
    if is_upwards(view):
        return _indent(view) + _("players") + " ^"
    return _indent(view) + _("players")


def _indent(view: View) -> str:
    """Return the blanks above the marks and number before a name."""
    return " " * (2 + len(str(view.table.players)))


def _title(view: View, room: Seats, about: FactColumns) -> str:
    """Return the titles of the columns, of both halves if there are two."""
    if not about.hand or (room.is_paired and view.table.end is not None):
        return _label(view)
    if view.table.end is None:
        tools = _("broken") if about.tools > TOOLS_COLUMNS else _("dmg")
        told = aligned_right(_("hand"), HAND_COLUMNS) + aligned_right(tools, about.tools)
    else:
        told = aligned_right(_("role"), about.hand + about.tools)
    told += aligned_right(_("gold"), about.gold)
    left = room.columns - cell_len(told)
    if not room.is_paired:
        return fit_text(_label(view), left) + told
    label = fit_text(cut(_label(view).lstrip(), left - 2), left - 1)
    return f" {label}{told} {' ' * left}{told}"


def _gold_room(view: View, columns: int) -> int:
    """Return the columns of gold: as few as it takes where roles are shown in little room."""
    if view.table.end is None or columns > TIGHT_COLUMNS:
        return GOLD_COLUMNS
    texts = [_gold_text(seat, view) for seat in range(view.table.players)]
    return 1 + max(map(cell_len, (_("gold"), *texts)))


def _row(seat: int, shown: PlayersContext, columns: int, about: FactColumns) -> Row:
    """Return a player in a row, or in half a row.

    Where cards held and gold do not fit, the status line shows them for the player under the
    cursor.
    """
    note, number = shown.note(seat), number_of(seat, shown.sight.view)
    head = shown.mark(seat), number, StyledSpan(note.value, note_look(note))
    facts = _facts(seat, shown, about)
    named = _draw_name(seat, shown.sight, columns - row_width(head) - row_width(facts))
    return shown.on_ground(fill_row((*head, *named, *facts), columns), seat)


def _facts(seat: int, shown: PlayersContext, about: FactColumns) -> Row:
    """Return cards held, broken tools and gold, or the dwarf after a round."""
    view = shown.sight.view
    of_gold = StyledSpan(aligned_right(shown.gold(seat), about.gold), Look.GOLD)
    if view.table.end is not None:
        role, look = _dwarf(seat, view.table.end, shown)
        if not about.hand:
            return (StyledSpan(" "), StyledSpan(cut(role, MIN_NAME_COLUMNS), look))
        columns = about.hand + about.tools
        return StyledSpan(aligned_right(cut(role, columns - 1), columns), look), of_gold
    broken = broken_letters(seat, view)
    if not about.hand:
        return (StyledSpan(" " * bool(broken)), StyledSpan(broken, Look.BAD))
    words = join_words([tool(one) for one in Tool.within(view.table.broken[seat])])
    if about.tools > TOOLS_COLUMNS and cell_len(words) < about.tools:
        broken = words
    hand = StyledSpan(f"{view.table.hands[seat]:>{about.hand}}")
    return hand, StyledSpan(aligned_right(broken, about.tools), Look.BAD), of_gold


def _dwarf(seat: int, end: RoundEnded, shown: PlayersContext) -> tuple[str, Look]:
    """Return the dwarf of a seat after a round, "?" until it is unveiled."""
    if shown.veils(seat):
        return "?", Look.DIM
    return role_words(end.roles[seat]), role_look(end.roles[seat])


def number_of(seat: int, view: View) -> StyledSpan:
    """Return the number of a seat, as wide as that of the last one."""
    return StyledSpan(f"{seat + 1:{len(str(view.table.players))}}", Look.KEY)


def _draw_name(seat: int, sight: Sight, columns: int) -> Row:
    """Return name and status of a seat; the name keeps at least `MIN_NAME_COLUMNS` columns."""
    status, of_status = _status(seat, sight)
    name, look = sight.names.names[seat], player_look(sight.names.colour(seat))
    if sight.presences[seat] is None and cell_len(f"{name} {status}") > columns:
        status = ""
    least = min(cell_len(name), MIN_NAME_COLUMNS)
    if cell_len(status) > columns - 1 - least:
        status = connection_sign(seat, sight)
        if status and columns - 2 < least:
            return StyledSpan(fit_text(name, columns - 1), look), StyledSpan(status, of_status)
    if not status:
        return (StyledSpan(fit_text(cut(name, columns), columns), look),)
    name = cut(name, columns - 1 - cell_len(status))
    return (
        StyledSpan(name, look),
        StyledSpan(fit_text(f" {status}", columns - cell_len(name)), of_status),
    )


def _status(seat: int, sight: Sight) -> tuple[str, Look]:
    if seat == sight.names.me:
        return pgettext("a player", "you"), Look.DIM
    presence = sight.presences[seat]
    match presence:
        case None:
            return pgettext("label", "bot"), Look.DIM
        case Presence.GONE:
            # Translators: beside the name of a player who lost connection, but has not left;
            # at most 4 columns.
            return pgettext("seat", "off"), Look.BAD
        case Presence.AWAY:
            # Translators: beside the name of a player who left for now; at most 4 columns.
            return pgettext("seat", "away"), Look.DIM
        case Presence.SHAKY:
            # Translators: beside the name of whose connection is bad; at most 6 columns.
            return pgettext("seat", "shaky"), Look.BAD
        case Presence.THERE:
            return "", Look.DIM
        case _:
            assert_never(presence)


def connection_sign(seat: int, sight: Sight) -> str:
    """Return the sign for another player's connection, "" if it is fine."""
    presence = sight.presences[seat]
    return "" if seat == sight.names.me or presence is None else STATUS_SIGNS.get(presence, "")


def broken_letters(seat: int, view: View) -> str:
    """Return broken tools in notation."""
    letters = "".join(one.value for one in Tool.within(view.table.broken[seat]))
    return f"-{letters}" if letters else ""


def _gold_text(seat: int, view: View) -> str:
    """Return a player's gold: nuggets where they are known, else cards and IOUs."""
    score = view.score
    if score.nuggets is not None:
        return f"${score.nuggets[seat]}"
    if seat == view.seat:
        owned = sum(view.gold) + score.chits[seat]
        return f"${owned}" if owned else ""
    cards = f"{score.cards[seat]}?" if score.cards[seat] else ""
    return cards + (f"+{score.chits[seat]}" if score.chits[seat] else "")


def _tools_room(sight: Sight, columns: int) -> int:
    """Return the columns for broken tools.

    They are wide enough for words if the longest name leaves room, and for dwarves once the round
    has ended.
    """
    if sight.view.table.end is not None:
        longest = max(cell_len(role_words(role)) for role in Role)
        return max(TOOLS_COLUMNS, 1 + longest - HAND_COLUMNS)
    if columns < ROOMY_COLUMNS:
        return TOOLS_COLUMNS
    names = max(
        cell_len(f"{sight.names.names[seat]} {_status(seat, sight)[0]}".rstrip())
        for seat in sight.seats
    )
    left = columns - len(_indent(sight.view)) - names - HAND_COLUMNS - GOLD_COLUMNS
    return min(max(left, TOOLS_COLUMNS), TOOLS_IN_WORDS_COLUMNS)


def note_look(note: PlayerNote) -> Look:
    """Return the look of a note."""
    match note:
        case PlayerNote.FRIEND:
            return Look.GOOD
        case PlayerNote.FOE:
            return Look.BAD
        case PlayerNote.UNSURE | PlayerNote.NONE:
            return Look.DIM
        case _:
            assert_never(note)
