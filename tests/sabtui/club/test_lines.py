"""A club in lines of text: in the hall, at a table, and back, with lines that come all at once."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO, cast

import pytest
from msgspec import structs

from net.client.session import ConnectionState, Session, Status, Update
from net.protocol.board import HallBoard, HallTable
from net.protocol.lobby import Person, Presence
from net.protocol.requests import Chat
from sabtui.app import joining
from sabtui.app.requests import TableHandle
from sabtui.cli.main import main
from sabtui.club import lines
from sabtui.club.lines import _Hall, _news
from sabtui.club.visit import ClubVisit
from sabtui.plain import console
from sabtui.plain.console import Console
from sabtui.plain.json_table import JsonConsole
from sabtui.text.layout import cut_off_sentence
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.club.pictures import HALL, in_hall
from tests.sabtui.club.server.served_club import led_to, night_at, serve_folder, until_led
from tests.sabtui.club.test_text import NIGHT


@dataclass
class Visitor:
    """Somebody who visits a club in lines of text; each line that they read comes from `shown`."""

    keyboard: BinaryIO
    shown: asyncio.StreamReader

    async def types(self, line: str, answer: str) -> str:
        """Type a line, and return what is said up to the line with this answer."""
        self.keyboard.write(f"{line}\n".encode())
        return await self.reads(answer)

    async def reads_on(self) -> str:
        """Return all else that is said until the visit ends."""
        async with asyncio.timeout(60):
            return (await self.shown.read()).decode()

    async def reads(self, answer: str) -> str:
        """Return what is said up to the line with this answer."""
        said = ""
        while answer not in said:
            read = b""
            with suppress(TimeoutError):
                async with asyncio.timeout(60):
                    read = await self.shown.readline()
            assert read, f"there was no {answer!r}:\n{said}"
            said += read.decode()
        return said


@asynccontextmanager
async def visiting(
    port: int, folder: Path, name: str, *more: str, typed_first: Sequence[str] = ()
) -> AsyncIterator[Visitor]:
    """Visit a club in lines of text, in a thread of this process, until the test is done.

    Lines that are `typed_first` are there before the program asks for any.
    """
    before = set(threading.enumerate())
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(joining, "FIND_TIMEOUT_S", 0.02)  # nothing answers before one has joined
        for home in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(home, str(folder / name))
        (typed, keyboard), (shown, screen) = os.pipe(), os.pipe()
        patch.setattr(console, "_STDIN", typed)
        stack.callback(os.close, typed)
        out = stack.enter_context(os.fdopen(screen, "w", encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader),
            stack.enter_context(os.fdopen(shown, "rb")),
        )
        words = ["join", f"{HERE}:{port}", "--code", str(CODE), "--name", name, "--plain", *more]

        def play() -> int:
            with out:
                return main(words)

        playing = asyncio.create_task(asyncio.to_thread(play))
        try:
            with os.fdopen(keyboard, "wb", buffering=0) as keys:
                keys.write("".join(f"{line}\n" for line in typed_first).encode())
                visitor = Visitor(keys, reader)
                await visitor.reads(f"The Nugget: {name} (you)")
                yield visitor
        finally:
            assert await playing == 0, "the end of the input ends the visit"
            for thread in set(threading.enumerate()) - before:
                if thread.name == "typed":  # it still reads
                    await asyncio.to_thread(thread.join)
            transport.close()


async def test_all_that_is_typed_is_read_in_the_hall_or_at_the_table_where_it_belongs(
    tmp_path: Path,
) -> None:
    typed = ["talk hello", "new Deep Mine", "bot", "quit", "yes", "help", "who", "quit"]
    async with serve_folder(tmp_path / "club") as served:
        async with visiting(served.port, tmp_path, "Cleo", typed_first=typed) as cleo:
            hall = await cleo.reads("Table: Deep Mine.")
            assert 'Cleo says: "hello"' in hall
            table = await cleo.reads("The Nugget: Cleo (you)")
            assert "Borin (medium bot) took seat 2." in table
            assert "sabtui join brings you back." in table
            help_line = "Type a table's number to join it"
            by_itself, wrong, asked = [await cleo.reads(help_line) for _ in range(3)]
            assert help_line not in await cleo.reads_on()
            for told in (by_itself, asked):
                assert "1 Deep Mine: 2/5 players, waiting, international" in told
            assert "Deep Mine" not in wrong, "it is help alone"
        async with visiting(served.port, tmp_path, "Dan") as dan:
            said = await dan.types("watch 1\nquit\nyes", "The Nugget: Dan (you)")
        assert 'Cleo says: "hello"' in said


def test_a_program_is_told_the_whole_hall_whenever_it_has_changed(
    stay: _Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    stay._console = JsonConsole()
    stay._take(Update(in_hall()))
    stay._take(Update(in_hall()))
    stay._read('{"do":"all"}')
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hall, again = (line for line in told if line["t"] == "hall")
    assert again == hall, "a page that was loaded again asks for all"
    assert hall.keys() == {"t", "title", "lines", "tables", "people", "talk"}
    assert any("In the hall: " in line for line in hall["people"])


@pytest.fixture
def stay(monkeypatch: pytest.MonkeyPatch) -> _Hall:
    """A stay in a hall, at which nothing is asked of anybody."""
    monkeypatch.setenv("COLUMNS", "40")
    hall = _Hall(cast("ClubVisit", SimpleNamespace(find_way=lambda _update: "")), Console())
    hall._session = cast("Session", SimpleNamespace(request=lambda _request: None))
    return hall


def test_lines_are_read_again_once_the_link_is_lost_on_which_a_table_was_asked_for(
    stay: _Hall,
) -> None:
    stay._take(Update(in_hall()))
    stay._read("new Deep Mine")
    takes = [stay._takes_line]  # what a line means depends on the answer
    stay._take(Update(replace(in_hall(), connection=ConnectionState.LOST)))
    assert [*takes, stay._takes_line] == [False, True], "no answer will come"


def test_no_line_of_a_hall_is_wider_than_the_terminal_and_no_word_is_cut(
    stay: _Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    stay._take(Update(in_hall()))
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 40
    assert " ".join(said.split()).count("organiser PASSWORD, quit.") == 1


def test_talk_that_is_too_long_for_a_hall_is_cut_and_that_is_said(
    stay: _Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = list[object]()
    stay._session = cast("Session", SimpleNamespace(request=asked.append))
    stay._take(Update(in_hall()))
    capsys.readouterr()
    stay._read(f"t {'x' * 190}")
    assert " ".join(capsys.readouterr().out.split()).startswith(cut_off_sentence())
    assert asked == [Chat("x" * 160)]


def test_a_stage_reads_the_hall_and_goes_to_a_table(
    stay: _Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = cast("TableHandle", SimpleNamespace(make=None))
    visit = SimpleNamespace(find_way=partial(ClubVisit.find_way, stay.visit))
    visit.table, visit.sees_end = lambda *_table, **_how: gone, lambda *_statuses: False
    stay.visit = cast("ClubVisit", visit)
    night = structs.replace(HALL, hall=structs.replace(HALL.board, night=NIGHT))
    projector = Person(99, "Projector", Presence.THERE, projector=True)
    night = structs.replace(night, people=(*night.people, projector))
    stay._take(Update(in_hall(night, member=projector.member)))
    said = capsys.readouterr().out
    assert said.startswith("The Nugget\n1 Gold Rush: ")
    assert "you are" not in said
    stay._read("2")
    assert stay.found is gone


def test_tables_whose_number_is_another_now_are_told_again() -> None:
    def seeing(*tables: HallTable) -> Status:
        return in_hall(structs.replace(HALL, hall=HallBoard(tables=tables)))

    first, second = HALL.board.tables
    third = structs.replace(second, id="3" * 16, name="Old Mine")
    was = seeing(first, second, third)
    told = _news(was, seeing(first, third))
    assert [line.partition(":")[0] for line in told] == ["2 Old Mine"]
    assert _news(was, was) == []


async def test_an_organiser_leads_a_night_in_lines_of_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "DRAWN_PAUSE_S", 0.1)
    async with serve_folder(tmp_path) as served:
        ben, dan = await served.come("Ben", "Dan")
        table = await ben.open_table("Deep Mine")
        async with visiting(served.port, tmp_path, "Cleo") as cleo:
            await cleo.types("draw", "Only an organiser of the club")
            password = served.server.club.password
            said = await cleo.types(f"organiser {password}", f"Room code: {CODE}")
            assert "Organisers: night ROUNDS" in said
            await cleo.types("say the bar is open", 'Cleo (organiser) says: "the bar is open"')
            await until(lambda: bool(ben.hall.talk))
            assert ben.hall.talk[-1].name == "Cleo"
            await cleo.types("move Nobody 1", "Nobody by that name")
            await cleo.types("move Dan 1", "")
            await until(lambda: led_to(dan) == table)
            await cleo.types("code", "Room code:")
            await until(lambda: str(served.server.code) != str(CODE))
            await cleo.types("close 1", "")
            await until(lambda: not ben.hall.tables)
            await cleo.types("night 13", "night needs a number")
            await cleo.types("night 2, rounds 99", "rounds needs a number")
            await cleo.types("night 2, gold 5", "Type night 4, rounds 1, turn 60")
            await cleo.types("night 99", "night needs a number from 1 to ")
            await cleo.types("help", "Organisers: night ROUNDS")
            await cleo.types("night 2, rounds 1, TURN 60", "Game night, 2 rounds")
            assert night_at(served).length == 1
            await cleo.types("draw", "Table: Table 1")
            for person in (ben, dan):
                await until_led(person, 1)
            assert len(night_at(served).rounds[0].present) == 3


async def test_a_mistake_in_the_hall_is_answered_with_what_is_wrong(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ben,) = await served.come("Ben")
        await ben.open_table("Deep Mine")
        async with visiting(served.port, tmp_path, "Cleo") as cleo:
            await cleo.reads("Type a table's number to join it")
            for typed, answer in (
                ("99", "That is not on the list. Choose from it."),
                ("watch 99", "That is not on the list. Choose from it."),
                ("close 9", "That is not on the list. Choose from it."),
                ("move Cy 9", "That is not on the list. Choose from it."),
                ("00012", "That is not on the list. Choose from it."),
                ("watch", "Type watch 1"),
                ("watch the 1", "Type watch 1"),
                ("move 1", "Type move Cleo 1"),
                ("close the mine", "Type close 1"),
                ("talk", "Type talk ..."),
                ("organiser", "Type organiser ..."),
                ("night", "Type night 4, rounds 1, turn 60"),
                ("standings", "0 finished games."),
                ("dance", "Unknown command: dance. Type ? for help."),
                ("close 1", "Only an organiser of the club can do that"),
            ):
                assert "Type a table's number to join it" not in await cleo.types(typed, answer), (
                    typed
                )


async def test_somebody_who_comes_back_into_a_hall_where_something_was_said_hears_what_is_new(
    tmp_path: Path,
) -> None:
    async with (
        serve_folder(tmp_path / "club") as served,
        visiting(served.port, tmp_path, "Ann") as ann,
    ):
        (ben,) = await served.come("Ben")
        ben.session.request(Chat("hello"))
        await ann.reads('Ben says: "hello"')
        served.server._connections[1].abort()
        await ann.reads("ost")  # the connection is lost, then there is another
        said = await ann.types("t good morning", 'Ann says: "good morning"')
        assert 'Ben says: "hello"' not in said, "she has heard that"
