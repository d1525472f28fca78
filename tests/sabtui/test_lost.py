"""A table that was brought back from an older journal, in words and in lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Path, Tool
from engine.events import Broke, GoldTaken, Laid, Passed
from net.client.seat import Now, Standing, Update
from net.codec import events as wire
from net.lobby import Presence
from net.lobby.news import LinkIs, MovesMissing
from net.seen import SeenMove, Undone
from net.table_view import Heard
from sabtui.plain.hearing import hear
from sabtui.plain.sitting import Question
from sabtui.plain.wishes import Ask, GoOn, KeepAndLetGo
from sabtui.words.lost import lost_moves, lost_told, reported
from tests.sabtui.cases import DIG
from tests.sabtui.sittings import WIDE, at, news, now_at, playing, told, typed
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby

MOVES = (
    SeenMove("Bruno", Laid(1, Path.read("EW"), (1, 0))),
    SeenMove("Dede", Broke(2, Tool.LANTERN, 0)),
    SeenMove("Ana", Passed(0)),
)
PLAYING = playing(DIG, size=WIDE)
HELD = PLAYING.now.held
UNDONE = Undone(2, 5, MOVES, is_whole=True, held=HELD)
BACK = replace(PLAYING.now, undone=UNDONE)


def test_the_missing_moves_are_told_one_by_one_and_by_whom_they_were() -> None:
    assert lost_told(UNDONE).endswith("It has lost 3 moves that you saw:")
    assert lost_moves(UNDONE, ANA) == [
        "Bruno laid a tunnel, EW, at 1.",
        "Dede broke your lantern.",
        "You passed.",
    ]


def test_moves_are_named_by_who_had_the_seat_then() -> None:
    undone = replace(UNDONE, moves=(SeenMove("Zoe", GoldTaken(1)), MOVES[0]))
    assert lost_moves(undone, BRUNO)[0] == "Zoe took a gold card."
    assert lost_moves(undone, BRUNO)[1] == "You laid a tunnel, EW, at 1."


@pytest.mark.parametrize(
    ("undone", "said"),
    [
        (replace(UNDONE, moves=MOVES[:1]), "It has lost 1 move that you saw:"),
        (replace(UNDONE, moves=()), "No move is missing, but some of what was said or agreed."),
        (replace(UNDONE, is_whole=False), "moves that you saw, and maybe more than these:"),
        (Undone(2, 5, (), is_whole=False, held=None), "does not know which moves that was."),
    ],
)
def test_how_much_is_missing_is_told_as_far_as_it_is_known(undone: Undone, said: str) -> None:
    assert lost_told(undone).endswith(said)


def test_in_lines_one_is_told_what_is_missing_and_asked_and_nothing_else_can_be_done() -> None:
    answer = hear(PLAYING, Update(BACK))
    assert answer.lines[1:4] == (
        "Bruno laid a tunnel, EW, at 1.",
        "Dede broke your lantern.",
        "You passed.",
    )
    sitting = answer.sitting
    assert sitting.question is Question.GONE_BACK
    assert sitting.prompt() == "Go on from there? yes or no"
    assert sitting.takes_line(eager=False)
    assert typed(sitting, "1").wish is None
    assert typed(sitting, "1").sitting.question is Question.GONE_BACK
    assert typed(sitting, "t hello").wish is None
    assert typed(sitting, "yes").wish == GoOn()
    assert typed(sitting, "no").wish == KeepAndLetGo()
    assert typed(sitting, "q").wish == KeepAndLetGo()


def test_where_the_table_is_now_is_told_once_one_goes_on() -> None:
    asked = hear(PLAYING, Update(BACK)).sitting
    assert told(asked, BACK, Heard(renewed=True)) == [], "that one is up to date is not true yet"
    lines = told(asked, PLAYING.now)
    assert lines[0] == "You are at the table Gold Rush."
    assert lines[-1] == PLAYING.where()[-1]


def test_what_others_saw_is_told_as_theirs_to_who_did_not() -> None:
    missing = MovesMissing(
        BRUNO, 2, "Dede", (wire.Broke(2, 0, 0), wire.Passed(2), wire.GoldTaken(2)), 4
    )
    line = " ".join(line.strip() for line in news(PLAYING, missing))
    assert line.startswith("Bruno saw moves that this table has lost: Dede broke your ")
    assert line.endswith("Dede passed. Dede took a gold card. And 4 more moves of Dede.")
    assert news(at(now_at(lobby(), member=BRUNO), WIDE), missing) == [], "one's own is told already"
    assert reported(replace_member(missing, 99), lobby(), ANA) is None


def replace_member(missing: MovesMissing, member: int) -> MovesMissing:
    """The same report by somebody else."""
    return MovesMissing(member, missing.seat, missing.name, missing.moves, missing.more)


def test_the_table_may_have_had_other_seats_and_players_then() -> None:
    small = lobby(*lobby().chairs[:3])
    told = reported(MovesMissing(BRUNO, 9, "Zoe", (wire.Passed(9),), 0), small, EVA)
    assert told == "Bruno saw moves that this table has lost: Zoe passed."
    told = reported(MovesMissing(BRUNO, 2, "Zoe", (wire.Broke(2, 0, 0),), 0), small, DEDE)
    assert told is not None
    assert "Zoe broke Ana's " in told
    told = reported(MovesMissing(BRUNO, 2, "Dede", (wire.Passed(2),), 0), small, DEDE)
    assert told is not None
    assert told.endswith("You passed.")


def test_that_somebody_is_back_is_still_told_meanwhile() -> None:
    asked = hear(PLAYING, Update(BACK)).sitting
    back = Now(Standing.LINKED, ANA, HELD, undone=UNDONE)
    lines = told(asked, back, Heard(news=(LinkIs(DEDE, Presence.GONE),)))
    assert lines
    assert not isinstance(typed(asked, "yes").wish, Ask)


def test_where_a_disagreement_is_written_down_is_told_in_lines() -> None:
    lines = told(PLAYING, PLAYING.now, Heard(report="/state/reports/1.txt"))
    assert "Send /state/reports/1.txt to" in " ".join(line.strip() for line in lines)
