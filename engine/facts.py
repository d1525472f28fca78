"""All that one seat knows of a game, or several seats know together at one moment (RULES K)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from engine.board import GOAL_CELLS, Peeks
from engine.cards import BREAK, DECK, Card, Role, Tool
from engine.events import Event, GoldEvent
from engine.rules import Hand
from engine.state import Score, Table
from engine.view import View


class Facts(NamedTuple):
    """The public `table` and `score`, and what the seats that tell what they know hold beside them.

    `roles`, `hands` and the cards `buried` are by seat, and have only seats that tell. `goals` are
    the faces that somebody knows, from north to south. `ledger` and `history` hold the public
    events, and after each of them what these seats alone were told.
    """

    table: Table
    score: Score
    roles: Mapping[int, Role]
    hands: Mapping[int, Hand]
    buried: Mapping[int, Hand]
    goals: Peeks
    ledger: tuple[GoldEvent, ...]
    history: tuple[Event, ...]

    @staticmethod
    def of(view: View) -> Facts:
        """Return what one seat knows, or a watcher."""
        seat = view.seat
        north, middle, south = map(view.goal_on, GOAL_CELLS)
        return Facts(
            view.table,
            view.score,
            {} if seat is None or view.role is None else {seat: view.role},
            {} if seat is None else {seat: view.hand},
            {} if seat is None else {seat: view.buried},
            (north, middle, south),
            view.ledger,
            view.history,
        )

    def unseen(self) -> list[Card]:
        """Return the cards of the deck that lie neither face up nor before a seat that tells.

        Raises `ValueError` if more copies of a card are known than there are.
        """
        table = self.table
        seen = Counter(table.discards)
        seen.update(table.board.cards[cell].card for cell in table.board.tunnels())
        seen.update(BREAK[tool] for broken in table.broken for tool in Tool.within(broken))
        seen.update(chain(*self.hands.values(), *self.buried.values()))
        left = Counter(DECK)
        left.subtract(seen)
        if min(left.values()) < 0:
            raise ValueError("more copies of a card are known than there are")
        return list(left.elements())
