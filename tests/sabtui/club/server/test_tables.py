"""A club on real sockets: its tables, their people, and what it keeps on its disk."""

from __future__ import annotations

import asyncio
import errno
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace as with_changes

from net.discovery.advert import OURS, AdvertStage
from net.protocol.board import HallTable
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.framing import decode
from net.protocol.hall import OpenTable, Visit
from net.protocol.lobby import Absence
from net.protocol.messages import (
    HOST_KINDS,
    NOTHING_SEEN,
    CloseReason,
    Closing,
    EnterTable,
    Refusal,
)
from net.protocol.requests import Chat, Close, Kick, NewCode, SetReady, Start, SwitchDoor
from net.secure.connection import Connection, ConnectionFailed, authenticate, connect
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey
from net.server import live_table
from net.server.journal import path_of
from net.server.journal_format import JournalUnwritable
from net.server.tables import HostedTable, resume
from sabtui.club.server import GAME_PATIENCE_S
from sabtui.doors import serve_by
from tests.net.server.child import start_child
from tests.net.server.served_table import CODE, HERE, QUICK, SMALL, until
from tests.sabtui.club.server.served_club import (
    Member,
    ServedClub,
    Sitter,
    play,
    refusals,
    serve_folder,
)
from tests.sabtui.doors.test_table_side import ENDS, FAILS

CLUB = "tests.sabtui.club.server.child"


async def play_until(step: int, *people: Sitter) -> None:
    """People sit at one table, and play until all know of this step."""
    for person in people:
        person.plays, person.stops_at = True, step
        person.move()
    await until(lambda: all(person.step >= step for person in people))


async def stranger(served: ServedClub, key: SeatKey | None = None) -> Connection:
    """A trusted connection to the club that has said nothing yet."""
    connection = await connect(HERE, served.port)
    pin = connection.fingerprint
    await authenticate(connection, ClientHandshake.join(pin, OURS, key or SeatKey.new(), CODE))
    return connection


async def last_word(connection: Connection) -> CloseReason | None:
    """Return the reason for which a connection is closed, `None` if it is cut."""
    said = None
    with suppress(ConnectionFailed):
        async with asyncio.timeout(60):
            while True:
                message = decode(await connection.recv(), *HOST_KINDS)
                said = message.reason if isinstance(message, Closing) else said
    connection.abort()
    return said


async def test_two_tables_are_played_at_once_and_people_change_them(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        people = await served.come(*(f"P{number}" for number in range(6)))
        tables = [await people[at].open_table(f"T{at}") for at in (0, 3)]
        watcher = await served.member("Wanda").enter()
        await until(lambda: len(watcher.hall.tables) == 2)
        seats = [await person.go_to(tables[at // 3]) for at, person in enumerate(people)]
        await until(lambda: all(len(table.people) == 3 for table in watcher.hall.tables))
        assert watcher.hall.tables[0] == HallTable(
            tables[0], "T0", "lobby", "international", 3, 3, ("P0", "P1", "P2")
        )
        hosts = [served.state(table).lobby.host for table in tables]
        assert hosts == [seats[at].state.status.member for at in (0, 3)]
        await asyncio.gather(play_until(seats[0].step + 8, *seats[:3]), play(seats[3:]))
        await until(lambda: [table.stage for table in watcher.hall.tables] == ["playing", "over"])
        # From one table by the hall to another, which knows them by the same key and name.
        await seats[0].leave()
        await people[0].enter()
        assert people[0].hall.name == "P0"
        beside = await people[0].go_to(tables[1])
        assert [person.name for person in beside.lobby.people] == ["P3", "P4", "P5", "P0"]


async def test_whoever_opened_a_table_draws_its_deals_with_the_others(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        people = await served.come("Ann", "Ben", "Cleo")
        table = await people[0].open_table("Gold Rush")
        seats = [await person.go_to(table) for person in people]
        await play(seats)
        for seat in seats:
            found = seat.state.status.audit
            assert found is not None
            assert (found.dealers, found.mismatches) == (("", "Ann", "Ben", "Cleo"), ())


async def test_a_name_belongs_to_a_key_in_the_hall_and_at_every_table(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, other = await served.come("Ann", "Ann")
        assert (ann.hall.name, other.hall.name) == ("Ann", "Ann 2")
        table = await ann.open_table("Gold Rush")
        own = other.session.credentials
        assert own.pin is not None
        liar = Sitter("Ann", served.port, own.key, table, own.pin)
        other.sitters.append(liar)
        await liar.come_back()
        assert [person.name for person in liar.lobby.people] == ["Ann 2"]
    async with serve_folder(tmp_path) as served:  # a club that was stopped knows them still
        again = served.member("Zoe")
        again.use(replace(again.session.credentials, key=own.key))
        await again.enter()
        assert again.hall.name == "Ann 2"


async def test_the_club_decides_on_code_and_doors_and_not_a_tables_host(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        table = await ann.open_table("Gold Rush")
        host, guest = await ann.go_to(table), await ben.go_to(table)
        assert await host.wants(NewCode()) is Refusal.CLUB_ONLY
        assert await host.wants(SwitchDoor(DoorKind.SSH, open=True)) is Refusal.CLUB_ONLY
        assert await host.wants(Kick(guest.state.status.member)) is None
        await until(lambda: guest.farewell is CloseReason.KICKED)
        assert not host.state.status.code, "the club's code is the one that counts"
        again = await ann.go_to(table)
        assert await again.wants(NewCode()) is Refusal.CLUB_ONLY
        assert not again.state.status.code, "nor is another told to a host who comes back"
        await ben.enter()


async def test_a_door_that_has_ended_is_opened_again_but_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.TRY_AGAIN_S", 0.01)
    told: list[DoorNow] = []
    serve = {
        kind: serve_by(("-c", program), tmp_path)
        for kind, program in ((DoorKind.SSH, ENDS), (DoorKind.WEB, FAILS))
    }
    options = replace(QUICK, doors=serve, on_door=lambda door, _code: told.append(door))
    async with serve_folder(tmp_path, options, doors=(DoorKind.SSH, DoorKind.WEB)):
        await until(lambda: sum(bool(door.port) for door in told) >= 3)
        assert [door.trouble for door in told if door.kind is DoorKind.WEB] == [DoorTrouble.NO_PORT]


async def test_a_closed_table_leaves_the_hall_and_its_people_come_back(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        table = await ann.open_table("Gold Rush")
        host, guest = await ann.go_to(table), await ben.go_to(table)
        await until(lambda: len(cleo.hall.tables) == 1)
        host.say(*host.state.request(Close()))
        await until(lambda: guest.farewell is CloseReason.CLOSED)
        await until(lambda: not cleo.hall.tables)
        await until(lambda: not path_of(table, served.server.club.tables).exists())
        await ben.enter()
        late = Sitter("Ben", served.port, guest.key, table, guest.pin)
        late.begin(await dial(late))
        await until(lambda: late.farewell is CloseReason.NO_TABLE)
        await late.leave()


async def dial(sitter: Sitter) -> Connection:
    """A connection by somebody's key."""
    connection = await connect(HERE, sitter.port, pin=sitter.pin)
    await authenticate(connection, ClientHandshake.rejoin(sitter.pin, OURS, sitter.key))
    return connection


async def test_somebody_who_has_not_been_in_the_hall_gets_to_no_table(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        table = await ann.open_table("Gold Rush")
        connection = await stranger(served)
        connection.send(Visit(table))
        assert await last_word(connection) is CloseReason.OUT_OF_ORDER


EVE = EnterTable("Eve", watch=False, incarnation=0, seen=NOTHING_SEEN)
GARBAGE: list[list[object]] = [
    [{"is": "visit", "table": "x"}],
    [EVE, Visit("0" * 16)],
    [EVE, {"is": "command", "id": 1, "request": ["chat", 7]}],
    [EVE, [1, 2, 3]],
    [{"is": "hall-say", "text": "hello"}],
]
"""What strangers say in a hall that means nothing there."""


async def test_garbage_ends_its_own_link_and_no_other(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        seat = await ben.go_to(await ben.open_table("Gold Rush"))
        for number, messages in enumerate(GARBAGE, 1):
            connection = await stranger(served)
            for message in messages:
                connection.send(message)
            assert await last_word(connection) is None, messages
            ann.session.request(Chat("still here"))
            await until(lambda number=number: len(ann.hall.talk) == number)  # type: ignore[misc] # - mypy infers none
        assert await seat.wants(SetReady(ready=True)) is None


async def test_a_full_disk_refuses_tables_and_lets_all_others_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        table = await ann.open_table("Gold Rush")

        def fail(*_table: object, **_how: object) -> None:
            raise JournalUnwritable(tmp_path, OSError(errno.ENOSPC, "full"))

        monkeypatch.setattr("sabtui.club.server.create", fail)
        ann.session.request(OpenTable("one more", SMALL))
        await until(lambda: bool(refusals(ann)))
        assert refusals(ann)[0].reason is Refusal.DISK_FULL
        seat = await ann.go_to(table)
        assert await seat.wants(SetReady(ready=True)) is None


async def test_the_club_is_announced_as_one_with_all_who_are_there(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, _ben = await served.come("Ann", "Ben")
        await ann.go_to(await ann.open_table("Gold Rush"))
        await until(lambda: served.server.present == 2)
        advert = served.server.entrance._advert()
        assert (advert.name, advert.stage, advert.players) == ("The Nugget", AdvertStage.CLUB, 2)
        assert advert.id == served.server.club.id


@pytest.mark.level("thorough")  # `test_journal` kills a host as it writes
async def test_a_club_that_is_killed_comes_back_with_people_and_games(tmp_path: Path) -> None:
    people, seats = [], []
    try:
        async with start_child(tmp_path / "clubs", module=CLUB) as child:
            port = int(await child.line())
            people += [Member(name, port, tmp_path) for name in ("Ann", "Ben", "Cleo", "Dan")]
            for person in people:
                await person.enter()
            *_players, dan = people
            table = await people[0].open_table("Gold Rush")
            await dan.open_table("Empty")
            seats += [await person.go_to(table) for person in people[:3]]
            for seat in seats:
                assert await seat.wants(SetReady(ready=True)) is None
            assert await seats[0].wants(Start()) is None
            await until(lambda: all(seat.state.status.view is not None for seat in seats))
            first = seats[0].step
            for seat in seats:
                seat.plays, seat.stops_at = True, first + 4
                seat.move()
            await until(lambda: all(seat.step == first + 4 for seat in seats))
            before = seats[0].state.status.view
            await child.kill()
        await until(lambda: not any(seat.connection for seat in seats))
        async with start_child(tmp_path / "clubs", module=CLUB) as child:
            assert int(await child.line()) == port
            await asyncio.gather(*(seat.come_back() for seat in seats))
            after = seats[0].state.status.view
            assert before is not None
            assert after is not None
            assert after.hand == before.hand
            await until(lambda: [table.name for table in dan.hall.tables] == ["Gold Rush", "Empty"])
            assert dan.hall.name == "Dan"
            for seat in seats:
                seat.stops_at = None
            await play(seats)
            for person in people:
                await person.leave()
    finally:
        for person in people:
            await person.leave()


async def begin(served: ServedClub, *names: str) -> tuple[str, list[Sitter]]:
    """Three people begin a game that no bot plays to its end; return its table, and their seats."""
    people = await served.come(*names)
    table = await people[0].open_table("Gold Rush", with_changes(SMALL, absent=Absence.WAIT))
    seats = [await person.go_to(table) for person in people]
    for seat in seats:
        assert await seat.wants(SetReady(ready=True)) is None
    assert await seats[0].wants(Start()) is None
    await until(lambda: served.state(table).game is not None)
    return table, seats


async def test_a_table_that_has_failed_ends_alone_and_comes_back_with_the_club(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        ann, ben = await served.come("Ann", "Ben")
        broken, sound = await ann.open_table("Broken"), await ben.open_table("Sound")
        monkeypatch.setattr(served.server.tables[broken]._bots, "note_change", lambda: 1 / 0)
        await until(lambda: list(served.server.tables) == [sound])
        await until(lambda: [table.id for table in ann.hall.tables] == [sound])
        seat = await ben.go_to(sound)
        assert await seat.wants(SetReady(ready=True)) is None
    async with serve_folder(tmp_path) as served:
        await until(lambda: list(served.server.tables) == [broken, sound])


async def test_a_journal_that_fails_in_an_unknown_way_keeps_no_club_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        bad, good = [await ann.open_table(name) for name in ("Bad", "Good")]

    def fail_at_one(path: Path) -> HostedTable:
        if bad in path.name:
            raise ZeroDivisionError
        return resume(path)

    monkeypatch.setattr("sabtui.club.server.resume", fail_at_one)
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    async with serve_folder(tmp_path) as served:
        (gus,) = await served.come("Gus")
        assert [table.id for table in gus.hall.tables] == [good]


async def test_a_table_is_closed_after_its_time_without_anybody_and_a_game_waits_for_its_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = [0.0]

    def clock() -> float:
        return time.monotonic() + ahead[0]

    monkeypatch.setattr(live_table, "time", SimpleNamespace(monotonic=clock))
    async with serve_folder(tmp_path, replace(QUICK, idle_seconds=600)) as served:
        ann, ben = await served.come("Ann", "Ben")
        table = await ann.open_table("Gold Rush")
        game, players = await begin(served, "Cleo", "Dan", "Eva")
        seat, tables = await ann.go_to(table), dict(served.server.tables)
        for player in players:
            await player.leave()
        ahead[0] = 1200
        passed = clock()
        await until(lambda: tables[table]._linked_at >= passed)
        assert table in served.server.tables, "somebody is there"
        await seat.leave()
        ahead[0] = 1500
        passed = tables[table].room.sessions.now
        await until(lambda: tables[table].room.sessions.now > passed)
        assert table in served.server.tables, "the one who stayed left just now"
        ahead[0] = 2500
        await until(lambda: [table.id for table in ben.hall.tables] == [game])
        await until(lambda: not path_of(table, served.server.club.tables).exists())
        assert list(served.server.tables) == [game]
        await asyncio.gather(*(asyncio.create_task(player.come_back()) for player in players))
        await play_until(served.state(game).number + 2, *players)
        for player in players:
            await player.leave()
        ahead[0] = 2 * GAME_PATIENCE_S
        await until(lambda: not path_of(game, served.server.club.tables).exists())
