"""The command `sabtui study 'LINE'`: a position on the mine, in lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabtui.app.study import answer, how_to_get_help, shown, study
from sabtui.plain.console import Console

if TYPE_CHECKING:
    from engine.edition import Edition


def study_position(line: str, edition: Edition, console: Console | None = None) -> int:
    """Let a position be studied until the user quits or input ends. Returns the exit code.

    Raises:
        UserError: the line is no position that can be studied.
    """
    console = console or Console()
    now = study(line, edition)
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
