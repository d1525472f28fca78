"""The players: turn, name, the player's note, broken tools, and a pile of gold.

Each has a row, or where cards are drawn and the side has room a board of two rows with a dwarf of
the player's colour; nothing depends on that: hats and beards differ, and so do tools in pieces.
Gold of others is a pile of cards, `=2`, where nobody knows their nuggets; the player's own is in
nuggets, `$5`, and so is what saboteurs were paid. Cards held are shown where there is room, and
also once no card is left to draw: until then all hands stay as they were dealt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from engine.cards import Role, Tool
from engine.events import SaboteursPaid
from engine.view import View
from net.protocol.lobby import Presence
from sabtui.art.catalogue import Drawing, find_dwarf, find_pile, find_tool
from sabtui.table.sight import Sight
from sabtui.text.cards import cards_counted, role_words, tool_words
from sabtui.text.i18n import _, pgettext
from sabtui.tui.mine.card_tiles import draw_picture
from sabtui.tui.table.animation import GOLD_FRAMES, Frame
from sabtui.tui.table.layout import ICON_SIZE, Seats
from sabtui.tui.table.log import role_look
from sabtui.tui.table.selection import Choice, PlayerNote
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import (
    Ground,
    Look,
    Paint,
    Row,
    StyledSpan,
    align_right,
    crop_row,
    cut,
    fill_row,
    fit_text,
    join_rows,
    merge_pieces,
    overlaid,
    plain,
    player_look,
)
from sabtui.tui.widgets.panel import width as row_width

ROOMY_COLUMNS: Final = 40  # minimum columns at which cards held are always shown
ROOMY_HALF_COLUMNS: Final = 22  # minimum columns of half a row for all that a row has
MIN_NAME_COLUMNS: Final = 4  # columns that a name always keeps

NAME_BESIDE_WORDS_COLUMNS: Final = 5
"""Columns that a name keeps beside words on tools; else there are first letters."""

NOTE_LOOKS: Final = {
    PlayerNote.NONE: Look.DIM,
    PlayerNote.FRIEND: Look.GOOD,
    PlayerNote.FOE: Look.BAD,
    PlayerNote.UNSURE: Look.DIM,
}

STATUS_SIGNS: Final = {Presence.GONE: "!", Presence.AWAY: "!", Presence.SHAKY: "~"}
"""Signs in place of the words beside a name, where these do not fit; they are never cut."""


@dataclass(frozen=True, slots=True)
class PlayersContext:
    """A table with what its reader has added: notes by name, seat under the cursor, chosen card."""

    sight: Sight
    glyphs: Glyphs
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    cursor: int | None = None
    choice: Choice | None = None
    reactions: Mapping[int, str] = field(default_factory=dict)  # words by seat, for a moment
    shows_gold: bool = True  # False where the final result shows it

    def note(self, seat: int) -> PlayerNote:
        return self.notes.get(self.sight.names.names[seat], PlayerNote.NONE)

    def mark(self, seat: int) -> StyledSpan:
        """Return the mark before a seat: `*` for a target of the chosen card, `>` in its turn."""
        turn = ">" if seat == self.sight.view.to_act else " "
        return StyledSpan("*" if self.is_target(seat) else turn, Look.TURN)

    def is_target(self, seat: int) -> bool:
        """Return True if the chosen card can be played on a seat."""
        return self.choice is not None and seat in self.choice.targets

    def gold(self, seat: int) -> str:
        return _spell_gold(seat, self.sight.view) if self.shows_gold else ""

    def on_ground(self, row: Row, seat: int) -> Row:
        if seat == self.cursor:  # shown in reverse, which needs a single look
            return tuple(StyledSpan(span.text, Look.STRONG, Ground.SMALL_CURSOR) for span in row)
        ground = Ground.LIT if self.is_target(seat) else None
        return tuple(span._replace(ground=ground) for span in row)


@dataclass(frozen=True, slots=True)
class FactColumns:
    """Columns of cards held, of the dwarf, and of gold; 0 for what is not shown."""

    hand: int = 0
    role: int = 0
    gold: int = 0
    is_small: bool = False  # True if there is room for a word or only a few signs

    @staticmethod
    def of(shown: PlayersContext, room: Seats) -> FactColumns:
        """Return the columns beside the names, in a row of their own or in half a row."""
        view, is_roomy = shown.sight.view, room.columns >= ROOMY_COLUMNS
        if room.columns < ROOMY_HALF_COLUMNS:
            return FactColumns(is_small=True)
        gold = max(cell_len(shown.gold(seat)) for seat in shown.sight.seats)
        gold += 1 if gold else 0  # a blank before it
        if view.table.end is not None:
            return FactColumns(0, 1 + max(cell_len(role_words(role)) for role in Role), gold)
        has_hands = is_roomy or not view.table.pile
        held = 1 + max(cell_len(cards_counted(count)) for count in view.table.hands)
        return FactColumns(held if has_hands else 0, 0, gold)


def draw_rows(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the rows of the players, below a title if turns go in the unusual direction."""
    about, columns = FactColumns.of(shown, room), room.layout.text
    rows = [_draw_row(seat, shown, room.columns, about) for seat in shown.sight.seats]
    if room.is_paired:
        gap = (StyledSpan(" "),)
        pairs = zip_longest(rows[: room.lines], rows[room.lines :], fillvalue=())
        rows = [fill_row(join_rows((left, gap, right)), columns) for left, right in pairs]
    return [*draw_title(shown, room), *rows]


def draw_title(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the title that says in which direction turns go, if it is the unusual one."""
    title = " " * (2 + len(str(len(shown.sight.seats)))) + _("players") + " ^"
    return [fill_row((StyledSpan(title, Look.DIM),), room.layout.text)] * room.has_title


def _draw_row(seat: int, shown: PlayersContext, columns: int, about: FactColumns) -> Row:
    head = draw_head(seat, shown)
    facts = _draw_facts(seat, shown, about, columns - row_width(head))
    left = columns - row_width(head) - row_width(facts)
    named = draw_name(seat, shown.sight, left, shown.reactions.get(seat, ""))
    return shown.on_ground(fill_row((*head, *named, *facts), columns), seat)


def draw_head(seat: int, shown: PlayersContext) -> Row:
    note, number = shown.note(seat), number_of(seat, shown.sight.view)
    return shown.mark(seat), number, StyledSpan(note.value, NOTE_LOOKS[note])


def _draw_facts(seat: int, shown: PlayersContext, about: FactColumns, columns: int) -> Row:
    view = shown.sight.view
    of_gold = StyledSpan(align_right(shown.gold(seat), about.gold), Look.GOLD)
    if view.table.end is not None:
        role, look = role_words(view.table.end.roles[seat]), role_look(view.table.end.roles[seat])
        if about.is_small:
            return (StyledSpan(" "), StyledSpan(cut(role, MIN_NAME_COLUMNS), look))
        return StyledSpan(align_right(cut(role, about.role - 1), about.role), look), of_gold
    if about.is_small:
        return small_tools(seat, view)
    held = cards_counted(view.table.hands[seat]) if about.hand else ""
    hand = StyledSpan(align_right(held, about.hand), Look.DIM)
    left = columns - about.hand - about.gold - NAME_BESIDE_WORDS_COLUMNS
    return *_draw_tools(seat, view, left), hand, of_gold


def _draw_tools(seat: int, view: View, columns: int) -> Row:
    """Return the tools that a player lacks after a blank, in words if they fit, else by letters."""
    broken = Tool.within(view.table.broken[seat])
    if not broken:
        return ()
    # Translators: broken tools of a player, in a list: no pick, cart.
    text = _("no {tools}").format(tools=", ".join(map(tool_words, broken)))
    if len(broken) == len(Tool):
        text = _("no tools")
    if cell_len(text) < columns:
        return (StyledSpan(f" {text}", Look.BAD),)
    return small_tools(seat, view)


def small_tools(seat: int, view: View) -> Row:
    """Return a blank and the first letters of a player's broken tools, nothing if all are sound."""
    letters = "".join(tool_words(kind)[0] for kind in Tool.within(view.table.broken[seat]))
    return (StyledSpan(f" {letters}", Look.BAD),) if letters else ()


def number_of(seat: int, view: View) -> StyledSpan:
    return StyledSpan(f"{seat + 1:{len(str(view.table.players))}}", Look.KEY)


def draw_name(seat: int, sight: Sight, columns: int, reaction: str = "") -> Row:
    """Return name and status of a seat; the name keeps at least `MIN_NAME_COLUMNS` columns.

    A reaction replaces the status or, where that has no room, the name.
    """
    status, of_status = _find_status(seat, sight)
    name, look = sight.names.names[seat], player_look(sight.names.colour(seat))
    if reaction:
        room = columns - 1 - cell_len(reaction)
        named = (StyledSpan(f"{cut(name, room)} ", look),) if room >= MIN_NAME_COLUMNS else ()
        return fill_row((*named, StyledSpan(cut(reaction, columns), Look.KEY)), columns)
    if sight.presences[seat] is None and cell_len(f"{name} {status}") > columns:
        status = ""
    least = min(cell_len(name), MIN_NAME_COLUMNS)
    if cell_len(status) > columns - 1 - least:
        presence = None if seat == sight.names.me else sight.presences[seat]
        status = "" if presence is None else STATUS_SIGNS.get(presence, "")
        if status and columns - 2 < least:
            return StyledSpan(fit_text(name, columns - 1), look), StyledSpan(status, of_status)
    if not status:
        return (StyledSpan(fit_text(cut(name, columns), columns), look),)
    name = cut(name, columns - 1 - cell_len(status))
    return (
        StyledSpan(name, look),
        StyledSpan(fit_text(f" {status}", columns - cell_len(name)), of_status),
    )


def _find_status(seat: int, sight: Sight) -> tuple[str, Look]:
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


def _spell_gold(seat: int, view: View) -> str:
    """Return a player's gold: nuggets as far as they are known, and a pile of cards."""
    nuggets, cards = _count_gold(seat, view)
    if view.score.nuggets is not None:
        return f"${nuggets}"
    parts = (f"{sign}{count}" for sign, count in (("$", nuggets), ("=", cards)) if count)
    return " ".join(parts)


def show_frame(rows: list[Row], room: Seats, frame: Frame) -> list[Row]:
    """Return the players' rows with what an animation changes in them for a moment."""
    for seat, changed in frame.seats.items():
        column, row = room.corner_of(seat)
        if row >= len(rows):
            continue
        if changed.flashes and room.has_boards:
            rows[row : row + room.seat_rows] = map(_flash, rows[row : row + room.seat_rows])
        elif changed.flashes:
            own = crop_row(fill_row(rows[row], column + room.columns), column)
            rows[row] = overlaid(rows[row], column, *merge_pieces(_flash(own)))
        if changed.gold is not None:
            at = column + (room.columns - 1) * changed.gold // GOLD_FRAMES
            blank = _find_blank(rows[row], at, range(column, column + room.columns))
            if blank is not None:
                rows[row] = overlaid(rows[row], blank, StyledSpan("$", Look.GOLD, Ground.TURN))
    return rows


def _flash(row: Row) -> Row:
    """Return a row whose words flash; what is drawn stays."""
    return tuple(
        span if isinstance(span.look, Paint) else StyledSpan(span.text, Look.BAD, Ground.TURN)
        for span in row
    )


def _find_blank(row: Row, at: int, columns: range) -> int | None:
    """Return the blank column nearest to `at` among some of a row, `None` without any."""
    # One letter for each terminal cell: wide letters take two cells, combining marks none.
    cells = "".join((letter + "\0")[: cell_len(letter)] for letter in plain(row))
    blanks = [column for column in columns if cells[column : column + 1] == " "]
    return min(blanks, key=lambda column: abs(column - at), default=None)


FACE_SIZE: Final = (4, 2)  # columns and rows of a dwarf
PILE_COLUMNS: Final = 32  # minimum columns of a board for gold drawn as a pile, too


def draw_boards(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the boards of all players, below a title if turns go in the unusual direction."""
    drawn = [_draw_board(seat, shown, room.columns) for seat in shown.sight.seats]
    return [*draw_title(shown, room), *(row for board in drawn for row in board)]


def _draw_board(seat: int, shown: PlayersContext, columns: int) -> list[Row]:
    view, blank = shown.sight.view, (StyledSpan(" "),)
    mark, *head = draw_head(seat, shown)
    face = draw_picture(find_dwarf(*shown.sight.names.dwarf(seat)), FACE_SIZE, shown.glyphs)
    ends = _draw_ends(seat, shown, columns)
    left = columns - row_width((mark, *face[0], *blank, *ends[0]))
    reaction = shown.reactions.get(seat, "")
    named = (*head, *draw_name(seat, shown.sight, left - row_width(tuple(head)), reaction))
    facts = [StyledSpan(f"{cards_counted(view.table.hands[seat])} ", Look.DIM)]
    if view.table.end is not None:
        role = view.table.end.roles[seat]
        facts = [StyledSpan(f"{cut(role_words(role), left - 1)} ", role_look(role))]
    facts.append(StyledSpan(shown.gold(seat), Look.GOLD))
    is_chosen = seat == shown.cursor
    chosen = (StyledSpan(">" if is_chosen else " ", Look.KEY),)
    ground = Ground.CURSOR if is_chosen else Ground.LIT if shown.is_target(seat) else None
    return [
        tuple(span._replace(ground=ground) for span in merge_pieces(join_rows(parts)))
        for parts in (
            ((mark,), face[0], blank, fill_row(named, left), ends[0]),
            (chosen, face[1], blank, fill_row(tuple(facts), left), ends[1]),
        )
    ]


def _draw_ends(seat: int, shown: PlayersContext, columns: int) -> list[Row]:
    """Return gold as a pile where there is room for it, and the player's broken tools."""
    view, icons = shown.sight.view, list[Drawing | None]()
    if columns >= PILE_COLUMNS and shown.shows_gold:
        icons.append(find_pile(sum(_count_gold(seat, view))))
    if view.table.end is None:
        broken = Tool.within(view.table.broken[seat])
        icons += [find_tool(kind, is_broken=True) for kind in broken]
    wide, rows = ICON_SIZE
    blank = (fill_row((), wide),) * rows
    drawn = [draw_picture(icon, ICON_SIZE, shown.glyphs) if icon else blank for icon in icons]
    return [
        join_rows((StyledSpan(" "), *fill_row(icon[row], wide)) for icon in drawn)
        for row in range(rows)
    ]


def _count_gold(seat: int, view: View) -> tuple[int, int]:
    """Return the nuggets of a player that are known, and how many gold cards lie face down.

    All see what saboteurs are paid, in cards and IOUs.
    """
    score = view.score
    if score.nuggets is not None:
        return score.nuggets[seat], 0
    if seat == view.seat:
        return sum(view.gold) + score.chits[seat], 0
    paid = [event for event in view.ledger if isinstance(event, SaboteursPaid)]
    nuggets = sum(event.due for event in paid if event.cards[seat] or event.chits[seat])
    return nuggets, score.cards[seat] - sum(event.cards[seat] for event in paid)
