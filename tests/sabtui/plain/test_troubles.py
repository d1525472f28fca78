"""What befalls a table, in lines: links, hosts, disks, networks and guessed codes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.hall import NextTable
from net.protocol.messages import DiskStatus, Notice
from tests.sabtui.plain_sessions import WIDE, Place, at, now_at, tell_update, type_lines
from tests.sabtui.tables import ANA, BRUNO, lobby

HERE = at(now_at(lobby()), WIDE)


def stands(session: Place, connection: ConnectionState) -> Status:
    return replace(session.status, connection=connection)


@pytest.mark.parametrize(
    ("connection", "line", "prompt"),
    [
        (
            ConnectionState.SHAKY,
            "No word from the host for some seconds: the connection is shaky.",
            "Connection shaky",
        ),
        (
            ConnectionState.LOST,
            "Lost connection to the host; trying again. The seat is kept.",
            "Connection lost",
        ),
    ],
)
def test_the_link_is_told_as_it_goes_and_comes(
    connection: ConnectionState, line: str, prompt: str
) -> None:
    plain_session = at(now_at(lobby(), member=BRUNO), WIDE)
    answer = plain_session.after(Update(stands(plain_session, connection)))
    assert answer.lines == (line,)
    assert answer.place.prompt() == prompt
    back = answer.place.after(Update(plain_session.status))
    assert back.lines == ("The host is answering again.",)


def test_what_is_wanted_of_a_lost_host_is_kept_for_its_return() -> None:
    plain_session = at(now_at(lobby(), member=BRUNO), WIDE)
    lost = plain_session.after(Update(stands(plain_session, ConnectionState.LOST))).place
    assert lost.table.takes_line(eager=True)
    answer = type_lines(lost, "t hello")
    assert answer.lines == ("The host will get this once the connection is back.",)
    assert answer.requests
    assert answer.place.table.takes_line(eager=True)
    linked = answer.place.after(Update(replace(plain_session.status, unanswered=1))).place
    assert not linked.table.takes_line(eager=True)


def test_a_full_disk_is_told_and_the_host_is_told_what_to_do() -> None:
    for member, line in (
        (
            ANA,
            "The game cannot be saved, so it is on hold: free some disk space, or play on unsaved.",
        ),
        (BRUNO, "The host's disk is full, so the game is on hold: wait until there is room."),
    ):
        plain_session = at(now_at(lobby(), member=member), WIDE)
        answer = plain_session.after(Update(replace(plain_session.status, disk=DiskStatus.FULL)))
        assert answer.lines == (line,)
        assert answer.place.prompt() == "The disk is full"


def test_wrong_codes_are_told_to_the_host() -> None:
    assert tell_update(HERE, HERE.status, Received(alarm=3)) == [
        "3 wrong codes were tried at your table: give the two words only to friends."
    ]


def test_what_an_organiser_says_to_all_is_told_at_the_table() -> None:
    said = Received(notice=Notice("Olga", "the bar is open"))
    assert tell_update(HERE, HERE.status, said) == ["Olga (organiser): the bar is open"]


def test_who_is_drawn_to_the_next_round_of_a_night_reads_it_at_the_table() -> None:
    told = Received(notice=NextTable(2, "Table 1", ("Kim", "Mia")))
    assert tell_update(HERE, HERE.status, told) == ["Round 2: you are at Table 1 with Kim and Mia."]


UNANNOUNCED = "The table cannot be announced here: friends who do not see it can type its address."
UNKEPT = "Your seat cannot be saved on this computer: play on, but do not quit before the end."


def test_what_is_wrong_with_the_network_and_with_ones_own_disk_is_told_once() -> None:
    plain_session = at(now_at(lobby()), WIDE)
    wrong = replace(plain_session.status, announced=False, kept=False)
    answer = plain_session.after(Update(wrong))
    assert answer.lines == (UNANNOUNCED, UNKEPT)
    assert answer.place.after(Update(wrong)).lines == ()
    mended = answer.place.after(Update(replace(wrong, announced=True)))
    assert mended.lines == ()
