"""What the seats of a play-out do, which the measure of `search` rests on."""

import pytest

from engine.bots import rollout
from engine.bots.rollout import FastRound
from engine.cards import CARDS, Card, CardKind
from tests.engine.bots.fast_boards import cards_of
from tests.engine.cases import ROAD, round_at

PLACES = "(NE)/(NESW)/(NW)"
SHUT = "ns@0n1/ew@1/nesw@0s1/e@-1"


def play_seat_1(line: str, marked: str = "---") -> tuple[Card, FastRound]:
    """The card that seat 1 plays there, and what that leads to."""
    game = FastRound(round_at(line), [mark == "!" for mark in marked])
    play = rollout.miner_policy if game.miner[0] else rollout.saboteur_policy
    return CARDS[play(game, 0)], game


MINING = [
    ("digs nearer", f"{ROAD} {PLACES} 1 -,-,- NS/NEW,NE,NS M mms+m", "NEW"),
    ("repairs their own", f"- {PLACES} 1 P,P,- EW/+P,NS,NS M mms+m", "+P"),
    ("looks while unsure", f"- {PLACES} 1 P,-,- EW/M,NS,NS M mms+m", "M"),
    ("clears the road", f"EW@1/ew@2 {PLACES} 1 P,-,- EW/R,NS,NS M mms+m", "R"),
    ("repairs a friend first", f"- {PLACES} 1 P,L,- EW/+L/+P,NS,NS M mms+m", "+L"),
    ("opens a longer way", f"EW@1 {PLACES} 1 -,-,- NW/R,NS,NS M mms+m", "NW"),
    ("repairs a friend", f"- {PLACES} 1 P,L,- EW/+L,NS,NS M mms+m", "+L"),
    ("throws away a dead end", f"- {PLACES} 1 P,-,- EW/n/+L/-P/R,NS,NS M mms+m", "n"),
    (
        "digs aside rather than waste",
        f"EW@1/ES@2n1/NEW@2 {PLACES} 1 -,-,- NW/R,NS,NS M mms+m",
        "NW",
    ),
]


@pytest.mark.parametrize(("what", "line", "text"), MINING, ids=[what for what, *_ in MINING])
def test_a_miner_does_the_next_best(what: str, line: str, text: str) -> None:
    assert play_seat_1(line)[0] is Card.read(text), what


def test_miners_repair_nobody_who_is_marked_and_break_their_tools() -> None:
    line = f"- {PLACES} 1 P,-,L EW/-C/+L,NS,NS M mms+m"
    card, game = play_seat_1(line)
    assert (card, game.broken) == (Card.REPAIR_LANTERN, [1, 0, 0])
    card, game = play_seat_1(line, "-!!")
    assert (card, game.broken) == (Card.BREAK_CART, [1, 4, 2])


def test_miners_hinder_who_is_marked_before_they_dig() -> None:
    line = f"{ROAD} {PLACES} 1 -,-,- NEW/-C,NS,NS M mms+m"
    assert play_seat_1(line)[0] is Card.read("NEW")
    assert play_seat_1(line, "--!")[0] is Card.BREAK_CART


def test_a_miner_looks_at_the_middle_first() -> None:
    _, game = play_seat_1(f"- {PLACES} 1 P,-,- M,NS,NS M mms+m")
    assert game.looks == [2, 0, 0]
    assert game.targets == [2, 2, 2], "all follow"
    game = FastRound(round_at("- (NESW)/(NE)/(NW) 1 P,-,- M/M,NS,NS M mms+m"), [False] * 3)
    for looks in (2, 3):
        rollout.miner_policy(game, 0)
        assert game.looks[0] == looks
    assert game.targets[0] == 1


SPOILING = [
    ("breaks a sound miner's tool", f"- {PLACES} 1 -,L,- -P/ew/R,NS,NS M smm+m", "-P"),
    ("blocks the road", f"EW@1 {PLACES} 1 -,-,- ew/NE,NS,NS M smm+m", "ew"),
    ("brings the road down", f"EW@1 {PLACES} 1 P,-,- ew/R/NE,NS,NS M smm+m", "R"),
    ("burns what digs", f"- {PLACES} 1 P,-,- ew/R/NE/NESW,NS,NS M smm+m", "NESW"),
    ("keeps no repair", f"- {PLACES} 1 P,-,- R/+C,NS,NS M smm+m", "+C"),
    (
        "waits where nothing fits",
        f"{SHUT} {PLACES} 1 -,-,- nw/NE,NS,NS M smm+m",
        "NE",
    ),
    ("has nothing better", f"- {PLACES} 1 P,-,- +P,NS,NS M smm+m", "+P"),
]


@pytest.mark.parametrize(("what", "line", "text"), SPOILING, ids=[what for what, *_ in SPOILING])
def test_a_saboteur_does_what_harms_most(what: str, line: str, text: str) -> None:
    assert play_seat_1(line)[0] is Card.read(text), what


def test_cards_of_all_kinds_are_played_or_thrown_away() -> None:
    assert {Card.read(text).kind for *_, text in (*MINING, *SPOILING)} == set(CardKind)


def test_a_miner_only_throws_away_what_it_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"EW@1/ew@2 {PLACES} 1 P,-,- R,NS,NS M mms+m"
    assert (2, 0) not in cards_of(play_seat_1(line)[1].board)
    kinds = [card.kind if card is not Card.ROCKFALL else CardKind.BREAK for card in CARDS]
    monkeypatch.setattr(rollout, "CARD_KINDS", kinds)
    card, game = play_seat_1(line)
    assert card is Card.ROCKFALL
    assert (2, 0) in cards_of(game.board)


def test_saboteurs_break_those_who_can_dig_and_none_of_their_own() -> None:
    card, game = play_seat_1(f"- {PLACES} 1 -,-,L,-,- -P,NS,NS,NS,NS M ssmmm+m", "-----")
    assert (card, game.broken) == (Card.BREAK_PICK, [0, 0, 2, 1, 0])
    assert game.marked == [True, False, False, False, False]


def test_saboteurs_repair_themselves_and_stay_unmarked() -> None:
    card, game = play_seat_1(f"- {PLACES} 1 P,-,- +PL,NS,NS M smm+m")
    assert (card, game.broken) == (Card.REPAIR_PICK_LANTERN, [0, 0, 0])
    assert game.marked == [False] * 3


def test_a_dead_end_goes_where_it_fits_nearest_to_the_gold() -> None:
    _, game = play_seat_1(f"{ROAD} {PLACES} 1 -,-,- nw,NS,NS M smm+m")
    assert cards_of(game.board).keys() - round_at(
        f"{ROAD} {PLACES} 1 -,-,- NS,NS,NS M smm+m"
    ).table.board.cards.keys() == {(7, 0)}
