"""Reviews and hints: what was known, likely and best at each step, and why; turning points."""

from dataclasses import replace
from itertools import chain, pairwise
from random import Random

import pytest

from engine import Card, Discard, KeepGold, Lay
from engine.bots import Playouts
from engine.bots import review as reviews
from engine.bots.beliefs import infer_beliefs
from engine.bots.estimates import (
    Estimate,
    estimate_change,
    estimate_paired_change,
    find_wilson_interval,
)
from engine.bots.evidence import observe
from engine.bots.hints import (
    Blocks,
    FindsOut,
    Frees,
    HarmsNobody,
    Hint,
    LeadsAway,
    MostNuggets,
    Nearer,
    Reaches,
    Sheds,
    Stops,
    _put_digging_first,
    find_hints,
    find_reason,
)
from engine.bots.review import (
    Effort,
    MoveReview,
    PlayedStep,
    ReviewSummary,
    StepReview,
    Suspicion,
    follow_talk,
    measure_sure_change,
    review,
    summarise,
)
from engine.bots.searching import search_moves
from engine.bots.talk import GoldAt, Honesty, Statement, TrackRecord
from engine.edition import INTERNATIONAL
from engine.notation import parse_move
from engine.notation.record import Record, format_claim, replay
from tests.engine import cases
from tests.engine.cases import (
    ROAD,
    WON,
    game_of,
    gold_on_offer,
    last_step_position,
    play_of,
    read_events,
    read_talk,
    round_at,
    view_at,
)
from tests.engine.notation.games import play as play_record

LITTLE = Effort(chance=20, choice=60, comparison=18)


def steps_from(line: str, moves: str) -> list[PlayedStep]:
    """The steps of a one-round game from a position on."""
    game = game_of(round_at(line), rounds=1)
    steps = [PlayedStep(game, None)]
    for text in moves.split():
        move = parse_move(text)
        game, _ = game.apply(move)
        steps.append(PlayedStep(game, move))
    return steps


def played_steps(record: Record) -> list[PlayedStep]:
    """The steps of a record: each deal, and each move."""
    moves = chain.from_iterable((None, *moves) for moves in record.moves)
    return [PlayedStep(game, move) for (game, _), move in zip(replay(record), moves, strict=True)]


def test_every_step_of_a_record_is_reviewed_in_order() -> None:
    record = play_record(7, 3, INTERNATIONAL, rounds=1)[0]
    steps = played_steps(record)
    reviews = list(review(steps, effort=Effort(2, 6, 2)))
    assert [review.number for review in reviews] == list(range(len(steps)))
    assert len(steps) == 1 + sum(map(len, record.moves))
    for reviewed, step in zip(reviews, steps, strict=True):
        is_play = step.move is not None and not isinstance(step.move, KeepGold)
        assert (reviewed.move is not None) == is_play
        assert reviewed.round == step.game.score.number
        assert sum(reviewed.gold) == pytest.approx(1)
        assert all(0 <= doubt <= 1 for doubt in reviewed.suspicion)
        assert reviewed.chance.low <= reviewed.chance.value <= reviewed.chance.high
        if reviewed.move is not None:
            assert reviewed.move.move == step.move
            assert reviewed.move.gain.low <= reviewed.move.gain.value <= reviewed.move.gain.high


@pytest.mark.level("broad")
def test_the_same_seed_gives_the_same_review() -> None:
    steps = played_steps(play_record(7, 3, INTERNATIONAL)[0])[:9]
    least = Effort(chance=6, choice=24, comparison=6)
    whole = list(review(steps, seed=7, effort=least))
    assert list(review(steps[:6], seed=7, effort=least)) == whole[:6]
    assert list(review(steps, seed=8, effort=least)) != whole


def test_a_card_that_wins_is_better_laid_than_thrown_away() -> None:
    line = last_step_position("mmms", 1)
    _, thrown = review(steps_from(line, "xNESW"), effort=LITTLE)
    assert thrown.move is not None
    assert thrown.move.best == parse_move(WON)
    assert thrown.move.best_reason == Reaches((8, 0))
    assert thrown.move.reason == Sheds(Card.NESW)
    assert measure_sure_change(thrown.move.gain) > max(reviews.NOTABLE_CHANGE, 0.1)
    _, laid = review(steps_from(line, WON), effort=LITTLE)
    assert laid.move is not None
    assert laid.move.agrees
    assert laid.move.gain.value == laid.move.gain.margin == 0


def test_the_chance_is_sure_once_the_round_is_over() -> None:
    before, won = review(steps_from(last_step_position("mmms", 1), WON), effort=LITTLE)
    assert 0 < before.chance.value < 1
    assert won.chance == Estimate.certain(1)
    assert [before.distance, won.distance] == [1, 0]
    assert list(won.suspicion) == [0, 0, 0, 1]
    steps = steps_from(last_step_position("mmms", 1), WON)
    choice = steps[-1].game.view(steps[-1].game.to_act or 0).legal_moves()[0]
    *_, kept = review([*steps, PlayedStep(steps[-1].game.apply(choice)[0], choice)], effort=LITTLE)
    assert (kept.chance, kept.move) == (Estimate.certain(1), None), "gold is no move to judge"
    line = "- (NE)/(NESW)/(NW) 1 -,-,-,- NS,-,-,- - mmms+m"
    *_, lost = review(steps_from(line, "xNS"), effort=LITTLE)
    assert lost.chance == Estimate.certain(0)


def test_the_chance_goes_by_where_the_gold_really_is_and_suspicion_does_not() -> None:
    near = last_step_position("mmms", 1)
    far = near.replace("(NE)/(NESW)/(NW)", "(NESW)/(NE)/(NW)")
    here, there = (next(review(steps_from(line, ""), effort=LITTLE)) for line in (near, far))
    assert here.chance.low > there.chance.value
    assert (here.suspicion, here.gold) == (there.suspicion, there.gold)


def test_a_tunnel_that_leads_nowhere_has_no_distance() -> None:
    line = "ew@-1/ns@0n1/nesw@0s1/nes@1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NE NE mms+m"
    blocked, *_ = review(steps_from(line, "xNS"), effort=Effort(6, 6, 6))
    assert blocked.distance is None
    assert blocked.chance.value == 0


def test_suspicion_is_what_everybody_could_know() -> None:
    line = f"{ROAD} (NE)/(NESW)/(NW) 1 -,-,-,- R/NS,NS,NS,NE NE/NE/NE smmm+m"
    before, after = review(steps_from(line, "R@6"), effort=Effort(6, 6, 6))
    assert len(set(before.suspicion)) == 1, "the public knows no roles"
    assert after.suspicion[0] > before.suspicion[0]


def test_what_is_said_counts_and_is_proven_at_the_end_of_a_round() -> None:
    games = (played_steps(play_record(seed, 4, INTERNATIONAL, rounds=2)[0]) for seed in range(20))
    steps, looked = next(  # in one game of twenty nobody looks at a goal in the first round
        (steps, number)
        for steps in games
        for number, step in enumerate(steps)
        if step.game.score.number == 1 and any(step.game.round.table.looks)
    )
    table = steps[looked].game.round.table
    seat = next(seat for seat, cells in enumerate(table.looks) if cells)
    (cell,) = table.looks[seat]
    said = {looked: [Statement(seat, GoldAt(cell), table.unplayed)]}
    talks = list(follow_talk(steps, said))
    assert [bool(talk.said) for talk in talks[:looked]] == [False] * looked
    assert talks[looked].said
    second = next(number for number, step in enumerate(steps) if step.game.score.number == 2)
    assert not talks[second].said
    told = Honesty(*map(sum, zip(*talks[second].record(seat), strict=True)))
    assert sum(told) == 1
    *_, heard = review(steps[: looked + 1], said, effort=Effort(2, 6, 6))
    *_, deaf = review(steps[: looked + 1], effort=Effort(2, 6, 6))
    assert heard.gold != deaf.gold


# The turning points of games in which they are known.

THOROUGH = Effort(chance=60, choice=60, comparison=30)


def summary_of(line: str, moves: str, seed: int = 0, effort: Effort = THOROUGH) -> ReviewSummary:
    steps = steps_from(line, moves)
    return summarise(steps, list(review(steps, seed=seed, effort=effort)))


def stub(number: int, chance: float, *, deal: bool = False) -> StepReview:
    """A step after which the miners have this chance, with a little noise."""
    made = Discard(Card.MAP), Sheds(Card.MAP)
    move = MoveReview(0, *made, *made, Estimate.certain(0))
    estimate = Estimate.share(round(1000 * chance), 1000)
    return StepReview(number, 1, (0.5,), (1, 0, 0), 3, estimate, None if deal else move)


def turns(summary: ReviewSummary) -> list[tuple[int, str]]:
    """The steps and moves of the turning points."""
    return [(point.step, str(point.review.move)) for point in summary.turning_points]


def test_reaching_the_gold_that_few_could_reach_is_the_turning_point() -> None:
    hands = "NS/NE,NS/NE,NS/NESW,NW/NE"
    line = f"{ROAD} (NE)/(NESW)/(NW) 1 P,L,-,C {hands} - mmms+m"
    summary = summary_of(line, f"xNS xNS {WON}")
    assert turns(summary)[-1] == (3, WON)
    assert summary.turning_points[-1].swing.value > 0
    assert summary.turning_points[-1].review.agrees


@pytest.mark.level("broad")
def test_noise_is_rarely_taken_for_a_turning_point() -> None:
    """Compare the same position with itself, with chance of its own each time."""
    steps = steps_from(last_step_position("mmms", 1).replace("M/M", "M/M/M/M/R/R"), "")
    chances = [
        next(review(steps, seed=seed, effort=Effort(chance=60))).chance for seed in range(30)
    ]
    swings = [estimate_change(before, after) for before, after in pairwise(chances)]
    assert any(abs(swing.value) > 0.05 for swing in swings), "there is noise"
    assert sum(measure_sure_change(swing) > reviews.TURNING_POINT_SWING for swing in swings) <= 1


def test_a_small_change_is_no_turning_point_however_sure() -> None:
    steps = [stub(0, 0.5), stub(1, 0.58)]
    (move,) = reviews.list_moves_of_note(steps)
    assert 0 < measure_sure_change(move.swing) < reviews.TURNING_POINT_SWING
    assert reviews.find_turning_points([move], steps) == ()


def test_only_the_greatest_turning_points_of_a_round_are_told() -> None:
    steps = [stub(number, chance) for number, chance in enumerate([0, 1, 0, 0.6, 0, 0.7, 1])]
    steps.append(stub(7, 0.5, deal=True))
    moves = list(reviews.list_moves_of_note(steps))
    assert len(moves) == 6, "a deal is no move"
    assert [point.step for point in reviews.find_turning_points(moves, steps)] == [1, 2, 5]


def test_a_tunnel_that_one_card_joins_again_is_not_given_up() -> None:
    hands = "EW/NESW/NE,NS/-L/NES,NW/NES/NEW,-P/-C/NW,NS/NE/NW"
    line = f"NEW@1/NEW@2/EW@4/NEW@5/NESW@6 (NE)/(NESW)/(NW) 1 -,-,-,-,- {hands} - mmmss+m"
    begun = PlayedStep(cases.game_of(cases.round_at(line)), None)
    (only,) = reviews.review([begun], effort=Effort(200, 1, 1))
    assert only.chance.value > 0.2, "it was 0.13 where play-outs saw no hole"


def test_somebody_who_throws_the_card_away_that_fills_the_hole_of_a_rockfall_is_told_so() -> None:
    road = "NESW@1/NEW@2/ES@2n1/NEW@3n1/EW@4n1/ESW@3/EW@4/EW@5/NESW@6"
    hands = "R/-P/NS/n,NEW/NE/NS/e,NEW/NE/+P,M/NE/NW/+L,-L/-C/NS"
    pile = "NES/NES/M/M/NE/NS/+C"
    line = f"{road} (NE)/(NESW)/(NW) 1 -,-,-,-,- {hands} {pile} smmms+m"
    steps = steps_from(line, "R@3 xNEW ESW@3")
    reviewed = list(review(steps, effort=Effort(200, 120, 90)))
    fallen, thrown = reviewed[1:3]
    assert fallen.chance.value > 0.1, "it was 0.04, and the card that then filled the hole a marvel"
    assert thrown.move is not None
    assert thrown.move.best == parse_move("ESW@3")
    assert 2 in [loss.step for loss in summarise(steps, reviewed).losses]


def test_of_each_player_the_moves_that_surely_lost_most_are_told() -> None:
    losses = {1: (0, 0.3), 2: (1, 0.2), 3: (0, 0.5), 4: (0, 0.4), 5: (0, 0.04), 6: (1, -0.4)}
    steps = [stub(0, 0.5, deal=True)]
    for number, (seat, gain) in losses.items():
        made = stub(number, 0.5).move
        assert made is not None
        lost = replace(made, seat=seat, gain=Estimate(gain, gain - 0.02, gain + 0.02))
        steps.append(replace(stub(number, 0.5), move=lost))
    moves = list(reviews.list_moves_of_note(steps))
    assert [loss.step for loss in reviews.find_losses(moves, steps)] == [2, 3, 4]


@pytest.mark.parametrize(
    ("low", "high", "least"), [(0.2, 0.4, 0.2), (-0.4, -0.3, 0.3), (-0.1, 0.5, 0.0)]
)
def test_a_change_is_as_sure_as_its_interval_allows(low: float, high: float, least: float) -> None:
    assert measure_sure_change(Estimate((low + high) / 2, low, high)) == least


# A saboteur is found out once everybody has reason to suspect them until the round is over.


def position(roles: str) -> str:
    """A position in which seat 1 can break tools and seat 5 can reach the treasure."""
    hands = "-P/-L/-C,NS/NS/NE,NS/NE/NE,NE/NW/NW,NW/n/NESW"
    return f"{ROAD} (NE)/(NESW)/(NW) 1 -,-,-,-,- {hands} M/M/M/M/M/M {roles}+m"


LOUD = "-P>2 xNS xNS xNE xNW -L>3 xNS xNE xNW xn -C>4 xNE xNE xNW"
QUIET = "x-P xNS xNS xNE xNW x-L xNS xNE xNW xn x-C xNE xNE xNW"


def when(line: str, moves: str) -> tuple[Suspicion, ...]:
    """Tell when the saboteurs were found out."""
    steps = steps_from(line, moves)
    return reviews.find_suspicions(steps, list(review(steps, effort=Effort(2, 6, 6))))


@pytest.mark.parametrize(
    ("moves", "found_out"),
    [
        (f"{LOUD} {WON}", [(0, 6), (3, None)]),  # of three broken tools the second is proof enough
        (f"{QUIET} {WON}", [(0, None), (3, None)]),
        (LOUD, []),  # a round that goes on proves nothing
    ],
    ids=["loud", "quiet", "goes on"],
)
def test_a_saboteur_is_found_out_by_what_they_do(
    moves: str, found_out: list[tuple[int, int | None]]
) -> None:
    assert [(found.seat, found.step) for found in when(position("smmsm"), moves)] == found_out


def test_miners_who_were_more_suspected_are_named() -> None:
    hidden, _ = when(position("mmssm"), f"{LOUD} {WON}")
    assert hidden == Suspicion(1, 2, None, (0, 4))


def test_whom_everybody_suspected_all_along_was_found_out_at_once() -> None:
    steps = steps_from(position("smmsm"), f"{LOUD} {WON}")
    last = list(review(steps, effort=Effort(2, 6, 6)))[11:]
    assert reviews.find_suspicions(steps, last)[0].step == 11


# Shares and their differences have the intervals of the books.


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (340, 400, 0.8117, 0.8817)],
)
def test_intervals_are_those_of_wilson(won: int, of: int, low: float, high: float) -> None:
    assert find_wilson_interval(won, of) == pytest.approx((low, high), abs=0.0001)
    assert Estimate.share(won, of) == Estimate(won / of, *find_wilson_interval(won, of), won, of)


def test_the_change_of_a_share_has_the_interval_of_agresti_and_caffo() -> None:
    # (2+1)/(12) and (8+1)/(12): 0.5 +- 1.96 * sqrt(2 * 0.25 * 0.75 / 12)
    found = estimate_change(Estimate.share(2, 10), Estimate.share(8, 10))
    assert (found.value, found.low, found.high) == pytest.approx((0.6, 0.1535, 0.8465), abs=1e-4)
    assert found.cases == 20


def test_few_equal_cases_never_look_certain_and_known_values_are() -> None:
    none = estimate_change(Estimate.share(0, 5), Estimate.share(0, 5))
    assert none.value == 0
    assert none.low < -0.2
    assert none.high > 0.2
    assert none.margin == pytest.approx(none.high)
    assert estimate_change(Estimate.certain(0.25), Estimate.certain(1.0)) == Estimate.certain(0.75)
    assert estimate_change(Estimate.share(30, 40), Estimate.certain(1.0)).low > 0


def test_a_paired_change_counts_the_cases_that_differ() -> None:
    same = [(True, True)] * 40 + [(False, False)] * 40
    gained = estimate_paired_change(same + [(False, True)] * 20)
    assert gained.value == pytest.approx(0.2)
    assert gained.low > 0.1
    wide = estimate_paired_change([*same, *[(False, True)] * 20, *[(True, False)] * 20])
    assert wide.value == 0
    assert wide.low < -0.09
    # (0+1)/12 and (3+1)/12: 0.25 +- 1.96 * sqrt((5/12 - 0.25**2) / 12)
    few = estimate_paired_change([(False, True)] * 3 + [(True, True)] * 7)
    assert (few.low, few.high) == pytest.approx((-0.0867, 0.5867), abs=1e-4)
    assert estimate_paired_change([(False, True)] * 3).high <= 1
    assert estimate_paired_change([(True, False)] * 3).low >= -1


# Hints say why, and only what the seat itself can know.


def test_reasons_tell_how_far_a_seat_is_trusted() -> None:
    view = view_at("- ?/?/? 1 -,P,- +P/-L,1,1 9 m??+?")
    beliefs = infer_beliefs(observe(view))
    assert find_reason(view, beliefs, play_of("+P>2")) == Frees(1, 1 - beliefs.saboteur[1])
    assert find_reason(view, beliefs, play_of("-L>3")) == Stops(
        2, beliefs.saboteur[2], is_highest=True
    )
    view = view_at("- ?/?/? 1 -,-,-,-,- -L,1,1,1,1 9 s????+?", "Broke 3 P 2")
    beliefs = infer_beliefs(observe(view))
    assert find_reason(view, beliefs, play_of("-L>3")) == Stops(
        2, beliefs.saboteur[2], is_highest=True
    )
    assert find_reason(view, beliefs, play_of("-L>2")) == Stops(
        1, beliefs.saboteur[1], is_highest=False
    )


def test_hints_are_the_moves_of_search_with_the_best_first_and_of_gold_the_most(
    rng: Random,
) -> None:
    view = view_at(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,3,3 9 m??+?")
    first, *others = find_hints(view, rng, Playouts(100))
    assert first.move == parse_move("NESW@7")
    assert first.reason == Reaches((8, 0))
    assert first.wins == 1
    assert others
    assert all(hint.wins is not None and hint.wins < 1 for hint in others)
    assert {hint.wins for hint in find_hints(view, rng, Playouts(0))} == {None}
    game = gold_on_offer()
    (hint,) = find_hints(game.view(1), rng, Playouts(10))
    assert (hint.move, hint.reason) == (KeepGold(3), MostNuggets())
    with pytest.raises(ValueError, match="is not to act"):
        find_hints(game.view(0), rng, Playouts(0))


def test_what_leads_a_miner_astray_is_told_after_what_digs() -> None:
    blocks, digs, away, looks, far = (
        Hint(parse_move("M@8"), reason, None)
        for reason in (
            Blocks((1, 0)),
            Nearer(1, 4),
            LeadsAway(),
            FindsOut((8, 0), 0.3),
            HarmsNobody((0, 1)),
        )
    )
    assert _put_digging_first([blocks, looks, far, digs, away]) == [looks, far, digs, blocks, away]
    assert _put_digging_first([blocks, away]) == [blocks, away]
    line = "NE@-1s1/NW@0s1/NESW@1 (NW)/?/? 1 -,C,L,-,- NS/NS/EW/-P/-C/+PL,6,6,6,6 26 m????+?"
    view = view_at(line)
    observed, budget = observe(view), Playouts(42)
    tried = search_moves(observed, infer_beliefs(observed), Random(4), budget)
    hints = find_hints(view, Random(4), budget)
    assert [str(candidate.move) for candidate in tried[:2]] == ["NS@0n1", "EW@2"]
    assert isinstance(hints[0].reason, Nearer)


def test_a_hint_to_dig_names_who_is_believed_and_no_liar(rng: Random) -> None:
    line = "EW@1 (NE)/?/? 1 -,-,-,-,- NESW/EW/M,1,1,1,1 9 m????+?"
    view = view_at(line)
    for look in read_events("Looked 2 8s2; Looked 2 8n2; Looked 3 8; Looked 3 8n2"):
        view = view.after(look)

    def find_believed(claims: str, record: TrackRecord | None = None) -> str:
        """Who is believed, whether they were right before, and what they said."""
        talk = replace(read_talk(claims, 30), records=() if record is None else (record,) * 5)
        found = find_hints(view, rng, Playouts(0), talk)
        assert all(hint.believed is None for hint in found if not isinstance(hint.move, Lay))
        one = next(hint.believed for hint in found if isinstance(hint.reason, Nearer))
        if one is None:
            return "nobody"
        return f"{one.seat + 1} {format_claim(one.claim)}{', as before' if one.was_right else ''}"

    assert find_believed("") == "nobody"
    assert find_believed("2 gold 8s2") == "2 gold 8s2"
    assert find_believed("3 stone 8; 2 gold 8s2") == "2 gold 8s2"
    assert find_believed("2 gold 8s2; 2 stone 8n2") == "2 gold 8s2, as before"
    assert find_believed("4 gold 8s2") == "nobody", "4 has not looked"
    assert find_believed("1 gold 8s2") == "nobody"
    assert find_believed("2 gold 8n2") == "nobody", "the player knows"
    assert find_believed("2 gold 8s2", TrackRecord(Honesty(1, 0))) == "2 gold 8s2, as before"
    assert find_believed("2 gold 8s2", TrackRecord(Honesty(0, 9), Honesty(0, 9))) == "nobody"
