"""Observed moves and turns as text.

Records tell of turns whose move is unknown or is none; those are `ObservedMove`. A turn in a seat's
own record is the move and its results:

    M@8n2:(NE)=EW    NES@7!8:SW=?    x?
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.moves import Move, ObservedMove, read_own_move
from engine.tokens import Span, read_card, read_cell, read_goal_lying, read_goal_seen


def parse_move(text: str) -> Move | ObservedMove:
    """Read a move or an observed move. Raises `NotationError`."""
    return read_move(Span.whole(text))


def format_move(move: Move | ObservedMove) -> str:
    """Spell a move or an observed move."""
    return str(move)


def read_move(span: Span) -> Move | ObservedMove:
    """Read a move or an observed move. Raises `NotationError`."""
    text = span.text
    if any(text == observed.value for observed in ObservedMove):
        return ObservedMove(text)
    return read_own_move(span)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a seat's own record.

    `saw` is the goal that a map showed, `reveals` are the goals turned up and how they lie. `drew`
    is True if a card was drawn, and `card` is that card if it is known.
    """

    move: Move | ObservedMove
    saw: Goal | None = None
    reveals: tuple[tuple[Cell, Path], ...] = ()
    drew: bool = False
    card: Card | None = None


def read_turn(span: Span) -> Turn:
    """Read a turn. Raises `NotationError`."""
    said, drawn = span.parted("=")
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


def _read_reveal(span: Span) -> tuple[Cell, Path]:
    """Read the cell of a goal just revealed, and the path it lies as."""
    cell, path = span.parted(":")
    if path is None:
        raise span.error("missing: which way round the goal lies, as in !8:SW")
    return read_cell(cell), read_goal_lying(path)
