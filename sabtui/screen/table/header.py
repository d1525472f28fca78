"""The header, one row: whose turn, one's role, round, pile, saboteurs, the last card.

Knows plain values. What there is no room for goes, the least important first.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Role
from engine.deals import SABOTEURS
from engine.table import Phase
from engine.view import View
from sabtui.screen.rows import Ground, Look, Row, Span, filled, joined, width
from sabtui.screen.table.last import last_card
from sabtui.words.cards import role_words
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, pgettext

GAP = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of the header; the one with the highest `rank` goes first where there is no room."""

    rank: int
    row: Row


def header(  # noqa: PLR0913 - what is seen, and how much of it
    view: View, cast: Cast, title: str, columns: int, *, veiled: bool, unveiling: bool = False
) -> Row:
    """The row. `unveiling` keeps how many saboteurs there were until all dwarves are unveiled."""
    pieces = [
        piece
        for piece in _pieces(view, cast, title, veiled=veiled, unveiling=unveiling)
        if piece.row
    ]
    while len(pieces) > 1 and _width(pieces) > columns:
        pieces.remove(max(pieces, key=lambda piece: piece.rank))
    gap = (Span(" " * GAP),)
    row = joined(part for piece in pieces for part in (piece.row, gap))
    return tuple(span._replace(ground=span.ground or Ground.TITLE) for span in filled(row, columns))


def _width(pieces: list[Piece]) -> int:
    return sum(width(piece.row) + GAP for piece in pieces)


def _pieces(view: View, cast: Cast, title: str, *, veiled: bool, unveiling: bool) -> list[Piece]:
    return [
        Piece(0, turn(view, cast)),
        Piece(1, _role(view, veiled=veiled)),
        # Translators: in the header: round 2/3; short.
        Piece(4, _named(pgettext("header", "round"), f"{view.score.number}/{view.score.rounds}")),
        # Translators: in the header: draw pile 31; short.
        Piece(3, _named(pgettext("header", "pile"), str(view.table.pile))),
        # Translators: in the header: saboteurs 1-2.
        Piece(5, _named(pgettext("header", "saboteurs"), saboteurs(view, unveiling=unveiling))),
        Piece(2, _last(view, cast)),
        Piece(6, (Span(title, Look.DIM),)),
    ]


def turn(view: View, cast: Cast) -> Row:
    """Whose turn it is."""
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
