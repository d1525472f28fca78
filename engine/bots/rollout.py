"""Play-outs: a fast mutable round, in which everything is known, played to its end by policies.

`FastRound` skips events, views and legality checks; a test compares it with `engine.round`. Its
seats play by two policies, much like `greedy` but with full knowledge. They are deterministic: of
equally good moves the first is taken, seats in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS
from engine.bots.evaluation import (
    CARD_KINDS,
    HARM_VALUE,
    ROCKFALL_LESS_FAR,
    ROLLOUT_MINER,
    ROLLOUT_SABOTEUR,
    STRIKE_CARDS,
    STRIKE_UNPLAYED,
    TOOL_BITS,
)
from engine.bots.fast_board import (
    CELL_BITS,
    CELL_MASK,
    NO_FIT_RANK,
    PACKED_RANKS,
    RANK_SCALE,
    UNREACHABLE_CARDS,
    FastBoard,
    TargetSet,
    pack_cell,
    path_of_rank,
    targets_of,
)
from engine.cards import CARD_OF_PATH, DECK, PATH_CARDS, CardKind, Goal, Path, Role, Tool
from engine.moves import Lay, Play
from engine.round import Round

ALL_TARGETS: Final[TargetSet] = targets_of(GOAL_CELLS)
"""All three goals, as a set."""


_NO_WAY: Final = UNREACHABLE_CARDS << CELL_BITS
"""The packed distance where no tunnel leads on."""

Near = tuple[int, list[tuple[int, ...]]]
"""The distance of the nearest opening, and the packed ranks of path cards on the near ones."""


class FastRound:
    """A mutable round being played out. Cards are given by their index.

    By seat, `targets` are the goals that the seat may take for the treasure, and `marked` is True
    for saboteurs that everybody knows: miners break their tools, and repair none of them. `hides`
    is False for those that were known from the start. `rumour` are the goals that everybody thinks
    likely. `left` counts the cards not played yet.
    """

    __slots__ = (
        "_near",
        "board",
        "broken",
        "goals",
        "hands",
        "hides",
        "left",
        "looks",
        "marked",
        "miner",
        "others",
        "pile",
        "rumour",
        "seats",
        "step",
        "targets",
        "treasure",
        "turn",
        "won",
    )

    def __init__(
        self,
        now: Round,
        marked: Sequence[bool],
        rumour: TargetSet = ALL_TARGETS,
        board: FastBoard | None = None,
    ) -> None:
        """Begin from the state of a round. An equal `board` may be passed, to save time."""
        table = now.table
        assert table.turn is not None
        self.board = FastBoard(table.board) if board is None else board
        self._near: dict[TargetSet, Near] = {}
        self.broken = list(table.broken)
        self.hands = [[card.index for card in hand] for hand in now.hands]
        self.pile = [card.index for card in reversed(now.pile)]
        self.left = table.unplayed
        self.seats = table.players
        self.step = table.edition.step
        self.others = _list_others(self.step, self.seats)
        self.turn = table.turn
        self.miner = [role is Role.MINER for role in now.roles]
        self.goals = now.goals
        self.treasure: TargetSet = 1 << now.goals.index(Goal.TREASURE)
        self.looks = [targets_of(seen) for seen in table.looks]
        self.marked = list(marked)
        self.hides = [not known for known in marked]
        self.rumour = rumour
        self.won = False
        self.targets: list[TargetSet] = self._find_targets()

    def after(self, move: Play) -> FastRound:
        """Return a copy of this round in which the seat to play has made this move."""
        other = object.__new__(FastRound)
        other.board = self.board.copy()
        # Shared for as long as the boards are equal: `lay` and `remove` begin a new one.
        other._near = self._near
        other.broken = self.broken[:]
        other.hands = [hand[:] for hand in self.hands]
        other.pile = self.pile[:]
        other.left = self.left
        other.seats = self.seats
        other.step = self.step
        other.others = self.others
        other.turn = self.turn
        other.miner = self.miner
        other.goals = self.goals
        other.treasure = self.treasure
        other.looks = self.looks[:]
        other.marked = self.marked[:]
        other.hides = self.hides
        other.rumour = self.rumour
        other.won = False
        other.targets = self.targets[:]
        other.play(move)
        return other

    def play(self, move: Play) -> None:
        """Make a legal move of the seat to play, draw, and pass the turn."""
        seat = self.turn
        self.hands[seat].remove(move.card.index)
        harm = False
        match move:
            case Lay():
                harm = not move.path.through
                self.lay(pack_cell(move.cell), move.path)
            case Break():
                harm = True
                self.broken[move.target] |= move.tool.bit
            case Rockfall():
                cell = pack_cell(move.cell)
                harm = self.board.cards[cell].through
                self.remove(cell)
            case Repair():
                self.broken[move.target] &= ~move.tool.bit
            case Map():
                self.look(seat, GOAL_CELLS.index(move.cell))
            case _:
                pass
        if harm and not self.miner[seat]:
            self.marked[seat] = True
        self.left -= 1
        if self.pile:
            self.hands[seat].append(self.pile.pop())
        self.turn = (seat + self.step) % self.seats

    def lay(self, cell: int, path: Path) -> None:
        """Lay a path card, and reveal the goals it reaches (G1 to G4)."""
        self._near = {}
        if self.board.lay(cell, path):
            found = self.board.reveal(self.goals, cell)
            if found:
                self.won = Goal.TREASURE in found
                self.targets = self._find_targets()

    def remove(self, cell: int) -> None:
        """Take a tunnel card off the table (A4)."""
        self._near = {}
        self.board.remove(cell)

    def near(self, targets: TargetSet) -> Near:
        """Return the distance of the nearest opening, and the openings at most one card further.

        Holes that cut a tunnel off from the start are among these, however far away they are. The
        result is valid for all seats until the next card is laid or removed.
        """
        found = self._near.get(targets)
        if found is None:
            openings, sites = self.board.openings, PACKED_RANKS[targets]
            # `map` over functions in C takes two thirds of the time of a comprehension.
            away = [*map(sites.distance.__getitem__, openings)]
            ahead = min(away) >> CELL_BITS if away else UNREACHABLE_CARDS
            limit = ahead + 2 << CELL_BITS
            close = [sites.ranks[openings[far & CELL_MASK]] for far in away if far < limit]
            if self.board.cut_off:
                for hole, ends in self.board.find_holes().items():
                    beyond = min(map(sites.distance.__getitem__, ends), default=_NO_WAY)
                    close.append(sites.joined[openings[hole], beyond >> CELL_BITS])
            found = self._near[targets] = ahead, close
        return found

    def look(self, seat: int, goal: int) -> None:
        """Let a seat look at a goal (A5).

        What a miner sees becomes the rumour, as the others follow its digging or its claim.
        """
        self.looks[seat] |= 1 << goal
        if self.miner[seat]:
            gold = 1 << goal & self.treasure
            self.rumour = gold or self.rumour & ~(1 << goal) or self.rumour
            self.targets = self._find_targets()
        else:
            self.targets[seat] = self._find_targets()[seat]

    def _find_targets(self) -> list[TargetSet]:
        """Return, for each seat, the goals that may be the treasure as far as it has looked.

        A seat that has not seen the treasure follows `rumour` where that leaves any goal.
        """
        hidden, treasure = self.board.hidden_goals(), self.treasure
        likely = hidden & self.rumour
        return [
            treasure if looked & treasure else likely & ~looked or hidden & ~looked
            for looked in self.looks
        ]


@lru_cache(maxsize=64)
def _list_others(step: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat, the other seats in the order of play."""
    return tuple(
        tuple((seat + away * step) % seats for away in range(1, seats)) for seat in range(seats)
    )


# For speed: global names, because a play-out reads them at every turn and an attribute costs more;
# and no `key` or `default` of `min` where loops are hot, which Python is slow to pass.
_DEAD_END: Final = CardKind.DEAD_END
_REPAIR: Final = CardKind.REPAIR
_ROCKFALL: Final = CardKind.ROCKFALL
_MAP: Final = CardKind.MAP
_MINER_DISCARDS: Final = ROLLOUT_MINER.discard
_SABOTEUR_DISCARDS: Final = ROLLOUT_SABOTEUR.discard
_PATHS: Final = len(PATH_CARDS)
"""Number of the path cards. They come first in `CARDS`, so their indices are below this."""

_CARDS_OF_PATHS: Final = tuple(card.index for card in CARD_OF_PATH)
_BREAKS: Final = frozenset(card for card, kind in enumerate(CARD_KINDS) if kind is CardKind.BREAK)
_FIRST_DEAD_END: Final = CARD_KINDS.index(_DEAD_END)
"""Index of the first dead end. Only through cards come before it."""

_FIRST_REPAIR: Final = CARD_KINDS.index(_REPAIR)
"""Index of the first repair. No path card and no broken tool comes after it."""

_NO_FIT: Final = NO_FIT_RANK << CELL_BITS
"""The packed rank of a card that fits nowhere, as in `PackedRanks`."""
_DISTANCE: Final = RANK_SCALE << CELL_BITS
"""Factor of the distance in a packed rank."""

TIEBREAK_WEIGHT: Final = 0.1
"""Weight of the tiebreak, in rounds won: at a win times the share of the deck still unplayed; at a
loss less a tenth of it for each card that the tunnel still needed. So small that it only decides
between moves that win equally often."""


def is_won(result: float) -> bool:
    """Return True for the result of a won round; results are 1 or 0, plus or minus a tiebreak."""
    return result > 0.5


def roll_out(game: FastRound) -> float:
    """Play a round to its end; return 1 if the miners win and 0 if not, plus a small tiebreak."""
    hands, miner, pile = game.hands, game.miner, game.pile
    step, seats, seat, left = game.step, game.seats, game.turn, game.left
    policies = [miner_policy if digs else saboteur_policy for digs in miner]
    while left and not game.won:
        hand = hands[seat]
        if hand:
            hand.remove(policies[seat](game, seat))
            left -= 1
            game.left = left
            if pile:
                hand.append(pile.pop())
        seat = (seat + step) % seats
    if game.won:
        return 1 + TIEBREAK_WEIGHT * left / len(DECK)
    ahead, _ = game.near(game.treasure)
    return TIEBREAK_WEIGHT - TIEBREAK_WEIGHT / 10 * ahead


def miner_policy(game: FastRound, seat: int) -> int:
    """Make a miner's move, and return the card played.

    Tries, in order: break a tool of a marked saboteur, extend the tunnel, repair another miner,
    repair itself, remove a dead end, look at a goal, discard a dead end, map or broken tool, open a
    side branch, discard another card. It only discards cards of any other kind.
    """
    hand, broken, targets = game.hands[seat], game.broken[seat], game.targets[seat]
    if True in game.marked and not _BREAKS.isdisjoint(hand):
        foe = _find_foe(game, seat)
        if foe >= 0:
            card = next(held for held in hand if held in _BREAKS)
            game.broken[foe] |= TOOL_BITS[card]
            return card
    rank, ahead = _NO_FIT, UNREACHABLE_CARDS
    if not broken:
        ahead, near = game.near(targets)
        rank = _find_best_rank(near, hand)
        if rank // _DISTANCE < ahead:
            return _lay(game, rank)
    most, best, target, cell = -1, -1, -1, -1
    for held in hand:
        value = _MINER_DISCARDS[held]
        if held < _FIRST_REPAIR:
            if value > most:
                most, best, target, cell = value, held, -1, -1
            continue
        on = fallen = -1
        kind = CARD_KINDS[held]
        if kind is _REPAIR:
            on = _find_friend(game, seat, TOOL_BITS[held])
            if on >= 0:
                value = ROLLOUT_MINER.friend
            elif broken & TOOL_BITS[held]:
                value, on = ROLLOUT_MINER.own, seat
        elif kind is _MAP:
            if targets & (targets - 1):
                value, on = ROLLOUT_MINER.look, seat
        elif kind is _ROCKFALL:
            fallen = _find_obstacle(game, targets)
            if fallen >= 0:
                value = ROLLOUT_MINER.clear
        if value > most:
            most, best, target, cell = value, held, on, fallen
    if most < ROLLOUT_MINER.aside and rank // _DISTANCE <= ahead + 1 and ahead < UNREACHABLE_CARDS:
        return _lay(game, rank)
    if cell >= 0:
        game.remove(cell)
    elif target >= 0:
        _act(game, seat, best, target)
    return best


def saboteur_policy(game: FastRound, seat: int) -> int:
    """Make a saboteur's move, and return the card played.

    Tries, in order: break a miner's tool, block the tunnel or bring it down near the gold, discard
    a card that miners would dig or repair with, repair itself. It becomes marked once it does harm.
    Before it is time to strike, one that hides only discards.
    """
    targets, broken, hand = game.targets[seat], game.broken, game.hands[seat]
    if game.left > STRIKE_UNPLAYED and game.hides[seat]:
        ahead, _ = game.near(targets)
        if ahead > STRIKE_CARDS:
            return max(hand, key=_SABOTEUR_DISCARDS.__getitem__)
    if not _BREAKS.isdisjoint(hand) and (card := _break_miner(game, seat)) >= 0:
        return card
    most, best, target, cell, rank = -1, -1, -1, -1, _NO_FIT
    for held in hand:
        value = _SABOTEUR_DISCARDS[held]
        if held < _FIRST_DEAD_END:
            if value > most:
                most, best, target, cell, rank = value, held, -1, -1, _NO_FIT
            continue
        kind = CARD_KINDS[held]
        on, at, dead_end = -1, -1, _NO_FIT
        if kind is _DEAD_END:
            if not broken[seat]:
                further, dead_end = _find_gap(game, targets, held)
                if dead_end < _NO_FIT:
                    value = HARM_VALUE - ROLLOUT_SABOTEUR.less_far * further
        elif kind is _REPAIR:
            if broken[seat] & TOOL_BITS[held]:
                value, on = ROLLOUT_SABOTEUR.own, seat
        elif kind is _ROCKFALL:
            distances = PACKED_RANKS[targets].distance
            tunnels = game.board.tunnels()
            if tunnels:
                away = min(map(distances.__getitem__, tunnels))
                value = HARM_VALUE - ROCKFALL_LESS_FAR * (away >> CELL_BITS)
                at = away & CELL_MASK
        if value > most:
            most, best, target, cell, rank = value, held, on, at, dead_end
    if rank < _NO_FIT:
        _lay(game, rank)
        game.marked[seat] = True
    elif cell >= 0:
        game.remove(cell)
        game.marked[seat] = True
    elif target >= 0:
        _act(game, seat, best, target)
    return best


def _break_miner(game: FastRound, seat: int) -> int:
    """Break the tool that hinders a miner most, and return the card played, -1 if there is none.

    Nothing that a saboteur can do is worth as much, so it need not rate other cards.
    """
    best, target, fewest = -1, -1, len(Tool) + 1
    for held in game.hands[seat]:
        if held in _BREAKS:
            on = _find_victim(game, seat, TOOL_BITS[held])
            if on >= 0 and game.broken[on].bit_count() < fewest:
                best, target, fewest = held, on, game.broken[on].bit_count()
    if best >= 0:
        game.broken[target] |= TOOL_BITS[best]
        game.marked[seat] = True
    return best


def _find_best_rank(near: list[tuple[int, ...]], hand: list[int]) -> int:
    """Return the least packed rank of the path cards of a hand on these openings."""
    best = _NO_FIT
    for card in hand:
        if card < _PATHS:
            for ranks in near:
                if ranks[card] < best:  # noqa: PLR1730 - a call of `min` takes far longer
                    best = ranks[card]
    return best


def _lay(game: FastRound, rank: int) -> int:
    """Lay the path card of a packed rank where the rank says, and return the card."""
    path = path_of_rank(rank >> CELL_BITS)
    game.lay(rank & CELL_MASK, path)
    return _CARDS_OF_PATHS[path.index]


def _act(game: FastRound, seat: int, card: int, target: int) -> None:
    """Repair a tool of the target, or look at a goal, the middle one first.

    A double repair repairs the first of its tools that is broken (A3).
    """
    if CARD_KINDS[card] is _REPAIR:
        tools = TOOL_BITS[card] & game.broken[target]
        game.broken[target] &= ~(tools & -tools)  # `x & -x` is the lowest bit of x.
    else:
        unsure = game.targets[seat]
        game.look(seat, 1 if unsure & 2 else (unsure & -unsure).bit_length() - 1)


def _find_friend(game: FastRound, seat: int, tools: int) -> int:
    """Return the seat that a miner would repair with a card for these tools, -1 if none."""
    broken, marked = game.broken, game.marked
    for other in game.others[seat]:
        if broken[other] & tools and not marked[other]:
            return other
    return -1


def _find_foe(game: FastRound, seat: int) -> int:
    """Return the first marked saboteur who has no broken tool, -1 if there is none."""
    broken, marked = game.broken, game.marked
    for other in game.others[seat]:
        if marked[other] and not broken[other]:
            return other
    return -1


def _find_victim(game: FastRound, seat: int, tool: int) -> int:
    """Return the miner with fewest broken tools whose `tool` is sound, -1 if there is none."""
    victim, fewest = -1, len(Tool) + 1
    broken, miner = game.broken, game.miner
    for other in game.others[seat]:
        if miner[other] and not broken[other] & tool and broken[other].bit_count() < fewest:
            victim, fewest = other, broken[other].bit_count()
    return victim


def _find_obstacle(game: FastRound, targets: TargetSet) -> int:
    """Return the cell of the dead end nearest to the gold, -1 if there is none."""
    dead_ends = [cell for cell, path in game.board.cards.items() if not path.through]
    if not dead_ends:
        return -1
    distances = PACKED_RANKS[targets].distance
    return min(dead_ends, key=lambda cell: distances[cell] >> CELL_BITS)


def _find_gap(game: FastRound, targets: TargetSet, card: int) -> tuple[int, int]:
    """Return the distance and packed rank of the best opening to block with this dead end.

    The distance is in cards, relative to the opening nearest to the gold.
    """
    ranks_at = PACKED_RANKS[targets].ranks
    openings = [ranks_at[site] for site in game.board.openings.values()]
    # After the rank of each card comes the distance of the opening, packed in the same way.
    fits = [(ranks[-1], ranks[card]) for ranks in openings if ranks[card] < _NO_FIT]
    if not fits:
        return 0, _NO_FIT
    away, rank = min(fits)
    nearest = min([ranks[-1] for ranks in openings])
    return (away >> CELL_BITS) - (nearest >> CELL_BITS), rank
