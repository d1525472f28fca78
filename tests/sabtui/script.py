"""A console at which nobody sits: each prompt is answered by a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
        self._hear: Callable[[str | None], None] = print

    @property
    def size(self) -> TerminalSize:
        return TerminalSize(60, 18)

    def listen(self, hear: Callable[[str | None], None]) -> None:
        self._hear = hear

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
            self._hear(line)


WAIT = "\0"
"""Typed, this is nothing: somebody at a terminal waits for what comes."""
