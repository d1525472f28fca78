"""A table that was brought back from an older journal, in words and in lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Path, Tool
from engine.events import Broke, GoldTaken, Laid, Passed
from net.client.session import ConnectionState, Disagreement, Received, Status, Update
from net.client.trail import Rollback, SeenMove
from net.protocol.events import write_event
from net.protocol.lobby import Presence
from net.protocol.lobby_events import MovesMissing, PresenceChanged
from sabtui.plain.model import Parting, PendingQuestion, SendRequests
from sabtui.plain.updates import apply_update
from sabtui.text.journals import loss_sentence, lost_moves, report_of_missing
from tests.sabtui.cases import DIG
from tests.sabtui.plain_sessions import WIDE, at, news, now_at, playing, tell_update, type_lines
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby

MOVES = (
    SeenMove("Bruno", Laid(1, Path.read("EW"), (1, 0))),
    SeenMove("Dede", Broke(2, Tool.LANTERN, 0)),
    SeenMove("Ana", Passed(0)),
)
PLAYING = playing(DIG, size=WIDE)
HELD = PLAYING.status.game_state
ANAS_PICK_BROKEN = write_event(Broke(2, Tool.PICK, 0))
UNDONE = Rollback(2, 5, MOVES, is_whole=True, held=HELD)
BACK = replace(PLAYING.status, undone=UNDONE)
DISAGREED = Disagreement(1, 9, bytes(8), b"", (), (), None)


def test_the_missing_moves_are_told_one_by_one_and_by_whom_they_were() -> None:
    assert loss_sentence(UNDONE).endswith("It has lost these moves:")
    assert lost_moves(UNDONE, ANA) == [
        "Bruno laid a straight at 1 east.",
        "Dede broke your lantern.",
        "You passed.",
    ]


def test_moves_are_named_by_who_had_the_seat_then() -> None:
    undone = replace(UNDONE, moves=(SeenMove("Zoe", GoldTaken(1)), MOVES[0]))
    assert lost_moves(undone, BRUNO)[0] == "Zoe took a gold card."
    assert lost_moves(undone, BRUNO)[1] == "You laid a straight at 1 east."


@pytest.mark.parametrize(
    ("undone", "text"),
    [
        (replace(UNDONE, moves=MOVES[:1]), "It has lost these moves:"),
        (
            replace(UNDONE, moves=()),
            "from an older copy. It has lost what you saw last.",
        ),
        (
            replace(UNDONE, is_whole=False),
            "It has lost these moves, and perhaps more:",
        ),
        (
            Rollback(2, 5, (), is_whole=False, held=None),
            "It has lost what you saw last.",
        ),
    ],
)
def test_how_much_is_missing_is_told_as_far_as_it_is_known(undone: Rollback, text: str) -> None:
    assert loss_sentence(undone).endswith(text)


def test_in_lines_one_is_told_what_is_missing_and_asked_and_nothing_else_can_be_done() -> None:
    answer = apply_update(PLAYING, Update(BACK))
    assert answer.lines[1:4] == (
        "Bruno laid a straight, east and west, at 1.",
        "Dede broke your lantern.",
        "You passed.",
    )
    active = answer.session
    assert active.question is PendingQuestion.GONE_BACK
    assert active.prompt() == "yes or no"
    assert active.takes_line(eager=False)
    assert type_lines(active, "1").effect is None
    assert type_lines(active, "1").session.question is PendingQuestion.GONE_BACK
    assert type_lines(active, "t hello").effect is None
    assert type_lines(active, "yes").effect == Parting.GO_ON
    assert type_lines(active, "no").effect == Parting.KEEP_AND_LET_GO
    assert type_lines(active, "q").effect == Parting.KEEP_AND_LET_GO


def test_where_the_table_is_now_is_told_once_one_goes_on() -> None:
    asked = apply_update(PLAYING, Update(BACK)).session
    assert tell_update(asked, BACK, Received(renewed=True)) == [], "it is not up to date yet"
    lines = tell_update(asked, PLAYING.status)
    assert lines[0] == "Table: Gold Rush."
    assert lines[-1] == PLAYING.where()[-1]


def test_what_others_saw_is_told_as_theirs_to_who_did_not() -> None:
    moves = ANAS_PICK_BROKEN, write_event(Passed(2)), write_event(GoldTaken(2))
    missing = MovesMissing(BRUNO, 2, "Dede", moves, 4)
    line = " ".join(line.strip() for line in news(PLAYING, missing))
    assert line.startswith("Bruno saw moves that this table has lost: Dede broke your ")
    assert line.endswith("Dede passed. Dede took a gold card. And 4 more moves of Dede.")
    assert news(at(now_at(lobby(), member=BRUNO), WIDE), missing) == [], "one's own is told already"
    assert report_of_missing(replace_member(missing, 99), lobby(), ANA) is None


def replace_member(missing: MovesMissing, member: int) -> MovesMissing:
    """The same report by somebody else."""
    return MovesMissing(member, missing.seat, missing.name, missing.moves, missing.more)


def test_the_table_may_have_had_other_seats_and_players_then() -> None:
    small = lobby(*lobby().chairs[:3])
    text = report_of_missing(
        MovesMissing(BRUNO, 9, "Zoe", (write_event(Passed(9)),), 0), small, EVA
    )
    assert text == "Bruno saw moves that this table has lost: Zoe passed."
    text = report_of_missing(MovesMissing(BRUNO, 2, "Zoe", (ANAS_PICK_BROKEN,), 0), small, DEDE)
    assert text is not None
    assert "Zoe broke Ana's " in text
    text = report_of_missing(
        MovesMissing(BRUNO, 2, "Dede", (write_event(Passed(2)),), 0), small, DEDE
    )
    assert text is not None
    assert text.endswith("You passed.")


def test_that_somebody_is_back_is_still_told_meanwhile() -> None:
    asked = apply_update(PLAYING, Update(BACK)).session
    back = Status(ConnectionState.CONNECTED, ANA, HELD, undone=UNDONE)
    lines = tell_update(asked, back, Received(news=(PresenceChanged(DEDE, Presence.GONE),)))
    assert lines
    assert not isinstance(type_lines(asked, "yes").effect, SendRequests)


def test_where_a_disagreement_is_written_down_is_told_in_lines() -> None:
    lines = tell_update(
        PLAYING, PLAYING.status, Received(report="/state/reports/1.txt", disagreed=DISAGREED)
    )
    assert "Please send /state/reports/1.txt to" in " ".join(line.strip() for line in lines)
