"""The opening of a sealed table: those who come back give their shares, and nobody else can."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from net.client.state import ClientState
from net.protocol.framing import BadFrame
from net.protocol.lobby import Settings, Stage
from net.protocol.lobby_events import Closed, HostChanged
from net.protocol.messages import (
    NOTHING_SEEN,
    ClientCommand,
    CloseReason,
    Closing,
    EnterTable,
    KeyShareGiven,
    KeyShareWanted,
    Pong,
    Refusal,
    Resync,
    TableSealed,
    Welcome,
)
from net.protocol.requests import Chat, Close
from net.room import inputs
from net.room.state import write
from net.secure.sealing import SealBroken, seal_share
from tests.net.room.room_fixture import play_on
from tests.net.room.sealed_table import (
    member,
    play_on_with_stand_ins,
    seat_key,
    seat_people,
)


@pytest.mark.parametrize("pair", list(combinations(("Ben", "Cleo", "Dede"), 2)))
def test_any_two_people_but_the_host_open_the_table_again(pair: tuple[str, str]) -> None:
    table = seat_people("Ann", "Ben", "Cleo", "Dede")
    before = table.room.state
    table.kill()
    table.come("Ann")
    assert not table.is_open()
    table.come(pair[0])
    assert not table.is_open()
    assert table.last_news("Ann").needed == 1
    table.come(pair[1])
    assert table.is_open()
    for name in ("Ann", *pair):
        assert table.people[name].client.status.view == before.view(
            before.lobby.seat_of(member(name))
        )
        assert table.people[name].client.status.sealed is None
    assert table.room.state.record == before.record
    assert table.room.state.talk == before.talk
    play_on_with_stand_ins(table)


def test_all_are_told_whom_the_table_waits_for() -> None:
    table = seat_people("Ann", "Ben", "Cleo", "Dede")
    table.kill()
    table.come("Ann")
    assert table.last_news("Ann") == TableSealed(2, ("Ben", "Cleo", "Dede"), yours=True)
    assert table.people["Ann"].client.status.sealed == table.last_news("Ann")
    table.come("Cleo")
    assert table.last_news("Cleo") == TableSealed(1, ("Ben", "Dede"))
    assert table.last_news("Ann") == replace(table.last_news("Cleo"), yours=True)


def test_of_two_people_the_one_who_is_not_the_host_opens_the_table() -> None:
    table = seat_people("Ann", "Ben", settings=Settings(seats=3, rounds=1))
    table.kill()
    table.come("Ann")
    assert table.last_news("Ann") == TableSealed(1, ("Ben",), yours=True)
    table.come("Ben")
    assert table.is_open()


def test_a_table_of_one_person_and_bots_needs_nobody() -> None:
    table = seat_people("Ann", settings=Settings(seats=3, rounds=1))
    before = table.room.state
    table.kill()
    assert table.is_open()
    assert table.room.state.record == before.record


def test_a_table_opens_after_any_number_of_kills() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    for _ in range(4):
        before = table.room.state
        table.kill()
        for name in ("Cleo", "Ben", "Ann"):
            table.come(name)
        assert table.room.state.game == before.game
        play_on(table, 3)
    assert len([step for step in table.steps if step.epoch]) == 1 + 4


def test_a_wrong_share_is_found_out_and_whose_it_is_and_the_others_go_on() -> None:
    table = seat_people("Ann", "Ben", "Cleo", "Dede")
    table.kill()
    for name in ("Ann", "Ben"):
        table.people[name].client.key = None if name == "Ben" else seat_key(name)
        table.come(name)
    table.say(table.people["Ben"], KeyShareGiven(bytes(32)))
    assert table.last_news("Ann") == TableSealed(
        2, ("Ben", "Cleo", "Dede"), wrong=("Ben",), yours=True
    )
    for name in ("Cleo", "Dede"):
        table.come(name)
    assert table.is_open()
    assert table.people["Ben"].client.status.view is not None


def test_nobody_who_holds_no_share_can_give_one() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    table.come("Ann")
    table.say(table.people["Ann"], KeyShareGiven(bytes(32)))
    assert table.last_news("Ann") == TableSealed(2, ("Ben", "Cleo"), wrong=("Ann",), yours=True)


def test_a_newcomer_is_asked_to_come_later() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    eva = table.come("Eva", watch=True)
    assert [type(one) for one in eva.got] != [Welcome]
    assert getattr(eva.got[-1], "reason", None) is Refusal.SEALED
    table.say(eva, KeyShareGiven(bytes(32)))
    assert eva.farewell is CloseReason.OUT_OF_ORDER


def test_what_no_client_sends_to_a_sealed_table_ends_its_connection() -> None:
    for message in (
        ClientCommand(1, Chat("x")),
        Resync(NOTHING_SEEN),
        EnterTable("Ann", watch=False, incarnation=0, seen=NOTHING_SEEN),
    ):
        table = seat_people("Ann", "Ben", "Cleo")
        table.kill()
        ann = table.come("Ann")
        table.say(ann, message)
        assert ann.farewell is CloseReason.OUT_OF_ORDER
        table.come("Ben")
        table.come("Cleo")
        assert table.is_open()


def test_a_newer_connection_of_a_member_replaces_the_older_one_while_the_table_waits() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    first = table.come("Ben")
    table.come("Ben")
    assert first.farewell is CloseReason.REPLACED
    asked = [one for one in table.people["Ben"].got if isinstance(one, KeyShareWanted)]
    assert not asked, "the share was given already"
    table.come("Cleo")
    assert table.is_open()


def test_a_share_stays_given_when_its_connection_ends() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    ben = table.come("Ben")
    inputs.drop_connection(table.room, table.now, ben.connection)
    ben.ended = True
    table.come("Cleo")
    assert table.is_open()


def test_a_sealed_table_answers_heartbeats_and_makes_no_step() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    before = len(table.disk)
    table.kill()
    ann = table.come("Ann")
    table.wait(60, "Ben", "Cleo")
    assert not ann.ended
    assert ann.got[-1] == Pong(0)
    assert len(table.disk) == before
    assert table.room.bot_turn() is None
    assert table.room.claim_request() is None
    assert not inputs.note_behind(table.room, table.now, ann.connection).do


def test_whoever_was_connected_hears_the_moves_of_all_once_the_table_is_open() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    play_on(table, 20, seed=3)
    for name in ("Ann", "Ben", "Cleo"):
        state = table.room.state
        assert table.people[name].client.status.view == state.view(
            state.lobby.seat_of(member(name))
        )


def test_a_move_that_waited_for_the_host_is_made_after_the_opening() -> None:
    table = seat_people("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1))
    client, move = table.people[table.name_to_act()].client, table.move()
    before = table.room.state.turn
    table.kill()
    assert not client.request(client.status.move_request(move))
    for one in ("Ann", "Ben", "Cleo"):
        table.come(one)
    assert not client.commands.pending
    assert table.room.state.turn > before


@pytest.mark.parametrize("at", [0, -1])
def test_a_journal_that_was_altered_opens_for_nobody_and_says_so(at: int) -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    number = [n for n, step in enumerate(table.steps) if step.sealed][at]
    step = table.steps[number]
    table.disk[number] = write(replace(step, sealed=step.sealed[:-1] + b"?"))
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    assert not table.is_open()
    assert table.last_news("Ann") == TableSealed(0, (), broken=True, yours=True)
    table.say(table.people["Ben"], KeyShareGiven(bytes(32)))
    assert table.last_news("Ann").broken


def test_what_is_public_of_a_sealed_step_cannot_be_altered_either() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    number = next(n for n, step in enumerate(table.steps) if step.sealed and step.by)
    table.disk[number] = write(replace(table.steps[number], by=1 + table.steps[number].by % 3))
    table.kill()
    for name in ("Ben", "Cleo"):
        table.come(name)
    assert table.last_news("Ben").broken


def test_an_altered_journal_that_needs_nobody_is_refused_at_once() -> None:
    table = seat_people("Ann", settings=Settings(seats=3, rounds=1))
    number, step = next((n, step) for n, step in enumerate(table.steps) if step.sealed)
    for sealed, epoch in ((b"?" * 80, step.epoch), (step.sealed, None)):
        table.disk[number] = write(replace(step, sealed=sealed, epoch=epoch))
        with pytest.raises(SealBroken):
            table.kill()


def test_a_share_that_comes_when_the_table_is_open_changes_nothing() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    before = table.room.state
    table.say(table.people["Ben"], KeyShareGiven(bytes(32)))
    assert not table.people["Ben"].ended
    assert table.room.state == before


def test_a_client_answers_no_share_that_is_not_for_its_seat() -> None:
    key = seat_key("Ben")
    client = ClientState("Ben", key=key)
    foreign = seal_share(seat_key("Cleo").public, bytes(32))
    assert not client.receive(KeyShareWanted(foreign)).send
    own = seal_share(key.public, bytes(32))
    assert client.receive(KeyShareWanted(own)).send == (KeyShareGiven(bytes(32)),)
    assert not ClientState("Ben").receive(KeyShareWanted(own)).send, "without a key there is none"


@pytest.mark.parametrize("name", ["\x1b[2J", "a" * 99])
def test_a_client_takes_no_unclean_name_of_a_sealed_table(name: str) -> None:
    for sealed in (TableSealed(1, (name,)), TableSealed(1, ("Ben",), (name,))):
        with pytest.raises(BadFrame):
            ClientState("Ann").receive(sealed)


def test_the_host_of_a_sealed_table_can_give_it_up_and_nothing_sealed_is_left_of_it() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    ann, ben = table.come("Ann"), table.come("Ben")
    assert [table.last_news(name).yours for name in ("Ann", "Ben")] == [True, False]
    assert table.wants("Ann", Close()) is None
    assert [guest.got[-1] for guest in (ann, ben)] == [Closing(CloseReason.CLOSED)] * 2
    assert table.lobby.stage is Stage.CLOSED
    assert [step for step in table.steps if step.sealed or step.epoch or step.act] == []
    assert [step.by for step in table.steps if Closed() in step.news] == [member("Ann")]


def test_nobody_but_the_host_can_give_a_sealed_table_up() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    ben = table.come("Ben")
    table.say(ben, ClientCommand(99, Close()))
    assert ben.got[-1] == Closing(CloseReason.OUT_OF_ORDER)
    assert table.lobby.stage is not Stage.CLOSED


def test_a_sealed_table_that_its_club_closes_leaves_nothing_sealed_either() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    ben = table.come("Ben")
    assert table.happen(inputs.close(table.room, table.now)).finished
    assert ben.farewell is CloseReason.CLOSED
    assert table.lobby.stage is Stage.CLOSED
    assert [step for step in table.steps if step.sealed or step.epoch or step.act] == []


def test_the_new_host_of_a_sealed_table_can_give_it_up_and_the_former_one_cannot() -> None:
    for name, why in (("Ben", CloseReason.CLOSED), ("Ann", CloseReason.OUT_OF_ORDER)):
        table = seat_people("Ann", "Ben", "Cleo")
        table.kill(HostChanged(member("Ben"), 1))
        table.come("Ann")
        table.come("Ben")
        assert not table.is_open()
        assert [table.last_news(one).yours for one in ("Ann", "Ben")] == [False, True]
        table.say(table.people[name], ClientCommand(99, Close()))
        assert table.people[name].farewell is why
        closed = [step.by for step in table.steps if Closed() in step.news]
        assert closed == ([member("Ben")] if name == "Ben" else [])


def test_somebody_who_comes_back_to_a_sealed_table_again_and_again_enters_once() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.kill()
    for _ in range(3):
        table.come("Ben")
    table.come("Cleo")
    assert table.is_open()
    assert [type(one) for one in table.people["Ben"].got].count(Welcome) == 1
