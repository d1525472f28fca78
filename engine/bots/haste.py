"""What the seats of a play-out do: greedy's ideas, for a round in which everything is known.

Each function does a seat's move in the play-out and returns the card that it was done with. There
is no chance in it: of what looks equally good the first is taken, seats in the order of play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.board import Cell, Site
from engine.bots.sites import FAR, NO_WAY, RANKS, SITES, Sites, way
from engine.cards import CARDS, Card

if TYPE_CHECKING:
    from engine.bots.playout import Playout

_THROUGH, _DEAD_END, _BREAK, _REPAIR, _ROCKFALL, _MAP = range(6)


def _kind(card: Card) -> int:
    if card.ways:
        return _THROUGH if card.ways[0].through else _DEAD_END
    if card.breaks:
        return _BREAK
    if card.repairs:
        return _REPAIR
    return _ROCKFALL if card is Card.ROCKFALL else _MAP


def _thrown_away(*, miners: bool) -> tuple[int, ...]:
    """How gladly a side throws a card away, by the card's index."""
    worth = {_DEAD_END: 40, _MAP: 39, _BREAK: 34, _ROCKFALL: 33, _REPAIR: 28}
    if not miners:
        worth = {_REPAIR: 52, _MAP: 41, _DEAD_END: 10, _ROCKFALL: 10, _BREAK: 0}

    def of(card: Card) -> int:
        if _kind(card) == _THROUGH:
            sides = 2 * card.ways[0].edges.bit_count()
            return 30 - sides if miners else 50 + sides
        return worth[_kind(card)]

    return tuple(of(card) for card in CARDS)


_KIND: Final = tuple(_kind(card) for card in CARDS)
_PATHS: Final = sum(1 for card in CARDS if card.ways)
_TOOLS: Final = tuple(
    sum(tool.bit for tool in ((card.breaks,) if card.breaks else card.repairs)) for card in CARDS
)
_FROM_MINERS: Final = _thrown_away(miners=True)
_FROM_SABOTEURS: Final = _thrown_away(miners=False)
_ASIDE: Final = 34
"""What a miner's card is worth that leads neither nearer to the gold nor away from it: another
way on, for when the road is blocked."""

NOWHERE: Final[Site] = ((0, 0), 0)


def mine(game: Playout, seat: int) -> int:
    """Hinder, dig; else help, be able to dig, clear the way, find out where, open a way, wait."""
    sites, hand, broken = SITES[game.targets[seat]], game.hands[seat], game.broken[seat]
    for held in hand:
        if _KIND[held] == _BREAK:
            foe = _foe(game, seat)
            if foe < 0:
                break
            _act(game, seat, held, foe)
            return held
    rank, site, card = NO_WAY, NOWHERE, -1
    ahead = FAR
    if not broken:
        near = [(sites[site], site) for site in game.board.openings]
        ahead = min([ranks[-1] for ranks, _ in near], default=FAR)
        for ranks, at in near:
            if ranks[-1] <= ahead + 1:
                for held in hand:
                    if held < _PATHS and ranks[held] < rank:
                        rank, site, card = ranks[held], at, held
        if rank // RANKS < ahead:
            game.lay(site[0], way(rank))
            return card
    most, best, target, cell = -1, -1, -1, None
    for held in hand:
        worth, on, fallen = _FROM_MINERS[held], -1, None
        kind = _KIND[held]
        if kind == _REPAIR:
            on = _friend(game, seat, _TOOLS[held])
            if on >= 0:
                worth = 96
            elif broken & _TOOLS[held]:
                worth, on = 95, seat
        elif kind == _MAP and game.targets[seat] & (game.targets[seat] - 1):
            worth, on = 41, seat
        elif kind == _ROCKFALL:
            fallen = _obstacle(game, sites)
            worth = 55 if fallen else worth
        if worth > most:
            most, best, target, cell = worth, held, on, fallen
    if most < _ASIDE and rank // RANKS <= ahead + 1 and ahead < FAR:
        game.lay(site[0], way(rank))
        return card
    if cell:
        game.board = game.board.without_card(cell)
    elif target >= 0:
        _act(game, seat, best, target)
    return best


def spoil(game: Playout, seat: int) -> int:
    """Break tools; else block the road or bring it down, and burn what digs."""
    sites, board, broken = SITES[game.targets[seat]], game.board, game.broken
    most, best, target = -1, -1, -1
    cell: Cell | None = None
    dead_end = NO_WAY
    for held in game.hands[seat]:
        worth, on, at, rank = _FROM_SABOTEURS[held], -1, None, NO_WAY
        kind = _KIND[held]
        if kind == _BREAK:
            on = _victim(game, seat, _TOOLS[held])
            worth = 82 - broken[on].bit_count() if on >= 0 else worth
        elif kind == _DEAD_END and not broken[seat]:
            further, at, rank = _gap(game, sites, held)
            worth = 75 - further if at else worth
        elif kind == _ROCKFALL:
            away, at = min(
                [(sites.away(there), there) for there in board.tunnels() & board.reached],
                default=(FAR, None),
            )
            worth = 75 - 2 * away if at else worth
        elif kind == _REPAIR and broken[seat] & _TOOLS[held]:
            worth, on = 45, seat
        if worth > most:
            most, best, target, cell, dead_end = worth, held, on, at, rank
    if cell and dead_end < NO_WAY:
        game.lay(cell, way(dead_end))
    elif cell:
        game.board = board.without_card(cell)
    elif target >= 0:
        _act(game, seat, best, target)
    if cell or _KIND[best] == _BREAK:
        game.marked[seat] = True
    return best


def _act(game: Playout, seat: int, card: int, target: int) -> None:
    """Break or repair a tool of the target, or look at a goal, the middle one first."""
    tools = _TOOLS[card]
    if _KIND[card] == _BREAK:
        game.broken[target] |= tools
    elif _KIND[card] == _REPAIR:
        tools &= game.broken[target]
        game.broken[target] &= ~(tools & -tools)
    else:
        unsure = game.targets[seat]
        game.look(seat, 1 if unsure & 2 else (unsure & -unsure).bit_length() - 1)


def _others(game: Playout, seat: int) -> list[int]:
    """The other seats in the order of play."""
    return [(seat + away * game.step) % game.seats for away in range(1, game.seats)]


def _friend(game: Playout, seat: int, tools: int) -> int:
    """Whom a miner would repair, -1 for nobody."""
    for other in _others(game, seat):
        if game.broken[other] & tools and not game.marked[other]:
            return other
    return -1


def _foe(game: Playout, seat: int) -> int:
    """Whose tool a miner would break, -1 for nobody's."""
    for other in _others(game, seat):
        if game.marked[other] and not game.broken[other]:
            return other
    return -1


def _victim(game: Playout, seat: int, tool: int) -> int:
    """Whose tool of that kind a saboteur would break, -1 for nobody's."""
    sound = [
        other
        for other in _others(game, seat)
        if game.miner[other] and not game.broken[other] & tool
    ]
    return min(sound, key=lambda other: game.broken[other].bit_count(), default=-1)


def _obstacle(game: Playout, sites: Sites) -> Cell | None:
    """The dead end nearest to the gold."""
    dead_ends = [cell for cell, path in game.board.cards.items() if not path.through]
    return min(dead_ends, key=sites.away, default=None)


def _gap(game: Playout, sites: Sites, card: int) -> tuple[int, Cell | None, int]:
    """Where a dead end blocks best: how much further than the head of the tunnel, and its rank."""
    near = sorted([(sites[site][-1], site) for site in game.board.openings])
    for away, site in near:
        rank = sites[site][card]
        if rank < NO_WAY:
            return away - near[0][0], site[0], rank
    return FAR, None, NO_WAY
