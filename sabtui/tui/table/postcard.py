"""The picture of a finished game to send to friends: its last mine, and everybody on a podium.

The way to the gold shines, and the saboteurs of each round are named. Names are in dots; of a name
in other letters the seat is written.
"""

from __future__ import annotations

from typing import Final

from engine.board import GOAL_CELLS, Cell
from engine.cards import Goal
from engine.view import View
from sabtui.art.canvas import Canvas
from sabtui.art.catalogue import find_dwarf, find_mine, find_pile
from sabtui.art.colours import Colour, Tint
from sabtui.table.sight import Sight
from sabtui.text.i18n import pgettext
from sabtui.text.results import saboteurs_of
from sabtui.tui.table.animation import way_to
from sabtui.tui.theme import drawable, spell_dots

CARD: Final = (144, 128)
"""Pixels of a card of the mine."""

LEAST_COLUMNS: Final = 9
"""Least columns of cards that a picture is wide."""

_MARGIN: Final = 40
_HEAD: Final = 96
_STEPS: Final = (174, 144, 122, 106)
"""Heights of the podium's steps by rank; all others stand on the last one."""
_DWARF: Final = 128
_PILE: Final = 48
_PODIUM: Final = _STEPS[0] + _DWARF + 2 * _MARGIN
_LINE: Final = 48

_GROUND: Final = Colour(23, 21, 18)
_STEP: Final = Colour(64, 55, 48)
_LETTERS: Final = Colour(220, 214, 200)
_GOLD: Final = Colour(242, 193, 78)


def draw_postcard(sight: Sight, day: str) -> bytes:
    """Return the picture of a game that is over, with its day in digits, as a PNG file."""
    view = sight.view
    cells = find_mine(view.table.board, tuple(map(view.goal_on, GOAL_CELLS)))
    west, north = (min(cell[axis] for cell in cells) for axis in (0, 1))
    across = max(cell[0] for cell in cells) + 1 - west
    down = max(cell[1] for cell in cells) + 1 - north
    width = max(across, LEAST_COLUMNS) * CARD[0] + 2 * _MARGIN
    mine_bottom = _HEAD + down * CARD[1]
    bottom = mine_bottom + _LINE + _PODIUM
    canvas = Canvas((width, bottom), _GROUND)
    dots = _spell(sight.title)
    side = max(1, min(6, width * 2 // 3 // len(dots[0])))
    canvas.write(dots, (_MARGIN, _MARGIN - 6), side, _GOLD)
    dots = _spell(day)
    canvas.write(dots, (width - _MARGIN - 4 * len(dots[0]), _MARGIN), 4, _LETTERS)
    left = (width - across * CARD[0]) // 2
    shining = _find_way(view)
    for cell, drawing in cells.items():
        x, y = left + (cell[0] - west) * CARD[0], _HEAD + (cell[1] - north) * CARD[1]
        canvas.paste(drawing, x, y, CARD, Tint.NEW if cell in shining else Tint.PLAIN)
    dots = _spell(_name_saboteurs(sight))
    side = max(1, min(4, (width - 2 * _MARGIN) // len(dots[0])))
    canvas.write(dots, ((width - side * len(dots[0])) // 2, mine_bottom + 16), side, _LETTERS)
    _draw_podium(canvas, sight, bottom)
    return canvas.encode()


def _find_way(view: View) -> frozenset[Cell]:
    """Return the cells of the way to the treasure, none if nobody dug it."""
    board = view.table.board
    for goal in GOAL_CELLS:
        if goal in board.cards and view.goal_on(goal) is Goal.TREASURE:
            way = way_to(goal, board)
            return frozenset((*way, goal)) if way else frozenset()
    return frozenset()


def _name_saboteurs(sight: Sight) -> str:
    """Return the saboteurs of each round in letters that can be drawn."""
    rounds = [
        f"{one.number}: {', '.join(_call(seat, sight) for seat in saboteurs_of(one)) or '-'}"
        for one in sight.tally.rounds
        if one.roles is not None
    ]
    return "   ".join([pgettext("dwarves", "saboteurs"), *rounds])


def _call(seat: int, sight: Sight) -> str:
    """Return a player's name, or the number of the seat if it cannot be drawn."""
    name = sight.names.names[seat]
    return name if drawable(name) else str(seat + 1)


def _draw_podium(canvas: Canvas, sight: Sight, bottom: int) -> None:
    """Draw everybody on a podium, those with the most gold in the middle."""
    score, names = sight.view.score, sight.names
    nuggets = score.nuggets or ()
    ranked = sorted(range(len(nuggets)), key=lambda seat: -nuggets[seat])
    places = [*ranked[1::2][::-1], *ranked[::2]]
    slot = (canvas.size[0] - 2 * _MARGIN) // max(len(places), 1)
    for number, seat in enumerate(places):
        rank = sum(count > nuggets[seat] for count in nuggets)
        height = _STEPS[min(rank, len(_STEPS) - 1)]
        left, top = _MARGIN + number * slot, bottom - height
        canvas.fill(left + 4, top, (slot - 8, height), _STEP)
        side = min(_DWARF, slot - 8)
        canvas.paste(
            find_dwarf(names.colour(seat)), left + (slot - side) // 2, top - side, (side, side)
        )
        colour = _GOLD if seat in (score.winners or ()) else _LETTERS
        dots = _spell(_call(seat, sight))
        side = max(1, min(4, (slot - 16) // len(dots[0])))
        place = left + (slot - side * len(dots[0])) // 2, top + 12
        canvas.write(dots, place, side, colour)
        dots, pile = _spell(str(nuggets[seat])), find_pile(nuggets[seat])
        at = left + slot // 2 - 5 * len(dots[0]) // 2
        if pile is not None:
            at = left + slot // 2 + 6
            canvas.paste(pile, at - _PILE - 8, bottom - _PILE - 2, (_PILE, _PILE))
        canvas.write(dots, (at, bottom - 38), 5, _GOLD)


def _spell(text: str) -> list[str]:
    """Return a text in dots, blank if it cannot be drawn."""
    return spell_dots(drawable(text) or " ")
