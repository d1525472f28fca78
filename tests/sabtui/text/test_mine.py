"""The mine in words, and what is said of places and moves."""

from __future__ import annotations

import pytest

from engine.actions import Collapsed
from engine.cards import Path
from engine.edition import FRANCE
from engine.events import Laid, Passed
from engine.notation import parse_move, parse_position
from sabtui.text.cards import around_words, history_words, mine_words
from sabtui.text.moves import would
from tests.sabtui.cases import CAST, DIG, view_of


def test_goals_come_first_then_where_tunnels_end_then_what_lies_there() -> None:
    assert mine_words(DIG) == [
        (
            "Goals: north goal (8n2) unknown, middle goal (8) stone on your map, "
            "south goal (8s2) unknown."
        ),
        (
            "Tunnels open onto: 3 from west; 2n1 from south; 0n1 from south; 0s1 from north; "
            "-1 from east."
        ),
        "Connected tunnels: 1 EW, 2 NEW.",
    ]


def test_dead_ends_and_what_is_cut_off_are_told_apart() -> None:
    view = view_of("EW@1/new@2/NESW@4/nw@5 NW/(NESW)/? 1 -,-,- NEW/R,3,2 9 m??+?")
    assert mine_words(view)[2:] == [
        "Connected tunnels: 1 EW.",
        "Dead ends: 2 new.",
        "Cut off: 4 NESW, 5 nw.",
    ]


def test_one_can_go_from_cell_to_cell() -> None:
    assert around_words((1, 0), DIG) == [
        "At 1: straight east, west.",
        "north, 1n1: empty.",
        "east, 2: T-junction north, east, west.",
        "south, 1s1: empty.",
        "west, 0: the start, crossing north, east, south, west.",
    ]
    view = view_of("EW@7 NW/(NESW)/? 1 -,-,- NEW/R,3,2 9 m??+?")
    lines = around_words((8, -1), view)
    assert lines[1] == "north, 8n2: stone, bend north, west."
    assert lines[3] == "south, 8: middle goal, face down, the treasure on your map."
    assert around_words((7, 0), view)[0] == "At 7: straight east, west, cut off."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NES@2n1", "from south to north and east"),
        ("-L>3", "Chiara's lantern"),
        ("-L>1", "your lantern"),
        ("-L>2", "Bruno's lantern; already broken: Bruno's pick and Bruno's lantern"),
        ("+LC>2:L", "Bruno's lantern"),
        ("R@2", "T-junction north, east, west"),
        ("M@8", "stone on your map"),
        ("xM", "map"),
        ("$2", "2 nuggets"),
    ],
)
def test_a_move_is_told_by_what_its_notation_does_not_say(text: str, words: str) -> None:
    assert would(parse_move(text), DIG, CAST) == words


def test_a_card_that_turns_up_a_goal_says_so() -> None:
    row = "NESW@1/NESW@2/NESW@3/NEW@4/NEW@5/EW@6"
    view = view_of(f"{row} ?/?/? 1 -,-,- EW/ew/NW,3,2 9 m??+?")
    assert would(parse_move("EW@7"), view, CAST) == "from west to east (the middle goal!)"
    assert would(parse_move("ew@7"), view, CAST) == "closes the way from west"
    joined = view_of("NESW@1/EW@2n1/SW@3n1/NS@0n1/ES@0n2 ?/?/? 1 -,-,- NW/EW,3,2 9 m??+?")
    assert would(parse_move("SW@1n1"), joined, CAST) == "joins south and west"


@pytest.mark.rule("E-link")
def test_a_card_that_is_only_adjacent_is_told_to_join_nothing() -> None:
    view = parse_position("EW@1 ?/?/? 1 -,-,- NE,3,2 9 m??+?", FRANCE).view(0)
    move = parse_move("NE@1n1")
    assert move in view.legal_moves()
    assert would(move, view, CAST) == "joins nothing, open to north and east"


def test_a_card_is_told_with_who_laid_it_last() -> None:
    path = Path.read("EW")
    view = DIG._replace(history=(Laid(1, path, (1, 0)), Passed(2), Laid(0, path, (2, 0))))
    assert history_words((1, 0), view, CAST) == [f"Laid by {CAST.names[1]}."]
    assert history_words((2, 0), view, CAST) == ["Laid by you."]
    again = view._replace(history=(*view.history, Laid(2, path, (2, 0))))
    assert history_words((2, 0), again, CAST) == [f"Laid by {CAST.names[2]}."]
    gone = DIG._replace(history=(Laid(1, path, (5, 5)), Collapsed(2, (5, 5), path)))
    for cell in ((0, 0), (5, 5), (7, 7), (8, 0)):
        assert history_words(cell, gone, CAST) == []
