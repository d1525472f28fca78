"""The header, one row: whose turn, one's role, round, pile, saboteurs, the last card.

Knows plain values. Where there is no room for all of it, parts are shortened or go, in an order
that keeps one's role, the draw pile and the number of saboteurs to the last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from engine.cards import Role
from engine.deals import SABOTEURS
from engine.table import Phase
from engine.view import View
from sabtui.screen.rows import Ground, Look, Row, Span, cut, filled, joined, width
from sabtui.screen.table.last import last_card
from sabtui.words.cards import role_words
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, pgettext

GAP: Final = 2
CURT: Final = 7
"""Columns of a name where there is little room: letters of two, and a full stop."""


class Part(Enum):
    """A part of the header."""

    TURN = auto()
    ROLE = auto()
    ROUND = auto()
    PILE = auto()
    SABOTEURS = auto()
    LAST = auto()
    TITLE = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A part as it is shown, and what is left of it where there is little room."""

    part: Part
    row: Row
    short: Row = ()


SHORTEN: Final = True
STEPS: Final = (
    (Part.TITLE, not SHORTEN),
    (Part.SABOTEURS, SHORTEN),
    (Part.ROUND, not SHORTEN),
    (Part.LAST, SHORTEN),
    (Part.TURN, SHORTEN),
    (Part.LAST, not SHORTEN),
    (Part.SABOTEURS, not SHORTEN),
    (Part.PILE, not SHORTEN),
    (Part.ROLE, not SHORTEN),
)
"""What is shortened or left out, one after the other, until all that is left fits."""


@dataclass(frozen=True, slots=True)
class About:
    """What the header says beside what the view knows.

    `unveiling` keeps how many saboteurs there were until all dwarves are unveiled.
    """

    title: str
    veiled: bool = False
    unveiling: bool = False
    paused: bool = False


def header(view: View, cast: Cast, about: About, columns: int) -> Row:
    """The row."""
    gap = (Span(" " * GAP),)
    parts = _fitting([piece for piece in _pieces(view, cast, about) if piece.row], columns)
    row = joined(part for piece in parts for part in (piece.row, gap))
    return tuple(span._replace(ground=span.ground or Ground.TITLE) for span in filled(row, columns))


def _fitting(pieces: list[Piece], columns: int) -> list[Piece]:
    """The pieces that fit side by side, shortened where they have to be."""
    for part, shortens in STEPS:
        if _width(pieces) <= columns:
            break
        if shortens:
            pieces = [_shortened(piece) if piece.part is part else piece for piece in pieces]
        else:
            pieces = [piece for piece in pieces if piece.part is not part]
    return pieces


def _shortened(piece: Piece) -> Piece:
    return replace(piece, row=piece.short or piece.row)


def _width(pieces: list[Piece]) -> int:
    return sum(width(piece.row) + GAP for piece in pieces) - GAP


def _pieces(view: View, cast: Cast, about: About) -> list[Piece]:
    number = saboteurs(view, unveiling=about.unveiling)
    return [
        Piece(
            Part.TURN,
            turn(view, cast, paused=about.paused),
            _trimmed(turn(view, _curt(cast), paused=about.paused)),
        ),
        Piece(Part.ROLE, _role(view, veiled=about.veiled)),
        # Translators: in the header: round 2/3; short.
        Piece(
            Part.ROUND,
            _named(pgettext("header", "round"), f"{view.score.number}/{view.score.rounds}"),
        ),
        # Translators: in the header: draw pile 31; short.
        Piece(Part.PILE, _named(pgettext("header", "pile"), str(view.table.pile))),
        Piece(
            Part.SABOTEURS,
            # Translators: in the header: saboteurs 1-2.
            _named(pgettext("header", "saboteurs"), number),
            # Translators: the same where there is little room: sab. 1-2; 4 columns at the most.
            _named(pgettext("header", "sab."), number),
        ),
        Piece(Part.LAST, _last(view, cast), _last(view, _curt(cast))[1:]),
        Piece(Part.TITLE, (Span(about.title, Look.DIM),)),
    ]


def _curt(cast: Cast) -> Cast:
    """The players by names that are cut where there is little room."""
    return replace(cast, names=tuple(cut(name, CURT) for name in cast.names))


def _trimmed(row: Row) -> Row:
    """A row without the blank at its end."""
    return tuple(span._replace(text=span.text.rstrip()) for span in row)


def turn(view: View, cast: Cast, *, paused: bool = False) -> Row:
    """Whose turn it is, or that there is nothing to do now."""
    if paused and view.phase is not Phase.OVER:
        told = _("PAUSED")
        return (Span(f" {told} ", Look.TURN),)
    if view.to_act is None:
        over = view.phase is Phase.OVER
        told = _("game over") if over else _("round over")
        return (Span(f" {told} ", Look.STRONG),)
    if view.to_act == view.seat:
        told = _("YOUR GOLD") if view.phase is Phase.GOLD else _("YOUR TURN")
        return (Span(f" {told} ", Look.TURN, Ground.TURN),)
    told = _("gold: {name}") if view.phase is Phase.GOLD else _("turn: {name}")
    return (Span(f" {told} ".format(name=cast.names[view.to_act]), Look.STRONG),)


def saboteurs(view: View, *, unveiling: bool) -> str:
    """How many saboteurs may be about: one dwarf card is left over (S2)."""
    most = SABOTEURS[view.table.players]
    if view.table.end is not None and not unveiling:
        return str(sum(role is Role.SABOTEUR for role in view.table.end.roles))
    return f"{most - 1}-{most}"


def _role(view: View, *, veiled: bool) -> Row:
    if view.seat is None:
        # Translators: in the header, in place of one's role.
        return (Span(_("watching"), Look.DIM),)
    if view.role is None:
        return ()
    # Translators: in the header, before one's role.
    you = pgettext("header", "you")
    if veiled:
        # Translators: you: hidden, as nobody is to see your role.
        return _named(you, _("hidden"))
    look = Look.GOOD if view.role is Role.MINER else Look.BAD
    return Span(f"{you} ", Look.DIM), Span(role_words(view.role).upper(), look)


def _last(view: View, cast: Cast) -> Row:
    last = last_card(view)
    if last is None:
        return ()
    # Translators: in the header, before who played last, and what.
    return _named(pgettext("header", "last"), f"{cast.call(last.seat)} {last.text}")


def _named(name: str, value: str) -> Row:
    return Span(f"{name} ", Look.DIM), Span(value, Look.STRONG)
