"""The bots that doubt and think ahead: budgets, what they may know, and saboteurs who hide."""

import ast
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine import Break, Discard, Game, Lay, Rockfall, Role, View, bots, sample_game
from engine.bots import BOTS, LEVELS, Budget, Playouts, Seconds, search, searching, wary
from engine.bots.beliefs import infer_beliefs, infer_public_beliefs, measure_exposures, rank_moves
from engine.bots.bot import bind_talk
from engine.bots.evidence import observe
from engine.bots.searching import (
    CARELESS,
    LOST_DOUBT,
    MAX_MOVES_TRIED,
    NERVE_WINS,
    OVERSIGHTS,
    ROUNDS_PER_BATCH,
    SABOTEURS_OVERSIGHTS,
    THINKS_AT,
    TRUSTED_DOUBT,
    Candidate,
    compare_moves,
    search_moves,
)
from engine.bots.talk import SILENCE, Talk
from engine.bots.temper import NERVES, USUAL_TEMPER, Temper
from tests.engine import cases

NOTHING = Playouts(0)
LOUD = "Broke 3 P 1; Laid 3 e 1; Broke 3 C 1"


def find_candidates(
    view: View, rng: Random, budget: Budget = NOTHING, nerve: float = NERVE_WINS
) -> list[Candidate]:
    """The moves that search tries, best first."""
    observed = observe(view)
    return search_moves(observed, infer_beliefs(observed), rng, budget, nerve=nerve)


def test_nobody_breaks_their_own_tools_and_saboteurs_spare_their_own(rng: Random) -> None:
    for role in ("m", "s"):
        view = cases.view_at(f"- ?/?/? 1 -,-,-,-,- -L,1,1,1,1 9 {role}????+?", LOUD)
        ranked = rank_moves(view, infer_beliefs(observe(view)), rng)
        worth = {move.target: worth for worth, move in ranked if isinstance(move, Break)}
        assert worth[0] == 0
        if role == "s":
            assert worth[2] == min(worth[seat] for seat in (1, 2, 3, 4))
        else:
            assert worth[2] == max(worth.values())


def test_search_tries_few_moves_all_in_the_same_number_of_rounds(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32), youngest=0)
    count = len(find_candidates(game.view(0), Random(3), NOTHING))
    candidates = find_candidates(game.view(0), Random(3), Playouts(count * ROUNDS_PER_BATCH))
    assert 1 < len(candidates) <= MAX_MOVES_TRIED
    assert {len(candidate.ends) for candidate in candidates} == {ROUNDS_PER_BATCH}
    for kind, most in searching.MAX_MOVES_OF_A_KIND.items():
        assert sum(isinstance(candidate.move, kind) for candidate in candidates) <= most


@pytest.mark.parametrize("players", sorted(THINKS_AT))
def test_hard_miners_move_like_medium_ones_at_first_where_they_would_win_too_often(
    players: int, rng: Random
) -> None:
    game = Game.new(players, seed=rng.randbytes(32), youngest=0)
    view = game.view(0)._replace(role=Role.MINER)
    for number in range(9):
        assert search(view, Random(number), NOTHING) == wary(view, Random(number), NOTHING)


def closed_way(players: int, pile: int) -> View:
    """A miner's view whose only card fits beside a way that leads on, and one that is closed."""
    others = players - 1
    whole, counts, roles = ",-" * others, ",1" * others, "?" * others
    return cases.view_at(f"NEW@1/ES@1n1/SW@2n1 ?/?/? 1 -{whole} NW{counts} {pile} m{roles}+?")


def takes_closed_way(level: str, view: View, care: float) -> bool:
    """True if a bot of this level and care goes there in one of 20 tries."""
    bot = bind_talk(LEVELS[level], SILENCE, USUAL_TEMPER._replace(care=care))
    return cases.play_of("NW@2") in {bot(view, Random(number), NOTHING) for number in range(20)}


@pytest.mark.parametrize("care", [0.0, 0.4, 0.7, 0.99])
@pytest.mark.parametrize("players", range(3, 11))
def test_careless_miners_do_not_see_where_a_way_on_is_closed_at_some_sizes_of_table(
    players: int, care: float
) -> None:
    is_blind = care < CARELESS.get(players, 0.0)
    early = closed_way(players, THINKS_AT.get(players, 9) + 1)
    assert takes_closed_way("medium", early, care) == is_blind
    assert takes_closed_way("hard", early, care) == is_blind
    assert not takes_closed_way("hard", closed_way(players, 0), care), "it thinks ahead"


@pytest.mark.parametrize("players", range(3, 7))
def test_medium_miners_overlook_their_best_card_at_one_size_of_table(players: int) -> None:
    others = players - 1
    line = f"{{}} ?/?/? 1 -{',-' * others} EW/M{',1' * others} 9 m{'?' * others}+?"
    branch = "NE@0s1/EW@1s1/EW@2s1/SW@3s1"
    boards = {
        "NEW@1/NEW@2": OVERSIGHTS.get(players, 0.0),
        "NEW@1/NEW@3/NEW@4": 0.0,  # a hole
        f"NEW@2/NEW@3/{branch}": 0.0,  # one that brings the tunnel only one card nearer
    }
    for board, share in boards.items():
        view = cases.view_at(line.format(board))
        made = [wary(view, Random(number), NOTHING) for number in range(300)]
        digs = sum(isinstance(move, Lay) for move in made)
        assert digs == pytest.approx(300 * (1 - share), abs=20 if share else 0)


@pytest.mark.level("broad")
@pytest.mark.parametrize("players", [6, 7])
def test_medium_saboteurs_overlook_their_best_card_at_one_size_of_table(players: int) -> None:
    others = players - 1
    whole, counts, roles = ",-" * others, ",1" * others, "?" * others
    view = cases.view_at(f"{cases.ROAD} ?/?/? 1 -{whole} ew/M/+L{counts} 9 s{roles}+?")
    made = [wary(view, Random(number), NOTHING) for number in range(60)]
    blocks = sum(isinstance(move, Lay) for move in made)
    share = SABOTEURS_OVERSIGHTS.get(players, 0.0)
    assert blocks == pytest.approx(60 * (1 - share), abs=10 if share else 0)


def test_a_hard_miner_passes_only_where_nothing_seems_better_at_once(rng: Random) -> None:
    game = Game.new(7, seed=rng.randbytes(32), youngest=0)
    view = game.view(0)._replace(role=Role.MINER)
    ranked = rank_moves(view, infer_beliefs(observe(view)), rng)
    assert not isinstance(ranked[0][1], Discard)
    tried = find_candidates(view, rng, NOTHING)
    assert tried
    assert not [candidate for candidate in tried if isinstance(candidate.move, Discard)]
    assert any(
        isinstance(move, Discard) and worth > searching.MIN_VALUE_TRIED for worth, move in ranked
    )
    stuck = cases.view_at("- ?/?/? 1 C,-,- n/NESW/NS,1,1 9 m??+?")
    passes = find_candidates(stuck, rng, NOTHING)
    assert any(isinstance(candidate.move, Discard) for candidate in passes)


def test_play_outs_too_few_for_all_moves_go_to_the_best_of_them(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32), youngest=0)
    once = find_candidates(game.view(0), Random(3), Playouts(MAX_MOVES_TRIED * ROUNDS_PER_BATCH))
    more = find_candidates(game.view(0), Random(3), Playouts((len(once) + 2) * ROUNDS_PER_BATCH))
    assert len(once) > 2
    rounds = [len(candidate.ends) for candidate in more]
    assert rounds == [2 * ROUNDS_PER_BATCH] * 2 + [ROUNDS_PER_BATCH] * (len(once) - 2)
    assert {candidate.move for candidate in more[:2]} == {candidate.move for candidate in once[:2]}


def test_search_stops_when_one_move_is_clearly_best(rng: Random) -> None:
    view = cases.view_at(f"{cases.ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,1,1 9 m??+?")
    best, *others = find_candidates(view, rng, Playouts(10_000))
    assert str(best.move) == "NESW@7"
    assert len(best.ends) < 100
    assert all(len(candidate.ends) <= len(best.ends) for candidate in others)


def test_search_with_one_thing_to_do_does_not_think(rng: Random) -> None:
    (only,) = find_candidates(cases.view_at("- ?/?/? 1 P,-,- n,1,1 9 m??+?"), rng, Playouts(1000))
    assert only.ends == []
    assert only.wins is None


def test_search_thinks_for_the_time_that_it_was_given(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32), youngest=0)
    candidates = find_candidates(game.view(0), rng, Seconds(0.03))
    assert candidates[0].ends
    assert not find_candidates(game.view(0), rng, Seconds(0))[0].ends


@pytest.mark.level("broad")
@pytest.mark.parametrize("name", [name for name in BOTS if name not in LEVELS])
def test_in_a_game_that_it_imagines_a_bot_does_the_same(name: str, rng: Random) -> None:
    for players in (3, 4):
        game = Game.new(players, seed=rng.randbytes(32))
        while game.round.table.end is None:
            view = game.view(game.to_act)
            move = BOTS[name](view, Random(3), NOTHING)
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


# Saboteurs who hide: what a move gives away, and when it pays to strike.

FIRST = "- ?/?/? 1 -,-,-,-,- -P/-C/ew/R/M/NS,6,6,6,6 37 s????+?"
START = "- ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
LATE = f"{cases.ROAD} ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
NEAR = FIRST.replace("-", "EW@1/EW@2/EW@3/NEW@4/NEW@5", 1).replace("37", "32")
BROKE = "Broke 1 P 2"
KNOWN = "Broke 1 P 2; Laid 1 n 0s1; Broke 1 C 3"


def exposure(view: View, text: str) -> float:
    """The public suspicion of the seat to play after a move."""
    return measure_exposures(observe(view), [cases.play_of(text)])[0]


def test_what_harms_gives_away_and_what_digs_does_not() -> None:
    line = "EW@1 ?/?/? 1 -,L,-,-,- -P/ew/EW/R/M/+L,1,1,1,1 9 s????+?"
    view = cases.view_at(line, "Laid 2 EW 1")
    passing = exposure(view, "xM")
    assert min(exposure(view, text) for text in ("-P>2", "ew@2", "R@1")) > passing
    assert max(exposure(view, text) for text in ("EW@2", "M@8", "+L>2")) < passing


def test_a_move_gives_away_just_what_all_see_once_it_is_made(rng: Random) -> None:
    game = Game.new(6, seed=rng.randbytes(32))
    for _ in range(20):
        seat = game.round.table.turn
        assert seat is not None
        moves = game.round.legal_moves()
        told = measure_exposures(observe(game.view(seat)), moves)
        at = rng.randrange(len(moves))
        game, _ = game.apply(moves[at])
        assert told[at] == pytest.approx(
            infer_public_beliefs(observe(game.view(None))).saboteur[seat]
        )


def nerve(doubt: float, wins: float) -> float:
    """The cost of a move that gives this much away to a saboteur, in rounds won."""
    beyond = max(0.0, min(doubt, LOST_DOUBT) - TRUSTED_DOUBT)
    return searching.SECRECY_WINS * doubt + wins * beyond


@pytest.mark.parametrize("wins", [NERVE_WINS, searching.WARY_NERVE_WINS])
def test_search_weighs_what_a_move_gives_away_for_saboteurs_alone(wins: float, rng: Random) -> None:
    for role in "ms":
        for line, hides in ((FIRST, True), (START, False), (NEAR, False)):
            view = cases.view_at(line.replace("s????", f"{role}????"), BROKE)
            observed = observe(view)
            worth = {move: worth for worth, move in rank_moves(view, infer_beliefs(observed), rng)}
            for candidate in find_candidates(view, rng, nerve=wins):
                (doubt,) = measure_exposures(observed, [candidate.move])
                cost = nerve(doubt, wins if hides else 0.0) if role == "s" else 0
                assert candidate.prior == pytest.approx(
                    searching.PRIOR_ROUNDS_PER_POINT * worth[candidate.move] - cost
                )


def test_saboteurs_have_moves_to_hide_by_among_those_they_try(rng: Random) -> None:
    told = measure_exposures(
        observe(cases.view_at(FIRST)),
        [candidate.move for candidate in find_candidates(cases.view_at(FIRST), rng)],
    )
    assert max(told) > TRUSTED_DOUBT
    assert sum(doubt < 0.34 for doubt in told) >= 2


@pytest.mark.parametrize(
    ("line", "is_bold"),
    [(FIRST, True), ("- ?/?/? 1 -,-,-,- -P/-C/ew/R/M/NS,6,6,6 43 s???+?", False)],
)
def test_hard_saboteurs_hide_less_where_that_wins_most(*, line: str, is_bold: bool) -> None:
    view, budget = cases.view_at(line), Playouts(20)
    moves = [search(view, Random(seed), budget) for seed in range(8)]
    usual = [compare_moves(view, Random(seed), budget)[0].move for seed in range(8)]
    assert (moves != usual) is is_bold


TIMID = USUAL_TEMPER._replace(nerve=NERVES[1])


@cache
def harm(line: str, events: str = "", talk: Talk = SILENCE, temper: Temper = TIMID) -> int:
    """Times of ten that a wary saboteur does harm, one that hides as much as any."""
    view = cases.view_at(line, events)
    moves = [wary(view, Random(number), Playouts(0), talk, temper) for number in range(10)]
    return sum(
        isinstance(move, Break | Rockfall) or (isinstance(move, Lay) and not move.path.through)
        for move in moves
    )


@pytest.mark.level("broad")
def test_saboteurs_hide_early_and_strike_late_near_the_gold_or_once_everybody_knows_them() -> None:
    first, later = cases.view_at(FIRST), cases.view_at(FIRST, BROKE)
    assert exposure(first, "-P>2") < TRUSTED_DOUBT < exposure(later, "-P>2")
    assert harm(FIRST) >= 6
    assert harm(FIRST, BROKE) <= 4 < harm(FIRST, BROKE, temper=TIMID._replace(nerve=NERVES[0]))
    assert harm(LATE, BROKE) >= 8
    assert harm(NEAR, BROKE) >= 6
    after = FIRST.replace("-", "n@0s1", 1).replace("37", "36")
    assert infer_public_beliefs(observe(cases.view_at(after, KNOWN))).saboteur[0] > LOST_DOUBT
    assert harm(after, KNOWN) >= 9


@pytest.mark.level("broad")
def test_an_accused_saboteur_waits_and_one_that_others_vouch_for_dares_more() -> None:
    assert harm(FIRST, talk=cases.read_talk("2 saboteur 1; 3 saboteur 1", 60)) <= 4
    assert harm(FIRST, BROKE, talk=cases.read_talk("2 miner 1; 3 miner 1", 60)) >= 6


def test_search_that_has_no_time_to_play_out_does_not_hide_for_its_own_sake(rng: Random) -> None:
    assert find_candidates(cases.view_at(LATE), rng)[0].move == cases.play_of("ew@7")
