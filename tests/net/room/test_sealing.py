"""Sealed steps: what a journal holds of a game, and who holds the shares that open it."""

from __future__ import annotations

import pytest

from engine import Phase
from net.protocol.fields import TAG_BYTES
from net.protocol.lobby import Settings, Stage
from net.protocol.messages import ClientCommand, KeyShareWanted, TableSealed
from net.protocol.requests import Chat, Close, Kick, Leave, PlayAgain, PutBot, SetReady, Start
from net.room.sealing import SealedLog, share_holders
from net.room.state import Begin, DealNext, GameStep, RoomState
from net.secure.sealing import SealBroken, open_share
from tests.net.room.room_fixture import play_on
from tests.net.room.sealed_table import (
    SealedTable,
    member,
    seat_key,
    seat_people,
)


def secrets_of(state: RoomState) -> list[bytes]:
    """All that a journal must not show: the seeds, and the host's share in them."""
    assert state.record is not None
    return [*state.record.seeds, state.share]


def test_a_journal_shows_no_act_while_the_game_lasts() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    acts = [step for step in table.steps if step.sealed]
    assert len(acts) == 2 + 7, "the host's share in the draw, the deal, and the moves"
    assert not any(step.act or step.share for step in table.steps)
    journal = b"".join(table.disk)
    assert all(secret not in journal for secret in secrets_of(table.room.state))


def test_all_acts_of_a_game_are_of_one_length_when_sealed() -> None:
    table = seat_people("Ann", "Ben", "Cleo", moves=40)
    assert {len(step.sealed) for step in table.steps if step.sealed} == {64 + TAG_BYTES}


def test_the_same_act_is_sealed_differently_each_time() -> None:
    one, other = seat_people("Ann", "Ben", "Cleo"), seat_people("Ann", "Ben", "Cleo")
    assert one.room.state.record == other.room.state.record
    sealed = [step.sealed for table in (one, other) for step in table.steps if step.sealed]
    assert len(set(sealed)) == len(sealed)


def test_the_host_and_watchers_hold_no_share() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    table.come("Wim", watch=True)
    holders = share_holders(table.room.state)
    assert holders == {2: seat_key("Ben").public, 3: seat_key("Cleo").public}
    table.kill()
    for name in ("Ann", "Wim"):
        table.come(name)
        asked = [one for one in table.people[name].got if isinstance(one, KeyShareWanted)]
        assert not asked
    assert table.last_news("Wim").needed == 2


def test_a_share_opens_with_its_own_persons_key_alone() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    log = SealedLog(table.steps)
    for name in ("Ann", "Cleo", "Wim"):
        with pytest.raises(SealBroken):
            open_share(seat_key(name), log.share_of(member("Ben")))


def key_of(table: SealedTable) -> bytes:
    """The key under which a table is sealed now, by the shares of all."""
    log = SealedLog(table.steps)
    for name in ("Ben", "Cleo"):
        share = open_share(seat_key(name), log.share_of(member(name)))
        assert log.give(member(name), share)
    return log.key()


def test_each_opening_begins_a_new_key_so_that_no_two_copies_of_a_journal_share_one() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    copy, keys = list(table.disk), {key_of(table)}
    for _ in range(2):
        table.disk = list(copy)
        table.kill()
        for name in ("Ann", "Ben", "Cleo"):
            table.come(name)
        keys.add(key_of(table))
    assert len(keys) == 3


def test_who_comes_and_goes_changes_who_opens_the_table() -> None:
    table = seat_people("Ann", "Ben", "Cleo", "Dede")
    assert table.wants("Ben", Leave()) is None
    assert table.wants("Ann", Kick(member("Cleo"))) is None
    before = table.room.state
    table.kill()
    table.come("Ann")
    assert table.last_news("Ann") == TableSealed(1, ("Dede",), yours=True), (
        "one is left, with a key of their own"
    )
    table.come("Dede")
    assert table.room.state.game == before.game


def test_a_table_that_everybody_but_the_host_has_left_opens_by_itself() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    for name in ("Ben", "Cleo"):
        assert table.wants(name, Leave()) is None
    before = table.room.state
    table.kill()
    assert table.room.state.game == before.game


def test_the_second_round_is_sealed_and_opened_like_the_first() -> None:
    table = seat_people("Ann", "Ben", "Cleo", moves=1000)
    for name in ("Ann", "Ben", "Cleo"):
        assert table.wants(name, SetReady(ready=True)) is None
    play_on(table, 5)
    before = table.room.state
    assert before.record is not None
    assert len(before.record.seeds) == 2
    assert not any(isinstance(step.act, DealNext | GameStep) for step in table.steps)
    table.kill()
    for name in ("Ben", "Cleo"):
        table.come(name)
    assert table.room.state.record == before.record


def test_when_a_game_is_over_its_steps_are_in_the_clear_and_no_key_is_left() -> None:
    table = seat_people("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1), moves=1000)
    assert table.room.state.phase is Phase.OVER
    assert not any(step.sealed or step.epoch for step in table.steps)
    assert isinstance(next(step.act for step in table.steps if step.act), Begin)
    sealer = table.room.sealer
    assert sealer is not None
    assert not any((sealer._key, sealer._steps, sealer._holders))
    before = table.room.state
    table.kill()
    assert table.room.state.record == before.record


def test_a_game_that_is_over_and_the_next_are_told_apart() -> None:
    table = seat_people("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1), moves=1000)
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, 4)
    before = table.room.state
    table.kill()
    table.come("Ben")
    assert not table.is_open()
    table.come("Cleo")
    assert table.room.state.record == before.record


def test_the_last_step_of_a_game_that_was_killed_before_it_was_written_changes_nothing() -> None:
    settings = Settings(seats=3, rounds=1)
    table = seat_people("Ann", "Ben", "Cleo", settings=settings, moves=1)
    on_disk, before = list(table.disk), table.room.state
    while table.room.state.phase is not Phase.OVER:
        on_disk, before = list(table.disk), table.room.state
        play_on(table, 1)
    table.disk = on_disk
    table.kill()
    for name in ("Ben", "Cleo"):
        table.come(name)
    assert table.room.state.game == before.game


def test_a_table_that_is_closed_in_a_game_leaves_no_act_and_no_share_behind() -> None:
    table = seat_people("Ann", "Ben", "Cleo")
    record = table.room.state
    assert table.wants("Ann", Close()) is None
    assert table.room.lobby.stage is Stage.CLOSED
    assert not any(step.sealed or step.epoch or step.act for step in table.steps)
    assert all(secret not in b"".join(table.disk) for secret in secrets_of(record))


def test_a_lobby_is_not_sealed() -> None:
    table = SealedTable()
    for name in ("Ann", "Ben"):
        table.come(name)
    assert table.wants("Ben", Chat("hello")) is None
    table.kill()
    table.come("Ann")
    assert table.people["Ann"].client.status.lobby == table.room.lobby
    assert not any(step.sealed or step.epoch for step in table.steps)


def test_a_share_of_an_earlier_key_is_a_wrong_one() -> None:
    table = seat_people("Ann", "Ben", "Cleo", "Dede")
    earlier = open_share(seat_key("Ben"), SealedLog(table.steps).share_of(member("Ben")))
    assert table.wants("Dede", Leave()) is None
    log = SealedLog(table.steps)
    assert not log.give(member("Ben"), earlier)
    assert log.give(member("Ben"), open_share(seat_key("Ben"), log.share_of(member("Ben"))))


def test_a_seat_key_that_nothing_can_be_encrypted_to_harms_only_whoever_made_it_up() -> None:
    table = SealedTable()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    table.come("Dede", key=(1).to_bytes(32, "little"))
    assert table.wants("Ann", PutBot(4, "Bot", "random")) is None
    for name in ("Ann", "Ben", "Cleo", "Dede"):
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    table.kill()
    table.come("Dede", key=(1).to_bytes(32, "little"))
    for name in ("Ben", "Cleo"):
        table.come(name)
    assert table.is_open()


def drawing() -> SealedTable:
    """A table whose first seed is being drawn: the others' programs say nothing yet."""
    table = SealedTable(Settings(seats=3, rounds=1))
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    table.deaf = True
    table.say(table.people["Ann"], ClientCommand(99, Start()))
    table.deaf = False
    return table


def test_the_hosts_share_in_a_draw_is_sealed_before_the_game_begins() -> None:
    table = drawing()
    before = table.room.state
    assert before.lobby.is_drawing
    assert before.share
    assert before.share not in b"".join(table.disk)
    table.kill()
    table.come("Ben")
    assert table.room.state.share == b"", "not even the program knows it"
    table.come("Cleo")
    assert table.room.state.share == before.share
    table.come("Ann")
    assert table.is_open(), "the draw went on to its end"


def test_the_hosts_share_in_a_draw_that_came_to_nothing_needs_no_seal() -> None:
    table = drawing()
    share = table.room.state.share
    assert table.wants("Ben", Leave()) is None
    assert table.room.lobby.draw is None
    assert share in b"".join(table.disk)
    assert not any(step.sealed or step.epoch for step in table.steps)
