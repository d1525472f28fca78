"""What a typed line does: commands, questions, numbers, cards, moves, and whatever else."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack, structs

from engine.actions import Broke
from engine.cards import Path, Tool
from engine.events import Laid, Passed
from engine.notation import parse_move
from engine.view import View
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.chat import ChatLine, Moment
from net.protocol.framing import decode
from net.protocol.lobby import Presence, Settings, TableClaim, TablePhase, Topic
from net.protocol.messages import ClientCommand, DiskStatus
from net.protocol.requests import Chat, OwnRequest, PlayAgain, SetReady
from sabtui.app import RULES_TOPICS
from sabtui.plain.commands import COMMANDS, When, help_lines, how_cards_are_played
from sabtui.text.i18n import load_locale
from sabtui.text.layout import cut_off_sentence, wrap_lines
from sabtui.text.summary import cells_sentence
from tests.sabtui.cases import BETWEEN, DIG, OVER, view_of
from tests.sabtui.plain.test_languages import AT_A_TABLE, DRAWN, IN_A_GAME, RULED, places
from tests.sabtui.plain_sessions import SMALL, WIDE, Place, at, move, now_at, playing, type_lines
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby, sits
from tests.sabtui.tui.tour import speak

HERE = playing(DIG)
WAITING = playing(view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?"))


IN_LOBBY = at(now_at(lobby()))


OFFER = 3, 3, 1
GOLD = playing(DIG._replace(score=replace(DIG.score, chooser=0, offer=3), offer=OFFER))
"""Ana is to choose gold."""


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
    for line, prompt in (("NW", "NW 1-5"), ("ES", "NW 1-5"), ("M", "M 1-3"), ("7", "M 1-3")):
        assert type_lines(HERE, line).place.prompt() == f"Your turn, {prompt}"
    assert type_lines(HERE, "EW").lines == ("You do not hold EW (straight east, west).",)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        *(([line], line) for line in ("NSW@3", "-L>3", "+LC>2:L", "R@2", "M@8n2", "xns", "x+LC")),
        *((lines, "M@8s2") for lines in (["7", "3"], ["7 3"], ["7.3"], ["1", "  M@8s2 "])),
        *((lines, "xns") for lines in (["x3"], ["x 3"], ["x ns"], ["3", "x"], ["3 x"])),
        *((["x7"], "xM"), (["x0002"], "xNES")),
    ],
    ids=str,
)
def test_a_move_is_typed_in_many_ways(lines: list[str], text: str) -> None:
    assert move(type_lines(HERE, *lines)) == text


def test_gold_is_chosen_by_its_nuggets() -> None:
    assert GOLD.where() == ["Choose a gold card.", "3 nuggets, 2 cards", "1 nugget, 1 card"]
    assert GOLD.prompt() == "Your gold, 3/1"
    assert move(type_lines(GOLD, "3")) == "$3"
    assert move(type_lines(GOLD, "$1")) == "$1"
    assert type_lines(GOLD, "2").lines == ("That is not on the list. Choose from it.",)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["9"], "card needs a number from 1 to 7."),
        (["x0010"], "x needs a number from 1 to 7."),
        (["SEN@3n1"], "Unknown command: SEN@3n1. Type ? for help, or t SEN@3n1 to say it."),
        (["7 4"], "M needs a number from 1 to 3."),
        (["7", "4"], "M needs a number from 1 to 3."),
        (["x"], "x needs a number from 1 to 7."),
        (["hello"], "Unknown command: hello. Type ? for help, or t hello to say it."),
        (["-L"], "-L (broken lantern)."),
        (["+LC>2"], "Unknown command: +LC>2. Type ? for help, or t +LC>2 to say it."),
        (["x?"], "Unknown command: x?. Type ? for help, or t x? to say it."),
        (["$2"], "That is not on the list. Choose from it."),
        (["NES@1n1"], "NES@1n1: the south side would meet rock."),
        (["mine 3x"], cells_sentence()),
    ],
)
def test_what_cannot_be_done_changes_nothing(lines: list[str], text: str) -> None:
    answer = type_lines(playing(DIG, size=WIDE), *lines)
    assert answer.is_told_only
    assert answer.lines[0] == text


UNKNOWN = "Unknown command: hello. Type ? for help, or t hello to say it."
WATCHING = playing(view_of("EW@1 ?/?/? 2 -,-,- 2,3,2 9 ???+?", None), EVA)
NO_HINTS = at(now_at(structs.replace(HERE.lobby, settings=Settings(hints=False)), DIG))
NOT_SEATED = "Watchers cannot do that: sit down first, if a seat is free."
NOT_MINE = "It is Bruno's turn."


@pytest.mark.parametrize(
    ("place", "lines", "told"),
    [
        (HERE, ["hello"], [UNKNOWN, how_cards_are_played()]),
        *((WAITING, [line], [NOT_MINE]) for line in ("1", "M", "", "M@8", "hint")),
        (WAITING, ["hand"], [" 1 EW   straight east, west", " 2 M    map"]),
        (WATCHING, ["hand"], ["You are watching."]),
        (WATCHING, ["M@8"], [NOT_SEATED]),
        (WATCHING, ["1"], [NOT_MINE]),
        (NO_HINTS, ["hint"], ["Hints: off."]),
        # A host may tell what cannot have happened.
        (playing(DIG._replace(history=(Passed(9),))), ["i"], ["No hint for this position."]),
    ],
)
def test_a_place_allows_some_answers(place: Place, lines: list[str], told: list[str]) -> None:
    answer = type_lines(place, *lines)
    assert answer.is_told_only
    assert " ".join(" ".join(answer.lines).split()) == " ".join(" ".join(told).split())


def test_a_card_that_can_do_nothing_says_so() -> None:
    view = view_of("EW@1 ?/?/? 1 L,-,- NES/+P,3,2 9 m??+?")
    broken = playing(view)
    assert broken.where() == [
        "It is your turn. 9 cards in the draw pile. Your lantern is broken: you cannot dig.",
        " 1 NES  T-junction north, east, south: not with a broken tool",
        " 2 +P   pick repair: 0 targets",
    ]
    assert type_lines(broken, "2").lines == ("+P (pick repair) can only be discarded now: x2.",)
    assert type_lines(broken, "2 1").lines == ("+P (pick repair) can only be discarded now: x2.",)


def test_leaving_asks_a_host_and_anything_but_yes_stays() -> None:
    assert type_lines(HERE, "q").place.prompt() == "yes or no"
    assert type_lines(HERE, "q", "yes").leaves
    for line in ("no", "", "1", "?"):
        reaction = type_lines(HERE, "q", line)
        assert reaction.is_told_only
        assert reaction.lines == ("Nothing has changed.",)
        assert reaction.place.prompt() == HERE.prompt()
    back = "To come back: sabtui join."
    for seat, member, told in ((1, BRUNO, back), (None, EVA, "sabtui join brings you back.")):
        place = replace(playing(DIG._replace(seat=seat), member, size=WIDE), back=back)
        assert type_lines(place, "q").leaves
        assert type_lines(place, "q").lines == (told,)


def test_once_over_one_may_leave_begin_again_or_watch_again() -> None:
    host, guest = (playing(OVER, member, record="...", size=WIDE) for member in (ANA, BRUNO))
    again, leave = "again: play another game; ", "quit: leave for now."
    then = "Ana can start another game. You keep your seats. "
    for place, first, told in ((host, "", again), (guest, then, "")):
        offers = f"{first}replay: watch a finished game again; {told}{leave}"
        assert " ".join(" ".join(type_lines(place, "").lines).split()) == offers
    assert type_lines(host, "q").leaves
    assert type_lines(host, "again").requests == (PlayAgain(),)
    assert type_lines(host, "M@8").lines == ("The game is over.",)
    assert type_lines(guest, "again").lines[0].startswith("Only the host of the table can do that")


def test_before_a_deal_an_empty_line_says_that_one_is_ready() -> None:
    view = BETWEEN._replace(seat=1)
    for ready in (True, False):
        chairs = sits(ANA), sits(BRUNO, ready=ready), sits(DEDE, ready=False)
        answer = type_lines(at(now_at(lobby(*chairs, stage=TablePhase.PLAYING), view, BRUNO)), "")
        assert answer.lines == (("Waiting for Dede: nudge knocks.",) if ready else ())
        assert answer.requests == (() if ready else (SetReady(ready=True),))


def test_a_page_or_claim_that_is_not_there_is_named() -> None:
    for line in ("rules", "rules zzz", "rules 99"):
        assert type_lines(HERE, line).lines[0].startswith("Type rules 1.")
    assert type_lines(HERE, "c 99").lines == ("c needs a number from 1 to 16.",)
    for word in ("c ", "who "):
        assert type_lines(HERE, f"{word}0002") == type_lines(HERE, f"{word}2")
    listed = type_lines(HERE, "c").lines
    assert listed[1] == " 1 north goal is gold"
    assert len(listed) == 17, "one a line"


@cache
def everywhere() -> tuple[Place, ...]:
    """Return sessions at each place where a line may be typed."""
    asking, chosen = type_lines(HERE, "q").place, type_lines(HERE, "2").place
    return (HERE, WAITING, asking, chosen, GOLD, playing(OVER), IN_LOBBY, Place())


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
    assert reached == set(map(str, DIG.legal_moves()))


def test_a_hint_is_of_moves_that_the_view_allows() -> None:
    text = " ".join(" ".join(type_lines(HERE, "i").lines).split())
    moves = re.findall(r"Type (\S+)\.", text)
    assert 1 <= len(moves) <= 4
    view = HERE.status.view
    assert view is not None
    assert all(view.why_not(parse_move(text)) is None for text in moves)


LONG = "x" * 190


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


def hearing(*talk: ChatLine, view: View = DIG) -> Place:
    """Ana's place in a game in which this was said."""
    table = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)
    return at(Status(ConnectionState.CONNECTED, ANA, GameState(1, 5, table, view, talk)))


def claim_gold(name: str, seat: int) -> ChatLine:
    """What somebody says now who claims gold in the north."""
    when = Moment(DIG.score.number, DIG.table.unplayed)
    return ChatLine(name, seat, "", TableClaim(Topic.GOLD_AT, 0), when)


def test_somebody_who_tells_tools_cards_gold_and_whose_turn_and_role_ones_own() -> None:
    assert type_lines(HERE, "who").lines == (
        "> 1 Ana (you): 7 cards, 0 gold cards",
        "  2 Bruno: broken: pick and lantern; 3 cards, 0 gold cards",
        "  3 Dede: 2 cards, 0 gold cards",
        "Direction: clockwise. At most 1 of you is a saboteur.",
        "It is your turn.",
        "Watching: Eva.",
    )
    assert type_lines(HERE, "role").lines[0] == "You are a miner: dig a tunnel to the treasure."
    assert not any("miner" in line for line in HERE.where())


def test_somebody_who_tells_the_players_who_lost_connection_from_those_who_left_for_now() -> None:
    table = lobby(sits(ANA), sits(BRUNO), sits(DEDE))
    gone = {BRUNO: Presence.GONE, DEDE: Presence.AWAY}
    people = tuple(
        structs.replace(person, presence=gone.get(person.member, person.presence))
        for person in table.people
    )
    table = structs.replace(table, people=people, stage=TablePhase.PLAYING)
    assert type_lines(at(now_at(table, DIG)), "who").lines[-2:] == (
        "Connection lost: Bruno.",
        "Left for now: Dede.",
    )


def test_the_rules_are_read_a_page_at_a_time_by_word_or_number() -> None:
    for session in (HERE, IN_LOBBY):
        assert "8 gold: The end of a round" in type_lines(session, "rules").lines
        page = type_lines(session, "rules gold").lines
        assert page[0] == "The end of a round."
        assert "Type rules 9." in page
        assert type_lines(session, "rules 8").lines == page


@pytest.mark.parametrize("topic", RULES_TOPICS)
def test_every_page_of_the_rules_is_plain_text_for_a_small_terminal(topic: str) -> None:
    lines = type_lines(HERE, f"rules {topic}").lines
    assert all(line.isascii() for line in lines)
    assert len(lines) < SMALL.rows


HELP = [help_lines(topic, HERE.status) for topic in ("game", "table", "host", "settings")]


@pytest.mark.parametrize("lines", HELP, ids=range(len(HELP)))
def test_help_fits_a_small_terminal_with_its_prompt(lines: list[str]) -> None:
    assert len(wrap_lines(lines, SMALL.columns)) < SMALL.rows


def test_what_was_said_stands_in_the_log_where_it_was_said() -> None:
    history = (Passed(BRUNO - 1), Passed(ANA - 1), Laid(BRUNO - 1, Path.read("EW"), (1, 0)))
    view = DIG._replace(history=history)
    number, unplayed = view.score.number, view.table.unplayed
    talk = (
        ChatLine("Bruno", 1, "an earlier round", None, Moment(number - 1, 60)),
        ChatLine("Dede", 2, "before my turn", None, Moment(number, unplayed + 2)),
        ChatLine("Bruno", 1, "", TableClaim(Topic.GOLD_AT, 0), Moment(number, unplayed + 1)),
        ChatLine("Dede", 2, "at the end", None, Moment(number, unplayed)),
    )
    heard = hearing(*talk, view=view)
    assert type_lines(heard, "since").lines == (
        'Bruno says: "north goal is gold"',
        "Bruno laid a straight, east and west, at 1.",
        'Dede says: "at the end"',
    )
    assert type_lines(heard, "log").lines[1:3] == (
        'Dede says: "before my turn"',
        'Bruno says: "north goal is gold"',
    )
    assert type_lines(heard, "log 1").lines == ('Dede says: "at the end"',)
    for word in ("since", "log"):
        assert type_lines(HERE, word).lines == ("Nothing yet in this round.",)


def test_claims_are_listed_by_goal_and_player() -> None:
    heard = hearing(claim_gold("Bruno", 1))
    assert type_lines(heard, "claims").lines[0] == "north goal: gold (Bruno)."
    assert type_lines(HERE, "claims").lines == ("middle goal: stone on your map.",)
    assert "“north goal is gold”" in type_lines(heard, "who bruno").lines
    told = type_lines(hearing(claim_gold("Ana", 0), claim_gold("Bruno", 1)), "claims").lines[0]
    assert told == "north goal: gold (you and Bruno)."


def test_somebody_who_and_a_name_tells_what_that_player_did() -> None:
    history = (Laid(BRUNO - 1, Path.read("EW"), (1, 0)), Broke(DEDE - 1, Tool.PICK, BRUNO - 1))
    later = playing(DIG._replace(history=history))
    told = ("Bruno: broken: pick and lantern; 3 cards, 0 gold cards.",)
    for name in ("Bruno", "bru", "2"):
        assert type_lines(later, f"who {name}").lines == (*told, "1 tunnel.")
    for name in ("nobody", "9"):
        (line, *_rest) = type_lines(later, f"who {name}").lines
        assert line.startswith("Nobody by that name is at the table")


def test_only_the_host_hears_of_a_hosts_commands() -> None:
    guest = playing(DIG._replace(seat=1), BRUNO)
    assert "host" not in " ".join(type_lines(guest, "? table").lines)
    assert type_lines(guest, "? host").lines[0].startswith("Only the host")
    assert type_lines(HERE, "? host").lines[0].startswith("start ")
    for word in (command.words.split()[0] for command in COMMANDS if command.when is When.HOST):
        assert type_lines(guest, word).lines[0].startswith("Only the host"), word


def test_the_list_of_rules_has_the_colons_of_the_language() -> None:
    with speak(load_locale("fr")):
        assert "8 gold : La fin d'une manche" in type_lines(HERE, "rules").lines


TYPED: Final = (
    *(*AT_A_TABLE, *RULED, *IN_A_GAME, *DRAWN, "2 1", "99", "M@8", "$2", "x2", '"hello'),
    *(word for command in COMMANDS for word in command.spellings),
)

PAUSED: Final = structs.replace(lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING), paused=True)
STATES: Final[dict[str, Place]] = {
    **dict(places(SMALL)),
    "not at a table": Place(),
    "card chosen": type_lines(playing(DIG), "7").place,
    "paused": at(now_at(PAUSED, DIG)),
    "disk full": at(replace(now_at(PAUSED, DIG), disk=DiskStatus.FULL)),
    "practice": at(now_at(structs.replace(PAUSED, name="", paused=False), DIG)),
}


@pytest.mark.parametrize("state", STATES)
def test_no_command_is_met_by_silence(state: str) -> None:
    silent = [line for line in TYPED if not _is_answered(STATES[state], line)]
    assert silent == []


def _is_answered(session: Place, line: str) -> bool:
    reaction = type_lines(session, line)
    return bool("".join(reaction.lines).strip()) or not reaction.is_told_only
