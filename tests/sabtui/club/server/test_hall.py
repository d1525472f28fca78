"""A hall: without sockets, then in a club that does what is asked for in it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.edition import EDITIONS, Edition
from net.protocol.board import (
    MAX_AT_TABLE,
    MAX_CLUB_TABLES,
    MAX_HALL_PEOPLE,
    HallBoard,
    HallTable,
    Night,
    NightRound,
    NightTable,
)
from net.protocol.cleaning import MAX_CHAT_BYTES, MAX_NAME_BYTES
from net.protocol.fields import MAX_SEATS, NO_KEY
from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, pack
from net.protocol.hall import (
    BeginNight,
    BoardNews,
    CloseTable,
    DrawRound,
    HallEvent,
    HallRequest,
    MovePerson,
    NextTable,
    NightChanged,
    OpenTable,
    OrganiserNamed,
    TableClosed,
    TableShown,
)
from net.protocol.lobby import (
    MAX_CHAT_LINES,
    THE_TABLE,
    Lobby,
    Person,
    Presence,
    TableClaim,
    Topic,
)
from net.protocol.messages import (
    NOTHING_SEEN,
    Accepted,
    CloseReason,
    EnterTable,
    Refusal,
    Snapshot,
    StepFrame,
    hash_of_all,
)
from net.protocol.requests import Chat, Close, Lock, MakeClaim, SetReady, Sit, Start
from net.room import inputs
from sabtui.club.hall import (
    answer,
    close,
    end_projectors,
    find_players,
    make_outline,
    open_hall,
    remove_person,
    renew_code,
    send_away,
    show,
    turn_away,
)
from sabtui.club.server import MAX_NAMES_SHOWN
from tests.net.room.room_fixture import Guest, Table, key_of, three_in_lobby
from tests.net.room.twin_tables import perform, plan, short_of_the_record, twin_script
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
from tests.sabtui.club.server.test_night import longest_night

TABLE = HallTable("a" * 16, "Gold Rush", "lobby", "international", 1, 5, ("Ben",))
ESCAPE = "\x1b]0;x\x07"


def hall_of(*names: str, people: tuple[Person, ...] = ()) -> Table:
    """A hall with some people in it."""
    table = Table()
    table.room = open_hall("The Nugget", people, 1, 0.0)
    for name in names:
        table.come(name)
    table.wait(0.5)
    return table


def report_to_hall(table: Table, news: HallEvent) -> None:
    """The club has news of its board."""
    table.apply(show(table.room, table.now, news))


def here(lobby: Lobby | None) -> list[str]:
    """Who is there."""
    assert lobby is not None
    return [person.name for person in lobby.people if not person.presence.is_gone]


def steps_of(guest: Guest) -> list[StepFrame]:
    """The steps that somebody was told."""
    return [message for message in guest.got if isinstance(message, StepFrame)]


def test_all_see_the_board_as_it_is_now() -> None:
    table = hall_of("Ann")
    for number in range(MAX_CLUB_TABLES):
        report_to_hall(table, TableShown(structs.replace(TABLE, id=f"{number:016}")))
    report_to_hall(table, TableShown(structs.replace(TABLE, id=f"{7:016}", players=4)))
    report_to_hall(table, TableClosed(f"{8:016}"))
    lobby = table.people["Ann"].client.status.lobby
    assert lobby == table.lobby
    assert len(table.lobby.board.tables) == MAX_CLUB_TABLES - 1
    assert table.lobby.board.tables[7].players == 4
    before = len(steps_of(table.people["Ann"]))
    table.wait(5)
    assert len(steps_of(table.people["Ann"])) == before, "nothing is told again"


def test_a_hall_has_no_host_not_even_by_a_key_that_anybody_can_prove() -> None:
    table = hall_of("Ann")
    enter = EnterTable("Eve", watch=False, incarnation=0, seen=NOTHING_SEEN)
    inputs.add_connection(table.room, table.now, 50, NO_KEY)
    inputs.receive(table.room, table.now, 50, enter)
    assert here(table.room.lobby) == ["Ann", "Eve"]
    assert table.room.lobby.host == THE_TABLE


def test_people_who_leave_fall_silent_or_return_are_told_and_the_newest_is_last() -> None:
    table = hall_of("Ann", "Ben")
    table.wait(1)
    table.wait(11, "Ben")
    assert here(table.people["Ann"].client.status.lobby) == ["Ann"]
    assert [*find_players(table.room, 5.0).values()] == ["Ann"], "nobody draws a link that is dead"
    table.come("Ann")
    table.people["Ben"].client.watch = True
    table.come("Ben")
    table.wait(1)
    assert here(table.people["Ann"].client.status.lobby) == ["Ann", "Ben"]
    assert [*find_players(table.room, 5.0).values()] == ["Ann"], "a watcher is not drawn"


def test_a_hall_that_begins_again_knows_its_people_and_nothing_is_lost_of_it() -> None:
    table = hall_of("Ann", "Ben")
    for number in range(10):
        assert table.wants("Ann", Chat(f"line {number}")) is None
    known = tuple(structs.replace(person, presence=Presence.GONE) for person in table.lobby.people)
    ann = table.people["Ann"]
    ann.client.end_connection()
    waiting = ann.client.request(Chat("still here"))
    assert not waiting, "the link is gone"
    table.room = open_hall("The Nugget", known, 2, table.now)
    table.people.pop("Ben")
    again = table.come("Ann")
    table.wait(1)
    assert not any(received.lost_steps for received in again.received)
    assert again.client.status.lobby == table.lobby
    assert [line.text for line in table.room.state.talk] == ["still here"]
    table.come("Cleo")
    assert table.lobby.find_person(3).name == "Cleo", "numbers are not used twice"


def test_a_full_hall_forgets_who_was_away_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.room.handlers.MAX_HALL_PEOPLE", 5)
    people = tuple(
        Person(number, name, Presence.GONE, key=key_of(name))
        for number, name in enumerate(("Ben", "Cleo", "Dan"), 1)
    )
    table = hall_of(people=people)
    report_to_hall(table, TableShown(TABLE))  # with Ben
    table.wait(0.5)
    table.come("Ann")
    table.come("Eva")
    assert [person.name for person in table.lobby.people] == ["Ben", "Dan", "Ann", "Eva"]
    table.come("Fay")
    table.come("Gus")
    assert "Gus" not in here(table.lobby)


def test_a_hall_has_no_seats_no_host_and_no_claims_and_a_table_has_no_board() -> None:
    table = hall_of("Ann")
    for request, why in (
        (Sit(0), Refusal.NO_SUCH_SEAT),
        (SetReady(ready=True), Refusal.NO_SEAT),
        (Start(), Refusal.HOST_ONLY),
        (Close(), Refusal.HOST_ONLY),
        (Lock(locked=True), Refusal.HOST_ONLY),
        (MakeClaim(TableClaim(Topic.WHO_ME)), Refusal.NO_SUCH_CLAIM),
    ):
        assert table.wants("Ann", request) is why
    assert three_in_lobby().wants("Ann", DrawRound()) is Refusal.NOT_NOW


def test_a_new_code_ends_those_who_have_not_entered_but_for_those_who_are_known() -> None:
    table = hall_of("Ann")
    for number, name in ((8, "Mallory"), (9, "Ann")):
        table.connected[number] = Guest(name, number, watch=False)
        table.apply(inputs.add_connection(table.room, table.now, number, key_of(name)))
    table.apply(renew_code(table.room, table.now, "tulip-amber"))
    assert table.connected[8].farewell is CloseReason.NEW_CODE
    assert not table.connected[9].got


def night(people: tuple[str, ...], table: NightTable, title: str = "Night") -> Night:
    """A night with one round, at one table."""
    return Night(1, title, "international", 3, people, (NightRound(bytes(32), (table,)),))


NO_NEWS: tuple[BoardNews, ...] = (
    NightChanged(night(("Ann", "Ben"), NightTable("a" * 16, (0, 2)))),
    NightChanged(night(("Ann", "Ben"), NightTable("a" * 16, (0, 0)))),
    NightChanged(night(("Ann", "Ben"), NightTable("a" * 16, (0, 1), is_over=True, gold=(3,)))),
    NightChanged(night(("Ann", ESCAPE), NightTable("a" * 16, (0, 1)))),
    NightChanged(night(("Ann", "Ben"), NightTable("a" * 16, (0, 1)), title=ESCAPE)),
    NightChanged(structs.replace(night((), NightTable("a" * 16, ())), edition=ESCAPE)),
    TableShown(structs.replace(TABLE, name=ESCAPE)),
    TableShown(structs.replace(TABLE, stage=ESCAPE)),
    TableShown(structs.replace(TABLE, edition=ESCAPE)),
    TableShown(structs.replace(TABLE, people=(ESCAPE,))),
)


@pytest.mark.parametrize("news", NO_NEWS)
def test_news_that_no_hall_has_end_the_link_and_are_not_shown(news: HallEvent) -> None:
    table = hall_of("Ann")
    ann = table.people["Ann"]
    held = ann.held
    told = hash_of_all(news.change(held.lobby), None)
    frame = StepFrame(held.step + 1, 1, 0, (news,), (), told)
    with pytest.raises(BadFrame):
        ann.client.receive(frame)
    assert ann.client.status.game_state is held


def test_a_board_belongs_to_a_hall_alone_and_has_each_table_once() -> None:
    for changed in (
        replace_lobby(three_in_lobby(), board=HallBoard(tables=(TABLE,))),
        replace_lobby(hall_of("Ann"), board=HallBoard(tables=(TABLE, TABLE))),
    ):
        client = changed.people["Ann"].client
        changed.room.sessions.buffers[1].ring.clear()
        with pytest.raises(BadFrame):
            changed.ask(changed.people["Ann"])
        assert client.status.lobby != changed.lobby
    table = three_in_lobby()
    news = StepFrame(table.room.state.number + 1, 1, 0, (OrganiserNamed(1),), (), bytes(8))
    assert table.people["Ann"].client.receive(news).disagreed


def replace_lobby(table: Table, board: HallBoard) -> Table:
    """The same room with another board, as a modified host might have it."""
    state = table.room.state
    table.room.state = structs.replace(state, lobby=structs.replace(state.lobby, hall=board))
    return table


def test_the_fullest_hall_that_there_can_be_is_told_in_one_frame() -> None:
    long = "x" * MAX_NAME_BYTES
    table = hall_of("Ann")
    edition = "international+counter-clockwise+adjacent+ends-round+all-players+card"
    assert Edition.read(edition).text == edition, "all rows are changed, and have long names"
    full = MAX_NAMES_SHOWN // MAX_AT_TABLE
    board = HallBoard(
        "c" * 16,
        tuple(
            HallTable(
                f"{at:016}",
                long,
                "playing",
                edition,
                MAX_SEATS,
                MAX_SEATS,
                (long,) * MAX_AT_TABLE if at < full else (),
            )
            for at in range(MAX_CLUB_TABLES)
        ),
        tuple(range(1, MAX_HALL_PEOPLE + 1)),
        longest_night(),
    )
    people = tuple(
        Person(2**31 - number, long, Presence.GONE, key=bytes(32))
        for number in range(1, MAX_HALL_PEOPLE + 1)
    )
    (snapshot,) = (message for message in table.people["Ann"].got if isinstance(message, Snapshot))
    said = [table.wants("Ann", Chat("y" * MAX_CHAT_BYTES)) for _ in range(10)]
    assert not any(said)
    talk = table.room.state.talk[:1] * MAX_CHAT_LINES
    lobby = structs.replace(table.lobby, hall=board, people=people)
    pack(structs.replace(snapshot, lobby=lobby, talk=talk), MAX_HOST_FRAME_BYTES)


@pytest.mark.rule("K")
def test_a_hall_tells_of_a_table_nothing_that_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    script = plan(0, "greedy", EDITIONS["international"], rounds=1)
    told = []
    for players in (script, twin_script(script, None, 0)):
        table = perform(short_of_the_record(players), monkeypatch, 0)
        told.append(replace(make_outline("a" * 16, table.room, {}), host=b""))
        assert told[-1].row.players
    assert told[0] == told[1]


def test_somebody_who_is_gone_is_told_nothing_and_not_turned_away_once_more() -> None:
    table = hall_of("Ann")
    assert answer(table.room, table.now, 99, Accepted(1)).do == ()
    assert turn_away(table.room, table.now, 99, CloseReason.TOO_SLOW).do == ()
    ann = table.people["Ann"].connection
    assert turn_away(table.room, table.now, ann, CloseReason.TOO_SLOW).do
    night = Night(3, "Nugget", "international", 1, ("Ann", "Ben"))
    assert night.place_of("Cleo") is None
    assert night.place_of("Ann") is None, "no round was drawn"


def test_a_table_is_closed_once_and_one_person_can_be_sent_away() -> None:
    table = three_in_lobby()
    table.apply(send_away(table.room, table.now, key_of("Ben"), CloseReason.CALLED))
    farewells = {name: person.farewell for name, person in table.people.items()}
    assert farewells == {"Ann": None, "Ben": CloseReason.CALLED, "Cleo": None, "Wim": None}
    table.apply(close(table.room, table.now))
    closed = table.room.state.number
    table.apply(close(table.room, table.now))
    assert table.room.state.number == closed


def test_somebody_removed_from_the_club_leaves_a_table_unless_they_host_it() -> None:
    table = three_in_lobby()
    steps = table.room.state.number
    for name in ("Zoe", "Ann"):
        table.apply(remove_person(table.room, table.now, key_of(name)))
    assert table.room.state.number == steps, "one is not there, and the other keeps the seat"
    table.apply(remove_person(table.room, table.now, key_of("Ben")))
    assert table.people["Ann"].farewell is table.people["Ben"].farewell is CloseReason.KICKED
    assert [person.name for person in table.room.lobby.people] == ["Ann", "Cleo", "Wim"]


def test_projectors_at_a_table_of_the_club_end_with_the_code() -> None:
    table = three_in_lobby()
    projector = table.come("Projector", is_projector=True)
    table.apply(end_projectors(table.room, table.now))
    assert projector.farewell is CloseReason.NEW_CODE
    assert [person.name for person in table.lobby.people] == ["Ann", "Ben", "Cleo", "Wim"]
    steps = table.room.state.number
    table.apply(end_projectors(table.room, table.now))
    assert table.room.state.number == steps, "no projector is left"


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


REFUSED: tuple[tuple[HallRequest, Refusal], ...] = (
    (OpenTable(" ", SMALL), Refusal.NO_NAME),
    (OpenTable("x" * 57, SMALL), Refusal.UNREADABLE),
    (CloseTable("x" * 16), Refusal.NOT_NOW),
    (MovePerson("Ann", "x" * 16), Refusal.NOT_NOW),
    (BeginNight(3, " ", SHORT), Refusal.NO_NAME),
    (DrawRound(), Refusal.NOT_NOW),
)


async def test_what_cannot_be_or_be_read_is_refused_and_costs_no_link(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        await organise(served, ann)
        link = ann.session._connection
        for asked, why in REFUSED:
            assert await why_refused(ann, asked) is why
            is_read = why is not Refusal.UNREADABLE
            assert bool(refusals(ann)[-1].id) is is_read, "by the command's own id"
        ann.session.request(Chat("hello"))
        await until(lambda: bool(ann.hall.talk))
        assert ann.session._connection is link


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
        await until(writer._task.done)
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


async def test_the_hall_shows_only_so_many_names_at_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.MAX_NAMES_SHOWN", 3)
    async with serve_folder(tmp_path) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        tables = [await ann.open_table(name) for name in ("Gold Rush", "Deep Mine")]
        for table in tables:
            await ben.go_to(table)
            await cleo.go_to(table)
        await until(lambda: [row.people for row in ann.hall.tables][1:] == [("Ben",)])
        assert ann.hall.tables[0].people == ("Ben", "Cleo")


async def test_a_round_is_drawn_once_there_is_room_for_all_at_the_tables_before_but_watchers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.DRAWN_PAUSE_S", 0.0)
    async with serve_folder(tmp_path) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        ann.session.request(BeginNight(2, "Table", SHORT))
        ann.session.request(DrawRound())
        await until(lambda: all(led_to(person) for person in (ann, ben, cleo)))
        table = led_to(ann)
        seats = [await person.go_to(table) for person in (ann, ben, cleo)]
        await play(seats)
        dan, eve = await served.come("Dan", "Eve")
        await dan.go_to(table)
        await eve.go_to(table, watch=True)
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
        assert {*night_at(served).names_at(drawn)} == {"Ann", "Ben", "Cleo", "Dan"}
        assert [next_table(seat).round for seat in seats[1:]] == [2, 2], "and are told before"
        assert {*next_table(seats[1]).others} == {"Ann", "Cleo", "Dan"}


def next_table(seat: Sitter) -> NextTable:
    """Where somebody at a table was told that they sit in the next round."""
    (told,) = (message for message in seat.got if isinstance(message, NextTable))
    return told
