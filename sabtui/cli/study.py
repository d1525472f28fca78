"""The command `sabtui study 'LINE'`: a position on the mine, in lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabtui.app.study import answer, shown, study
from sabtui.plain.console import Console
from sabtui.text.i18n import _

if TYPE_CHECKING:
    from engine.edition import Edition


def study_position(line: str, edition: Edition, console: Console | None = None) -> int:
    """Let a position be studied until the user quits or input ends. Returns the exit code.

    Raises:
        UserError: the line is no position that can be studied.
    """
    console = console or Console()
    now = study(line, edition)
    console.say([*shown(now), _("help shows what you can type.")])
    while True:
        typed = console.ask("> ")
        if typed is None:
            return 0
        after, lines = answer(now, typed)
        console.say(lines)
        if after is None:
            return 0
        now = after
