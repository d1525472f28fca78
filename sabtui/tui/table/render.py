"""Rows for each part of the table, from the current state and the player's model."""

from __future__ import annotations

from rich.cells import cell_len

from engine.state import Phase
from engine.view import View
from net.client.trail import GameState
from net.lobby.model import Lobby
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.lobby import table_name
from sabtui.text.names import PlayerNames
from sabtui.text.standings import tally_of
from sabtui.text.summary import own_lines, pile_lines
from sabtui.tui.mine.picture import lying_cells, picture
from sabtui.tui.mine.window import sign_below
from sabtui.tui.table import claims, hand, header, results
from sabtui.tui.table import hand as gold
from sabtui.tui.table import players as seats
from sabtui.tui.table.animation import Frame, GoldScene
from sabtui.tui.table.highlights import highlights
from sabtui.tui.table.layout import FOOTER_ROWS, MIN_COLUMNS, MIN_ROWS, Seats
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import PlayersContext
from sabtui.tui.widgets.footer import status_lines
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, filled, overlaid, plain, ruled


def known(view: View, columns: int, *, veiled: bool) -> list[Row]:
    """Return the facts known to the player: dwarf, gold, discards, cards left."""
    lines = [] if veiled or view.seat is None else own_lines(view)
    return [(StyledSpan(line),) for line in confined([*lines, *pile_lines(view)], columns, 2)]


def head(view: View, lobby: Lobby, names: PlayerNames, model: TableModel) -> list[Row]:
    """Return the header; in a terminal that is too small, the turn and the size that is needed."""
    columns = model.layout.columns
    if not model.layout.is_too_small:
        unveiling = model.unveiled is not None
        about = header.About(table_name(lobby), model.veiled, unveiling, lobby.paused)
        return [header.header(view, names, about, columns)]
    text = _("Sabtui needs {columns}x{rows}.").format(columns=MIN_COLUMNS, rows=MIN_ROWS)
    return [
        filled((*header.turn(view, names, paused=lobby.paused), StyledSpan(f" {text}")), columns)
    ]


def mine(view: View, held: GameState, names: PlayerNames, model: TableModel) -> list[Row]:
    """Return the mine; once the game is over, the final result."""
    layout = model.layout
    if is_final(view, model):
        outcome = results.Outcome(view, tally_of(held), names)
        return results.final_rows(outcome, layout.mine, layout.body, model.glyphs)
    if model.window is None:
        return []
    return picture(
        view, highlights(view, model.selection, model.frame.cells), model.window, model.glyphs
    )


def picture_of_result(
    view: View, held: GameState, names: PlayerNames, model: TableModel
) -> list[Row]:
    """Return the final result with all its columns below the table's name, for a picture."""
    outcome = results.Outcome(view, tally_of(held), names)
    return results.picture_rows(outcome, table_name(held.lobby), model.glyphs)


def is_final(view: View, model: TableModel) -> bool:
    """Return True if the final result is shown in place of the mine."""
    return view.phase is Phase.OVER and model.pane is SidePanel.LOG and model.unveiled is None


def seats_part(view: View, model: TableModel) -> Seats:
    """Return the players' part of the layout."""
    return model.layout.seats(view.table.players, titled=seats.is_upwards(view))


def pane_rows(view: View, model: TableModel, sentence: str) -> int:
    """Return the rows of the pane, less those that a long status sentence takes."""
    below = len(status_lines(sentence, model.layout.columns)) + 1
    return max(seats_part(view, model).pane - (below - FOOTER_ROWS), 0)


def players(
    view: View, lobby: Lobby, names: PlayerNames, model: TableModel, rows: int
) -> list[Row]:
    """Return the players and a rule below them.

    `rows` are those of the pane below: an open list of claims takes the room of both.
    """
    room, selection = seats_part(view, model), model.selection
    if model.about is not None:
        return _claims(view, names, model, room.rows + rows)[: room.rows]
    choice = None if selection.discarding else selection.choice(view)
    seating = PlayersContext(names, model.notes, selection.seat, choice, model.unveiled)
    knows = model.pane is SidePanel.KNOWN or room.is_tall
    lines = _in_frame(seats.seats(view, lobby, seating, room), room, model.frame)
    return [*lines, _ruled(_("you know") if knows else _of_log(model), model)]


def _in_frame(rows: list[Row], room: Seats, frame: Frame) -> list[Row]:
    """Return the players' rows with what an animation changes in them for a moment."""
    for seat, changed in frame.seats.items():
        column, row = room.where(seat)
        if row >= len(rows):
            continue
        if changed.flashes:
            text = plain(rows[row])[column : column + room.columns]
            rows[row] = overlaid(rows[row], column, StyledSpan(text, Look.BAD, Ground.TURN))
        if changed.gold is not None:
            at = column + (room.columns - 1) * changed.gold // GoldScene(seat).frames
            rows[row] = overlaid(rows[row], at, StyledSpan("$", Look.GOLD, Ground.TURN))
    return rows


def _ruled(title: str, model: TableModel) -> Row:
    return ruled(title, model.layout.text, model.glyphs.across)


def _of_log(model: TableModel) -> str:
    return _("older, PgDn for newer") if model.back else _("talk and news")


def pane(view: View, names: PlayerNames, model: TableModel, rows: int) -> list[Row]:
    """Return the pane below the players."""
    columns = model.layout.text
    if model.about is not None:
        above = seats_part(view, model).rows
        return _claims(view, names, model, above + rows)[above:]
    if seats_part(view, model).is_tall:
        lines = known(view, columns, veiled=model.veiled)[: rows // 2]
        lines.append(_ruled(_of_log(model), model))
        left = log_rows(view, model, rows)
        return lines + model.log.rows(columns, left, model.back, veiled=model.veiled)
    if model.pane is SidePanel.KNOWN:
        lines = known(view, columns, veiled=model.veiled)
        first = min(model.back, max(len(lines) - rows, 0))
        return lines[first : first + rows]
    return model.log.rows(columns, rows, model.back, veiled=model.veiled)


def log_rows(view: View, model: TableModel, rows: int) -> int:
    """Return how many of the rows below the players belong to the log."""
    if not seats_part(view, model).is_tall:
        return rows
    lines = known(view, model.layout.text, veiled=model.veiled)
    return rows - min(len(lines), rows // 2) - 1


def _claims(view: View, names: PlayerNames, model: TableModel, rows: int) -> list[Row]:
    """Return the rows of the open list of claims, which replaces players and log."""
    return claim_list(view, names, model, rows).shown(model.claims_page)


def claim_list(view: View, names: PlayerNames, model: TableModel, rows: int) -> claims.ClaimList:
    """Return the list of quick claims, in pages of `rows` rows."""
    listed = claims.claims(view, model.about)
    return claims.ClaimList.of(listed, names, model.layout.text, rows)


def bottom(view: View, held: GameState, names: PlayerNames, model: TableModel) -> list[Row]:
    """Return the hand with its title, or the gold on offer, or the result of the round."""
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
            outcome = results.Outcome(view, tally_of(held), names)
            below = results.round_rows(outcome, columns, rows, model.unveiled)
    joint = columns - layout.side
    rule = ruled(title, columns, glyphs.across, joint, glyphs.foot)
    return [_with_sign_below(rule, title, view, model), *below]


def _with_sign_below(rule: Row, title: str, view: View, model: TableModel) -> Row:
    """Return the rule below the mine, with the sign for cards south of the window.

    The sign stands below the right end of the mine, or after the title if that is longer.
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
