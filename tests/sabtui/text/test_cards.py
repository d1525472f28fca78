"""Cards, the mine and moves in words."""

from __future__ import annotations

import re
from functools import partial

import pytest

from engine.actions import Collapsed, Rockfall
from engine.cards import CARDS, Card, Path
from engine.dealing import deal
from engine.edition import FRANCE
from engine.events import Laid, Passed
from engine.game import Game
from engine.moves import Discard
from engine.notation import parse_move, parse_position
from sabtui.text.cards import a_path, around_words, card_words, history_words, mine_words, name_card
from sabtui.text.i18n import load_locale
from sabtui.text.moves import done_words, would
from sabtui.text.summary import UnseenCards, own_lines
from tests.sabtui.cases import CAST, DIG, view_of
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.tour import speak

ARTICLES = {
    "en": r"a ",
    "es_AR": r"una? ",
    "fr": r"une? ",
    "it": r"(un |una |uno |un')",
    "pt_BR": r"uma? ",
}


@pytest.mark.parametrize("language", FINISHED)
def test_a_path_card_has_its_article_in_a_sentence(language: str) -> None:
    with speak(load_locale(language)):
        for card in Card:
            for path in card.ways:
                assert re.match(ARTICLES[language], a_path(path)), a_path(path)


def test_who_watches_is_told_of_no_gold_and_no_role() -> None:
    assert own_lines(DIG._replace(seat=None, role=None)) == own_lines(DIG)[2:]


def test_cards_that_one_discarded_are_told_by_name() -> None:
    view = DIG._replace(
        buried=(Card.NES, next(card for card in Card if card.text == "ns"), Card.MAP)
    )
    assert own_lines(view)[2] == "You discarded face down: T-junction, dead end, map."


def test_what_a_move_does_begins_with_a_small_letter() -> None:
    beside = next(cell for cell, path in DIG.table.board.cards.items() if cell != (0, 0))
    assert done_words(Rockfall(beside), DIG, CAST).startswith("bring down ")
    assert done_words(Discard(Card.NES), DIG, CAST) == "pass and discard it."


def test_no_two_cards_have_the_same_words() -> None:
    for find_words in (card_words, partial(name_card, spelt=False)):
        assert len({find_words(card) for card in CARDS}) == len(CARDS)


def test_every_card_not_seen_yet_is_in_a_row_of_their_list() -> None:
    game, _events = Game.begin(deal(bytes(32), number=1, players=3))
    unseen = UnseenCards.of(game.view(0))
    by_tool = (*unseen.breaks.values(), *unseen.repairs.values())
    others = (unseen.doubles, *unseen.others.values())
    assert sum((*unseen.paths.values(), *by_tool, *others)) == unseen.total


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
