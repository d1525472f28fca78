"""Games to write records of, and records to spoil."""

from pathlib import Path
from random import Random

from engine import Event, Game, Lay, Move, Phase, visible_to
from engine.board import LINKED, Cell
from engine.dealing import Deal, Draw
from engine.edition import ARGENTINA, FRANCE, INTERNATIONAL, ITALIA, ConnectRule, Edition, ShareRule
from engine.notation import ObservedRecord, Record
from engine.notation.record_parser import with_checks

RECORDS = Path(__file__).parents[2] / "data" / "records"

BOOKS = [INTERNATIONAL, ARGENTINA, ITALIA, FRANCE]
EDITIONS = [
    *BOOKS,
    ITALIA.replace(ConnectRule.LINKED),
    INTERNATIONAL.replace(ShareRule.ALL_PLAYERS),
]

NAMES = ("Anna", "Bruno", 'Chi"ara', "Dédé \\", "Eve", "傅", "Greta", "H. I.", "", "Jo {no} [x]")

Steps = list[tuple[Event, ...]]


def play(
    seed: int, players: int, edition: Edition, *, rounds: int = 3, steps: int = 10_000
) -> tuple[Record, Game, Steps]:
    """Play a game, mostly towards the goals, or this many steps of it."""
    rng = Random(seed)
    record = Record(
        NAMES[:players], edition, rounds, rng.choice([None, 0, 2]), rng.randbytes(32)
    ).add_round()
    game, events = record.next_step(None)
    told = [events]
    while game.phase is not Phase.OVER and len(told) < steps:
        if game.phase is Phase.DEAL:
            record = record.add_round()
            game, events = record.next_step(game)
        else:
            move = towards_goals(game, rng)
            game, events = game.apply(move)
            record = record.add_move(move)
        told.append(events)
    return record, game, told


def play_rounds(*sources: Draw | bytes, names: tuple[str, ...] = NAMES[:3]) -> Record:
    """Record a game by chance, with a round from each of these draws or seeds."""
    rng = Random(5)
    record, game = Record(names, rounds=len(sources)), None
    for source in sources:
        record = record.add_round(source)
        game, _ = record.next_step(game)
        while game.to_act is not None:
            move = rng.choice(game.legal_moves())
            game, _ = game.apply(move)
            record = record.add_move(move)
    return record


def towards_goals(game: Game, rng: Random) -> Move:
    """Choose a move of any kind, or more often a linked tunnel that comes nearest to a goal."""
    moves = game.legal_moves()
    board = game.round.table.board
    lays = [
        move
        for move in moves
        if isinstance(move, Lay) and move.path.through and board.sites[move.cell] & LINKED
    ]
    if not lays or rng.random() < 0.25:
        return rng.choice(moves)
    return min(lays, key=lambda lay: min(far(lay.cell, goal) for goal in board.hidden))


def far(cell: Cell, goal: Cell) -> int:
    """Tell how many cards away a goal is, along and across."""
    return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])


def record_of_seat(seat: int | None, record: Record, steps: Steps) -> ObservedRecord:
    """Record what a seat heard of a game."""
    seen = ObservedRecord(record.names, seat, record.edition, record.rounds, extra=record.extra)
    for events in steps:
        seen = seen.with_events(*visible_to(events, seat))
    return seen


def write_out(record: Record) -> Record:
    """Exchange a record's seed for its deals."""
    game: Game | None = None
    bare = Record(record.names, record.edition, record.rounds, record.youngest)
    for moves in record.moves:
        game, _ = record.next_step(game)
        starter = game.round.table.starter
        assert starter is not None
        bare = bare.add_round(recover_deal(game, starter))
        for move in moves:
            game, _ = game.apply(move)
            bare = bare.add_move(move)
    return bare


def recover_deal(game: Game, starter: int) -> Deal:
    """Take back the deal from a round that was just dealt."""
    now = game.round
    return Deal(now.roles, now.spare, now.goals, now.hands, now.pile, game.purse.pile, starter)


def statements(text: str) -> list[list[str]]:
    """Split a record into its lines' words, without the checks."""
    return [line.rsplit(" #", 1)[0].split(" ") for line in text.splitlines()]


def forge(text: str, old: str, new: str, *, at: int = 0) -> str:
    """Exchange the occurrence `at` of some words for others, and recount every check."""
    lines = [" ".join(words) for words in statements(text)]
    body = "\n".join(lines) + "\n"
    parts = body.split(old)
    assert len(parts) > at + 1, f"{old} is not there"
    body = old.join(parts[: at + 1]) + new + old.join(parts[at + 1 :])
    return with_checks([line.split(" ") for line in body.splitlines() if line])
