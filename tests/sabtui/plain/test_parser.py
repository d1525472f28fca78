"""What a typed line does: commands, numbers, cards, moves, and whatever else gets typed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack, structs

from engine.events import Passed
from engine.notation import format_move, parse_move
from net.client.session import Session, Update
from net.protocol.framing import decode
from net.protocol.lobby import Settings, Stage
from net.protocol.messages import ClientCommand
from net.protocol.requests import Chat, OwnRequest, PlayAgain, SetReady
from sabtui.club.lines import _Hall
from sabtui.club.visit import ClubVisit
from sabtui.plain.commands import how_cards_are_played
from sabtui.plain.console import Console
from sabtui.text.layout import cut_off_sentence, wrap_lines
from sabtui.text.summary import cells_sentence
from tests.sabtui.cases import DIG, view_of
from tests.sabtui.club.pictures import in_hall
from tests.sabtui.plain_sessions import SMALL, WIDE, Place, at, move, now_at, playing, type_lines
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby, sits

HERE = playing(DIG)
WAITING = playing(view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?"))
OVER = DIG._replace(
    score=replace(DIG.score, gold=((), (), ())), table=DIG.table._replace(turn=None)
)
DEALT = DIG._replace(table=DIG.table._replace(turn=None))


IN_LOBBY = at(now_at(lobby()))


def gold(offer: tuple[int, ...] = (3, 3, 1)) -> Place:
    """Ana is to choose gold."""
    score = replace(DIG.score, chooser=0, offer=len(offer))
    return playing(DIG._replace(score=score, offer=offer))


def test_the_hand_is_a_numbered_list_that_tells_what_each_card_can_do() -> None:
    assert HERE.where() == [
        "It is your turn. 9 cards in the draw pile.",
        " 1 NW   bend north, west: 5 places",
        " 2 NES  T-junction north, east, south: 8 places",
        " 3 ns   dead end north, south: 3 places",
        " 4 -L   broken lantern: 2 targets",
        " 5 +LC  lantern repair / cart repair: 1 target",
        " 6 R    rockfall: 2 targets",
        " 7 M    map: 3 targets",
    ]


def test_a_number_chooses_a_card_and_the_next_a_place() -> None:
    reaction = type_lines(HERE, "7")
    assert reaction.lines == (
        "M (map).",
        " 1 M@8n2 unknown",
        " 2 M@8   stone on your map",
        " 3 M@8s2 unknown",
        "x discards it, b goes back.",
    )
    assert reaction.place.prompt() == "Your turn, M 1-3"
    assert move(type_lines(reaction.place, "3")) == "M@8s2"
    assert move(type_lines(HERE, "7 3")) == "M@8s2"
    assert move(type_lines(HERE, "7.3")) == "M@8s2"


def test_a_cards_name_chooses_it_either_way_up() -> None:
    assert type_lines(HERE, "NW").place.prompt() == "Your turn, NW 1-5"
    assert type_lines(HERE, "ES").place.prompt() == "Your turn, NW 1-5"
    assert type_lines(HERE, "M").place.prompt() == "Your turn, M 1-3"
    assert type_lines(HERE, "EW").lines == ("You do not hold EW (straight east, west).",)


@pytest.mark.parametrize("text", ["NSW@3", "-L>3", "+LC>2:L", "R@2", "M@8n2", "xns", "x+LC"])
def test_a_move_in_notation_is_always_taken(text: str) -> None:
    assert move(type_lines(HERE, text)) == text
    assert move(type_lines(HERE, "1", f"  {text} ")) == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["x3"], "xns"),
        (["x 3"], "xns"),
        (["x ns"], "xns"),
        (["3", "x"], "xns"),
        (["3 x"], "xns"),
        (["x7"], "xM"),
    ],
)
def test_a_discard_is_said_in_many_ways(lines: list[str], text: str) -> None:
    assert move(type_lines(HERE, *lines)) == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["9"], "card needs a number from 1 to 7."),
        (["0"], "card needs a number from 1 to 7."),
        (["7 4"], "M needs a number from 1 to 3."),
        (["7", "4"], "M needs a number from 1 to 3."),
        (["x"], "x needs a number from 1 to 7."),
        (["x9"], "x needs a number from 1 to 7."),
        (["hello"], "I do not understand hello. Type ? for help."),
        (["NES@3k1"], "I do not understand NES@3k1. Type ? for help."),
        (["-L"], "-L (broken lantern)."),
        (["-L>"], "I do not understand -L>. Type ? for help."),
        (["+LC>2"], "I do not understand +LC>2. Type ? for help."),
        (["x?"], "I do not understand x?. Type ? for help."),
        (["$2"], "That is not on the list: choose from it."),
        (["NES@1n1"], "NES@1n1: the south side would meet rock."),
        (["mine 3x"], cells_sentence()),
    ],
)
def test_what_cannot_be_done_changes_nothing(lines: list[str], text: str) -> None:
    answer = type_lines(playing(DIG, size=WIDE), *lines)
    assert answer.is_told_only
    assert answer.lines[0] == text


UNKNOWN = "I do not understand hello. Type ? for help."
WATCHING = playing(view_of("EW@1 ?/?/? 2 -,-,- 2,3,2 9 ???+?", None), EVA)
NO_HINTS = at(now_at(structs.replace(HERE.lobby, settings=Settings(hints=False)), DIG))
NOT_SEATED = "Watchers cannot do that: sit down first, if a seat is free."
NOT_MINE = "It is Bruno's turn."


@pytest.mark.parametrize(
    ("place", "lines", "told"),
    [
        (HERE, ["hello"], [UNKNOWN, "card needs a number from 1 to 7."]),
        (HERE, ["7", "hello"], [UNKNOWN, "M needs a number from 1 to 3."]),
        (HERE, ["-L>"], ["I do not understand -L>. Type ? for help.", how_cards_are_played()]),
        *((WAITING, [line], [NOT_MINE]) for line in ("1", "M", "", "M@8", "hint")),
        (WAITING, ["hand"], [" 1 EW   straight east, west", " 2 M    map"]),
        (WATCHING, ["hand"], ["You are watching."]),
        (WATCHING, ["M@8"], [NOT_SEATED]),
        (WATCHING, ["1"], [NOT_MINE]),
        (NO_HINTS, ["hint"], ["Hints: none."]),
        # A host may tell what cannot have happened.
        (playing(DIG._replace(history=(Passed(9),))), ["i"], ["No hint for this position."]),
    ],
)
def test_a_place_allows_some_answers(place: Place, lines: list[str], told: list[str]) -> None:
    answer = type_lines(place, *lines)
    assert answer.is_told_only
    assert [*answer.lines] == told


def test_a_card_that_can_do_nothing_says_so() -> None:
    view = view_of("EW@1 ?/?/? 1 L,-,- NES/+P,3,2 9 m??+?")
    broken = playing(view)
    assert broken.where() == [
        "It is your turn. 9 cards in the draw pile. Your lantern is broken: no digging.",
        " 1 NES  T-junction north, east, south: not with a broken tool",
        " 2 +P   pick repair: 0 targets",
    ]
    assert type_lines(broken, "2").lines == ("+P (pick repair) can only be discarded now: x2.",)
    assert type_lines(broken, "2 1").lines == ("+P (pick repair) can only be discarded now: x2.",)


def test_gold_is_chosen_by_its_nuggets() -> None:
    assert gold().where() == ["Choose a gold card.", "3 nuggets, 2 cards", "1 nugget, 1 card"]
    assert gold().prompt() == "Your gold, 3/1"
    assert move(type_lines(gold(), "3")) == "$3"
    assert move(type_lines(gold(), "$1")) == "$1"
    assert type_lines(gold(), "2").lines == ("That is not on the list: choose from it.",)


def test_leaving_asks_a_host_and_anything_but_yes_stays() -> None:
    guest = playing(DIG._replace(seat=1), BRUNO)
    assert type_lines(guest, "q").leaves
    assert type_lines(HERE, "q").place.prompt() == "yes or no"
    assert type_lines(HERE, "q", "yes").leaves
    for line in ("no", "", "1", "?"):
        reaction = type_lines(HERE, "q", line)
        assert reaction.is_told_only
        assert reaction.lines == ("Nothing has changed.",)
        assert reaction.place.prompt() == HERE.prompt()


def test_who_quits_is_told_how_to_come_back() -> None:
    guest = playing(DIG._replace(seat=1), BRUNO, size=WIDE)
    kept = replace(guest, back="To come back: sabtui join.")
    assert type_lines(kept, "q").lines == ("To come back: sabtui join.",)
    watcher = playing(DIG._replace(seat=None), EVA, size=WIDE)
    assert type_lines(replace(watcher, back="To come back: sabtui join."), "q").lines == (
        "You can come back: sabtui join.",
    )


def test_once_over_one_may_leave_begin_anew_or_watch_again() -> None:
    host = playing(OVER, record="...")
    assert type_lines(host, "").lines == (
        "replay: watch a finished game again; again: play another",
        "   game; quit: leave for now.",
    )
    assert type_lines(host, "q").leaves
    assert type_lines(host, "again").requests == (PlayAgain(),)
    assert type_lines(host, "M@8").lines == ("The game is over.",)
    guest = playing(OVER, BRUNO, record="...")
    assert type_lines(guest, "").lines == (
        "replay: watch a finished game again; quit: leave for now.",
    )
    assert type_lines(guest, "again").lines[0].startswith("Only the host of the table can do that")


def test_before_a_deal_an_empty_line_says_that_one_is_ready() -> None:
    view = DEALT._replace(seat=1)
    for ready in (True, False):
        chairs = sits(ANA), sits(BRUNO, ready=ready), sits(DEDE, ready=False)
        table = lobby(*chairs, stage=Stage.PLAYING)
        answer = type_lines(at(now_at(table, view, BRUNO)), "")
        if ready:
            assert answer.lines == ("Waiting for Dede to be ready.",)
        else:
            assert answer.requests == (SetReady(ready=True),)


def test_sides_of_a_card_may_be_typed_in_any_order() -> None:
    for line, usual in (("SEN@-1", "NES@-1"), ("xSEN", "xNES")):
        assert move(type_lines(HERE, line)) == usual
    assert type_lines(HERE, "SEN").lines == type_lines(HERE, "NES").lines
    for twice in ("NEE@3n1", "SeN@3n1"):
        assert type_lines(HERE, twice).is_told_only


def test_a_page_or_claim_that_is_not_there_is_named() -> None:
    assert type_lines(HERE, "rules zzz").lines[0].startswith("Type rules 1.")
    assert type_lines(HERE, "rules").lines[0].startswith("Type rules 1.")
    for word, topic in (("cards", "deck"), ("Cells", "notation")):
        assert type_lines(HERE, f"rules {word}").lines == type_lines(HERE, f"rules {topic}").lines
    assert type_lines(HERE, "c 99").lines == ("c needs a number from 1 to 16.",)
    listed = type_lines(HERE, "c").lines
    assert listed[1] == " 1 north goal is gold"
    assert len(listed) == 17, "one a line"


@cache
def everywhere() -> tuple[Place, ...]:
    """Return sessions at each place where a line may be typed."""
    asking, chosen = type_lines(HERE, "q").place, type_lines(HERE, "2").place
    return (HERE, WAITING, asking, chosen, gold(), playing(OVER), IN_LOBBY, Place())


@given(st.text(max_size=300))
def test_whatever_is_typed_the_answer_is_printable_lines(line: str) -> None:
    for plain_session in everywhere():
        reaction = type_lines(plain_session, line)
        assert all(text.isprintable() for text in reaction.lines)


def test_every_legal_move_stands_in_some_list() -> None:
    reached = set[str]()
    for number in range(1, 8):
        chosen = type_lines(HERE, str(number)).place
        last = int(re.findall(r"\d+", chosen.prompt())[-1])
        for place in range(1, last + 1):
            reached.add(move(type_lines(chosen, str(place))))
        reached.add(move(type_lines(HERE, f"x{number}")))
    assert reached == set(map(format_move, DIG.legal_moves()))


def test_a_hint_is_of_moves_that_the_view_allows() -> None:
    text = " ".join(" ".join(type_lines(HERE, "i").lines).split())
    moves = re.findall(r"Type (\S+)\.", text)
    assert 1 <= len(moves) <= 4
    view = HERE.status.view
    assert view is not None
    assert all(view.why_not(parse_move(text)) is None for text in moves)


LONG = "x" * 190


@pytest.mark.parametrize("line", ["x0010", "x 0019", "c 0099", "claim 00199", "who 0019"])
def test_zeros_before_a_number_do_not_make_it_another(line: str) -> None:
    reaction = type_lines(HERE, line)
    assert reaction.is_told_only
    assert reaction.lines


def test_zeros_before_a_number_do_not_count() -> None:
    for line in ("x2", "c 2", "who 2"):
        word, number = line[:-1], line[-1]
        assert type_lines(HERE, f"{word}000{number}") == type_lines(HERE, line)


@pytest.mark.parametrize("place", [HERE, IN_LOBBY], ids=["game", "lobby"])
@pytest.mark.parametrize("line", [f"t {LONG}", f'"{LONG}', f"t {'é' * 150}", f"t {'金' * 90}"])
def test_talk_that_is_too_long_is_cut_and_that_is_said(place: Place, line: str) -> None:
    reaction = type_lines(place, line)
    assert [*reaction.lines] == wrap_lines([cut_off_sentence()], SMALL.columns)
    (request,) = reaction.requests
    assert isinstance(request, Chat)
    assert request.text in line


@pytest.mark.parametrize("line", [f"t {LONG}", f"bot {LONG}", f"bot {'é' * 40} hard"])
def test_no_line_makes_a_message_that_the_table_would_not_read(line: str) -> None:
    reaction = type_lines(IN_LOBBY, line)
    assert reaction.requests
    for request in reaction.requests:
        assert not isinstance(request, OwnRequest)
        command = ClientCommand(1, request)
        assert decode(msgpack.encode(command), ClientCommand) == command


def test_talk_that_is_too_long_for_a_hall_is_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    asked: list[object] = []
    monkeypatch.setattr(Console, "say", lambda _console, lines: said.extend(lines))
    monkeypatch.setattr(Console, "prompt", lambda _console, _prompt: None)
    hall = _Hall(cast("ClubVisit", SimpleNamespace(find_way=lambda _update: "")), Console())
    hall._session = cast("Session", SimpleNamespace(request=asked.append))
    hall._take(Update(in_hall()))
    said.clear()
    hall._read(f"t {LONG}")
    assert said == [cut_off_sentence()]
    assert asked == [Chat(LONG[:160])]
