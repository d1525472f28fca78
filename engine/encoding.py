"""Actions and observations as numbers of fixed shape, for programs that learn.

An action is an int below `ACTIONS`, `legal_mask` marks the legal ones, and `encode_view` makes
bytes of all that a seat sees. The numbers mean the same for as long as `ENCODING_VERSION` is the
same. Seats are counted from the seat of the view: 0 is that seat itself, 1 the next higher seat;
the lowest seat of the table comes after the highest.

The mine has no limit (S6); a grid does. What lies outside `COLUMNS` and `ROWS` is in no
observation, and a lay there has no number, so it is not in the mask; a seat that is to act always
has a legal action, as it may always discard. Over all editions and numbers of players, in 400 games
between `greedy` and `wary` bots 0.13% of the cards were laid outside, and 0.16% of the legal lays
were there; in 1,000 games of random moves 0.41% and 0.42%.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from engine.actions import PLAY_OF_CARD, Broke, Collapsed, OnCell, OnSeat, Repaired
from engine.board import GOAL_CELLS, LINKED, Board, Cell
from engine.cards import CARDS, PATHS, E, Goal, N, Role, S, Tool, W
from engine.edition import ConnectRule, DeadTable, Direction, Edition, ShareRule, StarterRule
from engine.events import Event, Laid, Passed
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import GOLD_CARDS, MAX_PLAYERS, Phase, Score, Table
from engine.view import View

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
_ON_SEAT: Final = {
    (move.card, move.tool): action
    for move, action in _ACTION_OF.items()
    if isinstance(move, OnSeat) and move.target == 0
}
"""The action of a card for each of its tools on the seat that acts."""
_ON_CELL: Final = {
    card: {
        move.cell: action
        for move, action in _ACTION_OF.items()
        if isinstance(move, OnCell) and move.card is card
    }
    for card, play in PLAY_OF_CARD.items()
    if issubclass(play, OnCell)
}
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
"""The planes of an observation, each with a byte of 0 or 1 for each of `CELLS`: all of them reshape
to `(len(PLANES), len(ROWS), len(COLUMNS))`, which is (12, 14, 16). They tell where a face-up card
lies, its open sides, whether its paths join, whether it is joined to the start; empty cells beside
a face-up card, and those that a tunnel from the start opens onto; the goals face down, and those of
which the seat knows the face."""

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
"""What an observation says about each of ten seats. What a seat did is counted in this round, from
the view's `history`; there is none of it if the view has none."""

_ROWS: Final = (
    Direction.COUNTER_CLOCKWISE,
    ConnectRule.ADJACENT,
    DeadTable.ENDS_ROUND,
    ShareRule.ALL_PLAYERS,
    StarterRule.CARD,
)
"""The rows of `Edition` that an observation includes."""

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
    `ValueError` for a number that is not an action.
    """
    move, players = _find_move(action), view.table.players
    if not isinstance(move, OnSeat) or move.target >= players:
        return move
    return _MOVES[action - move.target + (move.target + _find_origin(view)) % players]


def describe_action(action: int) -> str:
    """Return what an action is, spelt as a move of the first seat, such as `NES@3n1` or `-P>2`.

    Seat 1 is the one that acts. Raises `ValueError` for a number that is not an action.
    """
    return str(_find_move(action))


def legal_actions(view: View) -> tuple[int, ...]:
    """Return the legal actions of a view's seat, none if it is not to act.

    They are in the order of `View.legal_moves`, without those off the grid.
    """
    own, players = _find_origin(view), view.table.players
    found = list[int]()
    add, at_cell, cells = found.append, _AT.get, len(CELLS)
    for move in view.legal_moves():
        if type(move) is Lay:  # Most are, and a call for each takes half of the time.
            if (at := at_cell(move.cell)) is not None:
                add(move.path.index * cells + at)
        elif type(move) is Discard:
            add(_DISCARD_OF[move.card])
        elif (action := _find_action(own, players, move)) is not None:
            add(action)
    return tuple(found)


def legal_mask(view: View) -> bytes:
    """Return a byte for each action: 1 if it is legal for the view's seat now, else 0."""
    mask = bytearray(ACTIONS)
    for action in legal_actions(view):
        mask[action] = 1
    return bytes(mask)


def encode_view(view: View, counts: ActionCounts | None = None) -> bytes:
    """Return the observation of a view: its `PLANES` one after another, then its `FIELDS`.

    The seats' `counts` of actions are made from the view's `history`, unless they are given.
    """
    if counts is None:
        counts = ActionCounts(view.table.players, [_find_origin(view)])
        counts.count(view.history)
    seen = bytearray(_encode_board(view.table.board))
    end = view.table.end
    _mark_goals(view.peeks if end is None else end.goals, seen)
    _write_fields(view, counts, seen)
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
    # By its parts, as a look-up of the move itself takes three times as long.
    if isinstance(move, OnSeat):
        action = _ON_SEAT.get((move.card, move.tool))
        is_seat = 0 <= move.target < MAX_PLAYERS
        return None if action is None or not is_seat else action + (move.target - own) % players
    return _ON_CELL[move.card].get(move.cell) if isinstance(move, OnCell) else _ACTION_OF.get(move)


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


_last_board: tuple[Board, bytes] | None = None
"""The board that was encoded last, and its observation: most moves lay nothing."""


def _encode_board(board: Board) -> bytes:
    """Return an observation of only the board. What lies outside the grid is in no plane."""
    global _last_board  # noqa: PLW0603 - a memo of one value, as boards have no cheap hash
    if _last_board is not None and _last_board[0] is board:
        return _last_board[1]
    seen, at_cell = bytearray(OBSERVATION_BYTES), _AT.get
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
    revealed = (board.cards.get(cell) for cell in GOAL_CELLS)
    _mark_goals((None if path is None else Goal.lying(path) for path in revealed), seen)
    _last_board = board, bytes(seen)
    return _last_board[1]


def _mark_goals(faces: Iterable[Goal | None], seen: bytearray) -> None:
    """Set the faces of the goals, from north to south, as far as they are known."""
    for cell, goal in zip(GOAL_CELLS, faces, strict=True):
        if goal is not None:
            name = "treasure" if goal is Goal.TREASURE else "stone"
            seen[_PLANE[name] + _AT[cell]] = 1


_FIELD: Final = {name: at for at, name in enumerate(FIELDS, len(PLANES) * len(CELLS))}
"""Where each field is, by its name."""
_FIRST_ROW: Final = _FIELD[str(_ROWS[0])]
_FIRST_SEAT: Final = _FIELD[f"seat 0: {SEAT_FIELDS[0]}"]
_OWN, _OWN_BURIED, _DISCARDED = (
    _FIELD[f"{CARDS[0]} {where}"]
    for where in ("in hand", "discarded by itself", "discarded face up")
)
"""Where the counts of each card begin; they are in the order of `CARDS`."""
_GOLD, _OFFER = (
    {nuggets: _FIELD[f"{name} of {nuggets}{rest}"] for nuggets in GOLD_CARDS}
    for name, rest in (("own gold cards", ""), ("gold cards", " on offer"))
)
_SEAT_FIELD: Final = {name: at for at, name in enumerate(SEAT_FIELDS)}
"""Where each field of a seat is, from the seat's first field."""
_TO_ACT, _CARDS, _BURIED, _LAST_PATH, _LAST_CARD, _GOLD_CARDS, _CHITS = map(
    _SEAT_FIELD.__getitem__,
    (
        "to act",
        "cards in hand",
        "cards discarded face down",
        "laid the last path card",
        "played the last card",
        "gold cards",
        "chits",
    ),
)
_BROKEN: Final = {tool: _SEAT_FIELD[f"{tool.name.lower()} broken"] for tool in Tool}
_LOOKED: Final = {
    cell: _SEAT_FIELD[f"looked at the {name} goal"]
    for cell, name in zip(GOAL_CELLS, ("northern", "middle", "southern"), strict=True)
}
_LAID, _BROUGHT_DOWN, _PASSED = map(
    _SEAT_FIELD.__getitem__, ("tunnels laid", "tunnels brought down", "passes")
)
"""Where a seat's actions are counted; the count of dead ends follows each of the first two."""
_BROKE, _REPAIRED = _SEAT_FIELD["tools of seat 0 broken"], _SEAT_FIELD["tools of seat 0 repaired"]


def _write_fields(view: View, counts: ActionCounts, seen: bytearray) -> None:
    table, score = view.table, view.score
    if view.role is not None:
        seen[_FIELD["miner" if view.role is Role.MINER else "saboteur"]] = 1
    for cards, first in (
        (view.hand, _OWN),
        (view.buried, _OWN_BURIED),
        (table.discards, _DISCARDED),
    ):
        for card in cards:
            seen[first + card.index] += 1
    at, chooses = _FIELD["cards in the draw pile"], view.phase is Phase.GOLD
    won = score.wins.count(Role.MINER)
    lost = len(score.wins) - won
    public = (table.pile, score.number, score.rounds, won, lost, chooses, score.pile, score.offer)
    seen[at : at + len(public)] = public
    for nuggets in view.gold:
        seen[_GOLD[nuggets]] += 1
    for nuggets in view.offer:
        seen[_OFFER[nuggets]] += 1
    seen[_FIRST_ROW : _FIRST_ROW + len(_ROWS)] = _encode_rows(table.edition)
    _write_seats(view, counts, seen)


@lru_cache(maxsize=1 << 6)
def _encode_rows(edition: Edition) -> bytes:
    return bytes(row in edition.rows for row in _ROWS)


def _write_seats(view: View, counts: ActionCounts, seen: bytearray) -> None:
    """Set what everybody sees of the seats."""
    table, score, own = view.table, view.score, _find_origin(view)
    rows = _list_rows(own, table.players)
    fields = counts.seen_by[own]
    seen[_FIRST_SEAT : _FIRST_SEAT + len(fields)] = fields
    for field, seat in (
        (_TO_ACT, view.to_act),
        (_LAST_PATH, table.last_path),
        (_LAST_CARD, table.last_card),
    ):
        if seat is not None:
            seen[rows[seat] + field] = 1
    for row, cards in zip(rows, table.hands, strict=True):
        seen[row + _CARDS] = cards
    # From here on most are 0.
    for field, values in (
        (_BURIED, table.buried),
        (_GOLD_CARDS, score.cards),
        (_CHITS, score.chits),
    ):
        if any(values):
            for row, value in zip(rows, values, strict=True):
                seen[row + field] = value
    for row, broken, looks in zip(rows, table.broken, table.looks, strict=True):
        if broken:
            for tool in Tool.within(broken):
                seen[row + _BROKEN[tool]] = 1
        for cell in looks:
            seen[row + _LOOKED[cell]] = 1


@lru_cache(maxsize=MAX_PLAYERS**2)
def _list_rows(own: int, players: int) -> tuple[int, ...]:
    """Return where the fields of each seat begin in a view of the seat `own`."""
    return tuple(_FIRST_SEAT + (seat - own) % players * len(SEAT_FIELDS) for seat in range(players))


class ActionCounts:
    """Count of what each seat did in a round, event by event.

    A caller that encodes many views of one round counts each event once, and its views need no
    `history`.
    """

    def __init__(self, players: int, seats: Iterable[int] | None = None) -> None:
        """Begin a round, in which nobody has done anything, for views of `seats`, or of all."""
        self._players = players
        self.seen_by = {
            seat: bytearray((b"\1" + bytes(len(SEAT_FIELDS) - 1)) * players)
            for seat in (range(players) if seats is None else seats)
        }
        """For a view of each seat, the fields of all seats at the table, without what its table and
        score tell."""

    def count(self, events: Iterable[Event]) -> None:
        """Count what happened next in the round."""
        # Not a `match`: its class patterns take twice as long, and most events are not counted.
        for event in events:
            if type(event) is Laid:
                self._add(event.seat, _LAID + (not event.path.through))
            elif type(event) is Passed:
                self._add(event.seat, _PASSED)
            elif type(event) is Broke:
                self._add(event.seat, _BROKE, event.target)
            elif type(event) is Repaired:
                self._add(event.seat, _REPAIRED, event.target)
            elif type(event) is Collapsed:
                self._add(event.seat, _BROUGHT_DOWN + (not event.path.through))

    def _add(self, doer: int, field: int, target: int | None = None) -> None:
        """Add 1 to a field of the doer, in the fields for every view.

        With a `target`, `field` is the first of a series with one field for each seat, the view's
        own first.
        """
        size, players = len(SEAT_FIELDS), self._players
        for own, fields in self.seen_by.items():
            at = 0 if target is None else (target - own) % players
            fields[(doer - own) % players * size + field + at] += 1
