"""What bots do in positions where it is plain: `tests/data/positions/bots.txt`.

    # wary search: miners break a tool of whom they suspect.
    at: - ?/?/? 1 P,-,- -L/n,1,1 9 m??+?
    told: Broke 3 P 1; Broke 3 C 1
    does: -L>3
    never: x*

Seat 1 is one bot after the other. With six different chances each makes moves that `does` has as
patterns, and none that `never` has. Of the moves that `hints` offers, `may` has one and `why` the
reason. `first` is the move that ranks first, and `tries` are all that `search` compares. `play-out`
is a seat in a play-out, which plays a card.

Bots also play whole games, and from every view that a position gives, whatever led there.
"""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from fnmatch import fnmatchcase
from operator import attrgetter
from random import Random

import pytest

from engine import Game, Laid, RoundEnded, View, deal, sample_game
from engine.board import GOAL_CELLS, Cell
from engine.bots import BOTS, LEVELS, Bot, Playouts, greedy, rollout
from engine.bots.beliefs import infer_beliefs, infer_public_beliefs, rank_moves
from engine.bots.bot import _make_outlook
from engine.bots.claims import claim_after_map, claim_when_blamed, claim_when_broken
from engine.bots.evaluation import (
    GREEDY_MINER,
    GREEDY_SABOTEUR,
    value_to_miner,
    value_to_saboteur,
)
from engine.bots.evidence import ActionKind, observe
from engine.bots.hints import find_hints, find_reason
from engine.bots.rollout import FastRound
from engine.bots.searching import search_moves
from engine.cards import CARDS, DECK, Card, Path, Role
from engine.edition import ARGENTINA, EDITIONS, INTERNATIONAL, ITALIA, DeadTable, Edition
from engine.moves import KeepGold, Lay, Play
from engine.notation import NotationError, Position, format_position, parse_position
from engine.notation.position import MAX_TUNNEL_DISTANCE
from engine.state import PLAYERS, Phase
from engine.tokens import format_cell
from tests.engine import cases
from tests.engine.random_games import games, keen
from tests.samples import first, pairs

CASES = cases.read("bots")


def moves_of(who: str, line: str, events: str) -> set[str]:
    """The moves that a bot makes, or a hint offers."""
    view = cases.view_at(line, events)
    match who:
        case "first":
            return {str(rank_moves(view, infer_beliefs(observe(view)), Random(1))[0][1])}
        case "tries":
            observed = observe(view)
            tried = search_moves(observed, infer_beliefs(observed), Random(1), Playouts(0))
            return {str(candidate.move) for candidate in tried}
        case "hints":
            budgets = Playouts(0), Playouts(120)
            return {
                str(hint.move) for each in budgets for hint in find_hints(view, Random(1), each)
            }
        case "play-out":
            seats = FastRound(cases.round_at(line), [False] * view.table.players)
            policy = rollout.miner_policy if seats.miner[0] else rollout.saboteur_policy
            return {CARDS[policy(seats, 0)].text}
        case _:
            return {str(BOTS[who](view, Random(chance), Playouts(60))) for chance in range(6)}


def is_among(move: str, patterns: str) -> bool:
    """Whether a move has one of these patterns."""
    return any(fnmatchcase(move, pattern) for pattern in patterns.split())


@pytest.mark.parametrize(
    ("case", "who"),
    [pytest.param(case, who, id=f"{who}: {case.title}") for case in CASES for who in case.rules],
)
def test_what_is_plain_is_done(case: cases.Case, who: str) -> None:
    lines = dict(case.lines)
    moves = moves_of(who, case.at, lines.pop("told", ""))
    assert moves
    assert lines
    for key, text in lines.items():
        match key:
            case "does":
                assert all(is_among(move, text) for move in moves), moves
            case "never":
                assert not any(is_among(move, text) for move in moves), moves
                legal = cases.view_at(case.at).legal_moves()
                assert any(is_among(str(move), text) for move in legal), "it could"
            case "may":
                assert any(is_among(move, text) for move in moves), moves
            case _:
                view, (move, reason) = cases.view_at(case.at), text.split(maxsplit=1)
                assert key == "why"
                assert (
                    cases.say(find_reason(view, infer_beliefs(observe(view)), cases.play_of(move)))
                    == reason
                )


def test_cards_of_all_kinds_are_played_or_thrown_away_in_play_outs() -> None:
    played = [dict(case.lines)["does"] for case in CASES if case.rules == ["play-out"]]
    assert {Card.read(text).kind for text in played} == {card.kind for card in DECK}


# Whole games, by the rules, from a view alone; then every view that a position gives.

EACH = [name for name in BOTS if name not in LEVELS]
"""Every bot once: a level is one of them."""

SLOWEST_LAST = sorted(EACH, key="wary".__eq__)
TABLES = pairs([*EDITIONS], (5, 10, 3))


def play_out(bot: Bot, game: Game, seed: bytes, rng: Random) -> list[RoundEnded]:
    """Play a game to its end; every move is legal, or `apply` would say so."""
    ends: list[RoundEnded] = []
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            players = game.round.table.players
            dealt = deal(seed, game.score.number + 1, players, game.purse.pile)
            game, _ = game.deal(dealt)
        view = game.view(game.to_act)
        move = bot(view, rng, Playouts(1))
        assert move in view.legal_moves()
        game, events = game.apply(move)
        ends += [event for event in events if isinstance(event, RoundEnded)]
    return ends


@pytest.mark.level("broad")
@pytest.mark.parametrize(("name", "table"), first(3, pairs(SLOWEST_LAST, TABLES), thorough=4))
def test_a_bot_plays_whole_games_in_every_edition(
    name: str, table: tuple[str, int], rng: Random
) -> None:
    book, players = table
    seed = rng.randbytes(32)
    game, _ = Game.begin(deal(seed, 1, players), EDITIONS[book], rounds=2)
    assert len(play_out(BOTS[name], game, seed, rng)) == 2


@pytest.mark.parametrize("name", EACH)
def test_a_bot_asked_out_of_turn_says_so(name: str, rng: Random) -> None:
    game = Game.new(4, seed=rng.randbytes(32), youngest=0)
    for seat in (1, 2, 3, None):
        whose = "a watcher" if seat is None else f"seat {seat + 1}"
        with pytest.raises(ValueError, match=f"^{whose} is not to act"):
            BOTS[name](game.view(seat), rng, Playouts(1))


def test_every_name_fits_into_the_messages_of_a_table() -> None:
    assert {"random", "greedy", "wary", "search", "easy", "medium", "hard"} == set(BOTS)
    assert list(LEVELS) == ["easy", "medium", "hard"]
    assert all(0 < len(name) <= 16 for name in BOTS)


def test_greedy_miners_and_saboteurs_each_win_some_rounds(rng: Random) -> None:
    won = {Role.MINER: 0, Role.SABOTEUR: 0}
    for players in (3, 4, 5, 7) * 3:
        seed = rng.randbytes(32)
        game, _ = Game.begin(deal(seed, 1, players), rounds=1)
        for end in play_out(greedy, game, seed, rng):
            won[end.winner] += 1
    assert min(won.values()) > 2


@pytest.mark.parametrize("name", ["greedy", "wary", "search"])
def test_of_gold_a_bot_keeps_the_most(name: str, rng: Random) -> None:
    game = cases.gold_on_offer()
    assert BOTS[name](game.view(1), rng, Playouts(10)) == KeepGold(3)


FOUND = "NSW@2s1/nesw@3 ?/?/? 1 -,P,- EW/NEW/NEW/NEW/+L/+C,6,6 35 s??+?"


LINES = [
    line.removeprefix("at: ")
    for path in sorted(cases.DATA.glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if len(line.removeprefix("at: ").split()) == 7 and "/" in line
]
"""Positions of the data files, some of them wrong."""


def any_positions(rng: Random, count: int) -> Iterator[Position]:
    """This many positions, each with fields of two lines, in any edition."""
    while count:
        fields = zip(*(line.split() for line in rng.sample(LINES, 2)), strict=True)
        with suppress(NotationError):
            edition = rng.choice(list(EDITIONS.values()))
            yield parse_position(" ".join(rng.choice(pair) for pair in fields), edition)
            count -= 1


def views(position: Position) -> Iterator[View]:
    """What each seat whose hand is known, and a watcher, knows in a position."""
    yield position.view(None)
    for seat, hand in enumerate(position.hands):
        if not isinstance(hand, int) or not hand:
            yield position.view(seat)


def check_all(view: View, rng: Random, edition: Edition, playouts: int = 14) -> int:
    """See that bots, hints and claims make what they should of a view. Returns how many moved."""
    where = f"{edition.text}: {format_position(view)}"
    by = rng.randrange(view.table.players)
    claim_when_blamed(view, by)
    claim_when_broken(view)
    for cell in GOAL_CELLS:
        claim_after_map(view, cell)
    assert sum(infer_public_beliefs(observe(view)).gold) == pytest.approx(1), where
    if view.seat is None or view.to_act != view.seat:
        with pytest.raises(ValueError, match="is not to act"):
            find_hints(view, rng, Playouts(1))
        return 0
    for name in EACH:
        assert BOTS[name](view, rng, Playouts(playouts)) in view.legal_moves(), where
    for hint in find_hints(view, rng, Playouts(playouts)):
        assert hint.move in view.legal_moves(), where
    may_be_over = (view.table.pile, edition.dead_table) == (0, DeadTable.ENDS_ROUND)
    with suppress(ValueError) if may_be_over else nullcontext():
        sample_game(view, rng)
    return 1


def test_a_saboteur_who_was_told_no_history_plays_on_from_the_board_as_it_is(rng: Random) -> None:
    view = parse_position(FOUND, ITALIA).view(0)
    assert check_all(view, rng, ITALIA, 60)


@pytest.mark.level("broad")
@pytest.mark.parametrize("edition", [INTERNATIONAL, ITALIA], ids=attrgetter("text"))
@pytest.mark.parametrize("corner", [(-1, -1), (1, -1), (-1, 1), (1, 1)])
def test_bots_play_on_from_as_far_as_a_position_reaches(
    corner: Cell, edition: Edition, rng: Random
) -> None:
    east, south = (MAX_TUNNEL_DISTANCE * way for way in corner)
    far = f"NESW@{format_cell((east, south))}/e@{format_cell((east, 0))}"
    line = f"EW@1/{far} ?/?/? 1 -,-,- NES/NEW/R/M,6,6 40 m??+?"
    assert check_all(parse_position(line, edition).view(0), rng, edition, 100)


def test_bots_hints_and_claims_work_in_any_position(rng: Random) -> None:
    moved = 0
    for position in any_positions(rng, 30):
        for view in views(position):
            moved += check_all(view, rng, position.edition)
    assert moved > 8


def test_what_is_done_in_a_position_is_judged_by_its_board() -> None:
    view = parse_position("EW@1/EW@2 ?/?/? 2 -,-,- EW/NE,1,1 9 m??+?").view(0)
    view = view.after(Laid(1, Path.read("EW"), (3, 0)))
    assert [action.kinds for action in observe(view).actions] == [(ActionKind.DUG,) * 3]


def test_somebody_who_fills_the_hole_of_a_rockfall_has_dug() -> None:
    holed = "NEW@1/NEW@2/EW@4/NEW@5/NESW@6 ?/?/? 2 -,-,- EW/NE,1,1 9 m??+?"
    view = parse_position(holed).view(0).after(Laid(1, Path.read("EW"), (3, 0)))
    assert [action.kinds for action in observe(view).actions] == [(ActionKind.DUG,) * 3]


def test_when_a_round_is_over_nobody_is_suspected_of_what_all_know() -> None:
    line = "EW@1 NE/(NW)/(NESW) - -,-,- -,-,- 0 mms+m"
    view = parse_position(line).view(0)
    assert (
        infer_beliefs(observe(view)).saboteur
        == infer_public_beliefs(observe(view)).saboteur
        == (0, 0, 1)
    )
    assert infer_beliefs(observe(view)).gold == (0, 0, 1)
    gaps = parse_position("EW@1 NE/NESW/(NW) - -,-,- 1,1,NE 0 smm+m", ARGENTINA).view(2)
    assert infer_beliefs(observe(gaps)).saboteur == (1, 0, 0)
    assert claim_when_blamed(gaps, 0) is not None


def greedy_value(view: View, move: Play) -> float:
    """The value of a move to greedy, for its role; 0 for a tunnel that it does not look at."""
    assert view.seat is not None
    sight = _make_outlook(view, view.seat)
    if view.role is Role.SABOTEUR:
        return value_to_saboteur(GREEDY_SABOTEUR, sight, move)
    is_far = isinstance(move, Lay) and sight.sites.distance[move.cell] > sight.distance + 1
    is_tunnel = isinstance(move, Lay) and move.path.through
    return 0 if is_far and is_tunnel else value_to_miner(GREEDY_MINER, sight, move)


def test_greedy_makes_the_best_of_the_moves_that_it_looks_at(rng: Random) -> None:
    for players in rng.sample(list(PLAYERS), 3):
        for game in games(INTERNATIONAL, players, keen, rng, rounds=1):
            if game.phase is Phase.PLAY:
                view = game.view(game.to_act)
                move = greedy(view, rng, Playouts(0))
                assert isinstance(move, Play)
                moves = [other for other in view.legal_moves() if isinstance(other, Play)]
                assert greedy_value(view, move) == max(greedy_value(view, each) for each in moves)
