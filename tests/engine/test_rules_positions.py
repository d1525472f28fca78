"""Paths, actions, goals, ends of rounds and turns, shown by positions (RULES P, A, G, R, T)."""

import pytest

from engine.cards import Card, Path, Tool
from engine.edition import Edition
from engine.moves import IllegalMove, Lay, ToolsBroken
from tests.engine.cases import Case, each_case, game_of, play, round_at


@each_case("rules_paths")
def test_paths_are_laid_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_goals")
def test_goals_are_revealed_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_ends")
def test_rounds_end_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_turns")
def test_turns_go_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_actions")
def test_actions_are_played_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@pytest.mark.rule("A1")
@pytest.mark.parametrize("broken", [Tool.within(bits) for bits in range(1, 8)])
def test_whoever_has_a_broken_tool_is_refused_every_path_card_and_told_which_tools(
    broken: tuple[Tool, ...],
) -> None:
    game = game_of(round_at(f"- (NE)/(NESW)/(NW) 1 {''.join(broken)},-,- EW/NE,NS,NS NE mms+m"))
    move = Lay(Path.read("EW"), (1, 0))
    assert game.view(0).why_not(move) == ToolsBroken(broken)
    assert move not in game.view(0).legal_moves()
    with pytest.raises(IllegalMove):
        game.apply(move)


@pytest.mark.rule("A2", "A3")
@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("+P>2", (Card.REPAIR_PICK, Card.BREAK_PICK)),
        ("+LC>2:C", (Card.REPAIR_LANTERN_CART, Card.BREAK_CART)),
    ],
)
def test_a_repair_and_the_broken_tool_are_both_discarded(
    text: str, gone: tuple[Card, Card]
) -> None:
    game = game_of(round_at("- (NE)/(NESW)/(NW) 1 -,PC,- +P/+LC,NS,NS NE mms+m"))
    game, _ = play(game, text)
    assert game.round.table.discards == gone
    assert game.round.table.broken[1] in {Tool.PICK.bit, Tool.CART.bit}
