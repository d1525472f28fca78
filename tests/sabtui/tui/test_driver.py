"""How keys reach the app on POSIX terminals: at once, whole, and by themselves until it ends."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue

import pytest
from textual import constants
from textual.app import App
from textual.events import Key
from textual.message import Message
from textual.message_pump import Callback

pytest.importorskip("termios", reason="a driver for POSIX")
assert sys.platform != "win32"  # so that types know, too

from sabtui.art.terminal import QUESTIONS, SILENT, TerminalAnswers  # noqa: E402 - POSIX
from sabtui.tui.app import SabtuiApp  # noqa: E402 - POSIX
from sabtui.tui.driver import QuietDriver  # noqa: E402 - POSIX
from sabtui.tui.messages import Answered  # noqa: E402 - POSIX
from tests.terminal import PATIENCE  # noqa: E402 - POSIX

ESCAPE_DELAY = 0.02
"""Seconds until the escape key is one, a fifth of the program's."""


class Heard(QuietDriver):
    """A driver that keeps what is typed for the test."""

    heard: SimpleQueue[Message]

    def process_message(self, message: Message) -> None:
        """Keep an event."""
        self.heard.put(message)


@dataclass
class Typing:
    """A driver whose input thread runs, and the end at which the test types."""

    driver: Heard
    end: int
    thread: threading.Thread

    def keys(self, typed: bytes, count: int = 1) -> list[str]:
        """The keys that come of what is typed."""
        os.write(self.end, typed)
        events = [self.driver.heard.get(timeout=PATIENCE) for _ in range(count)]
        return [event.key for event in events if isinstance(event, Key)]

    def end_thread(self) -> bool:
        """Tell the thread to end; whether it does."""
        self.driver.exit_event.set()
        self.thread.join(PATIENCE)
        self.driver.exit_event.clear()
        return not self.thread.is_alive()

    def begin(self) -> None:
        """Begin another thread, as after a suspended app goes on."""
        self.thread = threading.Thread(target=self.driver.run_input_thread, daemon=True)
        self.thread.start()


@pytest.fixture
async def typing(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Typing]:
    """A driver that reads from a pipe, in place of the terminal."""
    monkeypatch.setattr(constants, "ESCAPE_DELAY", ESCAPE_DELAY)
    inlet, end = os.pipe()
    kept = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    with os.fdopen(inlet) as stdin:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        driver = Heard(App())
        driver.heard = SimpleQueue()
        typing = Typing(driver, end, threading.Thread())
        typing.begin()
        yield typing
        if typing.thread.is_alive():
            assert typing.end_thread()
        driver.close()
    os.close(end)
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_the_app_has_this_driver() -> None:
    assert SabtuiApp.get_driver_class(SabtuiApp.__new__(SabtuiApp)) is QuietDriver


@pytest.mark.parametrize(
    ("environ", "has_mouse"),
    [
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "screen", "STY": "1.a"}, False),
        ({"TERM": "xterm-256color", "STY": "1.a"}, False),
        ({"TERM": "screen-256color"}, True),  # tmux at the other end of ssh
        ({"TERM": "tmux-256color", "TMUX": "x", "STY": "1.a"}, True),
        ({"TERM": "xterm-256color"}, True),
    ],
)
async def test_gnu_screen_is_not_asked_for_the_mouse_as_it_would_keep_escape_back(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], *, has_mouse: bool
) -> None:
    for name in ("TERM", "STY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    driver = QuietDriver(typing.driver._app)
    assert driver._mouse is has_mouse
    driver.close()


def test_keys_come_as_they_are_typed_and_an_escape_key_by_itself(typing: Typing) -> None:
    assert typing.keys(b"ab", 2) == ["a", "b"]
    assert typing.keys(b"\x1b") == ["escape"]
    assert typing.keys(b"\x1b[A") == ["up"]


def test_a_letter_in_two_pieces_is_one_and_bytes_that_are_none_end_nothing(typing: Typing) -> None:
    os.write(typing.end, b"a\xc3")
    assert typing.keys(b"", 1) == ["a"]  # so that the second piece comes by itself
    assert typing.keys(b"\xa9") == ["é"]
    assert typing.keys(b"\xffz", 2)[-1] == "z"


def test_no_size_is_taken_from_among_the_keys(typing: Typing) -> None:
    assert typing.keys(b"\x1b[48;99999;99999;0;0t\x1b[?2048;1$ya") == ["a"]


def test_the_thread_ends_when_told_and_another_goes_on(typing: Typing) -> None:
    assert typing.end_thread()
    typing.begin()
    assert typing.keys(b"a") == ["a"]


def test_the_thread_ends_when_told_though_its_terminal_is_gone(typing: Typing) -> None:
    assert typing.keys(b"a") == ["a"]
    os.close(typing.end)
    typing.end = os.open(os.devnull, os.O_WRONLY)
    assert typing.end_thread()


VERSION, DEVICE = b"\x1bP>|kitty(0.41.1)\x1b\\", b"\x1b[?62;4c"
CELL = b"\x1b[6;20;10t"


@pytest.fixture
def asked_driver(typing: Typing, monkeypatch: pytest.MonkeyPatch) -> Typing:
    """A driver that has asked its terminal."""
    monkeypatch.setattr(typing.driver, "write", lambda _questions: None)
    typing.driver.ask(QUESTIONS)
    return typing


def test_answers_are_passed_on_and_are_no_keys(asked_driver: Typing) -> None:
    os.write(asked_driver.end, b"a" + VERSION + b"b" + CELL + DEVICE + b"c\x1b[A")
    told = [asked_driver.driver.heard.get(timeout=PATIENCE) for _ in range(7)]
    assert [event.key for event in told if isinstance(event, Key)] == ["a", "b", "c", "up"]
    answered = [event.text for event in told if isinstance(event, Answered)]
    assert SILENT.read("".join(answered)) == TerminalAnswers(
        "kitty", (0, 41, 1), knows_sixel=True, cell=(10, 20), is_done=True
    )


@pytest.mark.parametrize("answer", [VERSION, CELL, DEVICE, b"\x1b_Gi=31;OK\x1b\\"])
def test_an_answer_that_comes_late_and_in_pieces_is_no_key_either(
    asked_driver: Typing, answer: bytes
) -> None:
    piece = 4  # from here on it can be nothing else
    os.write(asked_driver.end, answer[:piece])
    with pytest.raises(Empty):
        asked_driver.driver.heard.get(timeout=3 * ESCAPE_DELAY)
    os.write(asked_driver.end, answer[piece:] + b"z")
    told = [asked_driver.driver.heard.get(timeout=PATIENCE) for _ in range(2)]
    assert isinstance(told[0], Answered)
    assert isinstance(told[1], Key)
    assert told[1].key == "z"


def test_keys_with_which_an_answer_may_begin_are_not_lost(asked_driver: Typing) -> None:
    assert asked_driver.keys(b"\x1b") == ["escape"]
    assert asked_driver.keys(b"\x1b[6~") == ["pagedown"]
    assert asked_driver.keys(b"\x1b[6;5~") == ["ctrl+pagedown"]


class Lost(App[object]):
    """An app that keeps why it has to end."""

    why: object = None

    def call_later(self, callback: Callback, *args: object, **kwargs: object) -> bool:
        """Call it at once."""
        del kwargs
        callback(*args)
        return True

    def panic(self, *_report: object) -> None:
        """Keep that nothing is to be said."""
        self.why = "nothing"

    def _handle_exception(self, error: Exception) -> None:
        self.why = error


@pytest.mark.parametrize("error", [ValueError("a fault"), OSError("the terminal is gone")])
async def test_a_fault_where_input_is_read_is_told_but_for_a_terminal_that_is_lost(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_self: QuietDriver) -> None:
        raise error

    del typing  # its fixture keeps the signals
    monkeypatch.setattr(QuietDriver, "run_input_thread", fail)
    app = Lost()
    QuietDriver(app)._run_input_thread()
    assert app.why == ("nothing" if isinstance(error, OSError) else error)


async def test_a_terminal_that_takes_no_more_is_behind_until_it_does(
    monkeypatch: pytest.MonkeyPatch, typing: Typing
) -> None:
    del typing  # its fixture keeps the signals
    reads, writes = os.pipe()
    with os.fdopen(writes, "w") as terminal:
        monkeypatch.setattr(sys, "__stdout__", terminal)
        driver = QuietDriver(App())
        told = [driver.is_behind]
        os.set_blocking(writes, False)
        taken = _fill(writes)
        told.append(driver.is_behind)
        while taken:
            taken -= len(os.read(reads, taken))
        told.append(driver.is_behind)
        assert told == [False, True, False]
        driver.close()
    os.close(reads)


def _fill(pipe: int) -> int:
    """Write until a pipe is full; how many bytes it took."""
    taken = 0
    while True:
        try:
            taken += os.write(pipe, b"x" * select.PIPE_BUF)
        except BlockingIOError:
            return taken
