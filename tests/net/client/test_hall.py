"""Requests to a club's hall while there is no link to it, and what a program keeps of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.client.hall import MAX_KEPT, is_sound_hall
from net.client.session import ConnectionState, HeartbeatPolicy
from net.protocol.hall import (
    FromHall,
    FromHallClient,
    GoTo,
    HallEntered,
    HallLine,
    HallNow,
    HallPerson,
    HallTable,
    HallTalk,
    NightNow,
    OpenTable,
    OrganiserNow,
    RenewCode,
)
from net.protocol.messages import Refusal
from net.protocol.night import Night, NightRound, NightTable
from net.protocol.requests import Chat
from net.room.effects import SendFrame
from tests.net.protocol.test_text import NEWER
from tests.net.server.served_club import Member, ServedClub, refusals, serve_folder
from tests.net.server.served_night import led_to, organise
from tests.net.server.served_table import SMALL, until


@pytest.fixture(autouse=True)
def _redial_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.client.hall.REDIAL_S", 0.01)
    monkeypatch.setattr("net.client.hall.HEARTBEAT_POLICY", HeartbeatPolicy(0.05))


async def come(served: ServedClub, name: str) -> Member:
    """Somebody comes into the hall, whose heart beats fast."""
    return await served.member(name).enter()


def list_talk(member: Member) -> list[str]:
    """Return the talk of the hall that somebody sees."""
    return [line.text for line in member.hall.talk]


async def test_what_is_asked_for_before_one_is_in_the_hall_is_done_once_one_is(
    tmp_path: Path,
) -> None:
    async with serve_folder(tmp_path) as served:
        ann = served.member("Ann")
        ann.session.request(Chat("hello"))
        ann.session.ask(OpenTable("Gold Rush", SMALL))
        await ann.enter()
        await until(lambda: list_talk(ann) == ["hello"] and bool(led_to(ann)))
        assert list(served.server.tables) == [led_to(ann)]


async def test_what_is_asked_for_while_the_link_is_lost_is_done_once_there_is_another(
    tmp_path: Path,
) -> None:
    async with serve_folder(tmp_path) as served:
        ann = await come(served, "Ann")
        await organise(served, ann)
        was = served.server.code
        assert ann.session._connection is not None
        ann.session._connection.abort()
        ann.session.request(Chat("the first"))  # the link is gone, and we have not noticed
        await until(lambda: ann.session.status.connection is ConnectionState.LOST)
        ann.session.request(Chat("the second"))
        ann.session.ask(RenewCode())
        await until(lambda: list_talk(ann) == ["the first", "the second"])
        await until(lambda: served.server.code != was)


async def test_what_was_sent_on_a_link_that_was_dead_already_is_sent_on_the_next_and_not_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        ann = await come(served, "Ann")
        hall, lost = served.server.hall, list[FromHallClient]()
        with monkeypatch.context() as dead:
            dead.setattr(hall, "receive", lambda _number, message: lost.append(message))
            ann.session.request(Chat("hello"))
            await until(lambda: len(lost) > 0)
            assert ann.session._connection is not None
            ann.session._connection.abort()
            await until(lambda: not ann.is_in)
        await until(lambda: ann.is_in and list_talk(ann) == ["hello"])
        pongs = ann.session._pongs
        await until(lambda: ann.session._pongs > pongs)
        ann.session._connection.abort()
        await until(lambda: not ann.is_in)
        await until(lambda: ann.is_in)
        ann.session.request(Chat("again"))
        await until(lambda: list_talk(ann)[-1:] == ["again"])
        assert list_talk(ann) == ["hello", "again"]


async def test_what_the_club_was_heard_after_is_not_sent_again(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann = await come(served, "Ann")
        ann.session.request(Chat("hello"))
        await until(lambda: not ann.session._unsure)
        assert ann.session._connection is not None
        ann.session._connection.abort()
        await until(lambda: not ann.is_in)
        ann.session.request(Chat("again"))
        await until(lambda: list_talk(ann)[-1:] == ["again"])
        assert list_talk(ann) == ["hello", "again"]


async def test_what_no_club_can_read_is_refused_and_costs_no_link(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann = await come(served, "Ann")
        link = ann.session._connection
        ann.session.ask(OpenTable("x" * 57, SMALL))
        await until(lambda: bool(refusals(ann)))
        assert [one.reason for one in refusals(ann)] == [Refusal.UNREADABLE]
        ann.session.request(Chat("hello"))
        await until(lambda: list_talk(ann) == ["hello"])
        assert ann.session._connection is link


async def test_more_than_a_few_requests_without_a_link_are_refused(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann = served.member("Ann")
        for number in range(MAX_KEPT + 1):
            ann.session.request(Chat(f"line {number}"))
        assert [one.reason for one in refusals(ann)] == [Refusal.TOO_FAST]
        await ann.enter()
        await until(lambda: list_talk(ann) == [f"line {number}" for number in range(MAX_KEPT)])


async def test_an_organisers_program_keeps_the_code_that_it_is_told(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        was = served.server.code
        await organise(served, ann)
        ann.session.ask(RenewCode())
        await until(lambda: ben.hall.renewed == 1)
        await until(lambda: ann.hall.code == str(served.server.code))
        assert served.server.code != was
        kept = [one.store.list_stored()[0].credentials.code for one in (ann, ben)]
        assert kept == [served.server.code, was], "nobody else is told"


TABLE, SETTINGS = "a" * 16, SMALL


def night_of(people: tuple[str, ...], table: NightTable, **told: str) -> NightNow:
    """A night with one round, at one table."""
    drawn = NightRound(bytes(32), (table,))
    return NightNow(Night(1, told.get("title", "Night"), SETTINGS, people, (drawn,)))


ESCAPE = "\x1b]0;x\x07"
NO_HALL: tuple[FromHall, ...] = (
    night_of(("Ann", "Ben"), NightTable(TABLE, (0, 2))),
    night_of(("Ann", "Ben"), NightTable(TABLE, (0, 0))),
    night_of(("Ann", "Ben"), NightTable(TABLE, (0, 1), is_over=True, gold=(3,))),
    night_of(("Ann", ESCAPE), NightTable(TABLE, (0, 1))),
    night_of(("Ann", "Ben"), NightTable(TABLE, (0, 1)), title=ESCAPE),
    HallEntered(TABLE, ESCAPE, "Ann"),
    HallEntered(TABLE, "Club", ESCAPE),
    HallEntered(TABLE, "Club", ""),
    HallTalk((HallLine(ESCAPE, "hello"),)),
    HallTalk((HallLine("Ann", ESCAPE),)),
    HallNow((), (HallPerson(ESCAPE),)),
    HallNow((), (HallPerson("Ann", 0),)),
    HallNow((HallTable(TABLE, ESCAPE, "lobby", "international", 1, 3),), ()),
    HallNow((HallTable(TABLE, "Gold", ESCAPE, "international", 1, 3),), ()),
    HallNow((HallTable(TABLE, "Gold", "lobby", ESCAPE, 1, 3),), ()),
    OrganiserNow(ESCAPE),
)


@pytest.mark.parametrize("told", NO_HALL)
async def test_what_no_club_tells_ends_the_connection_and_is_not_shown(
    tmp_path: Path, told: FromHall
) -> None:
    async with serve_folder(tmp_path) as served:
        ann = await come(served, "Ann")
        before = ann.hall
        links = served.server._connections
        links.deliver([SendFrame(tuple(links._lines), told)])
        await until(lambda: not ann.is_in)
        assert ann.hall == before
        await until(lambda: ann.is_in)


def test_what_a_club_may_tell_is_sound() -> None:
    sound: tuple[FromHall, ...] = (
        night_of(("Ann", "Ben"), NightTable(TABLE, (1, 0), is_over=True, gold=(3, 1, 4))),
        HallNow(
            (HallTable(TABLE, "Gold", "lobby", "international", 1, 3),), (HallPerson("Ann", 0),)
        ),
        HallTalk((HallLine("Ann", f"hello {NEWER}"),)),
        GoTo(TABLE),
    )
    assert all(map(is_sound_hall, sound))
