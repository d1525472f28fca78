"""Actions and observations as numbers of fixed shape, for programs that learn.

An action is an int below `ACTIONS`, `legal_mask` tells the legal ones, and `encode_view` makes
bytes of all that a seat sees. The numbers mean the same for as long as `ENCODING_VERSION` is the
same. Seats are counted from the one that looks: 0 is itself, then by rising seat, round and round.

The mine has no limit (S6), a grid has. What lies outside `COLUMNS` and `ROWS` is in no observation,
and a lay there has no number, so it is not in the mask; a seat that is to act always has a legal
action, as it may always discard. Over all editions and numbers of players, in 400 games between
`greedy` and `wary` bots 0.13% of the cards were laid outside, and 0.16% of the legal lays were
there; in 1,000 games of random moves 0.41% and 0.42%.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from engine.board import GOAL_CELLS, LINKED, Cell
from engine.cards import CARDS, PATHS, E, Goal, N, Role, S, Tool, W
from engine.edition import ConnectRule, DeadTable, Direction, ShareRule, StarterRule
from engine.events import Broke, Collapsed, Laid, Passed, Repaired
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Repair, Rockfall
from engine.state import GOLD_CARDS, MAX_PLAYERS, Phase, Score, Table
from engine.view import View

ENCODING_VERSION: Final = 1
"""The version of all numbers in this module."""

COLUMNS: Final = range(-5, 11)
ROWS: Final = range(-6, 8)
"""The columns and rows of the grid, with the start at (0, 0)."""

CELLS: Final[tuple[Cell, ...]] = tuple((x, y) for y in ROWS for x in COLUMNS)
"""The cells of the grid in the order of a plane: row by row from north, each from west to east."""

_REPAIRS: Final = tuple((card, tool) for card in CARDS for tool in card.repairs)


def _every_action() -> Iterator[Move]:
    """Yield the move of each action; a target is counted from the seat that acts."""
    seats = range(MAX_PLAYERS)
    yield from (Lay(path, cell) for path in PATHS for cell in CELLS)
    yield from (Break(tool, seat) for tool in Tool for seat in seats)
    yield from (Repair(card, seat, tool) for card, tool in _REPAIRS for seat in seats)
    yield from map(Rockfall, CELLS)
    yield from map(Map, GOAL_CELLS)
    yield from map(Discard, CARDS)
    yield from map(KeepGold, GOLD_CARDS)


_MOVES: Final = tuple(_every_action())
_ACTION_OF: Final = {move: action for action, move in enumerate(_MOVES)}

ACTIONS: Final = len(_MOVES)
"""The number of actions: lays by path and cell, broken tools by tool and seat, repairs by card,
tool and seat, rockfalls by cell, maps by goal, discards by card, and gold cards to keep."""

PLANES: Final = (
    "card",
    "north open",
    "east open",
    "south open",
    "west open",
    "tunnel",
    "reached",
    "site",
    "site joined to the start",
    "goal face down",
    "treasure",
    "stone",
)
"""The planes of an observation, each with a byte of 0 or 1 for each of `CELLS`: where a face-up
card lies, its open sides, whether its paths join, whether it is joined to the start; empty cells
beside a face-up card, and those that a tunnel from the start opens onto; the goals face down, and
those of which the seat knows the face."""

SEAT_FIELDS: Final = (
    "at the table",
    "to act",
    "cards in hand",
    "pick broken",
    "lantern broken",
    "cart broken",
    "cards discarded face down",
    "looked at the northern goal",
    "looked at the middle goal",
    "looked at the southern goal",
    "laid the last path card",
    "played the last card",
    "gold cards",
    "chits",
    "tunnels laid",
    "dead ends laid",
    "tunnels brought down",
    "dead ends cleared",
    "passes",
    *(f"tools of seat {seat} broken" for seat in range(MAX_PLAYERS)),
    *(f"tools of seat {seat} repaired" for seat in range(MAX_PLAYERS)),
)
"""What an observation tells of each of ten seats. What a seat did is counted in this round, from
the view's `history`; there is none of it if the view has none."""

_ROWS: Final = (
    Direction.COUNTER_CLOCKWISE,
    ConnectRule.ADJACENT,
    DeadTable.ENDS_ROUND,
    ShareRule.ALL_PLAYERS,
    StarterRule.CARD,
)
"""The rows of `Edition` that an observation tells of."""

FIELDS: Final = (
    "miner",
    "saboteur",
    *(f"{card} in hand" for card in CARDS),
    *(f"{card} discarded by itself" for card in CARDS),
    *(f"{card} discarded face up" for card in CARDS),
    "cards in the draw pile",
    "round",
    "rounds",
    "rounds won by miners",
    "rounds won by saboteurs",
    "gold is chosen",
    "gold cards that nobody has",
    "gold cards to choose from",
    *(f"own gold cards of {nuggets}" for nuggets in GOLD_CARDS),
    *(f"gold cards of {nuggets} on offer" for nuggets in GOLD_CARDS),
    *map(str, _ROWS),
    *(f"seat {seat}: {field}" for seat in range(MAX_PLAYERS) for field in SEAT_FIELDS),
)
"""The fields of an observation after its planes, a byte each. Those named like a row of `Edition`
are 1 if the table plays by it."""

OBSERVATION_BYTES: Final = len(PLANES) * len(CELLS) + len(FIELDS)
"""The number of bytes of every observation."""


def encode_move(view: View, move: Move) -> int:
    """Return the action of a move of the view's seat, legal or not.

    Raises `ValueError` for a cell off the grid, and for what no card of the game can do.
    """
    action = _ACTION_OF.get(_count_from(_origin(view), view.table.players, move))
    if action is None:
        raise ValueError(f"{move} has no number: it is off the grid, or no card does it")
    return action


def decode_action(view: View, action: int) -> Move:
    """Return the move of an action of the view's seat, legal or not.

    A target that is not at the table stays one. Raises `ValueError` for a number that is no action.
    """
    if action not in range(ACTIONS):
        raise ValueError(f"there is no action {action}: they are 0 to {ACTIONS - 1}")
    move, players = _MOVES[action], view.table.players
    if isinstance(move, Break | Repair) and move.target >= players:
        return move
    return _count_from(-_origin(view), players, move)


def legal_actions(view: View) -> tuple[int, ...]:
    """Return the legal actions of a view's seat, none if it is not to act.

    They are in the order of `View.legal_moves`, without those off the grid.
    """
    own, players = _origin(view), view.table.players
    found = (_ACTION_OF.get(_count_from(own, players, move)) for move in view.legal_moves())
    return tuple([action for action in found if action is not None])


def legal_mask(view: View) -> bytes:
    """Return a byte for each action: 1 if it is legal for the view's seat now, else 0."""
    mask = bytearray(ACTIONS)
    for action in legal_actions(view):
        mask[action] = 1
    return bytes(mask)


def encode_view(view: View) -> bytes:
    """Return the observation of a view: its `PLANES` one after the other, then its `FIELDS`."""
    planes = bytearray()
    for cells in _planes(view):
        planes += bytes([cell in cells for cell in CELLS])
    return bytes(planes) + bytes(_fields(view))


def team_return(table: Table, seat: int) -> int:
    """Return 1 if the side of a seat won the round, -1 if it lost, 0 if the round is not over."""
    if table.end is None:
        return 0
    return 1 if table.end.roles[seat] is table.end.winner else -1


def own_return(score: Score, seat: int) -> int:
    """Return the nuggets that a seat won in the game, 0 until that is over (F1)."""
    return 0 if score.nuggets is None else score.nuggets[seat]


def _origin(view: View) -> int:
    """Return the seat from which the others are counted: one's own, for a watcher the first."""
    return view.seat or 0


def _count_from(own: int, players: int, move: Move) -> Move:
    """Return a move with its target counted from a seat."""
    if isinstance(move, Break):
        return Break(move.tool, (move.target - own) % players)
    if isinstance(move, Repair):
        return Repair(move.card, (move.target - own) % players, move.tool)
    return move


def _planes(view: View) -> Iterator[Container[Cell]]:
    """Yield the cells of each plane."""
    board = view.table.board
    yield board.cards
    for side in (N, E, S, W):
        yield {cell for cell, path in board.cards.items() if path.edges & side}
    yield {cell for cell, path in board.cards.items() if path.through}
    yield board.reached
    yield board.sites
    yield {cell for cell, required in board.sites.items() if required & LINKED}
    yield board.hidden
    known = {cell: view.goal_on(cell) for cell in GOAL_CELLS}
    yield {cell for cell, goal in known.items() if goal is Goal.TREASURE}
    yield {cell for cell, goal in known.items() if goal not in (None, Goal.TREASURE)}


def _fields(view: View) -> Iterator[int]:
    """Yield the value of each of `FIELDS`."""
    table, score = view.table, view.score
    yield view.role is Role.MINER
    yield view.role is Role.SABOTEUR
    for cards in (view.hand, view.buried, table.discards):
        yield from _counts(CARDS, cards)
    yield table.pile
    yield score.number
    yield score.rounds
    yield from _counts((Role.MINER, Role.SABOTEUR), score.wins)
    yield view.phase is Phase.GOLD
    yield score.pile
    yield score.offer
    yield from _counts(GOLD_CARDS, view.gold)
    yield from _counts(GOLD_CARDS, view.offer)
    rows = table.edition.rows
    for row in _ROWS:
        yield row in rows
    deeds = _deeds(view)
    own, players = _origin(view), table.players
    for away in range(MAX_PLAYERS):
        if away < players:
            yield from _seat_fields(view, (own + away) % players, deeds)
        else:
            yield from bytes(len(SEAT_FIELDS))


def _seat_fields(view: View, seat: int, deeds: Counter[tuple[int, str]]) -> Iterator[int]:
    """Yield the value of each of `SEAT_FIELDS` of a seat."""
    table, score = view.table, view.score
    yield 1
    yield view.to_act == seat
    yield table.hands[seat]
    for tool in Tool:
        yield table.broken[seat] & tool.bit != 0
    yield table.buried[seat]
    for cell in GOAL_CELLS:
        yield cell in table.looks[seat]
    yield table.last_path == seat
    yield table.last_card == seat
    yield score.cards[seat]
    yield score.chits[seat]
    for field in SEAT_FIELDS[_FIRST_DEED:]:
        yield deeds[seat, field]


_FIRST_DEED: Final = SEAT_FIELDS.index("tunnels laid")


def _deeds(view: View) -> Counter[tuple[int, str]]:
    """Count what each seat did in this round, by the field that tells it."""
    own, players = _origin(view), view.table.players
    deeds: Counter[tuple[int, str]] = Counter()
    for event in view.history:
        match event:
            case Laid(seat, path):
                deeds[seat, "tunnels laid" if path.through else "dead ends laid"] += 1
            case Collapsed(seat, _, path):
                deeds[seat, "tunnels brought down" if path.through else "dead ends cleared"] += 1
            case Passed(seat):
                deeds[seat, "passes"] += 1
            case Broke(seat, _, target):
                deeds[seat, f"tools of seat {(target - own) % players} broken"] += 1
            case Repaired(seat, _, target):
                deeds[seat, f"tools of seat {(target - own) % players} repaired"] += 1
            case _:
                pass
    return deeds


def _counts(kinds: Iterable[object], items: Sequence[object]) -> list[int]:
    """Return how many of the items are of each kind."""
    return [items.count(kind) for kind in kinds]
