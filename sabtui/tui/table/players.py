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
from engine.view import View
from net.lobby.model import BotChair, Free, Lobby, Presence, Taken
from sabtui.text.cards import role_words, tool
from sabtui.text.i18n import _, listed, pgettext
from sabtui.text.names import PlayerNames
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
    """Facts shown beside the view: names, notes by name, seat under the cursor, chosen card.

    `unveiled` is the number of dwarves unveiled after a round, `None` for all of them.
    """

    names: PlayerNames
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    cursor: int | None = None
    choice: Choice | None = None
    unveiled: int | None = None

    def is_target(self, seat: int) -> bool:
        """Return True if the chosen card can be played on a seat."""
        return self.choice is not None and self.choice.at(seat) is not None

    def veils(self, seat: int) -> bool:
        """Return True if the dwarf of a seat is not unveiled yet."""
        return self.unveiled is not None and seat >= self.unveiled


def seats(view: View, lobby: Lobby, shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the rows of the players, below a title if there is room."""
    columns = room.layout.text
    if room.is_paired:
        rows = _paired(view, lobby, shown, room)
        title = _paired_title(view, room)
    else:
        tools = _tools_room(view, lobby, shown.names, columns)
        rows = [
            _row(seat, view, lobby, shown, columns, tools=tools)
            for seat in range(view.table.players)
        ]
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


def _row(  # noqa: PLR0913 - who, what is known, and how much room there is
    seat: int, view: View, lobby: Lobby, shown: PlayersContext, columns: int, *, tools: int
) -> Row:
    of_gold = _gold_room(view, columns)
    gold = _gold_text(seat, view) if shown.unveiled is None else ""
    about = len(_indent(view)) + HAND_COLUMNS + tools + of_gold
    row = (
        *_head(seat, view, shown),
        *_named(seat, lobby, shown.names, columns - about, player_look(shown.names.colour(seat))),
        *_tools(seat, view, tools, veiled=seat != view.seat and shown.veils(seat)),
        StyledSpan(aligned_right(gold, of_gold), Look.GOLD),
    )
    return _grounded(filled(row, columns), seat, shown)


def _paired(view: View, lobby: Lobby, shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the players in two columns, with broken tools, or dwarves after a round."""
    count, lines = view.table.players, room.lines
    gap = (StyledSpan(" "),)
    rows = []
    for line in range(lines):
        pair = [seat for seat in (line, line + lines) if seat < count]
        parts = [(_brief(seat, view, lobby, shown, room.columns), gap) for seat in pair]
        rows.append(filled(joined(joined(part) for part in parts), room.layout.text))
    return rows


def _brief(seat: int, view: View, lobby: Lobby, shown: PlayersContext, columns: int) -> Row:
    """Return a player in half a row.

    Where cards held and gold do not fit, the status line shows them for the player under the
    cursor.
    """
    facts = _brief_facts(seat, view, shown, columns)
    left = columns - len(_indent(view)) - row_width(facts)
    named = _named(seat, lobby, shown.names, left, player_look(shown.names.colour(seat)))
    return _grounded(filled((*_head(seat, view, shown), *named, *facts), columns), seat, shown)


def _brief_facts(seat: int, view: View, shown: PlayersContext, columns: int) -> Row:
    """Return cards held, broken tools and gold in half a row, or the dwarf after a round."""
    end = view.table.end
    is_roomy = columns >= ROOMY_HALF_COLUMNS
    gold = _gold_text(seat, view) if shown.unveiled is None else ""
    of_gold = StyledSpan(aligned_right(gold, _half_gold(view)), Look.GOLD)
    if end is None:
        broken = _letters(seat, view)
        if not is_roomy:
            return (StyledSpan(" " * bool(broken)), StyledSpan(broken, Look.BAD))
        hand = StyledSpan(f"{view.table.hands[seat]:>{HALF_HAND_COLUMNS}}", Look.PLAIN)
        return hand, StyledSpan(aligned_right(broken, TOOLS_COLUMNS), Look.BAD), of_gold
    if seat != view.seat and shown.veils(seat):
        role, look = "?", Look.DIM
    else:
        role = role_words(end.roles[seat])
        look = role_look(end.roles[seat])
    if not is_roomy:
        return (StyledSpan(" "), StyledSpan(cut(role, MIN_NAME_COLUMNS), look))
    columns = HALF_HAND_COLUMNS + TOOLS_COLUMNS
    return StyledSpan(aligned_right(cut(role, columns - 1), columns), look), of_gold


def _head(seat: int, view: View, shown: PlayersContext) -> Row:
    """Return the mark (`*` target, `>` turn), the number, and the note."""
    note = shown.notes.get(shown.names.names[seat], PlayerNote.NONE)
    mark = "*" if shown.is_target(seat) else ">" if seat == view.to_act else " "
    return (
        StyledSpan(mark, Look.TURN),
        StyledSpan(f"{seat + 1:{len(str(view.table.players))}}", Look.KEY),
        StyledSpan(note.value, note_look(note)),
    )


def _grounded(row: Row, seat: int, shown: PlayersContext) -> Row:
    """Return a row on the background for the cursor or for a target of the chosen card."""
    if seat == shown.cursor:  # shown in reverse, which needs a single look
        return tuple(StyledSpan(span.text, Look.STRONG, Ground.SMALL_CURSOR) for span in row)
    ground = Ground.LIT if shown.is_target(seat) else None
    return tuple(span._replace(ground=ground) for span in row)


def _named(seat: int, lobby: Lobby, names: PlayerNames, columns: int, look: Look) -> Row:
    """Return name and status of a seat; the name keeps at least `MIN_NAME_COLUMNS` columns."""
    status, of_status = _status(seat, lobby, names)
    name = names.names[seat]
    if isinstance(lobby.chairs[seat], BotChair | Free) and _widest(name, status) > columns:
        status = ""
    least = min(cell_len(name), MIN_NAME_COLUMNS)
    if cell_len(status) > columns - 1 - least:
        status = connection_sign(seat, lobby, names)
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


def _status(seat: int, lobby: Lobby, names: PlayerNames) -> tuple[str, Look]:
    if seat == names.me:
        return pgettext("a player", "you"), Look.DIM
    chair = lobby.chairs[seat]
    match chair:
        case BotChair() | Free():
            return pgettext("seat", "bot"), Look.DIM
        case Taken(member):
            person = lobby.person(member)
            if person is None or person.presence is Presence.GONE:
                # Translators: beside the name of a player who lost connection, but has not left;
                # at most 4 columns.
                return pgettext("seat", "off"), Look.BAD
            if person.presence is Presence.AWAY:
                # Translators: beside the name of a player who left for now; at most 4 columns.
                return pgettext("seat", "away"), Look.DIM
            if person.presence is Presence.SHAKY:
                # Translators: beside the name of whose connection is bad; at most 6 columns.
                return pgettext("seat", "shaky"), Look.BAD
            return "", Look.DIM
        case _:
            assert_never(chair)


def connection_sign(seat: int, lobby: Lobby, names: PlayerNames) -> str:
    """Return the sign for another player's connection, "" if it is fine."""
    chair = lobby.chairs[seat]
    if seat == names.me or not isinstance(chair, Taken):
        return ""
    person = lobby.person(chair.member)
    return STATUS_SIGNS.get(Presence.GONE if person is None else person.presence, "")


def _tools(seat: int, view: View, columns: int, *, veiled: bool) -> Row:
    """Return cards held and broken tools, or the dwarf once the round has ended."""
    end = view.table.end
    if end is not None:
        if veiled:
            return (StyledSpan(aligned_right("?", HAND_COLUMNS + columns), Look.DIM),)
        role = end.roles[seat]
        look = role_look(role)
        return (StyledSpan(aligned_right(role_words(role), HAND_COLUMNS + columns), look),)
    broken = _in_words(seat, view)
    if columns <= TOOLS_COLUMNS or cell_len(broken) >= columns:
        broken = _letters(seat, view)
    return (
        StyledSpan(f"{view.table.hands[seat]:>{HAND_COLUMNS}}", Look.PLAIN),
        StyledSpan(aligned_right(broken, columns), Look.BAD),
    )


def _in_words(seat: int, view: View) -> str:
    """Return broken tools by name."""
    return listed([tool(one) for one in Tool.within(view.table.broken[seat])])


def _letters(seat: int, view: View) -> str:
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


def _tools_room(view: View, lobby: Lobby, player_names: PlayerNames, columns: int) -> int:
    """Return the columns for broken tools.

    They are wide enough for words if the longest name leaves room, and for dwarves once the round
    has ended.
    """
    if view.table.end is not None:
        longest = max(cell_len(role_words(role)) for role in Role)
        return max(TOOLS_COLUMNS, 1 + longest - HAND_COLUMNS)
    if columns < ROOMY_COLUMNS:
        return TOOLS_COLUMNS
    names = max(
        cell_len(f"{player_names.names[seat]} {_status(seat, lobby, player_names)[0]}".rstrip())
        for seat in range(view.table.players)
    )
    left = columns - len(_indent(view)) - names - HAND_COLUMNS - GOLD_COLUMNS
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
