"""Model of other players' hands, inferred from what they did.

Players who hold a useful card usually play it. So an action says something about the cards that the
player kept: how likely each is depends on what it could have been used for (`CardUse`). A player
who passes throws away the least useful card. The figures were counted in self-play by
`benchmarks.arena lifts`.

`determinize` samples rounds for play-outs: where `sample_rounds` deals all hidden cards uniformly,
here roles and treasure are drawn from the seat's beliefs, and cards are exchanged until they agree
with the hand models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from math import exp
from random import Random
from typing import Final

from engine.board import Board
from engine.bots.beliefs import Beliefs, Saboteurs
from engine.bots.evaluation import TOOL_BITS
from engine.bots.evidence import ActionKind, Observation, Observations
from engine.bots.fast_board import RANK_SCALE, SITE_DISTANCES, targets_of
from engine.cards import CARDS, PATH_CARDS, Card, CardKind, Goal, Role
from engine.round import Round
from engine.sampling import sample_rounds

Lifts = tuple[float, ...]
"""By `CardUse`: log of how much likelier a card is than usual."""

Situation = tuple[Role, bool]
"""A role, and True if the seat has a broken tool."""

Odds = Sequence[float]
"""Relative likelihood of each card, by its index, to lie in one place of a hand or among passes."""

EVEN_ODDS: Final[Odds] = (1.0,) * len(CARDS)
"""The odds of a place about which nothing is known."""

EXCHANGES_PER_CARD: Final = 4
"""Proposed swaps per card in other players' hands and passes."""


class CardUse(IntEnum):
    """A purpose that a card in a hand could have served, as everybody sees it.

    `DIG` is a path card that leads nearer to the gold, `LAY` any other through card, `BLOCK` a dead
    end; `KEEP` is a repair that nobody needs now.
    """

    DIG = 0
    LAY = 1
    BLOCK = 2
    BREAK = 3
    MEND_OWN = 4
    MEND = 5
    KEEP = 6
    COLLAPSE = 7
    LOOK = 8


CardUses = tuple[CardUse, ...]
"""The use of each card, by its index."""

_NO_LIFTS: Final[Lifts] = (0.0,) * len(CardUse)

_HELD: Final[Mapping[Situation, Mapping[ActionKind, Lifts]]] = {
    (Role.MINER, False): {
        ActionKind.DUG: (-0.2, -0.2, 0.0, -0.1, 0.0, -0.3, 0.0, -0.1, 0.0),
        ActionKind.STRAYED: (-0.9, -0.1, -0.5, -0.4, 0.0, 0.0, -0.1, -0.2, -0.3),
        ActionKind.TURNED_AWAY: (-1.1, -0.3, -0.4, -0.5, 0.0, 0.1, -0.2, -0.4, -0.3),
        ActionKind.CLEARED: (-1.0, 0.0, 0.2, -0.1, 0.0, 0.1, 0.0, -0.6, -0.6),
        ActionKind.LOOKED: (-1.7, 0.0, 0.2, 0.1, 0.0, -0.1, 0.2, 0.1, -0.5),
        ActionKind.IDLED: (-1.8, 0.0, -1.0, -0.3, 0.0, 0.0, -0.1, -0.4, -0.7),
        ActionKind.BROKE: (-1.2, 0.0, 0.2, -0.3, 0.0, -0.3, 0.4, 0.1, -0.3),
        ActionKind.MENDED: (-1.4, 0.1, 0.2, 0.0, 0.0, 0.1, -0.6, 0.1, -0.6),
    },
    (Role.MINER, True): {
        ActionKind.CLEARED: (0.0, -0.2, 0.3, 0.0, -0.7, -0.1, 0.1, -0.6, -0.6),
        ActionKind.LOOKED: (-0.2, -0.2, 0.2, 0.0, -1.1, 0.0, 0.2, 0.2, -0.3),
        ActionKind.MENDED_OWN: (-0.4, -0.2, 0.1, 0.2, -0.4, 0.0, 0.2, 0.1, 0.2),
        ActionKind.WAITED: (0.1, 0.0, -1.3, -0.9, -2.0, -0.5, -0.4, -0.8, -1.1),
        ActionKind.BROKE: (-0.2, -0.2, 0.3, -0.2, -0.8, -0.4, 0.4, 0.2, -0.4),
        ActionKind.MENDED: (-0.1, 0.1, 0.1, -0.3, -1.0, 0.0, -0.6, 0.1, -0.5),
    },
    (Role.SABOTEUR, False): {
        ActionKind.STRAYED: (-0.2, -0.3, -0.8, 0.0, 0.0, 0.0, 0.0, -0.1, 0.0),
        ActionKind.TURNED_AWAY: (-0.4, -0.1, -1.6, -1.4, 0.0, 0.6, -0.1, -0.9, 0.3),
        ActionKind.BLOCKED: (-0.1, 0.0, -0.5, -2.2, 0.0, 0.0, -0.1, 0.0, -0.1),
        ActionKind.RUINED: (0.1, 0.0, -1.8, -1.6, 0.0, 0.2, 0.0, -0.5, -0.1),
        ActionKind.LOOKED: (0.0, 0.0, -0.8, -0.6, 0.0, 0.0, 0.0, -0.2, -0.4),
        ActionKind.IDLED: (0.0, 0.0, -1.2, -1.2, 0.0, -0.4, -0.4, -1.1, -0.1),
        ActionKind.BROKE: (-0.2, -0.1, 0.0, -0.5, 0.0, -0.4, 0.1, 0.0, -0.2),
    },
    (Role.SABOTEUR, True): {
        ActionKind.RUINED: (0.0, 0.0, -0.3, -1.3, 0.1, -0.1, 0.2, -0.2, 0.1),
        ActionKind.LOOKED: (0.1, 0.0, -0.2, -0.7, -1.2, 0.1, 0.1, -0.3, -0.2),
        ActionKind.MENDED_OWN: (-0.2, -0.1, -0.4, -0.6, 0.0, 0.1, 0.0, -0.3, 0.2),
        ActionKind.WAITED: (-0.3, -0.2, 0.0, -3.4, -0.5, -0.4, -0.4, -2.3, -0.3),
        ActionKind.BROKE: (0.0, 0.0, -0.3, -0.6, 0.1, -0.1, 0.1, -0.1, 0.0),
    },
}
"""Lifts of the cards kept in hand through an action: log of how much likelier a card of each use is
to be held then than through any action in the same situation."""

_THROWN: Final[Mapping[Situation, Lifts]] = {
    (Role.MINER, False): (-2.2, -1.8, 1.1, 0.3, 0.0, -0.5, -0.8, -0.4, -0.1),
    (Role.MINER, True): (-0.7, -0.6, 1.2, 0.7, -0.6, 0.1, -0.1, 0.5, 0.4),
    (Role.SABOTEUR, False): (0.1, -0.5, -1.5, -1.3, 0.0, 0.9, 0.8, -0.8, -1.0),
    (Role.SABOTEUR, True): (0.2, 0.1, -1.1, -0.2, 0.5, 0.5, 0.5, -0.4, -0.9),
}
"""Lifts of the card discarded in a pass, relative to all cards in that hand."""


class HandModel:
    """Odds of the cards that one seat holds, and of those it discarded in passes, given its role.

    `hand` has the odds of each card held, latest drawn first; `passes` has the odds of the card
    discarded in each pass, in order.
    """

    __slots__ = ("hand", "passes")

    def __init__(
        self,
        role: Role,
        observations: Sequence[tuple[Observation, CardUses]],
        size: int,
        buried: int,
    ) -> None:
        thrown: list[Odds] = [
            [exp(_THROWN[role, bool(seen.broken[seen.seat])][use]) for use in could]
            for seen, could in observations
            if seen.kinds[0] in (ActionKind.IDLED, ActionKind.WAITED)
        ]
        # The history may begin mid-round, and a host that cheats may tell too many passes.
        unseen = buried - len(thrown)
        self.passes: list[Odds] = [EVEN_ODDS] * unseen + thrown[max(-unseen, 0) :]
        self.hand: list[Odds] = []
        # From the last action back, as a card that was drawn later was not held then: it gets only
        # the lifts of the actions after that.
        logs = [0.0] * len(CARDS)
        for seen, could in reversed(observations):
            if seen.drew and len(self.hand) < size:
                self.hand.append([*map(exp, logs)])
            lifts = _HELD[role, bool(seen.broken[seen.seat])].get(seen.kinds[0], _NO_LIFTS)
            logs = [log + lifts[use] for log, use in zip(logs, could, strict=True)]
        self.hand += [[*map(exp, logs)]] * (size - len(self.hand))


def model_hands(observed: Observations) -> list[dict[Role, HandModel]]:
    """Return the hand model of each seat, for each role it may have."""
    view = observed.view
    observations: list[list[tuple[Observation, CardUses]]] = [[] for _ in view.table.hands]
    board, dig = None, frozenset[Card]()
    for seen in observed.actions:
        if seen.board is not board:
            board, dig = seen.board, find_digging_cards(seen.board)
        observations[seen.seat].append((seen, classify_cards(seen, dig)))
    return [
        {role: HandModel(role, observed_of_seat, size, buried) for role in Role}
        for observed_of_seat, size, buried in zip(
            observations, view.table.hands, view.table.buried, strict=True
        )
    ]


def classify_cards(seen: Observation, dig: frozenset[Card]) -> CardUses:
    """Return the use of each card to the seat of this action; `dig` are the cards that dig."""
    others = 0
    for seat, tools in enumerate(seen.broken):
        others |= tools if seat != seen.seat else 0
    own = seen.broken[seen.seat]
    return _classify_all(own, others, dig)


@lru_cache(maxsize=1 << 10)
def _classify_all(own: int, others: int, dig: frozenset[Card]) -> CardUses:
    """Return the use of each card. This is cached, as its arguments seldom change in a turn."""
    return tuple([_classify_card(card, own, others, dig) for card in CARDS])


def _classify_card(card: Card, own: int, others: int, dig: frozenset[Card]) -> CardUse:
    """Return the use of a card to a seat. `own` are its broken tools, `others` all other seats'."""
    if card.kind is CardKind.THROUGH:
        return CardUse.DIG if card in dig else CardUse.LAY
    if card.kind is CardKind.REPAIR:
        tools = TOOL_BITS[card.index]
        if own & tools:
            return CardUse.MEND_OWN
        return CardUse.MEND if others & tools else CardUse.KEEP
    return _USES.get(card.kind, CardUse.KEEP)


_USES: Final = {
    CardKind.DEAD_END: CardUse.BLOCK,
    CardKind.BREAK: CardUse.BREAK,
    CardKind.ROCKFALL: CardUse.COLLAPSE,
    CardKind.MAP: CardUse.LOOK,
}
"""The use of each kind of card that has just one."""


def find_digging_cards(board: Board) -> frozenset[Card]:
    """Return the path cards that would bring the tunnel nearer to some hidden goal."""
    sites = SITE_DISTANCES[targets_of(board.hidden)]
    nearer = sites.count_needed(board) * RANK_SCALE
    best = map(min, zip(*[sites.ranks[site] for site in board.openings], strict=True))
    # Not strict: after the path cards' ranks comes the distance.
    return frozenset([card for card, rank in zip(PATH_CARDS, best, strict=False) if rank < nearer])


def determinize(observed: Observations, beliefs: Beliefs, rng: Random) -> Iterator[Round]:
    """Yield sampled rounds without end, each consistent with all that the view's seat knows."""
    view = observed.view
    known = model_hands(observed)
    rounds = sample_rounds(view, rng)
    while True:
        sampled = next(rounds)
        saboteurs, gold = beliefs.draw(rng)
        roles = _list_roles(view.table.players, saboteurs)
        now = sampled._replace(roles=roles, goals=_with_treasure(sampled.goals, gold))
        holders = [
            (seat, known[seat][role]) for seat, role in enumerate(roles) if seat != view.seat
        ]
        yield _deal_by_odds(now, holders, rng)


def _deal_by_odds(now: Round, holders: list[tuple[int, HandModel]], rng: Random) -> Round:
    """Return the round with its hidden cards redistributed by the odds of the hand models.

    This is the Metropolis algorithm: it starts from the random deal, proposes swaps of two cards,
    and accepts each with the ratio of the odds as probability.
    """
    chance = rng.random
    cards: list[int] = []
    odds: list[Odds] = []
    for seat, hand_model in holders:
        cards += [card.index for card in sorted(now.hands[seat], key=lambda _: chance())]
        cards += [card.index for card in now.buried[seat]]
        odds += hand_model.hand
        odds += hand_model.passes
    hand_cards = len(cards)
    cards += [card.index for card in now.pile]
    odds += [EVEN_ODDS] * len(now.pile)
    total = len(cards)
    for _ in range(EXCHANGES_PER_CARD * hand_cards):
        one, other = int(chance() * hand_cards), int(chance() * total)
        mine, its = cards[one], cards[other]
        if mine != its:
            here, there = odds[one], odds[other]
            # The ratio of the odds after and before the swap, without a division.
            if here[its] * there[mine] > chance() * here[mine] * there[its]:
                cards[one], cards[other] = its, mine
    left = iter(cards)
    hands, buried = list(now.hands), list(now.buried)
    for seat, _ in holders:
        # Sorted by their indices, which takes a third of the time of `in_order`.
        hands[seat] = _list_cards(sorted(islice(left, len(hands[seat]))))
        buried[seat] = _list_cards(islice(left, len(buried[seat])))
    return now._replace(hands=tuple(hands), buried=tuple(buried), pile=_list_cards(left))


def _list_cards(indices: Iterable[int]) -> tuple[Card, ...]:
    return tuple([CARDS[index] for index in indices])


def _list_roles(players: int, saboteurs: Saboteurs) -> tuple[Role, ...]:
    return tuple(Role.SABOTEUR if seat in saboteurs else Role.MINER for seat in range(players))


def _with_treasure(goals: tuple[Goal, Goal, Goal], gold: int) -> tuple[Goal, Goal, Goal]:
    """Return the goals with the treasure swapped into place `gold`."""
    instead = goals[gold]
    north, middle, south = (
        Goal.TREASURE if at == gold else instead if goal is Goal.TREASURE else goal
        for at, goal in enumerate(goals)
    )
    return north, middle, south
