"""Rows for all parts of the table but its side, from the current state and the model."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rich.cells import cell_len

from engine.moves import Lay, Map, Rockfall
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from sabtui.table.sight import Sight
from sabtui.text.i18n import _
from sabtui.text.lesson import LessonStatus, task_of
from sabtui.tui.mine.picture import lying_cells, picture
from sabtui.tui.mine.window import Viewport, sign_below
from sabtui.tui.table import hand, header, narrow, results, stages
from sabtui.tui.table.animation import Podium
from sabtui.tui.table.highlights import highlights
from sabtui.tui.table.layout import rows_taken
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.selection import Selection
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, draw_rule, fill_row, overlaid

LESSON_ROWS: Final = 1
"""Rows that the sentences of most steps of the lesson take from the mine."""


def head(sight: Sight, model: TableModel) -> list[Row]:
    """Return the header; in a terminal that is too small, the turn and the size that is needed."""
    columns = model.layout.columns
    return too_small(sight, model) or [header.header(sight, model, columns)]


def too_small(sight: Sight, model: TableModel) -> list[Row]:
    """Return the turn and the size that is needed in a terminal that is too small, else nothing."""
    if not model.layout.is_too_small:
        return []
    columns, rows = model.layout.least
    text = _("Make the terminal {columns}x{rows} or larger.").format(columns=columns, rows=rows)
    return [fill_row((*header.turn(sight), StyledSpan(f" {text}")), model.layout.columns)]


def above_sentence(model: TableModel, status: Status, sentence: str) -> TableModel:
    """Return the model with the window that remains above a status sentence of several lines.

    The cursor stays in sight, and the place that a lesson's task is about.
    """
    taken = rows_taken(sentence, model.layout.columns)
    if isinstance(status, LessonStatus):
        model = _in_lesson(model)
    if taken <= 0 or model.layout.is_narrow:  # there the pane gives way
        return model
    task, seat = task_of(status), model.selection.seat
    kept = [] if seat is not None else [model.selection.cell]
    if task is not None and isinstance(task.deed, Lay | Rockfall | Map):
        kept.insert(0, task.deed.cell)
    return replace(model, window=model.window.lower(taken, model.cells, *kept))


def _in_lesson(model: TableModel) -> TableModel:
    """Return the model with tiles so small that all of the mine is in sight above such sentences.

    They are as small while others play, so that they do not change with each sentence.
    """
    window, layout, selection = model.window, model.layout, model.selection
    cells = model.cells if selection.seat is not None else model.cells | {selection.cell}
    if layout.is_narrow or model.size is not None or not window.shows_all(cells):
        return model
    lower = Viewport.over(cells, layout.mine, layout.mine_rows - LESSON_ROWS)
    if lower.size is window.size or not lower.shows_all(cells):
        return model
    return replace(model, window=replace(window, size=lower.size).around(cells))


def mine(sight: Sight, model: TableModel, sentence: str = "") -> list[Row]:
    """Return the mine; once the game is over, the final result above a long status sentence."""
    layout, view, frame = model.layout, sight.view, model.frame
    taken = 0 if layout.is_narrow else rows_taken(sentence, layout.columns)
    room = layout.mine, layout.mine_rows - taken
    if isinstance(frame.stage, Podium):
        return results.final_rows(frame.stage.sight, *room, model.glyphs, frame.stage.places)
    if model.shows_result(view):
        drawn = results.final_rows(sight, *room, model.glyphs)
    else:
        resting = highlights(view, model.selection)
        shown = replace(resting, moving=frame.cells, is_dim=frame.is_dim)
        drawn = picture(view, shown, model.window, model.glyphs)
    if frame.stage is None:
        return drawn
    return stages.draw_stage(frame.stage, drawn, sight, layout.mine, model.glyphs)


def bottom(sight: Sight, model: TableModel) -> list[Row]:
    """Return the hand with its title, or the gold on offer, or the result of the round.

    While a podium counts up there is nothing that tells it.
    """
    if model.is_crowning:
        return [rule_below_mine("", sight.view, model)]
    layout, glyphs, view = model.layout, model.glyphs, sight.view
    columns, rows = layout.columns, layout.hand - 1
    match view.phase:
        case Phase.PLAY:
            title = hand.title(view, model.selection, columns - 4)
            below = hand_rows(view, model.selection, model)
        case Phase.GOLD if sight.is_mine:
            title = _("keep one of these gold cards")
            kept = model.selection.choose_gold(view)
            below = (
                narrow.offer_rows(view, kept, columns, glyphs)
                if layout.is_narrow
                else hand.offer_rows(view, kept, columns, rows, glyphs)
            )
        case Phase.OVER if model.shows_result(view):
            below = results.award_rows(sight, columns, rows)
            title = _("awards") if below else ""
        case _:
            title = _("round {number}").format(number=view.score.number)
            below = results.round_rows(sight, columns, rows)
    return [rule_below_mine(title, view, model), *below]


def hand_rows(view: View, selection: Selection, model: TableModel) -> list[Row]:
    """Return the cards of the seat that a view is of."""
    layout, glyphs = model.layout, model.glyphs
    if layout.is_narrow:
        return narrow.hand(view, selection, layout.columns, glyphs)
    rows = hand.hand(view, selection, layout.columns, layout.hand - 1, glyphs)
    return hand.lay_role_beside(rows, view, layout.columns, glyphs, veiled=model.hides_role)


def hand_rule(title: str, model: TableModel) -> Row:
    """Return the rule above the hand; that beside the mine ends there."""
    layout, glyphs = model.layout, model.glyphs
    joint = None if layout.is_narrow else layout.mine
    return draw_rule(title, layout.columns, glyphs.across, joint, glyphs.foot)


def rule_below_mine(title: str, view: View, model: TableModel) -> Row:
    """Return the rule below the mine, with the sign for cards south of the window.

    The sign stands below the right end of the mine, or after the title if that is longer.
    """
    rule = hand_rule(title, model)
    if model.shows_result(view):
        return rule
    sign = sign_below(lying_cells(view), model.window)
    columns, joint = model.layout.columns, model.layout.mine
    if not sign:
        return rule
    text = f" {sign} "
    titled = cell_len(title) + 4 if title else 0
    at = min(max(joint - len(text), titled), columns - len(text))
    return overlaid(rule, at, StyledSpan(text, Look.TURN))
