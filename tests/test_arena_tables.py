"""The tables of the pages on bots hold what they say, and are written where they belong."""

from pathlib import Path
from random import Random
from runpy import run_path

import pytest

from benchmarks.arena import __main__
from benchmarks.arena.__main__ import REPORT_TABLES, main, measured_table, page_with
from benchmarks.arena.nerve import (
    FIRST_DEAL,
    count_passes,
    hidden_round,
    median_of,
    suspect_saboteurs,
)
from benchmarks.arena.seats import (
    FIRST_EVEN_DEAL,
    EvenRound,
    beginner_round,
    even_round,
    judge_rounds,
)
from benchmarks.arena.statistics import Scale
from engine.bots import Budget, Playouts
from engine.cards import Role
from engine.edition import INTERNATIONAL
from engine.moves import Discard, Move
from engine.view import View
from sabtui.kit.matches import Pairing, Player, play_round
from tests.samples import first

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
HOUSE = Path(__file__).parents[1]


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
    assert "python -m benchmarks.arena" in text
    assert ", ".join(REPORT_TABLES) in text


def discarder(view: View, rng: Random, budget: Budget) -> Move:
    """A bot of somebody else's: it throws cards away."""
    del rng, budget
    return next(move for move in view.legal_moves() if isinstance(move, Discard))


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
