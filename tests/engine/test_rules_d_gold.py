"""How the gold is shared (RULES D), shown by `tests/data/positions/rules_gold.txt`.

D5 and D8 are shown to the last pile in test_gold_exhaustion.

    # D1 D4 E-share: each miner takes one card, counter-clockwise from who found the treasure.
    in: international, argentina
    gold: 1232211
    found: 2 of mmms
    told: GoldDrawn 3; ChoiceBegan 2; GoldShown 2 3/2/1

With this pile a round ends: seat 2 of these dwarves has `found` the treasure, or it is `lost`. Then
`told` is what happened to the gold, `held` all that the seats have of it, `left` the pile, and
`chits` how many were given, and what each seat has won. Other lines are as in `cases`.
"""

import pytest

from engine.edition import Edition
from engine.events import GoldEvent, visible_to
from engine.game import Game
from engine.moves import IllegalMove, KeepGold
from engine.state import Phase
from tests.engine.cases import (
    WON,
    Case,
    each_case,
    game_of,
    last_card_position,
    last_step_position,
    play,
    round_at,
)
from tests.engine.events_text import say, say_all


def end_round(key: str, text: str, edition: Edition, gold: str, number: int) -> tuple[Game, str]:
    """End a round; the game after it, and what happened to the gold."""
    if key == "found":
        finder, roles = text.split(" of ")
        line, move = last_step_position(roles, int(finder)), WON
    else:
        line, move = last_card_position(text), "xNS"
    game = game_of(round_at(line, edition), gold=gold, number=number)
    game, events = game.apply(game.read(move))
    return game, say_all(event for event in events if isinstance(event, GoldEvent))


@each_case("rules_gold")
def test_gold_is_shared_as_the_rules_say(case: Case, edition: Edition) -> None:
    game, told, gold, number = game_of(round_at(last_card_position("mms"), edition)), "", "", 1
    for key, text in case.lines:
        match key:
            case "gold":
                gold = text
            case "round":
                number = int(text)
            case "found" | "lost":
                game, told = end_round(key, text, edition, gold, number)
                assert (game.phase is Phase.GOLD) == (key == "found")
            case "do":
                game, told = play(game, text)
            case "told":
                assert told == text
            case "held":
                held = ("".join(map(str, cards)) or "-" for cards in game.purse.held)
                assert ",".join(held) == text
            case "left":
                assert "".join(map(str, game.purse.pile)) == text
            case "may":
                assert " ".join(map(str, game.legal_moves())) == text
            case "no":
                word, reason = text.split(" because ")
                with pytest.raises(IllegalMove) as illegal:
                    game.read(word)
                assert say(illegal.value.reason) == reason
            case _:
                assert key == "chits"
                chits, nuggets = game.score.chits, game.score.nuggets or ()
                assert f"{sum(chits)} of {','.join(map(str, nuggets))}" == text
                assert max(chits) == 1
                paid = tuple(seat for seat, won in enumerate(nuggets) if won)
                assert game.score.winners == paid
                assert {game.view(seat).score.chits for seat in (0, 8, None)} == {chits}


@pytest.mark.rule("D4", "K")
def test_who_chooses_sees_the_cards_and_the_others_how_many() -> None:
    game = game_of(round_at(last_step_position("mmms", 2)), gold="1232211")
    game, events = game.apply(game.read(WON))
    assert say_all(visible_to(events, 1)).endswith("GoldDrawn 3; ChoiceBegan 2; GoldShown 2 3/2/1")
    for other in (0, 2, 3, None):
        assert say_all(visible_to(events, other)).endswith("GoldDrawn 3; ChoiceBegan 2")
        assert game.view(other).offer == ()
        assert game.view(other).score.offer == 3
    view = game.view(1)
    assert view.offer == (3, 2, 1)
    assert view.legal_moves() == (KeepGold(3), KeepGold(2), KeepGold(1)) == game.legal_moves()


@pytest.mark.rule("D7", "K")
def test_how_many_gold_cards_each_has_is_seen_by_all_and_what_is_on_them_by_their_owner() -> None:
    game = game_of(round_at(last_step_position("mmms", 2)), gold="1232211")
    game, _ = play(game, f"{WON} $2 $3")
    for seat in (0, 1, 2, 3, None):
        assert game.view(seat).score.cards == (1, 1, 1, 0)
        assert game.view(seat).score.gold is None
    assert [game.view(seat).gold for seat in (0, 1, 2, 3, None)] == [(3,), (2,), (1,), (), ()]
