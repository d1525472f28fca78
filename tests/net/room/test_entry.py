"""Who may come to a table: sent away, a new code, locked, too many, and without end; and stages.

A stage sees what watchers see, and is nobody there.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.state import Phase
from net.discovery.advert import AdvertStage
from net.protocol import messages
from net.protocol.framing import BadFrame
from net.protocol.lobby import A_STAGE, Presence, Settings
from net.protocol.lobby_events import CodeRenewed
from net.protocol.messages import CloseReason, Ping, Refusal, StepAway
from net.protocol.requests import ChangeSettings, Chat, Close, Kick, Leave, Lock, NewCode
from net.room import inputs
from net.room.sessions import GONE_AFTER_S, MAX_STAGES, TABLE_LIMITS
from net.secure.code import RoomCode
from net.secure.limits import home_of
from tests.net.room.room_fixture import Guest, Table, key_of, play_on, playing, three_at_a_table

HOME = "192.168.1.7"


def refusal_of(connected: Guest) -> Refusal | CloseReason | None:
    """Why somebody may not come in."""
    last = connected.got[-1] if connected.got else None
    return last.reason if isinstance(last, messages.CommandRefused | messages.Closing) else None


def codes(table: Table, name: str) -> list[str]:
    """The room codes that somebody was told."""
    return [message.code for message in table.people[name].find(messages.Code)]


def kick(table: Table, name: str) -> None:
    """The host sends somebody away."""
    assert table.wants("Ann", Kick(table.people[name].member)) is None


def come_anew(table: Table, name: str) -> Refusal | CloseReason | None:
    """Somebody comes whose program knows nothing of the table; why they may not come in."""
    del table.people[name]
    return refusal_of(table.come(name))


def test_who_is_sent_away_comes_back_once_the_host_has_told_them_a_newer_code() -> None:
    table = three_at_a_table()
    kick(table, "Ben")
    assert table.room.state.member_with(key_of("Ben")) is None, "the key opens the table no more"
    (code,) = codes(table, "Ann")
    assert code == table.room.state.code == str(RoomCode.parse(code))
    assert codes(table, "Cleo") == [code], "who has a seat may go on with the table"
    assert codes(table, "Wim") == [], "who watches might show it"
    assert CodeRenewed() in table.people["Cleo"].news, "and all that there is another"
    assert come_anew(table, "Ben") is CloseReason.KICKED
    table.crash()
    assert table.room.state.code == code
    table.come("Ann")
    assert codes(table, "Ann") == [code], "the host learns it again"
    assert come_anew(table, "Ben") is CloseReason.KICKED
    table.seed = bytes(32)
    assert table.wants("Ann", NewCode()) is None
    assert codes(table, "Ann") == [code, table.room.state.code]
    assert table.room.state.code != code
    assert come_anew(table, "Ben") is None


def test_an_open_table_has_no_code_to_renew_and_once_it_needs_one_readmits_nobody() -> None:
    table = three_at_a_table()
    settings = table.lobby.settings
    assert table.wants("Ann", NewCode()) is None
    (known,) = codes(table, "Ann")
    assert table.wants("Ann", ChangeSettings(replace(settings, is_open=True))) is None
    assert table.wants("Ann", NewCode()) is Refusal.NO_CODE
    kick(table, "Ben")
    assert codes(table, "Ann") == [known]
    assert come_anew(table, "Ben") is CloseReason.KICKED
    table.seed = bytes(32)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert codes(table, "Ann") == [known, table.room.state.code]
    assert table.room.state.code != known
    assert come_anew(table, "Ben") is CloseReason.KICKED, "a club's table has no other bar"


def test_at_a_locked_table_nobody_is_new_and_everybody_comes_back() -> None:
    table = three_at_a_table(Settings(seats=4, rounds=1))
    assert table.wants("Ben", Lock(locked=True)) is Refusal.HOST_ONLY
    assert table.wants("Ann", Lock(locked=False)) is Refusal.NOT_NOW
    assert table.wants("Ann", Lock(locked=True)) is None
    assert table.room.stage is AdvertStage.LOCKED
    assert refusal_of(table.come("Dede")) is Refusal.LOCKED
    assert refusal_of(table.come("Eva", watch=True)) is Refusal.LOCKED
    assert refusal_of(table.come("Ben")) is None
    table.crash()
    assert table.lobby.locked, "its journal knows"
    for name in ("Ann", "Cleo", "Wim"):
        assert refusal_of(table.come(name)) is None
    assert table.wants("Ann", Lock(locked=False)) is None
    assert come_anew(table, "Dede") is None


def come_from(table: Table, name: str, address: str, key: str = "") -> Guest:
    """Somebody comes from an address, to watch."""
    home, key_bytes = home_of(address), key_of(key or name)
    guest = table.people[name] = table.near(name, watch=True, address=home, key=key_bytes)
    table.say(guest, guest.client.begin_connection())
    return guest


def refusal_from(table: Table, name: str, address: str) -> Refusal | CloseReason | None:
    """Somebody comes from an address; why they may not come in."""
    return refusal_of(come_from(table, name, address))


def test_one_address_takes_no_more_than_half_of_all_places() -> None:
    table = three_at_a_table()
    for number in range(TABLE_LIMITS.per_address):
        assert refusal_from(table, f"mallory {number}", HOME) is None
    assert refusal_from(table, "one more", HOME) is Refusal.CROWDED
    assert refusal_from(table, "somebody else", "192.168.1.8") is None
    assert table.wants("mallory 0", Leave()) is None
    del table.people["one more"]
    table.wait(1 / TABLE_LIMITS.of_address.rate)
    assert refusal_from(table, "one more", HOME) is None


def test_who_has_proven_the_earlier_code_and_not_entered_yet_has_to_prove_the_new_one() -> None:
    table = three_at_a_table()
    # The second has a seat, the third is the host.
    waiting = {name: table.near(name) for name in ("spare", "Cleo", "Ann")}
    kick(table, "Ben")
    assert {name for name, guest in waiting.items() if guest.ended} == {"spare"}
    table.say(waiting["spare"], waiting["spare"].client.begin_connection())
    assert [person.name for person in table.lobby.people] == ["Ann", "Cleo", "Wim"]


def test_who_has_not_entered_an_open_table_before_it_needs_a_code_has_to_prove_that() -> None:
    table = three_at_a_table()
    settings = table.lobby.settings
    near = {name: table.near(name) for name in ("early", "Cleo")}
    assert table.wants("Ann", ChangeSettings(replace(settings, is_open=True))) is None
    assert not [name for name, guest in near.items() if guest.ended], "it has become no harder"
    near["late"] = table.near("late")
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert {name for name, guest in near.items() if guest.ended} == {"early", "late"}


FLOOD_S = 200
A_SECOND = 5
"""Attempts in a second: many more than are ever let in."""


def host_alone() -> Table:
    """A table whose host is there."""
    table = Table(Settings(seats=10))
    table.come("Ann")
    return table


def leave(table: Table, guest: Guest) -> None:
    """Somebody leaves for good, as far as they are there."""
    if guest.client.entered:
        table.say(guest, *guest.client.request(Leave()))
    else:
        inputs.drop_connection(table.room, table.now, guest.connection)


def flood(table: Table, seconds: float, once: Callable[[int], object]) -> None:
    """Do something `A_SECOND` times a second, while the host pings."""
    ann = table.people["Ann"]
    for number in range(int(seconds * A_SECOND)):
        table.now += 1 / A_SECOND
        if number % A_SECOND == 0:
            table.say(ann, ann.client.ping())
            table.happen(inputs.tick(table.room, table.now))
        once(number)


@pytest.mark.parametrize(
    ("address", "seconds", "steps", "kilobytes"),
    [
        pytest.param("192.168.1.66", FLOOD_S, 120, 8, marks=pytest.mark.level("broad")),
        pytest.param("10.0.0.{}", FLOOD_S, 400, 32, marks=pytest.mark.level("broad")),
        ("2001:db8:0:7::{:x}", 60, 80, 8),
    ],
    ids=["an address", "everywhere", "a household"],
)
def test_a_flood_of_names_and_keys_writes_little(
    address: str, seconds: int, steps: int, kilobytes: int
) -> None:
    table = host_alone()

    def come_and_go(number: int) -> None:
        here = address.format(number % 250)
        leave(table, come_from(table, f"mallory {number}", here, f"key {number}"))

    flood(table, seconds, come_and_go)
    assert table.room.state.number < steps
    assert sum(map(len, table.disk)) < kilobytes * 1024
    assert len(table.lobby.people) == 1


@pytest.mark.parametrize("is_dropped", [False, True])
def test_who_steps_away_and_comes_back_without_end_is_told_of_a_few_times_a_minute(
    *, is_dropped: bool
) -> None:
    table = host_alone()
    assert refusal_from(table, "Fay", HOME) is None
    start = table.room.state.number

    def flap(number: int) -> None:
        fay = table.people["Fay"]
        if number % 10 == 0:
            table.say(fay, StepAway())
            if is_dropped:
                inputs.drop_connection(table.room, table.now, fay.connection)
                come_from(table, "Fay", HOME)
        elif not is_dropped:
            table.say(fay, Ping(table.room.state.number))

    flood(table, FLOOD_S, flap)
    assert 2 * FLOOD_S // 10 <= table.room.state.number - start <= 2 * (6 + FLOOD_S // 10)


def test_who_steps_away_too_often_counts_as_gone_after_ten_seconds_and_is_there_when_back() -> None:
    table = Table(Settings(seats=4))
    table.come("Ann")
    fay = table.come("Fay")
    for _ in range(7):
        table.say(fay, StepAway())
        table.say(fay, Ping(0))
    table.say(fay, StepAway())
    assert table.presence("Fay") is Presence.THERE, "so far as all were told"
    table.wait(11, "Fay")
    assert table.presence("Fay") is Presence.GONE
    table.come("Fay")
    assert table.presence("Fay") is Presence.THERE


def test_a_whole_club_comes_in_at_once_from_one_address_and_a_flood_is_told_when_to_try() -> None:
    table = host_alone()
    for number in range(TABLE_LIMITS.per_address):
        guest = come_from(table, f"friend {number}", "203.0.113.5")
        assert guest.client.entered
        leave(table, guest)
    assert refusal_from(table, "one more", "203.0.113.5") is Refusal.BUSY
    assert refusal_from(table, "Bea", "203.0.113.6") is None, "others come in"
    flood(table, 11, lambda _: None)
    assert refusal_from(table, "one more", "203.0.113.5") is None


def test_who_comes_back_by_their_key_is_not_counted_nor_is_the_host() -> None:
    table = host_alone()
    for _ in range(100):
        fay = come_from(table, "Fay", HOME)
        assert fay.client.entered
        inputs.drop_connection(table.room, table.now, fay.connection)
        table.now += 2
    assert table.lobby.has_name("Fay")


# Stages.


def show(table: Table, name: str = "Stage") -> Guest:
    """A stage comes."""
    return table.come(name, is_stage=True)


def test_a_stage_follows_a_game_as_a_watcher_does_and_the_others_learn_nothing_of_it() -> None:
    table = playing()
    told = {name: len(guest.got) for name, guest in table.people.items()}
    lobby, written = table.lobby, len(table.disk)
    stage = show(table)
    assert stage.member == A_STAGE
    assert (table.lobby, len(table.disk)) == (lobby, written)
    table.drop("Stage")
    stage = show(table)
    assert {name: len(table.people[name].got) for name in told} == told
    play_on(table)
    view = stage.view
    assert view == table.people["Wim"].view
    assert (view.phase, view.seat, view.hand, view.role) == (Phase.OVER, None, (), None)
    assert not stage.client.lost
    table.ask(stage)
    assert stage.client.status.lobby == table.lobby


def test_a_stage_keeps_no_table_playing_and_its_own_silence_ends_it_alone() -> None:
    table = playing()
    stage = show(table)
    table.wait(GONE_AFTER_S + 1, "Stage")
    assert stage.farewell is CloseReason.TOO_SLOW
    assert all(not person.presence.is_gone for person in table.lobby.people)
    stage = show(table)
    table.wait(GONE_AFTER_S + 1, "Ann", "Ben", "Cleo", "Wim")
    assert all(person.presence.is_gone for person in table.lobby.people)
    assert not table.room.may_play
    assert isinstance(stage.got[-1], messages.Pong)


def test_what_a_stage_asks_ends_its_connection_and_nobody_can_enter_as_one_too() -> None:
    table = playing()
    for message in (messages.BeginNow(), *table.people["Ben"].client.request(Chat("hello"))):
        stage = show(table)
        assert stage.client.status.why_not(Chat("hello")) is Refusal.NOT_NOW
        assert not stage.client.status.is_asked
        table.say(stage, message)
        assert stage.farewell is CloseReason.OUT_OF_ORDER
    stage = show(table)
    table.say(stage, StepAway())
    assert stage.farewell is CloseReason.LEFT
    ben = table.people["Ben"]
    stage = show(table)
    table.say(ben, stage.client.begin_connection())
    assert ben.farewell is CloseReason.OUT_OF_ORDER
    assert len(table.room.sessions.stages) == 1
    while not stage.ended:
        table.ask(stage)
    assert stage.farewell is CloseReason.OUT_OF_ORDER, "too many snapshots"
    assert refusal_of(show(table, "Other")) is Refusal.BUSY


def test_a_locked_table_lets_in_no_stage_that_was_not_there_and_a_closed_one_none() -> None:
    table = playing()
    show(table)
    table.drop("Stage")
    assert table.wants("Ann", Lock(locked=True)) is None
    assert refusal_of(show(table, "Other")) is Refusal.LOCKED
    assert show(table).client.entered
    assert table.wants("Ann", Close()) is None
    assert refusal_of(show(table)) is Refusal.NOT_NOW


def test_a_stage_stays_and_comes_back_without_the_new_code_which_it_is_not_told() -> None:
    table = playing()
    stage = show(table)
    assert table.wants("Ann", NewCode()) is None
    assert not stage.ended
    assert not stage.client.status.code
    assert table.room.is_known(key_of("Stage"))
    assert not table.room.is_known(key_of("Other"))
    again = show(table)
    assert stage.farewell is CloseReason.REPLACED
    assert not again.ended


def test_so_many_stages_are_there_at_once_and_no_more() -> None:
    table = playing()
    for number in range(MAX_STAGES):
        table.wait(2)
        show(table, f"Stage {number}")
    table.wait(2)
    assert refusal_of(show(table, "Other")) is Refusal.BUSY


@pytest.mark.parametrize("is_stage", [True, False])
def test_a_host_cannot_take_a_player_for_a_stage_nor_a_stage_for_a_player(
    *, is_stage: bool
) -> None:
    table = playing()
    guest = table.come("Dora", is_stage=is_stage, watch=True)
    with pytest.raises(BadFrame):
        guest.client.receive(messages.Welcome(1 if is_stage else A_STAGE, 1, 0, 0))
    other = table.come("Else", is_stage=not is_stage, watch=True)
    guest.client.begin_connection()
    guest.client.status = type(guest.client.status)()
    with pytest.raises(BadFrame):
        guest.client.receive(next(message for message in other.numbered))
