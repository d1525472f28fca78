"""A night at a club on real sockets: draws, tables, standings, and what only organisers may do."""

from __future__ import annotations

import asyncio
import csv
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.notation import Record, parse_record, replay
from net.client.session import Received
from net.protocol.hall import (
    BeginNight,
    CloseTable,
    DrawRound,
    HallRequest,
    MovePerson,
    Organise,
    RenewCode,
)
from net.protocol.lobby import DEFAULT_LEVEL, Settings, Stage
from net.protocol.messages import CloseReason, Notice, Refusal
from net.protocol.night import Night
from net.protocol.requests import Chat, PutBot, StandUp
from net.room.hall_orders import KeepNight
from net.room.night import RoundOrder
from net.room.table_draw import follows
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.club_night import _open
from net.server.clubs import HostedClub
from net.server.journal_errors import JournalMissing, JournalUnwritable, Obstacle
from net.server.tables import HostedTable, resume
from sabtui.app.nights import night_standings, save_night
from tests.net.server.served_club import Member, ServedClub, Sitter, refusals, serve_folder
from tests.net.server.served_table import QUICK, until
from tests.samples import first

PEOPLE = tuple(f"P{number}" for number in range(8))
SHORT = Settings(rounds=1)


def night_of(member: Member) -> Night:
    """The night as somebody in the hall sees it."""
    assert member.hall.night is not None
    return member.hall.night


def led_to(member: Member) -> str:
    """The table that a program is led to by the hall, empty if to none."""
    last = [one.received for one in member.updates if isinstance(one.received, Received)]
    return next((one.opened for one in reversed(last) if one.opened), "")


def night_at(served: ServedClub) -> Night:
    """The night as the club has it."""
    night = served.server.hall.night.night
    assert night is not None
    return night


@pytest.fixture
def gone_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bot play for who has not come within a second."""
    monkeypatch.setattr("net.room.inputs.GONE_AFTER_S", 1.0)


async def organise(served: ServedClub, member: Member) -> None:
    """Somebody says the organiser's word."""
    member.session.ask(Organise(served.server.club.word))
    await until(lambda: bool(member.hall.code))


async def why_refused(member: Member, request: HallRequest) -> Refusal:
    """Ask for something, and return why it is refused."""
    before = len(refusals(member))
    member.session.ask(request)
    await until(lambda: len(refusals(member)) > before)
    return refusals(member)[-1].reason


async def is_led(one: Member, number: int) -> None:
    """Wait until a program is led to the table to which it is drawn in a round."""
    await until(lambda: one.hall.night is not None and len(one.hall.night.rounds) == number)
    place = night_of(one).place_of(one.hall.name)
    assert place is not None
    await until(lambda: led_to(one) == place[1].id)
    assert not one.hall.doubt


async def go_where_drawn(members: list[Member], number: int) -> list[Sitter]:
    """All who are drawn to a round go to their tables, as their programs do by themselves."""
    for one in members:
        await is_led(one, number)
    return [await one.go_to(led_to(one)) for one in members]


async def play(seats: list[Sitter]) -> None:
    """All play their games to the end."""
    for seat in seats:
        seat.plays = True
        seat.move()
    await until(lambda: all(seat.is_over for seat in seats))


def gold_of(seats: list[Sitter]) -> dict[str, int]:
    """Everybody's gold, from what each saw of the end of their own game."""
    found = {}
    for seat in seats:
        view = seat.state.status.view
        assert view is not None
        assert view.score.nuggets is not None
        assert seat.state.status.seat is not None
        found[seat.state.name] = view.score.nuggets[seat.state.status.seat]
    return found


def recorded_gold(seats: list[Sitter]) -> dict[str, int]:
    """Everybody's gold, from the records of their games, played again."""
    found: dict[str, int] = {}
    for seat in seats:
        held = seat.state.status.game_state
        assert held is not None
        record = parse_record(held.record)
        assert isinstance(record, Record)
        *_, (game, _events) = replay(record)
        assert game.score.nuggets is not None
        found |= dict(zip(record.names, game.score.nuggets, strict=True))
    return found


def check_results(night: Night, folder: Path, gold: dict[str, int]) -> None:
    """Compare the saved results of a night with everybody's gold."""
    save_night(night, folder / "results")
    told = json.loads((folder / "results.json").read_text())["people"]
    assert {one["name"]: one["gold"] for one in told} == gold
    rows = csv.DictReader((folder / "results.csv").read_text().splitlines())
    assert {row["name"]: int(row["gold"]) for row in rows} == gold


def told_gold(night: Night, number: int) -> dict[str, int]:
    """Everybody's gold in a round, as the club tells it."""
    return {
        name: gold
        for table in night.rounds[number].tables
        for name, gold in zip(night.names_at(table), table.gold, strict=False)
    }


@pytest.mark.thorough  # `room/test_night` has more rounds
async def test_eight_people_play_two_rounds_and_the_club_is_stopped_in_one(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.ask(BeginNight(2, "Table", SHORT))
        await until(lambda: all(one.hall.night is not None for one in members))
        members[0].session.ask(DrawRound())
        seats = await go_where_drawn(members, 1)
        night = night_at(served)
        assert sorted(len(table.people) for table in night.rounds[0].tables) == [4, 4]
        assert len(night.rounds[0].shares) == len(PEOPLE)
        assert not night.rounds[0].silent
        await play(seats)
        gold = gold_of(seats)
        assert recorded_gold(seats) == gold
        await until(lambda: night_at(served).rounds[0].is_over)
        # All are at their tables still: the draw calls them to the hall.
        organiser = await members[0].enter()
        organiser.session.ask(DrawRound())
        await until(lambda: all(seat.farewell is CloseReason.CLUB for seat in seats[1:]))
        for one in members[1:]:
            await one.enter()
        seats = await go_where_drawn(members, 2)
        for seat in seats:
            seat.plays, seat.stops_at = True, 12
            seat.move()
        await until(lambda: all(one.step >= 12 for one in seats))
        keys = {one.hall.name: one.session.credentials for one in members}
    async with serve_folder(tmp_path) as served:
        night = night_at(served)
        assert len(night.rounds) == 2
        assert told_gold(night, 0) == gold
        assert not night.rounds[1].is_over
        assert follows(night)
        later = []
        for seat in seats:
            again = Sitter(seat.state.name, served.port, seat.key, seat.table, seat.pin)
            later.append(again)
        members = [served.member(name) for name in PEOPLE]
        for member, again in zip(members, later, strict=True):
            member.sitters.append(again)
        await asyncio.gather(*(one.come_back() for one in later))
        await play(later)
        more = gold_of(later)
        assert recorded_gold(later) == more
        await until(lambda: night_at(served).is_over)
        night = night_at(served)
        assert (told_gold(night, 0), told_gold(night, 1)) == (gold, more)
        members[0].session.credentials = keys["P0"]
        await members[0].enter()
        await until(lambda: bool(members[0].hall.code))
        assert night_of(members[0]) == night
        assert await why_refused(members[0], DrawRound()) is Refusal.NOT_NOW, "the night is over"
    check_results(night, tmp_path, {name: gold[name] + more[name] for name in PEOPLE})
    groups = [{frozenset(table) for table in one.seats} for one in night.rounds]
    assert not groups[0] & groups[1], "people meet others"


async def test_organisers_powers_are_refused_to_everybody_else(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        table = await ann.open_table("Gold Rush")
        orders: list[HallRequest] = [
            BeginNight(2, "Table", SHORT),
            DrawRound(),
            MovePerson("Ann", table),
            CloseTable(table),
            RenewCode(),
        ]
        assert {await why_refused(ben, order) for order in orders} == {Refusal.ORGANISER_ONLY}
        assert await why_refused(ben, Organise("amber-amber-amber-amber")) is Refusal.WRONG_WORD
        assert await why_refused(ben, RenewCode()) is Refusal.ORGANISER_ONLY
        assert served.server.hall.night.night is None
        assert list(served.server.tables) == [table]


async def test_an_organiser_moves_people_closes_tables_and_renews_the_code(tmp_path: Path) -> None:
    told = list[str]()
    options = replace(QUICK, on_code=lambda code: told.append(str(code)))
    async with serve_folder(tmp_path, options) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        table = await ben.open_table("Gold Rush")
        other = await ben.open_table("Deep Mine")
        ann.session.ask(MovePerson("Cleo", table))
        await until(lambda: led_to(cleo) == table)
        seat = await cleo.go_to(table)
        assert seat.lobby.seat_of(seat.state.status.member) is not None, "one was free"
        ann.session.ask(MovePerson("Cleo", other))
        await until(lambda: seat.farewell is CloseReason.CLUB)
        await cleo.enter()
        await until(lambda: led_to(cleo) == other)
        assert await why_refused(ann, MovePerson("Nobody", other)) is Refusal.NO_SUCH_PERSON
        ann.session.ask(CloseTable(other))
        await until(lambda: [one.id for one in cleo.hall.tables] == [table])
        was = served.server.code
        at_door, keys = SeatKey.new().public, served.server.entrance.guest_keys
        keys.admit(at_door, "", time.monotonic(), is_new=True)
        ann.session.ask(RenewCode())
        await until(lambda: ann.hall.code not in {"", str(was)})
        assert str(served.server.code) == ann.hall.code
        assert not keys.may_enter(at_door, time.monotonic()), "it was let in by the old code"
        assert not cleo.hall.code, "only organisers are told"
        assert told == [ann.hall.code], "and whoever runs the club"
        seat = await cleo.go_to(table)
        ann.session.request(Chat("the bar is open"))
        await until(lambda: Notice("Ann", "the bar is open") in seat.got)
        await cleo.enter()
        cleo.session.request(Chat("good"))
        await until(lambda: len(ben.hall.talk) == 2)
        assert [line.organiser for line in ben.hall.talk] == [True, False]
    async with serve_folder(tmp_path) as served:
        again = served.member("Ann")
        again.session.credentials = ann.session.credentials
        await again.enter()
        await until(lambda: bool(again.hall.code))


async def test_who_has_a_number_beside_a_bot_of_their_name_is_known_by_their_own_in_the_hall(
    tmp_path: Path,
) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben, borin = await served.come("Ann", "Ben", "Borin")
        await organise(served, ann)
        table, other = await ben.open_table("Gold Rush"), await ben.open_table("Deep Mine")
        host = await ben.go_to(table)
        assert await host.wants(PutBot(1, "Borin", DEFAULT_LEVEL)) is None
        own = replace(borin.session.credentials, name="Borin 2")  # as a program does
        borin.session.credentials = own
        seat = await borin.go_to(table)
        assert seat.lobby.name_at(2) == own.name
        await until(lambda: sorted(ann.names) == ["Ann", "Ben", "Borin"])
        ann.session.ask(MovePerson("Borin", other))
        await until(lambda: seat.farewell is CloseReason.CLUB)
        assert host.farewell is None, "nobody else is called"
        await borin.enter()
        await until(lambda: led_to(borin) == other)


@pytest.mark.usefixtures("gone_soon")
async def test_a_game_begins_without_those_who_are_late_and_they_have_their_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.club.LATE_AFTER_S", 0.5)
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo", "Dan")
        await organise(served, members[0])
        members[0].session.ask(BeginNight(1, "Table", SHORT))
        members[0].session.ask(DrawRound())
        await until(lambda: all(led_to(one) for one in members))
        seats = [await one.go_to(led_to(one)) for one in members[:2]]
        table = seats[0].table
        await until(lambda: served.state(table).lobby.stage is Stage.PLAYING)
        late = await members[2].go_to(table)
        assert late.lobby.seat_of(late.state.status.member) is not None
        await play([*seats, late])
        await until(lambda: night_at(served).is_over)
        (told,) = night_at(served).rounds[0].tables
        assert len(told.gold) == 4
        assert {*night_at(served).names_at(told)} == {"Ann", "Ben", "Cleo", "Dan"}


@pytest.mark.parametrize(
    "trouble", first(1, [ZeroDivisionError(), JournalMissing(Path("journal"))], thorough=2)
)
async def test_a_round_that_cannot_be_opened_whole_leaves_no_table_and_is_opened_later_as_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    made = list[HostedTable]()

    def fail_at_second(
        club: HostedClub, order: RoundOrder, code: RoomCode, number: int, people: tuple[int, ...]
    ) -> HostedTable:
        if made:
            raise trouble
        made.append(_open(club, order, code, number, people))
        return made[0]

    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.ask(BeginNight(1, "Table", SHORT))
        monkeypatch.setattr("net.server.club_night._open", fail_at_second)
        assert await why_refused(members[0], DrawRound()) is Refusal.DISK_FULL
        (opened,) = made
        assert not list(served.server.club.tables.glob(f"{opened.journal.path.name}*"))
        assert not served.server.tables
        monkeypatch.setattr("net.server.club_night._open", _open)
        members.append(*await served.come("Late"))  # who checks the tables, too
        members[0].session.ask(DrawRound())
        await go_where_drawn(members[:-1], 1)
        assert not any(one.hall.doubt for one in members)
        assert len(served.server.tables) == 2


async def test_tables_of_a_round_that_was_not_noted_when_the_club_was_killed_are_none_of_the_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.ask(BeginNight(1, "Table", SHORT))
        monkeypatch.setattr(served.server.hall, "seat", lambda _order, _opened: None)
        members[0].session.ask(DrawRound())
        await until(lambda: len(served.server.tables) == 2)
        forgotten = set(served.server.tables)
        keys = [one.session.credentials for one in members]
    async with serve_folder(tmp_path) as served:
        await until(lambda: set(served.server.tables) == forgotten)  # and close if nobody comes
        members = [served.member(name) for name in PEOPLE]
        for one, known in zip(members, keys, strict=True):
            one.session.credentials = known
            await one.enter()
        assert not night_at(served).rounds
        members[0].session.ask(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert not {seat.table for seat in seats} & forgotten
        await play(seats)
        await until(lambda: night_at(served).is_over)


async def test_a_table_of_a_round_that_cannot_be_resumed_on_a_full_disk_comes_back_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo")
        await organise(served, members[0])
        members[0].session.ask(BeginNight(1, "Table", SHORT))
        members[0].session.ask(DrawRound())
        for one in members:
            await is_led(one, 1)
        table, keys = led_to(members[0]), [one.session.credentials for one in members]
    is_full = True

    def resume_if_there_is_room(path: Path) -> HostedTable:
        if is_full:
            raise JournalUnwritable(path, Obstacle.FULL)
        return resume(path)

    monkeypatch.setattr("net.server.club.resume", resume_if_there_is_room)
    async with serve_folder(tmp_path) as served:
        members = [served.member(name) for name in ("Ann", "Ben", "Cleo")]
        for one, known in zip(members, keys, strict=True):
            one.session.credentials = known
            await one.enter()
        assert [one.id for one in members[0].hall.tables] == [table]
        assert await served.server.find_table(table) is None
        assert not night_at(served).waits, "it counts as closed no more than others do"
        is_full = False
        await play([await one.go_to(table) for one in members])
        await until(lambda: night_at(served).is_over)
        assert len(night_at(served).rounds[0].tables[0].gold) == 3


@pytest.mark.thorough  # bots at a real table are in `test_bots`
async def test_one_person_plays_with_bots(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        await organise(served, ann)
        ann.session.ask(BeginNight(1, "Table", SHORT))
        ann.session.ask(DrawRound())
        (seat,) = await go_where_drawn([ann], 1)
        assert [seat.lobby.name_at(one) for one in range(3)] == ["Ann", "Borin", "Dagna"]
        await play([seat])
        await until(lambda: night_at(served).is_over)
        assert len(night_at(served).rounds[0].tables[0].gold) == 3


@pytest.mark.thorough  # `room/test_night` has their gold
@pytest.mark.usefixtures("gone_soon")
async def test_somebody_who_stands_up_before_the_game_leaves_everybody_elses_gold_theirs(
    tmp_path: Path,
) -> None:
    told: list[Night] = []
    async with serve_folder(tmp_path, replace(QUICK, on_night=told.append)) as served:
        members = await served.come("Ann", "Ben", "Cleo", "Dan")
        await organise(served, members[0])
        members[0].session.ask(BeginNight(1, "Table", SHORT))
        members[0].session.ask(DrawRound())
        await until(lambda: all(led_to(one) for one in members))
        ann, ben, cleo = [await one.go_to(led_to(one)) for one in members[:3]]
        assert await cleo.wants(StandUp()) is None
        served.server.tables[ann.table].start_by(0.0)
        await until(lambda: served.state(ann.table).lobby.stage is Stage.PLAYING)
        await play([ann, ben])
        await until(lambda: bool(told) and told[-1].is_over)
        assert told_gold(told[-1], 0) | gold_of([ann, ben]) == told_gold(told[-1], 0)
        assert told_gold(told[-1], 0)["Cleo"] == 0
        assert {one.name for one in night_standings(told[-1])} == {"Ann", "Ben", "Cleo", "Dan"}


async def test_a_turn_clock_of_the_night_moves_for_who_thinks_too_long(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo")
        await organise(served, members[0])
        settings = structs.replace(SHORT, turn_seconds=1)
        members[0].session.ask(BeginNight(1, "Table", settings))
        members[0].session.ask(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert {one.lobby.settings.turn_seconds for one in seats} == {1}
        before = seats[0].step
        await until(lambda: seats[0].step >= before + 3)  # nobody moves but the clock


async def test_a_night_is_told_once_it_is_on_the_disk_and_none_that_is_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[asyncio.Future[None]] = []
    told: list[str] = []

    def write(_row: bytes) -> asyncio.Future[None]:
        writes.append(asyncio.get_running_loop().create_future())
        return writes[-1]

    async with serve_folder(tmp_path) as served:
        server = served.server
        monkeypatch.setattr(server._rows, "keep_night", write)
        monkeypatch.setattr(server.hall, "tell_night", lambda night: told.append(night.title))
        for title in ("First", "Second"):
            server.hall.night.night = Night(1, title, SHORT)
            server._obey(KeepNight(server.hall.night.row))
        for number, titles in enumerate(([], ["Second"])):
            writes[number].set_result(None)
            await asyncio.sleep(0)
            assert told == titles
