"""A turn as a seat's own record tells it: the move, and what came of it.

    M@8n2:(NE)=EW    NES@7!8:SW=?    x?

Knows spelling only; whether it can have happened, `engine.notation.hearing` decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.moves import Move
from engine.notation.cells import read_card, read_cell, read_goal_lying, read_goal_seen
from engine.notation.moves import Heard, read_move
from engine.notation.text import Piece


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was heard of.

    `saw` is what a map showed, `reveals` the goals that came up and how they lie. `drew` tells
    whether a card was drawn, and `card` which, where that is known.
    """

    move: Move | Heard
    saw: Goal | None = None
    reveals: tuple[tuple[Cell, Path], ...] = ()
    drew: bool = False
    card: Card | None = None


def read_turn(piece: Piece) -> Turn:
    """Read a turn. Raises `NotationError`."""
    said, drawn = piece.parted("=")
    done, *reveals = said.split("!")
    move, saw = done, None
    if done.text.startswith(f"{Card.MAP.text}@"):
        move, saw = done.parted(":")
    card = None if drawn is None or drawn.text == "?" else read_card(drawn)
    return Turn(
        move=read_move(move),
        saw=None if saw is None else read_goal_seen(saw),
        reveals=tuple(_read_reveal(reveal) for reveal in reveals),
        drew=drawn is not None,
        card=card,
    )


def _read_reveal(piece: Piece) -> tuple[Cell, Path]:
    """A goal's cell, and how it lies now that it is up."""
    cell, path = piece.parted(":")
    if path is None:
        raise piece.wrong("how the goal lies is missing, as in !8:SW")
    return read_cell(cell), read_goal_lying(path)
