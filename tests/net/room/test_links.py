"""Links that break, double, fall silent or misbehave, and a host that dies: what each is told."""

import msgspec
import pytest

from engine import Keep
from net.codec import write_move
from net.frames import FROM_HOST, BadFrame, decode, pack
from net.lobby import Claim, Presence, Settings, Topic
from net.messages import (
    CLIENT_KINDS,
    Alarm,
    Command,
    Disk,
    DiskIs,
    Empty,
    Enter,
    Farewell,
    FromClient,
    GoUnsaved,
    HandOver,
    Here,
    Kick,
    No,
    Ping,
    Play,
    Pong,
    PutBot,
    Refused,
    Resync,
    Say,
    Settled,
    Sit,
    Snapshot,
    Start,
    Tell,
    Told,
    Want,
)
from net.room import Founding, Room, Send
from net.room.guests import RING, STRANGERS
from tests.net.room.table import Guest, Table, key_of, play_on, playing, three_at_a_table


def test_every_step_gives_everybody_exactly_one_frame() -> None:
    table = playing()
    table.come("Late", watch=True)
    play_on(table, 9)
    table.wants("Ben", Say("so"))
    for name in ("Ann", "Ben", "Cleo", "Wim", "Late"):
        steps = [told.step for told in table.people[name].numbered]
        assert steps == list(range(steps[0], table.room.state.number + 1))


def test_the_newest_link_of_a_person_takes_over_at_once() -> None:
    table = playing()
    old = table.people["Ben"]
    new = table.come("Ben")
    assert old.farewell is Farewell.REPLACED
    assert old.ended
    assert [type(one) for one in new.got] == [Here], "nothing was missed"
    assert not table.say(old, Ping(0)).do, "the old link is not heard"
    table.room.lost(old.link, table.now)
    assert table.wants("Ben", Say("still here")) is None


def test_who_comes_back_gets_what_they_missed_or_a_snapshot() -> None:
    table = playing()
    ben = table.people["Ben"]
    table.room.lost(ben.link, table.now)
    for number in range(3):
        table.wants("Ann", Say(f"{number}"))
    back = table.come("Ben")
    assert [type(one) for one in back.got] == [Here, Told, Told, Told]
    table.room.lost(back.link, table.now)
    for number in range(RING + 1):
        table.now += 1
        table.wants("Ann", Say(f"{number}"))
    back = table.come("Ben")
    assert [type(one) for one in back.got] == [Here, Snapshot]
    assert back.client.view == table.room.state.view(back.client.seat)


def test_who_claims_to_have_seen_the_future_gets_a_snapshot() -> None:
    table = playing()
    table.links += 1
    table.room.arrive(table.links, key_of("Ben"), 0)
    outcome = table.room.receive(table.links, Enter("Ben", watch=False, incarnation=1, seen=999), 0)
    sent = [do.message for do in outcome.do if isinstance(do, Send) and do.link == table.links]
    assert [type(one) for one in sent] == [Here, Snapshot]


def test_silence_is_told_to_all_and_ends_the_link_and_coming_back_too() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"]

    def presence() -> Presence:
        person = table.lobby.person(ben.client.member)
        assert person is not None
        return person.presence

    table.wait(4.5, "Ben")
    assert presence() is Presence.THERE
    table.wait(1, "Ben")
    assert presence() is Presence.SHAKY
    table.say(ben, ben.client.ping())
    assert presence() is Presence.THERE
    table.wait(10, "Ben")
    assert presence() is Presence.GONE
    assert ben.farewell is Farewell.TOO_SLOW
    back = table.come("Ben")
    assert presence() is Presence.THERE
    assert back.client.lobby == table.lobby


def test_who_takes_nothing_in_is_cut_off() -> None:
    table = three_at_a_table()
    ben = table.people["Ben"]
    table.wait(2)
    table.wants("Ann", Say("hear this"))
    for _ in range(24):
        table.now += 0.5
        if not ben.ended:
            table.happen(table.room.receive(ben.link, Ping(1), table.now))
        for name in ("Ann", "Cleo"):
            table.say(table.people[name], table.people[name].client.ping())
        table.happen(table.room.tick(table.now))
    assert ben.farewell is Farewell.TOO_SLOW
    assert not table.people["Cleo"].ended


def test_a_slow_reader_catches_up_with_a_snapshot() -> None:
    table = playing()
    guest = table.people["Wim"]
    outcome = table.room.catch_up(guest.link, table.now)
    assert [type(do.message) for do in outcome.do if isinstance(do, Send)] == [Snapshot]
    assert not table.room.catch_up(99, table.now).do


def test_a_clock_that_jumps_does_no_harm() -> None:
    table = playing()
    before = table.room.state.number
    table.happen(table.room.tick(-1000.0))
    assert table.room.state.number == before
    table.happen(table.room.tick(1e9))
    assert table.room.state.number == before, "the host slept, and everybody else was there"
    table.now = 5.0
    table.wait(4.5, "Ben")
    table.wait(1, "Ben")
    presence = {person.name: person.presence for person in table.lobby.people}
    assert presence.pop("Ben") is Presence.SHAKY, "time goes on from wherever the clock is"
    assert set(presence.values()) == {Presence.THERE}


def test_a_full_disk_stops_all_that_would_have_to_be_saved() -> None:
    table = playing()
    table.happen(table.room.disk_is(DiskIs.FULL, 0.0))
    assert all(guest.client.disk is DiskIs.FULL for guest in table.people.values())
    before = table.room.state
    assert table.wants("Ben", Say("hm")) is No.DISK_FULL
    assert table.plays(table.name_to_act(), table.move()) is No.DISK_FULL
    newcomer = table.come("New")
    assert newcomer.got == [Refused(0, No.DISK_FULL)]
    del table.people["New"]
    table.wait(12, "Cleo")
    assert table.people["Cleo"].ended
    assert table.room.state == before
    assert table.room.bot_turn() is None
    back = table.come("Cleo")
    assert back.client.entered
    table.happen(table.room.disk_is(DiskIs.UNSAVED, table.now))
    assert table.wants("Ben", Say("on we go")) is None
    assert any(one == Disk(DiskIs.UNSAVED) for one in table.people["Ann"].got)
    assert isinstance(table.come("Late").got[1], Snapshot)
    assert table.people["Late"].client.disk is DiskIs.UNSAVED


def test_only_the_host_goes_on_unsaved_and_only_while_the_disk_is_full() -> None:
    table = playing()
    assert table.wants("Ann", GoUnsaved()) is No.NOT_NOW
    table.happen(table.room.disk_is(DiskIs.FULL, 0.0))
    assert table.wants("Ben", GoUnsaved()) is No.HOST_ONLY
    ann = table.people["Ann"]
    (wanted,) = ann.client.want(GoUnsaved())
    outcome = table.say(ann, wanted)
    assert (outcome.go_unsaved, outcome.after, outcome.steps) == (True, 0, ())
    assert ann.got[-1] == Settled(ann.client.last_id)
    table.happen(table.room.disk_is(DiskIs.UNSAVED, 0.0))
    again = table.say(ann, wanted)
    assert not again.go_unsaved
    assert ann.got[-1] == Settled(ann.client.last_id)
    assert table.wants("Ben", Say("on we go")) is None


def test_a_refusal_for_a_full_disk_does_not_wait_for_the_disk() -> None:
    table = playing()
    table.happen(table.room.disk_is(DiskIs.FULL, 0.0))
    for message in (Command(99, Say("hm")), Ping(0)):
        assert table.room.receive(table.people["Ben"].link, message, 0.0).after == 0


def test_wrong_codes_are_told_to_the_host_alone_and_once() -> None:
    table = playing()
    outcome = table.happen(table.room.wrong_codes(5, 0.0))
    assert outcome.do == (Send(table.people["Ann"].link, Alarm(5)),)
    assert outcome.after == 0
    assert table.people["Ann"].client.receive(Alarm(5)).alarm == 5
    table.room.lost(table.people["Ann"].link, 0.0)
    for tried in (10, 20):
        assert table.room.wrong_codes(tried, 0.0).do == ()
    assert Alarm(20) not in table.come("Ben").got
    assert [one for one in table.come("Ann").got if isinstance(one, Alarm)] == [Alarm(20)]
    assert not [one for one in table.come("Ann").got if isinstance(one, Alarm)]


def test_wrong_codes_are_told_to_a_host_who_comes_late() -> None:
    table = Table()
    table.room.wrong_codes(5, 0.0)
    assert Alarm(5) not in table.come("Ben").got
    assert Alarm(5) in table.come("Ann").got


def test_a_dead_host_comes_back_as_it_was_and_nobody_is_there_yet() -> None:
    table = playing()
    play_on(table, 10)
    before = table.room.state
    table.crash()
    assert table.room.state.game == before.game
    assert table.room.state.talk == before.talk
    assert {person.presence for person in table.lobby.people} == {Presence.GONE}
    guest = table.come("Ben")
    assert [type(one) for one in guest.got] == [Here, Snapshot]
    for name in ("Ann", "Cleo", "Wim"):
        table.come(name)
    play_on(table)
    assert table.people["Wim"].client.view == table.room.state.view(None)


def test_a_move_decided_upon_in_steps_that_were_lost_is_dropped() -> None:
    table = playing()
    name = table.name_to_act()
    client = table.people[name].client
    saved = table.room.state.number
    table.wants("Wim", Say("never saved"))
    client.unlinked()
    client.play(table.move())
    client.want(Say("kept"))
    del table.disk[saved:]
    table.crash()
    table.come(name)
    assert not client.wanted
    assert [line.text for line in table.room.state.talk] == ["kept"]
    assert client.view is not None
    assert client.view.to_act == client.seat, "it is still their turn"
    client.unlinked()
    client.play(table.move())
    table.crash()
    table.room.incarnation += 1
    table.come(name)
    assert not client.wanted, "what happened two lives ago, nobody knows"


def test_a_journal_that_is_none_is_refused() -> None:
    table = three_at_a_table()
    with pytest.raises(msgspec.DecodeError):
        Room.resume(b"junk", (), 1, lambda: bytes(32), 0.0)
    with pytest.raises(msgspec.DecodeError):
        Room.resume(table.kept, (b"junk",), 1, lambda: bytes(32), 0.0)


def test_an_outcome_tells_which_step_has_to_be_on_disk_before_it_leaves() -> None:
    table = playing()
    guest = table.people["Ben"]
    ping = table.room.receive(guest.link, Ping(0), 0.0)
    assert (ping.after, ping.steps) == (0, ())
    answer = table.room.receive(guest.link, Resync(), 0.0)
    assert answer.after == table.room.state.number
    said = table.room.receive(guest.link, Command(99, Say("x")), 0.0)
    assert [step.number for step in said.steps] == [said.after] == [table.room.state.number]


SEAT = 9
HOSTILE: list[Want] = [
    Play(2**31 - 1, write_move(Keep(3))),
    Play(0, write_move(Keep(1))),
    Sit(SEAT),
    Empty(SEAT),
    PutBot(SEAT, "\x1b]0;", "x"),
    HandOver(SEAT, 2**31 - 1),
    Kick(2**31 - 1),
    Tell(Claim(Topic.WHO_ME, 9)),
    Say("\x00"),
    Start(),
]


@pytest.mark.parametrize("want", HOSTILE, ids=repr)
@pytest.mark.parametrize("name", ["Ann", "Ben", "Wim"])
@pytest.mark.parametrize("moment", ["lobby", "game", "over"])
def test_what_makes_no_sense_is_refused_to_its_sender_alone(
    want: Want, name: str, moment: str
) -> None:
    table = three_at_a_table()
    if moment != "lobby":
        table.wants("Ann", Start())
    if moment == "over":
        play_on(table)
    before, steps = table.room.state, len(table.disk)
    others = {guest.name: len(guest.got) for guest in table.people.values()}
    why = table.wants(name, want)
    if isinstance(want, Start) and moment == "lobby" and name == "Ann":
        assert why is None
        return
    assert why is not None
    assert table.room.state == before
    assert len(table.disk) == steps
    assert not table.people[name].ended
    for guest in table.people.values():
        assert len(guest.got) == others[guest.name] + (guest.name == name)


@pytest.mark.parametrize("message", [Command(1, Start()), Resync()], ids=["command", "resync"])
def test_who_has_not_entered_may_only_do_that(message: FromClient) -> None:
    table = playing()
    before = table.room.state
    table.links += 1
    table.room.arrive(table.links, key_of("Ben"), 0.0)
    pong = table.room.receive(table.links, Ping(5), 0.0)
    assert [do.message for do in pong.do if isinstance(do, Send)] == [Pong(0)]
    outcome = table.room.receive(table.links, message, 0.0)
    assert len(outcome.do) == 2
    assert table.room.state == before
    assert not table.room.catch_up(table.links, 0.0).do
    table.room.lost(table.links, 0.0)


def test_a_link_that_never_enters_is_ended() -> None:
    table = playing()
    table.links += 1
    table.room.arrive(table.links, bytes(32), 0.0)
    assert not table.room.catch_up(table.links, 0.0).do
    table.room.lost(77, 0.0)
    table.room.lost(table.links, 0.0)
    for pings in (False, True):
        eve = stranger(table)
        for _ in range(19):
            table.wait(0.5)
            assert not eve.ended
            if pings:
                table.say(eve, Ping(0))
        table.wait(0.5)
        assert eve.farewell is Farewell.TOO_SLOW


def test_of_many_links_that_never_enter_the_oldest_have_to_go() -> None:
    table = playing()
    many = [stranger(table) for _ in range(STRANGERS + 2)]
    assert [eve.farewell for eve in many[:3]] == [Farewell.TOO_SLOW, Farewell.TOO_SLOW, None]
    table.come("Dede")
    assert table.people["Dede"].client.entered
    assert table.wants("Ben", Say("nobody here has noticed")) is None


def stranger(table: Table) -> Guest:
    """Somebody whose link is trusted, and who does not enter."""
    table.links += 1
    eve = table.guests[table.links] = Guest("Eve", table.links, watch=False)
    table.happen(table.room.arrive(eve.link, bytes(32), table.now))
    return eve


def test_who_enters_twice_or_asks_for_snapshots_without_end_is_cut_off() -> None:
    table = playing()
    ben, cleo = table.people["Ben"], table.people["Cleo"]
    table.say(ben, ben.client.linked())
    assert ben.farewell is Farewell.OUT_OF_ORDER
    for _ in range(5):
        table.say(cleo, Resync())
    assert cleo.farewell is Farewell.TOO_MUCH
    assert not table.people["Wim"].ended


def test_who_was_kicked_is_heard_no_more() -> None:
    table = playing()
    ben = table.people["Ben"]
    table.wants("Ann", Kick(ben.client.member))
    before = table.room.state
    for message in (
        Command(99, Say("!")),
        Ping(1),
        Resync(),
        Enter("Ben", watch=False, incarnation=0, seen=0),
    ):
        assert not table.say(ben, message).do
    assert table.room.state == before


@pytest.mark.parametrize(
    "value",
    [
        {"is": "command", "id": 2**70, "want": [2, "x"]},
        {"is": "command", "id": 0, "want": [2, "x"]},
        {"is": "command", "id": 1, "want": [4, 10]},
        {"is": "command", "id": 1, "want": [4, -1]},
        {"is": "command", "id": 1, "want": [4, 1, 1]},
        {"is": "command", "id": 1, "want": [99]},
        {"is": "command", "id": 1, "want": [1, 0, [1, 26, [0, 0]]]},
        {"is": "command", "id": 1, "want": [1, 0, [1, 0, [100, 0]]]},
        {"is": "command", "id": 1, "want": [1, 0, [7, 4]]},
        {"is": "command", "id": 1, "want": [2, "x" * 161]},
        {"is": "command", "id": 1, "want": [8, ["international", 4, 5, -1, False, 0, 0, "x"]]},
        {"is": "enter", "name": "x" * 57, "watch": False, "incarnation": 0, "seen": 0},
        {"is": "ping", "seen": 2**31},
        {"is": "told"},
    ],
)
def test_a_value_out_of_bounds_is_no_message(value: object) -> None:
    with pytest.raises(BadFrame):
        decode(value, *CLIENT_KINDS)


def test_a_table_says_of_itself_what_strangers_may_know() -> None:
    room = Room(Founding("T", bytes(32), Settings()), 1, lambda: bytes(32), 0.0)
    assert (room.stage, room.players) == ("lobby", 0)
    assert not room.knows(bytes(32))


def test_frames_of_an_ordinary_step_fit_the_smallest_bucket() -> None:
    table = playing()
    play_on(table)
    sizes = [
        len(pack(told, FROM_HOST))
        for told in table.people["Ben"].numbered
        if isinstance(told, Told)
    ]
    assert sorted(sizes)[len(sizes) // 2] == 260
    assert max(sizes) <= 4 + 4096


def test_two_guests_of_one_name_are_no_two_people() -> None:
    table = Table()
    table.come("Ann")
    other = table.come("Ann", key=bytes(32))
    assert other.got[-1] == Refused(0, No.NAME_TAKEN)
