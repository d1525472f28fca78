"""The replay's screen: a finished game on the mine and list of the table.

Its state is one value, `ReplayModel`. Every row is rebuilt from it by pure functions, and panels
repaint only what differs, so a step costs as many bytes as a turn at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.timer import Timer

from engine.state import Phase
from sabtui.after.replays import ALL_OPEN, PointOfView, ReplayPosition, WatchedGame
from sabtui.after.review import GameReview
from sabtui.after.screens import rows
from sabtui.after.screens.rows import ReplayModel
from sabtui.after.text import only_whole, seen_by_words
from sabtui.app.preferences import records_folder
from sabtui.text.connection import no_files
from sabtui.text.i18n import _, pgettext
from sabtui.text.signs import Signs, mine_signs
from sabtui.tui.command import Command, always
from sabtui.tui.table import side
from sabtui.tui.table.layout import TablePanelsScreen, rule_rows
from sabtui.tui.table.model import SidePanel
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.panel import Panel

FRAME_S: Final = 0.5
"""Seconds for which each step is shown in a game that plays by itself."""

SHARE_EVERY_S: Final = 0.5
"""Seconds between steps that are shown to others: the table takes two requests a second."""

MAX_SEAT_KEYS: Final = 9
"""Seats that have a digit as their key."""


class ReplayScreen(TablePanelsScreen, inherit_bindings=False):
    """A game that is watched again; `show_step` is told each step at which its reader stays."""

    def __init__(self, game: WatchedGame, show_step: Callable[[int], None] | None = None) -> None:
        self.model = ReplayModel.of(game.begin(), BOX)
        self._show_step = show_step
        self._shown = -1
        self._timer: Timer | None = None
        super().__init__()

    def body(self) -> ComposeResult:
        """Yield the parts of the table."""
        yield from self.panels()

    def signs(self) -> Signs:
        """Return the signs of the mine."""
        return tuple(mine_signs())

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield from self._steps()
        yield from self._sides()
        page = _("turn the page: what happened, or the claims")
        yield Command("page", ("tab",), _("page"), page, self.turn_page, hidden=True)
        text = _("review: chances, suspicions, better moves")
        purpose = _("export the game as a page that any browser shows")
        why_not = self._why_no_files
        yield Command("export", ("e",), _("export"), purpose, self.export, why_not, hidden=True)
        yield Command("review", ("r",), _("review"), text, self.review, self._why_no_review)
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.leave)

    def _steps(self) -> Iterable[Command]:
        text = _("the next step, or what was said after this one")
        # Translators: labels of keys in a game that is watched again: next and previous step, play.
        label = pgettext("replay", "next")
        yield self._step("forward", ("right",), text, lambda at: at.move(1), label=label)
        text, label = _("the previous step"), pgettext("replay", "previous")
        yield self._step("backward", ("left",), text, lambda at: at.move(-1), label=label)
        text, label = _("play automatically, or stop"), pgettext("replay", "play")
        yield Command("play", ("space",), label, text, self.play)
        for name, key, purpose, move in (
            ("next turn", "down", _("the next move"), lambda at: at.turn(1)),
            ("last turn", "up", _("the previous move"), lambda at: at.turn(-1)),
            ("next round", "pagedown", _("the next round"), lambda at: at.at_round(1)),
            ("last round", "pageup", _("the previous round"), lambda at: at.at_round(-1)),
            ("first", "home", _("the beginning of the game"), lambda at: at.at_step(0)),
            ("last", "end", _("the end of the game"), lambda at: at.last),
        ):
            yield self._step(name, (key,), purpose, move)

    def _sides(self) -> Iterable[Command]:
        """Yield the commands that change the point of view."""
        game = self.model.position.game
        why_not = self._why_one_side
        text, turn = _("show what the next player saw"), ReplayPosition.next_point_of_view
        yield self._step("side", ("v",), text, turn, label=_("view"), why_not=why_not)
        seats = range(min(len(game.replay.names), MAX_SEAT_KEYS))
        for number, seen_from in enumerate([ALL_OPEN, *map(PointOfView, seats)]):
            text = seen_by_words(seen_from.seat, game.names(), is_open=seen_from.is_open)
            see = partial(ReplayPosition.look_from, seen_from=seen_from)
            why_not = partial(self._why_one_side, seen_from)
            yield self._step(f"side {number}", (str(number),), text, see, why_not=why_not)

    def _step(  # noqa: PLR0913 - as a command has them
        self,
        name: str,
        keys: tuple[str, ...],
        purpose: str,
        move: Callable[[ReplayPosition], ReplayPosition],
        *,
        label: str = "",
        why_not: Callable[[], str | None] = always,
    ) -> Command:
        """Return the command that goes to another position, in the footer if it has a label."""
        do = partial(self._move, move)
        return Command(name, keys, label or purpose, purpose, do, why_not, hidden=not label)

    def _move(self, move: Callable[[ReplayPosition], ReplayPosition]) -> None:
        self.go_to(move(self.model.position))

    def _why_one_side(self, seen_from: PointOfView | None = None) -> str | None:
        sides = self.model.position.game.points_of_view
        if len(sides) > 1 if seen_from is None else seen_from in sides:
            return None
        return _("This is the record of what one player saw: there is no other view.")

    # Actions of the reader.

    def go_to(self, position: ReplayPosition) -> None:
        """Show another position; whoever steps by hand stops the play."""
        self._stop()
        self.model = self.model.at(position)
        self.redraw()

    def play(self) -> None:
        """Play by itself, from the beginning if this is the end; or stop."""
        if self.model.is_playing:
            self._stop()
            self.redraw()
            return
        position = self.model.position
        self.go_to(position.at_step(0) if position.is_last else position)
        self.model = replace(self.model, is_playing=True)
        self._timer = self.set_interval(FRAME_S, self._tick)
        self.redraw()

    def turn_page(self) -> None:
        """Turn the page of the side."""
        is_open = self.model.position.seen_from.is_open
        pages = (SidePanel.RECENT, SidePanel.CLAIMS) if is_open else side.PAGES
        here = self.model.table.pane
        at = pages.index(here) if here in pages else -1
        self.model = self.model.turn_to(pages[(at + 1) % len(pages)])
        self.redraw()

    def review(self) -> None:
        """Show the review of the game; from then on it stands beside the steps."""
        from sabtui.after.screens.review import ReviewScreen  # noqa: PLC0415 - bots are needed only now

        self._stop()
        game = self.model.position.game
        self.show(ReviewScreen(game, self._take_review, self.visit, done=self.model.review))

    def visit(self, step: int, text: str = "") -> None:
        """Go to a step by its number, counted from 0, with a message in place of what happened."""
        self.go_to(self.model.position.at_step(step))
        if text:
            self.say(text)

    def export(self) -> None:
        """Write the game as a page beside the records, and say where."""
        from sabtui.after.export import export_page  # noqa: PLC0415 - needed only now

        self._stop()
        game = self.model.position.game
        self.say(export_page(game.replay, game.title.removesuffix(".sab"), records_folder()))

    def _take_review(self, review: GameReview) -> None:
        self.model = replace(self.model, review=review)
        self.redraw()

    def _why_no_files(self) -> str | None:
        return no_files() if self.context.is_guest else None

    def _why_no_review(self) -> str | None:
        if self.context.is_guest:  # it is long work, and kept in files
            return no_files()
        replay = self.model.position.game.replay
        if replay.is_whole and replay.steps[-1].view(None).phase is Phase.OVER:
            return None
        return only_whole()

    def leave(self) -> None:
        """Stop, and go back."""
        self._stop()
        self.back()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.model = replace(self.model, is_playing=False)

    def _tick(self) -> None:
        """Show the next frame, unless the terminal has not taken the last one yet."""
        if self.context.is_terminal_behind:
            return
        self.model = self.model.at(self.model.position.move(1))
        if self.model.position.is_last:
            self._stop()
        self.redraw()

    # Drawing.

    def on_mount(self) -> None:
        """Show the step to begin with."""
        self.on_glyphs_changed()
        self.look_again()
        if self._show_step is not None:
            self._share(self._show_step)
            self.set_interval(SHARE_EVERY_S, partial(self._share, self._show_step))

    def _share(self, show_step: Callable[[int], None]) -> None:
        """Tell the step to those who watch together, if it is another one."""
        if self._shown != (step := self.model.position.frame.step):
            self._shown = step
            show_step(step)

    def on_glyphs_changed(self) -> None:
        """Redraw with the glyphs of the moment."""
        table = self.model.table.with_glyphs(self.context.glyphs)
        self.model = replace(self.model, table=table).settle()
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the screen out for the terminal's size."""
        self.model = self.model.resize(event.size.width, event.size.height)
        self.redraw()

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        """Step with the wheel."""
        self.go_to(self.model.position.move(wheeled.down))

    def say(self, text: str) -> None:
        """Show a message in place of what happened; "" shows that again."""
        self.model = replace(self.model, message=text)
        super().say(rows.sentence(self.model))

    def redraw(self) -> None:
        """Redraw the present position."""
        model = self.model
        self.footer.say(rows.sentence(model))
        if not self.is_mounted:
            return
        layout, shown = model.table.layout, rows.ReplayRows(model)
        self.size_panels(layout, shown.players_rows)
        self.header.show(shown.head)
        if layout.is_too_small:
            return
        self.mine.show(shown.mine)
        self.rule.show(rule_rows(layout, model.table.glyphs))
        self.players.show(shown.players)
        self.pane.show(shown.pane)
        self.hand.show(shown.bottom)
