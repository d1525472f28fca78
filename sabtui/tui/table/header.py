"""The header, one row: turn, role, round, draw pile, saboteurs, title.

The last card stands in it while the side shows another page than what happened lately.

If it does not fit, parts are shortened or dropped in a fixed order; number of saboteurs, draw pile
and role go last, the turn never.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Final, TypeAlias

from engine.board import Cell
from engine.cards import Role
from engine.dealing import SABOTEURS
from engine.events import Passed, PlayedTurn, move_of
from engine.state import Phase
from engine.view import View
from sabtui.table.sight import Sight, format_time
from sabtui.text.cards import role_words
from sabtui.text.i18n import _, pgettext
from sabtui.tui.table.log_entry import brief_words
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.result_columns import role_look
from sabtui.tui.table.selection import place_of
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, cut, fill_row, join_rows, width


def last_card(view: View) -> PlayedTurn | None:
    """Return the turn in which the last card of the round was played, `None` before the first."""
    return next((one for one in reversed(view.history) if isinstance(one, PlayedTurn)), None)


def newest_cell(view: View) -> Cell | None:
    """Return the cell that the last card was about, `None` if that was none of the mine."""
    last = last_card(view)
    place = None if last is None or isinstance(last, Passed) else place_of(move_of(last))
    return place if isinstance(place, tuple) else None


CLOCK_AFTER_S: Final = 15
"""Seconds of a turn from which on all see how long it has lasted."""

PART_GAP_COLUMNS: Final = 2
SHORT_NAME_COLUMNS: Final = 7
"""Columns of a shortened name, its full stop included."""


class Part(Enum):
    """Part of the header; a game that is watched again has steps, speed and viewer."""

    STEP = auto()
    SPEED = auto()
    VIEWER = auto()
    TURN = auto()
    ROLE = auto()
    ROUND = auto()
    PILE = auto()
    SABOTEURS = auto()
    LAST = auto()
    TITLE = auto()


Parts: TypeAlias = Mapping[Part, tuple[Row, ...]]
"""The parts in order, each with its forms, the longest first."""

SAVINGS: Final = (
    *(Part.TITLE, Part.SABOTEURS, Part.ROUND, Part.LAST, Part.TURN),
    *(Part.LAST, Part.SABOTEURS, Part.PILE, Part.ROLE),
)
"""Parts to shorten, one after the other, until the header fits; without a shorter form they go."""


def header(sight: Sight, model: TableModel, columns: int) -> Row:
    """Return the header of a table."""
    return fit_parts(_parts(sight, model), SAVINGS, columns)


def fit_parts(parts: Parts, savings: Iterable[Part], columns: int) -> Row:
    """Return the parts side by side, with as many of the savings, in order, as it takes to fit."""
    kept = {part: forms for part, forms in parts.items() if forms and width(forms[0])}
    for saved in savings:
        needed = sum(width(forms[0]) + PART_GAP_COLUMNS for forms in kept.values())
        if needed - PART_GAP_COLUMNS <= columns:
            break
        shorter = kept.get(saved, ())[1:]
        if shorter:
            kept[saved] = shorter
        else:
            kept.pop(saved, None)
    gap = (StyledSpan(" " * PART_GAP_COLUMNS),)
    row = join_rows(row for forms in kept.values() for row in (forms[0], gap))
    return tuple(
        span._replace(ground=span.ground or Ground.TITLE) for span in fill_row(row, columns)
    )


def _parts(sight: Sight, model: TableModel) -> Parts:
    view, veiled = sight.view, model.hides_role
    cast = sight.names
    short = replace(cast, names=tuple(cut(name, SHORT_NAME_COLUMNS) for name in cast.names))
    brief = replace(sight, names=short)
    turns = [_turn_or_bot(one, model) for one in (sight, brief)]
    trimmed = tuple(span._replace(text=span.text.rstrip()) for span in turns[1])
    number = saboteurs(view, veiled=veiled)
    # Translators: in the header: saboteurs 1-2.
    named = _draw_named(pgettext("dwarves", "saboteurs"), number)
    # Translators: the same where there is little room: sab. 1-2; 4 columns at the most.
    named_briefly = _draw_named(pgettext("header", "sab."), number)
    return {
        Part.TURN: (turns[0], trimmed),
        Part.ROLE: (_role(view, veiled=veiled),),
        **round_parts(view),
        Part.SABOTEURS: (named, named_briefly),
        Part.LAST: ()
        if model.pane is SidePanel.RECENT  # it stands there
        else (_last(sight, model.glyphs), _last(brief, model.glyphs)[1:]),
        Part.TITLE: ((StyledSpan(sight.title, Look.DIM),),),
    }


def round_parts(view: View) -> Parts:
    """Return the number of the round, and the size of the draw pile."""
    # Translators: in the header: round 2/3; short.
    number = _draw_named(pgettext("header", "round"), f"{view.score.number}/{view.score.rounds}")
    # Translators: in the header: draw pile 31; short.
    pile = _draw_named(pgettext("header", "pile"), str(view.table.pile))
    return {Part.ROUND: (number,), Part.PILE: (pile,)}


def _turn_or_bot(sight: Sight, model: TableModel) -> Row:
    """Return whose turn it is; a bot that plays for the player is named first."""
    row = turn(sight, model.waited)
    if not model.is_on_autopilot:
        return row
    # Translators: in the header of a player for whom a bot plays; short.
    text = _("BOT PLAYS")
    bot = StyledSpan(f" {text} ", Look.TURN, Ground.TURN)
    return (bot,) if sight.is_mine else (bot, *row)


def turn(sight: Sight, waited: int = 0) -> Row:
    """Return whose turn it is, or that the game is paused or the round over.

    Who is to play has had `waited` seconds for it.
    """
    view = sight.view
    if sight.is_paused and view.phase is not Phase.OVER:
        text = _("Paused").upper()
        return (StyledSpan(f" {text} ", Look.TURN),)
    if view.to_act is None:
        over = view.phase is Phase.OVER
        text = _("game over") if over else _("round over")
        return (StyledSpan(f" {text} ", Look.STRONG),)
    if sight.is_mine:
        text = _("YOUR GOLD") if view.phase is Phase.GOLD else _("YOUR TURN")
        return (StyledSpan(f" {text} ", Look.TURN, Ground.TURN), *_clock(sight, waited))
    text = _("gold: {name}") if view.phase is Phase.GOLD else _("turn: {name}")
    text = f" {text} ".format(name=sight.names.names[view.to_act])
    return (StyledSpan(text, Look.STRONG), *_clock(sight, waited))


def _clock(sight: Sight, waited: int) -> Row:
    """Return how long the turn may still last; if it is not limited, how long it has lasted."""
    time = sight.clock or (format_time(waited) if waited >= CLOCK_AFTER_S else "")
    return (StyledSpan(f" {time}", Look.GOLD),) if time else ()


def saboteurs(view: View, *, veiled: bool = False) -> str:
    """Return the number of saboteurs, a range until it is known: one dwarf is left over (S2).

    A saboteur knows of one, and says nothing of that while `veiled`.
    """
    most = SABOTEURS[view.table.players]
    if view.table.end is not None:
        return str(sum(role is Role.SABOTEUR for role in view.table.end.roles))
    least = max(most - 1, view.role is Role.SABOTEUR and not veiled)
    return str(most) if least == most else f"{least}-{most}"


def _role(view: View, *, veiled: bool) -> Row:
    if view.seat is None:
        # Translators: in the header, in place of one's role.
        return (StyledSpan(_("watching"), Look.DIM),)
    if view.role is None:
        return ()
    if veiled:
        # Translators: in the header: role hidden, as nobody is to see it; short.
        return _draw_named(_("role"), pgettext("role", "hidden"))
    # Translators: in the header, before one's role.
    you = pgettext("a player", "you")
    look = role_look(view.role)
    return StyledSpan(f"{you} ", Look.DIM), StyledSpan(role_words(view.role).upper(), look)


def _last(sight: Sight, glyphs: Glyphs) -> Row:
    last = last_card(sight.view)
    if last is None:
        return ()
    # Translators: in the header, before who played last, and what.
    played = brief_words(last, sight.names, glyphs)
    return _draw_named(pgettext("header", "last"), f"{sight.names.call(last.seat)} {played}")


def _draw_named(name: str, value: str) -> Row:
    return StyledSpan(f"{name} ", Look.DIM), StyledSpan(value, Look.STRONG)
