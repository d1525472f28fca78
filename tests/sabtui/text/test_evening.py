"""An evening in words: its setting, how far it is, and who has what."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.events import GameEnded
from net.protocol.evening import Evening, EveningPlan, TargetUnit, read_plan
from net.protocol.lobby import Lobby
from net.protocol.lobby_events import EveningBegins, Rematch, SeatsDrawn
from sabtui.text.evening import (
    counted_lines,
    earned_words,
    evening_lines,
    plan_words,
    progress_sentence,
    standing_lines,
)
from sabtui.text.lobby import lobby_sentence
from tests.sabtui.tables import ANA, EVA, lobby

GAMES = EveningPlan(TargetUnit.GAMES, 3)
GOLD = EveningPlan(TargetUnit.GOLD, 20)
NAMES = ("Ana", "Bruno", "Dede", "Borin")
ONE = Evening().after(NAMES, (7, 3, 1, 3))
TWO = ONE.after(NAMES, (5, 5, 0, 0))


def table(plan: EveningPlan | None = GAMES, evening: Evening = ONE) -> Lobby:
    """A table of Ana's with an evening."""
    here = lobby()
    return replace(here, settings=replace(here.settings, evening=plan), evening=evening)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (None, "single games"),
        (EveningPlan(TargetUnit.GAMES, 1), "a series of 1 game"),
        (GAMES, "a series of 3 games"),
        (GOLD, "a race to 20 nuggets"),
    ],
)
def test_the_setting_is_told_in_a_phrase(plan: EveningPlan | None, words: str) -> None:
    assert plan_words(plan) == words


@pytest.mark.parametrize(
    ("plan", "evening", "told"),
    [
        (None, ONE, ""),
        (GAMES, Evening(), "Series: 0 of 3 games played."),
        (GAMES, ONE, "Series: 1 of 3 games played."),
        (GOLD, ONE, "Series: the leader has 7 of 20 nuggets."),
        (EveningPlan(TargetUnit.GAMES, 1), ONE, "The series is over: Ana has won it."),
        (
            EveningPlan(TargetUnit.GOLD, 5),
            Evening().after(NAMES, (5, 5, 0, 0)),
            "The series is over: Ana and Bruno have won it.",
        ),
    ],
)
def test_it_is_told_how_far_the_evening_is(
    plan: EveningPlan | None, evening: Evening, told: str
) -> None:
    assert progress_sentence(table(plan, evening)) == told


def test_beside_a_name_stands_what_they_have() -> None:
    assert earned_words("Ana", table()) == "7 nuggets"
    assert earned_words("bruno", table(evening=TWO)) == "8 nuggets"
    assert earned_words("Eva", table()) == ""
    assert earned_words("Ana", table(None)) == ""


def test_after_a_game_everybodys_gold_is_told() -> None:
    told = [
        "Series: 1 of 3 games played.",
        "Gold: Ana 7, Borin 3, Bruno 3 and Dede 1.",
    ]
    assert standing_lines(table()) == told
    assert counted_lines([GameEnded(())], table()) == told
    assert counted_lines([], table()) == counted_lines([GameEnded(())], None) == []
    assert counted_lines([GameEnded(())], table(None)) == []
    assert standing_lines(table(evening=Evening())) == ["Series: 0 of 3 games played."]
    assert standing_lines(table(None)) == []


def test_the_table_of_the_evening_has_a_line_for_each_who_played() -> None:
    assert evening_lines(table(evening=TWO)) == [
        "Series: 2 of 3 games played.",
        "name   gold  games  won",
        "Ana    12    2      2",
        "Bruno  8     2      1",
        "Borin  3     2      0",
        "Dede   1     2      0",
    ]
    assert evening_lines(table(None)) == []


def test_between_games_all_read_where_they_sit_and_how_far_the_evening_is() -> None:
    here = table()
    told = lobby_sentence(Rematch(), here, ANA)
    assert told is not None
    assert told.startswith("New game: everybody is ready. Series: 1 of 3 games played. Gold")
    drawn = SeatsDrawn((1, 2, 3, 0, 4))
    assert lobby_sentence(drawn, here, ANA) == "Seats were drawn again: you are in seat 4 now."
    assert lobby_sentence(drawn, here, EVA) == "Seats were drawn again."
    anew = lobby_sentence(EveningBegins(), here, ANA)
    assert anew == "The series starts over: nobody has any gold yet."


@pytest.mark.parametrize("text", ["5", "99", "50gold", "1gold"])
def test_a_target_is_read_as_it_is_written(text: str) -> None:
    plan = read_plan(text)
    assert plan is not None
    assert plan.text == text


@pytest.mark.parametrize("text", ["", "0", "100", "gold", "-5", "5 gold", "٣"])
def test_what_is_no_target_is_refused(text: str) -> None:
    assert read_plan(text) is None
