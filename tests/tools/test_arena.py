"""The arena measures what it says, and writes it where it belongs."""

from pathlib import Path
from random import Random
from runpy import run_path

import pytest

from engine.bots import Budget, Playouts, SpokenMove, greedy
from engine.bots.claims import MAX_CLAIMS_PER_ROUND
from engine.bots.talk import MAX_LINES, SILENCE, DigsAgainstUs, GoldAt, Statement, Talk, WhoMe
from engine.cards import Role, Tool
from engine.edition import INTERNATIONAL
from engine.events import Broke
from engine.moves import Discard, Move
from engine.view import View
from tests.engine.bots.test_talk import LOOKS, NORTH, SOUTH, view_at
from tests.samples import first
from tools.arena import __main__, statistics
from tools.arena.__main__ import REPORT_TABLES, main, measured_table, page_with
from tools.arena.league import AGAINST_COLUMNS
from tools.arena.listening import gain
from tools.arena.matches import (
    Player,
    bot_to_measure,
    each,
    have_miners_won,
    play_game,
    play_round,
    seed_of,
)
from tools.arena.nerve import FIRST_DEAL, count_passes, hidden_round, median_of, suspect_saboteurs
from tools.arena.seats import FIRST_EVEN_DEAL, EvenRound, beginner_round, even_round, judge_rounds
from tools.arena.statistics import Pairing, Scale
from tools.arena.talkers import claim_about

LITTLE = Scale(
    rounds=2,
    fewer=1,
    games=1,
    talks=1,
    budgets=(6,),
    wary=1,
    playouts=12,
    fewer_playouts=6,
    few_playouts=6,
    players=(3, 5),
    seats=(3,),
)
LEAST = Scale(
    rounds=1,
    fewer=1,
    games=1,
    talks=1,
    budgets=(1,),
    wary=1,
    playouts=2,
    fewer_playouts=1,
    few_playouts=1,
    players=(3, 3),
    seats=(3,),
)
HOUSE = Path(__file__).parents[2]


def test_each_round_is_another_deal_and_always_the_same() -> None:
    assert len({seed_of(number) for number in range(50)}) == 50
    both = {role: Player("greedy", Playouts(0)) for role in Role}
    first, again, other = (play_round(number, 5, INTERNATIONAL, both)[0] for number in (1, 1, 2))
    assert first[-1] == again[-1]
    assert first[0] != other[0]
    won = [have_miners_won(play_round(number, 5, INTERNATIONAL, both)[0]) for number in range(20)]
    assert {True, False} == set(won)


def test_the_time_of_each_side_is_its_own() -> None:
    sides = {
        Role.MINER: Player("search", Playouts(12)),
        Role.SABOTEUR: Player("greedy", Playouts(0)),
    }
    states, _ = play_round(0, 5, INTERNATIONAL, sides)
    assert sum(player.moves for player in sides.values()) == len(states) - 1
    assert sides[Role.MINER].spent > sides[Role.SABOTEUR].spent


def test_a_side_that_nobody_plays_spends_no_time() -> None:
    assert statistics.pace([Player("greedy", Playouts(0))]) == "0.0"


@pytest.mark.thorough  # starts processes anew
def test_several_processes_find_what_one_finds() -> None:
    one, several = (each(Pairing("greedy", "wary", 0).outcome, 5, jobs) for jobs in (1, 2))
    assert [won for won, *_ in one] == [won for won, *_ in several]
    assert [miners.moves for _, miners, _ in one] == [miners.moves for _, miners, _ in several]


def test_all_the_gold_of_a_game_is_counted() -> None:
    seats = [Player(name, Playouts(0)) for name in ("easy", "medium", "oracle")]
    assert sum(play_game(0, seats)) >= 9


LONG = ("words", "nerve", "beliefs", "league", "gold", "passes", "sizes", "seats")
"""Tables that take long, however little is measured for them."""


@pytest.mark.parametrize(
    "name",
    first(
        len(REPORT_TABLES) - len(LONG),
        sorted(REPORT_TABLES, key=LONG.__contains__),
        thorough=len(REPORT_TABLES),
    ),
)
def test_a_table_has_a_head_rows_and_what_repeats_it(name: str) -> None:
    lines = measured_table(name, LEAST).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) > 4 or name in ("gold", "doubts", "editions", "beginner")
    assert len({line.count("|") for line in table}) == 1
    assert "seed 7341" in lines[-1]


def test_the_median_of_suspicions_has_an_interval_from_round_to_round() -> None:
    assert median_of([(0.5,)] * 20) == "0.50 (0.50 to 0.50)"
    assert median_of([(0.2, 0.4), (0.9,), ()] * 3) == "0.40 (0.30 to 0.90)"
    assert median_of([()]) == "0.00 (0.00 to 0.00)"


def test_suspicion_is_that_of_a_spectator_and_grows() -> None:
    rounds = [hidden_round(Pairing("greedy", "greedy", 0), number) for number in range(6)]
    saboteurs = [len(one.half_way) for one in rounds]
    assert set(saboteurs) == {1, 2}
    half_way, at_the_end = (
        sum(sum(values) for values in moment) / sum(saboteurs)
        for moment in zip(*((one.half_way, one.at_the_end) for one in rounds), strict=True)
    )
    assert 0.33 < half_way < at_the_end < 1


def test_a_spectator_hears_what_was_said_until_then() -> None:
    mute, loud = (Pairing("greedy", "greedy", 0, talker=talker) for talker in ("silent", "accuser"))
    rounds = [[hidden_round(pairing, number) for pairing in (mute, loud)] for number in range(4)]
    assert all(silent.won == heard.won for silent, heard in rounds), "nobody listened"
    assert any(silent.half_way != heard.half_way for silent, heard in rounds)
    states, *_, talk = loud.play(FIRST_DEAL)
    assert talk.said
    assert suspect_saboteurs(states[0], talk) == pytest.approx([1 / 3] * len(rounds[0][0].half_way))


def test_passes_are_counted_while_there_is_a_pile_and_some_are_forced() -> None:
    name = f"{__name__}:discarder"
    count = count_passes(Pairing(name, name, 0), 0)
    moves = count[Role.MINER, "moves"] + count[Role.SABOTEUR, "moves"]
    assert moves == 37, "with five players the pile has 37 cards"
    for role in Role:
        assert count[role, "passes"] == count[role, "moves"] > 0
        assert count[role, "forced"] == 0, "with sound tools some card always fits"


def test_a_table_is_written_between_its_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / REPORT_TABLES["editions"].page
    page.parent.mkdir()
    page.write_text("before\n<!-- arena editions -->\nold\n<!-- end editions -->\nafter\n")
    main(["editions"], LITTLE, tmp_path)
    assert "old" in page.read_text()
    main(["editions", "--write"], LITTLE, tmp_path)
    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert lines[-1] == "after"
    assert "old" not in lines
    assert any(line.startswith("| 5 | argentina | greedy | greedy |") for line in lines)
    assert capsys.readouterr().out.count("argentina") == 2


def test_it_is_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", "--help"])
    with pytest.raises(SystemExit, match="0"):
        run_path(__main__.__file__, run_name="__main__")
    text = " ".join(capsys.readouterr().out.split())
    assert "python -m tools.arena" in text
    assert ", ".join(REPORT_TABLES) in text


def discarder(view: View, rng: Random, budget: Budget) -> Move:
    """A bot of somebody else's: it throws cards away."""
    del rng, budget
    return next(move for move in view.legal_moves() if isinstance(move, Discard))


def test_anybodys_bot_is_measured_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{__name__}:discarder"
    assert bot_to_measure(name) is discarder
    main(["--against", name], LITTLE)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"| {' | '.join(AGAINST_COLUMNS)} |"
    rows = [line.strip("| ").split(" | ") for line in lines[2:8]]
    assert [row[:3] for row in rows] == [
        [bot, f"{side}s", "greedy"]
        for side in ("miner", "saboteur")
        for bot in ("greedy", "wary", name)
    ]
    assert rows[2][4] == "0.0% (0 to 66)"
    assert rows[0][5] == rows[3][5] == "+0.0 (+0.0 to +0.0)"


def teller(view: View, rng: Random, budget: Budget, talk: Talk) -> SpokenMove:
    """A bot that says at each turn how much it has heard."""
    claims = (DigsAgainstUs((len(talk.said) + rng.randrange(9)) % view.table.players), WhoMe())
    return SpokenMove(greedy(view, rng, budget), claims, f"{len(talk.lines)} lines")


def test_what_a_bot_says_with_its_moves_is_heard_in_bounds_and_answered() -> None:
    names = {Role.MINER: f"{__name__}:teller", Role.SABOTEUR: "wary"}
    sides = {role: Player(name, Playouts(0), talker="own") for role, name in names.items()}
    states, talk = play_round(3, 4, INTERNATIONAL, sides)
    roles = states[0].round.roles
    tellers = {seat for seat, role in enumerate(roles) if role is Role.MINER}
    assert {line.seat for line in talk.lines} == tellers
    assert len(talk.lines) == min(len(tellers) * MAX_CLAIMS_PER_ROUND, MAX_LINES)
    assert talk.lines[-1].text == f"{len(talk.lines) - 1} lines"
    answers = [one for one in talk.said if one.seat not in tellers]
    assert answers, "who is blamed answers"
    for seat in tellers:
        assert 1 < sum(one.seat == seat for one in talk.said) <= MAX_CLAIMS_PER_ROUND
    main(["--tournament", names[Role.MINER], "greedy", "--deals", "1"], LEAST)


@pytest.mark.parametrize("name", ["nobody", "no.such.module:bot", f"{__name__}:missing", ":"])
def test_a_bot_that_is_not_there_is_told_at_once(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--against", name], LITTLE)
    assert f"no bot {name}" in capsys.readouterr().err


def test_a_gain_is_of_pairs_and_its_interval_too() -> None:
    assert gain([(False, True)] * 4 + [(True, False)] * 2 + [(True, True)] * 94) == (
        "+2.0 (-2.8 to +6.8)"
    )
    assert gain([(True, True)] * 5) == "+0.0 (+0.0 to +0.0)"


def test_unknown_tables_and_pages_without_marks_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["chess"], LITTLE)
    assert "no such table: chess" in capsys.readouterr().err
    with pytest.raises(ValueError, match="no marks for the table gold"):
        page_with("nothing here", "gold", "table")


def test_the_pages_on_bots_have_a_place_for_every_table() -> None:
    for name, table in REPORT_TABLES.items():
        page = (HOUSE / table.page).read_text(encoding="utf-8")
        assert page_with(page, name, "table") != page


def test_a_bot_does_not_speak_without_end_nor_say_a_thing_twice() -> None:
    view = view_at(*LOOKS)
    blame = Statement(1, DigsAgainstUs(0), 40)
    once = Talk((blame,))
    answer = claim_about(view, blame, once)
    assert answer == WhoMe()
    assert claim_about(view, blame, once.after([Statement(0, answer, 40)])) is None
    much = Talk(tuple(Statement(0, GoldAt(cell), 40) for cell in (NORTH, SOUTH) * 3))
    assert len(much.said) == MAX_CLAIMS_PER_ROUND
    assert claim_about(view, blame, much) is None
    assert claim_about(view, Broke(1, Tool.PICK, 2), SILENCE) is None


def test_a_round_is_judged_by_its_sides_its_passes_and_who_turned_the_treasure_up() -> None:
    pairing = Pairing("greedy", "greedy", 0, 3)
    rounds = [even_round(pairing, number) for number in range(30)]
    assert {one.has_saboteur for one in rounds} == {True, False}
    assert {one.won for one in rounds} == {True, False}
    assert [one.talks for one in rounds[:2]] == [False, True]
    assert all(0 <= one.passes <= one.moves for one in rounds)
    assert all(one.turned_up is None for one in rounds), "a saboteur spares the gold"


def test_the_rounds_of_a_row_are_counted_by_what_they_have_to_show() -> None:
    lost = EvenRound(
        has_saboteur=True,
        talks=False,
        won=False,
        moves=20,
        passes=0,
        begins_with_pass=False,
        turned_up=None,
        spent=0.03,
        turns=10,
    )
    quiet = lost._replace(has_saboteur=False, moves=10, passes=1, spent=0.01)
    won = lost._replace(
        talks=True, won=True, passes=2, begins_with_pass=True, turned_up=0.98, spent=0.02
    )
    unlucky = won._replace(talks=False, passes=0, begins_with_pass=False, turned_up=0.1, spent=0.03)
    count, *shares, found, pace = judge_rounds([quiet, won, unlucky, lost])
    assert (count, found, pace) == (3, "2 (1)", "2.2")
    told = [str(cell).split("%")[0] for cell in shares]
    assert told == ["66.7", "50.0", "100.0", "4.3", "25.0"]


def test_a_beginner_sits_among_the_others_and_each_seat_wins_with_its_side() -> None:
    seats = beginner_round(1)
    assert len(seats) == 5
    winners = {role for role, won in seats if won}
    assert len(winners) == 1, "one side wins"
    assert all(won for role, won in seats if role in winners)
    both = {role: Player("wary", Playouts(0), talker="own") for role in Role}
    alone = play_round(FIRST_EVEN_DEAL + 1, 5, INTERNATIONAL, both)[0]
    assert [role for role, _ in seats] == [*alone[0].round.roles]
    guest = Player("greedy", Playouts(0))
    play_round(FIRST_EVEN_DEAL + 1, 5, INTERNATIONAL, both, {0: guest})
    assert guest.moves > 0, "it plays its own seat"
