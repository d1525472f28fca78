"""How keys reach the app on POSIX terminals: at once, whole, and by themselves until it ends."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from queue import SimpleQueue

import pytest
from textual.app import App
from textual.events import Key
from textual.message import Message

pytest.importorskip("termios", reason="a driver for POSIX")
assert sys.platform != "win32"  # so that types know, too

from sabtui.tui.app import SabtuiApp  # noqa: E402 - POSIX
from sabtui.tui.driver import QuietDriver  # noqa: E402 - POSIX
from tests.terminal import PATIENCE  # noqa: E402 - POSIX


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

    def ended(self) -> bool:
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
            assert typing.ended()
        driver.close()
    os.close(end)
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_the_app_has_this_driver() -> None:
    assert SabtuiApp.get_driver_class(SabtuiApp.__new__(SabtuiApp)) is QuietDriver


def test_keys_come_as_they_are_typed_and_an_escape_key_by_itself(typing: Typing) -> None:
    assert typing.keys(b"ab", 2) == ["a", "b"]
    assert typing.keys(b"\x1b") == ["escape"]
    assert typing.keys(b"\x1b[A") == ["up"]


def test_a_letter_in_two_pieces_is_one_and_bytes_that_are_none_end_nothing(typing: Typing) -> None:
    os.write(typing.end, b"a\xc3")
    assert typing.keys(b"", 1) == ["a"]  # so that the second piece comes by itself
    assert typing.keys(b"\xa9") == ["é"]
    assert typing.keys(b"\xffz", 2)[-1] == "z"


def test_the_thread_ends_when_told_and_another_goes_on(typing: Typing) -> None:
    assert typing.ended()
    typing.begin()
    assert typing.keys(b"a") == ["a"]


def test_the_thread_ends_when_told_though_its_terminal_is_gone(typing: Typing) -> None:
    assert typing.keys(b"a") == ["a"]
    os.close(typing.end)
    typing.end = os.open(os.devnull, os.O_WRONLY)
    assert typing.ended()


async def test_a_terminal_that_takes_no_more_is_behind_until_it_does(
    monkeypatch: pytest.MonkeyPatch, typing: Typing
) -> None:
    del typing  # its fixture keeps the signals
    reads, writes = os.pipe()
    with os.fdopen(writes, "w") as terminal:
        monkeypatch.setattr(sys, "__stderr__", terminal)
        driver = QuietDriver(App())
        told = [driver.is_behind]
        os.set_blocking(writes, False)
        taken = _filled(writes)
        told.append(driver.is_behind)
        while taken:
            taken -= len(os.read(reads, taken))
        told.append(driver.is_behind)
        assert told == [False, True, False]
        driver.close()
    os.close(reads)


def _filled(pipe: int) -> int:
    """Write until a pipe is full; how many bytes it took."""
    taken = 0
    while True:
        try:
            taken += os.write(pipe, b"x" * select.PIPE_BUF)
        except BlockingIOError:
            return taken
