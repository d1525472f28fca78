"""The room and everybody at its table agree on who may do what, and why not.

A table is led through states by requests drawn at random. In each state every person is asked about
every request: from what their own client holds, `why_not` says just what the room decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from engine import KeepGold, Phase
from net.client.session import Status
from net.client.trail import is_possible_lobby
from net.protocol.events import write_move
from net.protocol.fields import NOBODY
from net.protocol.lobby import ChatRule, Settings, TableClaim, Topic
from net.protocol.messages import CommitShare, DiskStatus, Refusal
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    Close,
    FreeSeat,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    LetBotMove,
    Lock,
    MakeClaim,
    MakeMove,
    NewCode,
    NextRound,
    Nudge,
    Pause,
    PlayAgain,
    PutBot,
    SetReady,
    ShowStep,
    Sit,
    StandUp,
    Start,
    SwitchDoor,
    TableRequest,
)
from net.room import inputs
from net.room.requests import step_of, why_not, why_refused
from net.room.sessions import SHAKY_AFTER_S
from net.room.standing import (
    is_asked_whether_ready,
    is_round_due,
    people_awaited,
    players_missing,
    seats_waited_for,
)
from net.room.state import apply_step
from tests.net.client.unfair_table import UnfairTable
from tests.net.room.room_fixture import Guest, Table, play_on, playing, three_at_a_table
from tests.samples import first

SETTINGS = Settings(seats=5, rounds=2)
STAGES = ("lobby", "open lobby", "round", "pause", "deal", "over")
NEWCOMERS = tuple(f"guest {number}" for number in range(30))


def requests(table: Table) -> Iterator[TableRequest]:
    """Yield requests of every kind: possible ones, and each kind of impossible one."""
    lobby, seats, seen = table.lobby, len(table.lobby.chairs), table.room.state.number
    settings = lobby.settings
    yield MakeMove(seen, write_move(KeepGold(3)))
    if table.room.state.game is not None and table.game.to_act is not None:
        yield MakeMove(seen, write_move(table.move()))
    yield from (Chat("hm"), Chat("\x07"))
    yield from (MakeClaim(TableClaim(Topic.BLUFF, seat)) for seat in (0, seats - 1, seats))
    yield from (Sit(seat) for seat in range(seats + 1))
    yield from (StandUp(), SetReady(ready=True), SetReady(ready=False), Leave())
    yield from (Nudge(), LetBotMove(), ShowStep(7))
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
    yield from (ChangeSettings(replace(settings, **change)) for change in changes)
    yield from (PutBot(seat, f"Bot {seat}", "random") for seat in range(seats + 1))
    free = (*lobby.free_seats, 0)[0]
    yield from (PutBot(free, name, "random") for name in ("Ann", "\x07"))
    yield PutBot(free, "Zed", "deep blue")
    yield from (FreeSeat(seat) for seat in range(seats + 1))
    members = (*(person.member for person in lobby.people), 99)
    yield from (Kick(member) for member in members)
    yield from (HandOver(seat, member) for seat in (0, seats - 1, seats) for member in members)
    yield from (Start(), NextRound(), PlayAgain(), Close(), NewCode())
    yield from (Pause(paused=True), Pause(paused=False), Lock(locked=True), Lock(locked=False))


def ask(guest: Guest, request: TableRequest, disk: DiskStatus = DiskStatus.OK) -> Refusal | None:
    """Return why somebody may not, by what their own client holds."""
    client = guest.client
    assert client.status.lobby is not None
    return why_not(client.status.lobby, client.status.view, client.status.member, request, disk)


def compare(table: Table) -> Counter[tuple[str, Refusal | None]]:
    """Ask everybody about everything, compare with the room's decision, and count the answers."""
    answers: Counter[tuple[str, Refusal | None]] = Counter()
    state = table.room.state
    wanted = tuple(requests(table))
    for guest in table.people.values():
        for request in wanted:
            reason = ask(guest, request)
            assert reason is why_refused(state, guest.member, request), request
            answers[type(request).__name__, reason] += 1
            if reason is None:
                assert not isinstance(request, GoUnsaved)
                if isinstance(request, SwitchDoor | LetBotMove):
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
        expected = ask(table.people[name], request)
        assert table.wants(name, request) is expected, request
    for name in [
        name for name, person in table.people.items() if person.ended or not person.member
    ]:
        del table.people[name]


def choose(table: Table, name: str, rng: Random) -> TableRequest:
    """Draw a request that leaves the table open, most often an allowed one, and often to go on."""
    rare = Kick | Leave | FreeSeat if rng.random() < 0.9 else Close
    ways = [request for request in requests(table) if not isinstance(request, Close | rare)]
    allowed = [request for request in ways if ask(table.people[name], request) is None]
    onward = [
        request
        for request in allowed
        if isinstance(request, Start | SetReady | NextRound | PlayAgain)
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
        return three_at_a_table(replace(SETTINGS, is_open=stage == "open lobby"))
    table = playing(SETTINGS)
    if stage == "pause":
        assert table.wants("Ann", Pause(paused=True)) is None
    if stage in {"deal", "over"}:
        play_on(table)
    if stage == "over":
        assert table.wants("Ann", NextRound()) is None
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
    assert unready.wants("Ben", SetReady(ready=False)) is None
    cut_off = table_at("round")
    cut_off.wait(SHAKY_AFTER_S, *(name for name in cut_off.people if name != "Ann"))
    silent = three_at_a_table(replace(SETTINGS, chat=ChatRule.CLAIMS))
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


CLAIM = MakeClaim(TableClaim(Topic.WHO_ME))


def test_what_watchers_say_waits_for_the_end_of_the_round() -> None:
    table = playing(SETTINGS)
    for said in (Chat("the north one!"), CLAIM):
        assert table.wants("Wim", said) is Refusal.WATCHERS_WAIT
        assert table.wants("Ben", said) is None
    play_on(table)
    for said in (Chat("it was the north one"), CLAIM):
        assert table.wants("Wim", said) is None
    assert table.lobby.seat_of(table.people["Wim"].member) is None


def test_the_host_may_let_watchers_talk_at_any_time() -> None:
    table = playing(SETTINGS)
    settings = replace(table.lobby.settings, chat=ChatRule.ALL)
    assert table.wants("Ann", ChangeSettings(settings)) is None, "even within a round"
    for said in (Chat("the north one!"), CLAIM):
        assert table.wants("Wim", said) is None


def test_at_a_silent_table_nobody_writes_and_players_claim() -> None:
    table = playing(replace(SETTINGS, chat=ChatRule.CLAIMS))
    for name in ("Ann", "Ben", "Wim"):
        assert table.wants(name, Chat("hm")) is Refusal.CLAIMS_ONLY
    assert table.wants("Ben", CLAIM) is None
    assert table.wants("Wim", CLAIM) is Refusal.WATCHERS_WAIT


def begin_timed_game(seconds: int = 60) -> Table:
    """A game in which a turn may last so long, in the turn of a person."""
    return playing(replace(SETTINGS, turn_seconds=seconds))


def test_everybody_sees_how_long_a_turn_may_still_last() -> None:
    table = begin_timed_game()

    def seconds_left() -> set[int | None]:
        return {person.client.status.turn_left for person in table.people.values()}

    assert seconds_left() == {60}
    table.wait(21)
    assert seconds_left() == {35}, "by steps of five"
    table.come("Zoe", watch=True)
    table.wait(30)
    assert seconds_left() == {9}, "and by seconds at the end, for those, too, who came in the turn"
    play_on(table, 1)
    assert seconds_left() == {60}, "the next turn"
    table.wait(20)
    assert table.wants("Ann", Pause(paused=True)) is None
    assert seconds_left() == {None}
    table.wait(5)
    assert seconds_left() == {None}
    assert table.wants("Ann", Pause(paused=False)) is None
    assert seconds_left() == {60}, "a pause gives all of it back"


def test_a_turn_has_no_clock_if_nothing_limits_it() -> None:
    table = playing(SETTINGS)
    table.wait(5)
    assert {person.client.status.turn_left for person in table.people.values()} == {None}
    table = begin_timed_game()
    absent = table.name_to_act()
    table.wait(11, absent)
    others = [person for name, person in table.people.items() if name != absent]
    assert {guest.client.status.turn_left for guest in others} == {None}, "a bot plays for them"
    play_on(table)
    assert {guest.client.status.turn_left for guest in others} == {None}, "the round is over"


def test_while_the_disk_is_full_the_host_can_go_on_unsaved_and_nobody_anything_else() -> None:
    table = playing()
    disk = DiskStatus.FULL
    table.happen(inputs.note_disk(table.room, table.now, disk))
    for name, guest in table.people.items():
        for request in (*requests(table), GoUnsaved()):
            reason = ask(guest, request, disk)
            assert reason is why_refused(table.room.state, guest.member, request, disk)
            assert (reason is None) is (name == "Ann" and request == GoUnsaved())
    assert table.wants("Ben", Chat("hm")) is Refusal.DISK_FULL
    assert table.wants("Ben", GoUnsaved()) is table.wants("Ben", Start()) is Refusal.HOST_ONLY
    assert table.wants("Ann", GoUnsaved()) is None


def test_a_status_asks_for_its_own_person_and_refuses_all_before_they_are_at_the_table() -> None:
    table = three_at_a_table()
    client = table.people["Ben"].client
    status = Status(member=client.status.member, game_state=client.status.game_state)
    assert status.why_not(Start()) is Refusal.HOST_ONLY
    assert status.why_not(SetReady(ready=True)) is None
    full = Status(
        member=client.status.member, game_state=client.status.game_state, disk=DiskStatus.FULL
    )
    assert full.why_not(SetReady(ready=True)) is Refusal.DISK_FULL
    assert Status().why_not(Chat("hello")) is Refusal.NOT_NOW


def test_a_game_waits_for_all_but_the_host_and_a_round_for_all_who_are_connected() -> None:
    table = Table(Settings(seats=3, rounds=2))
    for name, lacking in (("Ann", 2), ("Ben", 1), ("Cleo", 0)):
        table.come(name)
        assert players_missing(table.lobby) == lacking
    assert not people_awaited(table.lobby), "who sits down is ready"
    for name in ("Ann", "Ben", "Cleo"):
        assert table.wants(name, SetReady(ready=False)) is None
    assert [person.name for person in people_awaited(table.lobby)] == ["Ben", "Cleo"]
    assert seats_waited_for(table.lobby) == (1, 2)
    for name in ("Ben", "Cleo"):
        member = table.people[name].member
        assert not table.lobby.is_ready(member)
        assert table.wants(name, SetReady(ready=True)) is None
        assert table.lobby.is_ready(member)
    assert not people_awaited(table.lobby)
    assert not table.lobby.is_ready(99), "who watches or is not there never is"
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert [person.name for person in people_awaited(table.lobby)] == ["Ann", "Ben", "Cleo"]
    table.wait(11, "Cleo")
    assert [person.name for person in people_awaited(table.lobby)] == ["Ann", "Ben"]
    assert not is_round_due(table.lobby)
    for name in ("Ann", "Ben"):
        assert table.room.state.phase is Phase.DEAL
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.room.state.phase is Phase.PLAY


def test_a_round_is_not_dealt_to_players_who_are_all_gone() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table)
    table.wait(11, "Ann", "Ben", "Cleo")
    assert not people_awaited(table.lobby)
    assert not is_round_due(table.lobby)


def test_who_sits_is_asked_whether_they_are_ready_until_they_are_or_the_draw_begins() -> None:
    def is_asked(name: str) -> bool:
        status = table.people[name].client.status
        assert status.lobby is not None
        return is_asked_whether_ready(status.lobby, status.view, status.member)

    table = UnfairTable(Settings(seats=3, rounds=2))
    table.come("Wim", watch=True)
    assert not any(is_asked(name) for name in ("Ben", "Cleo", "Wim"))
    assert table.wants("Ben", SetReady(ready=False)) is None
    assert (is_asked("Ben"), is_asked("Cleo")) == (True, False)
    assert table.wants("Ben", SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    assert not is_asked("Ben"), "a round is under way"
    play_on(table)
    assert (is_asked("Ben"), is_asked("Cleo"), is_asked("Wim")) == (True, True, False)
    table.intercept = lambda message: not isinstance(message, CommitShare)
    assert table.wants("Ann", NextRound()) is None
    assert table.lobby.is_drawing
    assert not is_asked("Ben"), "the round's seed is being drawn"
