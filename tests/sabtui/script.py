"""The program in lines with nobody at its console: each prompt is answered by a function."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest

from sabtui.cli.main import main
from sabtui.plain import console
from sabtui.plain.console import Console
from sabtui.text.layout import TerminalSize

Answer = Callable[[str, Sequence[str]], str | None]
"""What to type at a prompt after the lines since the one before, `None` to end the input."""


class Script(Console):
    """Keeps all that is said in `lines`; `eager` makes it answer as a person at a terminal does."""

    def __init__(self, answer: Answer, *, eager: bool = False) -> None:
        super().__init__()
        self.is_eager = eager
        self.lines: list[str] = []
        self.prompts: list[str] = []
        self._answer = answer
        self.since: list[str] = []
        self._wake: Callable[[], object] = list

    @property
    def size(self) -> TerminalSize:
        return TerminalSize(60, 18)

    def listen(self, wake: Callable[[], object]) -> None:
        self._wake = wake

    def say(self, lines: Iterable[str]) -> None:
        self.since += lines
        if self.is_eager:
            self._asked = ""

    def prompt(self, prompt: str) -> None:
        if prompt == self._asked:
            return
        self._asked = prompt
        self.prompts.append(prompt)
        lines, self.since = self.since, []
        self.lines += lines
        line = self._answer(prompt, lines)
        if line is None or line != WAIT:
            self.typed.append(line)
            self._wake()


WAIT = "\0"
"""Typed, this is nothing: somebody at a terminal waits for what comes."""


CARD = re.compile(r" ?([0-9]+) \S+ +.*")


class Player:
    """Reads lines and answers prompts. Raises `AssertionError` where lines do not help."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._asked_for_hand = False

    def answer(self, prompt: str, lines: Sequence[str]) -> str:
        """What to type at a prompt, after the lines since the one before."""
        chance = self._rng.random()
        if prompt.startswith("Your turn"):
            _turn, _comma, what = prompt.partition(", ")
            first, *more = map(int, what.split()[1].split("-"))
            last = more[0] if more else first
            numbered = [int(at[1]) for line in lines if (at := CARD.fullmatch(line))]
            if numbered[-last:] != list(range(first, last + 1)):
                assert not self._asked_for_hand, lines
                self._asked_for_hand = True
                return "hand"
            self._asked_for_hand = False
            if what.startswith("card"):
                return f"x{last}" if chance < 0.1 else str(self._rng.randint(first, last))
            return "x" if chance < 0.1 else str(self._rng.randint(first, last))
        if prompt.startswith("Your gold"):
            return self._rng.choice(prompt.removeprefix("Your gold, ").split("/"))
        if prompt.startswith(("Round", "Nobody won round")):
            return ""
        assert prompt == "The game is over", prompt
        return "quit"


def run_here(
    capture: pytest.CaptureFixture[str], *arguments: str, text: str | bytes = ""
) -> tuple[int, str, str]:
    """Run the command with all of a text typed at once; return exit code, output and errors."""
    assert not sys.stdin.isatty()
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(text if isinstance(text, bytes) else text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "_STDIN", reading)
        code = main([*arguments])
        for thread in threading.enumerate():
            if thread.name == "typed":
                thread.join(60)
    os.close(reading)
    return (code, *capture.readouterr())
