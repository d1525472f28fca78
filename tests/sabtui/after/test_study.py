"""A position can be studied: moves tried and taken back, hints asked for, and why not."""

import pytest

from engine.edition import INTERNATIONAL
from engine.moves import format_move, parse_own_move
from engine.notation import parse_position
from sabtui.after.study import Study, StudyCommand, answer, help_lines, show_position, study
from sabtui.app.errors import UserError
from tests.engine.cases import ROAD, WON, last_step_position

SEEN = "EW@1/NEW@2 ?/(NE)/? 1 -,P,- NE/-L/M,3,2 0 m??+?"
WHOLE = last_step_position("mmms", 1)


def after(now: Study, *lines: str) -> tuple[Study, list[str]]:
    """The study after these lines, and the answer to the last one."""
    said: list[str] = []
    for line in lines:
        next_study, said = answer(now, line)
        assert next_study is not None
        now = next_study
    return now, said


def test_a_position_is_shown_with_hand_and_turn() -> None:
    lines = show_position(study(SEEN, INTERNATIONAL))
    assert "Player 1 (you): 3 cards" in lines
    assert "Player 2: 3 cards; broken: pick" in lines
    assert "It is your turn." in lines
    assert "You play as a miner." in lines
    assert any(line.startswith("   NE ") for line in lines)


def test_only_moves_have_numbers_as_a_number_tries_a_move() -> None:
    now = study(SEEN, INTERNATIONAL)
    hand = show_position(now)[-3:]
    assert [line.split()[0] for line in hand] == ["NE", "-L", "M"]
    assert after(now, "1") == after(now, answer(now, "moves")[1][0].split()[1])


def test_zeros_before_a_number_do_not_make_it_another() -> None:
    now = study(SEEN, INTERNATIONAL)
    assert after(now, "0012") == after(now, "12")
    assert after(now, "00015")[0] == now


def test_a_number_of_more_digits_than_python_reads_is_no_move() -> None:
    now = study(SEEN, INTERNATIONAL)
    assert after(now, "1" * 5000)[0] == now


def test_the_moves_that_help_shows_are_read() -> None:
    move, number = help_lines()[0].partition(" ...")[0].split(", ")
    assert format_move(parse_own_move(move)) == move
    assert number.isdecimal()


def test_an_illegal_move_is_told_why_and_nothing_changes() -> None:
    now = study(SEEN, INTERNATIONAL)
    same, said = after(now, "NE@3")
    assert same == now
    assert said == [
        "NE@3: the west side would wall off an open tunnel. Turned around, it fits: SW@3."
    ]
    assert "You do not hold EW" in after(now, "EW@9")[1][0]
    assert after(now, "nonsense")[1][-1] == "help shows what you can type."


def test_moves_are_tried_by_notation_or_number_and_taken_back() -> None:
    now = study(WHOLE, INTERNATIONAL)
    moves = answer(now, StudyCommand.MOVES)[1]
    number = next(line.split()[0] for line in moves if WON in line)
    won, said = after(now, WON)
    assert after(now, number) == (won, said)
    assert won.view.table.end is not None
    assert after(won, "back")[0] == now
    assert after(now, "back") == (now, ["This is the position that you began with."])
    over = ["The treasure is reached: the miners win the round."]
    assert after(won, "moves")[1] == after(won, "hint")[1] == over
    assert after(won, "xNS")[0] == won


def test_the_next_player_goes_on_with_their_own_hand() -> None:
    passed, said = after(study(WHOLE, INTERNATIONAL), "xNESW")
    assert passed.view.seat == 1
    assert "Player 2 (you): 1 card" in said


def test_of_gaps_the_unknown_is_imagined_once_a_move_is_tried_and_always_alike() -> None:
    now = study(SEEN, INTERNATIONAL)
    tried, said = after(now, "SW@3")
    assert said[0] == "From here on, unknown cards are made up."
    assert tried.games[-1] is not None
    assert after(now, "SW@3") == (tried, said)
    _, more = after(tried, "moves")
    assert more
    further, said = after(tried, more[0].split()[1])
    assert "imagined" not in said[0]
    assert len(further.views) == 3


def test_hints_come_with_their_reasons_and_chances() -> None:
    hinted = after(study(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,3,3 9 m??+?", INTERNATIONAL), "hint")
    assert hinted[1][0] == (
        "Crossing at 7: it reaches the middle goal (8). Type NESW@7. "
        "If bots play on, your side wins 100% of the time."
    )


def test_the_line_of_the_present_position_can_be_pasted_elsewhere() -> None:
    now = study(SEEN, INTERNATIONAL)
    assert after(now, "line")[1] == [SEEN]
    tried, (line,) = after(now, "SW@3", "line")
    assert parse_position(line).round().table.board == tried.view.table.board
    assert study(line, INTERNATIONAL).games[0] is not None


def test_help_names_every_command_and_an_empty_line_shows_the_mine() -> None:
    now = study(WHOLE, INTERNATIONAL)
    told = "\n".join(help_lines())
    assert all(command in told for command in StudyCommand if command is not StudyCommand.HELP)
    assert after(now, "") == after(now, "mine") == (now, show_position(now))
    assert after(now, "help")[1] == after(now, "?")[1] == help_lines()
    assert answer(now, "quit") == answer(now, "q") == (None, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "column 9 of "),
        ("EW@1/NEW@2 ?/(NE)/? 2 -,P,- NE/-L/M,3,2 0 m??+?", "the hand of player 2"),
        ("- ?/?/? - -,-,- 0,0,0 0 ???+?", "nobody's turn"),
        ("EW@1/e@-1s256 ?/?/? 1 -,-,- EW/R,6,6 40 m??+?", "at most 42 cards from the start"),
    ],
)
def test_a_line_that_cannot_be_studied_is_refused(line: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        study(line, INTERNATIONAL)
