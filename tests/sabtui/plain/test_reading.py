"""What a typed line does: commands, numbers, cards, moves, and whatever else gets typed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card
from engine.events import Passed, TurnBegan
from engine.moves import Keep, Move
from engine.notation import format_move
from sabtui.plain.commands import Command, asked, help_lines, move_lines, sign_lines
from sabtui.plain.face import Face, Said
from sabtui.plain.reading import read
from sabtui.plain.wishes import Again, Deal, Leave, Play, Power, Save
from sabtui.plain.wrap import Size, wrapped
from sabtui.words.cast import width
from tests.sabtui.cases import CAST, DIG, seen

FACE = Face(DIG, CAST)
WAITING = Face(seen("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?"), CAST)


def gold() -> Face:
    """Ana is to choose gold."""
    view = DIG._replace(score=replace(DIG.score, chooser=0, offer=3), offer=(3, 3, 1))
    return Face(view, CAST)


def over(*powers: Power) -> Face:
    """The game is over."""
    score = replace(DIG.score, gold=((), (), ()))
    view = DIG._replace(score=score, table=DIG.table._replace(turn=None))
    return Face(view, CAST, frozenset(powers))


def typed(*lines: str, face: Face = FACE) -> Said:
    """What the last of these lines does."""
    said = face.say([])
    for line in lines:
        said = read(said.face, line)
    return said


def move(said: Said) -> str:
    """The move that is wished for, in notation."""
    assert isinstance(said.wish, Play), said.lines
    return format_move(said.wish.move)


def test_the_hand_is_a_numbered_list_that_tells_what_each_card_can_do() -> None:
    assert FACE.where() == [
        "Your turn. 9 cards in the draw pile.",
        " 1 NW   tunnel north, west: 5 places",
        " 2 NES  tunnel north, east, south: 8 places",
        " 3 ns   dead end north, south: 3 places",
        " 4 -L   broken lantern: 2 players",
        " 5 +LC  lantern repair / cart repair: 1 broken tool",
        " 6 R    rockfall: 2 tunnels",
        " 7 M    map: 3 goals",
    ]


def test_a_number_chooses_a_card_and_the_next_a_place() -> None:
    said = typed("7")
    assert said.lines == (
        "M (map) can do:",
        " 1 M@8n2 unknown",
        " 2 M@8   stone by your map",
        " 3 M@8s2 unknown",
        "x discards it, b goes back.",
    )
    assert said.face.prompt() == "Your turn, M 1-3"
    assert move(read(said.face, "3")) == "M@8s2"
    assert move(typed("7 3")) == "M@8s2"
    assert move(typed("7.3")) == "M@8s2"


def test_a_cards_name_chooses_it_either_way_up() -> None:
    assert typed("NW").face.card is Card.NW
    assert typed("ES").face.card is Card.NW
    assert typed("M").face.card is Card.MAP
    assert typed("EW").lines == ("You do not hold EW (tunnel east, west).",)


@pytest.mark.parametrize("text", ["NSW@3", "-L>3", "+LC>2:L", "R@2", "M@8n2", "xns", "x+LC"])
def test_a_move_in_notation_is_always_taken(text: str) -> None:
    assert move(typed(text)) == text
    assert move(typed("1", f"  {text} ")) == text


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
    assert move(typed(*lines)) == text


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["9"], "Your cards are 1 to 7."),
        (["0"], "Your cards are 1 to 7."),
        (["7 4"], "M has 1 to 3."),
        (["7", "4"], "M has 1 to 3."),
        (["x"], "Which card? x and its number discards it: x1 to x7."),
        (["x9"], "Which card? x and its number discards it: x1 to x7."),
        (["hello"], "hello is nothing I know. Type ? for help."),
        (["NES@3k1"], "NES@3k1: a cell is a column, then a row if not the start's: 3, 8n2, -1s1."),
        (["-L"], "-L (broken lantern) can do:"),
        (["-L>"], "-L>: a seat is a number from 1 to 10."),
        (["+LC>2"], "+LC>2: which of the two tools is missing: :L or :C."),
        (["x?"], "x?: this tells of a turn, but it is no move that can be made."),
        (["$2"], "No gold card of 2 nuggets is on offer."),
        (["NES@1n1"], "NES@1n1: the south side would meet rock, at 1."),
        (["+"], "There is no list to go on with."),
        (["save x"], "Only the host of the table can do that."),
        (["mine 3x"], "3x: a cell is a column, then a row if not the start's: 3, 8n2, -1s1."),
    ],
)
def test_what_cannot_be_done_gets_a_sentence_and_changes_nothing(
    lines: list[str], said: str
) -> None:
    answer = typed(*lines, face=Face(DIG, CAST, size=Size(100, 24)))
    assert answer.wish is None
    assert answer.lines[0] == said


def test_an_error_leaves_the_chosen_card_chosen() -> None:
    assert typed("7", "4").face.card is Card.MAP
    assert typed("7", "NES@9").face.card is Card.MAP
    assert typed("7", "1 99").face.card is Card.MAP
    assert move(typed("7", "hello", "who", "draw", "2")) == "M@8"


def test_a_card_that_can_do_nothing_says_so() -> None:
    view = seen("EW@1 ?/?/? 1 L,-,- NES/+P,3,2 9 m??+?")
    broken = Face(view, CAST)
    assert broken.where() == [
        "Your turn. 9 cards in the draw pile. Yours broken: lantern.",
        " 1 NES  tunnel north, east, south: not with a broken tool",
        " 2 +P   pick repair: nothing to repair",
    ]
    assert typed("2", face=broken).lines == ("+P (pick repair) can only be discarded now: x2.",)
    assert typed("2 1", face=broken).lines == ("+P can only be discarded now.",)


def test_a_long_list_comes_in_pages_and_keeps_its_numbers() -> None:
    face = Face(DIG, CAST, size=Size(60, 10))
    first = typed("2", face=face)
    assert len(first.lines) == 7
    assert first.lines[-1] == "x discards it, b goes back, + lists 3 more."
    rest = read(first.face, "+")
    assert [line.split()[0] for line in rest.lines[1:-1]] == ["6", "7", "8"]
    assert move(read(rest.face, "1")) == move(typed("2 1"))
    assert read(rest.face, "more").lines == first.lines


def test_gold_is_chosen_by_its_nuggets() -> None:
    assert gold().where() == [
        "Choose a gold card by its nuggets. Then 2 are passed on.",
        "3 nuggets, 2 cards",
        "1 nugget, 1 card",
    ]
    assert gold().prompt() == "Your gold, 3/1"
    assert typed("3", face=gold()).wish == Play(Keep(3))
    assert typed("$1", face=gold()).wish == Play(Keep(1))
    assert typed("2", face=gold()).lines == ("No gold card of 2 nuggets is on offer.",)


def test_out_of_turn_one_is_told_whose_turn_it_is() -> None:
    for line in ("1", "M", ""):
        assert typed(line, face=WAITING).lines == ("It is Bruno's turn.",)
    assert typed("M@8", face=WAITING).lines == ("It is Bruno's turn, not yours.",)
    assert typed("hand", face=WAITING).lines == (" 1 EW   tunnel east, west", " 2 M    map")


def test_leaving_asks_and_anything_but_yes_stays() -> None:
    assert typed("q").lines == ("Leave this game? yes or no.",)
    assert typed("q").face.prompt() == "Leave? yes or no"
    assert typed("q", "yes").wish == Leave()
    for line in ("no", "", "1", "?"):
        said = typed("q", line)
        assert said.wish is None
        assert said.lines == ("You stay.", "It is your turn.")
        assert not said.face.leaving


def test_once_over_one_may_leave_begin_anew_or_keep_the_record() -> None:
    face = over(*Power)
    assert typed("", face=face).lines == (
        "save FILE keeps the record, again begins a new game, quit",
        "   leaves.",
    )
    assert typed("q", face=face).wish == Leave()
    assert typed("again", face=face).wish == Again()
    assert typed("save My game.sab", face=face).wish == Save("My game.sab")
    assert typed("save", face=face).lines == ("Into which file? save FILE.",)
    assert typed("again", face=over()).lines == ("Only the host of the table can do that.",)
    assert typed("M@8", face=face).lines == ("The game is over.",)


def test_before_a_deal_an_empty_line_deals_for_who_may() -> None:
    view = DIG._replace(table=DIG.table._replace(turn=None))
    assert typed("", face=Face(view, CAST, frozenset({Power.DEAL}))).wish == Deal()
    assert typed("", face=Face(view, CAST)).wish is None
    early = Face(view, CAST, frozenset(Power))
    assert typed("again", face=early).lines == ("Once the game is over you can do that.",)


def test_a_watcher_can_look_and_nothing_else() -> None:
    face = Face(seen("EW@1 ?/?/? 2 -,-,- 2,3,2 9 ???+?", None), CAST)
    assert typed("hand", face=face).lines == ("You are watching: you have no cards.",)
    assert typed("M@8", face=face).lines == ("You are watching: only players make moves.",)
    assert typed("role", face=face).wish is None
    assert typed("1", face=face).lines == ("It is Bruno's turn.",)


@pytest.mark.parametrize("command", Command)
def test_every_command_answers_by_both_its_names_and_in_capitals(command: Command) -> None:
    for spelling in (command.long, command.short, command.long.upper()):
        found = asked(spelling)
        assert found is not None
        assert found.command is command
    assert typed(command.long).lines
    assert typed(command.long, face=WAITING).lines


def test_who_tells_tools_cards_gold_and_whose_turn() -> None:
    assert typed("who").lines == (
        "> 1 Ana (you): 7 cards, 0 gold cards",
        "  2 Bruno: broken: pick and lantern, 3 cards, 0 gold cards",
        "  3 Chiara: 2 cards, 0 gold cards",
        "Turns go down this list. At most 1 of you is a saboteur.",
        "It is your turn.",
    )


def test_the_role_is_told_on_demand() -> None:
    assert typed("role").lines[0] == "You are a miner: dig a tunnel to the treasure."
    assert not any("miner" in line for line in FACE.where())


def test_the_log_tells_what_was_heard() -> None:
    face = FACE.hear([Passed(1), TurnBegan(2), Passed(2), TurnBegan(0)]).face
    assert typed("log", face=face).lines == ("Bruno passed.", "Chiara passed.")
    assert typed("log 1", face=face).lines == ("Chiara passed.",)
    assert typed("log").lines == ("Nothing has happened in this round yet.",)


@pytest.mark.parametrize("lines", [help_lines(over=False), help_lines(over=True), move_lines()])
def test_help_fits_a_small_terminal_with_its_prompt(lines: list[str]) -> None:
    assert len(wrapped(lines, 60)) < 18
    assert len(wrapped(sign_lines(), 60)) < 18


@given(st.text(max_size=300))
def test_whatever_is_typed_the_answer_is_printable_lines(line: str) -> None:
    for face in (FACE, WAITING, typed("q").face, typed("2").face, gold(), over(*Power)):
        said = read(face, line)
        assert all(text.isprintable() for text in said.lines)


@given(st.text(max_size=200), st.integers(20, 100))
def test_wrapped_lines_fit_and_lose_no_word(line: str, columns: int) -> None:
    lines = wrapped([line], columns)
    assert "".join("".join(lines).split()) == "".join(line.split())
    assert all(width(part) <= columns or len(part.split()) == 1 for part in lines)


def legal(face: Face) -> set[Move]:
    """All that a view allows."""
    return set(face.view.legal_moves())


def test_every_legal_move_stands_in_some_list() -> None:
    reached: set[Move] = set()
    for number in range(1, 8):
        card = typed(str(number)).face
        for place in range(1, len(card.plays) + 1):
            said = read(card, str(place))
            assert isinstance(said.wish, Play)
            reached.add(said.wish.move)
        said = typed(f"x{number}")
        assert isinstance(said.wish, Play)
        reached.add(said.wish.move)
    assert reached == legal(FACE)
