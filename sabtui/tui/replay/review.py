"""The review's screen: worked out in a thread with a progress bar, then all of it as a list.

A line about a step leads to that step in the replay.

Escape stops the work; the steps that are done are kept, and the next time it goes on from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from engine.bots.review import DEFAULT_EFFORT, Effort
from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.app.records import folder
from sabtui.app.replays import WatchedGame
from sabtui.app.review import (
    GameReview,
    kept_review,
    step_entries,
    summary_entries,
)
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.plots import bar
from sabtui.text.review import ReviewLine, progress_words
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.list import Menu

PROGRESS_BAR_COLUMNS: Final = 40
"""Width of the progress bar."""

MARK_COLUMNS: Final = 2
"""Columns of the mark before the line under the cursor."""

MIN_COLUMNS: Final = 20
"""Least columns of a line, on however narrow a terminal."""


class ReviewScreen(CommandScreen):
    """The review of a game; `take` receives it once it is there."""

    EFFORT: ClassVar[Effort] = DEFAULT_EFFORT
    """The play-outs of a step, unless a screen is told others."""

    DEFAULT_CSS = """
    ReviewScreen {
        #title { padding: 0 1; margin-bottom: 1; color: $accent; text-style: bold; }
    }
    """

    def __init__(
        self,
        game: WatchedGame,
        take: Callable[[GameReview], None],
        visit: Callable[[int], None],
        effort: Effort | None = None,
        where: Path | None = None,
    ) -> None:
        self.game = game
        self.take = take
        self.visit = visit
        self.effort = effort or self.EFFORT
        self.where = where or folder()
        self.done: GameReview | None = None
        self.progress = (0, len(game.replay.steps))
        self.trouble = ""
        self.steps: tuple[int | None, ...] = ()
        self._is_stopped = False
        super().__init__()
        self.title_row: Final = Static(capitalise(_("review")), markup=False, id="title")
        self.menu: Final = Menu(point=True)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("show the step under the cursor in the game")
        # Translators: show a step of a game that is watched again; a verb.
        label = pgettext("label", "show")
        yield Command("show", ("enter",), label, text, self.show_step, self._why_no_step)
        purpose = _("back to the game; the review goes on next time")
        yield Command("back", ("escape", "q"), _("back"), purpose, self.leave)

    def body(self) -> ComposeResult:
        """Yield the title and the list."""
        yield self.title_row
        yield self.menu

    def on_mount(self) -> None:
        """Begin to work the review out."""
        self.run_worker(self._work())

    def look_again(self) -> None:
        """Update the commands; show the terminal's own cursor if there are lines to point at."""
        super().look_again()
        if self.is_current:
            self.context.show_cursor(shown=self.done is not None)

    def on_resize(self) -> None:
        """Break the lines for the terminal's columns."""
        self._show_lines()

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Offer the step under the cursor."""
        self.say("")
        self.look_again()

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Show the step under the cursor, if the line is about one."""
        self.action_command("show")

    def show_step(self) -> None:
        """Go back to the game, at the step under the cursor."""
        step = self._step()
        if step is not None:
            self.visit(step)
            self.leave()

    def leave(self) -> None:
        """Stop the work after the present step, and go back."""
        self._is_stopped = True
        self.back()

    def _step(self) -> int | None:
        return self.steps[self.menu.at] if self.menu.at < len(self.steps) else None

    def _why_no_step(self) -> str | None:
        if self.done is None:
            return self.trouble or _("The review is not done yet.")
        if self._step() is None:
            return _("This line has no step: go to one that has, then press Enter.")
        return None

    async def _work(self) -> None:
        self._show_lines()
        try:
            self.done = await asyncio.to_thread(
                kept_review, self.game, self.where, self._tell, self.effort
            )
        except UserError as trouble:
            self.trouble = str(trouble)
        if self.done is not None and not self._is_stopped:
            self.take(self.done)
        self._show_lines()
        if self.done is not None:
            self.menu.focus()
        self.say("")
        self.look_again()

    def _tell(self, done: int, steps: int) -> bool:
        """Show the progress, from the thread that works; return False once it is to stop."""
        if not self._is_stopped:
            self.app.call_from_thread(self._show_progress, done, steps)
        return not self._is_stopped

    def _show_progress(self, done: int, steps: int) -> None:
        self.progress = done, steps
        self._show_lines()

    def _show_lines(self) -> None:
        """Show the review, or how far it is."""
        columns = max(self.app.size.width - MARK_COLUMNS, MIN_COLUMNS)
        if self.done is None:
            lines = confine_lines(
                [self.trouble] if self.trouble else self._progress_lines(), columns, 0
            )
            self.menu.say_empty("\n".join(" " * MARK_COLUMNS + sanitise(line) for line in lines))
            return
        broken = [
            (part, line.step)
            for line in self._lines(self.done)
            for part in confine_lines([line.text], columns, line.indent)
        ]
        self.steps = tuple(step for _text, step in broken)
        self.menu.show([Content(sanitise(text)) for text, _step in broken])

    def _progress_lines(self) -> list[str]:
        done, steps = self.progress
        is_ascii = self.context.glyphs is ASCII
        progress = bar(done / max(steps, 1), PROGRESS_BAR_COLUMNS, ascii_only=is_ascii)
        return [progress, progress_words(done, steps)]

    def _lines(self, done: GameReview) -> list[ReviewLine]:
        """Return the lines of the review: the summary, then the steps."""
        replay = self.game.replay
        steps = step_entries(replay, done, ascii_only=self.context.glyphs is ASCII)
        return [*summary_entries(replay, done, self.effort), ReviewLine(""), *steps]
