"""Who may speak about what has happened or been said, and which claim they then make."""

from dataclasses import astuple
from typing import get_args

import pytest

from engine.actions import ActionEvent
from engine.bots.claims import MIN_HARMS
from engine.bots.occasions import (
    Blamed,
    Contradicted,
    Harmed,
    Helped,
    Hindered,
    MapUsed,
    Occasion,
    Redeemed,
    choose_claim,
    list_occasions,
)
from engine.bots.talk import SILENCE
from engine.bots.temper import USUAL_TEMPER
from engine.notation.record import format_claim
from tests.engine.cases import read_events, read_talk, view_at


def list_spelt(cause: str, said: str = "", harms: str = "", bots: str = "12345") -> str:
    """Spell the occasions that an event, or the last claim of a talk, brings at a table of five.

    `harms` and `bots` are seats. `3 Helped 1` is the occasion of seat 3 that seat 1 helped it.
    """
    talk = read_talk(said)
    event = read_events(cause)[0] if cause else talk.said[-1]
    found = list_occasions(
        event, talk, [int(seat) - 1 for seat in harms], [int(seat) - 1 for seat in bots]
    )
    return "; ".join(
        " ".join(map(str, (seat + 1, type(has).__name__, *(part + 1 for part in astuple(has)))))
        for seat, has in found
    )


AFTER_EVENTS = [
    ("Looked 2 8n2", "", "2 MapUsed 1"),
    ("Broke 1 P 2", "", "2 Hindered"),
    ("Repaired 1 +P 2 P", "", "2 Helped 1"),
    ("Repaired 1 +P 2 P", "3 saboteur 1; 2 saboteur 1", "2 Helped 1; 3 Redeemed 1"),
    ("Repaired 1 +P 2 P", "3 bluff 1; 4 miner 1; 5 saboteur 2", "2 Helped 1; 3 Redeemed 1"),
    ("Repaired 1 +P 1 P", "3 saboteur 1", ""),
    ("Collapsed 2 1 EW", "1 gold 8", ""),
    ("Revealed 8 NE", "1 gold 8; 2 stone 8; 5 gold 8", "2 Contradicted 1; 1 Contradicted 5"),
    ("Revealed 8 NESW", "1 gold 8; 2 stone 8", "3 Contradicted 2"),
    ("Passed 2", "1 gold 8", ""),
]


@pytest.mark.parametrize(("event", "said", "found"), AFTER_EVENTS)
def test_whom_an_event_concerns_or_who_sees_it_prove_a_lie_may_speak(
    event: str, said: str, found: str
) -> None:
    assert list_spelt(event, said) == found


def test_the_event_of_every_action_card_is_among_them() -> None:
    met = {type(read_events(event)[0]) for event, _said, _found in AFTER_EVENTS}
    assert met >= set(get_args(ActionEvent))


def test_a_lie_of_the_only_bot_is_left_for_the_players_to_name() -> None:
    assert list_spelt("Revealed 8 NE", "1 gold 8; 2 gold 8", bots="2") == "2 Contradicted 1"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("2 saboteur 1", "1 Blamed 2"),
        ("2 bluff 1", "1 Blamed 2"),
        ("1 saboteur 1", ""),
        ("2 miner 1", ""),
        ("2 help L", ""),
        ("1 gold 8; 2 stone 8", "1 Contradicted 2; 2 Contradicted 1"),
        ("1 gold 8n2; 2 gold 8", "1 Contradicted 2; 2 Contradicted 1"),
        ("1 gold 8; 2 stone 8n2", ""),
        ("1 gold 8; 1 stone 8", ""),
    ],
)
def test_somebody_who_is_blamed_or_contradicted_may_answer_and_both_sides_of_a_contradiction(
    said: str, found: str
) -> None:
    assert list_spelt("", said) == found


@pytest.mark.parametrize(
    ("event", "harms", "bots", "found"),
    [
        ("Laid 2 e 1", "2", "12345", ""),
        ("Laid 2 e 1", "22", "12345", "3 Harmed 2"),
        ("Laid 2 e 1", "21332", "12345", "3 Harmed 2"),
        ("Laid 2 e 1", "22", "12", "1 Harmed 2"),
        ("Laid 2 e 1", "22", "2", ""),
        ("Laid 2 EW 1", "22", "12345", ""),
        ("Collapsed 2 3 EW", "22", "15", "5 Harmed 2"),
        ("Broke 2 P 3", "22", "12345", "3 Hindered; 4 Harmed 2"),
        ("Broke 2 P 3", "22", "23", "3 Hindered"),
    ],
)
def test_the_next_bot_but_the_victim_may_speak_about_a_second_harm(
    event: str, harms: str, bots: str, found: str
) -> None:
    assert MIN_HARMS == 2
    assert list_spelt(event, "", harms, bots) == found


def test_nobody_else_speaks_about_harm_if_the_next_bot_has_accused_its_doer() -> None:
    assert list_spelt("Laid 2 e 1", "3 saboteur 2", "22") == ""
    assert list_spelt("Laid 2 e 1", "3 bluff 2", "22") == ""
    assert list_spelt("Laid 2 e 1", "3 saboteur 2; 3 miner 2", "22") == "3 Harmed 2"
    assert list_spelt("Laid 2 e 1", "4 saboteur 2", "22") == "3 Harmed 2"


HARM = "Broke 2 P 3; Laid 2 e 1; Broke 2 C 3"
MENDED = "Repaired 2 +C 1 C; Repaired 2 +C 1 C"


@pytest.mark.parametrize(
    ("occasion", "events", "said", "claim"),
    [
        (MapUsed(1), "", "", "gold 8"),
        (Contradicted(1), "", "2 stone 8", "bluff 2"),
        (Blamed(2), HARM, "", "saboteur 2"),
        (Hindered(), "Broke 2 L 1", "", "help L"),
        (Harmed(1), HARM, "", "saboteur 2"),
        (Helped(1), MENDED, "", "miner 2"),
        (Redeemed(1), MENDED, "1 saboteur 2", "miner 2"),
    ],
)
def test_each_occasion_has_its_claim_which_is_made_once(
    occasion: Occasion, events: str, said: str, claim: str
) -> None:
    view = view_at("- ?/(NESW)/? 1 L,-,-,-,- NE,1,1,1,1 9 m????+?", events)
    talk = read_talk(said)
    made = choose_claim(view, occasion, talk)
    assert made is not None
    assert format_claim(made) == claim
    again = choose_claim(view, occasion, read_talk(f"{said}; 1 {claim}".removeprefix("; ")))
    assert again is None or isinstance(occasion, Blamed), "who is blamed again denies"
    silent = USUAL_TEMPER._replace(words=0)
    is_answer = isinstance(occasion, MapUsed | Contradicted | Blamed)
    assert (choose_claim(view, occasion, talk, silent) is not None) == is_answer


def test_a_bot_that_has_nothing_to_say_is_silent() -> None:
    view = view_at("- ?/?/? 1 L,-,-,-,- +L,1,1,1,1 9 m????+?", "Broke 2 L 1")
    assert choose_claim(view, Hindered(), SILENCE) is None
