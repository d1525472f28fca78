"""Players who make things happen: each picks one of the legal moves, seeing all cards.

They are no bots. A driver is there to lead games to where the rules say something seldom asked.
"""

from collections.abc import Callable, Sequence
from random import Random

from engine import Break, Discard, Lay, Map, Move, Repair, Rockfall
from tests.oracle import mine
from tests.oracle.game import OracleGame
from tests.oracle.oracle_deck import OPEN, START, TEXT, Cell

Driver = Callable[[OracleGame, Sequence[Move], Random], Move]


def anyhow(_game: OracleGame, moves: Sequence[Move], rng: Random) -> Move:
    """Any legal move, all alike."""
    return rng.choice(moves)


def seeker(game: OracleGame, moves: Sequence[Move], rng: Random) -> Move:
    """Mend what is cut off, dig towards a goal, repair, and pass with what does not help."""
    if game.offer:
        return rng.choice(moves)
    table = game.round
    aims = list(table.hidden)
    lays = [move for move in moves if isinstance(move, Lay) and move.path.through]
    if lays and (mending := _mending(table.cards, lays)):
        return rng.choice(mending)
    near = _distances(table.cards, aims, mine.flood(table.cards))
    steps = [(_distance(TEXT[move.path], move.cell, aims), move) for move in lays]
    if steps and (best := min([distance for distance, _ in steps])) <= near + rng.randrange(2):
        return rng.choice([move for distance, move in steps if distance == best])
    if repairs := [move for move in moves if isinstance(move, Repair)]:
        return rng.choice(repairs)
    return min((move for move in moves if isinstance(move, Discard)), key=_usefulness)


def _usefulness(move: Discard) -> int:
    """What is better kept: through cards first of all."""
    card = move.card.text
    return len(card) if card.isupper() and card.isalpha() and len(card) > 1 else 0


def _distance(way: str, cell: Cell, aims: Sequence[Cell]) -> int:
    """How far it is from this card's ends to the nearest goal."""
    ends = [mine.beside(cell, side) for side in OPEN[way]]
    return min([abs(x - a) + abs(y - b) for x, y in ends for a, b in aims])


def _distances(cards: mine.Cards, aims: Sequence[Cell], among: set[Cell]) -> int:
    """How far it is from any end of these cards to the nearest goal."""
    ends = [mine.beside(cell, side) for cell in among for side in OPEN[cards[cell]]]
    free = [end for end in ends if end not in cards] or [START]
    return min([abs(x - a) + abs(y - b) for x, y in free for a, b in aims])


def _mending(cards: mine.Cards, lays: Sequence[Lay]) -> list[Move]:
    """The lays that link most, if any links more than itself."""
    reach = mine.flood(cards)
    loose = {cell for cell, way in cards.items() if way.isupper()} - reach
    beside = {mine.beside(cell, side) for cell in loose for side in OPEN[cards[cell]]}
    gains = [
        (len(mine.flood({**cards, move.cell: TEXT[move.path]})) - len(reach), move)
        for move in lays
        if move.cell in beside
    ]
    best = max((gain for gain, _ in gains), default=0)
    return [move for gain, move in gains if gain == best] if best > 1 else []


def vandal(game: OracleGame, moves: Sequence[Move], rng: Random) -> Move:
    """Bring down and block what others dig, now and then; dig like them otherwise."""
    cards = game.round.cards
    reach = mine.flood(cards)
    busy = [
        move
        for move in moves
        if isinstance(move, Rockfall)
        and sum(mine.beside(move.cell, side) in reach for side in "NESW") > 1
    ]
    dead = [move for move in moves if isinstance(move, Lay) and not move.path.through]
    tools = [move for move in moves if isinstance(move, Break)]
    if busy and rng.random() < 0.9:
        return rng.choice(busy)
    if dead and rng.random() < 0.2:
        return rng.choice(dead)
    if tools and rng.random() < 0.3:
        return rng.choice(tools)
    return seeker(game, moves, rng)


def hoarder(game: OracleGame, moves: Sequence[Move], rng: Random) -> Move:
    """Pass with what could be played, keep what could not, and so run the pile out."""
    passes = [move for move in moves if isinstance(move, Discard)]
    if not passes or (not game.round.pile and rng.random() < 0.3):
        return rng.choice(moves)
    looks = [move for move in moves if isinstance(move, Map)]
    if looks and rng.random() < 0.3:
        return rng.choice(looks)
    helpless = [move for move in passes if move.card.text[0] == "+"]
    return rng.choice([move for move in passes if move not in helpless] or passes)


def builder(game: OracleGame, moves: Sequence[Move], rng: Random) -> Move:
    """Start tunnels of its own beside the goals where it may, then link them (E-link)."""
    lays = [move for move in moves if isinstance(move, Lay) and move.path.through]
    if not lays or rng.random() < 0.3:
        return seeker(game, moves, rng)
    if mending := _mending(game.round.cards, lays):
        return rng.choice(mending)
    far = {move: min(abs(move.cell[0] - 8), abs(move.cell[0] - 4)) for move in lays}
    best = min(far.values())
    return rng.choice([move for move in lays if far[move] == best])


DRIVERS: dict[str, Driver] = {
    "anyhow": anyhow,
    "seeker": seeker,
    "vandal": vandal,
    "hoarder": hoarder,
    "builder": builder,
}
