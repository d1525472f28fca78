"""What is dealt, and to whom (RULES S)."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.board import EMPTY, GOAL_CELLS, START
from engine.cards import CARDS, CROSSROADS, DECK, GOALS, Card, Goal, Path, Role
from engine.dealing import ALL_GOLD, Deal, deal
from engine.edition import EDITIONS
from engine.events import DwarfDealt, RoundBegan, TurnBegan, visible_to
from engine.game import Game
from engine.state import PLAYERS, Phase

PRINTED = """
    players   3 4 5 6 7 8 9 10
    miners    3 4 4 5 5 6 7 7
    saboteurs 1 1 2 2 3 3 3 4
    hand      6 6 6 5 5 4 4 4
"""
"""The table of S2, as the books print it."""


def read_columns() -> list[tuple[int, int, int, int]]:
    """Read the columns of that table."""
    rows = [[int(number) for number in row.split()[1:]] for row in PRINTED.strip().splitlines()]
    players, miners, saboteurs, hands = rows
    return list(zip(players, miners, saboteurs, hands, strict=True))


@pytest.mark.rule("S1")
@pytest.mark.parametrize("players", [-1, 0, 1, 2, 11, 100])
def test_fewer_than_three_or_more_than_ten_cannot_play(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 10 play"):
        deal(bytes(32), 1, players)


@pytest.mark.rule("S1")
def test_a_game_is_three_rounds_unless_the_table_says_otherwise() -> None:
    game, _ = Game.begin(deal(bytes(32), 1, 3))
    assert game.score.rounds == 3
    game, _ = Game.begin(deal(bytes(32), 1, 3), rounds=1)
    assert game.score.rounds == 1


@pytest.mark.rule("S1")
@pytest.mark.parametrize("rounds", [-1, 0, 4])
def test_a_game_has_no_fewer_than_one_round_and_no_more_than_three(rounds: int) -> None:
    with pytest.raises(ValueError, match=f"one to three rounds, not {rounds}"):
        Game.begin(deal(bytes(32), 1, 3), rounds=rounds)


@pytest.mark.rule("S8")
@pytest.mark.parametrize("seat", [-1, 3])
def test_only_somebody_at_the_table_can_begin(seat: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {seat + 1} among 3"):
        Game.begin(deal(bytes(32), 1, 3), youngest=seat)


@pytest.mark.rule("S2", "S7")
@pytest.mark.parametrize(("players", "miners", "saboteurs", "hand"), read_columns())
def test_dwarves_and_hands_are_dealt_by_number_of_players(
    players: int, miners: int, saboteurs: int, hand: int, rng: Random
) -> None:
    for number in (1, 2, 3):
        dealt = deal(rng.randbytes(32), number, players)
        assert len(dealt.roles) == players
        dwarves = Counter((*dealt.roles, dealt.spare))
        assert dwarves == {Role.MINER: miners, Role.SABOTEUR: saboteurs}
        assert [len(cards) for cards in dealt.hands] == [hand] * players
        assert len(dealt.pile) == 67 - hand * players


@pytest.mark.rule("S2", "K")
def test_each_player_alone_is_told_their_dwarf_and_nobody_the_one_left_over(rng: Random) -> None:
    dealt = deal(rng.randbytes(32), 1, 7)
    _, events = Game.begin(dealt)
    for seat in range(7):
        told = [event for event in visible_to(events, seat) if isinstance(event, DwarfDealt)]
        assert told == [DwarfDealt(seat, dealt.roles[seat])]
    assert not any(isinstance(event, DwarfDealt) for event in visible_to(events, None))


@pytest.mark.rule("S2")
def test_now_and_then_no_saboteur_is_dealt_to_anybody(rng: Random) -> None:
    spares = Counter(deal(rng.randbytes(32), 1, 3).spare for _ in range(200))
    assert 25 < spares[Role.SABOTEUR] < 75  # 200 / 4 is what chance has


@pytest.mark.rule("S3")
def test_the_tunnels_are_those_of_the_box() -> None:
    through = {"NS": 4, "EW": 3, "NE": 5, "NW": 4, "NES": 5, "NEW": 5, "NESW": 5}
    dead_ends = dict.fromkeys(["n", "e", "ns", "ew", "ne", "nw", "nes", "new", "nesw"], 1)
    tunnels = {card.text: card.copies for card in CARDS if card.ways}
    assert tunnels == through | dead_ends
    assert sum(tunnels.values()) == 40
    assert all(way.through == (card.text in through) for card in CARDS for way in card.ways)


@pytest.mark.rule("S3")
def test_a_card_turned_by_half_is_the_same_card() -> None:
    turned = {card.text: [way.text for way in card.ways] for card in CARDS if card.ways}
    assert turned["NE"] == ["NE", "SW"]
    assert turned["NW"] == ["NW", "ES"]
    assert turned["NES"] == ["NES", "NSW"]
    assert turned["NEW"] == ["NEW", "ESW"]
    assert turned["n"] == ["n", "s"]
    assert turned["e"] == ["e", "w"]
    assert turned["NS"] == ["NS"]
    assert turned["EW"] == ["EW"]
    assert turned["NESW"] == ["NESW"]


@pytest.mark.rule("S3")
def test_the_start_and_the_goals_are_through() -> None:
    assert Path.read("NESW") is CROSSROADS
    assert EMPTY.cards == {START: CROSSROADS}
    assert {goal: [way.text for way in goal.ways] for goal in GOALS} == {
        Goal.TREASURE: ["NESW"],
        Goal.STONE_NE: ["NE", "SW"],
        Goal.STONE_NW: ["NW", "ES"],
    }


@pytest.mark.rule("S4")
def test_the_action_cards_are_those_of_the_box() -> None:
    actions = {card.text: card.copies for card in CARDS if not card.ways}
    broken = dict.fromkeys(["-P", "-L", "-C"], 3)
    repairs = dict.fromkeys(["+P", "+L", "+C"], 2) | dict.fromkeys(["+PL", "+PC", "+LC"], 1)
    assert actions == broken | repairs | {"R": 3, "M": 6}
    assert sum(actions.values()) == 27


@pytest.mark.rule("S5")
def test_there_are_28_gold_cards() -> None:
    assert Counter(ALL_GOLD) == {1: 16, 2: 8, 3: 4}


@pytest.mark.rule("S6")
def test_the_goals_lie_seven_cards_off_and_one_card_apart() -> None:
    assert START == (0, 0)
    assert GOAL_CELLS == ((8, -2), (8, 0), (8, 2))
    assert EMPTY.hidden == GOAL_CELLS


@pytest.mark.rule("S6")
def test_the_goals_are_shuffled(rng: Random) -> None:
    seen = Counter(deal(rng.randbytes(32), 1, 3).goals for _ in range(600))
    assert len(seen) == 6
    assert all(set(goals) == set(GOALS) for goals in seen)
    assert all(60 < often < 140 for often in seen.values())  # each is 100 by chance


@pytest.mark.rule("S7")
def test_all_67_cards_are_in_hands_and_the_pile(rng: Random) -> None:
    for players in PLAYERS:
        dealt = deal(rng.randbytes(32), 1, players)
        cards = [*dealt.pile, *(card for hand in dealt.hands for card in hand)]
        assert Counter(cards) == Counter(DECK)
        assert len(cards) == 67


@pytest.mark.rule("S7", "K")
def test_everybody_knows_how_many_cards_are_where(rng: Random) -> None:
    game, events = Game.begin(deal(rng.randbytes(32), 1, 10), youngest=4)
    assert events[0] == RoundBegan(1, 4, (4,) * 10, 27)
    watcher = game.view(None)
    assert (watcher.table.hands, watcher.table.pile, watcher.hand) == ((4,) * 10, 27, ())


@pytest.mark.rule("S8")
def test_the_table_names_who_begins_or_one_is_drawn(rng: Random) -> None:
    seed = rng.randbytes(32)
    for youngest in range(5):
        game, events = Game.begin(deal(seed, 1, 5), youngest=youngest)
        assert game.to_act == youngest
        assert events[-1] == TurnBegan(youngest)
    drawn = Counter(Game.begin(deal(rng.randbytes(32), 1, 5))[0].to_act for _ in range(200))
    assert set(drawn) == set(range(5))


@pytest.mark.rule("S8", "E-direction")
@pytest.mark.parametrize(
    ("book", "seats"),
    [
        ("international", [3, 0, 1]),
        ("argentina", [3, 0, 1]),
        ("italia", [3, 2, 1]),
        ("france", [3, 0, 1]),
    ],
)
def test_turns_pass_as_the_edition_says(book: str, seats: list[int], rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 4), EDITIONS[book], youngest=3)
    played = []
    for _ in seats:
        played.append(game.to_act)
        game, _ = game.apply(game.legal_moves()[-1])
    assert played == seats


def spoilt(dealt: Deal) -> dict[str, Deal]:
    """Deals that each have one fault."""
    first, *others = dealt.hands
    north, middle, _ = dealt.goals
    other_gold = 4 - dealt.gold[0] if dealt.gold[0] != 2 else 3
    return {
        "too many saboteurs": replace(dealt, roles=(Role.SABOTEUR,) * 4),
        "no saboteur at all": replace(dealt, roles=(Role.MINER,) * 4, spare=Role.MINER),
        "a goal twice": replace(dealt, goals=(north, middle, middle)),
        "a hand missing": replace(dealt, hands=tuple(others)),
        "a hand too small": replace(
            dealt, hands=(first[1:], *others), pile=(first[0], *dealt.pile)
        ),
        "a card too many": replace(dealt, pile=(Card.DEAD_N, *dealt.pile)),
        "a card for another": replace(
            dealt,
            pile=(next(card for card in CARDS if card is not dealt.pile[0]), *dealt.pile[1:]),
        ),
        "gold for other gold": replace(dealt, gold=(other_gold, *dealt.gold[1:])),
        "a hand out of order": replace(dealt, hands=(dealt.hands[0][::-1], *dealt.hands[1:])),
        "two players": replace(dealt, roles=dealt.roles[:2], hands=dealt.hands[:2]),
    }


@pytest.mark.rule("S2", "S3", "S4", "S5", "S7")
@pytest.mark.parametrize("fault", spoilt(deal(bytes(32), 1, 4)))
def test_a_deal_that_is_not_made_of_the_games_cards_is_refused(fault: str, rng: Random) -> None:
    dealt = deal(rng.randbytes(32), 1, 4)
    assert Game.begin(dealt, youngest=0)[0].phase is Phase.PLAY
    with pytest.raises(ValueError, match=r"not made of the cards|3 to 10 play, not 2"):
        Game.begin(spoilt(dealt)[fault], youngest=0)


@pytest.mark.rule("S2", "S4", "S8")
def test_a_deal_that_is_refused_says_what_it_lacks() -> None:
    dealt = deal(bytes(32), 1, 4)
    *others, last = dealt.pile
    wrong = replace(
        dealt, spare=Role.SABOTEUR, roles=(Role.SABOTEUR,) * 4, pile=tuple(others), starter=4
    )
    with pytest.raises(
        ValueError, match="of the dwarves it lacks m m m m and has s s s s too"
    ) as e:
        Game.begin(wrong, youngest=0)
    assert f"; of the cards it lacks {last} and has none too many; " in str(e.value)
    assert str(e.value).endswith("there is no seat 5 to begin")
