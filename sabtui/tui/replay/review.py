"""The review's screen: worked out in a thread with a progress bar, then all of it on a page.

Escape stops the work; the steps that are done are kept, and the next time it goes on from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.content import Content

from engine.bots.review import DEFAULT_EFFORT, Effort
from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.app.records import folder
from sabtui.app.replays import WatchedGame
from sabtui.app.review import GameReview, kept_review, steps_lines, summary_wrapped
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.plots import bar
from sabtui.text.review import progress_words
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.text import TextPage

PROGRESS_BAR_COLUMNS: Final = 40
"""Width of the progress bar."""

INDENT_COLUMNS: Final = 3
"""Columns by which the continuation of a wrapped line is indented."""


class ReviewScreen(CommandScreen):
    """The review of a game; `take` receives it once it is there."""

    AUTO_FOCUS = "TextPage"
    EFFORT: ClassVar[Effort] = DEFAULT_EFFORT
    """The play-outs of a step, unless a screen is told others."""

    def __init__(
        self,
        game: WatchedGame,
        take: Callable[[GameReview], None],
        effort: Effort | None = None,
        where: Path | None = None,
    ) -> None:
        self.game = game
        self.take = take
        self.effort = effort or self.EFFORT
        self.where = where or folder()
        self.done: GameReview | None = None
        self.progress = (0, len(game.replay.steps))
        self.trouble = ""
        self._is_stopped = False
        super().__init__()
        self.page: Final = TextPage(_("Review"), self._review_lines)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        purpose = _("back to the game; the review goes on next time")
        yield Command("back", ("escape", "q"), _("back"), purpose, self.leave)

    def body(self) -> ComposeResult:
        """Yield the page."""
        yield self.page

    def on_mount(self) -> None:
        """Begin to work the review out."""
        self.run_worker(self._work())

    def leave(self) -> None:
        """Stop the work after the present step, and go back."""
        self._is_stopped = True
        self.back()

    async def _work(self) -> None:
        try:
            self.done = await asyncio.to_thread(
                kept_review, self.game, self.where, self._tell, self.effort
            )
        except UserError as trouble:
            self.trouble = str(trouble)
        if self.done is not None and not self._is_stopped:
            self.take(self.done)
        self.page.refresh()

    def _tell(self, done: int, steps: int) -> bool:
        """Show the progress, from the thread that works; return False once it is to stop."""
        if not self._is_stopped:
            self.app.call_from_thread(self._show_progress, done, steps)
        return not self._is_stopped

    def _show_progress(self, done: int, steps: int) -> None:
        self.progress = done, steps
        self.page.refresh()

    def _review_lines(self, columns: int) -> list[Content]:
        """Return the review, or how far it is."""
        is_ascii = self.context.glyphs is ASCII
        if self.trouble:
            lines = [self.trouble]
        elif self.done is None:
            done, steps = self.progress
            lines = [
                bar(done / max(steps, 1), PROGRESS_BAR_COLUMNS, ascii_only=is_ascii),
                progress_words(done, steps),
            ]
        else:
            replay = self.game.replay
            lines = summary_wrapped(replay, self.done, self.effort, columns)
            lines += ["", *steps_lines(replay, self.done, ascii_only=is_ascii)]
        return [Content(sanitise(line)) for line in confined(lines, columns, INDENT_COLUMNS)]
