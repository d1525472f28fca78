"""The console at a terminal and at pipes, and a visit to a table through it."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.moves import Move
from net.client.session import ConnectionState, Ending, OnUpdate, Received, Status, Update
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.game_wire import read_move
from net.protocol.lobby import TablePhase
from net.protocol.lobby_events import Said
from net.protocol.messages import CloseReason, Refusal
from net.protocol.requests import Chat, Close, Leave, MakeMove, Request
from net.secure.address import Address
from net.secure.connection import ConnectionFault
from sabtui.plain.commands import PlainTable
from sabtui.plain.console import Console
from sabtui.text.connection import why_ended
from tests.sabtui import cases
from tests.sabtui.plain_sessions import now_at
from tests.sabtui.script import WAIT, Script
from tests.sabtui.tables import ANA, BRUNO, FREE, lobby, sits

posix = pytest.mark.skipif(os.name == "nt", reason="terminals and pipes as on POSIX")

SPEAKER = """
import queue, sys
from sabtui.plain.console import Console
console, came = Console(), queue.SimpleQueue()
first = console.ask("First")
console.listen(lambda: came.put(console.take_line()))
console.prompt("Next")
console.prompt("Next")
console.say(["something comes", "and more"])
console.prompt("Next")
line = came.get()
console.note_answer()
console.say([f"{first!r} {line!r} {console.is_eager}"])
console.prompt("Last")
last = came.get()
console.say([f"end {last!r}"])
console.prompt("Gone")
console.leave()
print("over")
"""


def _open_terminal() -> tuple[int, int]:
    """Both ends of a new terminal."""
    if sys.platform != "win32":
        return os.openpty()
    else:  # noqa: RET505 - where mypy looks at Windows, all else is not there
        raise NotImplementedError


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, code: str) -> None:
        self.master, slave = _open_terminal()
        self.program = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str) -> None:
        """Read until a text is on the screen."""
        end = time.monotonic() + 10
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    data = os.read(self.master, 4096)
                except OSError:  # Linux, when the program is gone
                    data = b""
                assert data or text in self.shown, self.shown
                self.shown += data.decode()

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    shell = Terminal(SPEAKER)
    yield shell
    shell.program.kill()
    shell.program.wait()
    os.close(shell.master)


@posix
def test_lines_come_below_a_prompt_which_then_stands_again(terminal: Terminal) -> None:
    terminal.wait_for("First> ")
    terminal.type("één\n")
    terminal.wait_for("more\r\nNext> ")
    assert terminal.shown.replace("\r", "") == (
        "First> één\nNext> \nsomething comes\nand more\nNext> "
    )
    terminal.type("zwei\n")
    terminal.wait_for("Last> ")
    assert terminal.shown.replace("\r", "").endswith("Next> zwei\n'één' 'zwei' True\nLast> ")
    terminal.type("\x04")
    terminal.wait_for("end None\r\nGone> \r\nover")
    assert terminal.program.wait(10) == 0


@posix
@pytest.mark.parametrize("key", [b"\x1bp", b"\x1b[A", b"\x8fp", b"\xc2\x8fp", b"\xc2\x9bA"])
def test_a_key_that_a_line_holds_leaves_no_letter_that_could_be_a_command(key: bytes) -> None:
    typed = key + b"\nno\0de\n"
    spoken = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", SPEAKER], input=typed, stdout=subprocess.PIPE, check=True
    )
    letters = key[1:].decode("ascii", "ignore")
    assert f"'\ufffd{letters}' 'node' False" in spoken.stdout.decode()


@posix
def test_without_a_terminal_a_prompt_is_a_line_of_its_own() -> None:
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", SPEAKER],
        input="a\r\n\xfe" + "x" * 9000,
        capture_output=True,
        text=True,
        check=True,
    )
    first, second, *lines = done.stdout.splitlines()
    assert (first, second) == ("First>", "Next>")
    assert lines[:3] == ["something comes", "and more", "Next>"]
    assert lines[3].startswith("'a' 'þxxx")
    assert lines[3].endswith("x' False")
    assert lines[-4:] == ["Last>", "end None", "Gone>", "over"]


@posix
def test_a_program_ends_quietly_while_its_reader_still_waits() -> None:
    code = "from sabtui.plain.console import Console; Console().listen(print); print('over')"
    quiet = Terminal(code)
    quiet.wait_for("over\r\n")
    assert quiet.program.wait(10) == 0
    assert quiet.shown == "over\r\n"
    os.close(quiet.master)


def test_a_line_brings_no_control_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    console.say(["a\x1b[2J\x1b]0;x\x07b\nc\x9bd\u202e\r[/]"])
    console.prompt("p\x07")
    assert capsys.readouterr().out == "a[2J]0;xb cd [/]\np>\n"


LOBBY = now_at(lobby(), member=BRUNO)
GAME = now_at(lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING), cases.DIG, ANA)
OVER = now_at(GAME.lobby or lobby(), cases.OVER, BRUNO, record="text\n")


class Handmade:
    """A seat that is told by hand, and answers each wish by the next of `answers`."""

    def __init__(self, on_update: OnUpdate, first: Status, answers: Iterator[Update]) -> None:
        self.status = Status()
        self.wanted: list[Request | Move] = []
        self._first = first
        self._receive = on_update
        self._answers = answers
        self._left = asyncio.Event()

    async def run(self) -> None:
        self._update(Update(self._first, Received(renewed=True)))
        await self._left.wait()

    def request(self, wanted: Request) -> None:
        self.wanted.append(read_move(wanted.move) if isinstance(wanted, MakeMove) else wanted)
        self._answer()

    def go_on(self) -> None:
        self._answer()

    def leave(self) -> None:
        self._left.set()

    def _answer(self) -> None:
        update = next(self._answers, None)
        if update is not None:
            self._update(update)

    def _update(self, update: Update) -> None:
        self.status = update.status
        self._receive(update)


class Visit:
    """What was said and wanted in a visit, and how it ended."""

    def __init__(
        self,
        typed: Sequence[str | None] | Script,
        first: Status = LOBBY,
        answers: Sequence[Update] = (),
        back: str = "",
    ) -> None:
        if isinstance(typed, Script):
            self.script = typed
        else:
            lines = iter(typed)
            self.script = Script(lambda _prompt, _lines: next(lines, WAIT))
        seats: list[Handmade] = []

        def make(on_update: OnUpdate) -> Handmade:
            seats.append(Handmade(on_update, first, iter(answers)))
            return seats[0]

        table = PlainTable(self.script, back)
        self.code = table.visit(make, ["Welcome."])
        self.lines = [*self.script.lines, *self.script.since]
        self.wanted = seats[0].wanted


def ends(why: Ending, status: Status = LOBBY) -> Update:
    return Update(replace(status, connection=ConnectionState.ENDED, ending=why))


def chat_update(text: str) -> Update:
    return Update(LOBBY, Received(news=(Said(BRUNO, text),), settled=1))


def test_an_open_door_is_told_with_an_address_of_the_players_own_table() -> None:
    door = DoorNow(DoorKind.SSH, 7351, "SHA256:16xF")
    outside = Address("192.168.1.20", 7341), Address("10.0.0.5", 7341)
    opened = replace(LOBBY, member=ANA, doors=(door,), outside=outside)  # the host
    visit = Visit(["quit", "yes"], opened)
    assert "In any terminal: ssh -p 7351 NAME@192.168.1.20" in visit.lines


def test_a_visit_begins_with_the_greeting_and_ends_where_one_quits() -> None:
    visit = Visit(["t hi", "quit", "yes"], answers=[chat_update("hi")], back="Your seat is kept.")
    assert visit.code == 0
    assert visit.lines[0] == "Welcome."
    assert 'Bruno says: "hi"' in visit.lines
    assert visit.lines[-1] == "Your seat is kept."
    assert visit.wanted == [Chat("hi")]


def test_after_the_end_of_input_the_autopilot_plays_on_and_leaves_once_the_game_is_over() -> None:
    visit = Visit(["t hi", "auto", None], GAME, [Update(OVER, Received(settled=1))], "Kept.")
    assert (visit.code, visit.wanted) == (0, [Chat("hi")])
    assert visit.lines[-2] == "No more input. A bot plays for you: auto takes over again."
    assert visit.lines[-1] == "Kept."


@pytest.mark.parametrize(
    ("first", "back", "said"),
    [
        (LOBBY, "Your seat is kept.", ["No more input.", "Your seat is kept."]),
        (GAME, "", ["No more input. Unfinished games are not saved."]),
        (OVER, "", ["No more input."]),
    ],
)
def test_the_end_of_input_lets_go_and_says_whether_a_game_is_lost_by_it(
    first: Status, back: str, said: list[str]
) -> None:
    visit = Visit([None], first, back=back)
    assert (visit.code, visit.wanted) == (0, [])
    assert visit.lines[-len(said) :] == said


ALONE = now_at(lobby(sits(ANA), FREE, FREE, people=(ANA,)))


@pytest.mark.parametrize(
    ("first", "wanted", "last"),
    [
        (ALONE, [Close()], "No more input."),
        (now_at(lobby(), member=ANA), [], "To close it then: close."),
    ],
    ids=["alone", "others are there"],
)
def test_the_end_of_input_closes_a_lobby_in_which_its_host_is_alone(
    first: Status, wanted: list[Request], last: str
) -> None:
    visit = Visit([None], first, back="Kept.")
    assert (visit.code, visit.wanted) == (0, wanted)
    assert visit.lines[-1].endswith(last)


@pytest.mark.parametrize(
    ("typed", "why", "wanted", "told"),
    [
        (["leave", "yes"], CloseReason.LEFT, Leave(), "You have left the table."),
        (["t hi"], CloseReason.CLOSED, Chat("hi"), "The host has closed the table."),
    ],
)
def test_a_table_that_is_left_or_closed_ends_well(
    typed: list[str], why: CloseReason, wanted: Request, told: str
) -> None:
    visit = Visit(typed, answers=[ends(why)], back="Your seat is kept.")
    assert (visit.code, visit.wanted, visit.lines[-1]) == (0, [wanted], told)


@pytest.mark.parametrize(
    "why", [CloseReason.KICKED, CloseReason.REPLACED, ConnectionFault.NO_ANSWER, Refusal.TABLE_FULL]
)
def test_an_end_not_asked_for_is_a_complaint(
    why: Ending, capsys: pytest.CaptureFixture[str]
) -> None:
    visit = Visit(["t hi"], answers=[ends(why)])
    assert visit.code == 1
    assert capsys.readouterr().err == f"sabtui: {why_ended(why)}\n"


def test_somebody_who_sits_there_reads_on_at_a_table_that_was_closed_after_a_game() -> None:
    lines = iter(["unknown", "again", "3", "leave"])
    typed = {"The game is over": iter(["t hi"]), "The table is closed": lines}

    def answer(prompt: str, _lines: Sequence[str]) -> str:
        return next(typed.get(prompt, iter(())), WAIT)

    script = Script(answer, eager=True)
    assert Visit(script, OVER, [ends(CloseReason.CLOSED, OVER)]).code == 0
    assert script.lines.count("Enter: leave.") == 4, (
        "as it closes, and after each line but the last"
    )
    assert "Unknown command: unknown. Type ? for help." in script.lines


def test_a_game_that_is_over_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    over = "The game is over"
    script = Script(lambda prompt, _lines: "quit" if prompt == over else WAIT, eager=True)
    assert Visit(script, OVER, [ends(CloseReason.CLOSED, OVER)]).code == 0
    assert len(list((tmp_path / "data").rglob("*.sab"))) == 1
    assert " ".join(script.lines).count("Game saved:") == 1


def test_a_line_typed_ahead_waits_for_the_answer_to_the_one_before() -> None:
    class TypesAhead(Script):
        def listen(self, wake: Callable[[], object]) -> None:
            super().listen(wake)
            self.typed.extend(("xns", "xM", None))

    lines = iter(["xns"])
    script = TypesAhead(lambda _prompt, _lines: next(lines, WAIT))
    visit = Visit(script, GAME, [Update(GAME, Received(settled=1))] * 2)
    assert (visit.code, len(visit.wanted)) == (0, 2)


def test_what_a_seat_breaks_on_is_raised() -> None:
    class Broken(Handmade):
        async def run(self) -> None:
            raise ZeroDivisionError

    script = Script(lambda _prompt, _lines: WAIT)
    with pytest.raises(ZeroDivisionError):
        PlainTable(script).visit(lambda on_update: Broken(on_update, LOBBY, iter(())))


FLOODED = """
import queue, re
from pathlib import Path
from sabtui.plain.console import Console

def kilobytes():
    status = Path("/proc/self/status")
    return int(re.search(r"VmRSS:[^0-9]*([0-9]+)", status.read_text())[1]) if status.exists() else 0

console, came = Console(), queue.SimpleQueue()
console.listen(lambda: came.put(None))
came.get()
ahead, count, most = 0, 0, 0
while console.typed[0] is not None:
    ahead = max(ahead, len(console.typed), came.qsize() + 1)
    count += 1
    most = most if count % 10_000 else max(most, kilobytes())
    console.take_line()
    came.get()
print(ahead, count, max(most, kilobytes()))
"""


@posix
def test_lines_that_come_faster_than_they_are_done_fill_no_memory() -> None:
    """40 MB, all but a little in one line. Lines are taken one by one, and none is read before."""
    flood = b"who\n" * 20_000 + b"x" * 40_000_000 + b"\n"
    ran = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", FLOODED], input=flood, capture_output=True, check=True
    )
    ahead, count, kilobytes = map(int, ran.stdout.split())
    assert (ahead, count) == (1, 20_001)
    assert kilobytes < 60_000
