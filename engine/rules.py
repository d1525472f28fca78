"""What a player may do: legality, decided by what lies face up and one hand (RULES T, P, A).

The functions take a `Table`, a seat and that seat's hand, and so cannot leak what anybody else
holds; they run the same on the host and on every client. `why_not` says what is wrong with one
move, `moves` lists all that nothing is wrong with.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from engine.board import LINKED, OPEN_SHIFT, SITE_STATES, Cell, Site
from engine.cards import CARDS, Card, Path, Tool
from engine.edition import ConnectRule
from engine.moves import Break, Discard, Lay, Map, Play, Repair, Rockfall
from engine.reasons import (
    AlreadyBroken,
    CannotRepair,
    CellTaken,
    NoHiddenGoal,
    NoSuchSeat,
    NotBroken,
    NotInHand,
    NotLinked,
    NoTunnel,
    Reason,
    SideClashes,
    ToolsBroken,
    TouchesNothing,
)
from engine.state import Table

Hand = tuple[Card, ...]
"""A seat's cards, in the order of the rules."""

# One object for each move that is in use: a list of moves is mostly looked up, not made.
_lay = lru_cache(maxsize=1 << 14)(Lay)
_rockfall = lru_cache(maxsize=1 << 12)(Rockfall)
_DISCARD: Final = {card: Discard(card) for card in CARDS}


def _ways_that_fit(card: Card) -> tuple[tuple[Path, ...], ...]:
    """For each thing a site may ask (see `engine.board`), how the card can lie there (P2)."""
    return tuple(
        tuple(path for path in card.ways if path.edges & asked & 15 == asked >> OPEN_SHIFT & 15)
        for asked in range(SITE_STATES)
    )


_FITS: Final = {card: _ways_that_fit(card) for card in CARDS if card.ways}


def moves(table: Table, seat: int, hand: Hand) -> list[Play]:
    """All that a seat may do with a hand on its turn: by card, then by place; discards last.

    Without duplicates, and in an order that follows from the table and the hand alone.
    """
    cards = tuple(dict.fromkeys(hand))
    found = plays(table, seat, cards)
    found += discards(cards)
    return found


def discards(cards: Hand) -> list[Play]:
    """The passes that these cards, each given once, allow (T1, T5)."""
    return [_DISCARD[card] for card in cards]


def plays(table: Table, seat: int, cards: Hand) -> list[Play]:
    """What a seat may do with these cards, each given once, other than discard them."""
    found: list[Play] = [] if table.broken[seat] else lays(cards, _sites(table))
    for card in cards:
        if not card.ways:
            found += _actions(table, card)
    return found


def lays(cards: Hand, sites: Sequence[Site]) -> list[Play]:
    """How the path cards among these, each given once, can lie on some of the board's sites."""
    return [
        _lay(path, cell)
        for card in cards
        if card.ways
        for ways in (_FITS[card],)
        for cell, asked in sites
        for path in ways[asked]
    ]


def _sites(table: Table) -> Sequence[Site]:
    """Where a path card could lie and what is asked of it there, west to east, north to south."""
    if table.edition.link is ConnectRule.LINKED:
        return table.board.openings
    return sorted(table.board.sites.items())


def _actions(table: Table, card: Card) -> Sequence[Play]:
    """Where an action card may be played (A1 to A5)."""
    if card is Card.MAP:
        return _maps(table.board.hidden)
    if card is Card.ROCKFALL:
        return [_rockfall(cell) for cell in sorted(table.board.tunnels())]
    return _breaks(card.breaks, table.broken) if card.breaks else _repairs(card, table.broken)


# What these list changes seldom and is asked for often, by one player after the other.


@lru_cache(maxsize=1 << 10)
def _breaks(tool: Tool, broken: tuple[int, ...]) -> tuple[Play, ...]:
    return tuple(Break(tool, seat) for seat, tools in enumerate(broken) if not tools & tool.bit)


@lru_cache(maxsize=1 << 10)
def _repairs(card: Card, broken: tuple[int, ...]) -> tuple[Play, ...]:
    return tuple(
        Repair(card, seat, tool)
        for seat, tools in enumerate(broken)
        for tool in card.repairs
        if tools & tool.bit
    )


@lru_cache(maxsize=1 << 3)
def _maps(hidden: tuple[Cell, ...]) -> tuple[Play, ...]:
    return tuple(Map(cell) for cell in hidden)


def can_play(table: Table, seat: int, hand: Hand) -> bool:
    """Whether a seat could do anything but discard, were it its turn (R3)."""
    return any(plays(table, seat, tuple(dict.fromkeys(hand))))


def why_not(table: Table, seat: int, hand: Hand, move: Play) -> Reason | None:
    """What forbids a seat a move on its turn, `None` where nothing does."""
    if move.card not in hand:
        return NotInHand(move.card)
    match move:
        case Lay():
            return _why_not_lay(table, seat, move)
        case Discard():
            return None
        case Break():
            return _why_not_break(table, move)
        case Repair():
            return _why_not_repair(table, move)
        case Rockfall():
            return None if move.cell in table.board.tunnels() else NoTunnel(move.cell)
        case Map():
            return None if move.cell in table.board.hidden else NoHiddenGoal(move.cell)
        case _:
            assert_never(move)


def _why_not_break(table: Table, move: Break) -> Reason | None:
    if not 0 <= move.target < table.players:
        return NoSuchSeat(move.target)
    broken = table.broken[move.target] & move.tool.bit
    return AlreadyBroken(move.target, move.tool) if broken else None


def _why_not_repair(table: Table, move: Repair) -> Reason | None:
    if move.tool not in move.card.repairs:
        return CannotRepair(move.card, move.tool)
    if not 0 <= move.target < table.players:
        return NoSuchSeat(move.target)
    broken = table.broken[move.target] & move.tool.bit
    return None if broken else NotBroken(move.target, move.tool)


def _why_not_lay(table: Table, seat: int, move: Lay) -> Reason | None:
    board, cell, edges = table.board, move.cell, move.path.edges
    if table.broken[seat]:
        return ToolsBroken(Tool.within(table.broken[seat]))
    if cell in board.cards or cell in board.hidden:
        return CellTaken(cell)
    asked = board.sites.get(cell)
    if asked is None:
        return TouchesNothing(cell)
    clashing = (edges ^ asked >> OPEN_SHIFT) & asked & 15
    if clashing:
        side = clashing & -clashing
        return SideClashes(side, bool(edges & side))
    if not asked & LINKED and table.edition.link is ConnectRule.LINKED:
        return NotLinked(cell)
    return None
