"""The arena plays fair rounds, hears what is said in them, and says what it measured."""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from benchmarks.arena.players import (
    ORACLE,
    MeasuredPlayer,
    OraclePlayer,
    Pairing,
    gain,
    roles_of,
)
from benchmarks.arena.statistics import play_game
from engine.actions import Broke
from engine.bots import Budget, Playouts, SpokenMove, greedy
from engine.bots.claims import MAX_CLAIMS_PER_ROUND
from engine.bots.talk import MAX_LINES, SILENCE, DigsAgainstUs, GoldAt, Statement, Talk, WhoMe
from engine.cards import Role, Tool
from engine.edition import INTERNATIONAL
from engine.moves import Discard, Move
from engine.notation import Record, parse_record, replay
from engine.state import Phase
from engine.view import View
from net.room.bots import MAX_WORDS_PER_ROUND
from sabtui.app.errors import UserError
from sabtui.cli.main import main
from sabtui.kit.arena import (
    LEAGUE_COLUMNS,
    LeagueRound,
    Player,
    _play_steps,
    bot_to_measure,
    claim_about,
    each,
    have_miners_won,
    make_record,
    measure,
    own,
    play_deal,
    play_round,
    ratings,
    seed_of,
)
from tests.engine.bots.test_beliefs import LOOKS
from tests.engine.bots.test_talk import NORTH, SOUTH
from tests.engine.cases import view_of


def discarder(view: View, rng: Random, budget: Budget) -> Move:
    """A bot of somebody else's: it throws cards away."""
    del rng, budget
    return next(move for move in view.legal_moves() if isinstance(move, Discard))


def test_each_round_is_another_deal_and_always_the_same() -> None:
    assert len({seed_of(number) for number in range(50)}) == 50
    seats = [Player("greedy", Playouts(0))] * 5
    first, again, other = (play_round(number, seats)[0] for number in (1, 1, 2))
    assert first[-1] == again[-1]
    assert first[0] != other[0]
    won = [have_miners_won(play_round(number, seats)[0]) for number in range(20)]
    assert {True, False} == set(won)


def test_the_time_of_each_side_is_its_own() -> None:
    states, miners, saboteurs, _ = Pairing("search", "greedy", 12).play(0)
    assert miners.moves + saboteurs.moves == len(states) - 1
    assert miners.spent > saboteurs.spent


def test_a_side_may_see_all_cards_or_be_deaf_or_mute() -> None:
    pairing = Pairing(ORACLE, "wary", 0, talker=own, mute=frozenset({Role.MINER}))
    assert isinstance(pairing.player(Role.MINER), OraclePlayer)
    states, *_, talk = pairing.play(1)
    speakers = {states[0].round.roles[statement.seat] for statement in talk.said}
    assert speakers == {Role.SABOTEUR}
    hears = Pairing("wary", "greedy", 0, talker=own)
    deaf = replace(hears, deaf=frozenset(Role))
    assert any(hears.play(number)[0] != deaf.play(number)[0] for number in range(5))


@pytest.mark.level("thorough")  # starts new processes
def test_several_processes_find_what_one_finds() -> None:
    one, several = (each(Pairing("greedy", "wary", 0).outcome, 5, jobs) for jobs in (1, 2))
    assert [won for won, *_ in one] == [won for won, *_ in several]
    assert [miners.moves for _, miners, _ in one] == [miners.moves for _, miners, _ in several]


def test_deals_are_counted_from_the_first_on() -> None:
    assert each(str, 3, jobs=1, first=95) == ["95", "96", "97"]


def test_all_the_gold_of_a_game_is_counted() -> None:
    seats = [MeasuredPlayer(name, Playouts(0)) for name in ("easy", "medium")]
    assert sum(play_game(0, [*seats, OraclePlayer("greedy", Playouts(0))])) >= 9


def test_a_bot_alone_is_measured_beside_easy_and_medium_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"{__name__}:discarder"
    assert bot_to_measure(name) is discarder
    assert measure([name], 1, 1) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.strip("| ").split(" | ")[0] for line in lines[2:5]} == {name, "easy", "medium"}
    assert lines[4].split(" | ")[4] == "0.0% (0 to 66)"


def talker(view: View, rng: Random, budget: Budget, talk: Talk) -> SpokenMove:
    """A bot that says at each turn how much it has heard."""
    claims = (DigsAgainstUs((len(talk.said) + rng.randrange(9)) % view.table.players), WhoMe())
    return SpokenMove(greedy(view, rng, budget), claims, f"{len(talk.lines)} lines")


def test_what_a_bot_says_with_its_moves_is_heard_in_bounds_and_answered() -> None:
    names = {Role.MINER: f"{__name__}:talker", Role.SABOTEUR: "wary"}
    roles = roles_of(7, 4)
    _, talk = play_round(7, [Player(names[role], Playouts(0), own) for role in roles])
    tellers = {seat for seat, role in enumerate(roles) if role is Role.MINER}
    assert {line.seat for line in talk.lines} == tellers
    assert len(talk.lines) == len(tellers) * MAX_WORDS_PER_ROUND // 3, "two claims and a line each"
    assert talk.lines[-1].text == f"{len(talk.lines) - 1} lines"
    answers = [statement for statement in talk.said if statement.seat not in tellers]
    assert answers, "who is blamed answers"
    for seat in tellers:
        assert 1 < sum(statement.seat == seat for statement in talk.said) <= MAX_CLAIMS_PER_ROUND
    measure([names[Role.MINER], "greedy"], 1, 1)


@pytest.mark.parametrize("name", ["nobody", "no.such.module:bot", f"{__name__}:missing", ":"])
def test_a_bot_that_is_not_there_is_told_at_once(name: str) -> None:
    for names in ([name], ["greedy", name]):
        with pytest.raises(UserError, match=f"no bot {name}"):
            measure(names, 1, 1)


def test_a_gain_is_of_pairs_and_its_interval_too() -> None:
    assert gain([(False, True)] * 4 + [(True, False)] * 2 + [(True, True)] * 94) == (
        "+2.0 (-2.8 to +6.8)"
    )
    assert gain([(True, True)] * 5) == "+0.0 (+0.0 to +0.0)"


def test_a_bot_does_not_speak_without_end_nor_say_a_thing_twice() -> None:
    view = view_of(LOOKS)
    blame = Statement(1, DigsAgainstUs(0), 40)
    once = Talk((blame,))
    answer = claim_about(view, blame, once)
    assert answer == WhoMe()
    assert claim_about(view, blame, once.after([Statement(0, answer, 40)])) is None
    much = Talk(tuple(Statement(0, GoldAt(cell), 40) for cell in (NORTH, SOUTH) * 3))
    assert len(much.said) == MAX_CLAIMS_PER_ROUND
    assert claim_about(view, blame, much) is None
    assert claim_about(view, Broke(1, Tool.PICK, 2), SILENCE) is None


def test_a_bot_speaks_for_its_own_seat_alone_and_accuses_after_a_second_harm() -> None:
    harms = "Broke 5 P 2; Laid 5 e 1; Broke 5 C 2"
    view = view_of(harms, broken="L,PC,-,-,-")
    assert claim_about(view, Broke(4, Tool.CART, 1), SILENCE) == DigsAgainstUs(4)
    view = view_of(harms.partition(";")[0], broken="L,P,-,-,-")
    assert claim_about(view, Broke(4, Tool.PICK, 1), SILENCE) is None


M, S = Role.MINER, Role.SABOTEUR
FIVE = (M, S, M, M, S)


def test_a_deal_is_played_by_all_teams_and_by_all_rotations_of_the_seats() -> None:
    played = play_deal(["greedy", "easy", "random"], 5, Playouts(0), 3)
    assert len({round_.roles for round_ in played}) == 1
    teams, mixed = played[:6], played[6:]
    pairs = {
        tuple(
            frozenset(bot for bot, role in zip(team.bots, team.roles, strict=True) if role is side)
            for side in Role
        )
        for team in teams
    }
    assert len(pairs) == 6
    assert all(len(side) == 1 for pair in pairs for side in pair)
    assert [round_.bots for round_ in mixed] == [(0, 1, 2, 0, 1), (1, 2, 0, 1, 2), (2, 0, 1, 2, 0)]
    assert played == play_deal(["greedy", "easy", "random"], 5, Playouts(0), 3)


def test_a_seat_counts_for_its_share_of_its_side() -> None:
    one = LeagueRound((0, 1, 0, 1, 0), FIVE, won=True)
    assert one.weights(2) == (2 / 3 - 1 / 2, 1 / 3 - 1 / 2)
    assert LeagueRound((0, 0, 1), (M, M, M), won=True).weights(2) == (2 / 3, 1 / 3)


def test_ratings_find_the_strengths_by_which_rounds_were_won() -> None:
    rng, strengths, rounds = Random(7341), (200.0, 0.0, -200.0), []
    for _ in range(6000):
        bots = tuple(rng.randrange(3) for _ in FIVE)
        weights = LeagueRound(bots, FIVE, won=True).weights(3)
        points = 80 + sum(map(float.__mul__, weights, strengths))
        rounds.append(LeagueRound(bots, FIVE, rng.random() < 1 / (1 + 10 ** (-points / 400))))
    found = ratings(rounds, 3)
    assert sum(found) == pytest.approx(0)
    assert found == pytest.approx(strengths, abs=25)
    digs = LeagueRound((0, 1, 0, 0, 1), FIVE, won=True)
    hides = LeagueRound((1, 0, 1, 1, 0), FIVE, won=False)
    first, second = ratings([digs, hides] * 50, 2)
    assert 300 < first == -second < 3000, "though one wins every round"


@pytest.mark.parametrize("talker", ["greedy", f"{__name__}:talker"])
def test_records_of_all_games_are_kept_with_what_was_said(
    talker: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "games"
    assert measure([talker, "random"], 2, 1, folder) == 0
    read = [parse_record(path.read_text("utf-8")) for path in sorted(folder.iterdir())]
    records = [record for record in read if isinstance(record, Record)]
    assert len(records) == 2 * 4, "for each deal two pairings, and two rotations"
    for record in records:
        *_, (game, _events) = replay(record)
        assert game.phase is Phase.OVER
        names = {name.split()[0] for name in record.names}
        assert names == {"talker" if ":" in talker else "greedy", "random"}
    assert any(said.claim for record in records for said in record.talk)
    texts = {said.text for record in records for said in record.talk if said.text}
    assert bool(texts) == (talker != "greedy")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Cannot write"):
        measure(["greedy", "random"], 1, 1, tmp_path / "file")
    capsys.readouterr()


def writer(view: View, rng: Random, budget: Budget) -> SpokenMove:
    """A bot that writes a line at each turn."""
    return SpokenMove(greedy(view, rng, budget), (), f"{view.table.unplayed} left\n")


def test_a_bot_writes_so_much_in_a_round_and_a_record_has_all_of_it() -> None:
    seats = [Player(f"{__name__}:writer", Playouts(0))] * 3
    steps = [*_play_steps(1, seats, INTERNATIONAL)]
    lines = steps[-1].talk.lines
    assert len(lines) == MAX_LINES, "bots are given the last ones"
    texts = [said.text for said in make_record(1, ["writer"] * 3, steps).talk]
    assert len(texts) == len({*texts}) == 3 * MAX_WORDS_PER_ROUND
    assert texts[-MAX_LINES:] == [line.text for line in lines]
    assert texts[0] == "67 left"


def hungry(view: View, rng: Random, budget: Budget) -> Move:
    """A bot that wants more memory than a table gives it."""
    assert len(bytearray(1 << 30)) > 0
    return greedy(view, rng, budget)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system may not heed it")
def test_a_bot_has_as_much_memory_in_the_arena_as_at_a_table() -> None:
    with pytest.raises(UserError, match="hungry raised MemoryError"):
        measure([f"{__name__}:hungry", "greedy"], 1, 1)


@pytest.mark.parametrize("folder", [None, "games"])
def test_a_reader_that_leaves_is_not_taken_for_a_folder_that_cannot_be_written(
    folder: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(_lines: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr("sabtui.kit.arena.print_lines", leave)
    with pytest.raises(BrokenPipeError):
        measure(["greedy", "random"], 1, 1, None if folder is None else tmp_path / folder)


def test_the_command_shows_a_tournament_with_the_best_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "random", "greedy", "--deals", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"| {' | '.join(LEAGUE_COLUMNS)} |"
    best, last = (line.strip("|").split("|") for line in lines[2:4])
    assert (best[0].strip(), last[0].strip()) == ("greedy", "random")
    assert best[2].strip()
    assert not last[2].strip()
    assert "seed 7341" in lines[-1]
