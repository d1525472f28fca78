"""The engine against the oracle, and against counts of what it did before.

The same games are compared in full after every step. Every sample is fixed: a failing game prints
its number, its seed and all moves up to the fault.
"""

from collections import Counter
from functools import partial
from random import Random

import pytest

from engine import EDITIONS, INTERNATIONAL, Board, Edition, Game, Path, Role, Round, deal
from engine.bots import Playouts, greedy
from engine.moves import GoldBeingShared, IllegalMove, Lay, Move, NotYourTurn, OnlyWatching
from tests import perft
from tests.engine import random_games
from tests.engine.random_games import Driver, universe
from tests.oracle import mine
from tests.oracle.match import Match
from tests.oracle.oracle_deck import EVERY_WAY, GOAL_CELLS, START, TEXT, Cell
from tests.samples import first

pytestmark = pytest.mark.level("broad")

BOOKS = (*EDITIONS, "mixed")
PLAYERS = range(3, 11)
GAMES = 5
"""How many games of each book are played by default: one by each driver."""


def play_for(side: Role, game: Game, rng: Random) -> Move:
    """Play as greedy does for a side, whatever the dwarf."""
    view = game.view(game.to_act, history=False)
    return greedy(view._replace(role=side), rng, Playouts(0))


DRIVERS: dict[str, Driver] = {
    **random_games.DRIVERS,
    "miner": partial(play_for, Role.MINER),
    "saboteur": partial(play_for, Role.SABOTEUR),
}

SOAK_PART = 20
"""How many games of each book one test of `make soak` plays, of eighty."""

WILD_MINES = 250


def edition_of(book: str, rng: Random) -> Edition:
    """The edition of that name, or any mixture of rows."""
    if book in EDITIONS:
        return EDITIONS[book]
    return INTERNATIONAL.replace(*(rng.choice([*type(row)]) for row in INTERNATIONAL.rows))


def begin(book: str, number: int, rounds: int = 3) -> tuple[Match, str, bytes, Random]:
    """Begin one game of a sample: with its driver, its seed and its stream of chance."""
    rng = Random(f"{book} {number}")
    edition, seed = edition_of(book, rng), rng.randbytes(32)
    players = PLAYERS[number % len(PLAYERS)]
    driver = [*DRIVERS][number % len(DRIVERS)]
    youngest = rng.randrange(players)
    title = (
        f"game {number} of {book!r}: {edition.text}, {players} players, seat {youngest} begins, "
        f"{rounds} rounds, {driver}, seed {seed.hex()}"
    )
    match = Match.begin(title, deal(seed, 1, players), edition, rounds, youngest)
    return match, driver, seed, rng


def play_round(match: Match, driver: str, rng: Random) -> None:
    """Play a round to its end, gold included."""
    while match.oracle.to_act is not None:
        match.step(match.choose(DRIVERS[driver], rng))


def play(book: str, number: int) -> Counter[str]:
    """Play one whole game of a sample, and count what was seen in it."""
    match, driver, seed, rng = begin(book, number)
    play_round(match, driver, rng)
    while match.oracle.phase == "deal":
        oracle = match.oracle
        match.next_round(deal(seed, oracle.number + 1, oracle.players, oracle.gold))
        play_round(match, driver, rng)
    assert match.oracle.phase == "over"
    assert not match.moves()
    return match.seen


@pytest.mark.rule("P1", "P2", "P3", "P4", "P5", "P6", "A1", "A2", "A3", "A4", "A5", "T1", "T5")
@pytest.mark.rule("T2", "T3", "G1", "G2", "G3", "G4", "R1", "R2", "R3", "R4", "N1", "N2", "F1")
@pytest.mark.rule("D1", "D2", "D3", "D4", "D5", "D6", "S1", "S2", "S3", "S4", "S5", "S7", "S8")
@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
@pytest.mark.parametrize("book", BOOKS)
def test_engine_and_oracle_play_the_same_games(book: str) -> None:
    seen = sum((play(book, number) for number in range(GAMES)), Counter[str]())
    assert seen["games"] == GAMES
    assert seen["rounds"] == 3 * GAMES


@pytest.mark.level("soak")
@pytest.mark.parametrize("part", range(80))
@pytest.mark.parametrize("book", BOOKS)
def test_engine_and_oracle_play_many_more_of_the_same_games(book: str, part: int) -> None:
    for number in range(SOAK_PART * part, SOAK_PART * (part + 1)):
        play(book, number)


def play_uneven(book: str, number: int) -> Counter[str]:
    """Play the end of a round in which hands are of all sizes."""
    match, driver, _, rng = begin(book, number, rounds=1)
    for _ in range(rng.randrange(40)):
        if match.oracle.phase == "play":
            match.step(match.choose(DRIVERS[driver], rng))
    if match.oracle.phase == "play":
        match.make_uneven(rng)
        play_round(match, driver, rng)
    return match.seen


@pytest.mark.rule("T4", "R2", "R3")
@pytest.mark.parametrize("book", first(2, BOOKS[::-1], thorough=len(BOOKS)))
def test_seats_without_cards_are_passed_over_until_none_has_any(book: str) -> None:
    seen = sum((play_uneven(book, number) for number in range(16, 24)), Counter[str]())
    assert seen["T4 seat skipped"] > 8
    assert seen["R2 all cards gone"] > 0
    assert (seen["R3 dead table"] > 0) == (book in ("argentina", "mixed"))
    assert (seen["R3 dead with the last card drawn"] > 0) == (book in ("argentina", "mixed"))


def wild_mine(rng: Random) -> tuple[mine.Cards, Cell]:
    """A tunnel from the start towards the middle goal, and cards strewn around all three.

    One cell is left empty, at the tunnel's end, so that nothing strewn is reached yet: a card
    laid there may open many goals from many sides.
    """
    end = rng.choice([6, 7])
    cards: mine.Cards = {START: "NESW", **{(x, 0): "EW" for x in range(1, end)}}
    cells = [cell for cell in mine.box([(end, -3), (9, 3)], 0) if cell not in GOAL_CELLS]
    cells.remove((end, 0))
    for cell in rng.sample(cells, len(cells) * 3 // 4):
        around = {side: mine.beside(cell, side) for side in "NESW"}
        touched = {side: there for side, there in around.items() if there in cards}
        fitting = [way for way in EVERY_WAY if mine.fits(cards, way, touched)]
        through = [way for way in fitting if way.isupper() and rng.random() < 0.8]
        if fitting:
            cards[cell] = rng.choice(through or fitting)
    return cards, (end, 0)


def lay_in_wild_mine(number: int) -> Counter[str]:
    """Lay each card that fits into a mine's gap, and compare which goals come to lie how."""
    rng, seen = Random(f"wild {number}"), Counter[str]()
    cards, cell = wild_mine(rng)
    dealt = deal(rng.randbytes(32), 1, 3)
    faces = dict(zip(GOAL_CELLS, (goal.text for goal in dealt.goals), strict=True))
    game, _ = Game.begin(dealt, EDITIONS["france"], youngest=0)
    laid = {cell: Path.read(way) for cell, way in cards.items() if cell != START}
    table = game.round.table._replace(board=Board.of(laid, GOAL_CELLS))
    lays = sorted(mine.lays(cards, faces, EVERY_WAY, linked=False))
    for way in [way for way, there in lays if there == cell]:
        after, hidden = {**cards, cell: way}, dict(faces)
        waves = mine.reveal(after, hidden, cell)
        path = Path.read(way)
        hands = ((path.card, *game.round.hands[0][1:]), *game.round.hands[1:])
        wild = Round(table, dealt.roles, dealt.spare, dealt.goals, hands, dealt.pile, ((),) * 3)
        played, _ = wild.apply(Lay(path, cell))
        lies = {at: TEXT[path] for at, path in played.table.board.cards.items()}
        scene = f"wild mine {number}: {cards}, goals {dealt.goals}, laid {way} at {cell}"
        assert lies == after, scene
        assert set(played.table.board.hidden) == set(hidden), scene
        assert (played.table.end is not None) == any("NESW" in w.values() for w in waves), scene
        seen["revealed"] += bool(waves)
        seen["revealed by stones"] += len(waves) > 1
    return seen


@pytest.mark.rule("G1", "G2", "G3", "P5", "P6")
def test_goals_are_revealed_and_turned_alike_in_mines_wilder_than_any_game() -> None:
    seen = sum((lay_in_wild_mine(number) for number in range(WILD_MINES)), Counter[str]())
    assert seen["revealed"] > WILD_MINES
    assert seen["revealed by stones"] > 5


def is_refused(game: Game, move: Move) -> bool:
    """Whether a game refuses a move."""
    try:
        game.apply(move)
    except IllegalMove:
        return True
    return False


def check_universe(match: Match, rng: Random) -> int:
    """Ask for every move that is not legal, and hear of each that it is not."""
    ours, seat = match.oracle.legal_moves(), match.oracle.to_act
    before, text = match.game, repr(match.game)
    everything = universe(match.game)
    assert ours <= set(everything)
    view = match.game.view(seat)
    legal = view.legal_moves()
    for move in everything:
        reason = view.why_not(move)
        if (reason is None) != (move in ours):
            match.fail(f"{move}: seat {seat} is told {reason}")
        if (move in legal) != (move in ours):
            match.fail(f"{move}: `in legal_moves()` says the opposite")
        if move not in ours and not is_refused(match.game, move):
            match.fail(f"{move}: applied, though not legal")
    for other in (*range(match.oracle.players), None):
        if other != seat:
            check_out_of_turn(match, other, rng.sample(everything, 50) + rng.sample([*ours], 1))
    assert match.game == before
    if repr(match.game) != text:
        match.fail("a game changed while it refused moves")
    return len(everything)


def check_out_of_turn(match: Match, seat: int | None, moves: list[Move]) -> None:
    """Seats whose turn it is not may do nothing, and watchers neither."""
    view, to_act = match.game.view(seat), match.oracle.to_act
    if len(view.legal_moves()) or list(view.legal_moves()):
        match.fail(f"seat {seat} may move out of turn")
    for move in moves:
        reason = view.why_not(move)
        right = isinstance(reason, OnlyWatching if seat is None else NotYourTurn | GoldBeingShared)
        if not right or move in view.legal_moves():
            match.fail(f"{move}: seat {seat}, out of turn, is told {reason}")
        if isinstance(reason, NotYourTurn | GoldBeingShared) and reason.seat != to_act:
            match.fail(f"{move}: seat {seat} is told {reason}")


@pytest.mark.rule("P1", "P2", "P3", "P4", "A1", "A2", "A3", "A4", "A5", "T1", "D1", "D4", "S8")
@pytest.mark.parametrize("book", first(1, BOOKS[::-1], thorough=len(BOOKS)))
def test_every_other_move_is_refused_with_a_reason_and_changes_nothing(book: str) -> None:
    asked = Counter[str]()
    number = 13  # in these games gold is shared
    match, driver, _, rng = begin(book, number, rounds=1)
    while match.oracle.to_act is not None:
        if len(match.log) % 15 == 7 or match.oracle.phase == "gold":
            asked[match.oracle.phase] += check_universe(match, Random(number))
        match.step(match.choose(DRIVERS[driver], rng))
    assert not match.game.legal_moves()
    assert all(is_refused(match.game, move) for move in rng.sample(universe(match.game), 200))
    assert asked["play"] > 3_000
    assert asked["gold"] > 0


# How many ways positions go on, as it was counted before.

COUNTED = list(perft.read_counts(perft.FILE.read_text(encoding="utf-8")))
SOON_COUNTED = 3000
"""Moves that an entry may take to be counted in every run."""

FEW = [entry for entry in COUNTED if sum(entry.counts[:-1]) < SOON_COUNTED]
MANY = [entry for entry in COUNTED if entry not in FEW]


@pytest.mark.rule("P1", "P2", "P3", "A1", "A2", "A3", "A4", "A5", "T1", "T4", "T5", "R3")
@pytest.mark.parametrize(
    "entry",
    first(len(FEW), FEW + MANY, thorough=len(COUNTED)),
    ids=lambda entry: f"line {entry.line} {entry.edition}",
)
def test_as_many_lines_lead_on_as_were_counted(entry: perft.Counted) -> None:
    counts = tuple(perft.perft(entry.round, depth + 1) for depth in range(len(entry.counts)))
    assert counts == entry.counts, f"{entry.edition}: {entry.position}"
