"""Guests who say what makes no sense, too much, too early or nothing at all."""

import pytest
from msgspec import msgpack

from engine import KeepGold
from net.protocol.events import write_move
from net.protocol.framing import BadFrame, decode
from net.protocol.hall import NextTable
from net.protocol.lobby import TableClaim, Topic
from net.protocol.messages import (
    CLIENT_KINDS,
    NOTHING_SEEN,
    Announcing,
    ClientCommand,
    ClientMessage,
    CloseReason,
    EnterTable,
    GuessAlarm,
    Notice,
    Ping,
    Pong,
    Resync,
)
from net.protocol.requests import (
    Chat,
    FreeSeat,
    HandOver,
    Kick,
    MakeClaim,
    MakeMove,
    PutBot,
    Sit,
    Start,
    TableRequest,
)
from net.room import inputs
from net.room.effects import SendFrame
from net.room.sessions import TABLE_LIMITS
from tests.net.protocol.test_text import NEWER
from tests.net.room.room_fixture import key_of, playing


def test_wrong_codes_are_told_to_the_host_alone_and_once() -> None:
    table = playing()
    effects = table.happen(inputs.note_wrong_codes(table.room, 0.0, 5))
    assert effects.do == (SendFrame((table.people["Ann"].connection,), GuessAlarm(5)),)
    assert effects.after == 0
    assert table.people["Ann"].client.receive(GuessAlarm(5)).alarm == 5
    inputs.drop_connection(table.room, 0.0, table.people["Ann"].connection)
    for tried in (10, 20):
        assert inputs.note_wrong_codes(table.room, 0.0, tried).do == ()
    assert GuessAlarm(20) not in table.come("Ben").got
    assert [message for message in table.come("Ann").got if isinstance(message, GuessAlarm)] == [
        GuessAlarm(20)
    ]
    assert not [message for message in table.come("Ann").got if isinstance(message, GuessAlarm)]


def test_the_host_alone_is_told_whether_the_table_is_announced_now_and_on_coming() -> None:
    table = playing()
    effects = table.happen(inputs.note_announcing(table.room, 0.0, works=False))
    assert effects.do == (SendFrame((table.people["Ann"].connection,), Announcing(works=False)),)
    assert effects.after == 0
    assert not table.people["Ann"].client.status.announced
    inputs.drop_connection(table.room, 0.0, table.people["Ann"].connection)
    assert inputs.note_announcing(table.room, 0.0, works=True).do == ()
    assert not [message for message in table.come("Ben").got if isinstance(message, Announcing)]
    assert Announcing(works=True) in table.come("Ann").got


@pytest.mark.parametrize(
    "bad",
    [
        Notice("Olga\n", "x"),
        Notice("Olga", "x\n"),
        NextTable(2, "Table\n", ()),
        NextTable(2, "Table 1", ("Kim", "Mia\n")),
    ],
)
def test_a_notice_of_a_cheating_host_that_is_unclean_ends_the_link(bad: Notice | NextTable) -> None:
    with pytest.raises(BadFrame):
        playing().people["Ben"].client.receive(bad)


def test_a_notice_with_a_letter_that_only_newer_pythons_know_ends_no_link() -> None:
    notice = Notice("Olga", f"the bar is open {NEWER}")
    assert playing().people["Ben"].client.receive(notice).notice == notice


SEAT = 9

HOSTILE: list[TableRequest] = [
    MakeMove(2**31 - 1, write_move(KeepGold(3))),
    MakeMove(0, write_move(KeepGold(1))),
    Sit(SEAT),
    FreeSeat(SEAT),
    PutBot(SEAT, "\x1b]0;", "x"),
    HandOver(SEAT, 2**31 - 1),
    Kick(2**31 - 1),
    MakeClaim(TableClaim(Topic.WHO_ME, 9)),
    Chat("\x00"),
    Start(),
]


@pytest.mark.parametrize(
    "message", [ClientCommand(1, Start()), Resync()], ids=["command", "resync"]
)
def test_who_has_not_entered_may_only_do_that(message: ClientMessage) -> None:
    table = playing()
    before = table.room.state
    table.connections += 1
    inputs.add_connection(table.room, 0.0, table.connections, key_of("Ben"))
    pong = inputs.receive(table.room, 0.0, table.connections, Ping(5))
    assert [do.message for do in pong.do if isinstance(do, SendFrame)] == [Pong(0)]
    effects = inputs.receive(table.room, 0.0, table.connections, message)
    assert len(effects.do) == 2
    assert table.room.state == before
    inputs.drop_connection(table.room, 0.0, table.connections)


def test_a_link_that_never_enters_is_ended() -> None:
    table = playing()
    table.connections += 1
    inputs.add_connection(table.room, 0.0, table.connections, bytes(32))
    inputs.drop_connection(table.room, 0.0, 77)
    inputs.drop_connection(table.room, 0.0, table.connections)
    for pings in (False, True):
        eve = table.near("Eve")
        for _ in range(19):
            table.wait(0.5)
            assert not eve.ended
            if pings:
                table.say(eve, Ping(0))
        table.wait(0.5)
        assert eve.farewell is CloseReason.TOO_SLOW


def test_of_many_links_that_never_enter_the_oldest_have_to_go() -> None:
    table = playing()
    many = [table.near("Eve") for _ in range(TABLE_LIMITS.unentered + 2)]
    assert [eve.farewell for eve in many[:3]] == [CloseReason.TOO_SLOW, CloseReason.TOO_SLOW, None]
    table.come("Dede")
    assert table.people["Dede"].client.entered
    assert table.wants("Ben", Chat("nobody here has noticed")) is None


def test_who_enters_twice_or_asks_for_snapshots_without_end_is_cut_off() -> None:
    table = playing()
    ben, cleo = table.people["Ben"], table.people["Cleo"]
    table.say(ben, ben.client.begin_connection())
    assert ben.farewell is CloseReason.OUT_OF_ORDER
    for _ in range(7):
        table.ask(cleo)
    assert cleo.farewell is CloseReason.TOO_MUCH
    assert not table.people["Wim"].ended


def test_who_comes_back_for_all_there_is_without_end_has_to_wait_and_keeps_the_connection() -> None:
    table = playing()
    before = table.people["Cleo"]
    for _ in range(6):
        before = table.people["Cleo"]
        before.forget()
        assert table.come("Cleo").farewell is None
    kept = table.people["Cleo"]
    assert before.farewell is CloseReason.REPLACED
    kept.forget()
    late = table.come("Cleo")
    assert late.farewell is CloseReason.TOO_MUCH
    assert len(late.got) == 1, "not a word of the table"
    assert kept.farewell is None
    table.wait(2)
    late.forget()
    assert table.come("Cleo").farewell is None
    for _ in range(9):
        assert table.come("Cleo").farewell is None, "who has seen it all takes little"


def test_who_was_kicked_is_heard_no_more() -> None:
    table = playing()
    ben = table.people["Ben"]
    table.wants("Ann", Kick(ben.member))
    before = table.room.state
    for message in (
        ClientCommand(99, Chat("!")),
        Ping(1),
        Resync(),
        EnterTable("Ben", watch=False, incarnation=0, seen=NOTHING_SEEN),
    ):
        assert not table.say(ben, message).do
    assert table.room.state == before


@pytest.mark.parametrize(
    "value",
    [
        {"is": "command", "id": 1, "request": ["chat", "x" * 160]},
        {"is": "command", "id": 1, "request": ["sit", 9]},
        {"is": "command", "id": 1, "request": ["move", 0, ["lay", 25, [99, 0]]]},
        {"is": "command", "id": 1, "request": ["move", 0, ["keep", 3]]},
        {
            "is": "command",
            "id": 1,
            "request": ["settings", ["international", 3, 5, -1, False, 1, 0, "medium", True]],
        },
        {"is": "enter", "name": "x" * 56, "watch": False, "incarnation": 0, "seen": [0, bytes(16)]},
        {"is": "ping", "seen": 2**31 - 1},
    ],
)
def test_a_value_at_its_bounds_is_a_message(value: object) -> None:
    assert isinstance(decode(msgpack.encode(value), *CLIENT_KINDS), CLIENT_KINDS)


@pytest.mark.parametrize(
    "value",
    [
        {"is": "command", "id": 2**63, "request": ["chat", "x"]},
        {"is": "command", "id": 0, "request": ["chat", "x"]},
        {"is": "command", "id": 1, "request": ["sit", 10]},
        {"is": "command", "id": 1, "request": ["sit", -1]},
        {"is": "command", "id": 1, "request": ["sit", 1, 1]},
        {"is": "command", "id": 1, "request": ["dance"]},
        {"is": "command", "id": 1, "request": ["move", 0, ["lay", 26, [0, 0]]]},
        {"is": "command", "id": 1, "request": ["move", 0, ["lay", 0, [100, 0]]]},
        {"is": "command", "id": 1, "request": ["move", 0, ["keep", 4]]},
        {"is": "command", "id": 1, "request": ["chat", "x" * 161]},
        {
            "is": "command",
            "id": 1,
            "request": ["settings", ["international", 3, 5, -1, False, 1, 0, "medium", True, "x"]],
        },
        {
            "is": "enter",
            "name": "x" * 57,
            "watch": False,
            "incarnation": 0,
            "seen": 0,
        },
        {"is": "ping", "seen": 2**31},
        {"is": "step"},
    ],
)
def test_a_value_out_of_bounds_is_no_message(value: object) -> None:
    with pytest.raises(BadFrame):
        decode(msgpack.encode(value), *CLIENT_KINDS)
