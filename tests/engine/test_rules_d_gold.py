"""How the gold is shared (RULES D, E-share); D5 and D8 to the last pile in test_gold_exhaustion."""

import pytest

from engine.edition import EDITIONS
from engine.events import visible_to
from engine.moves import GoldBeingShared, IllegalMove, KeepGold, NotOnOffer
from engine.notation import parse_move
from engine.state import Phase
from tests.engine.cases import WON, game_of, last_card_position, last_step_position, play, round_at
from tests.engine.events_text import say_all


@pytest.mark.rule("D1", "D4", "E-share")
@pytest.mark.parametrize("book", ["international", "argentina"])
def test_each_miner_takes_one_card_counter_clockwise_from_who_found_it(book: str) -> None:
    game = game_of(round_at(last_step_position("mmms", 2), EDITIONS[book]), gold="1232211")
    game, text = play(game, WON)
    ended, shared = text.split("NE/NESW/NW; ")
    assert ended.endswith("RoundEnded m mmms m ")
    assert shared == "GoldDrawn 3; ChoiceBegan 2; GoldShown 2 321"
    assert game.purse.pile == (2, 2, 1, 1)
    game, text = play(game, "$2")
    assert text == "GoldTaken 2; GoldReceived 2 2; ChoiceBegan 1; GoldShown 1 31"
    game, text = play(game, "$3")
    assert text == "GoldTaken 1; GoldReceived 1 3; GoldTaken 3; GoldReceived 3 1"
    assert game.purse.held == ((3,), (2,), (1,), ())
    assert game.phase is Phase.DEAL


@pytest.mark.rule("D1", "E-direction")
def test_gold_passes_counter_clockwise_whichever_way_turns_pass() -> None:
    for book in EDITIONS:
        game = game_of(round_at(last_step_position("mmmms", 3), EDITIONS[book]), gold="1" * 28)
        game, _ = play(game, WON)
        choosers = []
        while game.phase is Phase.GOLD:
            choosers.append(game.to_act)
            game, _ = play(game, "$1")
        assert choosers[:3] == [2, 1, 0]


@pytest.mark.rule("D2", "D4", "E-share")
@pytest.mark.parametrize("book", ["italia", "france"])
def test_as_many_cards_as_players_go_round_the_miners_until_none_is_left(book: str) -> None:
    game = game_of(round_at(last_step_position("msmsm", 5), EDITIONS[book]), gold="3211122")
    game, text = play(game, WON)
    assert text.endswith("GoldDrawn 5; ChoiceBegan 5; GoldShown 5 32111")
    game, text = play(game, "$3 $2 $1 $1")
    assert text == "GoldTaken 5; GoldReceived 5 1; GoldTaken 3; GoldReceived 3 1"
    assert game.purse.held == ((1,), (), (2, 1), (), (3, 1))
    assert game.purse.pile == (2, 2)


@pytest.mark.rule("D2")
def test_ten_players_share_nine_cards() -> None:
    game = game_of(round_at(last_step_position("mmmmmmmsss", 1), EDITIONS["france"]))
    game, text = play(game, WON)
    assert "GoldDrawn 9; ChoiceBegan 1; GoldShown 1 333322222" in text
    assert len(game.purse.pile) == 19


@pytest.mark.rule("D3", "E-share")
@pytest.mark.parametrize("book", [*EDITIONS])
@pytest.mark.parametrize(("roles", "finder", "first"), [("mmsm", 3, 2), ("smmm", 1, 4)])
def test_a_saboteur_who_found_it_takes_none_and_the_miner_before_them_begins(
    book: str, roles: str, finder: int, first: int
) -> None:
    game = game_of(round_at(last_step_position(roles, finder), EDITIONS[book]))
    game, text = play(game, WON)
    assert f"ChoiceBegan {first}; GoldShown {first} " in text
    while game.phase is Phase.GOLD:
        game, _ = game.apply(game.legal_moves()[0])
    assert game.purse.held[finder - 1] == ()
    assert sum(map(len, game.purse.held)) == (4 if book in ("italia", "france") else 3)


@pytest.mark.rule("D4", "K")
def test_who_chooses_sees_the_cards_and_the_others_how_many() -> None:
    game = game_of(round_at(last_step_position("mmms", 2)), gold="1232211")
    game, events = game.apply(parse_move(WON))
    assert say_all(visible_to(events, 1)).endswith("GoldDrawn 3; ChoiceBegan 2; GoldShown 2 321")
    for other in (0, 2, 3, None):
        assert say_all(visible_to(events, other)).endswith("GoldDrawn 3; ChoiceBegan 2")
        assert game.view(other).offer == ()
        assert game.view(other).score.offer == 3
    view = game.view(1)
    assert view.offer == (3, 2, 1)
    assert view.legal_moves() == (KeepGold(3), KeepGold(2), KeepGold(1)) == game.legal_moves()


@pytest.mark.rule("D4")
def test_who_chooses_keeps_one_of_the_cards_there_and_nobody_else_chooses() -> None:
    game = game_of(round_at(last_step_position("mmms", 2)), gold="2232211")
    game, _ = play(game, WON)
    assert game.legal_moves() == (KeepGold(3), KeepGold(2))
    assert game.view(1).why_not(KeepGold(1)) == NotOnOffer(1)
    assert game.view(0).why_not(KeepGold(3)) == GoldBeingShared(1)
    with pytest.raises(IllegalMove) as illegal:
        game.apply(KeepGold(1))
    assert illegal.value.reason == NotOnOffer(1)
    discard = parse_move("xNE")
    assert game.view(1).why_not(discard) == GoldBeingShared(1)
    with pytest.raises(IllegalMove) as illegal:
        game.apply(discard)
    assert illegal.value.reason == GoldBeingShared(1)


@pytest.mark.rule("D5", "K")
@pytest.mark.parametrize(
    ("roles", "text"),
    [
        ("mms", "SaboteursPaid 4 0,0,2 0,0,0; GoldReceived 3 22"),
        ("smmms", "SaboteursPaid 3 1,0,0,0,1 0,0,0,0,0; GoldReceived 1 3; GoldReceived 5 3"),
        (
            "sssmmmm",
            (
                "SaboteursPaid 3 1,1,1,0,0,0,0 0,0,0,0,0,0,0; "
                "GoldReceived 1 3; GoldReceived 2 3; GoldReceived 3 3"
            ),
        ),
        (
            "ssssmmmmmm",
            (
                "SaboteursPaid 2 1,1,1,1,0,0,0,0,0,0 0,0,0,0,0,0,0,0,0,0; "
                "GoldReceived 1 2; GoldReceived 2 2; GoldReceived 3 2; GoldReceived 4 2"
            ),
        ),
    ],
)
def test_saboteurs_are_paid_from_the_pile(roles: str, text: str) -> None:
    game = game_of(round_at(last_card_position(roles)), rounds=3)
    game, happened = play(game, "xNS")
    assert happened.split("; ", 3)[3] == text
    assert game.phase is Phase.DEAL


@pytest.mark.rule("D5")
@pytest.mark.parametrize(
    ("gold", "paid"),
    [("1111", "1111"), ("22111", "22"), ("3111", "31"), ("32211", "22"), ("3221", "22")],
)
def test_the_payment_leaves_the_most_ones_and_then_the_most_twos(gold: str, paid: str) -> None:
    _, text = play(game_of(round_at(last_card_position("mms")), gold=gold), "xNS")
    assert text.endswith(f"GoldReceived 3 {paid}")


@pytest.mark.rule("D5")
def test_the_card_left_over_is_no_saboteur_to_be_paid() -> None:
    _, text = play(game_of(round_at(last_card_position("smmmm"))), "xNS")
    assert text.endswith("SaboteursPaid 4 2,0,0,0,0 0,0,0,0,0; GoldReceived 1 22")


@pytest.mark.rule("D6")
@pytest.mark.parametrize("book", [*EDITIONS])
def test_without_a_saboteur_among_the_players_nobody_is_paid(book: str) -> None:
    game = game_of(round_at(last_card_position("mmm"), EDITIONS[book]))
    game, text = play(game, "xNS")
    assert text == "Passed 1; DiscardedCard 1 NS; RoundEnded s mmm s NE/NESW/NW"
    assert game.purse.held == ((), (), ())
    assert game.phase is Phase.DEAL


@pytest.mark.rule("D7", "K")
def test_how_many_gold_cards_each_has_is_seen_by_all_and_what_is_on_them_by_their_owner() -> None:
    game = game_of(round_at(last_step_position("mmms", 2)), gold="1232211")
    game, _ = play(game, f"{WON} $2 $3")
    for seat in (0, 1, 2, 3, None):
        assert game.view(seat).score.cards == (1, 1, 1, 0)
        assert game.view(seat).score.gold is None
    assert [game.view(seat).gold for seat in (0, 1, 2, 3, None)] == [(3,), (2,), (1,), (), ()]


@pytest.mark.rule("D8", "F1", "E-share")
@pytest.mark.parametrize("book", ["italia", "france"])
@pytest.mark.parametrize(
    ("roles", "gold", "missing"),
    [
        ("sssmmmmmm", "2222222233", 1),
        ("sssmmmmmm", "1222222223", 1),
        ("sssmmmmmm", "1122222222", 1),
        ("ssssmmmmmm", "1111123333", 1),
        ("ssssmmmmmm", "1111113333", 2),
        ("ssssmmmmmm", "1111111333", 1),
    ],
)
def test_gold_that_cannot_be_paid_is_made_up_for_by_chits(
    book: str, roles: str, gold: str, missing: int
) -> None:
    game = game_of(round_at(last_card_position(roles), EDITIONS[book]), number=3, gold=gold)
    due = 2 if len(roles) == 10 else 3
    saboteurs = roles.count("s")
    game, text = play(game, "xNS")
    assert f"SaboteursPaid {due} " in text
    chits = ",".join(map(str, game.score.chits))
    assert chits in text
    assert sum(game.score.chits) == missing
    assert max(game.score.chits) == 1
    assert game.score.nuggets == (due,) * saboteurs + (0,) * (len(roles) - saboteurs)
    assert game.score.winners == tuple(range(saboteurs))
    for seat in (0, len(roles) - 1, None):
        assert game.view(seat).score.chits == game.score.chits
