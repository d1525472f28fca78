"""For each reason a sentence, which names its cause."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from engine.moves import Reason
from engine.notation import parse_move
from engine.state import Score
from engine.view import View
from sabtui.text.reasons import why_not
from tests.sabtui.cases import CAST, DIG, view_of

BROKEN = view_of("EW@1 ?/?/? 1 PC,-,- NS/NE,3,2 9 m??+?")
LONE = view_of("EW@1/NS@3n1 NW/?/? 1 -,-,- EW/M/R,3,2 9 m??+?")
LATER = view_of("EW@1 ?/?/? 2 -,-,- EW,3,2 9 m??+?")
DEALT_LATER = DIG._replace(table=DIG.table._replace(turn=None))
GOLD = DIG._replace(score=replace(DIG.score, chooser=1))
MY_GOLD = DIG._replace(score=replace(DIG.score, chooser=0), offer=(3, 1))
OVER = DEALT_LATER._replace(score=replace(Score.bare(1, 3), gold=((), (), ())))
WATCHED = view_of("EW@1 ?/?/? 2 -,-,- 1,3,2 9 ???+?", None)

TYPING = replace(CAST, spelt=True)
"""The players for those who type moves, and are answered in notation."""

SENTENCES = [
    (WATCHED, "EW@2", "Watchers cannot do that: sit down first, if a seat is free."),
    (DEALT_LATER, "EW@2", "The next round has not been dealt yet."),
    (OVER, "EW@2", "The game is over."),
    (LATER, "EW@2", "It is Bruno's turn."),
    (GOLD, "xM", "Bruno is choosing a gold card."),
    (MY_GOLD, "xM", "Choose a gold card."),
    (MY_GOLD, "$2", "That is not on the list: choose from it."),
    (DIG, "x+P", "You do not hold +P (pick repair)."),
    (DIG, "nes@3", "You do not hold nes (dead end north, east, south)."),
    (BROKEN, "NS@2", "Your pick and cart are broken: no digging."),
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


@pytest.mark.parametrize(
    ("view", "text", "sentence"), SENTENCES, ids=[case[2] for case in SENTENCES]
)
def test_a_refusal_names_its_cause(view: View, text: str, sentence: str) -> None:
    move = parse_move(text)
    reason = view.why_not(move)
    assert reason is not None
    assert why_not(reason, move, view, TYPING) == sentence


def test_every_reason_has_a_sentence_here() -> None:
    met = {type(view.why_not(parse_move(text))) for view, text, _sentence in SENTENCES}
    assert met == set(get_args(Reason))


@pytest.mark.rule("P1", "P2")
def test_a_clash_says_which_side_meets_what_and_whether_turning_helps() -> None:
    view = view_of("NEW@1/EW@2 ?/?/? 1 -,-,- NW/NS/NE,3,2 9 m??+?")
    met = {text: _reason_text(view, text) for text in ("NS@1n1", "NE@3", "NS@3", "NW@1n1")}
    assert met == {
        "NS@1n1": "",
        "NE@3": "NE@3: the west side would wall off an open tunnel. Turned around, it fits: SW@3.",
        "NS@3": "NS@3: the west side would wall off an open tunnel.",
        "NW@1n1": "NW@1n1: the south side would wall off an open tunnel. Turned "
        "around, it fits: ES@1n1.",
    }
    assert _reason_text(view, "NW@2n1") == "No tunnel from the start opens onto 2n1."
    assert "the south side would meet rock" in _reason_text(view, "NS@2n1")


def _reason_text(view: View, text: str) -> str:
    """Why not, nothing where nothing forbids it."""
    move = parse_move(text)
    reason = view.why_not(move)
    return why_not(reason, move, view, TYPING) if reason else ""


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
def test_who_sees_the_mine_is_refused_without_codes(view: View, text: str, sentence: str) -> None:
    move = parse_move(text)
    reason = view.why_not(move)
    assert reason is not None
    assert why_not(reason, move, view, CAST) == sentence
