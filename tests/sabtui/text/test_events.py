"""For each event a sentence, by name; what each player has done so far in a round."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.board import GOAL_CELLS
from engine.bots.talk import SILENCE, Bluff, GoldAt, Statement
from engine.cards import Card, Goal, Path, Role, Tool
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    GoldDrawn,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Laid,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
)
from engine.view import View
from sabtui.text.events import (
    action_lines,
    event_sentence,
    no_paths,
    since_turn,
    unveil_lines,
    winners,
)
from sabtui.text.names import PlayerNames
from tests.sabtui.cases import CAST, view_of

ANA, BRUNO, CHIARA = range(3)
NORTH = GOAL_CELLS[0]
END = RoundEnded(
    Role.MINER,
    (Role.MINER, Role.SABOTEUR, Role.MINER),
    Role.MINER,
    (Goal.STONE_NW, Goal.STONE_NE, Goal.TREASURE),
)

SENTENCES: list[tuple[Event, str]] = [
    (DwarfDealt(ANA, Role.MINER), "You are a miner: dig a tunnel to the treasure."),
    (DwarfDealt(ANA, Role.SABOTEUR), "You are a saboteur: keep everybody from the treasure."),
    (Dealt(ANA, Card.DEAD_NS), "You drew: dead end (north, south)."),
    (Dealt(ANA, Card.REPAIR_PICK_CART), "You drew: pick repair / cart repair."),
    (DiscardedCard(ANA, Card.ROCKFALL), "You passed and discarded face down: rockfall."),
    (GoalPeeked(ANA, NORTH, Goal.TREASURE), "Your map: the north goal is the treasure."),
    (GoalPeeked(ANA, NORTH, Goal.STONE_NE), "Your map: the north goal is stone."),
    (GoldReceived(ANA, (2,)), "You got 2 nuggets."),
    (GoldReceived(ANA, (3, 1)), "You got 4 nuggets."),
    (
        RoundBegan(2, BRUNO, (6, 6, 6), 49),
        "Round 2: 3 players, 6 cards each, 49 to draw; Bruno begins.",
    ),
    (RoundBegan(1, ANA, (6, 6, 6), 49), "Round 1: 3 players, 6 cards each, 49 to draw; you begin."),
    (Laid(ANA, Path.read("NES"), (3, -1)), "You laid a T-junction at 3 east, 1 north."),
    (Laid(BRUNO, Path.read("sw"), (3, 0)), "Bruno laid a dead end at 3 east."),
    (Revealed((8, 0), Path.read("NESW")), ("The middle goal is the TREASURE!")),
    (Revealed((8, 2), Path.read("SW")), ("The south goal is stone, open to south and west.")),
    (Broke(BRUNO, Tool.LANTERN, ANA), "Bruno broke your lantern."),
    (Broke(BRUNO, Tool.CART, CHIARA), "Bruno broke Chiara's cart."),
    (Broke(BRUNO, Tool.PICK, BRUNO), "Bruno broke their own pick."),
    (Broke(ANA, Tool.PICK, ANA), "You broke your pick."),
    (Repaired(CHIARA, Card.REPAIR_CART, ANA, Tool.CART), "Chiara repaired your cart."),
    (Repaired(ANA, Card.REPAIR_PICK, BRUNO, Tool.PICK), "You repaired Bruno's pick."),
    (
        Collapsed(BRUNO, (3, -1), Path.read("NES")),
        "Bruno brought down a T-junction at 3 east, 1 north.",
    ),
    (Looked(CHIARA, NORTH), "Chiara looked at the north goal."),
    (Passed(BRUNO), "Bruno passed."),
    (Skipped(ANA), "You passed."),
    (END, "The treasure is reached: the miners win the round."),
    (GoldDrawn(2), "2 gold cards are drawn for the miners."),
    (GoldDrawn(1), "1 gold card is drawn for the miners."),
    (GoldTaken(CHIARA), "Chiara took a gold card."),
    (SaboteursPaid(4, (0, 2, 0), (0, 0, 0)), "4 nuggets for each saboteur: Bruno."),
    (
        SaboteursPaid(3, (1, 1, 0), (1, 2, 0)),
        (
            "3 nuggets for each saboteur: you and Bruno. The gold ran out: you get 1 in IOUs. "
            "The gold ran out: Bruno gets 2 in IOUs."
        ),
    ),
]


SILENT = (
    *(HandDealt(ANA, (Card.NES,)), Drew(BRUNO), TurnBegan(ANA), GameEnded(((3,), (), ()))),
    *(ChoiceBegan(BRUNO), GoldShown(ANA, (3, 1))),
)


@pytest.mark.parametrize("event", SILENT)
def test_what_is_in_sight_needs_no_sentence(event: Event) -> None:
    assert event_sentence(event, CAST) == ""


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=[text for _, text in SENTENCES])
def test_an_event_is_told(event: Event, sentence: str) -> None:
    assert event_sentence(event, CAST) == sentence


def test_a_card_of_ones_own_has_its_code_only_where_moves_are_typed() -> None:
    spelt = replace(CAST, spelt=True)
    assert (
        event_sentence(Dealt(ANA, Card.DEAD_NS), spelt) == "You drew: ns (dead end north, south)."
    )
    discarded = DiscardedCard(ANA, Card.ROCKFALL)
    assert event_sentence(discarded, spelt) == "You passed and discarded face down: R (rockfall)."


def test_every_event_is_told_here() -> None:
    told = {type(event) for event, _sentence in SENTENCES}
    assert told | set(map(type, SILENT)) == set(get_args(Event))


@pytest.mark.rule("R4")
def test_the_end_of_a_round_tells_who_everybody_was() -> None:
    assert unveil_lines(END, CAST) == ["Saboteurs: Bruno.", "Miners: you and Chiara."]


@pytest.mark.rule("D6")
def test_a_round_without_a_saboteur_says_so() -> None:
    end = RoundEnded(Role.SABOTEUR, (Role.MINER,) * 3, Role.SABOTEUR, END.goals)
    assert unveil_lines(end, CAST)[0] == "Saboteurs: none."
    assert event_sentence(end, CAST) == "The treasure stays hidden: nobody wins the round."


def test_a_watcher_is_nobody_at_the_table() -> None:
    names = PlayerNames.of(CAST.names, None)
    assert event_sentence(Broke(BRUNO, Tool.LANTERN, ANA), names) == "Bruno broke Ana's lantern."


def test_a_shared_win_is_told_from_the_readers_side() -> None:
    names = PlayerNames.of(("Ana", "Bruno", "Chiara"), 0)
    assert winners([0, 1], names) == "You share the win with Bruno."
    assert winners([1, 2], names) == "Bruno and Chiara share the win."
    assert winners([0], names) == "You win the game!"


STRAIGHT, DEAD = Path.read("EW"), Path.read("ew")
BEGAN = RoundBegan(1, ANA, (6, 6, 6), 40)


def after(*events: Event, seat: int | None = ANA) -> View:
    """The round of three after these events, Bruno's pick and lantern being broken."""
    view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- NES/NW,3,2 9 m??+?", ANA)
    if seat is None:
        view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- 2,3,2 9 ???+?", None)
    return view._replace(history=(BEGAN, *events))


def test_what_a_player_laid_is_counted_and_all_else_is_told() -> None:
    view = after(
        Laid(BRUNO, STRAIGHT, (1, 0)),
        Laid(BRUNO, DEAD, (2, 0)),
        Laid(CHIARA, STRAIGHT, (3, 0)),
        Broke(BRUNO, Tool.PICK, ANA),
        Repaired(BRUNO, Card.REPAIR_CART, BRUNO, Tool.CART),
        Collapsed(BRUNO, (2, 0), DEAD),
        Looked(BRUNO, (8, -2)),
        Passed(BRUNO),
        Passed(BRUNO),
    )
    said = SILENCE.after([Statement(BRUNO, GoldAt((8, 0)), 9), Statement(ANA, Bluff(BRUNO), 9)])
    assert action_lines(BRUNO, view, said, CAST) == [
        "1 tunnel, 1 dead end and 2 passes.",
        "Bruno broke your pick.",
        "Bruno repaired their own cart.",
        "Bruno brought down a dead end at 2 east.",
        "Bruno looked at the north goal.",
        "“middle goal is gold”",
    ]


def test_what_keeps_from_digging_is_told() -> None:
    assert no_paths((Tool.LANTERN, Tool.CART)) == "Your lantern and cart are broken: no digging."
    assert no_paths((Tool.LANTERN,)) == "Your lantern is broken: no digging."


def test_what_has_happened_since_ones_last_turn_begins_after_it() -> None:
    first, mine, last = (Laid(seat, STRAIGHT, (1 + seat, 0)) for seat in (CHIARA, ANA, BRUNO))
    assert since_turn(after(first), ()) == (first,), "with the round, before one's first turn"
    assert since_turn(after(first, mine, Drew(ANA), last), ()) == (Drew(ANA), last)
    passed = (Passed(ANA), DiscardedCard(ANA, Card.MAP), last)
    assert since_turn(after(first, *passed), ()) == (last,), "a secret is not for onlookers"
    watched = [Passed(seat) for seat in (ANA, BRUNO, CHIARA, ANA)]
    assert since_turn(after(*watched, seat=None), ()) == tuple(watched[1:])
