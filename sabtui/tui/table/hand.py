"""The hand along the bottom of the table, or the gold cards on offer in its place (D1).

Cards have digits, gold cards their nuggets. They are drawn as they would lie: whole where there is
room, in three rows as tiles and icons, or in one row each if the terminal is low. Nothing depends
on colour alone: a broken tool has a cross beside it, one to repair a plus, the chosen card a frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from engine.actions import TurnEvent
from engine.cards import Card, Path, Role
from engine.events import Dealt
from engine.moves import Lay
from engine.view import View
from sabtui.art.blocks import fit_size
from sabtui.art.catalogue import (
    Drawing,
    find_card,
    find_gold_card,
    find_ground,
    find_icon,
    find_role,
    find_tool,
)
from sabtui.art.colours import Tint
from sabtui.art.store import Size
from sabtui.text import cards
from sabtui.text.i18n import _, alternatives, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.summary import no_cards_left, plays_counted
from sabtui.tui.mine.card_tiles import draw_rows, paint_tile
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize, draw_in_hand
from sabtui.tui.table.layout import DRAWN_CARD_SIZES, MAX_HAND_CARDS
from sabtui.tui.table.selection import Choice, Selection
from sabtui.tui.theme import Border, Glyphs
from sabtui.tui.widgets import panel
from sabtui.tui.widgets.panel import Ground, Look, Row, StyledSpan

TILE_SIZE: Final = TileSize.WIDE
_ICON_SIZE: Final = (6, TILE_SIZE.rows)
_NUGGET_SIZE: Final = (3, 2)


class FaceStyle(NamedTuple):
    """The ground behind a drawn card, and whether it is chosen or cannot be played now."""

    ground: Ground | None = None
    is_chosen: bool = False
    is_idle: bool = False


PLAIN: Final = FaceStyle()  # a card on the panel's own ground


def draw_face(
    card: Card, path: Path | None, size: Size, glyphs: Glyphs, style: FaceStyle
) -> list[Row]:
    """Return a card drawn in exactly this many columns and rows, a path card as it would lie."""
    columns, rows = size
    drawing = find_card(card) if path is None else find_ground(path, is_lit=True)
    if rows > TILE_SIZE.rows or path is not None:
        return draw_largest(drawing, size, glyphs, style)
    ground = style.ground or Ground.CARD
    if not card.tools:
        icon = draw_sized(find_icon(card), _ICON_SIZE, glyphs, style)
        return [_centre(row, columns, ground) for row in icon]
    look, sign = (Look.BAD, "x") if card.breaks else (Look.GOOD, "+")
    beside: list[Row] = [(StyledSpan(f" {sign}", look, ground),), (), ()]
    icons = [
        draw_sized(find_tool(of, is_broken=False), _ICON_SIZE, glyphs, style) for of in card.tools
    ]
    lines = zip(*icons, strict=True) if len(icons) > 1 else zip(*icons, beside, strict=True)
    return [_centre(panel.join_rows(line), columns, ground) for line in lines]


def draw_largest(
    drawing: Drawing, size: Size, glyphs: Glyphs, style: FaceStyle = PLAIN
) -> list[Row]:
    """Return the largest drawing that fits, in the middle. Raises `ValueError` if none does."""
    fitting = fit_size(drawing.name, *size)
    if fitting is None:
        raise ValueError(size)
    return [
        _centre(row, size[0], style.ground) for row in draw_sized(drawing, fitting, glyphs, style)
    ]


def find_role_face(role: Role, *, veiled: bool) -> Drawing:
    """Return the picture of a role's card, of its back if it is veiled."""
    return Drawing("back") if veiled else find_role(role)


def draw_sized(drawing: Drawing, size: Size, glyphs: Glyphs, style: FaceStyle) -> list[Row]:
    """Return a drawing of exactly this size; if it is chosen and large enough, it has a frame."""
    tint = Tint.IDLE if style.is_idle else Tint.PLAIN
    has_frame = style.is_chosen and size[1] > TILE_SIZE.rows
    rows = draw_rows(drawing, size, glyphs, tint, has_frame=has_frame)
    return [
        panel.merge_pieces(tuple(span._replace(ground=style.ground) for span in row))
        for row in rows
    ]


def frame_card(
    rows: Iterable[Row],
    columns: int,
    border: Border,
    look: Look,
    ground: Ground | None = Ground.CARD,
) -> list[Row]:
    edge = StyledSpan(border.along, look, ground)
    return [
        (StyledSpan(border.top(columns), look, ground),),
        *((edge, *panel.fill_row(row, columns - 2, ground), edge) for row in rows),
        (StyledSpan(border.bottom(columns), look, ground),),
    ]


def _centre(row: Row, columns: int, ground: Ground | None) -> Row:
    before = max((columns - panel.width(row)) // 2, 0)
    return panel.fill_row((StyledSpan(" " * before, ground=ground), *row), columns, ground)


MAX_CARD_COLUMNS: Final = 13
"""Maximum columns of a card and its gap; six of them fit into 80. Drawn cards grow further."""

CARD_NAME_COLUMNS: Final = MAX_CARD_COLUMNS - 3
"""Maximum columns of the name of a card, without its digit and the gap."""

NEW_SIGN: Final = "*"  # sign after the digit of the card drawn last
DRAWN_ROWS: Final = 3  # minimum rows of the face of a card

_COLUMNS: Final = {rows: columns for columns, rows in DRAWN_CARD_SIZES}
"""Columns of larger faces by their rows."""


def measure_slot(columns: int, rows: int = DRAWN_ROWS + 1) -> int:
    """Return the columns of a card in `rows` rows, its gap included."""
    most = max(MAX_CARD_COLUMNS, _COLUMNS.get(rows - 1, 0) + 1)
    return min(most, columns // MAX_HAND_CARDS)


def find_card_at(column: int, columns: int, count: int, rows: int = DRAWN_ROWS + 1) -> int | None:
    """Return the index of the card at a column, or `None`."""
    at = (column - 1) // measure_slot(columns, rows)
    return at if column and at < count else None


@dataclass(frozen=True, slots=True)
class Held:
    """A card of the hand, with everything that decides how it is drawn."""

    at: int
    card: Card
    path: Path | None  # how a path card would lie
    chosen: bool
    idle: bool  # True if it has no target
    is_new: bool = False  # True for the card drawn last

    @staticmethod
    def of(at: int, card: Card, view: View, selection: Selection) -> Held:
        choice, chosen = Choice.of(view, card), at == selection.card
        path = _find_path(choice, selection if chosen else None)
        idle, is_new = not choice.targets, at == _find_last_drawn(view)
        return Held(at, card, path, chosen, idle, is_new)

    @property
    def key(self) -> StyledSpan:
        """Digit of the card, with a mark if it is chosen, else if it was drawn last."""
        mark = ">" if self.chosen else NEW_SIGN if self.is_new else " "
        return StyledSpan(f"{self.at + 1}{mark}", Look.KEY, self.ground)

    @property
    def text(self) -> str:
        """Notation of the card, turned as it would lie."""
        return self.card.text if self.path is None else self.path.text

    @property
    def name(self) -> str:
        if self.path is not None:
            return cards.shape_on_card(self.path)
        if self.card.breaks is not None:
            return pgettext("action", "break")
        if self.card.repairs:
            return pgettext("action", "repair")
        words = cards.card_words(self.card)
        return words if cell_len(words) <= CARD_NAME_COLUMNS else _name_briefly(self.card)

    @property
    def ground(self) -> Ground:
        if self.chosen:
            return Ground.CURSOR
        return Ground.ODD_CARD if self.at % 2 else Ground.CARD

    def line(self, text: str, columns: int) -> StyledSpan:
        """Return a text on the card, in exactly `columns` columns."""
        look = Look.DIM if self.idle and not self.chosen else Look.STRONG
        return StyledSpan(panel.fit_text(text, columns), look, self.ground)


def _find_last_drawn(view: View) -> int | None:
    """Return the index in the hand of the card drawn after the player's last turn, or `None`."""
    for event in reversed(view.history):
        if isinstance(event, Dealt):
            return max(
                (at for at, card in enumerate(view.hand) if card is event.card), default=None
            )
        if isinstance(event, TurnEvent) and event.seat == view.seat:
            return None
    return None


def draw_hand(
    view: View, selection: Selection, columns: int, rows: int, glyphs: Glyphs
) -> list[Row]:
    if not view.hand:
        return [(StyledSpan(f" {no_cards_left()}", Look.DIM),)]
    wide = measure_slot(columns, rows) - 1
    draw = _draw_card if rows > DRAWN_ROWS else _draw_in_a_row
    drawn = [
        draw(Held.of(at, card, view, selection), wide, rows - 1, glyphs)
        for at, card in enumerate(view.hand)
    ]
    gap = (StyledSpan(" "),)
    return [
        panel.fill_row(
            panel.join_rows((gap, *(part for card in drawn for part in (card[row], gap)))), columns
        )
        for row in range(len(drawn[0]))
    ]


def choose_title(view: View, selection: Selection, columns: int) -> str:
    """Return the title of the hand: what the chosen card is and does, in notation if necessary."""
    choice = selection.choice(view)
    if choice is None:
        return _("your hand") if view.hand else ""
    card = choice.card
    path = _find_path(choice, selection)
    words = cards.card_words(card) if path is None else cards.title_path(path)
    spelt = card.text if path is None else path.text
    count = len(choice.targets)
    if card.repairs:
        count = sum(map(len, choice.targets.values()))
    text, can = _("{title}: {facts}"), plays_counted(card, count, view)
    named = [text.format(title=name, facts=can) for name in (words, spelt)]
    fitting = (line for line in named if cell_len(line) <= columns)
    return next(fitting, named[-1])


def _draw_in_a_row(held: Held, columns: int, _rows: int, glyphs: Glyphs) -> list[Row]:
    """Return a card in one row: a path drawn and in notation, an action in short words."""
    text = _name_briefly(held.card, columns - 2)
    if held.path is not None:
        drawn = draw_in_hand(held.path, TileSize.SMALL, glyphs)[0]
        spelt = f"{drawn} {held.text}"  # cut, a crossing would be spelt as a T-junction
        text = spelt if cell_len(spelt) <= columns - 2 else drawn
    return [(held.key, held.line(text, columns - 2))]


def _name_briefly(card: Card, columns: int = CARD_NAME_COLUMNS) -> str:
    """Return an action card in at most this many columns: if its words are longer, in notation."""
    words = cards.path_words(card.ways[0]) if card.ways else cards.action_words(card).short
    return words if cell_len(words) <= columns else card.text


def _draw_card(held: Held, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """Return a card as a row with its name, and below it a drawing or words."""
    name = held.name
    if held.path is None and cell_len(name) > columns - 2:
        name = _name_briefly(held.card, columns - 2)
    top = (held.key, held.line(panel.cut(name, columns - 2), columns - 2))
    if glyphs.cards is not None:
        style = FaceStyle(held.ground, held.chosen, held.idle and not held.chosen)
        return [top, *draw_face(held.card, held.path, (columns, rows), glyphs, style)]
    if held.path is None:
        lines = _list_tools(held.card, columns)
    elif glyphs.is_painted:
        painted = paint_tile(Tile(LaidCard(held.path), has_cursor=held.chosen), TILE_SIZE, glyphs)
        is_dark = held.idle and not held.chosen  # it cannot be played now
        drawn = (panel.dim_row(row) if is_dark else row for row in painted)
        return [top, *(_centre(row, columns, held.ground) for row in drawn)]
    else:
        before = " " * ((columns - TileSize.NORMAL.columns) // 2)
        lines = [before + line for line in draw_in_hand(held.path, TileSize.NORMAL, glyphs)]
    return [top, *((held.line(line, columns),) for line in lines)]


def _find_path(choice: Choice, selection: Selection | None) -> Path | None:
    """Return how a path card would lie: as selected, or as printed; `None` for other cards."""
    if not choice.card.ways:
        return None
    move = (
        None
        if selection is None or selection.discarding
        else choice.play_at(selection.place, selection.turned)
    )
    return move.path if isinstance(move, Lay) else choice.card.ways[0]


def _list_tools(card: Card, columns: int) -> list[str]:
    """Return the tools that an action card is for, in three rows."""
    tools = alternatives([*map(cards.tool_words, card.tools)])
    lines = confine_lines([tools], columns - 2, 0)[:DRAWN_ROWS]
    lines += [""] * (DRAWN_ROWS - len(lines))
    return [f" {line}" for line in lines]


def draw_offer(
    view: View, chosen: int | None, columns: int, rows: int, glyphs: Glyphs
) -> list[Row]:
    """Return the kinds of gold cards, with the number of each."""
    wide = measure_slot(columns, rows)
    is_drawn = glyphs.cards is not None and rows > DRAWN_ROWS
    drawn = [
        _draw_gold(kind, count, (wide, rows), glyphs, chosen=kind == chosen)
        if is_drawn
        else _spell_gold(kind, count, wide, chosen=kind == chosen)
        for kind, count in Counter(view.offer).items()
    ]
    if rows == 1:
        drawn = [[card[0]] for card in drawn]
    indent = (StyledSpan(" "),)
    return [
        panel.fill_row(panel.join_rows((indent, *parts)), columns)
        for parts in zip(*drawn, strict=True)
    ]


def _draw_gold(
    nuggets: int, count: int, size: tuple[int, int], glyphs: Glyphs, *, chosen: bool
) -> list[Row]:
    columns, rows = size
    ground = Ground.CURSOR if chosen else Ground.CARD
    top = (
        StyledSpan(f"{nuggets}{'>' if chosen else ' '}", Look.KEY, ground),
        StyledSpan(panel.fit_text(_spell_count(count), columns - 3), Look.PLAIN, ground),
    )
    style = FaceStyle(ground, is_chosen=chosen)
    if rows > DRAWN_ROWS + 1:
        face = draw_largest(find_gold_card(nuggets), (columns - 1, rows - 1), glyphs, style)
    else:
        nugget, gap = draw_sized(Drawing("pile-1"), _NUGGET_SIZE, glyphs, style), StyledSpan(" ")
        piled = ((*row, *(gap._replace(ground=ground), *row) * (nuggets - 1)) for row in nugget)
        face = [_centre(row, columns - 1, ground) for row in piled]
        words = panel.centre_text(cards.nuggets_counted(nuggets), columns - 1)
        face.append((StyledSpan(words, Look.PLAIN, ground),))
    return [(*row, StyledSpan(" ")) for row in (top, *face)]


def _spell_count(count: int) -> str:
    """Return how many cards of a kind there are, "" for one."""
    return cards.cards_counted(count) if count > 1 else ""


def _spell_gold(nuggets: int, count: int, columns: int, *, chosen: bool) -> list[Row]:
    ground, gap = Ground.CURSOR if chosen else Ground.CARD, StyledSpan(" ")
    inner = columns - 1
    key = StyledSpan(f"{nuggets}{'>' if chosen else ' '} ", Look.KEY, ground)
    signs = StyledSpan(panel.fit_text("$" * nuggets, inner - 3), Look.GOLD, ground)
    below = StyledSpan(" " * inner, Look.PLAIN, ground)
    lines = (cards.nuggets_counted(nuggets), cards.cards_counted(count))
    words = (StyledSpan(panel.fit_text(f" {line}", inner), Look.PLAIN, ground) for line in lines)
    return [(key, signs, gap), (below, gap), *((line, gap) for line in words)]
