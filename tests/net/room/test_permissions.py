"""The room and everybody at its table agree on who may do what, and why not.

A table is led through states by requests drawn at random. In each state every person is asked about
every request: from what their own client holds, `why_not` says just what the room decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from engine import KeepGold, Phase
from net.client.session import Status
from net.client.trail import is_possible_lobby
from net.protocol import requests as ask
from net.protocol.doors import DoorKind
from net.protocol.fields import NOBODY
from net.protocol.game_wire import write_move
from net.protocol.hall import HallRequest
from net.protocol.lobby import (
    THE_TABLE,
    ChatRule,
    Dwarf,
    Lobby,
    Presence,
    Settings,
    TableClaim,
    Topic,
)
from net.protocol.lobby_events import HandingOver, PresenceChanged, apply_all
from net.protocol.messages import CommitShare, DiskStatus, Refusal
from net.room import inputs
from net.room.decisions import step_of, why_not, why_refused
from net.room.permissions import (
    is_asked_whether_ready,
    is_round_due,
    people_awaited,
    players_missing,
    seats_waited_for,
    who_decides,
)
from net.room.sessions import SHAKY_AFTER_S
from net.room.steps import apply_step
from tests.net.room.room_fixture import Guest, Table, play_on, three_in_game, three_in_lobby
from tests.samples import first

SETTINGS = Settings(seats=5, rounds=2)
STAGES = ("lobby", "open lobby", "round", "pause", "deal", "over")
HOSTS_POWERS = get_args(ask.HostStepRequest) + get_args(ask.HostControlRequest)
NEWCOMERS = tuple(f"guest {number}" for number in range(30))


def list_requests(table: Table) -> Iterator[ask.TableRequest]:
    """Yield requests of every kind: possible ones, and each kind of impossible one."""
    lobby, seats, seen = table.lobby, len(table.lobby.chairs), table.room.state.number
    settings = lobby.settings
    yield ask.MakeMove(seen, write_move(KeepGold(3)))
    if table.room.state.game is not None and table.game.to_act is not None:
        yield ask.MakeMove(seen, write_move(table.move()))
    yield from (ask.Chat("hm"), ask.Chat("\x07"))
    yield from (ask.MakeClaim(TableClaim(Topic.BLUFF, seat)) for seat in (0, seats - 1, seats))
    yield from (ask.Sit(seat) for seat in range(seats + 1))
    yield from (ask.StandUp(), ask.SetReady(ready=True), ask.SetReady(ready=False), ask.Leave())
    yield from (ask.PickDwarf(Dwarf(look, 9 - look)) for look in (NOBODY, 0, 9))
    yield from (ask.Nudge(), ask.React(ask.Reaction.GASP), ask.LetBotMove(), ask.ShowStep(7))
    changes: tuple[dict[str, object], ...] = (
        {},
        {"seats": seats - 1} if seats > 3 else {},
        {"seats": min(seats + 1, 10)},
        {"youngest": seats - 1},
        {"youngest": seats},
        {"youngest": NOBODY - 1},
        {"edition": "atlantis"},
        {"stand_in": "deep blue"},
        {"is_open": not settings.is_open},
        {"rounds": 3},
    )
    yield from (ask.ChangeSettings(replace(settings, **change)) for change in changes)
    yield from (ask.PutBot(seat, f"Bot {seat}", "random") for seat in range(seats + 1))
    free = (*lobby.free_seats, 0)[0]
    yield from (ask.PutBot(free, name, "random") for name in ("Ann", "\x07"))
    yield ask.PutBot(free, "Zed", "deep blue")
    yield from (ask.FreeSeat(seat) for seat in range(seats + 1))
    members = (*(person.member for person in lobby.people), 99)
    yield from (ask.Kick(member) for member in members)
    yield from (ask.HandOver(seat, member) for seat in (0, seats - 1, seats) for member in members)
    yield from (ask.Start(), ask.NextRound(), ask.PlayAgain(), ask.Close(), ask.NewCode())
    yield from (ask.GiveHost(members[0]), ask.SwitchDoor(DoorKind.SSH, open=True))
    yield from (ask.TakeHost(), ask.ContinueWithout(), ask.GoUnsaved())
    yield from (
        ask.Pause(paused=True),
        ask.Pause(paused=False),
        ask.Lock(locked=True),
        ask.Lock(locked=False),
    )


def test_a_request_of_each_kind_is_compared() -> None:
    of_tables = set(get_args(ask.TableRequest)) - set(get_args(HallRequest))
    assert {type(request) for request in list_requests(three_in_lobby())} == of_tables


def why(
    guest: Guest, request: ask.TableRequest, disk: DiskStatus = DiskStatus.OK
) -> Refusal | None:
    """Return why somebody may not, by what their own client holds."""
    client = guest.client
    assert client.status.lobby is not None
    return why_not(client.status.lobby, client.status.view, client.status.member, request, disk)


def compare(table: Table) -> Counter[tuple[str, Refusal | None]]:
    """Ask everybody about everything, compare with the room's decision, and count the answers."""
    answers: Counter[tuple[str, Refusal | None]] = Counter()
    state = table.room.state
    wanted = tuple(list_requests(table))
    for guest in table.people.values():
        for request in wanted:
            reason = why(guest, request)
            assert reason is why_refused(state, guest.member, request), request
            if guest.name != "Ann" and isinstance(request, HOSTS_POWERS):
                assert reason is Refusal.HOST_ONLY, request
            answers[type(request).__name__, reason] += 1
            if reason is None:
                assert not isinstance(request, ask.GoUnsaved)
                if isinstance(request, ask.SwitchDoor | ask.LetBotMove | ask.React):
                    continue  # it makes no step
                step = step_of(state, guest.member, 1, request, bytes(32))
                after, _events = apply_step(state, step)
                assert is_possible_lobby(after.lobby), request
                assert all(event.fits(state.lobby) for event in step.news[:1])
    return answers


def venture(table: Table, rng: Random) -> None:
    """Let somebody come, go or ask for something, and see that the room does as they were told."""
    table.wait(0.5)
    chance, newcomer = rng.random(), next(n for n in NEWCOMERS if n not in table.people)
    game = table.room.state.game
    if chance < 0.1 and len(table.people) < 9 and not table.lobby.locked:
        table.come(newcomer, watch=rng.random() < 0.5)
    elif chance < 0.15:
        table.wait(11, rng.choice([name for name in table.people if name != "Ann"] or ["Ann"]))
        for name, guest in table.people.items():
            if guest.ended:
                guest.client.end_connection()
                table.come(name)
    elif chance < 0.4 and game is not None and game.to_act is not None and not table.lobby.paused:
        play_on(table, rng.choice((1, 3, 1000)), seed=rng.randrange(99))
    else:
        name = rng.choice(["Ann", *table.people])
        request = choose(table, name, rng)
        expected = why(table.people[name], request)
        assert table.wants(name, request) is expected, request
    for name in [
        name for name, person in table.people.items() if person.ended or not person.member
    ]:
        del table.people[name]


def choose(table: Table, name: str, rng: Random) -> ask.TableRequest:
    """Draw a request that leaves the table open, most often an allowed one, and often to go on."""
    rare = ask.Kick | ask.Leave | ask.FreeSeat if rng.random() < 0.9 else ask.Close
    ways = [
        request for request in list_requests(table) if not isinstance(request, ask.Close | rare)
    ]
    allowed = [request for request in ways if why(table.people[name], request) is None]
    onward = [
        request
        for request in allowed
        if isinstance(request, ask.Start | ask.SetReady | ask.NextRound | ask.PlayAgain)
    ]
    if onward and rng.random() < 0.5:
        return rng.choice(onward)
    drawn = allowed if allowed and rng.random() < 0.8 else ways
    kind = rng.choice(sorted({type(request).__name__ for request in drawn}))
    return rng.choice([request for request in drawn if type(request).__name__ == kind])


@pytest.mark.parametrize("seed", first(1, range(200), thorough=2))
def test_everybody_knows_what_the_room_will_say(seed: int) -> None:
    rng = Random(seed)
    table = table_at(rng.choice(STAGES))
    for _ in range(25):
        venture(table, rng)
        compare(table)


def table_at(stage: str) -> Table:
    """Return a table at this stage, with three players and a watcher."""
    if stage in {"lobby", "open lobby"}:
        return three_in_lobby(replace(SETTINGS, is_open=stage == "open lobby"))
    table = three_in_game(SETTINGS)
    if stage == "pause":
        assert table.wants("Ann", ask.Pause(paused=True)) is None
    if stage in {"deal", "over"}:
        play_on(table)
    if stage == "over":
        assert table.wants("Ann", ask.NextRound()) is None
        play_on(table)
    return table


@pytest.mark.parametrize("stage", STAGES)
def test_at_each_stage_the_room_and_the_people_agree(stage: str) -> None:
    answers = compare(table_at(stage))
    assert all(answers["Kick", reason] for reason in (None, Refusal.HOST_ONLY, Refusal.HOST_STAYS))
    assert bool(answers["PlayAgain", None]) is (stage == "over")
    assert answers["ShowStep", None] == (stage == "over"), "the host alone"
    assert bool(answers["NextRound", None]) is (stage == "deal")
    assert bool(answers["Start", None]) is (stage in {"lobby", "open lobby"})
    assert bool(answers["MakeMove", None]) is (stage == "round")
    assert bool(answers["HandOver", Refusal.HOLDS_CARDS]) is (stage in {"round", "pause"})


@pytest.mark.level("broad")
def test_every_reason_that_can_be_known_in_advance_is_given_at_some_stage() -> None:
    alone, unready = Table(SETTINGS), Table(SETTINGS)
    alone.come("Ann")
    unready.come_all("Ann", "Ben", "Cleo")
    assert unready.wants("Ben", ask.SetReady(ready=False)) is None
    cut_off = table_at("round")
    cut_off.wait(SHAKY_AFTER_S, *(name for name in cut_off.people if name != "Ann"))
    silent = three_in_lobby(replace(SETTINGS, chat=ChatRule.CLAIMS))
    tables = (alone, unready, cut_off, silent, *map(table_at, STAGES))
    given = {reason for table in tables for _name, reason in compare(table)}
    of_the_moment = {Refusal.STALE, Refusal.TOO_FAST, Refusal.DISK_FULL}
    of_newcomers = {
        Refusal.TABLE_FULL,
        Refusal.LOCKED,
        Refusal.CROWDED,
        Refusal.BUSY,
    }
    of_clubs = {
        Refusal.CLUB_ONLY,
        Refusal.CLUB_FULL,
        Refusal.TABLES_ENOUGH,
        Refusal.ORGANISER_ONLY,
        Refusal.WRONG_WORD,
    }
    never_sent = {Refusal.UNREADABLE}
    reasons = set(Refusal) - of_the_moment - of_newcomers - of_clubs - never_sent
    assert given - {None} == reasons


CLAIM = ask.MakeClaim(TableClaim(Topic.WHO_ME))


def test_what_watchers_say_waits_for_the_end_of_the_round_unless_the_host_lets_them() -> None:
    table = three_in_game(SETTINGS)
    for said in (ask.Chat("the north one!"), CLAIM):
        assert table.wants("Wim", said) is Refusal.WATCHERS_WAIT
        assert table.wants("Ben", said) is None
    rules = replace(table.lobby.settings, chat=ChatRule.ALL)
    assert table.wants("Ann", ask.ChangeSettings(rules)) is None, "even within a round"
    for said in (ask.Chat("the north one!"), CLAIM):
        assert table.wants("Wim", said) is None
    rules = replace(rules, chat=ChatRule.WATCHERS_WAIT)
    assert table.wants("Ann", ask.ChangeSettings(rules)) is None
    play_on(table)
    for said in (ask.Chat("it was the north one"), CLAIM):
        assert table.wants("Wim", said) is None


def test_at_a_silent_table_nobody_writes_and_players_claim() -> None:
    table = three_in_game(replace(SETTINGS, chat=ChatRule.CLAIMS))
    for name in ("Ann", "Ben", "Wim"):
        assert table.wants(name, ask.Chat("hm")) is Refusal.CLAIMS_ONLY
    assert table.wants("Ben", CLAIM) is None
    assert table.wants("Wim", CLAIM) is Refusal.WATCHERS_WAIT


def seconds_left(table: Table, but: str = "") -> set[int | None]:
    """How long the turn may still last, as the programs of all, or all but one, show it."""
    return {guest.client.status.turn_left for name, guest in table.people.items() if name != but}


def test_everybody_sees_how_long_a_turn_may_still_last() -> None:
    table = three_in_game(replace(SETTINGS, turn_seconds=60))
    assert seconds_left(table) == {60}
    table.wait(21)
    assert seconds_left(table) == {35}, "by steps of five"
    table.come("Zoe", watch=True)
    table.wait(30)
    assert seconds_left(table) == {9}, "by seconds at the end, for who came in the turn, too"
    play_on(table, 1)
    assert seconds_left(table) == {60}, "the next turn"
    table.wait(20)
    assert table.wants("Ann", ask.Pause(paused=True)) is None
    assert seconds_left(table) == {None}
    table.wait(5)
    assert seconds_left(table) == {None}
    assert table.wants("Ann", ask.Pause(paused=False)) is None
    assert seconds_left(table) == {60}, "a pause gives all of it back"


def test_a_turn_has_no_clock_if_nothing_limits_it() -> None:
    table = three_in_game(SETTINGS)
    table.wait(5)
    assert seconds_left(table) == {None}
    table = three_in_game(replace(SETTINGS, turn_seconds=60))
    absent = table.name_to_act()
    table.wait(11, absent)
    assert seconds_left(table, but=absent) == {None}, "a bot plays for them"
    play_on(table)
    assert seconds_left(table, but=absent) == {None}, "the round is over"


def test_while_the_disk_is_full_the_host_alone_can_do_what_makes_no_step() -> None:
    table = three_in_game()
    disk = DiskStatus.FULL
    table.apply(inputs.note_disk(table.room, table.now, disk))
    for name, guest in table.people.items():
        for request in list_requests(table):
            reason = why(guest, request, disk)
            assert reason is why_refused(table.room.state, guest.member, request, disk)
            assert (reason is None) is (
                name == "Ann" and isinstance(request, ask.HostControlRequest)
            )


def test_a_status_asks_for_its_own_person_and_refuses_all_before_they_are_at_the_table() -> None:
    ben = three_in_lobby().people["Ben"]
    status = Status(member=ben.member, game_state=ben.held)
    assert status.why_not(ask.Start()) is Refusal.HOST_ONLY
    assert status.why_not(ask.SetReady(ready=True)) is None
    full = Status(member=ben.member, game_state=ben.held, disk=DiskStatus.FULL)
    assert full.why_not(ask.SetReady(ready=True)) is Refusal.DISK_FULL
    assert Status().why_not(ask.Chat("hello")) is Refusal.NOT_NOW


# Whom a table waits for.


def list_awaited(table: Table) -> list[str]:
    """Who still has to say that they are ready."""
    return [person.name for person in people_awaited(table.lobby)]


def test_a_game_waits_for_all_but_the_host_and_a_round_for_all_who_are_connected() -> None:
    table = Table(Settings(seats=3, rounds=2))
    for name, lacking in (("Ann", 2), ("Ben", 1), ("Cleo", 0)):
        table.come(name)
        assert players_missing(table.lobby) == lacking
    assert list_awaited(table) == [], "who sits down is ready"
    for name in ("Ann", "Ben", "Cleo"):
        assert table.wants(name, ask.SetReady(ready=False)) is None
    assert list_awaited(table) == ["Ben", "Cleo"]
    assert seats_waited_for(table.lobby) == (1, 2)
    for name in ("Ben", "Cleo"):
        assert not table.lobby.is_ready(table.people[name].member)
        table.ready(name)
        assert table.lobby.is_ready(table.people[name].member)
    assert list_awaited(table) == []
    assert not table.lobby.is_ready(99), "who watches or is not there never is"
    assert table.wants("Ann", ask.Start()) is None
    play_on(table)
    assert list_awaited(table) == ["Ann", "Ben", "Cleo"]
    table.wait(11, "Cleo")
    assert list_awaited(table) == ["Ann", "Ben"]
    assert not is_round_due(table.lobby)
    table.wait(11, "Ann", "Ben")
    assert list_awaited(table) == []
    assert not is_round_due(table.lobby), "nor is it dealt to players who are all gone"
    table.come_all("Ann", "Ben")
    for name in ("Ann", "Ben"):
        assert table.room.state.phase is Phase.DEAL
        table.ready(name)
    assert table.room.state.phase is Phase.PLAY


def test_people_who_sit_are_asked_if_they_are_ready_until_they_are_or_the_draw_begins() -> None:
    table = three_in_lobby(Settings(seats=3, rounds=2))

    def list_asked() -> list[str]:
        found = []
        for name, guest in table.people.items():
            status = guest.client.status
            assert status.lobby is not None
            if is_asked_whether_ready(status.lobby, status.view, status.member):
                found.append(name)
        return found

    assert list_asked() == []
    assert table.wants("Ben", ask.SetReady(ready=False)) is None
    assert list_asked() == ["Ben"]
    table.ready("Ben")
    assert table.wants("Ann", ask.Start()) is None
    assert list_asked() == [], "a round is under way"
    play_on(table)
    assert list_asked() == ["Ann", "Ben", "Cleo"]
    table.holds = {"Ben": (CommitShare,)}
    assert table.wants("Ann", ask.NextRound()) is None
    assert table.lobby.is_drawing
    assert list_asked() == [], "the round's seed is being drawn"


ANN, BEN, CLEO, WIM = 1, 2, 3, 4


def without(lobby: Lobby, *gone: int) -> Lobby:
    """The lobby after some have lost their connections."""
    return apply_all(lobby, [PresenceChanged(member, Presence.GONE) for member in gone])


def test_somebody_who_decides_goes_on_without_the_others_if_they_lack() -> None:
    lobby = three_in_lobby().lobby
    for gone, decides in (((), ANN), ((BEN, CLEO), ANN), ((ANN,), BEN), ((ANN, BEN), CLEO)):
        assert who_decides(without(lobby, *gone)) == decides
    assert who_decides(without(lobby, ANN, BEN, CLEO)) == THE_TABLE, "a watcher does not"
    asked = ask.ContinueWithout()
    assert why_not(lobby, None, ANN, asked) is Refusal.NOT_NOW, "all are there"
    assert why_not(lobby, None, BEN, asked) is Refusal.HOST_ONLY
    assert why_not(without(lobby, BEN, CLEO), None, ANN, asked) is None
    hostless = without(lobby, ANN, CLEO)
    assert why_not(hostless, None, BEN, asked) is None
    assert why_not(hostless, None, WIM, asked) is Refusal.HOST_ONLY


def test_the_table_is_offered_to_one_who_is_there_and_not_while_it_is_handed_over() -> None:
    table = three_in_lobby()
    for member in (99, ANN):
        assert table.wants("Ann", ask.GiveHost(member)) is Refusal.NO_SUCH_PERSON
        assert table.lobby.offered == THE_TABLE
    assert table.wants("Ann", ask.GiveHost(BEN)) is None
    assert table.lobby.offered == BEN
    assert why_not(table.lobby, None, ANN, ask.GiveHost(CLEO)) is None
    handed = HandingOver(begins=True).change(table.lobby)
    assert why_not(handed, None, ANN, ask.GiveHost(CLEO)) is Refusal.NOT_NOW
