"""The sentences about people and seats that both interfaces ask for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from net.protocol.lobby import Lobby
from sabtui.text.seats import leave_question
from tests.sabtui.cases import DIG
from tests.sabtui.plain_sessions import WIDE, now_at, playing, type_lines
from tests.sabtui.tables import ANA, BRUNO, EVA, lobby

GUESTS = lobby()
ALONE = replace(GUESTS, name="")


@pytest.mark.parametrize(
    ("table", "member", "question"),
    [
        (
            GUESTS,
            ANA,
            "Leave for now? The table stays open for the others. To close it for good: C.",
        ),
        (GUESTS, BRUNO, ""),
        (GUESTS, EVA, ""),
        (ALONE, ANA, "Leave this table for good? Unfinished games are not saved."),
    ],
)
def test_who_leaves_for_now_is_asked_only_where_something_is_lost(
    table: Lobby, member: int, question: str
) -> None:
    assert leave_question(now_at(table, member=member)) == question


def test_lines_ask_the_same_question_and_name_the_answers() -> None:
    answer = type_lines(playing(DIG, size=WIDE), "q")
    question = leave_question(answer.place.status, close="close")
    assert " ".join(" ".join(answer.lines).split()) == question
    assert answer.place.prompt() == "yes or no"
    assert "To close it for good: close." in question
