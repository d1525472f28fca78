"""Pictures of ceremonies over the mine: one's role card, dwarves unmasked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, assert_never

from rich.cells import cell_len

from engine.cards import Role
from sabtui.table.sight import Sight
from sabtui.text.cards import role_words
from sabtui.text.events import your_role
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.tui.mine.cards import draw_picture
from sabtui.tui.mine.picture import WHOLE
from sabtui.tui.table.animation import RoleCard, Unmasking
from sabtui.tui.table.faces import find_role_face
from sabtui.tui.table.podium import draw_masks
from sabtui.tui.table.result_columns import role_look, role_shown
from sabtui.tui.table.results import draw_box, treasure_sentence
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    centre_text,
    cut,
    fill_row,
    fit_text,
    narrow_row,
    overlaid,
    player_look,
    width,
)

CARD_COLUMNS: Final = 27
"""Columns of the role card: an odd number, so that its middle stays in place as it is turned."""

PORTRAIT: Final = 12, 8
"""Columns and rows of the dwarf on the role card."""

MAX_NAME_COLUMNS: Final = 14
"""Most columns of a name in a list of players."""


_Place: TypeAlias = tuple[StyledSpan, StyledSpan]
"""Player in a list: the name, and a word beside it."""


def draw_stage(
    stage: RoleCard | Unmasking,
    mine: Sequence[Row],
    sight: Sight,
    columns: int,
    glyphs: Glyphs,
) -> list[Row]:
    """Return the rows of the mine with what a ceremony shows in their middle."""
    room = columns, len(mine)
    match stage:
        case RoleCard(sevenths):
            drawn = [
                narrow_row(row, CARD_COLUMNS, sevenths)
                for row in _draw_card(stage, sight, len(mine), glyphs)
            ]
        case Unmasking():
            drawn = _draw_unmasking(stage, sight, room, glyphs)
        case _:
            assert_never(stage)
    found, top = list(mine), max((len(mine) - len(drawn)) // 2, 0)
    for at, row in enumerate(drawn[: len(mine)], top):
        found[at] = overlaid(found[at], max((columns - width(row)) // 2, 0), *row)
    return found


def _draw_unmasking(
    unmasking: Unmasking, sight: Sight, room: tuple[int, int], glyphs: Glyphs
) -> list[Row]:
    """Return the roles that are known by now: as cards where they are drawn, else as a list."""
    end, (columns, rows) = unmasking.end, room
    title = treasure_sentence(end.winner)
    if masks := draw_masks(end, unmasking.unmasked, sight, (columns, rows - 1), glyphs):
        return [(StyledSpan(centre_text(title, width(masks[0])), Look.STRONG),), *masks]
    names, unknown = sight.names, StyledSpan("?", Look.DIM)
    places = [
        (
            StyledSpan(names.names[seat], player_look(names.colour(seat))),
            StyledSpan(role_shown(role), role_look(role))
            if seat in unmasking.unmasked
            else unknown,
        )
        for seat, role in enumerate(end.roles)
    ]
    most = max(map(cell_len, map(role_shown, Role)))
    return _draw_list(title, places, most, room, glyphs)


def _draw_card(card: RoleCard, sight: Sight, rows: int, glyphs: Glyphs) -> list[Row]:
    """Return one's own role card, with a portrait where it can be drawn; turning it has no words.

    Both sides have as many rows, and so have the cards of all roles.
    """
    role, inner = sight.view.role or Role.MINER, CARD_COLUMNS - 2
    texts = confine_lines([your_role(role)], inner - 2, 0)
    most = max(len(confine_lines([your_role(one)], inner - 2, 0)) for one in Role)
    portrait = draw_picture(find_role_face(role, veiled=not card.is_up), PORTRAIT, glyphs)
    if len(portrait) + most + 2 > rows:
        portrait = ()
    height = (len(portrait) or 2) + most
    look = role_look(role) if card.is_up else Look.STRONG
    body: list[Row] = []
    if card.sevenths == WHOLE:
        head = role_words(role).upper() if card.is_up else "?"
        body = _centre([head, ""], look, inner)
        if portrait:
            side = StyledSpan(" " * ((inner - PORTRAIT[0]) // 2), Look.PLAIN, Ground.CARD)
            body = [fill_row((side, *row), inner, Ground.CARD) for row in portrait]
        if not card.is_up:
            texts = confine_lines([_("Only you may look: press any key.")], inner - 2, 0)
        body += _centre(texts, Look.PLAIN if card.is_up else look, inner)
    above = (height - len(body)) // 2
    blank = fill_row((), inner, Ground.CARD)
    body = [*[blank] * above, *body, *[blank] * (height - len(body) - above)]
    frame = glyphs.chosen_face_down
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across, edge = frame.across * inner, StyledSpan(frame.along, look, Ground.CARD)
    return [
        (StyledSpan(upper_left + across + upper_right, look, Ground.CARD),),
        *((edge, *line, edge) for line in body),
        (StyledSpan(lower_left + across + lower_right, look, Ground.CARD),),
    ]


def _centre(lines: Sequence[str], look: Look, columns: int) -> list[Row]:
    """Return lines in the middle of a card."""
    return [(StyledSpan(centre_text(line, columns), look, Ground.CARD),) for line in lines]


def _draw_list(
    title: str, places: Sequence[_Place], worn: int, room: tuple[int, int], glyphs: Glyphs
) -> list[Row]:
    """Return a title and players below it, in a box if there is room for one.

    `worn` is the columns of the longest word beside a name.
    """
    columns, rows = room
    named = min(max(cell_len(name.text) for name, _word in places), MAX_NAME_COLUMNS)
    inner = min(max(cell_len(title), named + 2 + worn), columns - 4)
    lines: list[Row] = [(StyledSpan(cut(title, inner), Look.STRONG),)]
    lines += [
        (name._replace(text=fit_text(cut(name.text, named), named + 2)), word)
        for name, word in places
    ]
    if len(lines) + 2 <= rows:
        return [fill_row(row, inner + 4) for row in draw_box(lines, inner, glyphs)]
    return [fill_row(row, inner) for row in lines]
