"""A fast mutable round, in which everything is known, for play-outs.

`FastRound` skips events, views and legality checks; a test compares it with `engine.round`.
`engine.bots.rollout` plays it to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.board import GOAL_CELLS
from engine.bots.distance import PACKED_RANKS, UNREACHABLE_CARDS, TargetSet, targets_of
from engine.bots.fast_board import CELL_BITS, CELL_MASK, FastBoard, pack_cell
from engine.cards import Goal, Path, Role
from engine.moves import Break, Lay, Map, Play, Repair, Rockfall
from engine.round import Round

ALL_TARGETS: Final[TargetSet] = targets_of(GOAL_CELLS)
"""All three goals, as a set."""


Near = tuple[int, list[tuple[int, ...]]]
"""The distance of the nearest opening, and the packed ranks of path cards on the near ones."""


class FastRound:
    """A mutable round being played out. Cards are given by their index.

    By seat, `targets` are the goals that the seat may take for the treasure, and `marked` is True
    for plain saboteurs: miners do not repair their tools, and break them. `rumour` are the goals
    that everybody thinks likely. `left` counts the cards not played yet.
    """

    __slots__ = (
        "_near",
        "board",
        "broken",
        "goals",
        "hands",
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
        """Begin where a round is. Its board may be given if that is known, and is then shared."""
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
        self.others = _others(self.step, self.seats)
        self.turn = table.turn
        self.miner = [role is Role.MINER for role in now.roles]
        self.goals = now.goals
        self.treasure: TargetSet = 1 << now.goals.index(Goal.TREASURE)
        self.looks = [targets_of(seen) for seen in table.looks]
        self.marked = list(marked)
        self.rumour = rumour
        self.won = False
        self.targets: list[TargetSet] = []
        self._aim()

    def after(self, move: Play) -> FastRound:
        """Return a copy of this round in which the seat to play has made this move."""
        other = object.__new__(FastRound)
        other.board = self.board.copy()
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
                self._aim()

    def remove(self, cell: int) -> None:
        """Take a tunnel card off the table (A4)."""
        self._near = {}
        self.board.remove(cell)

    def near(self, targets: TargetSet) -> Near:
        """Return the distance of the nearest opening, and the openings at most one card further.

        What is found holds for all seats until the next card is laid or removed.
        """
        found = self._near.get(targets)
        if found is None:
            openings, sites = self.board.openings, PACKED_RANKS[targets]
            # `map` over what C does takes two thirds of the time of a comprehension.
            away = [*map(sites.distance.__getitem__, openings)]
            ahead = min(away) >> CELL_BITS if away else UNREACHABLE_CARDS
            limit = ahead + 2 << CELL_BITS
            close = [sites.ranks[openings[far & CELL_MASK]] for far in away if far < limit]
            found = self._near[targets] = ahead, close
        return found

    def look(self, seat: int, goal: int) -> None:
        """Let a seat look at a goal (A5).

        Others follow a miner who has looked: by its digging or its word, it becomes the rumour.
        """
        self.looks[seat] |= 1 << goal
        if self.miner[seat]:
            gold = 1 << goal & self.treasure
            self.rumour = gold or self.rumour & ~(1 << goal) or self.rumour
            self._aim()
        else:
            self.targets[seat] = self._targets()[seat]

    def _aim(self) -> None:
        """Update the targets of all seats."""
        self.targets = self._targets()

    def _targets(self) -> list[TargetSet]:
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
def _others(step: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat, the other seats in the order of play."""
    return tuple(
        tuple((seat + away * step) % seats for away in range(1, seats)) for seat in range(seats)
    )
