"""Legality of moves, decided by the public table and one hand (RULES T, P, A).

The functions take a `Table`, a seat and that seat's hand, so they cannot leak what other seats
hold; they run the same on the host and on every client. `why_not` returns what is wrong with one
move, `list_moves` lists all legal ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.actions import PLAY_OF_CARD
from engine.board import LINKED, OPEN_SHIFT, SITE_STATES, Cell, Site
from engine.cards import CARDS, PATH_CARDS, Card, Tool, drop_copies
from engine.edition import ConnectRule
from engine.moves import (
    PLAY_TYPES,
    CellTaken,
    Discard,
    Lay,
    NotInHand,
    NotLinked,
    PlacedPlay,
    Play,
    Reason,
    SideClashes,
    ToolsBroken,
    TouchesNothing,
    check_move,
)
from engine.readonly import Memo
from engine.state import Table

Hand = tuple[Card, ...]  # a seat's cards, in the order of the rules
_LINKED_ONLY: Final = ConnectRule.LINKED


def _find_fitting_ways(required: int) -> tuple[int, ...]:
    """Return, for each path card, the set of its ways up that fit a site (P2): bit 0 is the first.

    `required` are the requirements of the site, as `SITE_STATES` describes them.
    """
    return tuple(
        sum(
            1 << way
            for way, path in enumerate(card.ways)
            if path.edges & required & 15 == required >> OPEN_SHIFT & 15
        )
        for card in PATH_CARDS
    )


_FITS: Final = tuple(map(_find_fitting_ways, range(SITE_STATES)))
"""The ways up that fit, by a site's requirements and then by the card's index."""


def _list_fitting_lays(site: Site) -> tuple[tuple[Lay, ...], ...]:
    """Return the ways to lay each path card on a site that fit there, by the card's index."""
    cell, required = site
    return tuple(
        [subsets[ways] for subsets, ways in zip(_LAY_SUBSETS[cell], _FITS[required], strict=True)]
    )


def _list_lay_subsets(cell: Cell) -> tuple[tuple[tuple[Lay, ...], ...], ...]:
    """Return lays on a cell, fitting or not: by the card's index, then by a set of ways up.

    For each cell every `Lay` is made once, and shared by all sites that lie there.
    """
    return tuple([_list_subsets([Lay(path, cell) for path in card.ways]) for card in PATH_CARDS])


def _list_subsets(lays: Sequence[Lay]) -> tuple[tuple[Lay, ...], ...]:
    """Return all subsets of one or two lays; the one at index 2 has the second lay only."""
    return tuple(
        [
            tuple([lay for at, lay in enumerate(lays) if bits >> at & 1])
            for bits in range(1 << len(lays))
        ]
    )


_FITTING_LAYS: Final = Memo(_list_fitting_lays)
_LAY_SUBSETS: Final = Memo(_list_lay_subsets)
_DISCARD: Final = {card: Discard(card) for card in CARDS}


def list_moves(table: Table, seat: int, hand: Hand) -> tuple[Play, ...]:
    """Return all moves of a seat on its turn: by card, then by place; discards last.

    There are no duplicates, and the order depends only on the table and the hand.
    """
    cards = drop_copies(hand)
    return (*list_plays(table, seat, cards), *list_discards(cards))


def list_discards(cards: Collection[Card]) -> list[Play]:
    """Return the discards of these cards, each card given once (T1, T5)."""
    return [_DISCARD[card] for card in cards]


def list_plays(table: Table, seat: int, cards: Collection[Card]) -> list[PlacedPlay]:
    """Return all moves with these cards except discards, each once, those of path cards first."""
    board, broken = table.board, table.broken
    found: list[PlacedPlay] = []
    # A broken tool stops only path cards (P4): even a rockfall can be played (A4).
    if not broken[seat]:
        is_linked = table.edition.link is _LINKED_ONLY
        # `sites` has no order, and equal tables must list their moves in the same one.
        found += list_lays(cards, board.openings if is_linked else sorted(board.sites.items()))
    for card in cards:
        if not card.ways:
            found += PLAY_OF_CARD[card].list_legal(card, board, broken)
    return found


def list_lays(cards: Collection[Card], sites: Sequence[Site]) -> list[Lay]:
    """Return all ways to lay the path cards among these, each given once, on the given sites.

    `sites` go from west to east, then from north to south; so do the lays of each card.
    """
    on_sites = [_FITTING_LAYS[site] for site in sites]
    found: list[Lay] = []
    for card in cards:
        if card.ways:
            index = card.index
            for fitting in on_sites:
                if ways := fitting[index]:
                    found += ways
    return found


def can_play(table: Table, seat: int, hand: Hand) -> bool:
    """Return True if a seat could make a move other than a discard, were it its turn (R3)."""
    return any(list_plays(table, seat, drop_copies(hand)))


def why_not(table: Table, seat: int, hand: Hand, move: Play) -> Reason | None:
    """Return the reason why a move is illegal for a seat on its turn, or `None` if it is legal.

    Raises `TypeError` unless the move is a `Play`: a choice of gold takes no turn.
    """
    check_move(move, PLAY_TYPES)
    if move.card not in hand:
        return NotInHand(move.card)
    # Not `match`: its class patterns take twice as long.
    if isinstance(move, Lay):
        return _why_not_lay(table, seat, move)
    return None if isinstance(move, Discard) else move.why_not(table.board, table.broken)


def _why_not_lay(table: Table, seat: int, move: Lay) -> Reason | None:
    board, cell, edges = table.board, move.cell, move.path.edges
    if table.broken[seat]:
        return ToolsBroken(Tool.within(table.broken[seat]))
    # No site lies beside only a face-down goal: it never counts as the card touched (P3).
    required = board.sites.get(cell)
    if required is None:
        if cell in board.cards or cell in board.hidden:
            return CellTaken(cell)
        return TouchesNothing(cell)
    # Sides that have a neighbour and where one edge is open and the other closed (P2).
    clashing = (edges ^ required >> OPEN_SHIFT) & required & 15
    if clashing:
        side = clashing & -clashing  # The lowest bit: the first side in the order N, E, S, W.
        return SideClashes(side, bool(edges & side))
    if not required & LINKED and table.edition.link is _LINKED_ONLY:
        return NotLinked(cell)
    return None
