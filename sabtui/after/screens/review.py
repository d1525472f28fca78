"""The review's screen: worked out in a thread with a progress bar, then a graph to walk along.

Below the graph is one sentence, about the step where the reader is. One key has all figures, as a
list. Enter leads to the step in the replay.

Escape stops the work; the steps that are done are kept, and the next time it goes on from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from engine.bots.review import DEFAULT_EFFORT, Effort
from net.protocol.text import sanitise
from sabtui.after.replays import WatchedGame
from sabtui.after.review import (
    GameReview,
    kept_review,
    step_entries,
    summary_entries,
)
from sabtui.after.screens.graph import ReviewGraph
from sabtui.after.text.plots import bar
from sabtui.after.text.review import ReviewLine, progress_words
from sabtui.app.errors import UserError
from sabtui.app.preferences import records_folder
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import confine_lines
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.footer import MAX_STATUS_LINES
from sabtui.tui.widgets.list import Menu
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import StyledSpan

PROGRESS_BAR_COLUMNS: Final = 40
"""Width of the progress bar."""

MARK_COLUMNS: Final = 2
"""Columns of the mark before the line under the cursor."""

MIN_COLUMNS: Final = 20
"""Least columns of a line, on however narrow a terminal."""

TITLE_ROWS: Final = 2
"""Rows of the title, and a blank one below it."""

MARGIN_COLUMNS: Final = 2
"""Blank columns at both sides of the graph."""


class ReviewScreen(CommandScreen):
    """The review of a game; `take` receives it once it is there."""

    EFFORT: ClassVar[Effort] = DEFAULT_EFFORT
    """The play-outs of a step, unless a screen is told others."""

    DEFAULT_CSS = """
    ReviewScreen {
        #graph { height: 1fr; }
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
        self.where = where or records_folder()
        self.done: GameReview | None = None
        self.progress = (0, len(game.replay.steps))
        self.trouble = ""
        self.steps: tuple[int | None, ...] = ()
        self._is_stopped = False
        self.at = 0
        self.shows_figures = False
        super().__init__()
        self.title_row: Final = Static(capitalise(_("review")), markup=False, id="title")
        self.menu: Final = Menu(point=True)
        self.panel: Final = Panel("graph")

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("show the step under the cursor in the game")
        # Translators: show a step of a game that is watched again; a verb.
        label = pgettext("label", "show")
        yield Command("show", ("enter",), label, text, self.show_step, self._why_no_step)
        yield from self._walks()
        # Translators: label of the key that shows all figures, or hides them.
        label, text = _("numbers"), _("all figures")
        yield Command("numbers", ("n",), label, text, self.turn_figures, self._why_not_done)
        purpose = _("back to the game; the review goes on next time")
        yield Command("back", ("escape", "q"), _("back"), purpose, self.leave)

    def _walks(self) -> Iterable[Command]:
        """Yield the commands that walk along the graph."""
        last = len(self.game.replay.steps) - 1
        on, before = pgettext("replay", "next"), pgettext("replay", "previous")
        for name, key, label, purpose, find in (
            ("forward", "right", on, _("the next step"), lambda _graph, at: min(at + 1, last)),
            ("backward", "left", before, _("the previous step"), lambda _graph, at: max(at - 1, 0)),
            ("next flag", "down", "", _("the next turning point"), ReviewGraph.next_flag),
            ("last flag", "up", "", _("the previous turning point"), ReviewGraph.flag_before),
            ("next round", "pagedown", "", _("the next round"), ReviewGraph.next_round),
            ("last round", "pageup", "", _("the previous round"), ReviewGraph.round_before),
            ("first", "home", "", _("the beginning of the game"), lambda _graph, _at: 0),
            ("last", "end", "", _("the end of the game"), lambda _graph, _at: last),
        ):
            do, why_not = partial(self._walk, find), self._why_not_done
            yield Command(name, (key,), label or purpose, purpose, do, why_not, hidden=not label)

    def body(self) -> ComposeResult:
        """Yield the title, the graph, and the list in its place."""
        yield self.title_row
        yield self.panel
        yield self.menu

    def on_mount(self) -> None:
        """Begin to work the review out."""
        self.run_worker(self._work())

    def look_again(self) -> None:
        """Update the commands; show the terminal's own cursor if there are lines to point at."""
        super().look_again()
        if self.is_current:
            self.context.show_cursor(shown=self.shows_figures)

    def on_resize(self) -> None:
        """Draw the review for the terminal's size."""
        self._show_review()

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Offer the step under the cursor."""
        self.say("")
        self.look_again()

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Go to the step at the column of a click."""
        if self._has_graph:
            at = self._graph.step_at(pressed.column - MARGIN_COLUMNS // 2)
            self._go_to(self.at if at is None else at)

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        """Walk with the wheel."""
        self.action_command("forward" if wheeled.down > 0 else "backward")

    def say(self, text: str) -> None:
        """Show a message in place of the sentence on the step; "" shows that again."""
        if not text and self._has_graph:
            text = self._graph.sentence(self.at)
        super().say(text)

    def show_step(self) -> None:
        """Go back to the game, at the step under the cursor."""
        step = self._step()
        if step is not None:
            self.visit(step)
            self.leave()

    def turn_figures(self) -> None:
        """Show all figures in place of the graph, or the graph again."""
        self.shows_figures = not self.shows_figures
        self._show_review()

    def leave(self) -> None:
        """Stop the work after the present step, and go back."""
        self._is_stopped = True
        self.back()

    @property
    def _has_graph(self) -> bool:
        return self.done is not None and not self.shows_figures

    @property
    def _graph(self) -> ReviewGraph:
        """The graph, once the review is done."""
        assert self.done is not None
        columns, rows = self.app.size.width - MARGIN_COLUMNS, self.app.size.height
        room = rows - TITLE_ROWS - MAX_STATUS_LINES - 1
        return ReviewGraph(self.game.replay, self.done, columns, room, self.context.glyphs)

    def _walk(self, find: Callable[[ReviewGraph, int], int]) -> None:
        self._go_to(find(self._graph, self.at))

    def _go_to(self, step: int) -> None:
        self.at, self.shows_figures = step, False
        self._show_review()

    def _step(self) -> int | None:
        if not self.shows_figures:
            return self.at
        return self.steps[self.menu.at] if self.menu.at < len(self.steps) else None

    def _why_not_done(self) -> str | None:
        return None if self.done else self.trouble or _("The review is not done yet.")

    def _why_no_step(self) -> str | None:
        if self.done is not None and self._step() is None:
            return _("This line has no step: go to one that has, then press Enter.")
        return self._why_not_done()

    async def _work(self) -> None:
        self._show_review()
        try:
            self.done = await asyncio.to_thread(
                kept_review, self.game, self.where, self._tell, self.effort
            )
        except UserError as trouble:
            self.trouble = str(trouble)
        if self.done is not None and not self._is_stopped:
            self.take(self.done)
        self._show_review()

    def _tell(self, done: int, steps: int) -> bool:
        """Show the progress, from the thread that works; return False once it is to stop."""
        is_wanted = self.is_running and not self._is_stopped
        if is_wanted:
            self.app.call_from_thread(self._show_progress, done, steps)
        return is_wanted

    def _show_progress(self, done: int, steps: int) -> None:
        self.progress = done, steps
        self._show_lines()

    def _show_review(self) -> None:
        """Show the graph or the figures, or how far the review is."""
        self.panel.display, self.menu.display = self._has_graph, not self._has_graph
        if self._has_graph:
            self.set_focus(None)
            margin = StyledSpan(" " * (MARGIN_COLUMNS // 2))
            self.panel.show([(margin, *row) for row in self._graph.draw(self.at)])
        else:
            self._show_lines()
        if self.shows_figures:
            self.menu.focus()
        self.say("")
        self.look_again()

    def _show_lines(self) -> None:
        """Show the figures, or how far the review is."""
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
