"""The 67 cards of a round, and the ways a path card can lie (RULES S3, S4).

Two equal cards are one `Card`: there are no serial numbers, so no card can be traced from hand to
hand.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from operator import attrgetter
from typing import Final, final

from engine.mistakes import look_up
from engine.readonly import ReadOnly

N, E, S, W = 1, 2, 4, 8
"""The four sides of a card, as bits. A set of open edges is an int from 1 to 15."""

SIDES: Final = (N, E, S, W)
SIDE_NAMES: Final = ReadOnly({N: "N", E: "E", S: "S", W: "W"})


def opposite(edges: int) -> int:
    """Turn a set of edges by 180 degrees: N and S change places, and E and W."""
    return (edges << 2 | edges >> 2) & 15


class Tool(StrEnum):
    """A digging tool (S4). A set of tools is an int, the sum of their bits: `bit` is 1, 2 or 4."""

    PICK = "P"
    LANTERN = "L"
    CART = "C"

    def __init__(self, _letter: str) -> None:
        # While a member is created, only those before it are members.
        self.bit: Final = 1 << len(type(self).__members__)

    __hash__ = str.__hash__  # Enum's own hash is slow.

    @staticmethod
    def within(bits: int) -> tuple[Tool, ...]:
        """Return the tools of a set (0 to 7) in the order of the enum. Raises `KeyError`."""
        return _WITHIN[bits]


_WITHIN: Final = {
    bits: tuple(tool for tool in Tool if bits & tool.bit) for bits in range(1 << len(Tool))
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A path card as it lies: a card and which way up it is (S3).

    Paths compare and hash by identity, which is fast. So do not construct any: `Path.of` and
    `Path.read` return the one shared object for each of the 26 ways.
    """

    edges: int
    """The set of open edges."""
    through: bool
    """True if the open edges join in the middle; False for a dead end."""
    index: int
    """The position in `PATHS`."""

    @staticmethod
    def of(edges: int, *, through: bool) -> Path:
        """Return the path with these open edges. Raises `KeyError` if no card lies like that."""
        return _PATHS[edges, through]

    @staticmethod
    def read(text: str) -> Path:
        """Return the path spelt `text`: `NES`, or `nes` for a dead end. Raises `NotationError`."""
        problem = "a path card is written as its open sides, in the order NESW or nesw"
        return look_up(_PATH_TEXTS, text, problem)

    @property
    def text(self) -> str:
        """Open sides in N-E-S-W order, lower case for a dead end."""
        sides = "".join(SIDE_NAMES[side] for side in SIDES if self.edges & side)
        return sides if self.through else sides.lower()

    @property
    def card(self) -> Card:
        """The card that can lie this way."""
        return CARD_OF_PATH[self.index]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Path {self.text}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Path.read, (self.text,)


def _list_paths() -> Iterable[Path]:
    """Return each way a path card can lie: two or more edges joined, or one or more not joined."""
    ways = [(edges, True) for edges in range(1, 16) if edges.bit_count() > 1]
    ways += [(edges, False) for edges in range(1, 16)]
    return (Path(edges, through, index) for index, (edges, through) in enumerate(ways))


PATHS: Final = tuple(_list_paths())
_PATHS: Final = {(path.edges, path.through): path for path in PATHS}
_PATH_TEXTS: Final = {path.text: path for path in PATHS}

CROSSROADS: Final = Path.read("NESW")  # the path of the start and of the treasure (S3)


def _list_ways(text: str) -> tuple[Path, ...]:
    """Return the one or two ways up of the path card spelt `text`; none for an action card.

    The way that gives the card its spelling comes first.
    """
    if text not in _PATH_TEXTS:
        return ()
    upright = Path.read(text)
    turned = Path.of(opposite(upright.edges), through=upright.through)
    return (upright,) if turned is upright else (upright, turned)


class CardKind(Enum):
    """A kind of card (S3, S4). The value is the first character of an action card's spelling."""

    THROUGH = "NESW"
    DEAD_END = "nesw"
    BREAK = "-"
    REPAIR = "+"
    ROCKFALL = "R"
    MAP = "M"


_ON_TOOLS: Final = (CardKind.BREAK, CardKind.REPAIR)


def _find_kind(text: str, ways: tuple[Path, ...]) -> CardKind:
    if ways:
        return CardKind.THROUGH if ways[0].through else CardKind.DEAD_END
    return CardKind(text[0])


class Card(Enum):
    """A card of the deck: its spelling `text`, and its number of `copies` (S3, S4).

    The members are in the order of the rules, which is the order of a hand; `index` is the position
    in this order, from 0. `ways` are the one or two ways up of a path card, and empty for others.
    `tools` are those that the card `breaks` or `repairs`.
    """

    NS = "NS", 4
    EW = "EW", 3
    NE = "NE", 5
    NW = "NW", 4
    NES = "NES", 5
    NEW = "NEW", 5
    NESW = "NESW", 5
    DEAD_N = "n", 1
    DEAD_E = "e", 1
    DEAD_NS = "ns", 1
    DEAD_EW = "ew", 1
    DEAD_NE = "ne", 1
    DEAD_NW = "nw", 1
    DEAD_NES = "nes", 1
    DEAD_NEW = "new", 1
    DEAD_NESW = "nesw", 1
    BREAK_PICK = "-P", 3
    BREAK_LANTERN = "-L", 3
    BREAK_CART = "-C", 3
    REPAIR_PICK = "+P", 2
    REPAIR_LANTERN = "+L", 2
    REPAIR_CART = "+C", 2
    REPAIR_PICK_LANTERN = "+PL", 1
    REPAIR_PICK_CART = "+PC", 1
    REPAIR_LANTERN_CART = "+LC", 1
    ROCKFALL = "R", 3
    MAP = "M", 6

    def __init__(self, text: str, copies: int) -> None:
        self.text: Final = text
        self.copies: Final = copies
        # The members so far are those before this one.
        self.index: Final = len(type(self).__members__)
        self.ways: Final = _list_ways(text)
        self.kind: Final = _find_kind(text, self.ways)
        self.tools: Final = tuple(map(Tool, text[1:])) if self.kind in _ON_TOOLS else ()
        self.breaks: Final = self.tools[0] if self.kind is CardKind.BREAK else None
        self.repairs: Final = self.tools if self.kind is CardKind.REPAIR else ()

    __hash__ = object.__hash__  # Cards compare by identity, and Enum's own hash is slow.

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Card {self.text}>"

    @staticmethod
    def read(text: str) -> Card:
        """Return the card spelt `text`. Raises `NotationError`."""
        return look_up(_CARD_TEXTS, text, "no card in the deck is written like this")


MAP: Final = Card.MAP
ROCKFALL: Final = Card.ROCKFALL
"""Two cards as global names, as Python 3.11 is slow to look up a member of an enum."""

CARDS: Final = tuple(Card)
PATH_CARDS: Final = tuple(card for card in CARDS if card.ways)
"""The tunnels and dead ends, which come first in the order of the rules."""

_CARD_TEXTS: Final = {card.text: card for card in CARDS}
CARD_OF_PATH: Final = tuple(next(card for card in CARDS if path in card.ways) for path in PATHS)
"""The card of each path, by the path's `index`."""

BREAK: Final = ReadOnly({card.breaks: card for card in CARDS if card.breaks})
"""The card that breaks each tool."""

DECK: Final = tuple(card for card in CARDS for _ in range(card.copies))
"""The 40 tunnels and 27 action cards of a round, sorted (S3, S4, S7)."""

_INDEX: Final = attrgetter("index")


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return these cards sorted as a hand is held: in the order of the rules (S3, S4)."""
    return tuple(sorted(cards, key=_INDEX))


def with_card(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return a hand with one more card, still in the order of the rules."""
    cards = [*hand]
    insort(cards, card, key=_INDEX)
    return tuple(cards)


def without_card(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return a hand without one copy of a card. Raises `ValueError` if it holds none."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def drop_copies(hand: tuple[Card, ...]) -> list[Card]:
    """Return each card of a hand once. In the order of the rules, equal cards are neighbours."""
    # Not `dict.fromkeys`, as that takes twice as long.
    found: list[Card] = []
    last = None
    for card in hand:
        if card is not last:
            found.append(card)
            last = card
    return found


class Role(StrEnum):
    """The side that a dwarf card names (S2)."""

    MINER = "m"
    SABOTEUR = "s"


class Goal(Enum):
    """The face of a goal card, and its one or two ways up (S3, G3)."""

    TREASURE = "NESW"
    STONE_NE = "NE"
    STONE_NW = "NW"

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.ways: Final = _list_ways(text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Goal {self.text}>"

    @staticmethod
    def lying(path: Path) -> Goal:
        """Return the goal that lies like this, face up. Raises `KeyError` if none does."""
        return _GOAL_OF_PATH[path]


GOALS: Final = tuple(Goal)
_GOAL_OF_PATH: Final = {path: goal for goal in GOALS for path in goal.ways}
