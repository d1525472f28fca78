"""The bots that doubt and think ahead: plain positions, budgets, and what they may know."""

import ast
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from benchmarks.arena.players import oracle
from engine import bots
from engine.actions import Break, Broke, Repair
from engine.bots import BOTS, LEVELS, Budget, Playouts, Seconds, search, wary
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs, rank_moves
from engine.bots.searching import (
    MAX_MOVES_OF_A_KIND,
    MAX_MOVES_TRIED,
    MIN_VALUE_TRIED,
    ROUNDS_PER_BATCH,
    THINKS_AT,
    Candidate,
    best_first,
    compare_moves,
)
from engine.cards import Path as Way
from engine.cards import Role, Tool
from engine.dealing import deal
from engine.events import Event, Laid
from engine.game import Game
from engine.moves import Discard, KeepGold
from engine.notation import format_move, parse_position
from engine.sampling import sample_game
from engine.view import View
from sabtui.kit.arena import Pairing, each
from tests.engine.cases import (
    ROAD,
    WON,
    game_of,
    last_step_position,
    play,
    round_at,
)

LOUD: tuple[Event, ...] = (
    Broke(2, Tool.PICK, 0),
    Laid(2, Way.read("e"), (1, 0)),
    Broke(2, Tool.CART, 0),
)


def view_at(line: str, *history: Event) -> View:
    return parse_position(line).view(0)._replace(history=history)


def find_candidates(view: View, rng: Random, budget: Budget) -> list[Candidate]:
    """The moves that search tries, best first."""
    observed = observe(view)
    return best_first(observed, infer_beliefs(observed), rng, budget)


WISE = [
    ("a miner reaches the goal", f"{ROAD} ?/?/? 1 -,-,- NESW/NE/-P,1,1 9 m??+?", "NESW@7"),
    ("a miner repairs their own tool", f"{ROAD} ?/?/? 1 P,P,- NEW/+P,1,1 9 m??+?", "+P>1"),
    ("a saboteur breaks a miner's", f"{ROAD} ?/?/? 1 PLC,-,- NE/-P,1,1 9 s??+?", "-P>"),
    ("a miner looks while nothing is known", "- ?/?/? 1 P,-,- M/NE,1,1 9 m??+?", "M@8"),
    ("a saboteur brings down the road", f"{ROAD} ?/?/? 1 P,-,- NESW/R,1,1 9 s??+?", "R@"),
]


@pytest.mark.parametrize(("what", "line", "move"), WISE, ids=[what for what, *_ in WISE])
def test_they_do_what_is_plainly_best(what: str, line: str, move: str, rng: Random) -> None:
    for bot in (wary, search):
        best = format_move(bot(view_at(line), rng, Playouts(120)))
        assert best.startswith(move), what


def test_miners_break_whom_they_suspect_and_repair_whom_they_trust(rng: Random) -> None:
    view = view_at("- ?/?/? 1 P,-,- -L/n,1,1 9 m??+?", *LOUD)
    assert wary(view, rng, Playouts(0)) == Break(Tool.LANTERN, 2)
    view = view_at("- ?/?/? 1 C,L,L +L/n,1,1 9 m??+?", *LOUD)
    assert wary(view, rng, Playouts(0)) == Repair(view.hand[1], 1, Tool.LANTERN)


def test_nobody_breaks_their_own_tools_and_saboteurs_spare_their_own(rng: Random) -> None:
    for role in ("m", "s"):
        view = view_at(f"- ?/?/? 1 -,-,-,-,- -L,1,1,1,1 9 {role}????+?", *LOUD)
        worth = {move.target: worth for worth, move in of_breaks(view, rng)}
        assert worth[0] == 0
        if role == "s":
            assert worth[2] == min(worth[seat] for seat in (1, 2, 3, 4))
        else:
            assert worth[2] == max(worth.values())


def of_breaks(view: View, rng: Random) -> list[tuple[float, Break]]:
    pairs = rank_moves(view, infer_beliefs(observe(view)), rng)
    return [(worth, move) for worth, move in pairs if isinstance(move, Break)]


def test_search_tries_few_moves_all_in_the_same_number_of_rounds(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 5), youngest=0)
    count = len(find_candidates(game.view(0), Random(3), Playouts(0)))
    candidates = find_candidates(game.view(0), Random(3), Playouts(count * ROUNDS_PER_BATCH))
    assert 1 < len(candidates) <= MAX_MOVES_TRIED
    assert {len(one.ends) for one in candidates} == {ROUNDS_PER_BATCH}
    for kind, most in MAX_MOVES_OF_A_KIND.items():
        assert sum(isinstance(one.move, kind) for one in candidates) <= most


@pytest.mark.parametrize(("players", "hides"), [(5, 1.5), (7, 1.2), (8, 0.75)])
def test_medium_saboteurs_hide_as_much_as_is_even_at_their_table(
    players: int, hides: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def compare(*_: object, nerve: float) -> list[Candidate]:
        given.append(nerve)
        return []

    monkeypatch.setattr("engine.bots.searching.compare_moves", compare)
    games = (Game.begin(deal(bytes([seed]) * 32, 1, players))[0] for seed in range(99))
    views = (game.view(game.to_act) for game in games)
    view = next(view for view in views if view.role is Role.SABOTEUR)
    wary(view, Random(1), Playouts(0))
    assert given == [hides]


@pytest.mark.parametrize("players", range(3, 11))
def test_hard_miners_move_like_medium_ones_at_first_where_they_would_win_too_often(
    players: int, rng: Random
) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, players), youngest=0)
    view = game.view(0)._replace(role=Role.MINER)
    tried = compare_moves(view, Random(1), Playouts(0))
    if players in THINKS_AT:
        assert [one.move for one in tried] == [wary(view, Random(1), Playouts(0))]
    else:
        assert len(tried) > 1


def test_a_hard_miner_passes_only_where_nothing_seems_better_at_once(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 7), youngest=0)
    view = game.view(0)._replace(role=Role.MINER)
    ranked = rank_moves(view, infer_beliefs(observe(view)), rng)
    assert not isinstance(ranked[0][1], Discard)
    tried = find_candidates(view, rng, Playouts(0))
    assert tried
    assert not [one for one in tried if isinstance(one.move, Discard)]
    assert any(isinstance(move, Discard) and worth > MIN_VALUE_TRIED for worth, move in ranked)
    stuck = view_at("- ?/?/? 1 C,-,- n/NESW/NS,1,1 9 m??+?")
    passes = find_candidates(stuck, rng, Playouts(0))
    assert any(isinstance(one.move, Discard) for one in passes)


def test_late_in_a_round_all_hard_miners_think_ahead(rng: Random) -> None:
    view = view_at(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,1,1 9 m??+?")
    assert view.table.players in THINKS_AT
    assert len(compare_moves(view, rng, Playouts(0))) > 1


def test_play_outs_too_few_for_all_moves_go_to_the_best_of_them(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 5), youngest=0)
    once = find_candidates(game.view(0), Random(3), Playouts(MAX_MOVES_TRIED * ROUNDS_PER_BATCH))
    more = find_candidates(game.view(0), Random(3), Playouts((len(once) + 2) * ROUNDS_PER_BATCH))
    assert len(once) > 2
    rounds = [len(one.ends) for one in more]
    assert rounds == [2 * ROUNDS_PER_BATCH] * 2 + [ROUNDS_PER_BATCH] * (len(once) - 2)
    assert {one.move for one in more[:2]} == {one.move for one in once[:2]}


def test_search_stops_when_one_move_is_clearly_best(rng: Random) -> None:
    view = view_at(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,1,1 9 m??+?")
    best, *others = find_candidates(view, rng, Playouts(10_000))
    assert format_move(best.move) == "NESW@7"
    assert len(best.ends) < 100
    assert all(len(one.ends) <= len(best.ends) for one in others)


def test_search_with_one_thing_to_do_does_not_think(rng: Random) -> None:
    (only,) = find_candidates(view_at("- ?/?/? 1 P,-,- n,1,1 9 m??+?"), rng, Playouts(1000))
    assert only.ends == []
    assert only.wins is None


def test_search_thinks_no_longer_than_it_was_given(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 5), youngest=0)
    begun = monotonic()
    candidates = find_candidates(game.view(0), rng, Seconds(0.03))
    assert monotonic() - begun < 10
    assert candidates[0].ends
    assert not find_candidates(game.view(0), rng, Seconds(0))[0].ends


@pytest.mark.level("broad")
@pytest.mark.parametrize("name", [name for name in BOTS if name not in LEVELS])
def test_in_a_game_that_it_imagines_a_bot_does_the_same(name: str, rng: Random) -> None:
    for players in (3, 4):
        game, _ = Game.begin(deal(rng.randbytes(32), 1, players))
        while game.round.table.end is None:
            view = game.view(game.to_act)
            move = BOTS[name](view, Random(3), Playouts(0))
            if rng.random() < 0.15:
                twin = sample_game(view, rng).view(view.seat)
                thought = Playouts(40)
                mine = BOTS[name](view, Random(5), thought)
                assert BOTS[name](twin, Random(5), thought) == mine
            game, _ = game.apply(move)


def test_nothing_that_plays_knows_whole_games() -> None:
    strangers = {"engine.game", "engine.bots.review", "sabtui.kit.arena"}
    for module in Path(bots.__file__).parent.glob("*.py"):
        if module.stem != "review":
            source = module.read_text(encoding="utf-8")
            nodes = [
                node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
            ]
            assert strangers.isdisjoint(str(node.module) for node in nodes), module.stem
            names = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
            assert strangers.isdisjoint(names), module.stem


@pytest.mark.level("soak")
def test_over_many_rounds_thinking_pays_for_both_sides() -> None:
    of = [("greedy", "greedy"), ("wary", "greedy"), ("search", "greedy"), ("greedy", "search")]
    outcomes = [each(Pairing(*sides, 200).outcome, 100, 1) for sides in of]
    won = [sum(miners_won for miners_won, *_ in played) for played in outcomes]
    greedy_alone, doubting, digging, spoiling = won
    assert greedy_alone + 5 < doubting < digging
    assert spoiling < greedy_alone - 3


def test_of_gold_they_keep_the_most(rng: Random) -> None:
    game, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
    for bot in (wary, search):
        assert bot(game.view(1), rng, Playouts(10)) == KeepGold(3)


def test_the_oracle_sees_where_the_gold_is() -> None:
    for goals in ("(NESW)/NW/(NE)", "(NW)/SW/(NESW)"):
        now = round_at(f"{ROAD}/NESW@7 {goals} 1 -,-,- NS,n,e M mms+m")
        after, _ = now.apply(oracle(now))
        assert after.table.end is not None
        assert after.table.end.winner is Role.MINER
