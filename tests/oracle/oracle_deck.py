"""What is in the box, copied out of RULES S2 to S6 once more.

A card is its notation, as in `engine.cards`: open sides in N-E-S-W order, in capitals for a
through card; `-P` breaks a pick, `+PL` repairs a pick or a lantern, `R` is a rockfall, `M` a map.
"""

from collections import Counter

from engine.cards import PATHS

Cell = tuple[int, int]

START: Cell = (0, 0)
GOAL_CELLS: tuple[Cell, ...] = ((8, -2), (8, 0), (8, 2))
"""Start and goals, x east and y south (S6)."""

THROUGH = {"NS": 4, "EW": 3, "NE": 5, "NW": 4, "NES": 5, "NEW": 5, "NESW": 5}
DEAD_ENDS = ("n", "e", "ns", "ew", "ne", "nw", "nes", "new", "nesw")
BREAKS = {"-P": 3, "-L": 3, "-C": 3}
REPAIRS = {"+P": 2, "+L": 2, "+C": 2, "+PL": 1, "+PC": 1, "+LC": 1}
OTHERS = {"R": 3, "M": 6}
DECK = Counter({**THROUGH, **dict.fromkeys(DEAD_ENDS, 1), **BREAKS, **REPAIRS, **OTHERS})
"""The 40 tunnels and 27 actions (S3, S4)."""

TREASURE = "NESW"
GOALS = Counter((TREASURE, "NE", "NW"))
"""What lies on the goals (S3)."""

GOLD = Counter({1: 16, 2: 8, 3: 4})
"""How many gold cards there are of each number of nuggets (S5)."""

MINERS = {3: 3, 4: 4, 5: 4, 6: 5, 7: 5, 8: 6, 9: 7, 10: 7}
SABOTEURS = {3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
HAND = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
"""The table of S2, by number of players."""

TURNED = {"N": "S", "E": "W", "S": "N", "W": "E"}
"""Where a side is after a turn by 180 degrees, and the side that lies against it."""


def is_path(card: str) -> bool:
    """Whether a card is a path card and not an action."""
    return card in THROUGH or card in DEAD_ENDS


def turn_card(way: str) -> str:
    """A path card's way up after a turn by 180 degrees (P1)."""
    sides = {TURNED[side] for side in way.upper()}
    text = "".join(side for side in "NESW" if side in sides)
    return text if way.isupper() else text.lower()


def ways(card: str) -> set[str]:
    """The one or two ways in which a path card may lie (P1)."""
    return {card, turn_card(card)}


EVERY_WAY = sorted({way for card in (*THROUGH, *DEAD_ENDS) for way in ways(card)})
OPEN = {way: frozenset(way.upper()) for way in EVERY_WAY}
"""The open sides of each way a card can lie."""


CARD_LYING = {way: card for card in (*THROUGH, *DEAD_ENDS) for way in ways(card)}
"""Which card lies like this."""

TEXT = {path: path.text for path in PATHS}
"""How the engine's ways are spelt, looked up and not worked out each time."""
