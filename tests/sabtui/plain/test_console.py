"""The console at a real terminal and at pipes: prompts stand below what comes in between."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from sabtui.plain.console import Console

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals and pipes as on POSIX")

SPEAKER = """
import queue, sys
from sabtui.plain.console import Console
console, came = Console(), queue.SimpleQueue()
first = console.ask("First")
console.listen(came.put)
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


def test_a_program_ends_quietly_while_its_reader_still_waits() -> None:
    code = "from sabtui.plain.console import Console; Console().listen(print); print('over')"
    quiet = Terminal(code)
    quiet.wait_for("over\r\n")
    assert quiet.program.wait(10) == 0
    assert quiet.shown == "over\r\n"
    os.close(quiet.master)


def test_a_line_brings_no_control_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    console.say(["a\x1b[2Jb\nc\x9bd\u202e"])
    console.prompt("p\x07")
    assert capsys.readouterr().out == "a[2Jb cd\np>\n"
