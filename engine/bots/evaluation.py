"""Values of cards and moves to each side: one table, for `greedy`, `wary` and the play-outs.

A value is in points, of which only the order matters: a bot makes the move of highest value. Each
bot has a row for miners and one for saboteurs, because the two judge by different things: `greedy`
knows only the table and its hand, `wary` also who may be a saboteur, and in a play-out everything
is known. Values that are the same for all are constants. What each difference between rows is worth
was measured: benchmarks/bots.md, "Values".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS, START, Board, Cell
from engine.bots.fast_board import SITE_DISTANCES, UNREACHABLE_CARDS, SiteDistances, targets_of
from engine.cards import CARDS, CardKind
from engine.moves import Lay, Play
from engine.state import Table

CARD_KINDS: Final = tuple(card.kind for card in CARDS)
"""The kind of each card, by its index."""

TOOL_BITS: Final = tuple(sum(tool.bit for tool in card.tools) for card in CARDS)
"""The tools that each card breaks or repairs, as bits, by the card's index."""


def _value_discards(  # noqa: PLR0913 - one column of the table for each kind of card
    *, dead_end: int, look: int, breaks: int, rockfall: int, repair: int, path: int, side: int
) -> tuple[int, ...]:
    """Return the value of discarding each card, by its index.

    A through card is worth `path`, and `side` more for each of its open sides. A card of
    a kind without a column is worth as much as a map.
    """
    by_kind = {
        CardKind.DEAD_END: dead_end,
        CardKind.MAP: look,
        CardKind.BREAK: breaks,
        CardKind.ROCKFALL: rockfall,
        CardKind.REPAIR: repair,
    }
    return tuple(
        path + side * card.ways[0].edges.bit_count()
        if card.kind is CardKind.THROUGH
        else by_kind.get(card.kind, look)
        for card in CARDS
    )


class MinerValues(NamedTuple):
    """A bot's row for miners."""

    aside: int
    """A path card that leads no nearer to the gold."""
    away: int
    """The value that such a card loses for each card that it leads further away."""
    own: int
    """Repairing the miner's own tool."""
    friend: int
    """Repairing a tool of a seat that is surely a miner."""
    look: int
    """A map of a goal that may be gold or stone."""
    clear: int
    """Removing a dead end that lies on a goal; less for each card that it lies further away."""
    discard: tuple[int, ...]
    """Discarding each card, by its index."""
    sees_closed_ways: bool = False
    """True if the miner does not take a side with a face-up neighbour for a way on."""


class SaboteurValues(NamedTuple):
    """A bot's row for saboteurs."""

    less_broken: int
    """The value that breaking a tool loses for each broken tool that its owner already has."""
    less_far: int
    """The value that a dead end loses for each card that it lies further from the gold."""
    dig: int
    """A through card that leads nearer to the gold, plus 2 for each card of the distance."""
    aside: int
    """Any other through card; a little more the further it leads away."""
    spoil: int
    """The value that such a card gains for each card of a longer tunnel, up to three."""
    own: int
    """Repairing the saboteur's own tool."""
    friend: int
    """Repairing a tool of a seat that is surely a saboteur."""
    known: int
    """A map once the saboteur knows where to dig."""
    discard: tuple[int, ...]
    """Discarding each card, by its index."""


NEARER_VALUE: Final = 100
"""Value to a miner of a card that digs nearer to the gold, plus 1 for each card of the distance.
Nothing else is worth as much, so a bot that can do it need not rate other moves."""

SPARED_GOLD: Final = 0.2
"""Probability of the treasure above which a saboteur never turns a goal up."""

GIVEAWAY_VALUE: Final = -100
"""Value to a saboteur of turning up a goal that is spared: less than of any discard."""

KNOWN_GOAL_VALUE: Final = 1
"""Value to a miner of a map where nothing is left to find out: so little that no bot tries it."""

BREAK_VALUE: Final = 82
"""Value to a saboteur of breaking a tool of a player who has none broken."""

SURELY_BREAK_VALUE: Final = 80
"""Value of breaking the last sound tool, to `greedy`. Nothing else is worth as much to it, so a
saboteur that can break a tool need not rate other moves."""

HARM_VALUE: Final = 75
"""Value to a saboteur of a dead end or a rockfall where the tunnel is nearest to the gold."""

ROCKFALL_LESS_FAR: Final = 2
"""The part of `HARM_VALUE` that a rockfall loses for each card of its distance from the gold."""

LOOK_VALUE: Final = 52
"""Value to a saboteur of a map while it does not know where to dig. As it is more than any discard,
a map is played sooner than a card is thrown away."""

MAX_SPOILT_CARDS: Final = 3
"""A move that makes the tunnel longer is valued by the added cards, at most this many."""

FAR_CARDS: Final = 2
"""A dead end that lies further beyond the tunnel's nearest opening than this harms nobody."""

REMOTE_CARDS: Final = 3
"""A miner lays a dead end only further beyond the nearest opening than this: there nobody at the
table takes it for sabotage."""

FAR_DEAD_END_VALUE: Final = 41.5
"""Value to a miner of a dead end beyond `REMOTE_CARDS`: a little more than of discarding it."""

HELPED_PROBABILITY: Final = 0.6
"""Probability of being a saboteur above which no miner repairs somebody's tool."""

STRIKE_UNPLAYED: Final = 33
"""A saboteur stops hiding once no more than this many of the 67 cards are unplayed."""

STRIKE_CARDS: Final = 2
"""A saboteur stops hiding, too, once the tunnel needs no more than this many cards to the gold, as
far as the saboteur knows."""

TRUSTED_PROBABILITY: Final = 0.1
"""Highest probability of being a saboteur at which a saboteur takes somebody for a miner."""

GREEDY_MINER: Final = MinerValues(
    aside=37,
    away=4,
    own=95,
    friend=50,
    look=80,
    clear=60,
    discard=_value_discards(
        dead_end=40, look=31, breaks=38, rockfall=35, repair=28, path=30, side=-2
    ),
)
"""It breaks nobody's tools, so it throws broken tools away sooner than `wary` does."""

GREEDY_SABOTEUR: Final = SaboteurValues(
    less_broken=1,
    less_far=1,
    dig=0,
    aside=50,
    spoil=-10,
    own=60,
    friend=0,
    known=48,
    discard=_value_discards(
        dead_end=10, look=40, breaks=2, rockfall=15, repair=47, path=40, side=0
    ),
)
"""It lays tunnels aside rather than throw a card away, but spoils nothing with them: it would be a
tenth stronger, and is the bot for beginners."""

WARY_MINER: Final = GREEDY_MINER._replace(
    aside=48,
    away=5,
    friend=80,
    discard=_value_discards(
        dead_end=40, look=31, breaks=34, rockfall=33, repair=28, path=30, side=-2
    ),
    sees_closed_ways=True,
)

EAGER_MINER: Final = WARY_MINER._replace(friend=70, look=45)
"""It would rather dig than look for the gold, or repair somebody whom it does not trust."""

WARY_SABOTEUR: Final = SaboteurValues(
    less_broken=3,
    less_far=2,
    dig=44,
    aside=45,
    spoil=20,
    own=60,
    friend=30,
    known=51,
    discard=_value_discards(
        dead_end=-36, look=-15, breaks=-46, rockfall=-36, repair=-11, path=-2, side=1
    ),
)
"""It keeps repairs and maps, which a miner would keep too, and may lay through cards. It throws
nothing away while anything else is useful to it, as that would tell it from a miner."""

ROLLOUT_MINER: Final = WARY_MINER._replace(
    aside=34,
    away=0,
    friend=96,
    look=41,
    discard=_value_discards(
        dead_end=40, look=39, breaks=34, rockfall=33, repair=28, path=30, side=-2
    ),
)
"""In a play-out a miner knows who is a miner, so repairs are worth most; and `FastRound.rumour`
tells most of what a map would find out."""

ROLLOUT_SABOTEUR: Final = GREEDY_SABOTEUR._replace(
    own=45,
    discard=_value_discards(
        dead_end=10, look=41, breaks=0, rockfall=10, repair=52, path=50, side=2
    ),
)
"""In a play-out a saboteur throws away first what miners would use, and keeps what does harm."""

CERTAIN_PROBABILITY: Final = 0.97
"""Probability of treasure, or of stone, at which a map of that goal tells nothing new."""


class Outlook(NamedTuple):
    """The facts that the moves of a seat are valued by."""

    seat: int
    table: Table
    sites: SiteDistances
    """The distances to the goals that the seat digs for."""
    distance: int
    """The number of cards that the tunnel still needs to them."""
    sees_closed_ways: bool
    """False for a bot that takes every open side for a way on, also one that a card closes."""
    saboteur: Sequence[float]
    """Each seat's probability of being a saboteur."""
    gold: Sequence[float]
    """Each goal's probability of being the treasure."""
    feared: Sequence[float] = ()
    """`gold` by what was said at the table, which a saboteur fears but does not dig by."""

    @property
    def is_unsure(self) -> bool:
        """True if more than one goal is dug for."""
        return len(self.sites.targets) > 1

    def nearer(self, move: Lay) -> int:
        """Return how many cards nearer to the gold this move brings the tunnel."""
        then = self.sites.count_after(
            self.table.board, move.cell, move.path, sees_closed_ways=self.sees_closed_ways
        )
        return self.distance - then

    def is_far(self, cell: Cell) -> bool:
        """Return True if a dead end on this cell is too far from the tunnel's way to block it."""
        return self.sites.distance[cell] > self.distance + FAR_CARDS

    def leads_astray(self, cell: Cell) -> bool:
        """Return True if this cell is west of the start, and another opening nearer to the gold."""
        return cell[0] < START[0] and self.sites.distance[cell] > self.distance

    def gives_gold_away(self, move: Lay) -> bool:
        """Return True if this move turns up a goal that is likely to be the treasure."""
        board = self.table.board
        if not board.may_open_goals(move.cell, move.path):
            return False
        opened = board.with_card(move.cell, move.path).opened_goals()
        goals = [GOAL_CELLS.index(goal) for goal in opened]
        likely = (self.gold, self.feared) if self.feared else (self.gold,)
        return any(gold[goal] > SPARED_GOLD for gold in likely for goal in goals)

    def delay(self, move: Lay) -> int:
        """Return how many cards longer the tunnel is after this move."""
        if self.sites.distance[move.cell] > self.distance:
            return 0  # another opening is the nearest
        openings = self.table.board.openings
        others = [self.sites.distance[cell] for cell, _ in openings if cell != move.cell]
        return min(others, default=UNREACHABLE_CARDS) - self.distance


def is_remote(board: Board, cell: Cell) -> bool:
    """Return True if a dead end on this cell is in nobody's way, wherever the gold may be."""
    seen = SITE_DISTANCES[targets_of(board.hidden)]
    return seen.distance[cell] > seen.count_needed(board) + REMOTE_CARDS


def value_to_miner(values: MinerValues, sight: Outlook, move: Play) -> float:
    """Return a move's value to a miner: dig, repair, look, break a suspect's tools, discard."""
    match move:
        case Lay():
            nearer = sight.nearer(move)
            if nearer > 0:
                return NEARER_VALUE + nearer
            if not move.path.through and is_remote(sight.table.board, move.cell):
                return FAR_DEAD_END_VALUE
            if sight.leads_astray(move.cell):
                return 0
            return max(values.aside + values.away * nearer, 0)
        case Rockfall():
            through = sight.table.board.cards[move.cell].through
            if through or sight.is_far(move.cell):
                return 1
            return values.clear - sight.sites.distance[move.cell]
        case Repair():
            doubt = sight.saboteur[move.target]
            if move.target == sight.seat:
                return values.own - len(move.card.repairs)
            if doubt > HELPED_PROBABILITY:
                return 0
            return values.friend * (1 - doubt) - len(move.card.repairs)
        case Map():
            gold = sight.gold[GOAL_CELLS.index(move.cell)]
            if 1 - CERTAIN_PROBABILITY < gold < CERTAIN_PROBABILITY:
                return values.look
            return KNOWN_GOAL_VALUE
        case Break():
            doubt = sight.saboteur[move.target]
            if move.target == sight.seat:
                return 0
            # Less than any discard up to a doubt of 0.55, or of 0.6 if no tool is broken yet. The
            # third tool is worth less than a tunnel.
            broken = sight.table.broken[move.target].bit_count()
            return 90 * doubt + 5 - 25 * broken if broken else 150 * doubt - 60
        case _:  # a discard, and any play that has no value of its own
            return values.discard[move.card.index]


def value_to_saboteur(values: SaboteurValues, sight: Outlook, move: Play) -> float:
    """Return a move's value to a saboteur: break miners' tools, block or cut, lead astray."""
    match move:
        case Break():
            trust = 1 - sight.saboteur[move.target]
            broken = sight.table.broken[move.target].bit_count()
            if move.target == sight.seat:
                return 0
            return (BREAK_VALUE - values.less_broken * broken) * sqrt(trust)
        case Lay():
            if not move.path.through:
                further = max(sight.sites.distance[move.cell] - sight.distance, 0)
                return HARM_VALUE - values.less_far * further
            if sight.gives_gold_away(move):
                return GIVEAWAY_VALUE
            nearer = sight.nearer(move)
            if nearer > 0:
                return values.dig + 2 * nearer
            longer = min(sight.delay(move), -nearer, MAX_SPOILT_CARDS)
            return values.aside - 0.5 * nearer + values.spoil * longer
        case Rockfall():
            harm = move.cell in sight.table.board.reached
            return HARM_VALUE - ROCKFALL_LESS_FAR * sight.sites.distance[move.cell] if harm else 1
        case Repair():
            doubt = sight.saboteur[move.target]
            if move.target == sight.seat:
                return values.own
            trusted = doubt <= TRUSTED_PROBABILITY
            return values.discard[move.card.index] - 1 if trusted else values.friend * doubt
        case Map():
            if move.cell in sight.table.looks[sight.seat]:
                return values.discard[move.card.index] - 1
            return LOOK_VALUE if sight.is_unsure else values.known
        case _:  # a discard, and any play that has no value of its own
            return values.discard[move.card.index]
