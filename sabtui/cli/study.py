"""The command `sabtui study 'LINE'`: a position on the mine, in lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabtui.app.study import answer, how_to_get_help, shown
from sabtui.plain.console import Console

if TYPE_CHECKING:
    from sabtui.app.study import Study


def study_in_lines(now: Study, console: Console | None = None) -> int:
    """Let a position be studied until the user quits or input ends. Returns the exit code."""
    console = console or Console()
    console.say([*shown(now), how_to_get_help()])
    while True:
        typed = console.ask("> ")
        if typed is None:
            return 0
        after, lines = answer(now, typed)
        console.say(lines)
        if after is None:
            return 0
        now = after
