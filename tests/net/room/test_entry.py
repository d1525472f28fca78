"""Who may come to a table: sent away, a new code, locked, too many, and without end; projectors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.state import Phase
from net.discovery.advert import AdvertStage
from net.protocol import messages
from net.protocol.lobby import Presence, Settings
from net.protocol.lobby_events import CodeRenewed, Entered
from net.protocol.messages import NOTHING_SEEN, CloseReason, EnterTable, Ping, Refusal, StepAway
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    HandOver,
    Kick,
    Leave,
    Lock,
    NewCode,
    SetReady,
    Sit,
    StandUp,
    TableRequest,
)
from net.room import inputs
from net.room.handlers import decide_entry
from net.room.sessions import GONE_AFTER_S, TABLE_LIMITS
from net.room.steps import Step
from net.secure.code import RoomCode
from net.secure.limits import home_of
from tests.net.room.room_fixture import Guest, Table, key_of, play_on, three_in_game, three_in_lobby

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


def come_again(table: Table, name: str) -> Refusal | CloseReason | None:
    """Somebody comes whose program knows nothing of the table; why they may not come in."""
    del table.people[name]
    return refusal_of(table.come(name))


def test_somebody_who_is_sent_away_comes_back_once_the_host_has_told_them_a_newer_code() -> None:
    table = three_in_lobby()
    kick(table, "Ben")
    assert table.room.state.member_with(key_of("Ben")) is None, "the key opens the table no more"
    (code,) = codes(table, "Ann")
    assert code == table.room.state.code == str(RoomCode.parse(code))
    assert codes(table, "Cleo") == [code], "who has a seat may go on with the table"
    assert codes(table, "Wim") == [], "who watches might show it"
    assert CodeRenewed() in table.people["Cleo"].news, "and all that there is another"
    assert come_again(table, "Ben") is CloseReason.KICKED
    table.crash()
    assert table.room.state.code == code
    table.come("Ann")
    assert codes(table, "Ann") == [code], "the host learns it again"
    assert come_again(table, "Ben") is CloseReason.KICKED
    table.seed = bytes(32)
    assert table.wants("Ann", NewCode()) is None
    assert codes(table, "Ann") == [code, table.room.state.code]
    assert table.room.state.code != code
    assert come_again(table, "Ben") is None


def test_the_code_is_told_to_all_who_have_seats_and_to_no_watcher() -> None:
    table = Table(Settings(seats=3))
    table.room.first_code = "amber-tulip"
    for name in ("Ann", "Ben"):
        table.come(name)
    table.come("Wim", watch=True)
    told = {name: codes(table, name) for name in table.people}
    assert told == {"Ann": ["amber-tulip"], "Ben": ["amber-tulip"], "Wim": []}
    assert not any(heard.code for heard in table.people["Ben"].received), "no news for him"
    assert table.wants("Ann", NewCode()) is None
    assert codes(table, "Ben") == ["amber-tulip", table.room.state.code]
    assert codes(table, "Wim") == []
    assert table.people["Ben"].client.status.code == table.room.state.code
    assert [heard.code for heard in table.people["Ben"].received if heard.code]


def test_an_open_table_has_no_code_to_renew_and_once_it_needs_one_readmits_nobody() -> None:
    table = three_in_lobby()
    settings = table.lobby.settings
    assert table.wants("Ann", NewCode()) is None
    (known,) = codes(table, "Ann")
    assert table.wants("Ann", ChangeSettings(replace(settings, is_open=True))) is None
    assert table.wants("Ann", NewCode()) is Refusal.NO_CODE
    kick(table, "Ben")
    assert codes(table, "Ann") == [known]
    assert come_again(table, "Ben") is CloseReason.KICKED
    table.seed = bytes(32)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert codes(table, "Ann") == [known, table.room.state.code]
    assert table.room.state.code != known
    assert come_again(table, "Ben") is CloseReason.KICKED, "a club's table has no other bar"


def test_at_a_locked_table_nobody_is_new_and_everybody_comes_back() -> None:
    table = three_in_lobby(Settings(seats=4, rounds=1))
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
    assert come_again(table, "Dede") is None


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
    table = three_in_lobby()
    for number in range(TABLE_LIMITS.per_address):
        assert refusal_from(table, f"mallory {number}", HOME) is None
    assert refusal_from(table, "one more", HOME) is Refusal.CROWDED
    assert refusal_from(table, "somebody else", "192.168.1.8") is None
    assert table.wants("mallory 0", Leave()) is None
    del table.people["one more"]
    table.wait(1 / TABLE_LIMITS.of_address.rate)
    assert refusal_from(table, "one more", HOME) is None


def test_pages_that_only_looked_in_keep_nobody_of_their_address_out() -> None:
    table = three_in_lobby()
    for number in range(TABLE_LIMITS.per_address):
        passer = come_from(table, f"passer {number}", HOME)
        inputs.drop_connection(table.room, table.now, passer.connection)
        del table.people[f"passer {number}"]
        table.wait(1 / TABLE_LIMITS.of_address.rate)
    assert refusal_from(table, "Bea", HOME) is None


def test_a_newcomer_with_the_earlier_code_who_has_not_entered_has_to_prove_the_new_one() -> None:
    table = three_in_lobby()
    # The second has a seat, the third is the host.
    waiting = {name: table.near(name) for name in ("spare", "Cleo", "Ann")}
    kick(table, "Ben")
    assert {name for name, guest in waiting.items() if guest.ended} == {"spare"}
    table.say(waiting["spare"], waiting["spare"].client.begin_connection())
    assert [person.name for person in table.lobby.people] == ["Ann", "Cleo", "Wim"]


def test_a_newcomer_who_has_not_entered_before_an_open_table_needs_a_code_has_to_prove_it() -> None:
    table = three_in_lobby()
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
            table.apply(inputs.tick(table.room, table.now))
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
def test_somebody_who_steps_away_and_comes_back_without_end_is_told_of_a_few_times_a_minute(
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


def test_a_player_who_often_steps_away_is_gone_after_ten_seconds_and_there_when_back() -> None:
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


def test_somebody_who_comes_back_by_their_key_is_not_counted_nor_is_the_host() -> None:
    table = host_alone()
    for _ in range(100):
        fay = come_from(table, "Fay", HOME)
        assert fay.client.entered
        inputs.drop_connection(table.room, table.now, fay.connection)
        table.now += 2
    assert table.lobby.has_name("Fay")


# Projectors.


def show(table: Table, name: str = "Projector") -> Guest:
    """A projector comes, with the code."""
    return table.come(name, is_projector=True)


def test_a_projector_is_a_watcher_named_as_such() -> None:
    table = three_in_game()
    first, second = show(table), table.come("Other key", is_projector=True)
    assert [person.name for person in table.lobby.watchers if person.projector] == [
        "Projector",
        "Other key",
    ]
    play_on(table)
    assert first.view == second.view == table.people["Wim"].view
    assert (first.view.phase, first.view.seat, first.view.hand) == (Phase.OVER, None, ())


def test_of_two_projectors_of_one_name_the_second_gets_a_number() -> None:
    table = three_in_game()
    show(table)
    entering = EnterTable("Projector", watch=True, incarnation=0, seen=NOTHING_SEEN, projector=True)
    decided = decide_entry(table.room.state, b"k" * 32, entering)
    assert isinstance(decided, Step)
    (entered,) = decided.news
    assert isinstance(entered, Entered)
    assert (entered.name, entered.projector) == ("Projector 2", True)


@pytest.mark.parametrize(
    "request_", [Chat("hello"), Sit(0), SetReady(ready=True), StandUp()], ids=repr
)
def test_a_projector_may_ask_for_nothing_but_to_leave(request_: TableRequest) -> None:
    table = host_alone()
    show(table)
    assert table.wants("Projector", request_) is Refusal.NO_SEAT
    assert table.wants("Ann", HandOver(1, table.people["Projector"].member)) is (
        Refusal.NO_SUCH_PERSON
    )
    assert table.wants("Projector", Leave()) is None
    assert not [person for person in table.lobby.people if person.projector]


@pytest.mark.parametrize("cause", ["a new code", "a removal"])
def test_a_new_code_ends_projectors_whose_keys_are_nobodys_then(cause: str) -> None:
    table = three_in_game()
    projectors = [show(table, f"Projector {number}") for number in range(8)]
    asked = NewCode() if cause == "a new code" else Kick(table.people["Wim"].member)
    assert table.wants("Ann", asked) is None
    assert {guest.farewell for guest in projectors} == {CloseReason.NEW_CODE}
    assert not any(person.projector for person in table.lobby.people)
    assert not any(table.room.is_known(key_of(f"Projector {number}")) for number in range(8))


def test_a_projector_is_removed_as_anybody_is() -> None:
    table = three_in_game()
    projector = show(table)
    assert table.wants("Ann", Kick(projector.member)) is None
    assert projector.farewell is CloseReason.KICKED


def test_eight_projectors_keep_nobody_out() -> None:
    table = host_alone()
    for number in range(8):
        table.wait(2)
        show(table, f"Projector {number}")
    table.wait(2)
    assert table.come("Ben").client.entered
    assert table.come("Another", is_projector=True).client.entered


def test_no_bot_plays_for_a_projector_alone() -> None:
    table = three_in_game()
    show(table)
    table.wait(GONE_AFTER_S + 1, "Ann", "Ben", "Cleo", "Wim")
    assert table.room.bot_turn() is None
