"""The review's screen: computed in a thread with a progress bar, then a graph to walk along.

Each column of the graph stands for a step, or for some steps of a long game. Below the graph is a
sentence about the step where the reader is, and Enter opens that step in the replay. Escape stops
the computation. A finished review stays with the replay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from engine.bots.review import DEFAULT_EFFORT, Effort, MoveOfNote, StepReview, measure_sure_change
from engine.cards import Role
from engine.notation.record import Replay
from net.protocol.cleaning import sanitise
from net.protocol.lobby import Dwarf
from sabtui.after.replays import WatchedGame
from sabtui.after.review import GameReview, review_game, walked_words
from sabtui.app.errors import UserError
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import draw_progress
from sabtui.text.names import PlayerNames
from sabtui.tui.command import Command
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.table.log import role_look
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets import panel
from sabtui.tui.widgets.footer import MAX_STATUS_LINES

MAX_FLAGS: Final = 3
"""Maximum number of turning points with a flag: those that changed the chance most."""

MIN_LABEL_COLUMNS, MAX_LABEL_COLUMNS = 8, 20  # minimum and maximum columns of labels at the left

SIDE_COLUMNS: Final = 12  # columns that the names of both sides need in every language

MIN_CURVE_ROWS: Final = 2

AROUND_ROWS: Final = 3
"""Rows of the graph for flags, the reader's place and rounds: all but the curve and players."""


def draw_area(shares: Sequence[float], rows: int, *, ascii_only: bool = False) -> list[str]:
    """Return a graph of this many rows, a column for each share; a share of 1 fills its column."""
    steps = 1 if ascii_only else 2
    heights = [round(max(0.0, min(1.0, share)) * rows * steps) for share in shares]
    signs = " #" if ascii_only else " ▄█"
    return [
        "".join(signs[max(0, min(height - row * steps, steps))] for height in heights)
        for row in reversed(range(rows))
    ]


@dataclass(frozen=True)
class ReviewGraph:
    """The graph of a reviewed game, in this many columns and rows of a terminal.

    `dwarves` are those that the players had at their table, by seat.
    """

    replay: Replay
    review: GameReview
    columns: int
    rows: int
    glyphs: Glyphs
    dwarves: tuple[Dwarf, ...] = ()

    @cached_property
    def flags(self) -> tuple[MoveOfNote, ...]:
        """The turning points that changed the chance most, in the order of the game."""
        most = sorted(
            self.review.summary.turning_points, key=lambda point: -measure_sure_change(point.swing)
        )
        return tuple(sorted(most[:MAX_FLAGS], key=lambda point: point.step))

    @property
    def names(self) -> PlayerNames:
        return PlayerNames.of(self.replay.names, None, self.dwarves)

    @property
    def _steps(self) -> Sequence[StepReview]:
        return self.review.steps

    @property
    def _label_columns(self) -> int:
        """Columns of the labels at the left, with the blank after them."""
        longest = max(map(cell_len, (*self.replay.names, *self._sides)))
        room = min(MAX_LABEL_COLUMNS, max(self.columns // 4, SIDE_COLUMNS))
        return min(max(longest, MIN_LABEL_COLUMNS), room) + 1

    @property
    def _sides(self) -> tuple[str, str]:
        """The labels at the top and at the bottom of the curve."""
        return pgettext("dwarves", "miners"), pgettext("dwarves", "saboteurs")

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """The step of each column. All steps are equally wide.

        If there are more steps than columns, several share one, which stands for their last.
        """
        count, room = len(self._steps), max(self.columns - self._label_columns, 1)
        if count <= room:
            each = room // count
            return tuple(step for step in range(count) for _part in range(each))
        return tuple((at + 1) * count // room - 1 for at in range(room))

    def column_of(self, step: int) -> int:
        """Return the column in which a step is, counted from 0 after the labels."""
        return next(at for at, last in enumerate(self.shown) if last >= step)

    def step_at(self, column: int) -> int | None:
        """Return the step at a column counted from 0 with the labels, `None` for no step."""
        at = column - self._label_columns
        return self.shown[at] if 0 <= at < len(self.shown) else None

    def next_flag(self, step: int) -> int:
        """Return the step of the next flag, or the same step after the last."""
        return next((flag.step for flag in self.flags if flag.step > step), step)

    def flag_before(self, step: int) -> int:
        """Return the step of the previous flag, or the same step before the first."""
        return next((flag.step for flag in self.flags[::-1] if flag.step < step), step)

    def sentence(self, step: int) -> str:
        """Describe a step, and say if it was a good move."""
        is_flag = any(flag.step == step for flag in self.flags)
        before = self._steps[max(step - 1, 0)]
        return walked_words(self.replay, self._steps[step], before, self.names, is_flag=is_flag)

    def draw(self, step: int) -> list[panel.Row]:
        here, is_ascii = self.column_of(step), self.glyphs is ASCII
        ribbons = self._ribbons()
        room = self.rows - AROUND_ROWS - len(ribbons)
        if room < MIN_CURVE_ROWS:  # no room for a row for each player: all saboteurs in one row
            ribbons = [self._saboteurs()]
            room = self.rows - AROUND_ROWS - len(ribbons)
        height = max(room, MIN_CURVE_ROWS)
        shares = [self._steps[at].chance.value for at in self.shown]
        curve = draw_area(shares, height, ascii_only=is_ascii)
        top, bottom = self._sides
        labels = [top, *[""] * (height - 2), bottom]
        if height > MIN_CURVE_ROWS:  # between both sides, the meaning of the curve's height
            labels[height // 2] = _("chance")
        flags = [
            (self.column_of(flag.step), panel.StyledSpan(str(number), panel.Look.KEY))
            for number, flag in enumerate(self.flags, 1)
        ]
        rows = [self._put((), flags)]
        for label, line in zip(labels, curve, strict=True):
            row = self._put_label(
                panel.StyledSpan(label, panel.Look.DIM), (panel.StyledSpan(line, panel.Look.GOLD),)
            )
            mark = panel.StyledSpan(line[here], panel.Look.TURN, panel.Ground.SMALL_CURSOR)
            rows.append(self._put(row, [(here, mark)]))
        rows += [self._put((), [(here, panel.StyledSpan("^", panel.Look.TURN))]), *ribbons]
        rounds = []
        for number, span in self._spans:  # each round's number, below its first column
            text = panel.cut(_("round {number}").format(number=number), len(span) - 1)
            rounds.append((span.start, panel.StyledSpan(text, panel.Look.STRONG)))
        return [*rows, self._put((), rounds)]

    def _put_label(self, label: panel.StyledSpan, row: panel.Row) -> panel.Row:
        text = panel.cut(label.text, self._label_columns - 1)
        return (label._replace(text=panel.fit_text(text, self._label_columns)), *row)

    def _put(self, row: panel.Row, texts: Iterable[tuple[int, panel.StyledSpan]]) -> panel.Row:
        """Return a row with texts over it, each at a column of the graph."""
        for column, text in texts:
            row = panel.overlaid(row, self._label_columns + column, text)
        return row

    @property
    def _spans(self) -> list[tuple[int, range]]:
        """The number of each round, and its columns."""
        numbers = [self._steps[at].round for at in self.shown]
        begins = [0, *(at for at, (last, new) in enumerate(pairwise(numbers), 1) if last != new)]
        ends = [*begins[1:], len(numbers)]
        return [
            (numbers[begin], range(begin, end)) for begin, end in zip(begins, ends, strict=True)
        ]

    def _roles(self, number: int) -> tuple[Role, ...]:
        last = max(step.number for step in self._steps if step.round == number)
        end = self.replay.steps[last].view(None).table.end
        return () if end is None else end.roles

    def _ribbons(self) -> list[panel.Row]:
        names, is_ascii = self.names, self.glyphs is ASCII
        signs = {Role.MINER: "-" if is_ascii else "─", Role.SABOTEUR: "#" if is_ascii else "▓"}
        found = []
        for seat, name in enumerate(names.names):
            ribbon: list[panel.StyledSpan] = []
            for number, span in self._spans:
                role = next(iter(self._roles(number)[seat : seat + 1]), None)
                sign, look = (
                    (" ", panel.Look.DIM) if role is None else (signs[role], role_look(role))
                )
                ribbon.append(panel.StyledSpan(f"{sign * (len(span) - 1)} ", look))
            label = panel.StyledSpan(name, panel.player_look(names.colour(seat)))
            found.append(self._put_label(label, tuple(ribbon)))
        return found

    def _saboteurs(self) -> panel.Row:
        row, placed = self._put_label(panel.StyledSpan(self._sides[1], panel.Look.DIM), ()), []
        for number, span in self._spans:
            roles = enumerate(self._roles(number))
            names = [self.names.name(seat) for seat, role in roles if role is Role.SABOTEUR]
            text = panel.cut(", ".join(names), len(span) - 1)
            placed.append((span.start, panel.StyledSpan(text, panel.Look.BAD)))
        return self._put(row, placed)


TITLE_ROWS: Final = 3  # rows of the title, of what the graph shows, and a blank one below

MARGIN_COLUMNS: Final = 2  # blank columns at both sides of the graph


class ReviewScreen(CommandScreen):
    """The review of a game, computed here unless it is `done`.

    `take` is called with the review once it is computed, `visit` with a step to show in the game.
    """

    DEFAULT_CSS = """
    ReviewScreen {
        #graph { height: 1fr; }
        #told { padding: 0 1; height: 1fr; }
        #title { padding: 0 1; margin-bottom: 1; color: $accent; text-style: bold; }
    }
    """

    def __init__(
        self,
        game: WatchedGame,
        take: Callable[[GameReview], None],
        visit: Callable[[int], None],
        effort: Effort = DEFAULT_EFFORT,
        done: GameReview | None = None,
    ) -> None:
        self.game = game
        self.take = take
        self.visit = visit
        self.effort = effort
        self.done = done
        self.progress = (0, len(game.replay.steps))
        self.trouble = ""
        self._is_stopped = False
        self.at = 0
        super().__init__()
        title = Content("\n").join([Content(capitalise(_("review"))), Content()])
        self.title_row: Final = Static(title, markup=False, id="title")
        self.told: Final = Static(markup=False, id="told")
        self.panel: Final = panel.Panel("graph")

    def commands(self) -> Iterable[Command]:
        text = _("show the step under the cursor in the game")
        # Translators: show a step of a game that is watched again; a verb.
        label = pgettext("label", "show")
        yield Command("show", ("enter",), label, text, self.show_step, self._why_not_done)
        yield from self._jump_commands()
        purpose = _("back to where you were")
        yield Command("back", ("escape", "q"), _("back"), purpose, self.leave)

    def _jump_commands(self) -> Iterable[Command]:
        last = len(self.game.replay.steps) - 1
        on, before = pgettext("replay", "next"), pgettext("replay", "previous")
        for name, key, label, purpose, find in (
            ("forward", "right", on, _("the next step"), lambda _graph, at: min(at + 1, last)),
            ("backward", "left", before, _("the previous step"), lambda _graph, at: max(at - 1, 0)),
            ("next flag", "down", "", _("the next turning point"), ReviewGraph.next_flag),
            ("last flag", "up", "", _("the previous turning point"), ReviewGraph.flag_before),
        ):
            do, why_not = partial(self._jump, find), self._why_not_done
            yield Command(name, (key,), label or purpose, purpose, do, why_not, hidden=not label)

    def body(self) -> ComposeResult:
        yield self.title_row
        yield self.panel
        yield self.told

    def on_mount(self) -> None:
        self._show_review()
        if self.done is None:
            self.run_worker(self._work())

    def on_resize(self) -> None:
        self._show_review()

    def on_panel_pressed(self, pressed: panel.Panel.Pressed) -> None:
        if self.done is not None:
            at = self._graph.step_at(pressed.column - MARGIN_COLUMNS // 2)
            self._go_to(self.at if at is None else at)

    def on_panel_wheeled(self, wheeled: panel.Panel.Wheeled) -> None:
        self.action_command("forward" if wheeled.down > 0 else "backward")

    def say(self, text: str) -> None:
        """Show a message in place of the sentence about the step; "" shows that again."""
        if not text and self.done is not None:
            text = self._graph.sentence(self.at)
        super().say(text)

    def show_step(self) -> None:
        """Go back to the game, at the step under the cursor."""
        self.visit(self.at)
        self.leave()

    def leave(self) -> None:
        """Stop the computation after the present step, and leave."""
        self._is_stopped = True
        self.back()

    @property
    def _graph(self) -> ReviewGraph:
        assert self.done is not None
        columns, rows = self.app.size.width - MARGIN_COLUMNS, self.app.size.height
        room = rows - TITLE_ROWS - MAX_STATUS_LINES - 1
        game, glyphs = self.game, self.context.glyphs
        return ReviewGraph(game.replay, self.done, columns, room, glyphs, game.dwarves)

    def _jump(self, find: Callable[[ReviewGraph, int], int]) -> None:
        self._go_to(find(self._graph, self.at))

    def _go_to(self, step: int) -> None:
        self.at = step
        self._show_review()

    def _why_not_done(self) -> str | None:
        return None if self.done else self.trouble or draw_progress(*self.progress)

    async def _work(self) -> None:
        try:
            self.done = await asyncio.to_thread(
                review_game, self.game.replay, self._report_progress, self.effort
            )
        except UserError as trouble:
            self.trouble = str(trouble)
        if self.done is not None and not self._is_stopped:
            self.take(self.done)
        self._show_review()

    def _report_progress(self, done: int, steps: int) -> bool:
        """Show the progress, and return False once the computation should stop; for its thread."""
        is_wanted = self.is_running and not self._is_stopped
        if is_wanted:
            self.app.call_from_thread(self._show_progress, done, steps)
        return is_wanted

    def _show_progress(self, done: int, steps: int) -> None:
        self.progress = done, steps
        self.told.update(draw_progress(done, steps))

    def _show_review(self) -> None:
        self.panel.display, self.told.display = self.done is not None, self.done is None
        if self.done is not None:
            self.title_row.update(Content("\n").join([Content(capitalise(_("review"))), _legend()]))
            margin = panel.StyledSpan(" " * (MARGIN_COLUMNS // 2))
            self.panel.show([(margin, *row) for row in self._graph.draw(self.at)])
        else:
            self.told.update(sanitise(self.trouble) or draw_progress(*self.progress))
        self.say("")
        self.update_commands()


def _legend() -> Content:
    text = _("Height: the miners' chance. Numbers: turning points.")
    return Content(text).stylize("not bold $text-muted")
