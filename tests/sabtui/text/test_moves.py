"""Cards, the mine, moves, hints, and why a move is illegal, in words."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import get_args

import pytest

from engine.actions import Break, Collapsed, Map, Repair, Rockfall
from engine.board import GOAL_CELLS
from engine.bots import hints
from engine.bots.talk import GoldAt, StoneAt
from engine.cards import CARDS, Card, Path, Role, Tool
from engine.dealing import deal
from engine.edition import FRANCE
from engine.events import Laid, Passed
from engine.game import Game
from engine.moves import Discard, KeepGold, Lay, Move, Reason
from engine.notation import parse_move, parse_position
from engine.view import View
from sabtui.text.cards import a_path, around_words, card_words, history_words, mine_words, name_card
from sabtui.text.i18n import load_locale
from sabtui.text.moves import believed_words, done_words, hint_words, move_effect
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import why_not
from sabtui.text.summary import UnseenCards, own_lines
from tests.sabtui.cases import BETWEEN, CAST, DIG, OVER, view_of
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


def test_somebody_who_watches_is_told_of_no_gold_and_no_role() -> None:
    assert own_lines(DIG._replace(seat=None, role=None)) == own_lines(DIG)[2:]


def test_cards_that_one_discarded_are_told_by_name() -> None:
    view = DIG._replace(
        buried=(Card.NES, next(card for card in Card if card.text == "ns"), Card.MAP)
    )
    assert own_lines(view)[2] == "You discarded face down: T-junction, dead end, map."


def test_what_a_move_does_begins_with_a_small_letter() -> None:
    beside = next(cell for cell, path in DIG.table.board.cards.items() if cell != (0, 0))
    assert done_words(Rockfall(beside), DIG, CAST).startswith("remove ")
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
            "Open ends at: 3 from west; 2n1 from south; 0n1 from south; 0s1 from north; "
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
    assert move_effect(parse_move(text), DIG, CAST) == words


def test_a_card_that_turns_up_a_goal_says_so() -> None:
    row = "NESW@1/NESW@2/NESW@3/NEW@4/NEW@5/EW@6"
    view = view_of(f"{row} ?/?/? 1 -,-,- EW/ew/NW,3,2 9 m??+?")
    assert move_effect(parse_move("EW@7"), view, CAST) == "from west to east (the middle goal!)"
    assert move_effect(parse_move("ew@7"), view, CAST) == "blocks the tunnel from west"
    joined = view_of("NESW@1/EW@2n1/SW@3n1/NS@0n1/ES@0n2 ?/?/? 1 -,-,- NW/EW,3,2 9 m??+?")
    assert move_effect(parse_move("SW@1n1"), joined, CAST) == "joins south and west"


@pytest.mark.rule("E-link")
def test_a_card_that_is_only_adjacent_is_told_to_join_nothing() -> None:
    view = parse_position("EW@1 ?/?/? 1 -,-,- NE,3,2 9 m??+?", FRANCE).view(0)
    move = parse_move("NE@1n1")
    assert move in view.legal_moves()
    assert move_effect(move, view, CAST) == "connects to nothing, opens to north and east"


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


# Hints.

TRIO = PlayerNames.of(("Ann", "{seat}", "Cleo"), 0)
WHY: list[tuple[hints.HintReason, str]] = [
    (hints.Reaches((8, -2)), "it reaches the north goal"),
    (hints.Nearer(1, 4), "1 card nearer to the gold, 4 more to go"),
    (hints.Nearer(2, 1), "2 cards nearer to the gold, 1 more to go"),
    (hints.OpensWay(), "it opens another way forward"),
    (hints.LeadsAway(), "it leads the miners away from the gold, but most other moves are worse"),
    (hints.Blocks((3, -1)), "it blocks the tunnel there, but most other moves are worse"),
    (hints.HarmsNobody((3, -1)), "a dead end is in nobody's way there"),
    (hints.Clears((3, -1)), "it removes the dead end there"),
    (hints.CutsOff((3, 1)), "it cuts the tunnel there"),
    (hints.FreesYou(), "they cannot dig while it is broken"),
    (hints.Frees(1, 0.9), "{seat} can dig again, and is most likely a miner"),
    (hints.Frees(2, 0.2), "Cleo can dig again, but may be a saboteur"),
    (hints.Stops(1, 0.7, is_highest=True), "it stops {seat}, the prime suspect"),
    (hints.Stops(2, 0.7, is_highest=False), "it stops Cleo"),
    (hints.Stops(2, 0.3, is_highest=True), "it stops Cleo"),
    (hints.FindsOut((8, 0), 0.5), "it shows whether the gold is there"),
    (hints.Sheds(Card.MAP), "your least useful card (map)"),
    (hints.Sheds(Card.NESW), "your least useful card (crossing)"),
    (hints.MostNuggets(), "no card on offer has more nuggets"),
]


TO_SABOTEURS: list[tuple[hints.HintReason, str]] = [
    (hints.LeadsAway(), "it leads the miners away from the gold"),
    (hints.Blocks((3, -1)), "it blocks the tunnel there"),
    (hints.Nearer(1, 4), "it makes you look like a miner"),
    (hints.OpensWay(), "it makes you look like a miner"),
    (hints.Stops(2, 0.3, is_highest=True), "it stops Cleo, most likely a miner"),
    (hints.Stops(2, 0.7, is_highest=True), "it stops Cleo"),
]


@pytest.mark.parametrize(
    ("role", "why", "sentence"),
    [
        *((Role.MINER, *row) for row in WHY),
        *((Role.SABOTEUR, *row) for row in TO_SABOTEURS),
    ],
)
def test_a_hint_says_the_move_and_the_reason(
    role: Role, why: hints.HintReason, sentence: str
) -> None:
    hint = hints.Hint(Discard(Card.MAP), why, None)
    assert hint_words(hint, role, TRIO) == f"Pass: {sentence}."


MOVES: list[tuple[Move, str, str]] = [
    (Lay(Path.read("NE"), (3, -1)), "NE@3n1", "Bend at 3 east, 1 north"),
    (Break(Tool.CART, 2), "-C>3", "Break Cleo's cart"),
    (Repair(Card.REPAIR_PICK, 0, Tool.PICK), "+P>1", "Repair your pick"),
    (Rockfall((2, 0)), "R@2", "Rockfall at 2 east"),
    (Map((8, 0)), "M@8", "Look at the middle goal in secret"),
    (Discard(Card.MAP), "xM", "Pass"),
    (KeepGold(2), "$2", "2 nuggets"),
]


@pytest.mark.parametrize(("move", "typed", "words"), MOVES)
def test_a_hints_move_is_in_words_and_spelt_where_typed(move: Move, typed: str, words: str) -> None:
    hint = hints.Hint(move, hints.MostNuggets(), None)
    told = hint_words(hint, Role.MINER, replace(TRIO, spelt=True))
    assert told.startswith(words[:4])
    assert told.endswith(f". Type {typed}.")
    assert " east" not in told, "where moves are typed, a place is as it is typed"
    assert hint_words(hint, Role.MINER, TRIO).startswith(f"{words}: ")


def test_every_kind_of_move_is_in_words_here() -> None:
    assert {type(move) for move, _typed, _words in MOVES} == set(get_args(Move))


def test_a_hint_says_whose_word_it_relies_on() -> None:
    south = GOAL_CELLS[2]
    assert believed_words(hints.Believed(2, StoneAt(south), was_right=False), TRIO) == (
        'Cleo says: "south goal is stone".'
    )
    assert believed_words(hints.Believed(1, GoldAt(south), was_right=True), TRIO) == (
        '{seat}, who was right before, says: "south goal is gold".'
    )


# Reasons against a move.

BROKEN = view_of("EW@1 ?/?/? 1 PC,-,- NS/NE,3,2 9 m??+?")
LONE = view_of("EW@1/NS@3n1 NW/?/? 1 -,-,- EW/M/R,3,2 9 m??+?")
LATER = view_of("EW@1 ?/?/? 2 -,-,- EW,3,2 9 m??+?")
GOLD = DIG._replace(score=replace(DIG.score, chooser=1))
MY_GOLD = DIG._replace(score=replace(DIG.score, chooser=0), offer=(3, 1))
WATCHED = view_of("EW@1 ?/?/? 2 -,-,- 1,3,2 9 ???+?", None)

TYPING = replace(CAST, spelt=True)
"""The players for those who type moves, and are answered in notation."""

SENTENCES = [
    (WATCHED, "EW@2", "Watchers cannot do that: sit down first, if a seat is free."),
    (BETWEEN, "EW@2", "The next round has not been dealt yet."),
    (OVER, "EW@2", "The game is over."),
    (LATER, "EW@2", "It is Bruno's turn."),
    (GOLD, "xM", "Bruno is choosing a gold card."),
    (MY_GOLD, "xM", "Choose a gold card."),
    (MY_GOLD, "$2", "That is not on the list. Choose from it."),
    (DIG, "x+P", "You do not hold +P (pick repair)."),
    (DIG, "nes@3", "You do not hold nes (dead end north, east, south)."),
    (BROKEN, "NS@2", "Your pick and cart are broken: you cannot dig."),
    (DIG, "NES@1", "1: a card lies there already."),
    (DIG, "NES@8n2", "8n2: a card lies there already."),
    (DIG, "NES@1n1", "NES@1n1: the south side would meet rock."),
    (DIG, "NES@7n7", "There is no path card next to 7n7."),
    (LONE, "EW@7n2", "No tunnel from the start opens onto 7n2."),
    (DIG, "-L>4", "Nobody sits there."),
    (DIG, "-L>2", "Already broken: Bruno's lantern."),
    (DIG, "+LC>1:L", "Not broken: your lantern."),
    (DIG, "+LC>2:P", "+LC repairs lantern and cart, not pick."),
    (DIG, "R@8", "A rockfall cannot remove the start or a goal."),
    (DIG, "R@5", "There is no path card at 5 to bring down."),
    (DIG, "M@7", "7 is not a goal: the goals are at 8n2, 8 and 8s2."),
    (LONE, "M@8n2", "The north goal (8n2) is already face up."),
]


def refusal(view: View, text: str, names: PlayerNames = TYPING) -> str:
    """Why a move is not legal, nothing where nothing forbids it."""
    move = parse_move(text)
    reason = view.why_not(move)
    return why_not(reason, move, view, names) if reason else ""


@pytest.mark.parametrize(
    ("view", "text", "sentence"), SENTENCES, ids=[case[2] for case in SENTENCES]
)
def test_a_refusal_names_its_cause(view: View, text: str, sentence: str) -> None:
    assert refusal(view, text) == sentence


def test_every_reason_has_a_sentence_here() -> None:
    met = {type(view.why_not(parse_move(text))) for view, text, _sentence in SENTENCES}
    assert met == set(get_args(Reason))


@pytest.mark.rule("P1", "P2")
def test_a_clash_says_which_side_meets_what_and_whether_turning_helps() -> None:
    view = view_of("NEW@1/EW@2 ?/?/? 1 -,-,- NW/NS/NE,3,2 9 m??+?")
    met = {text: refusal(view, text) for text in ("NS@1n1", "NE@3", "NS@3", "NW@1n1")}
    assert met == {
        "NS@1n1": "",
        "NE@3": "NE@3: the west side would wall off an open tunnel. Turned around, it fits: SW@3.",
        "NS@3": "NS@3: the west side would wall off an open tunnel.",
        "NW@1n1": "NW@1n1: the south side would wall off an open tunnel. Turned "
        "around, it fits: ES@1n1.",
    }
    assert refusal(view, "NW@2n1") == "No tunnel from the start opens onto 2n1."
    assert "the south side would meet rock" in refusal(view, "NS@2n1")


@pytest.mark.parametrize(
    ("view", "text", "sentence"),
    [
        (DIG, "NES@1", "A card lies there already."),
        (DIG, "NES@1n1", "The south side would meet rock."),
        (DIG, "NES@7n7", "There is no path card next to 7 east, 7 north."),
        (LONE, "EW@7n2", "No tunnel from the start opens onto 7 east, 2 north."),
        (DIG, "R@-5", "There is no path card at 5 west to bring down."),
    ],
)
def test_beside_the_mine_a_reason_has_no_codes(view: View, text: str, sentence: str) -> None:
    assert refusal(view, text, CAST) == sentence
