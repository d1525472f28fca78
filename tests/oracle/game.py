"""A whole game: its rounds, the gold, and who wins (RULES D, N, F)."""

from collections import Counter
from itertools import product

from engine import Deal, Edition, KeepGold, Move, ShareRule
from tests.oracle.oracle_deck import GOLD
from tests.oracle.round import Happened, OracleRound

DUE = {1: 4, 2: 3, 3: 3, 4: 2}
"""Nuggets for each saboteur, by how many they are (D5)."""


def cards_shared(edition: Edition, roles: list[str]) -> int:
    """How many gold cards the miners share (D1, D2)."""
    if edition.share is ShareRule.EACH_MINER_ONE:
        return roles.count("m")
    return 9 if len(roles) == 10 else len(roles)


def choosers(roles: list[str], finder: int, cards: int) -> list[int]:
    """Which miner takes each of the cards in turn (D1 to D3): seat i-1 comes after seat i."""
    order: list[int] = []
    seat = finder
    while len(order) < cards:
        if roles[seat] == "m":
            order.append(seat)
        seat = (seat - 1) % len(roles)
    return order


Payment = tuple[tuple[int, ...], ...]
"""The gold cards of each saboteur, from most nuggets to least."""


def _sets_of_cards(at_most: int) -> list[tuple[int, ...]]:
    """Every set of gold cards that together has no more nuggets than that."""
    counts = product(range(at_most + 1), repeat=3)
    sets = [(3,) * threes + (2,) * twos + (1,) * ones for threes, twos, ones in counts]
    return [cards for cards in sets if sum(cards) <= at_most]


def payments(pile: list[int], saboteurs: int) -> list[Payment]:
    """Every payment that D5 and D8 allow: which saboteur gets which, they leave open.

    All ways to give each saboteur cards of no more than the due are tried, all together. Those
    that leave the fewest nuggets unpaid are kept (none at all, D5, wherever that can be done), and
    of those the ones that leave the most ones in the pile, then the most twos.
    """
    due = DUE[saboteurs]
    have = Counter(pile)
    possible: list[tuple[int, int, int, Payment]] = []
    for each in product(_sets_of_cards(due), repeat=saboteurs):
        used = Counter(card for cards in each for card in cards)
        if used <= have:
            left = have - used
            possible.append((sum(map(sum, each)), left[1], left[2], each))
    best = max(possible)[:3]
    return [each for *what, each in possible if tuple(what) == best]


class OracleGame:
    """A game in which everything lies open.

    `payments` are all the payments that would be right where saboteurs have just won; the first
    is not better than the others, so `settle` must be told which one was made.
    """

    def __init__(
        self, deal: Deal, edition: Edition, rounds: int = 3, youngest: int | None = None
    ) -> None:
        """Begin with the first round (S1, S8)."""
        self.edition = edition
        self.rounds = rounds
        self.players = len(deal.hands)
        self.number = 0
        self.wins: list[str] = []
        self.held: list[list[int]] = [[] for _ in deal.hands]
        self.chits = [0] * self.players
        self.offer: list[int] = []
        self.choosers: list[int] = []
        self.payments: list[Payment] = []
        self.gold: list[int] = []
        self._begin(deal, deal.starter if youngest is None else youngest)

    def _begin(self, deal: Deal, starter: int) -> None:
        self.number += 1
        self.round = OracleRound(deal, self.edition, starter)
        self.gold = list(deal.gold)
        assert Counter(self.all_gold()) == GOLD  # S5, N1

    def deal(self, deal: Deal) -> None:
        """Begin the next round (N1, N2)."""
        assert self.phase == "deal"
        self._begin(deal, self.round.next_starter())

    def all_gold(self) -> list[int]:
        """All 28 gold cards, wherever they are."""
        return [*self.gold, *self.offer, *(card for cards in self.held for card in cards)]

    @property
    def phase(self) -> str:
        """What the game waits for."""
        if self.round.turn is not None:
            return "play"
        if self.offer:
            return "gold"
        return "deal" if self.number < self.rounds else "over"

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is to play or to choose."""
        return self.choosers[0] if self.offer else self.round.turn

    def legal_moves(self) -> set[Move]:
        """All that the seat to act may do."""
        if self.offer:
            return {KeepGold(nuggets) for nuggets in self.offer}  # D1
        return self.round.legal_moves()

    def apply(self, move: Move) -> Happened:
        """One move, and all that follows from it."""
        if isinstance(move, KeepGold):
            self._take(move.nuggets)
            return Happened()
        happened = self.round.play(move)
        self.payments = []
        if self.round.winner:
            self.wins.append(self.round.winner)
            if self.round.finder is not None:
                self._share(self.round.finder)
            elif saboteurs := self.round.roles.count("s"):
                self.payments = payments(self.gold, saboteurs)  # D5, D8; D6 else
        return happened

    def _share(self, finder: int) -> None:
        """Draw the miners' gold; the top of the pile is what chance made it (D1 to D3)."""
        roles = self.round.roles
        cards = cards_shared(self.edition, roles)
        self.offer, self.gold = self.gold[:cards], self.gold[cards:]
        self.choosers = choosers(roles, finder, cards)

    def _take(self, nuggets: int) -> None:
        self.offer.remove(nuggets)
        self.held[self.choosers.pop(0)].append(nuggets)
        if len(self.offer) == 1:  # D4
            self.held[self.choosers.pop(0)].append(self.offer.pop())

    def settle(self, payment: Payment) -> None:
        """Pay the saboteurs in this one of the right ways (D5, D8)."""
        assert payment in self.payments
        saboteurs = [seat for seat in range(self.players) if self.round.roles[seat] == "s"]
        for seat, cards in zip(saboteurs, payment, strict=True):
            for card in cards:
                self.gold.remove(card)
            self.held[seat] += cards
            self.chits[seat] += DUE[len(saboteurs)] - sum(cards)

    def nuggets(self) -> list[int]:
        """What each has at the end (F1, D8)."""
        return [sum(cards) + chits for cards, chits in zip(self.held, self.chits, strict=True)]

    def winners(self) -> list[int]:
        """Who has the most (F1)."""
        nuggets = self.nuggets()
        return [seat for seat in range(self.players) if nuggets[seat] == max(nuggets)]
