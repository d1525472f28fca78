"""The list of players: turn, name, cards, broken tools, gold, and the player's notes.

Gold of others is counted in cards, `2?`, because nobody knows their nuggets; one's own is counted
in nuggets, `$5`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, assert_never

from rich.cells import cell_len

from engine.cards import Role, Tool
from engine.edition import Direction
from engine.events import RoundEnded
from engine.view import View
from net.lobby.model import Presence
from sabtui.table.sight import Sight
from sabtui.text.cards import role_words, tool
from sabtui.text.i18n import _, listed, pgettext
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
    filled,
    fitted,
    joined,
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
HALF_GOLD_COLUMNS: Final = 5
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


def seats(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the rows of the players, below a title if there is room."""
    view, columns = shown.sight.view, room.layout.text
    if room.is_paired:
        rows = _paired(shown, room)
        title = _paired_title(view, room)
    else:
        tools = _tools_room(shown.sight, columns)
        rows = [_row(seat, shown, columns, tools) for seat in shown.sight.seats]
        title = _title(view, columns, tools)
    return [title, *rows] if room.has_title else rows


def is_upwards(view: View) -> bool:
    """Return True if turns go up the list (counter-clockwise), as in few editions."""
    return view.table.edition.direction is Direction.COUNTER_CLOCKWISE


def _label(view: View) -> str:
    """Return the title above the names, or the direction of turns where that is unusual."""
    if is_upwards(view):
        # Translators: above the list of players; at most 11 columns.
        return " " + pgettext("players", "turns go up")
    return _indent(view) + _("players")


def _indent(view: View) -> str:
    """Return the blanks above the marks and number before a name."""
    return " " * (2 + len(str(view.table.players)))


def _title(view: View, columns: int, tools: int) -> Row:
    """Return the titles of the columns."""
    if view.table.end is None:
        about = aligned_right(_("hand"), HAND_COLUMNS) + aligned_right(
            _("broken") if tools > TOOLS_COLUMNS else _("tool"), tools
        )
    else:
        about = aligned_right(_("role"), HAND_COLUMNS + tools)
    gold = _gold_room(view, columns)
    text = fitted(_label(view), columns - HAND_COLUMNS - tools - gold)
    return filled((StyledSpan(text + about + aligned_right(_("gold"), gold), Look.DIM),), columns)


def _gold_room(view: View, columns: int) -> int:
    """Return the columns of gold: as few as it takes where roles are shown in little room."""
    if view.table.end is None or columns > TIGHT_COLUMNS:
        return GOLD_COLUMNS
    texts = [_gold_text(seat, view) for seat in range(view.table.players)]
    return 1 + max(map(cell_len, (_("gold"), *texts)))


def _half_gold(view: View) -> int:
    """Return the columns of gold in half a row: names have them as long as nobody has gold."""
    has_gold = any(_gold_text(seat, view) for seat in range(view.table.players))
    return HALF_GOLD_COLUMNS * has_gold


def _paired_title(view: View, room: Seats) -> Row:
    """Return the titles of the columns of both halves."""
    if room.columns < ROOMY_HALF_COLUMNS or view.table.end is not None:
        return filled((StyledSpan(_label(view), Look.DIM),), room.layout.text)
    about = "".join(
        (
            aligned_right(_("hand"), HALF_HAND_COLUMNS + 1),
            aligned_right(_("tool"), TOOLS_COLUMNS),
            aligned_right(_("gold"), _half_gold(view)) if _half_gold(view) else "",
        )
    )
    left = room.columns - cell_len(about)
    label = fitted(cut(_label(view).lstrip(), left - 2), left - 1)
    halves = f" {label}{about} {' ' * left}{about}"
    return filled((StyledSpan(halves, Look.DIM),), room.layout.text)


def _row(seat: int, shown: PlayersContext, columns: int, tools: int) -> Row:
    view = shown.sight.view
    of_gold = _gold_room(view, columns)
    about = len(_indent(view)) + HAND_COLUMNS + tools + of_gold
    row = (
        *_head(seat, shown),
        *_named(seat, shown.sight, columns - about),
        *_tools(seat, shown, tools),
        StyledSpan(aligned_right(shown.gold(seat), of_gold), Look.GOLD),
    )
    return shown.on_ground(filled(row, columns), seat)


def _paired(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the players in two columns, with broken tools, or dwarves after a round."""
    count, lines = len(shown.sight.seats), room.lines
    gap = (StyledSpan(" "),)
    rows = []
    for line in range(lines):
        pair = [seat for seat in (line, line + lines) if seat < count]
        parts = [(_brief(seat, shown, room.columns), gap) for seat in pair]
        rows.append(filled(joined(joined(part) for part in parts), room.layout.text))
    return rows


def _brief(seat: int, shown: PlayersContext, columns: int) -> Row:
    """Return a player in half a row.

    Where cards held and gold do not fit, the status line shows them for the player under the
    cursor.
    """
    facts = _brief_facts(seat, shown, columns)
    left = columns - len(_indent(shown.sight.view)) - row_width(facts)
    named = _named(seat, shown.sight, left)
    return shown.on_ground(filled((*_head(seat, shown), *named, *facts), columns), seat)


def _brief_facts(seat: int, shown: PlayersContext, columns: int) -> Row:
    """Return cards held, broken tools and gold in half a row, or the dwarf after a round."""
    view = shown.sight.view
    is_roomy = columns >= ROOMY_HALF_COLUMNS
    of_gold = StyledSpan(aligned_right(shown.gold(seat), _half_gold(view)), Look.GOLD)
    if view.table.end is None:
        broken = broken_letters(seat, view)
        if not is_roomy:
            return (StyledSpan(" " * bool(broken)), StyledSpan(broken, Look.BAD))
        hand = StyledSpan(f"{view.table.hands[seat]:>{HALF_HAND_COLUMNS}}", Look.PLAIN)
        return hand, StyledSpan(aligned_right(broken, TOOLS_COLUMNS), Look.BAD), of_gold
    role, look = _dwarf(seat, view.table.end, shown)
    if not is_roomy:
        return (StyledSpan(" "), StyledSpan(cut(role, MIN_NAME_COLUMNS), look))
    columns = HALF_HAND_COLUMNS + TOOLS_COLUMNS
    return StyledSpan(aligned_right(cut(role, columns - 1), columns), look), of_gold


def _dwarf(seat: int, end: RoundEnded, shown: PlayersContext) -> tuple[str, Look]:
    """Return the dwarf of a seat after a round, "?" until it is unveiled."""
    if shown.veils(seat):
        return "?", Look.DIM
    return role_words(end.roles[seat]), role_look(end.roles[seat])


def number_of(seat: int, view: View) -> StyledSpan:
    """Return the number of a seat, as wide as that of the last one."""
    return StyledSpan(f"{seat + 1:{len(str(view.table.players))}}", Look.KEY)


def _head(seat: int, shown: PlayersContext) -> Row:
    """Return the mark, the number, and the note."""
    note = shown.note(seat)
    number = number_of(seat, shown.sight.view)
    return shown.mark(seat), number, StyledSpan(note.value, note_look(note))


def _named(seat: int, sight: Sight, columns: int) -> Row:
    """Return name and status of a seat; the name keeps at least `MIN_NAME_COLUMNS` columns."""
    status, of_status = _status(seat, sight)
    name, look = sight.names.names[seat], player_look(sight.names.colour(seat))
    if sight.presences[seat] is None and _widest(name, status) > columns:
        status = ""
    least = min(cell_len(name), MIN_NAME_COLUMNS)
    if cell_len(status) > columns - 1 - least:
        status = connection_sign(seat, sight)
        if status and columns - 2 < least:
            return StyledSpan(fitted(name, columns - 1), look), StyledSpan(status, of_status)
    if not status:
        return (StyledSpan(fitted(cut(name, columns), columns), look),)
    name = cut(name, columns - 1 - cell_len(status))
    return (
        StyledSpan(name, look),
        StyledSpan(fitted(f" {status}", columns - cell_len(name)), of_status),
    )


def _widest(name: str, status: str) -> int:
    """Return the columns of a name and a status in full."""
    return cell_len(name) + 1 + cell_len(status)


def _status(seat: int, sight: Sight) -> tuple[str, Look]:
    if seat == sight.names.me:
        return pgettext("a player", "you"), Look.DIM
    presence = sight.presences[seat]
    match presence:
        case None:
            return pgettext("seat", "bot"), Look.DIM
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


def _tools(seat: int, shown: PlayersContext, columns: int) -> Row:
    """Return cards held and broken tools, or the dwarf once the round has ended."""
    view = shown.sight.view
    if view.table.end is not None:
        role, look = _dwarf(seat, view.table.end, shown)
        return (StyledSpan(aligned_right(role, HAND_COLUMNS + columns), look),)
    broken = _in_words(seat, view)
    if columns <= TOOLS_COLUMNS or cell_len(broken) >= columns:
        broken = broken_letters(seat, view)
    return (
        StyledSpan(f"{view.table.hands[seat]:>{HAND_COLUMNS}}", Look.PLAIN),
        StyledSpan(aligned_right(broken, columns), Look.BAD),
    )


def _in_words(seat: int, view: View) -> str:
    """Return broken tools by name."""
    return listed([tool(one) for one in Tool.within(view.table.broken[seat])])


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
