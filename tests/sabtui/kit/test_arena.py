"""The arena plays fair rounds, hears what is said in them, and says what it measured."""

from random import Random

import pytest

from benchmarks.arena.players import OraclePlayer
from benchmarks.arena.statistics import play_game
from engine.actions import Broke
from engine.bots import Budget, Playouts, SpokenMove, greedy
from engine.bots.claims import MAX_CLAIMS_PER_ROUND
from engine.bots.talk import MAX_LINES, SILENCE, DigsAgainstUs, GoldAt, Statement, Talk, WhoMe
from engine.cards import Role, Tool
from engine.edition import INTERNATIONAL
from engine.moves import Discard, Move
from engine.view import View
from sabtui.app.errors import UserError
from sabtui.cli.main import main
from sabtui.kit.arena import (
    MEASURED_COLUMNS,
    Pairing,
    Player,
    bot_to_measure,
    claim_about,
    each,
    gain,
    have_miners_won,
    measure,
    own,
    play_round,
    seed_of,
)
from tests.engine.bots.test_talk import LOOKS, NORTH, SOUTH, view_at


def discarder(view: View, rng: Random, budget: Budget) -> Move:
    """A bot of somebody else's: it throws cards away."""
    del rng, budget
    return next(move for move in view.legal_moves() if isinstance(move, Discard))


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


@pytest.mark.level("thorough")  # starts processes anew
def test_several_processes_find_what_one_finds() -> None:
    one, several = (each(Pairing("greedy", "wary", 0).outcome, 5, jobs) for jobs in (1, 2))
    assert [won for won, *_ in one] == [won for won, *_ in several]
    assert [miners.moves for _, miners, _ in one] == [miners.moves for _, miners, _ in several]


def test_all_the_gold_of_a_game_is_counted() -> None:
    seats = [Player(name, Playouts(0)) for name in ("easy", "medium")]
    seats.append(OraclePlayer("greedy", Playouts(0)))
    assert sum(play_game(0, seats)) >= 9


def test_anybodys_bot_is_measured_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{__name__}:discarder"
    assert bot_to_measure(name) is discarder
    measure([name], 2, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"| {' | '.join(MEASURED_COLUMNS)} |"
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
    sides = {role: Player(name, Playouts(0), talker=own) for role, name in names.items()}
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
    measure([names[Role.MINER], "greedy"], 1, 1)


@pytest.mark.parametrize("name", ["nobody", "no.such.module:bot", f"{__name__}:missing", ":"])
def test_a_bot_that_is_not_there_is_told_at_once(name: str) -> None:
    with pytest.raises(UserError, match=f"no bot {name}"):
        measure([name], 1, 1)


def test_a_gain_is_of_pairs_and_its_interval_too() -> None:
    assert gain([(False, True)] * 4 + [(True, False)] * 2 + [(True, True)] * 94) == (
        "+2.0 (-2.8 to +6.8)"
    )
    assert gain([(True, True)] * 5) == "+0.0 (+0.0 to +0.0)"


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


def test_the_command_goes_from_the_shell_to_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "easy", "--deals", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| easy", "| random"]
    assert "seed 7341" in lines[-1]
