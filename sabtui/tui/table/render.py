"""Rows for all parts of the table except its side: header, mine, hand or what replaces it.

If the header does not fit, parts are shortened or dropped in a fixed order, but never the turn. It
shows the last card while the page of recent moves is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Final, TypeAlias

from rich.cells import cell_len

from engine.actions import Map, Rockfall
from engine.cards import Role
from engine.dealing import SABOTEURS
from engine.moves import Lay
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from sabtui.table.sight import Sight, format_time
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.lesson import LessonStatus, task_of
from sabtui.text.moves import your_gold, your_turn
from sabtui.text.seats import watcher_lines
from sabtui.tui.mine.picture import draw_view, lying_cells
from sabtui.tui.mine.tiles import Viewport, sign_below
from sabtui.tui.table import hand, moments
from sabtui.tui.table.animation import Podium
from sabtui.tui.table.layout import MIN_COLUMNS, MIN_ROWS, rows_taken
from sabtui.tui.table.log import brief_words
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.selection import Selection, find_highlights, find_last_turn
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets import panel
from sabtui.tui.widgets.panel import Ground, Look, Row, StyledSpan

CLOCK_AFTER_S: Final = 15  # seconds after which everybody sees how long a turn has lasted

PART_GAP_COLUMNS: Final = 2

SHORT_NAME_COLUMNS: Final = 7  # columns of a shortened name, its full stop included


class Part(Enum):
    """Part of the header; a game that is watched again has steps, speed and viewer."""

    STEP = auto()
    SPEED = auto()
    VIEWER = auto()
    TURN = auto()
    WATCHING = auto()
    ROUND = auto()
    PILE = auto()
    SABOTEURS = auto()
    LAST = auto()
    TITLE = auto()


Parts: TypeAlias = Mapping[Part, tuple[Row, ...]]
"""The parts in order, each with its forms, the longest first."""

SAVINGS: Final = (
    *(Part.TITLE, Part.SABOTEURS, Part.ROUND, Part.LAST, Part.TURN),
    *(Part.LAST, Part.SABOTEURS, Part.PILE, Part.WATCHING),
)
"""Parts to shorten, one after another, until the header fits; without a shorter form they go."""


def fit_parts(parts: Parts, savings: Iterable[Part], columns: int) -> Row:
    """Return the parts side by side, with as many of the savings, in order, as it takes to fit."""
    kept = {part: forms for part, forms in parts.items() if forms and panel.width(forms[0])}
    for saved in savings:
        needed = sum(panel.width(forms[0]) + PART_GAP_COLUMNS for forms in kept.values())
        if needed - PART_GAP_COLUMNS <= columns:
            break
        shorter = kept.get(saved, ())[1:]
        if shorter:
            kept[saved] = shorter
        else:
            kept.pop(saved, None)
    gap = (StyledSpan(" " * PART_GAP_COLUMNS),)
    row = panel.join_rows(row for forms in kept.values() for row in (forms[0], gap))
    return tuple(
        span._replace(ground=span.ground or Ground.TITLE) for span in panel.fill_row(row, columns)
    )


def _list_parts(sight: Sight, model: TableModel) -> Parts:
    view = sight.view
    cast = sight.names
    short = replace(cast, names=tuple(panel.cut(name, SHORT_NAME_COLUMNS) for name in cast.names))
    brief = replace(sight, names=short)
    turns = [_draw_turn_or_bot(known, model) for known in (sight, brief)]
    trimmed = tuple(span._replace(text=span.text.rstrip()) for span in turns[1])
    number = describe_saboteur_count(view)
    # Translators: in the header: saboteurs 1-2.
    named = _draw_named(pgettext("dwarves", "saboteurs"), number)
    # Translators: the same where there is little room: sab. 1-2; 4 columns at the most.
    named_briefly = _draw_named(pgettext("header", "sab."), number)
    return {
        Part.TURN: (turns[0], trimmed),
        Part.WATCHING: (_draw_watching(view),),
        **round_parts(view),
        Part.SABOTEURS: (named, named_briefly),
        Part.LAST: ()
        if model.pane is SidePanel.RECENT  # that page shows it already
        else (_draw_last(sight, model.glyphs), _draw_last(brief, model.glyphs)[1:]),
        Part.TITLE: ((StyledSpan(sight.title, Look.DIM),),),
    }


def round_parts(view: View) -> Parts:
    """Return the number of the round, and the size of the draw pile."""
    # Translators: in the header: round 2/3; short.
    number = _draw_named(pgettext("header", "round"), f"{view.score.number}/{view.score.rounds}")
    # Translators: in the header: draw pile 31; short.
    pile = _draw_named(pgettext("header", "pile"), str(view.table.pile))
    return {Part.ROUND: (number,), Part.PILE: (pile,)}


def _draw_turn_or_bot(sight: Sight, model: TableModel) -> Row:
    """Return whose turn it is; a bot that plays for the player is named first."""
    row = draw_turn(sight, model.waited)
    if not model.is_on_autopilot or sight.view.phase is Phase.OVER:
        return row
    # Translators: in the header of a player for whom a bot plays; short.
    text = _("BOT PLAYS")
    bot = StyledSpan(f" {text} ", Look.TURN, Ground.TURN)
    return (bot,) if sight.is_mine else (bot, *row)


def draw_turn(sight: Sight, waited: int = 0) -> Row:
    """Return whose turn it is, since `waited` seconds, or that the game is paused or over."""
    view = sight.view
    if sight.is_paused and view.phase is not Phase.OVER:
        text = _("Paused").upper()
        return (StyledSpan(f" {text} ", Look.TURN),)
    if view.to_act is None:
        over = view.phase is Phase.OVER
        text = _("game over") if over else _("round over")
        return (StyledSpan(f" {text} ", Look.STRONG),)
    if sight.is_mine:
        text = (your_gold() if view.phase is Phase.GOLD else your_turn()).upper()
        return (StyledSpan(f" {text} ", Look.TURN, Ground.TURN), *_draw_clock(sight, waited))
    text = _("gold: {name}") if view.phase is Phase.GOLD else _("turn: {name}")
    text = f" {text} ".format(name=sight.names.names[view.to_act])
    return (StyledSpan(text, Look.STRONG), *_draw_clock(sight, waited))


def _draw_clock(sight: Sight, waited: int) -> Row:
    """Return the time left in this turn; if unlimited, the time since it began."""
    time = sight.clock or (format_time(waited) if waited >= CLOCK_AFTER_S else "")
    return (StyledSpan(f" {time}", Look.GOLD),) if time else ()


def describe_saboteur_count(view: View) -> str:
    """Return the number of saboteurs, a range until it is known: one dwarf is left over (S2).

    It is the same for everybody, so that it reveals no role to onlookers.
    """
    most = SABOTEURS[view.table.players]
    if view.table.end is not None:
        return str(sum(role is Role.SABOTEUR for role in view.table.end.roles))
    return f"{most - 1}-{most}"


def _draw_watching(view: View) -> Row:
    # Translators: in the header of somebody who has no seat.
    return () if view.seat is not None else (StyledSpan(_("watching"), Look.DIM),)


def _draw_last(sight: Sight, glyphs: Glyphs) -> Row:
    last = find_last_turn(sight.view)
    if last is None:
        return ()
    # Translators: in the header, before who played last, and what.
    played = brief_words(last, sight.names, glyphs)
    return _draw_named(pgettext("header", "last"), f"{sight.names.call(last.seat)} {played}")


def _draw_named(name: str, value: str) -> Row:
    return StyledSpan(f"{name} ", Look.DIM), StyledSpan(value, Look.STRONG)


LESSON_ROWS: Final = 1  # rows that the sentences of most steps of the lesson take from the mine


def draw_header(sight: Sight, model: TableModel) -> list[Row]:
    """Return the header; in a terminal that is too small, the turn and the size that is needed."""
    parts = _list_parts(sight, model)
    return too_small(sight, model) or [fit_parts(parts, SAVINGS, model.layout.columns)]


def too_small(sight: Sight, model: TableModel) -> list[Row]:
    """Return the turn and the size that is needed in a terminal that is too small, else nothing."""
    if not model.layout.is_too_small:
        return []
    text = _("Make the terminal {columns}x{rows} or larger.").format(
        columns=MIN_COLUMNS, rows=MIN_ROWS
    )
    return [panel.fill_row((*draw_turn(sight), StyledSpan(f" {text}")), model.layout.columns)]


def above_sentence(model: TableModel, status: Status, sentence: str) -> TableModel:
    """Return the model with the window above a long sentence, cursor and task in it."""
    taken = rows_taken(sentence, model.layout.columns)
    if isinstance(status, LessonStatus):
        model = _in_lesson(model)
    if taken <= 0:
        return model
    task, seat = task_of(status), model.selection.seat
    kept = [] if seat is not None else [model.selection.cell]
    if task is not None and isinstance(task.action, Lay | Rockfall | Map):
        kept.insert(0, task.action.cell)
    return replace(model, window=model.window.lower(taken, model.cells, *kept))


def _in_lesson(model: TableModel) -> TableModel:
    """Return the model with tiles so small that all of the mine is seen above a task."""
    window, layout, selection = model.window, model.layout, model.selection
    cells = model.cells if selection.seat is not None else model.cells | {selection.cell}
    if model.size is not None or not window.shows_all(cells):
        return model
    lower = Viewport.over(cells, layout.mine, layout.body - LESSON_ROWS)
    if lower.size is window.size or not lower.shows_all(cells):
        return model
    return replace(model, window=replace(window, size=lower.size).around(cells))


def draw_mine(sight: Sight, model: TableModel, sentence: str = "") -> list[Row]:
    """Return the mine; once the game is over, the final result above a long status sentence."""
    layout, view, frame = model.layout, sight.view, model.frame
    room = layout.mine, layout.body - rows_taken(sentence, layout.columns)
    if isinstance(frame.stage, Podium):
        return moments.final_rows(frame.stage.sight, *room, model.glyphs, frame.stage.places)
    if model.shows_result(view):
        drawn = moments.final_rows(sight, *room, model.glyphs)
    else:
        resting = find_highlights(view, model.selection)
        shown = replace(resting, moving=frame.cells, is_dim=frame.is_dim)
        drawn = draw_view(view, shown, model.window, model.glyphs)
    if frame.stage is None:
        return drawn
    return moments.draw_stage(frame.stage, drawn, sight, layout.mine, model.glyphs)


def draw_bottom(sight: Sight, model: TableModel) -> list[Row]:
    """Return the hand, the gold on offer, or the result; nothing during the podium."""
    if model.is_crowning:
        return [rule_below_mine("", sight.view, model)]
    layout, glyphs, view = model.layout, model.glyphs, sight.view
    columns, rows = layout.columns, layout.hand - 1
    match view.phase:
        case Phase.PLAY if view.seat is None:
            title, below = "", list[Row]()
            lines = watcher_lines(waits=sight.waits_for_seat)
            for line in confine_lines(lines, columns - 2, 0)[:rows]:
                below.append((StyledSpan(f" {line}", Look.DIM),))
        case Phase.PLAY:
            title = hand.choose_title(view, model.selection, columns - 4)
            below = hand_rows(view, model.selection, model)
        case Phase.GOLD if sight.is_mine:
            title = _("keep one of these gold cards")
            kept = model.selection.choose_gold(view)
            below = hand.draw_offer(view, kept, columns, rows, glyphs)
        case Phase.OVER if model.shows_result(view):
            below = moments.award_rows(sight, columns, rows)
            title = _("awards") if below else ""
        case _:
            title = _("round {number}").format(number=view.score.number)
            below = moments.round_rows(sight, columns, rows)
    return [rule_below_mine(title, view, model), *below]


def hand_rows(view: View, selection: Selection, model: TableModel) -> list[Row]:
    layout, glyphs = model.layout, model.glyphs
    return hand.draw_hand(view, selection, layout.columns, layout.hand - 1, glyphs)


def hand_rule(title: str, model: TableModel) -> Row:
    """Return the line above the hand, with a joint where the line beside the mine meets it."""
    layout, glyphs = model.layout, model.glyphs
    return panel.draw_rule(title, layout.columns, glyphs.across, layout.mine, glyphs.foot)


def rule_below_mine(title: str, view: View, model: TableModel) -> Row:
    """Return the line below the mine, with the sign for cards south of the window."""
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
    return panel.overlaid(rule, at, StyledSpan(text, Look.TURN))
