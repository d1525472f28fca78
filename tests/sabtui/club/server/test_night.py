"""A night at a club on real sockets: draws, standings, what organisers may do, what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.protocol.board import Night
from net.protocol.hall import (
    BeginNight,
    CloseTable,
    DrawRound,
    HallRequest,
    MovePerson,
    Organise,
    RenewCode,
)
from net.protocol.lobby import DEFAULT_LEVEL, Stage
from net.protocol.messages import CloseReason, Notice, Refusal
from net.protocol.requests import Chat, PutBot
from net.secure.keys import SeatKey
from tests.net.server.served_table import until
from tests.sabtui.club.server.served_club import (
    PEOPLE,
    SHORT,
    go_where_drawn,
    led_to,
    night_at,
    organise,
    play,
    serve_folder,
    why_refused,
)


@pytest.fixture
def gone_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bot play for who has not come within a second."""
    monkeypatch.setattr("net.room.room.GONE_AFTER_S", 1.0)


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
        assert served.server.night.night is None
        assert list(served.server.tables) == [table]


async def test_an_organiser_moves_people_closes_tables_and_renews_the_code(tmp_path: Path) -> None:
    told = list[str]()
    async with serve_folder(tmp_path) as served:
        served.server.on_code = lambda code: told.append(str(code))
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        table = await ben.open_table("Gold Rush")
        other = await ben.open_table("Deep Mine")
        ann.session.request(MovePerson("Cleo", table))
        await until(lambda: led_to(cleo) == table)
        seat = await cleo.go_to(table)
        assert seat.lobby.seat_of(seat.state.status.member) is not None, "one was free"
        ann.session.request(MovePerson("Cleo", other))
        await until(lambda: seat.farewell is CloseReason.CALLED)
        await cleo.enter()
        await until(lambda: led_to(cleo) == other)
        assert await why_refused(ann, MovePerson("Nobody", other)) is Refusal.NO_SUCH_PERSON
        ann.session.request(CloseTable(other))
        await until(lambda: [table.id for table in cleo.hall.tables] == [table])
        was = served.server.code
        at_door, keys = SeatKey.new().public, served.server.entrance.guest_keys
        keys.admit(at_door, "", time.monotonic(), is_new=True)
        ann.session.request(RenewCode())
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
        assert [line.text for line in ben.hall.talk] == ["the bar is open", "good"]
        assert ben.lobby.board.organisers == (ann.session.status.member,)
    async with serve_folder(tmp_path) as served:
        again = served.member("Ann")
        again.use(ann.session.credentials)
        await again.enter()
        await until(lambda: bool(again.hall.code))


async def test_who_has_a_number_at_a_table_has_their_name_in_the_hall(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben, borin = await served.come("Ann", "Ben", "Borin")
        await organise(served, ann)
        table, other = await ben.open_table("Gold Rush"), await ben.open_table("Deep Mine")
        host = await ben.go_to(table)
        assert await host.wants(PutBot(1, "Borin", DEFAULT_LEVEL)) is None
        own = replace(borin.session.credentials, name="Borin 2")  # as a program does
        await borin.leave()
        borin.use(own)
        seat = await borin.go_to(table)
        assert seat.lobby.name_at(2) == own.name
        await until(lambda: sorted(ann.names) == ["Ann", "Ben", "Borin"])
        ann.session.request(MovePerson("Borin", other))
        await until(lambda: seat.farewell is CloseReason.CALLED)
        assert host.farewell is None, "nobody else is called"
        await borin.enter()
        await until(lambda: led_to(borin) == other)


@pytest.mark.usefixtures("gone_soon")
async def test_a_game_begins_without_those_who_are_late_and_they_have_their_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.LATE_AFTER_S", 0.5)
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo", "Dan")
        await organise(served, members[0])
        members[0].session.request(BeginNight(1, "Table", SHORT))
        members[0].session.request(DrawRound())
        await until(lambda: all(led_to(member) for member in members))
        seats = [await member.go_to(led_to(member)) for member in members[:2]]
        table = seats[0].table
        await until(lambda: served.state(table).lobby.stage is Stage.PLAYING)
        late = await members[2].go_to(table)
        assert late.lobby.seat_of(late.state.status.member) is not None
        await play([*seats, late])
        await until(lambda: night_at(served).is_over)
        (told,) = night_at(served).rounds[0].tables
        assert len(told.gold) == 4
        assert {*night_at(served).names_at(told)} == {"Ann", "Ben", "Cleo", "Dan"}


async def test_a_turn_clock_of_the_night_moves_for_who_thinks_too_long(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo")
        await organise(served, members[0])
        settings = structs.replace(SHORT, turn_seconds=1)
        members[0].session.request(BeginNight(1, "Table", settings))
        members[0].session.request(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert {seat.lobby.settings.turn_seconds for seat in seats} == {1}
        before = seats[0].step
        await until(lambda: seats[0].step >= before + 3)  # nobody moves but the clock


async def test_tables_of_a_round_that_was_not_noted_when_the_club_was_killed_are_none_of_the_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.request(BeginNight(1, "Table", SHORT))
        monkeypatch.setattr(served.server, "_seat", lambda _order, _opened: None)
        members[0].session.request(DrawRound())
        await until(lambda: len(served.server.tables) == 2)
        forgotten = set(served.server.tables)
        keys = [member.session.credentials for member in members]
    async with serve_folder(tmp_path) as served:
        await until(lambda: set(served.server.tables) == forgotten)  # and close if nobody comes
        members = [served.member(name) for name in PEOPLE]
        for member, known in zip(members, keys, strict=True):
            member.use(known)
            await member.enter()
        assert not night_at(served).rounds
        members[0].session.request(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert not {seat.table for seat in seats} & forgotten
        await play(seats)
        await until(lambda: night_at(served).is_over)


async def test_a_night_is_told_once_it_is_on_the_disk_and_none_that_is_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Callable[[], None]] = []
    told: list[str] = []

    async with serve_folder(tmp_path) as served:
        server = served.server
        monkeypatch.setattr(server._rows, "keep_night", lambda _row, then: tried.append(then))
        monkeypatch.setattr(server, "happen", lambda _what, news: told.append(news.night.title))
        for title in ("First", "Second"):
            server.night.night = Night(1, title, SHORT.edition, SHORT.rounds)
            server._keep_night()
        for number, titles in enumerate(([], ["Second"])):
            tried[number]()
            assert told == titles
