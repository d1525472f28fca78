"""A fast mutable round, and the policies by which its seats play it to the end.

Everything is known in such a round, so policies are greedy's ideas without any uncertainty. They
are deterministic: of equally good moves the first is taken, seats in the order of play. `FastRound`
uses `engine.board` but skips events, views and legality checks; a test compares it with
`engine.round`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from engine.board import BESIDE_GOALS, GOAL_CELLS, Cell, Site
from engine.bots.distance import (
    NO_FIT_RANK,
    RANK_SCALE,
    SITE_DISTANCES,
    UNREACHABLE_CARDS,
    SiteDistances,
    TargetSet,
    path_of_rank,
    targets_of,
)
from engine.bots.evaluation import (
    BREAK_VALUE,
    CARD_KINDS,
    HARM_VALUE,
    ROCKFALL_LESS_FAR,
    ROLLOUT_MINER,
    ROLLOUT_SABOTEUR,
    TOOL_BITS,
    CardKind,
)
from engine.cards import CARDS, DECK, Goal, Path, Role
from engine.moves import Break, Discard, Lay, Map, Play, Repair, Rockfall
from engine.round import Round, orient_goal

# Global names, because a play-out reads them at every turn and a look-up of two steps costs more.
_THROUGH, _DEAD_END, _BREAK, _REPAIR, _ROCKFALL, _MAP = CardKind
_FROM_MINERS: Final = ROLLOUT_MINER.discard
_FROM_SABOTEURS: Final = ROLLOUT_SABOTEUR.discard
_PATHS: Final = sum(1 for card in CARDS if card.ways)
"""Number of kinds of path cards. They come first in `CARDS`, so their indices are below this."""

NOWHERE: Final[Site] = ((0, 0), 0)
"""Placeholder for a site while no card has been found to fit any."""


def miner_policy(game: FastRound, seat: int) -> int:
    """Make a miner's move, and return the card played.

    Tries, in order: break a plain saboteur's tool, extend the tunnel, repair another miner, repair
    itself, remove a dead end, look at a goal, discard a dead end, map or broken tool, open a side
    branch, discard another card.
    """
    sites, hand, broken = SITE_DISTANCES[game.targets[seat]], game.hands[seat], game.broken[seat]
    foe = _foe(game, seat) if True in game.marked else -1
    if foe >= 0:
        for held in hand:
            if CARD_KINDS[held] is _BREAK:
                _act(game, seat, held, foe)
                return held
    rank, site, card = NO_FIT_RANK, NOWHERE, -1
    ahead = UNREACHABLE_CARDS
    if not broken:
        ahead, near = game.near(game.targets[seat])
        paths = [held for held in hand if held < _PATHS]
        for ranks, at in near:
            for held in paths:
                if ranks[held] < rank:
                    rank, site, card = ranks[held], at, held
        if rank // RANK_SCALE < ahead:
            game.lay(site[0], path_of_rank(rank))
            return card
    most, best, target, cell = -1, -1, -1, None
    for held in hand:
        value, on, fallen = _FROM_MINERS[held], -1, None
        kind = CARD_KINDS[held]
        if kind is _REPAIR:
            on = _friend(game, seat, TOOL_BITS[held])
            if on >= 0:
                value = ROLLOUT_MINER.friend
            elif broken & TOOL_BITS[held]:
                value, on = ROLLOUT_MINER.own, seat
        elif kind is _MAP and game.targets[seat] & (game.targets[seat] - 1):
            value, on = ROLLOUT_MINER.look, seat
        elif kind is _ROCKFALL:
            fallen = _obstacle(game, sites)
            value = ROLLOUT_MINER.clear if fallen else value
        if value > most:
            most, best, target, cell = value, held, on, fallen
    if most < ROLLOUT_MINER.aside and rank // RANK_SCALE <= ahead + 1 and ahead < UNREACHABLE_CARDS:
        game.lay(site[0], path_of_rank(rank))
        return card
    if cell:
        game.board = game.board.without_card(cell)
    elif target >= 0:
        _act(game, seat, best, target)
    return best


def saboteur_policy(game: FastRound, seat: int) -> int:
    """Make a saboteur's move, and return the card played.

    Tries, in order: break a miner's tool, block the tunnel or bring it down near the gold, discard
    a card that miners would dig or repair with, repair itself. It marks itself once it does harm.
    """
    sites, board, broken = SITE_DISTANCES[game.targets[seat]], game.board, game.broken
    most, best, target = -1, -1, -1
    cell: Cell | None = None
    dead_end = NO_FIT_RANK
    for held in game.hands[seat]:
        value, on, at, rank = _FROM_SABOTEURS[held], -1, None, NO_FIT_RANK
        kind = CARD_KINDS[held]
        if kind is _BREAK:
            on = _victim(game, seat, TOOL_BITS[held])
            if on >= 0:
                value = BREAK_VALUE - ROLLOUT_SABOTEUR.less_broken * broken[on].bit_count()
        elif kind is _DEAD_END and not broken[seat]:
            further, at, rank = _gap(game, sites, held)
            value = HARM_VALUE - ROLLOUT_SABOTEUR.less_far * further if at else value
        elif kind is _ROCKFALL:
            away, at = min(
                [(sites.distance(there), there) for there in board.tunnels() & board.reached],
                default=(UNREACHABLE_CARDS, None),
            )
            value = HARM_VALUE - ROCKFALL_LESS_FAR * away if at else value
        elif kind is _REPAIR and broken[seat] & TOOL_BITS[held]:
            value, on = ROLLOUT_SABOTEUR.own, seat
        if value > most:
            most, best, target, cell, dead_end = value, held, on, at, rank
    if cell and dead_end < NO_FIT_RANK:
        game.lay(cell, path_of_rank(dead_end))
    elif cell:
        game.board = board.without_card(cell)
    elif target >= 0:
        _act(game, seat, best, target)
    if cell or CARD_KINDS[best] is _BREAK:
        game.marked[seat] = True
    return best


def _act(game: FastRound, seat: int, card: int, target: int) -> None:
    """Break or repair a tool of the target, or look at a goal, the middle one first.

    A double repair repairs the first of its tools that is broken (A3).
    """
    tools = TOOL_BITS[card]
    if CARD_KINDS[card] is _BREAK:
        game.broken[target] |= tools
    elif CARD_KINDS[card] is _REPAIR:
        tools &= game.broken[target]
        game.broken[target] &= ~(tools & -tools)  # `x & -x` is the lowest bit of x.
    else:
        unsure = game.targets[seat]
        game.look(seat, 1 if unsure & 2 else (unsure & -unsure).bit_length() - 1)


@lru_cache(maxsize=256)
def _seats_after(seat: int, step: int, seats: int) -> tuple[int, ...]:
    """Return the other seats in the order of play."""
    return tuple((seat + away * step) % seats for away in range(1, seats))


def _others(game: FastRound, seat: int) -> tuple[int, ...]:
    """Return the other seats in the order of play."""
    return _seats_after(seat, game.step, game.seats)


def _friend(game: FastRound, seat: int, tools: int) -> int:
    """Return the seat that a miner would repair with a card for these tools, -1 if none."""
    for other in _others(game, seat):
        if game.broken[other] & tools and not game.marked[other]:
            return other
    return -1


def _foe(game: FastRound, seat: int) -> int:
    """Return the first plain saboteur who has no broken tool, for a miner to break one, or -1."""
    for other in _others(game, seat):
        if game.marked[other] and not game.broken[other]:
            return other
    return -1


def _victim(game: FastRound, seat: int, tool: int) -> int:
    """Return the miner with fewest broken tools whose tool of this kind is sound, or -1."""
    sound = [
        other
        for other in _others(game, seat)
        if game.miner[other] and not game.broken[other] & tool
    ]
    return min(sound, key=lambda other: game.broken[other].bit_count(), default=-1)


def _obstacle(game: FastRound, sites: SiteDistances) -> Cell | None:
    """Return the cell of the dead end nearest to the gold, or None."""
    dead_ends = [cell for cell, path in game.board.cards.items() if not path.through]
    return min(dead_ends, key=sites.distance, default=None)


def _gap(game: FastRound, sites: SiteDistances, card: int) -> tuple[int, Cell | None, int]:
    """Return the best opening to block with this dead end: distance, cell and rank.

    The distance is in cards, relative to the opening nearest to the gold.
    """
    near = sorted([(sites[site][-1], site) for site in game.board.openings])
    for away, site in near:
        rank = sites[site][card]
        if rank < NO_FIT_RANK:
            return away - near[0][0], site[0], rank
    return UNREACHABLE_CARDS, None, NO_FIT_RANK


TIEBREAK_WEIGHT: Final = 0.1
"""Weight of the tiebreak, in rounds won: at a win times the share of the deck still unplayed; at a
loss less a tenth of it for each card that the tunnel still needed. So small that it only decides
between moves that win equally often."""

ALL_TARGETS: Final[TargetSet] = targets_of(GOAL_CELLS)
"""All three goals, as a set."""


Near = tuple[int, list[tuple[tuple[int, ...], Site]]]
"""The distance of the nearest opening, and the near ones with the ranks of path cards there."""


class FastRound:
    """A mutable round being played out. Cards are given by their index.

    By seat, `targets` are the goals that the seat may take for the treasure, and `marked` is True
    for plain saboteurs: miners do not repair their tools, and break them. `rumour` are the goals
    that everybody thinks likely. `left` counts the cards not played yet.
    """

    __slots__ = (
        "_near",
        "_near_board",
        "board",
        "broken",
        "goals",
        "hands",
        "left",
        "looks",
        "marked",
        "miner",
        "pile",
        "rumour",
        "seats",
        "step",
        "targets",
        "treasure",
        "turn",
        "won",
    )

    def __init__(self, now: Round, marked: Sequence[bool], rumour: TargetSet = ALL_TARGETS) -> None:
        table = now.table
        assert table.turn is not None
        self.board = self._near_board = table.board
        self._near: dict[TargetSet, Near] = {}
        self.broken = list(table.broken)
        self.hands = [[card.index for card in hand] for hand in now.hands]
        self.pile = [card.index for card in reversed(now.pile)]
        self.left = table.unplayed
        self.seats = table.players
        self.step = table.edition.step
        self.turn = table.turn
        self.miner = [role is Role.MINER for role in now.roles]
        self.goals = now.goals
        self.treasure: TargetSet = 1 << now.goals.index(Goal.TREASURE)
        self.looks = [targets_of(seen) for seen in table.looks]
        self.marked = list(marked)
        self.rumour = rumour
        self.won = False
        self.targets = [self._targets(looked) for looked in self.looks]

    def after(self, move: Play) -> FastRound:
        """Return a copy of this round in which the seat to play has made this move."""
        other = object.__new__(FastRound)
        other.board = self.board
        other._near_board, other._near = self._near_board, self._near
        other.broken = self.broken[:]
        other.hands = [hand[:] for hand in self.hands]
        other.pile = self.pile[:]
        other.left = self.left
        other.seats = self.seats
        other.step = self.step
        other.turn = self.turn
        other.miner = self.miner
        other.goals = self.goals
        other.treasure = self.treasure
        other.looks = self.looks[:]
        other.marked = self.marked[:]
        other.rumour = self.rumour
        other.won = False
        other.targets = self.targets[:]
        other.play(move)
        return other

    def play(self, move: Play) -> None:
        """Make a legal move of the seat to play, draw, and pass the turn."""
        seat = self.turn
        self.hands[seat].remove(move.card.index)
        match move:
            case Lay():
                harm = not move.path.through
                self.lay(move.cell, move.path)
            case Break():
                harm = True
                self.broken[move.target] |= move.tool.bit
            case Rockfall():
                harm = self.board.cards[move.cell].through
                self.board = self.board.without_card(move.cell)
            case Repair():
                harm = False
                self.broken[move.target] &= ~move.tool.bit
            case Map():
                harm = False
                self.look(seat, GOAL_CELLS.index(move.cell))
            case Discard():
                harm = False
            case _:
                assert_never(move)
        if harm and not self.miner[seat]:
            self.marked[seat] = True
        self._end_turn(seat)

    def run(self) -> float:
        """Play to the end; return 1 if the miners win and 0 if they lose, plus a small tiebreak."""
        while self.left and not self.won:
            seat = self.turn
            hand = self.hands[seat]
            if not hand:
                self.turn = (seat + self.step) % self.seats
                continue
            hand.remove(
                miner_policy(self, seat) if self.miner[seat] else saboteur_policy(self, seat)
            )
            self._end_turn(seat)
        if self.won:
            return 1 + TIEBREAK_WEIGHT * self.left / len(DECK)
        return TIEBREAK_WEIGHT - TIEBREAK_WEIGHT / 10 * SITE_DISTANCES[self.treasure].ahead(
            self.board
        )

    def lay(self, cell: Cell, path: Path) -> None:
        """Lay a path card, and reveal the goals it reaches (G1 to G3)."""
        self.board = self.board.with_card(cell, path)
        # Most cards lie far from the goals: skip the search for opened goals, for speed.
        if cell not in BESIDE_GOALS and len(self.board.hidden) == len(GOAL_CELLS):
            return
        while opened := self.board.opened_goals():
            before = self.board
            for at in opened:
                goal = self.goals[GOAL_CELLS.index(at)]
                self.won = self.won or goal is Goal.TREASURE
                self.board = self.board.with_card(at, orient_goal(goal, at, before, cell))
            if self.won:
                return
            self.targets = [self._targets(looked) for looked in self.looks]

    def near(self, targets: TargetSet) -> Near:
        """Return the distance of the nearest opening, and the openings at most one card further.

        With each opening come the ranks of the path cards there. Boards are immutable, so
        what was found for one holds for all seats until the next card is laid or removed.
        """
        if self._near_board is not self.board:
            self._near_board, self._near = self.board, {}
        found = self._near.get(targets)
        if found is None:
            sites = SITE_DISTANCES[targets]
            ranked = [(sites[site], site) for site in self.board.openings]
            ahead = min([ranks[-1] for ranks, _ in ranked], default=UNREACHABLE_CARDS)
            found = ahead, [one for one in ranked if one[0][-1] <= ahead + 1]
            self._near[targets] = found
        return found

    def look(self, seat: int, goal: int) -> None:
        """Let a seat look at a goal (A5).

        Others follow a miner who has looked: by its digging or its word, it becomes the rumour.
        """
        self.looks[seat] |= 1 << goal
        if self.miner[seat]:
            gold = 1 << goal & self.treasure
            self.rumour = gold or self.rumour & ~(1 << goal) or self.rumour
            self.targets = [self._targets(looked) for looked in self.looks]
        else:
            self.targets[seat] = self._targets(self.looks[seat])

    def _targets(self, looked: TargetSet) -> TargetSet:
        """Return the goals that may be the treasure to a seat that has looked at these.

        A seat that has not seen the treasure follows `rumour` where that leaves any goal.
        """
        if looked & self.treasure:
            return self.treasure
        unseen = targets_of(self.board.hidden) & ~looked
        return unseen & self.rumour or unseen

    def _end_turn(self, seat: int) -> None:
        """Count the card as played, draw (T2), and pass the turn."""
        self.left -= 1
        if self.pile:
            self.hands[seat].append(self.pile.pop())
        self.turn = (seat + self.step) % self.seats
