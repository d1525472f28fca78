"""Where cards may lie, what the start reaches, and how goals are revealed (RULES P and G).

`cards` is every face-up path card by its cell, as it lies; `hidden` is what is on each goal still
face down.
"""

from collections.abc import Iterable

from tests.oracle.oracle_deck import OPEN, START, TREASURE, TURNED, Cell, turn_card

Cards = dict[Cell, str]

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""Where each side leads: x grows east, y grows south (S6)."""


def beside(cell: Cell, side: str) -> Cell:
    """The cell that lies on that side."""
    (x, y), (dx, dy) = cell, STEPS[side]
    return (x + dx, y + dy)


def flood(cards: Cards) -> set[Cell]:
    """Flood from the start through through cards, over edges open on both sides (P5)."""
    found = {START}
    wet = [START]
    while wet:
        x, y = here = wet.pop()
        for side in OPEN[cards[here]]:
            dx, dy = STEPS[side]
            there = (x + dx, y + dy)
            if there in found or there not in cards:
                continue
            way = cards[there]
            if way.isupper() and TURNED[side] in OPEN[way]:
                found.add(there)
                wet.append(there)
    return found


def box(cells: Iterable[Cell], margin: int) -> list[Cell]:
    """Every cell of the rectangle around these, and this many more on each side."""
    xs, ys = zip(*cells, strict=True)
    return [
        (x, y)
        for x in range(min(xs) - margin, max(xs) + margin + 1)
        for y in range(min(ys) - margin, max(ys) + margin + 1)
    ]


def spots(cards: Cards, hidden: Iterable[Cell]) -> list[tuple[Cell, dict[str, Cell]]]:
    """Every empty cell that touches a face-up card, with its face-up neighbours by side, in order.

    The others can be left out: P3 wants at least a touch in every edition, and a face-down goal is
    never the card touched.
    """
    hidden = set(hidden)
    found: dict[Cell, dict[str, Cell]] = {}
    for there in cards:
        for side in "NESW":
            cell = beside(there, side)
            if cell not in cards and cell not in hidden:  # P1
                found.setdefault(cell, {})[TURNED[side]] = there
    return [(cell, found[cell]) for cell in sorted(found)]


def fits(cards: Cards, way: str, neighbours: dict[str, Cell]) -> bool:
    """Whether each shared edge is open on both sides or closed on both (P2)."""
    for side, there in neighbours.items():
        if (side in OPEN[way]) != (TURNED[side] in OPEN[cards[there]]):
            return False
    return True


def joins(way: str, neighbours: dict[str, Cell], reach: set[Cell]) -> bool:
    """Whether a card that fits there is linked to what the start reaches (P3)."""
    return any(side in OPEN[way] and there in reach for side, there in neighbours.items())


def lays(
    cards: Cards, hidden: Iterable[Cell], ways: Iterable[str], *, linked: bool
) -> set[tuple[str, Cell]]:
    """Every way and cell that P1 to P3 allow, tried one by one."""
    reach = flood(cards)
    hidden = list(hidden)
    return {
        (way, cell)
        for cell, neighbours in spots(cards, hidden)
        for way in ways
        if fits(cards, way, neighbours) and (not linked or joins(way, neighbours, reach))
    }


def openings(cards: Cards, among: Iterable[Cell], goal: Cell) -> set[str]:
    """The sides of a goal that any of these cards opens onto."""
    among = set(among)
    return {
        side
        for side in "NESW"
        if (there := beside(goal, side)) in among and TURNED[side] in OPEN[cards[there]]
    }


def agreeing(cards: Cards, goal: Cell, way: str) -> int:
    """With how many face-up neighbours a stone agrees, lying like this (G3)."""
    return sum(
        fits(cards, way, {side: beside(goal, side)})
        for side in "NESW"
        if beside(goal, side) in cards
    )


def lying(cards: Cards, goal: Cell, face: str, laid: Cell) -> str:
    """How a goal that is revealed now comes to lie (G3)."""
    if face == TREASURE:
        return face
    joined = openings(cards, [laid], goal) or openings(cards, flood(cards), goal)
    upright, upside_down = face, turn_card(face)
    left = [way for way in (upright, upside_down) if joined & OPEN[way]]
    most = max(agreeing(cards, goal, way) for way in left)
    left = [way for way in left if agreeing(cards, goal, way) == most]
    return upright if upright in left else upside_down


def reveal(cards: Cards, hidden: Cards, laid: Cell) -> list[Cards]:
    """Turn up what a card just laid reaches: the goals of each wave, as they come to lie.

    All of a wave lie by what was there before it (G3); after stones it is asked again (G1), after
    the treasure it is not (G2). Changes `cards` and `hidden`.
    """
    waves: list[Cards] = []
    while not waves or TREASURE not in waves[-1].values():
        reach = flood(cards)
        found = [goal for goal in hidden if openings(cards, reach, goal)]
        if not found:
            break
        waves.append({goal: lying(cards, goal, hidden[goal], laid) for goal in found})
        cards.update(waves[-1])
        for goal in found:
            del hidden[goal]
    return waves
