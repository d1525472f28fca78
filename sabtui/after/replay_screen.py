"""The replay's screen: a finished game, in the panels of the table.

Its state is one value, `ReplayModel`, from which `ReplayRows` makes the rows of all panels. From
the point of view of a seat they are those of the table. With all cards open the players are listed
with their cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.timer import Timer

from engine.cards import Card
from engine.events import visible_to
from engine.state import Phase
from net.client.trail import GameState
from sabtui.after.export import export_page
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    ReplayPosition,
    WatchedGame,
    chat_line,
    open_lines,
    said_words,
    seen_by_words,
    step_lines,
    watched_text,
)
from sabtui.after.review import GameReview, beside_lines, only_full_records
from sabtui.after.review_screen import ReviewScreen
from sabtui.app.preferences import records_folder
from sabtui.table.sight import Sight
from sabtui.text.cards import role_initial, role_words
from sabtui.text.connection import no_files
from sabtui.text.events import CARD_SIGN, log_lines
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.signs import Signs, mine_signs
from sabtui.tui.command import Command
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table import render
from sabtui.tui.table.layout import TablePanelsScreen, rule_rows
from sabtui.tui.table.log import TableLog, card_sign, role_look
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import number_of, small_tools
from sabtui.tui.table.render import Part
from sabtui.tui.table.selection import Selection, find_newest_cell
from sabtui.tui.table.side import Side, claim_rows, no_claim_rows, seats_part
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets import panel
from sabtui.tui.widgets.menu import CUT
from sabtui.tui.widgets.text import cut_short

NAME_COLUMNS: Final = 10  # maximum columns of a name that is not cut for the cards beside it


def draw_hands(sight: Sight, table: TableModel) -> list[panel.Row]:
    """Return a row for each player: turn mark, number, role, name, open cards, tools and gold."""
    return [_draw_player(sight, table, seat) for seat in sight.seats]


def _draw_player(sight: Sight, table: TableModel, seat: int) -> panel.Row:
    view, name = sight.view, sight.names.names[seat]
    role, gold = sight.role(seat), sight.nuggets(seat)
    head: panel.Row = (
        panel.StyledSpan(">" if seat == view.to_act else " ", panel.Look.TURN),
        number_of(seat, view),
        panel.StyledSpan(" "),
    )
    if role is not None:
        head += (panel.StyledSpan(f"{role_initial(role)} ", role_look(role)),)
    nuggets = panel.StyledSpan(f" ${gold}" if gold else "", panel.Look.GOLD)
    tail = (*small_tools(seat, view), nuggets)
    columns = table.layout.text - panel.width(head) - panel.width(tail)
    name_columns = min(cell_len(name), NAME_COLUMNS)
    cards = _spell_hand(sight.hand(seat) or (), columns - name_columns - 1, table.glyphs)
    room = columns - cell_len(cards)
    named = panel.fit_text(panel.cut(name, room - 1), room)
    look = panel.player_look(sight.names.colour(seat))
    row = (*head, panel.StyledSpan(named, look), panel.StyledSpan(cards), *tail)
    return panel.fill_row(row, table.layout.text)


def _spell_hand(cards: tuple[Card, ...], columns: int, glyphs: Glyphs) -> str:
    """Return the cards of a hand in a few letters each, path cards as they lie.

    Those that do not fit are counted at the end.
    """
    signs = [
        card.text if glyphs is ASCII or not card.ways else card_sign(card.ways[0], glyphs)
        for card in cards
    ]
    for kept in range(len(signs), -1, -1):
        more = f"{len(signs) - kept}>" if kept < len(signs) else ""  # as at the edge of the mine
        text = " ".join([*signs[:kept], *([more] if more else [])])
        if cell_len(text) <= columns:
            return text
    return ""


@dataclass(frozen=True, slots=True)
class ReplayModel:
    """A position in a game, and the table's model for it."""

    position: ReplayPosition
    table: TableModel
    is_playing: bool = False
    message: str = ""  # shown in place of the step's events
    review: GameReview | None = None  # the review, once the reader has asked for it

    @staticmethod
    def of(position: ReplayPosition, glyphs: Glyphs) -> ReplayModel:
        """Return the model of a position, in a terminal of 80x24 until its size is known."""
        return ReplayModel(position, TableModel(glyphs).resize(80, 24)).settle()

    def at(self, position: ReplayPosition) -> ReplayModel:
        """Return the model at another position, without a message."""
        return replace(self, position=position, message="").settle()

    def resize(self, columns: int, rows: int) -> ReplayModel:
        return replace(self, table=self.table.resize(columns, rows)).settle()

    def turn_to(self, pane: SidePanel) -> ReplayModel:
        return replace(self, table=self.table.turn_to(pane)).settle()

    def settle(self) -> ReplayModel:
        """Return the model with the log of the position, and with its mine in sight.

        Where the whole mine does not fit, the window shows the newest card.
        """
        view = self.position.view
        table = replace(self.table, cells=lying_cells(view), log=build_log(self.position))
        whole = table.whole()
        newest = find_newest_cell(view)
        if newest is not None and not whole.shows(newest):
            whole = whole.following(newest, 1)
        return replace(self, table=replace(table, window=whole))


def build_log(position: ReplayPosition) -> TableLog:
    """Return the log of the round up to a position, as its point of view shows it."""
    seen_from, view, names = position.seen_from, position.view, position.names
    log = TableLog()
    for step, said in position.round_so_far():
        if seen_from.is_open:
            for event, line in open_lines(step, names, CARD_SIGN):
                log = log.with_event(event, [line], names)
        else:
            for event in visible_to(step.events, seen_from.seat):
                lines = log_lines([event], view, names, CARD_SIGN)
                log = log.with_event(event, lines, names)
        for statement in said:
            words = said_words(statement, names, position.truth(step, statement))
            log = log.with_chat(chat_line(statement, names), names, said=words)
    return log


MIN_PANE_ROWS: Final = 2  # fewest rows of the pane below a list of all hands

SAVINGS: Final = (Part.PILE, Part.ROUND, Part.TURN, Part.VIEWER)
"""Parts of the header that are left out where there is little room, in this order."""


def sentence(model: ReplayModel) -> str:
    """Return the message, else this frame's events or talk, cut to one line."""
    position, columns = model.position, model.table.layout.columns - 2
    if model.message:
        return model.message
    step, said, names = position.step, position.said, position.names
    if said is not None:
        return panel.cut(said_words(said, names, position.truth(step, said)), columns)
    view = None if position.seen_from.is_open else position.view
    # Each player's gold at the end is left out: those lines begin with a blank.
    lines = [line for line in step_lines(step, names, view) if not line.startswith(" ")]
    text = lines[0] if lines else ""
    for more in lines[1:]:
        if cell_len(text) + 1 + cell_len(more) > columns:
            break
        text += f" {more}"
    return panel.cut(text, columns)


@dataclass(frozen=True)
class ReplayRows:
    """The rows of each panel of the screen."""

    model: ReplayModel

    @cached_property
    def sight(self) -> Sight:
        return self.model.position.sight

    @property
    def table(self) -> TableModel:
        return self.model.table

    @property
    def head(self) -> list[panel.Row]:
        """The header: step, turn, round, draw pile, and point of view."""
        model, sight, seen_from = self.model, self.sight, self.model.position.seen_from
        turn = tuple(span._replace(text=span.text.strip()) for span in render.draw_turn(sight))
        place = f" {model.position.step.number + 1}/{len(model.position.game.replay.steps)}"
        plays = pgettext("table", "playing") if model.is_playing else ""
        words = seen_by_words(seen_from.seat, sight.names, is_open=seen_from.is_open)
        viewer: panel.Row = (panel.StyledSpan(words, panel.Look.DIM),)
        if (role := sight.view.role) is not None:
            viewer += (panel.StyledSpan(f"  {role_words(role).upper()}", role_look(role)),)
        parts = {
            Part.STEP: ((panel.StyledSpan(place, panel.Look.STRONG),),),
            Part.SPEED: ((panel.StyledSpan(plays, panel.Look.TURN),),),
            Part.TURN: (turn,),
            **render.round_parts(sight.view),
            Part.VIEWER: (viewer,),
        }
        columns = self.table.layout.columns
        return render.too_small(sight, self.table) or [render.fit_parts(parts, SAVINGS, columns)]

    @property
    def mine(self) -> list[panel.Row]:
        return render.draw_mine(self.sight, self.table)

    @property
    def players_rows(self) -> int:
        seats = seats_part(self.sight, self.table)
        return len(self.sight.seats) + 1 if self._lists_hands else seats.rows

    @property
    def _lists_hands(self) -> bool:
        """True if all cards are open, and there is room for a row for each player."""
        players = len(self.sight.seats)
        return self.sight.revealed is not None and self.table.layout.body > players + MIN_PANE_ROWS

    @cached_property
    def _side(self) -> Side:
        """The side of the table, below a list of hands if there is one."""
        return Side(self.sight, self.table, max(self.table.layout.body - self.players_rows, 0))

    @property
    def players(self) -> list[panel.Row]:
        if not self._lists_hands:
            return self._side.players
        title = _("claims") if self.table.pane is SidePanel.CLAIMS else _("log")
        return [
            *draw_hands(self.sight, self.table),
            panel.draw_rule(title, self.table.layout.text, self.table.glyphs.across),
        ]

    @property
    def pane(self) -> list[panel.Row]:
        table, rows = self.table, self._side.rows
        if self.sight.revealed is None:
            return self._side.pane
        if table.pane is SidePanel.CLAIMS:
            public = replace(self.sight, view=self.model.position.step.view(None))
            found = claim_rows(public, {}, table.layout.text)
            return (found or no_claim_rows(table.layout.text))[:rows]
        beside = self._draw_review(rows)
        log = table.log.rows(table.layout.text, rows - len(beside), table.glyphs)
        return [*beside, *log]

    def _draw_review(self, room: int) -> list[panel.Row]:
        """Return the review of the step, if there is one; dots mark where it is cut."""
        review, columns = self.model.review, self.table.layout.text
        if review is None or not room:
            return []
        step = review.steps[self.model.position.step.number]
        lines = confine_lines(beside_lines(step, self.sight.names), columns, 1)
        if len(lines) > room:
            lines[room - 1 :] = [cut_short(lines[room - 1] + CUT, columns)]
        return [
            panel.fill_row((panel.StyledSpan(line, panel.Look.DIM),), columns) for line in lines
        ]

    @property
    def bottom(self) -> list[panel.Row]:
        """The hand of the seat whose view is shown; with all cards open, of the next player."""
        view = self.sight.view
        if self.sight.revealed is None or view.phase is not Phase.PLAY or view.to_act is None:
            return render.draw_bottom(self.sight, self.table)
        name, view = self.sight.names.names[view.to_act], self.model.position.step.view(view.to_act)
        role = "" if view.role is None else role_words(view.role)
        # Translators: a title: Ana, a miner, plays next. {role} is "miner" or "saboteur".
        title = _("next: {name}, {role}").format(name=name, role=role)
        rule = render.hand_rule(title, self.table)
        return [rule, *render.hand_rows(view, Selection(), self.table)]


FRAME_S: Final = 0.5  # seconds per step in a replay that runs automatically

SHARE_EVERY_S: Final = 0.5
"""Seconds between steps that are shown to others: the table takes two requests a second."""

MAX_SEAT_KEYS: Final = 9  # seats that have a digit as their key


def watch_again(held: GameState, show_step: Callable[[int], None] | None) -> ReplayScreen:
    """Return the screen of a finished game. Raises `UserError`: its record is invalid."""
    return ReplayScreen(watched_text(held.record, held.lobby), show_step)


class ReplayScreen(TablePanelsScreen, inherit_bindings=False):
    """A game that is watched again.

    A host's `show_step` is called with the step where the reader is, when that has changed.
    """

    def __init__(self, game: WatchedGame, show_step: Callable[[int], None] | None = None) -> None:
        self.model = ReplayModel.of(game.begin(), BOX)
        self._show_step = show_step
        self._shown = -1
        self._timer: Timer | None = None
        super().__init__()

    def body(self) -> ComposeResult:
        yield from self.panels()

    def signs(self) -> Signs:
        return tuple(mine_signs())

    def commands(self) -> Iterable[Command]:
        yield from self._steps()
        yield from self._sides()
        page = _("next page")
        yield Command("page", ("tab",), _("page"), page, self.turn_page, hidden=True)
        purpose = _("export the game as a web page")
        why_not = self._why_no_files
        yield Command("export", ("e",), _("export"), purpose, self.export, why_not, hidden=True)
        yield Command("review", ("r",), _("review"), _("review"), self.review, self._why_no_review)
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.leave)

    def _steps(self) -> Iterable[Command]:
        text = _("the next step")
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
        why_not: Callable[[], str | None] = lambda: None,
    ) -> Command:
        """Make a command that goes to another position, in the footer if it has a label."""
        do = partial(self._move, move)
        return Command(name, keys, label or purpose, purpose, do, why_not, hidden=not label)

    def _move(self, move: Callable[[ReplayPosition], ReplayPosition]) -> None:
        self.go_to(move(self.model.position))

    def _why_one_side(self, seen_from: PointOfView | None = None) -> str | None:
        sides = self.model.position.game.points_of_view
        if len(sides) > 1 if seen_from is None else seen_from in sides:
            return None
        return _("This record holds only one player's view.")

    # Actions of the reader.

    def go_to(self, position: ReplayPosition) -> None:
        """Show another position; a manual step stops the playback."""
        self._stop()
        self.model = self.model.at(position)
        self.redraw()

    def play(self) -> None:
        """Play the game automatically, from the beginning if this is the end; or stop it."""
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
        is_open = self.model.position.seen_from.is_open
        pages = (SidePanel.RECENT, SidePanel.CLAIMS) if is_open else tuple(SidePanel)
        here = self.model.table.pane
        at = pages.index(here) if here in pages else -1
        self.model = self.model.turn_to(pages[(at + 1) % len(pages)])
        self.redraw()

    def review(self) -> None:
        """Show the review of the game; from then on it is shown beside the steps."""
        self._stop()
        game = self.model.position.game
        self.show(ReviewScreen(game, self._take_review, self.visit, done=self.model.review))

    def visit(self, step: int, text: str = "") -> None:
        """Go to a step, counted from 0; a text is shown in place of its events."""
        self.go_to(self.model.position.at_step(step))
        if text:
            self.say(text)

    def export(self) -> None:
        """Write the game as a page beside the records, and say where."""
        self._stop()
        game = self.model.position.game
        self.say(export_page(game.replay, game.title.removesuffix(".sab"), records_folder()))

    def _take_review(self, review: GameReview) -> None:
        self.model = replace(self.model, review=review)
        self.redraw()

    def _why_no_files(self) -> str | None:
        return no_files() if self.context.is_guest else None

    def _why_no_review(self) -> str | None:
        replay = self.model.position.game.replay  # at a door, the host's computer would work on it
        is_over = replay.is_whole and replay.steps[-1].view(None).phase is Phase.OVER
        return self._why_no_files() or (None if is_over else only_full_records())

    def leave(self) -> None:
        self._stop()
        self.back()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.model = replace(self.model, is_playing=False)

    def _tick(self) -> None:
        """Show the next frame, unless the terminal is still busy with the last one."""
        if self.context.is_terminal_behind:
            return
        self.model = self.model.at(self.model.position.move(1))
        if self.model.position.is_last:
            self._stop()
        self.redraw()

    # Drawing.

    def on_mount(self) -> None:
        self.on_glyphs_changed()
        self.update_commands()
        if self._show_step is not None:
            self._share(self._show_step)
            self.set_interval(SHARE_EVERY_S, partial(self._share, self._show_step))

    def _share(self, show_step: Callable[[int], None]) -> None:
        """Show the present step to the other players, if it has changed."""
        if self._shown != (step := self.model.position.frame.step):
            self._shown = step
            show_step(step)

    def on_glyphs_changed(self) -> None:
        table = self.model.table.with_glyphs(self.context.glyphs)
        self.model = replace(self.model, table=table).settle()
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        self.model = self.model.resize(event.size.width, event.size.height)
        self.redraw()

    def on_panel_wheeled(self, wheeled: panel.Panel.Wheeled) -> None:
        self.go_to(self.model.position.move(wheeled.down))

    def say(self, text: str) -> None:
        """Show a message in place of the step's events; "" shows those again."""
        self.model = replace(self.model, message=text)
        super().say(sentence(self.model))

    def redraw(self) -> None:
        model = self.model
        self.footer.say(sentence(model))
        if not self.is_mounted:
            return
        layout, shown = model.table.layout, ReplayRows(model)
        self.size_panels(layout, shown.players_rows)
        self.header.show(shown.head)
        if layout.is_too_small:
            return
        self.mine.show(shown.mine)
        self.rule.show(rule_rows(layout, model.table.glyphs))
        self.players.show(shown.players)
        self.pane.show(shown.pane)
        self.hand.show(shown.bottom)
