"""What a club does for those in its hall: once each, within its limits, and for whom it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from net.protocol.hall import (
    BeginNight,
    CloseTable,
    DrawRound,
    MovePerson,
    NextTable,
    OpenTable,
    RenewCode,
)
from net.protocol.messages import Refusal
from net.protocol.requests import Chat
from tests.net.server.served_table import SMALL, until
from tests.sabtui.club.server.served_club import (
    SHORT,
    Sitter,
    led_to,
    night_at,
    night_of,
    organise,
    play,
    refusals,
    serve_folder,
    why_refused,
)

ONE_MORE = OpenTable("one more", SMALL)


async def test_what_is_asked_on_a_link_that_is_lost_is_done_once(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        assert ann.session._connection is not None
        ann.session.request(Chat("hello"))
        ann.session.request(OpenTable("Gold Rush", SMALL))
        ann.session._connection.abort()
        ann.session.request(Chat("again"))
        await until(lambda: not ann.session.status.unanswered and ann.is_in)
        await until(lambda: [line.text for line in ann.hall.talk] == ["hello", "again"])
        await until(lambda: len(ann.hall.tables) > 0)
        assert len(served.server.tables) == 1


async def test_what_no_club_can_read_is_refused_and_costs_no_link(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        link = ann.session._connection
        assert await why_refused(ann, OpenTable("x" * 57, SMALL)) is Refusal.UNREADABLE
        ann.session.request(Chat("hello"))
        await until(lambda: bool(ann.hall.talk))
        assert ann.session._connection is link


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (OpenTable(" ", SMALL), Refusal.NO_NAME),
        (CloseTable("x" * 16), Refusal.NOT_NOW),
        (MovePerson("Ann", "x" * 16), Refusal.NOT_NOW),
        (BeginNight(3, " ", SHORT), Refusal.NO_NAME),
        (DrawRound(), Refusal.NOT_NOW),
    ],
)
async def test_what_cannot_be_is_refused_and_the_session_goes_on(
    tmp_path: Path,
    asked: OpenTable | CloseTable | MovePerson | BeginNight | DrawRound,
    why: Refusal,
) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        await organise(served, ann)
        assert await why_refused(ann, asked) is why
        assert refusals(ann)[-1].id, "by the command's own id"
        assert ann.is_in


async def test_nothing_is_asked_of_a_table_whose_journal_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        await organise(served, ann)
        table = await ann.open_table("Gold Rush")
        live, may_go = served.server.tables[table], asyncio.Event()
        writer = live._writer
        close = writer.close

        async def close_and_wait() -> None:
            await close()
            await may_go.wait()

        monkeypatch.setattr(writer, "close", close_and_wait)
        live.stop()
        await until(lambda: writer._is_closed)
        assert await why_refused(ann, CloseTable(table)) is Refusal.NOT_NOW
        ann.session.request(Chat("to all tables"))
        await until(lambda: bool(ann.hall.talk))
        may_go.set()


async def test_a_club_has_no_more_tables_than_it_may_and_nobody_more_than_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.MAX_CLUB_TABLES", 3)
    monkeypatch.setattr("sabtui.club.server.MAX_TABLES_EACH", 2)
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        for _ in range(3):  # they are opened at the same time
            ann.session.request(ONE_MORE)
        await until(
            lambda: [refusal.reason for refusal in refusals(ann)] == [Refusal.TABLES_ENOUGH]
        )
        await until(lambda: len(ben.hall.tables) == 2)
        for _ in range(2):
            ben.session.request(ONE_MORE)
        await until(lambda: [refusal.reason for refusal in refusals(ben)] == [Refusal.CLUB_FULL])
        await until(lambda: len(served.server.tables) == 3)


async def test_a_round_for_which_there_is_no_room_calls_nobody_and_is_drawn_once_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.DRAWN_PAUSE_S", 0.0)
    async with serve_folder(tmp_path) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        ann.session.request(BeginNight(2, "Table", SHORT))
        ann.session.request(DrawRound())
        await until(lambda: all(led_to(person) for person in (ann, ben, cleo)))
        seats = [await person.go_to(led_to(person)) for person in (ann, ben, cleo)]
        await play(seats)
        await ann.enter()
        await until(lambda: night_of(ann).rounds[0].is_over)
        other = await ann.open_table("Deep Mine")
        await until(lambda: len(ann.hall.tables) == 2)
        monkeypatch.setattr("sabtui.club.server.MAX_CLUB_TABLES", 2)
        assert await why_refused(ann, DrawRound()) is Refusal.CLUB_FULL
        assert not any(seat.farewell for seat in seats[1:])
        ann.session.request(CloseTable(other))
        await until(lambda: len(ann.hall.tables) == 1)
        ann.session.request(DrawRound())
        await until(lambda: all(seat.farewell for seat in seats[1:]))
        assert await why_refused(ann, DrawRound()) is Refusal.NOT_NOW, "one is being played"
        (drawn,) = night_at(served).rounds[1].tables
        assert {*night_at(served).names_at(drawn)} == {"Ann", "Ben", "Cleo"}, "wherever they were"
        assert [next_table(seat).round for seat in seats[1:]] == [2, 2], "and are told before"
        assert {*next_table(seats[1]).others} == {"Ann", "Cleo"}


def next_table(seat: Sitter) -> NextTable:
    """Where somebody at a table was told that they sit in the next round."""
    (told,) = (message for message in seat.got if isinstance(message, NextTable))
    return told


async def test_who_looks_on_at_a_table_of_the_round_before_is_drawn_unless_they_came_to_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.DRAWN_PAUSE_S", 0.0)
    async with serve_folder(tmp_path) as served:
        ann, dan = await served.come("Ann", "Dan")
        eve = served.member("Eve")
        eve.session.publisher.state.watch = True
        await eve.enter()
        await organise(served, ann)
        ann.session.request(BeginNight(2, "Table", SHORT))
        await dan.leave()
        ann.session.request(DrawRound())
        await until(lambda: bool(led_to(ann)))
        seat = await ann.go_to(led_to(ann))
        await play([seat])
        await dan.enter()
        table = seat.table
        for person in (dan, eve):
            await person.go_to(table)
        await ann.enter()
        ann.session.request(DrawRound())
        await until(lambda: all(person.sitters[-1].farewell for person in (dan, eve)))
        (drawn,) = night_at(served).rounds[1].tables
        assert {*night_at(served).names_at(drawn)} == {"Ann", "Dan"}


async def test_an_organisers_program_keeps_the_code_that_it_is_told(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        was = served.server.code
        await organise(served, ann)
        ann.session.request(RenewCode())
        await until(lambda: ann.hall.code == str(served.server.code) != str(was))
        await ann.leave()
        await ben.leave()
        kept = [person.store.list_stored()[0].credentials.code for person in (ann, ben)]
        assert kept == [served.server.code, was], "nobody else is told"
