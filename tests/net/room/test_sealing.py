"""A sealed table: what its journal holds, and how those who come back open it again."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations

import pytest
from msgspec.structs import replace

from engine import Phase
from net.lobby.model import Settings, Stage
from net.protocol.messages import (
    Chat,
    ClientCommand,
    Close,
    CloseReason,
    EnterTable,
    Kick,
    Leave,
    PlayAgain,
    Pong,
    PutBot,
    Refusal,
    Resync,
    SetReady,
    ShareGiven,
    ShareWanted,
    Start,
    TableSealed,
    Welcome,
)
from net.room.effects import Effects
from net.room.room import Room
from net.room.sealing import SealedLog, share_holders
from net.room.state import (
    Begin,
    DealNext,
    GameStep,
    RoomState,
    Step,
    TableCreated,
    read_step,
    write,
)
from net.security.keys import SeatKey
from net.security.sealing import TAG_BYTES, SealBroken, open_share
from tests.net.room.room_fixture import Guest, Table, play_on

ROUNDS = Settings(seats=5, rounds=2)


def seat_key(name: str) -> SeatKey:
    """The whole seat key of a person."""
    return SeatKey(sha256(name.encode()).digest())


class SealedTable(Table):
    """A table with a sealed journal, at which everybody has a real seat key."""

    def __init__(self, settings: Settings = ROUNDS) -> None:
        super().__init__(settings)
        created = TableCreated("Gold Rush", seat_key("Ann").public, settings)
        self.kept = write(created)
        self.room = Room(created, 1, lambda: self.seed, 0.0, seals=True)

    def happen(self, effects: Effects) -> Effects:
        for step in effects.steps:
            for number, payload in step.rewritten:
                self.disk[number - 1] = payload
            self.disk.append(step.payload)
        return super().happen(replace_steps(effects))

    def come(self, name: str, *, watch: bool = False, key: bytes | None = None) -> Guest:
        if name not in self.people:
            self.people[name] = Guest(name, 0, watch=watch)
            self.people[name].client.key = seat_key(name)
        return super().come(name, watch=watch, key=key or seat_key(name).public)

    def kill(self) -> None:
        """Kill the host, and bring it back from its disk as far as that goes by itself."""
        life = self.room.incarnation + 1
        self.room = Room.resume(self.kept, self.disk, life, lambda: self.seed, self.now, seals=True)
        for guest in self.people.values():
            guest.ended = True
            guest.client.disconnected()
        self.happen(self.room.reopen(self.now))

    @property
    def steps(self) -> list[Step]:
        """The steps as they lie in the journal."""
        return [read_step(payload) for payload in self.disk]

    def told(self, name: str) -> TableSealed:
        """What somebody was last told of the sealed table."""
        return [one for one in self.people[name].got if isinstance(one, TableSealed)][-1]

    def is_open(self) -> bool:
        """Whether the table has opened."""
        return self.room.state.game is not None


def replace_steps(effects: Effects) -> Effects:
    """The same without its steps, which are on disk."""
    return Effects((), effects.do, effects.after, effects.finished, effects.go_unsaved)


def seated(*names: str, settings: Settings = ROUNDS, moves: int = 7) -> SealedTable:
    """A table at which these people play, and bots on the other chairs, some moves on."""
    table = SealedTable(settings)
    for name in names:
        table.come(name)
    for seat in range(len(names), settings.seats):
        assert table.wants("Ann", PutBot(seat, f"Bot {seat}", "random")) is None
    for name in names:
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, moves)
    return table


def secrets_of(state: RoomState) -> list[bytes]:
    """All that a journal must not show: the seeds, and each move as it is written."""
    assert state.record is not None
    return list(state.record.seeds)


def test_a_journal_shows_no_act_while_the_game_lasts() -> None:
    table = seated("Ann", "Ben", "Cleo")
    acts = [step for step in table.steps if step.sealed]
    assert len(acts) == 2 + 7  # the beginning of the draw with the host's share, and the deal
    assert all(step.act is None and not step.share for step in table.steps)
    assert table.room.state.share not in b"".join(table.disk)
    journal = b"".join(table.disk)
    assert all(secret not in journal for secret in secrets_of(table.room.state))


def test_all_acts_of_a_game_are_of_one_length_when_sealed() -> None:
    table = seated("Ann", "Ben", "Cleo", moves=40)
    assert {len(step.sealed) for step in table.steps if step.sealed} == {64 + TAG_BYTES}


def test_the_same_act_is_sealed_differently_each_time() -> None:
    one, other = seated("Ann", "Ben", "Cleo"), seated("Ann", "Ben", "Cleo")
    assert one.room.state.record == other.room.state.record
    sealed = [step.sealed for table in (one, other) for step in table.steps if step.sealed]
    assert len(set(sealed)) == len(sealed)


@pytest.mark.parametrize("pair", list(combinations(("Ben", "Cleo", "Dede"), 2)))
def test_any_two_people_but_the_host_open_the_table_again(pair: tuple[str, str]) -> None:
    table = seated("Ann", "Ben", "Cleo", "Dede")
    before = table.room.state
    table.kill()
    table.come("Ann")
    assert not table.is_open()
    table.come(pair[0])
    assert not table.is_open()
    assert table.told("Ann").needed == 1
    table.come(pair[1])
    assert table.is_open()
    for name in ("Ann", *pair):
        assert table.people[name].client.view == before.view(before.lobby.seat_of(member(name)))
        assert table.people[name].client.sealed is None
    assert table.room.state.record == before.record
    assert table.room.state.talk == before.talk
    play_on_with_stand_ins(table)


def member(name: str) -> int:
    """The number of a member, who came in alphabetical order."""
    return ord(name[0]) - ord("A") + 1


def play_on_with_stand_ins(table: SealedTable) -> None:
    """Play on until the round is over; bots stand in for those who are away."""
    table.wait(15, *(name for name, guest in table.people.items() if guest.ended))
    for _ in range(300):
        game = table.room.state.game
        assert game is not None
        if game.phase is not Phase.PLAY:
            return
        name = table.name_to_act()
        if name in table.people and not table.people[name].ended:
            assert table.plays(name, table.move()) is None
        else:
            turn = table.room.bot_turn()
            assert turn is not None
            table.happen(table.room.bot_moved(turn, table.move(), table.now))
    raise AssertionError("the round does not end")


def test_all_are_told_whom_the_table_waits_for() -> None:
    table = seated("Ann", "Ben", "Cleo", "Dede")
    table.kill()
    table.come("Ann")
    assert table.told("Ann") == TableSealed(2, ("Ben", "Cleo", "Dede"))
    assert table.people["Ann"].client.sealed == table.told("Ann")
    table.come("Cleo")
    assert table.told("Ann") == table.told("Cleo") == TableSealed(1, ("Ben", "Dede"))


def test_of_two_people_the_one_who_is_not_the_host_opens_the_table() -> None:
    table = seated("Ann", "Ben", settings=Settings(seats=3, rounds=1))
    table.kill()
    table.come("Ann")
    assert table.told("Ann") == TableSealed(1, ("Ben",))
    table.come("Ben")
    assert table.is_open()


def test_a_table_of_one_person_and_bots_needs_nobody() -> None:
    table = seated("Ann", settings=Settings(seats=3, rounds=1))
    before = table.room.state
    table.kill()
    assert table.is_open()
    assert table.room.state.record == before.record


def test_the_host_and_watchers_hold_no_share() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.come("Wim", watch=True)
    holders = share_holders(table.room.state)
    assert holders == {2: seat_key("Ben").public, 3: seat_key("Cleo").public}
    table.kill()
    for name in ("Ann", "Wim"):
        table.come(name)
        asked = [one for one in table.people[name].got if isinstance(one, ShareWanted)]
        assert not asked
    assert table.told("Wim").needed == 2


def test_a_share_opens_with_its_own_persons_key_alone() -> None:
    table = seated("Ann", "Ben", "Cleo")
    log = SealedLog(table.steps)
    for name in ("Ann", "Cleo", "Wim"):
        with pytest.raises(SealBroken):
            open_share(seat_key(name), log.share_of(member("Ben")))


def test_a_table_opens_after_any_number_of_kills() -> None:
    table = seated("Ann", "Ben", "Cleo")
    for _ in range(4):
        before = table.room.state
        table.kill()
        for name in ("Cleo", "Ben", "Ann"):
            table.come(name)
        assert table.room.state.game == before.game
        play_on(table, 3)
    assert len([step for step in table.steps if step.epoch]) == 1 + 4


def test_each_opening_begins_a_new_key_so_that_a_copied_journal_shows_no_two_acts_under_one() -> (
    None
):
    table = seated("Ann", "Ben", "Cleo")
    copy = list(table.disk)
    begun = []
    for _ in range(2):
        table.disk = list(copy)
        table.kill()
        for name in ("Ann", "Ben", "Cleo"):
            table.come(name)
        begun.append(next(step.epoch for step in reversed(table.steps) if step.epoch))
    assert begun[0] != begun[1]


def test_who_comes_and_goes_changes_who_opens_the_table() -> None:
    table = seated("Ann", "Ben", "Cleo", "Dede")
    assert table.wants("Ben", Leave()) is None
    assert table.wants("Ann", Kick(member("Cleo"))) is None
    before = table.room.state
    table.kill()
    table.come("Ann")
    assert table.told("Ann") == TableSealed(1, ("Dede",)), "one is left, with a key of their own"
    table.come("Dede")
    assert table.room.state.game == before.game


def test_a_table_that_everybody_but_the_host_has_left_opens_by_itself() -> None:
    table = seated("Ann", "Ben", "Cleo")
    for name in ("Ben", "Cleo"):
        assert table.wants(name, Leave()) is None
    before = table.room.state
    table.kill()
    assert table.room.state.game == before.game


def test_the_second_round_is_sealed_and_opened_like_the_first() -> None:
    table = seated("Ann", "Ben", "Cleo", moves=1000)
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
    table = seated("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1), moves=1000)
    assert table.room.state.phase is Phase.OVER
    assert not any(step.sealed or step.epoch for step in table.steps)
    assert isinstance(next(step.act for step in table.steps if step.act), Begin)
    before = table.room.state
    table.kill()
    assert table.room.state.record == before.record
    sealer = table.room._table.sealer
    assert sealer is not None
    assert not any((sealer._key, sealer._steps, sealer._holders))


def test_a_game_that_is_over_and_the_next_are_told_apart() -> None:
    table = seated("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1), moves=1000)
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
    table = seated("Ann", "Ben", "Cleo", settings=settings, moves=1)
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
    table = seated("Ann", "Ben", "Cleo")
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
    assert table.people["Ann"].client.lobby == table.room.lobby
    assert not any(step.sealed or step.epoch for step in table.steps)


def test_a_wrong_share_is_found_out_and_whose_it_is_and_the_others_go_on() -> None:
    table = seated("Ann", "Ben", "Cleo", "Dede")
    table.kill()
    for name in ("Ann", "Ben"):
        table.people[name].client.key = None if name == "Ben" else seat_key(name)
        table.come(name)
    table.say(table.people["Ben"], ShareGiven(bytes(32)))
    assert table.told("Ann") == TableSealed(2, ("Ben", "Cleo", "Dede"), wrong=("Ben",))
    for name in ("Cleo", "Dede"):
        table.come(name)
    assert table.is_open()
    assert table.people["Ben"].client.view is not None


def test_a_share_of_an_earlier_key_is_a_wrong_one() -> None:
    table = seated("Ann", "Ben", "Cleo", "Dede")
    earlier = open_share(seat_key("Ben"), SealedLog(table.steps).share_of(member("Ben")))
    assert table.wants("Dede", Leave()) is None
    log = SealedLog(table.steps)
    assert not log.give(member("Ben"), earlier)
    assert log.give(member("Ben"), open_share(seat_key("Ben"), log.share_of(member("Ben"))))


def test_nobody_who_holds_no_share_can_give_one() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.kill()
    table.come("Ann")
    table.say(table.people["Ann"], ShareGiven(bytes(32)))
    assert table.told("Ann") == TableSealed(2, ("Ben", "Cleo"), wrong=("Ann",))


def test_a_newcomer_is_asked_to_come_later() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.kill()
    eva = table.come("Eva", watch=True)
    assert [type(one) for one in eva.got] != [Welcome]
    assert getattr(eva.got[-1], "reason", None) is Refusal.SEALED
    table.say(eva, ShareGiven(bytes(32)))
    assert eva.farewell is CloseReason.OUT_OF_ORDER


def test_what_no_client_sends_to_a_sealed_table_ends_its_connection() -> None:
    for message in (ClientCommand(1, Chat("x")), Resync(), EnterTable("Ann", False, 0, 0)):  # noqa: FBT003 - a message's fields
        table = seated("Ann", "Ben", "Cleo")
        table.kill()
        ann = table.come("Ann")
        table.say(ann, message)
        assert ann.farewell is CloseReason.OUT_OF_ORDER
        table.come("Ben")
        table.come("Cleo")
        assert table.is_open()


def test_a_newer_connection_of_a_member_replaces_the_older_one_while_the_table_waits() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.kill()
    first = table.come("Ben")
    table.come("Ben")
    assert first.farewell is CloseReason.REPLACED
    asked = [one for one in table.people["Ben"].got if isinstance(one, ShareWanted)]
    assert not asked, "the share was given already"
    table.come("Cleo")
    assert table.is_open()


def test_a_share_stays_given_when_its_connection_ends() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.kill()
    ben = table.come("Ben")
    table.room.lost(ben.connection, table.now)
    ben.ended = True
    table.come("Cleo")
    assert table.is_open()


def test_a_sealed_table_answers_heartbeats_and_makes_no_step() -> None:
    table = seated("Ann", "Ben", "Cleo")
    before = len(table.disk)
    table.kill()
    ann = table.come("Ann")
    table.wait(60, "Ben", "Cleo")
    assert not ann.ended
    assert ann.got[-1] == Pong(0)
    assert len(table.disk) == before
    assert table.room.bot_turn() is None
    assert table.room.claim_request() is None
    assert not table.room.catch_up(ann.connection, table.now).do


def test_whoever_was_connected_hears_the_moves_of_all_once_the_table_is_open() -> None:
    table = seated("Ann", "Ben", "Cleo")
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    play_on(table, 20, seed=3)
    for name in ("Ann", "Ben", "Cleo"):
        state = table.room.state
        assert table.people[name].client.view == state.view(state.lobby.seat_of(member(name)))


def test_a_move_that_waited_for_the_host_is_made_after_the_opening() -> None:
    table = seated("Ann", "Ben", "Cleo", settings=Settings(seats=3, rounds=1))
    client, move = table.people[table.name_to_act()].client, table.move()
    before = table.room.state.turn
    table.kill()
    assert not client.play(move)
    for one in ("Ann", "Ben", "Cleo"):
        table.come(one)
    assert not client.pending
    assert table.room.state.turn > before


@pytest.mark.parametrize("at", [0, -1])
def test_a_journal_that_was_altered_opens_for_nobody_and_says_so(at: int) -> None:
    table = seated("Ann", "Ben", "Cleo")
    number = [n for n, step in enumerate(table.steps) if step.sealed][at]
    step = table.steps[number]
    table.disk[number] = write(replace(step, sealed=step.sealed[:-1] + b"?"))
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    assert not table.is_open()
    assert table.told("Ann") == TableSealed(0, (), broken=True)
    table.say(table.people["Ben"], ShareGiven(bytes(32)))
    assert table.told("Ann").broken


def test_what_is_public_of_a_sealed_step_cannot_be_altered_either() -> None:
    table = seated("Ann", "Ben", "Cleo")
    number = next(n for n, step in enumerate(table.steps) if step.sealed and step.by)
    table.disk[number] = write(replace(table.steps[number], by=1 + table.steps[number].by % 3))
    table.kill()
    for name in ("Ben", "Cleo"):
        table.come(name)
    assert table.told("Ben").broken


def test_an_altered_journal_that_needs_nobody_is_refused_at_once() -> None:
    table = seated("Ann", settings=Settings(seats=3, rounds=1))
    number, step = next((n, step) for n, step in enumerate(table.steps) if step.sealed)
    for sealed, epoch in ((b"?" * 80, step.epoch), (step.sealed, None)):
        table.disk[number] = write(replace(step, sealed=sealed, epoch=epoch))
        with pytest.raises(SealBroken):
            table.kill()


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
