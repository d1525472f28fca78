"""Actions and observations as numbers of fixed shape, for programs that learn.

An action is an int below `ACTIONS`, `legal_mask` tells the legal ones, and `encode_view` makes
bytes of all that a seat sees. The numbers mean the same for as long as `ENCODING_VERSION` is the
same. Seats are counted from the seat of the view: 0 is that seat itself, 1 the next higher seat;
the lowest seat of the table comes after the highest.

The mine has no limit (S6), a grid has. What lies outside `COLUMNS` and `ROWS` is in no observation,
and a lay there has no number, so it is not in the mask; a seat that is to act always has a legal
action, as it may always discard. Over all editions and numbers of players, in 400 games between
`greedy` and `wary` bots 0.13% of the cards were laid outside, and 0.16% of the legal lays were
there; in 1,000 games of random moves 0.41% and 0.42%.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from engine.actions import PLAY_OF_CARD, Broke, Collapsed, OnSeat, Repaired
from engine.board import GOAL_CELLS, LINKED, Cell
from engine.cards import CARDS, PATHS, E, Goal, N, Role, S, W
from engine.edition import ConnectRule, DeadTable, Direction, ShareRule, StarterRule
from engine.events import Laid, Passed
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import GOLD_CARDS, MAX_PLAYERS, Phase, Score, Table
from engine.view import View

Item = TypeVar("Item")

ENCODING_VERSION: Final = 1
"""The version of all numbers in this module."""

COLUMNS: Final = range(-5, 11)
ROWS: Final = range(-6, 8)
"""The columns and rows of the grid, with the start at (0, 0)."""

CELLS: Final[tuple[Cell, ...]] = tuple((x, y) for y in ROWS for x in COLUMNS)
"""The cells of the grid in the order of a plane: row by row from north, each from west to east."""


def _list_actions() -> Iterator[Move]:
    """Yield the move of each action; a target is counted from the seat that acts."""
    seats = range(MAX_PLAYERS)
    yield from (Lay(path, cell) for path in PATHS for cell in CELLS)
    for card, play in PLAY_OF_CARD.items():
        places = seats if issubclass(play, OnSeat) else play.only_on or CELLS
        # Way by way, such as the two tools of a double repair; each at one place after the other.
        for way in zip(*[play.plays_at(card, place) for place in places], strict=True):
            yield from way
    yield from map(Discard, CARDS)
    yield from map(KeepGold, GOLD_CARDS)


_MOVES: Final = tuple(_list_actions())
_ACTION_OF: Final = {move: action for action, move in enumerate(_MOVES)}
_DISCARD_OF: Final = {card: _ACTION_OF[Discard(card)] for card in CARDS}
_AT: Final = {cell: at for at, cell in enumerate(CELLS)}

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

    Raises `ValueError` for a cell off the grid, and for a move that no card of the game can make.
    """
    action = _find_action(_find_origin(view), view.table.players, move)
    if action is None:
        raise ValueError(f"{move} has no number: it is off the grid, or no card does it")
    return action


def decode_action(view: View, action: int) -> Move:
    """Return the move of an action of the view's seat, legal or not.

    An action on a seat that the table does not have becomes a move on such a seat. Raises
    `ValueError` for a number that is no action.
    """
    move, players = _find_move(action), view.table.players
    if not isinstance(move, OnSeat) or move.target >= players:
        return move
    return _MOVES[action - move.target + (move.target + _find_origin(view)) % players]


def describe_action(action: int) -> str:
    """Return what an action is, spelt as a move of the first seat, such as `NES@3n1` or `-P>2`.

    Seat 1 is the one that acts. Raises `ValueError` for a number that is no action.
    """
    return str(_find_move(action))


def legal_actions(view: View) -> tuple[int, ...]:
    """Return the legal actions of a view's seat, none if it is not to act.

    They are in the order of `View.legal_moves`, without those off the grid.
    """
    own, players = _find_origin(view), view.table.players
    found = [_find_action(own, players, move) for move in view.legal_moves()]
    return tuple([action for action in found if action is not None])


def legal_mask(view: View) -> bytes:
    """Return a byte for each action: 1 if it is legal for the view's seat now, else 0."""
    mask = bytearray(ACTIONS)
    for action in legal_actions(view):
        mask[action] = 1
    return bytes(mask)


def encode_view(view: View) -> bytes:
    """Return the observation of a view: its `PLANES` one after the other, then its `FIELDS`."""
    seen = bytearray(OBSERVATION_BYTES)
    _mark_mine(view, seen)
    _write_fields(view, seen)
    return bytes(seen)


def team_return(table: Table, seat: int) -> int:
    """Return 1 if the side of a seat won the round, -1 if it lost, 0 if the round is not over."""
    if table.end is None:
        return 0
    return 1 if table.end.roles[seat] is table.end.winner else -1


def own_return(score: Score, seat: int) -> int:
    """Return the nuggets that a seat won in the game, 0 until that is over (F1)."""
    return 0 if score.nuggets is None else score.nuggets[seat]


def _find_origin(view: View) -> int:
    """Return the seat from which seats are counted: the view's own, for a watcher the first."""
    return view.seat or 0


def _find_move(action: int) -> Move:
    """Return the move of an action, its target counted from the seat that acts."""
    if action not in range(ACTIONS):
        raise ValueError(f"there is no action {action}: they are 0 to {ACTIONS - 1}")
    return _MOVES[action]


def _find_action(own: int, players: int, move: Move) -> int | None:
    """Return the action of a move of a seat, `None` if it has none."""
    if isinstance(move, Lay):  # To look a move up takes long, and these are most.
        at = _AT.get(move.cell)
        return None if at is None else move.path.index * len(CELLS) + at
    if isinstance(move, Discard):
        return _DISCARD_OF[move.card]
    action = _ACTION_OF.get(move)
    if action is None or not isinstance(move, OnSeat):
        return action
    return action - move.target + (move.target - own) % players


_PLANE: Final = {name: number * len(CELLS) for number, name in enumerate(PLANES)}
"""Where each plane begins, by its name."""
_OF_PATH: Final = tuple(
    (
        _PLANE["card"],
        *(number * len(CELLS) for number, side in enumerate((N, E, S, W), 1) if path.edges & side),
        *((_PLANE["tunnel"],) if path.through else ()),
    )
    for path in PATHS
)
"""The planes that a card is in, by the index of its path."""
_REACHED, _SITE, _JOINED = (
    _PLANE[name] for name in ("reached", "site", "site joined to the start")
)


def _mark_mine(view: View, seen: bytearray) -> None:
    """Set the bytes of all planes. What lies outside the grid has none."""
    board, at_cell = view.table.board, _AT.get
    for cell, path in board.cards.items():
        if (at := at_cell(cell)) is not None:
            for plane in _OF_PATH[path.index]:
                seen[plane + at] = 1
    for cell in board.reached:
        if (at := at_cell(cell)) is not None:
            seen[_REACHED + at] = 1
    for cell, required in board.sites.items():
        if (at := at_cell(cell)) is not None:
            seen[_SITE + at] = 1
            if required & LINKED:
                seen[_JOINED + at] = 1
    for cell in board.hidden:
        seen[_PLANE["goal face down"] + _AT[cell]] = 1
    for cell in GOAL_CELLS:
        if (goal := view.goal_on(cell)) is not None:
            name = "treasure" if goal is Goal.TREASURE else "stone"
            seen[_PLANE[name] + _AT[cell]] = 1


_FIELD: Final = {name: at for at, name in enumerate(FIELDS, len(PLANES) * len(CELLS))}
"""Where each field is, by its name."""
_FIRST_SEAT: Final = _FIELD[f"seat 0: {SEAT_FIELDS[0]}"]
_OWN, _BURIED, _DISCARDED = (
    {card: _FIELD[f"{card} {where}"] for card in CARDS}
    for where in ("in hand", "discarded by itself", "discarded face up")
)
_GOLD, _OFFER = (
    {nuggets: _FIELD[f"{name} of {nuggets}{rest}"] for nuggets in GOLD_CARDS}
    for name, rest in (("own gold cards", ""), ("gold cards", " on offer"))
)
_SEAT_FIELD: Final = {name: at for at, name in enumerate(SEAT_FIELDS)}
"""Where each field of a seat is, from the seat's first field."""
_BROKE, _REPAIRED = _SEAT_FIELD["tools of seat 0 broken"], _SEAT_FIELD["tools of seat 0 repaired"]
_LAID, _BROUGHT_DOWN = (
    (_SEAT_FIELD[dead_end], _SEAT_FIELD[tunnel])
    for dead_end, tunnel in (
        ("dead ends laid", "tunnels laid"),
        ("dead ends cleared", "tunnels brought down"),
    )
)
"""The seat fields for a dead end and for a tunnel, so that `path.through` is an index."""
_PASSES: Final = _SEAT_FIELD["passes"]


def _write_fields(view: View, seen: bytearray) -> None:
    """Set the bytes of all fields."""
    table, score = view.table, view.score
    if view.role is not None:
        seen[_FIELD["miner" if view.role is Role.MINER else "saboteur"]] = 1
    _count(view.hand, _OWN, seen)
    _count(view.buried, _BURIED, seen)
    _count(table.discards, _DISCARDED, seen)
    at, chooses = _FIELD["cards in the draw pile"], view.phase is Phase.GOLD
    won = score.wins.count(Role.MINER)
    lost = len(score.wins) - won
    public = (table.pile, score.number, score.rounds, won, lost, chooses, score.pile, score.offer)
    seen[at : at + len(public)] = public
    _count(view.gold, _GOLD, seen)
    _count(view.offer, _OFFER, seen)
    rows = table.edition.rows
    for row in _ROWS:
        seen[_FIELD[row]] = row in rows
    _write_seats(view, seen)
    _count_deeds(view, seen)


def _count(items: tuple[Item, ...], places: Mapping[Item, int], seen: bytearray) -> None:
    """Add each item to the byte of its kind."""
    for item in items:
        seen[places[item]] += 1


def _write_seats(view: View, seen: bytearray) -> None:
    """Set what everybody sees of each seat, but for what `_count_deeds` counts."""
    table, score, at, turn = view.table, view.score, _FIRST_SEAT, view.to_act
    own = _find_origin(view)
    for seat in (*range(own, table.players), *range(own)):
        broken, looks = table.broken[seat], table.looks[seat]
        fields = (
            1,
            turn == seat,
            table.hands[seat],
            broken & 1,
            broken >> 1 & 1,
            broken >> 2,
            table.buried[seat],
            *[cell in looks for cell in GOAL_CELLS],
            table.last_path == seat,
            table.last_card == seat,
            score.cards[seat],
            score.chits[seat],
        )
        seen[at : at + len(fields)] = fields
        at += len(SEAT_FIELDS)


def _count_deeds(view: View, seen: bytearray) -> None:
    """Count what each seat did in this round, each event in the byte of its kind."""
    players = view.table.players
    away = [(seat - _find_origin(view)) % players for seat in range(players)]
    base = [_FIRST_SEAT + len(SEAT_FIELDS) * far for far in away]
    # Not a `match` of all: its class patterns take twice as long, and most events are no deeds.
    for event in [event for event in view.history if type(event) in _DEEDS]:
        if isinstance(event, Laid):
            seen[base[event.seat] + _LAID[event.path.through]] += 1
        elif isinstance(event, Passed):
            seen[base[event.seat] + _PASSES] += 1
        elif isinstance(event, Broke):
            seen[base[event.seat] + _BROKE + away[event.target]] += 1
        elif isinstance(event, Repaired):
            seen[base[event.seat] + _REPAIRED + away[event.target]] += 1
        else:
            assert isinstance(event, Collapsed)
            seen[base[event.seat] + _BROUGHT_DOWN[event.path.through]] += 1


_DEEDS: Final = frozenset((Laid, Passed, Broke, Repaired, Collapsed))
"""The events that `_count_deeds` counts."""
