"""Legality of moves, decided by the public table and one hand (RULES T, P, A).

The functions take a `Table`, a seat and that seat's hand, so they cannot leak what other seats
hold; they run the same on the host and on every client. `why_not` returns what is wrong with one
move, `moves` lists all legal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Final, TypeVar, assert_never

from engine.board import LINKED, OPEN_SHIFT, SITE_STATES, Cell, Site
from engine.cards import CARDS, MAP, PATHS, ROCKFALL, Card, Path, Tool, distinct
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

K = TypeVar("K")
V = TypeVar("V")

Hand = tuple[Card, ...]
"""A seat's cards, in the order of the rules."""

# Equal moves share one cached object: looking one up is faster than making it.
_break = lru_cache(maxsize=1 << 6)(Break)
_repair = lru_cache(maxsize=1 << 7)(Repair)
_DISCARD: Final = {card: Discard(card) for card in CARDS}

_LINKED_ONLY: Final = ConnectRule.LINKED


def _ways_that_fit(asked: int) -> tuple[tuple[Path, ...], ...]:
    """Return the ways that each path card fits a site, by the card's index (P2).

    `asked` are the site's requirements, as described in `engine.board`.
    """
    return tuple(
        tuple(path for path in card.ways if path.edges & asked & 15 == asked >> OPEN_SHIFT & 15)
        for card in CARDS
        if card.ways
    )


_FITS: Final = tuple(map(_ways_that_fit, range(SITE_STATES)))
"""The ways that path cards fit, by a site's requirements and then by the card's index."""


class _Memo(dict[K, V]):
    """Cache of a function of one argument: a dict, as it is twice as fast to read as `lru_cache`.

    A full one is cleared.
    """

    def __init__(self, function: Callable[[K], V]) -> None:
        self._function = function

    def __missing__(self, key: K) -> V:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self[key] = found = self._function(key)
        return found


_MAX_REMEMBERED: Final = 1 << 13


def _lays_on(site: Site) -> tuple[tuple[Lay, ...], ...]:
    """Return the ways to lay each path card on a site, by the card's index."""
    cell, asked = site
    here = _LAYS_AT[cell]
    return tuple([tuple([here[path.index] for path in ways]) for ways in _FITS[asked]])


def _lays_at(cell: Cell) -> tuple[Lay, ...]:
    """Return the ways to lay any path card on a cell, by the path's index."""
    return tuple([Lay(path, cell) for path in PATHS])


_LAYS_AT: Final = _Memo(_lays_at)
_LAYS_ON: Final = _Memo(_lays_on)
_ROCKFALL_ON: Final = _Memo(Rockfall)


def moves(table: Table, seat: int, hand: Hand) -> tuple[Play, ...]:
    """Return all moves of a seat on its turn: by card, then by place; discards last.

    They have no duplicates, and their order depends on the table and the hand alone.
    """
    cards = distinct(hand)
    found = plays(table, seat, cards)
    found += discards(cards)
    return tuple(found)


def discards(cards: Collection[Card]) -> list[Play]:
    """Return the discards of these cards, each card given once (T1, T5)."""
    return [_DISCARD[card] for card in cards]


def plays(table: Table, seat: int, cards: Collection[Card]) -> list[Play]:
    """Return all moves of a seat with these cards, each given once, except discards."""
    board, broken = table.board, table.broken
    found: list[Play] = []
    if not broken[seat]:
        is_linked = table.edition.link is _LINKED_ONLY
        sites = board.openings if is_linked else sorted(board.sites.items())
        found += lays(cards, sites)
    for card in cards:
        if card.ways:
            continue
        if card.breaks:
            found += _breaks(card.breaks, broken)
        elif card is MAP:
            found += _maps(board.hidden)
        elif card is ROCKFALL:
            found += [_ROCKFALL_ON[cell] for cell in sorted(board.tunnels())]
        else:
            found += _repairs(card, broken)
    return found


def lays(cards: Collection[Card], sites: Sequence[Site]) -> list[Lay]:
    """Return all ways to lay the path cards among these, each given once, on the given sites.

    `sites` go from west to east, then from north to south; so do the lays of each card.
    """
    on_sites = [_LAYS_ON[site] for site in sites]
    found: list[Lay] = []
    for card in cards:
        if card.ways:
            index = card.index
            for on in on_sites:
                found += on[index]
    return found


# Cached: broken tools and hidden goals change seldom, and every player's moves ask for them.


@lru_cache(maxsize=1 << 13)
def _breaks(tool: Tool, broken: tuple[int, ...]) -> tuple[Play, ...]:
    bit = tool.bit
    return tuple([_break(tool, seat) for seat, tools in enumerate(broken) if not tools & bit])


@lru_cache(maxsize=1 << 13)
def _repairs(card: Card, broken: tuple[int, ...]) -> tuple[Play, ...]:
    return tuple(
        [
            _repair(card, seat, tool)
            for seat, tools in enumerate(broken)
            if tools
            for tool in card.repairs
            if tools & tool.bit
        ]
    )


@lru_cache(maxsize=1 << 3)
def _maps(hidden: tuple[Cell, ...]) -> tuple[Play, ...]:
    return tuple(Map(cell) for cell in hidden)


def can_play(table: Table, seat: int, hand: Hand) -> bool:
    """Return True if a seat could make a move other than a discard, were it its turn (R3)."""
    return any(plays(table, seat, distinct(hand)))


def why_not(table: Table, seat: int, hand: Hand, move: Play) -> Reason | None:
    """Return the reason why a move is illegal for a seat on its turn, or `None` if it is legal."""
    if move.card not in hand:
        return NotInHand(move.card)
    # Not `match`: its class patterns take twice as long.
    if isinstance(move, Discard):
        return None
    if isinstance(move, Lay):
        return _why_not_lay(table, seat, move)
    if isinstance(move, Break):
        return _why_not_break(table, move)
    if isinstance(move, Repair):
        return _why_not_repair(table, move)
    if isinstance(move, Map):
        return None if move.cell in table.board.hidden else NoHiddenGoal(move.cell)
    if isinstance(move, Rockfall):
        return None if move.cell in table.board.tunnels() else NoTunnel(move.cell)
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
    asked = board.sites.get(cell)
    if asked is None:
        if cell in board.cards or cell in board.hidden:
            return CellTaken(cell)
        return TouchesNothing(cell)
    # Sides that have a neighbour and where one edge is open and the other closed (P2).
    clashing = (edges ^ asked >> OPEN_SHIFT) & asked & 15
    if clashing:
        side = clashing & -clashing  # The lowest bit: the first side in the order N, E, S, W.
        return SideClashes(side, bool(edges & side))
    if not asked & LINKED and table.edition.link is _LINKED_ONLY:
        return NotLinked(cell)
    return None
