"""A round played out to its end in haste, everything known: the measure of `search`.

It asks the engine's board, and leaves out what nobody looks at here: events, views, legality of
what is legal anyway. A test holds it against `engine.round`. What the seats do on the way is in
`engine.bots.haste`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from engine.board import GOAL_CELLS, Cell, around
from engine.bots import haste
from engine.bots.sites import SITES, Targets, targets_of
from engine.cards import DECK, Goal, Path, Role
from engine.moves import Break, Discard, Lay, Map, Play, Repair, Rockfall
from engine.round import Round, lying

FASTER: Final = 0.1
"""What the cards still unplayed at a win count, and at a loss how near the gold was: so little
that it decides only between moves that win as often."""

ANYWHERE: Final[Targets] = targets_of(GOAL_CELLS)

_BESIDE_GOALS: Final = frozenset(beside for goal in GOAL_CELLS for *_, beside in around(goal))


class Playout:
    """One round on the way to its end. Cards are their indices.

    By seat, `targets` are the goals it may take for the treasure, and `marked` is who is plainly
    a saboteur: who gets no repair from miners, but broken tools. `rumour` are the goals that all
    think likely. `left` counts the cards unplayed.
    """

    __slots__ = (
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

    def __init__(self, now: Round, marked: Sequence[bool], rumour: Targets = ANYWHERE) -> None:
        table = now.table
        assert table.turn is not None
        self.board = table.board
        self.broken = list(table.broken)
        self.hands = [[card.index for card in hand] for hand in now.hands]
        self.pile = [card.index for card in reversed(now.pile)]
        self.left = table.unplayed
        self.seats = table.players
        self.step = table.edition.step
        self.turn = table.turn
        self.miner = [role is Role.MINER for role in now.roles]
        self.goals = now.goals
        self.treasure: Targets = 1 << now.goals.index(Goal.TREASURE)
        self.looks = [targets_of(seen) for seen in table.looks]
        self.marked = list(marked)
        self.rumour = rumour
        self.won = False
        self.targets = [self._targets(looked) for looked in self.looks]

    def after(self, move: Play) -> Playout:
        """Another play-out, in which the seat to play has made a move."""
        other = object.__new__(Playout)
        other.board = self.board
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
        """Play to the end: 1 where the miners win and 0 where they lose, and a little."""
        while self.left and not self.won:
            seat = self.turn
            hand = self.hands[seat]
            if not hand:
                self.turn = (seat + self.step) % self.seats
                continue
            hand.remove(haste.mine(self, seat) if self.miner[seat] else haste.spoil(self, seat))
            self._end_turn(seat)
        if self.won:
            return 1 + FASTER * self.left / len(DECK)
        return FASTER - FASTER / 10 * SITES[self.treasure].ahead(self.board)

    def lay(self, cell: Cell, path: Path) -> None:
        """Lay a path card, and turn up the goals it reaches (G1 to G3)."""
        self.board = self.board.with_card(cell, path)
        if cell not in _BESIDE_GOALS and len(self.board.hidden) == len(GOAL_CELLS):
            return
        while opened := self.board.opened_goals():
            before = self.board
            for at in opened:
                goal = self.goals[GOAL_CELLS.index(at)]
                self.won = self.won or goal is Goal.TREASURE
                self.board = self.board.with_card(at, lying(goal, at, before, cell))
            if self.won:
                return
            self.targets = [self._targets(looked) for looked in self.looks]

    def look(self, seat: int, goal: int) -> None:
        """Let a seat look at a goal (A5)."""
        self.looks[seat] |= 1 << goal
        self.targets[seat] = self._targets(self.looks[seat])

    def _targets(self, looked: Targets) -> Targets:
        if looked & self.treasure:
            return self.treasure
        unseen = targets_of(self.board.hidden) & ~looked
        return unseen & self.rumour or unseen

    def _end_turn(self, seat: int) -> None:
        self.left -= 1
        if self.pile:
            self.hands[seat].append(self.pile.pop())
        self.turn = (seat + self.step) % self.seats
