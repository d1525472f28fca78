"""Model -> rows of every part.

What a player knows that the mine does not show: their dwarf, gold, discards, what is left.

Each part of the table as rows, from what is now and what the player looks at.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len

from engine.board import Cell
from engine.cards import Path
from engine.moves import Lay
from engine.state import Phase
from engine.view import View
from net.lobby import Lobby
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.lobby import table_name
from sabtui.text.names import PlayerNames
from sabtui.text.summary import own_lines, pile_lines
from sabtui.tui.mine.beyond import sign_below
from sabtui.tui.mine.picture import Highlights, lying_cells, picture
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table import claims, hand, header, results
from sabtui.tui.table import hand as gold
from sabtui.tui.table import players as seats
from sabtui.tui.table.header import last_card
from sabtui.tui.table.layout import MIN_COLUMNS, MIN_ROWS, Seats
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import PlayersContext
from sabtui.tui.table.selection import Choice, Selection
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, filled, overlaid, ruled


def known(view: View, columns: int, *, veiled: bool) -> list[Row]:
    """The rows."""
    lines = [] if veiled or view.seat is None else own_lines(view)
    return [(StyledSpan(line),) for line in confined([*lines, *pile_lines(view)], columns, 2)]


def head(view: View, lobby: Lobby, names: PlayerNames, model: TableModel) -> list[Row]:
    """The header; in a terminal that is too small, what is needed, and whose turn it is."""
    columns = model.layout.columns
    if not model.layout.is_too_small:
        unveiling = model.unveiled is not None
        about = header.About(table_name(lobby), model.veiled, unveiling, lobby.paused)
        return [header.header(view, names, about, columns)]
    text = _("Sabtui needs {columns}x{rows}.").format(columns=MIN_COLUMNS, rows=MIN_ROWS)
    return [
        filled((*header.turn(view, names, paused=lobby.paused), StyledSpan(f" {text}")), columns)
    ]


def mine(view: View, names: PlayerNames, model: TableModel) -> list[Row]:
    """The mine; once the game is over, who won."""
    layout = model.layout
    if is_final(view, model):
        return results.final_rows(view, names, layout.mine, layout.body, model.glyphs)
    if model.window is None:
        return []
    return picture(view, shown(view, model.selection), model.window, model.glyphs)


def is_final(view: View, model: TableModel) -> bool:
    """Return whether the end of the game stands in place of the mine."""
    return view.phase is Phase.OVER and model.pane is SidePanel.LOG and model.unveiled is None


def shown(view: View, selection: Selection) -> Highlights:
    """What stands out in the mine."""
    last = last_card(view)
    newest = None if last is None else last.cell
    cursor = selection.cell if selection.seat is None else None
    choice = selection.choice(view)
    if choice is None or selection.discarding:
        return Highlights(cursor, new=newest)
    return Highlights(cursor, _marks(choice, selection), _ghost(choice, selection), newest)


def _marks(choice: Choice, selection: Selection) -> Mapping[Cell, CellMark]:
    marks: dict[Cell, CellMark] = {}
    for target in choice.targets:
        if isinstance(target.place, int):
            continue
        marks[target.place] = CellMark.HERE
        if choice.card.ways:
            upright = choice.card.ways[selection.turned % len(choice.card.ways)]
            fits = Lay(upright, target.place) in target.ways
            both = CellMark.BOTH if len(target.ways) > 1 else CellMark.FITS
            marks[target.place] = both if fits else CellMark.TURNED
    return marks


def _ghost(choice: Choice, selection: Selection) -> tuple[Path, bool] | None:
    """The chosen card as it would lie under the cursor."""
    if selection.seat is not None:
        return None
    move = choice.way(selection.cell, selection.turned)
    if not isinstance(move, Lay):
        return None
    target = choice.at(selection.cell)
    return move.path, target is not None and move in target.ways


def seats_part(view: View, model: TableModel) -> Seats:
    """The players' part of the layout."""
    return model.layout.seats(view.table.players, titled=seats.is_upwards(view))


def players(
    view: View, lobby: Lobby, names: PlayerNames, model: TableModel, rows: int
) -> list[Row]:
    """The players, and a rule below them; `rows` are those of the pane, for what takes both."""
    room, selection = seats_part(view, model), model.selection
    if model.about is not None:
        return _claims(view, names, model, room.rows + rows)[: room.rows]
    choice = None if selection.discarding else selection.choice(view)
    seating = PlayersContext(names, model.notes, selection.seat, choice, model.unveiled)
    knows = model.pane is SidePanel.KNOWN or room.is_tall
    lines = seats.seats(view, lobby, seating, room)
    return [*lines, _ruled(_("you know") if knows else _of_log(model), model)]


def _ruled(title: str, model: TableModel) -> Row:
    return ruled(title, model.layout.text, model.glyphs.across)


def _of_log(model: TableModel) -> str:
    return _("older, PgDn goes on") if model.back else _("talk and news")


def pane(view: View, names: PlayerNames, model: TableModel, log: TableLog, rows: int) -> list[Row]:
    """What is below the players."""
    columns = model.layout.text
    if model.about is not None:
        above = seats_part(view, model).rows
        return _claims(view, names, model, above + rows)[above:]
    if seats_part(view, model).is_tall:
        lines = known(view, columns, veiled=model.veiled)[: rows // 2]
        lines.append(_ruled(_of_log(model), model))
        left = log_rows(view, model, rows)
        return lines + log.rows(columns, left, model.back, veiled=model.veiled)
    if model.pane is SidePanel.KNOWN:
        lines = known(view, columns, veiled=model.veiled)
        first = min(model.back, max(len(lines) - rows, 0))
        return lines[first : first + rows]
    return log.rows(columns, rows, model.back, veiled=model.veiled)


def log_rows(view: View, model: TableModel, rows: int) -> int:
    """How many rows of those below the players the log has."""
    if not seats_part(view, model).is_tall:
        return rows
    lines = known(view, model.layout.text, veiled=model.veiled)
    return rows - min(len(lines), rows // 2) - 1


def _claims(view: View, names: PlayerNames, model: TableModel, rows: int) -> list[Row]:
    """Quick claims, which take the place of players and log."""
    return claim_list(view, names, model, rows).shown(model.claims_page)


def claim_list(view: View, names: PlayerNames, model: TableModel, rows: int) -> claims.ClaimList:
    """The list of quick claims in so many rows."""
    listed = claims.claims(view, model.about)
    return claims.ClaimList.of(listed, names, model.layout.text, rows)


def bottom(view: View, names: PlayerNames, model: TableModel) -> list[Row]:
    """The hand and its title, or what takes its place."""
    layout, glyphs = model.layout, model.glyphs
    columns, rows = layout.columns, layout.hand - 1
    match view.phase:
        case Phase.PLAY:
            title = hand.title(view, model.selection, columns - 4)
            below = hand.hand(view, model.selection, columns, rows, glyphs)
        case Phase.GOLD if view.to_act == view.seat and model.unveiled is None:
            title = gold.offer_title()
            below = gold.offer_rows(view, model.selection.kept(view), columns, rows)
        case _:
            title = _("round {number}").format(number=view.score.number)
            below = results.round_rows(view, names, columns, rows, model.unveiled)
    joint = columns - layout.side
    rule = ruled(title, columns, glyphs.across, joint, glyphs.foot)
    return [_with_sign_below(rule, title, view, model), *below]


def _with_sign_below(rule: Row, title: str, view: View, model: TableModel) -> Row:
    """The rule below the mine with the sign for cards that lie south of what is in sight.

    It stands below the mine's right end, or where the title gets that far, after the title.
    """
    if model.window is None or is_final(view, model):
        return rule
    sign = sign_below(lying_cells(view), model.window)
    columns, joint = model.layout.columns, model.layout.mine
    if not sign:
        return rule
    text = f" {sign} "
    titled = cell_len(title) + 4 if title else 0
    at = min(max(joint - len(text), titled), columns - len(text))
    return overlaid(rule, at, StyledSpan(text, Look.TURN))
