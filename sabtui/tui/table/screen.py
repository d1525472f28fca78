"""The table's screen: its widgets, events and clicks as actions, and effects carried out.

The player's state is one value, `TableModel`, which each step replaces. Every row is rebuilt from
it and from the session's status by pure functions, and panels repaint only what differs, so
resizing loses nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.timer import Timer
from textual.widget import Widget

from engine.bots import Playouts
from engine.bots.talk import SILENCE
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Session, Status, Update
from net.protocol.lobby_events import StepShown
from net.protocol.requests import ShowStep
from sabtui.app.autopilot import Autopilot, hints_for
from sabtui.app.errors import UserError
from sabtui.app.preferences import records_folder
from sabtui.app.records import keep_picture
from sabtui.app.requests import Invitation
from sabtui.table.sight import Sight, TableQuestion, due_questions
from sabtui.text.audit import fair_lines
from sabtui.text.connection import no_files, why_ended
from sabtui.text.i18n import _
from sabtui.text.lobby import has_new_cards, new_cards, step_shown
from sabtui.text.signs import Signs, mine_signs, notation_signs, place_signs, player_signs
from sabtui.tui.command import Command
from sabtui.tui.command_screen import Confirm
from sabtui.tui.screens.bases import REACTION_S, SessionScreen
from sabtui.tui.table import actions, hand, render
from sabtui.tui.table.animation import PAUSE_S, Animation
from sabtui.tui.table.layout import TablePanelsScreen, rule_rows
from sabtui.tui.table.log import LogScreen
from sabtui.tui.table.model import (
    CLOCK_STEP_S,
    Action,
    Answer,
    AskFirst,
    Done,
    FindHints,
    LeaveTable,
    PickOne,
    Refused,
    ScreenEffect,
    SendRequest,
    SetTitle,
    ShowFrameLater,
    TableEffect,
    TableModel,
    TableStep,
    TakeUpdate,
    end_pause,
    end_reaction,
    open_table,
    pass_time,
    queue_update,
    show_frame,
    show_refusal,
    skip,
    take_update,
)
from sabtui.tui.table.moments import draw_postcard
from sabtui.tui.table.side import Side, seats_part
from sabtui.tui.table.status import sentence
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.box import OverBox
from sabtui.tui.widgets.footer import StatusFooter
from sabtui.tui.widgets.form import TalkLine
from sabtui.tui.widgets.panel import Panel, Row
from sabtui.tui.widgets.text import wrap_prose

if TYPE_CHECKING:
    from sabtui.after.replay_screen import ReplayScreen

FRAME_INTERVAL_S: Final = 0.09  # seconds between two frames of an animation

HINT_BUDGET: Final = Playouts(600)
"""Playouts per request: fixed, so that asking again gives the same hints; about 0.3 s."""

CLOSING_KEYS: Final = frozenset(("escape", "enter", "space", "u"))
"""Keys that put the role card away and do nothing else."""

PRIMARY_BUTTON: Final = 1  # mouse button that acts; any other turns the chosen card


def click_action(model: TableModel, status: Status, click: Panel.Pressed) -> Action | None:
    """Return the action that a click on a panel stands for, or `None`."""
    sight, (column, row) = Sight.of(status), (click.column, click.row)
    if sight is None:
        return None
    text = sentence(model, status)
    laid = Side.above(text, sight, model)
    match click.panel.id:
        case "players" | "log" if laid.claims is not None:
            above = laid.room.rows if click.panel.id == "log" else 0
            claim = laid.claims.at(row + above, model.claims_page)
            return None if claim is None else actions.make_claim(claim)
        case "mine" if click.button != PRIMARY_BUTTON:
            return actions.turn_card
        case "mine":
            cell = render.above_sentence(model, status, text).window.at(column, row)
            return None if cell is None else actions.press_place(cell)
        case "players":
            seat = laid.room.at(column, row)
            return None if seat is None else actions.press_place(seat)
        case "hand" if row:
            return _hand_action(model, sight.view, column)
        case _:
            return None


def _hand_action(model: TableModel, view: View, column: int) -> Action | None:
    """Return the action of a click on the cards, or on the gold on offer."""
    columns = model.layout.columns
    if view.phase is Phase.PLAY:
        at = hand.find_card_at(column, columns, len(view.hand), model.layout.hand - 1)
        return None if at is None else actions.choose_card(at + 1)
    if view.phase is not Phase.GOLD or not view.offer:
        return None
    kinds = tuple(dict.fromkeys(view.offer))
    at = hand.find_card_at(column, columns, len(kinds), model.layout.hand - 1)
    if at is None:
        return None
    chosen = kinds[at] == model.selection.nuggets
    return actions.confirm if chosen else actions.choose_card(kinds[at])


PlaceOnPanel: TypeAlias = tuple[str, tuple[int, int]]
"""The id of a panel, and a column and row of it."""


def cursor_place(model: TableModel, status: Status, text: str) -> PlaceOnPanel | None:
    """Return the place of the terminal's own cursor: a player or tile, if that is in view."""
    shown, selection = render.above_sentence(model, status, text), model.selection
    sight = Sight.of(status)
    if sight is None or model.layout.is_too_small:
        return None
    if selection.seat is not None:
        if model.about is not None:
            return None
        column, row = seats_part(sight, shown).corner_of(selection.seat)
        return "players", (column + 1, row)
    corner = shown.window.corner_of(selection.cell)
    if corner is None or model.shows_result(sight.view):
        return None
    size = shown.window.size
    if shown.glyphs.has_pictures:  # a terminal's cursor would leave a hole in a picture
        return "mine", corner
    return "mine", (corner[0] + size.columns // 2, corner[1] + size.rows // 2)


class TableMoment:
    """A model and a status, and what follows from them, each computed once."""

    def __init__(self, model: TableModel, status: Status) -> None:
        self.model = model
        self.status = status
        self._answers: dict[Action, Answer] = {}

    @cached_property
    def sight(self) -> Sight | None:
        """The game as the player sees it, `None` before it."""
        return Sight.of(self.status)

    @cached_property
    def sentence(self) -> str:
        return sentence(self.model, self.status)

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable, or `None`. The answer is cached for `act`."""
        if action.is_free and self.status.view is not None:
            return None
        answer = self._answer(action)
        return answer.text if isinstance(answer, Refused) else None

    def act(self, action: Action) -> Done:
        """Return the result of an action; if it is refused, say why."""
        view, model = self.status.view, self.model
        if view is not None and not action.keeps_page:
            model = model.put_page_away(view)
        is_kept = model is self.model
        answer = self._answer(action) if is_kept else action.answer(model, self.status)
        return show_refusal(answer, self.model)

    def _answer(self, action: Action) -> Answer:
        if action not in self._answers:
            self._answers[action] = action.answer(self.model, self.status)
        return self._answers[action]


class TableScreen(SessionScreen, TablePanelsScreen, inherit_bindings=False):
    """Table to play at. `model` is all that changes, besides `status` and the widgets."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.model = TableModel(BOX)
        self.autopilot = Autopilot(session)
        self.reading: LogScreen | None = None
        self.replay: ReplayScreen | None = None
        self._step_to_show: int | None = None  # the host's step, until this screen shows it
        self._clock: Timer | None = None  # until the turn's shown time changes
        self._moment = TableMoment(self.model, status)
        self._drawn: tuple[TableMoment, str] | None = None
        """What the panels show, and the sentence below them."""
        super().__init__(session, status, invitation)
        self.talk_line: Final = TalkLine()

    def body(self) -> ComposeResult:
        yield from self.panels(self.talk_line)

    def remake(self) -> TableScreen:
        """Return a copy of this screen in the new language, with the player's model."""
        held = self.model.held
        now = held[-1].update.status if held else self.status
        screen = type(self)(self.session, now, self.given_invitation)
        screen.model = replace(self.model, message="", is_asked=False, is_talking=False)
        screen.autopilot = self.autopilot
        return screen

    def signs(self) -> Signs:
        return (*mine_signs(), *place_signs(), *player_signs(), *notation_signs())

    def commands(self) -> Iterable[Command]:
        yield self.ways_command("o")
        title = _("Fair deal")
        yield Command(
            "fair",
            ("F",),
            title,
            _("who dealt these cards, and six words to compare"),
            partial(self.open_box, title, self._describe_fairness),
            hidden=True,
            concerns=lambda: bool(self.status.lobby and self.status.lobby.name),
        )
        yield from (row.bind(self) for row in actions.command_rows())
        yield from self.reading_commands()

    def _show_new_cards(self, before: Status) -> None:
        """Tell a player in a box that they were dealt other cards when the table moved."""
        if has_new_cards(self.status, before):
            texts = [
                new_cards(),
                _("Nobody knows what you held before: look at your role (u) and your hand."),
            ]
            self.open_box(
                _("The table has moved"),
                lambda columns: [line for text in texts for line in wrap_prose(text, columns)],
            )

    def _describe_fairness(self, columns: int) -> list[Content]:
        lines = (wrap_prose(text, columns) for text in fair_lines(self.status))
        return [line for part in lines for line in (*part, Content(""))][:-1]

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable now, or `None`; a guest has no files here."""
        if action is actions.save_picture and self.context.is_guest:
            return no_files()
        return self.moment.why_not(action)

    def action_command(self, name: str) -> None:
        """Run a command; in a club, Escape leaves the table where there is nothing to undo."""
        is_idle = name == "back" and self.by_name[name].why_not() is not None
        super().action_command("leave" if is_idle and self.context.in_club else name)

    def interrupt(self) -> bool:
        leaves = "leave" in self.by_name
        if leaves:
            self.action_command("leave")
        return leaves

    def act(self, step: TableStep) -> None:
        """Replace the model by the next one, and carry out the effects."""
        done = self.moment.act(step) if isinstance(step, Action) else step(self.model, self.status)
        self.model, effects = done
        for effect in effects:
            self._carry_out(effect)

    def dispatch(self, step: TableStep) -> None:
        """Act, and show the result. A command's result is shown by `action_command`."""
        self.act(step)
        self.update_commands()

    def _carry_out(self, effect: TableEffect) -> None:
        match effect:
            case SendRequest(request):
                self.session.request(request)
            case LeaveTable(text):
                self._leave_table(text)
            case AskFirst(question, then, is_final):
                self.ask(question, partial(self._carry_out, then), is_final=is_final)
            case PickOne(question, answers):
                names, effects = zip(*answers, strict=True)
                self.pick(question, names, lambda at: self._carry_out(effects[at]))
            case SetTitle(title):
                self.context.set_title(title)
            case TakeUpdate(update):
                before = self.status
                super().show_update(update)
                self._show_new_cards(before)
                self.act(partial(take_update, update=update, before=before))
            case ScreenEffect.END_PAUSE_LATER:
                self.set_timer(PAUSE_S, partial(self.dispatch, end_pause))
            case ScreenEffect.END_REACTION_LATER:
                self.set_timer(REACTION_S, partial(self.dispatch, end_reaction))
            case ShowFrameLater(animation):
                self._show_frame_later(animation)
            case FindHints(view):
                self.run_worker(self._find_hints(view), group="hints", exclusive=True)
            case ScreenEffect.RING:
                self.context.ring()
            case ScreenEffect.OPEN_TALK:
                self.set_focus(self.talk_line)
            case ScreenEffect.CLOSE_TALK:
                self.set_focus(None)
            case ScreenEffect.OPEN_LOG:
                self.reading = LogScreen(lambda columns: self.model.whole_log(columns))  # noqa: PLW0108 - of a later model
                self.show(self.reading)
            case ScreenEffect.OPEN_REPLAY:
                self._open_replay()
            case ScreenEffect.SAVE_PICTURE:
                self._save_picture()
            case ScreenEffect.START_AUTOPILOT:
                self.dispatch(actions.start_autopilot)
            case ScreenEffect.RUN_AUTOPILOT:
                self.autopilot.on_update(self.session.status)  # at once: others do not wait
            case ScreenEffect.STOP_AUTOPILOT:
                self.autopilot.stop()

    def _leave_table(self, text: str) -> None:
        """Leave the table, and say how to come back, except to guests and people in a club."""
        status, is_guest = self.session.status, self.context.is_guest
        if status.connection is ConnectionState.ENDED:
            text = why_ended(status.ending)
        elif is_guest or self.context.in_club:
            text = ""
        self.context.leave_table(text)

    def _show_frame_later(self, animation: Animation) -> None:
        """Go to the next frame of an animation after a moment; a slow terminal skips it."""

        def show() -> None:
            self.act(partial(show_frame, animation=animation))
            if self.model.animation is None or not self.context.is_terminal_behind:
                self.update_commands()

        self.set_timer(FRAME_INTERVAL_S, show)

    async def _find_hints(self, view: View) -> None:
        """Compute hints, from the view of the player's own seat."""
        sight = Sight.of(self.status)
        talk = SILENCE if sight is None else replace(sight, view=view).talk
        found = await asyncio.to_thread(hints_for, view, talk, HINT_BUDGET)
        self.dispatch(partial(actions.take_hints, view=view, found=tuple(found)))

    def _open_replay(self, at: int = 0, text: str = "") -> None:
        """Show the finished game from a step on, on its own screen; everybody follows the host."""
        if (held := self.status.game_state) is None:
            return
        from sabtui.after.replay_screen import watch_again  # noqa: PLC0415 - a feature

        try:
            self.replay = watch_again(held, self._show_step if self.status.is_host else None)
        except UserError as trouble:
            self.say(str(trouble))
        else:
            self.replay.visit(at, text)
            self.show(self.replay)

    def _show_step(self, step: int) -> None:
        if self.status.is_host:  # the table may have another host by now
            self.session.request(ShowStep(step))

    def _follow_host(self, update: Update) -> None:
        """Go to the step that the host shows; first open the replay, once, after any ceremony."""
        view, received = update.status.view, update.received
        if view is not None and view.phase is not Phase.OVER:
            self.replay = None  # it is of an earlier game
        news = () if received is None else received.news
        shown = next((event for event in news if isinstance(event, StepShown)), None)
        if shown is None or self.status.is_host or "replay" not in self.by_name:
            return
        if self.replay is None:
            self._step_to_show = shown.step
        elif self.replay.is_attached:
            self.replay.visit(shown.step, "")

    def _join_host(self) -> None:
        """Open the finished game at the step that the host shows, if nothing is more urgent."""
        lobby = self.status.lobby
        if self._step_to_show is None or lobby is None or not self.may_be_asked:
            return
        step, self._step_to_show = self._step_to_show, None
        if self.replay is None:
            self._open_replay(step, step_shown(lobby))

    def _save_picture(self) -> None:
        if (sight := Sight.of(self.status)) is not None:
            picture = draw_postcard(sight, time.strftime("%Y-%m-%d"))
            self.say(keep_picture(picture, sight.title, records_folder()))

    # Updates and events.

    def show_update(self, update: Update) -> None:
        """Process an update, and show it after its ceremony if it has one."""
        self.act(partial(queue_update, update=update))
        self._pass_time()
        self._follow_host(update)
        self.update_commands()

    def on_mount(self) -> None:
        context = self.context
        self.act(partial(open_table, glyphs=context.glyphs, is_calm=context.is_calm))
        self._pass_time()
        self._show_new_cards(Status())

    def _pass_time(self) -> None:
        before, now = self.model, time.monotonic()
        # Newer than the status on screen during a ceremony, so that everybody sees the same time.
        self.model, _effects = pass_time(before, self.session.status, now)
        if self._clock is not None:
            self._clock.stop()
        if self.model.turn is not None:
            left = CLOCK_STEP_S - (now - self.model.turn_since) % CLOCK_STEP_S
            self._clock = self.set_timer(left, self._pass_time)
        if self.model.waited != before.waited:
            self.update_commands()

    def due_questions(self) -> tuple[TableQuestion, ...]:
        """Return the questions of the table that are due, that about a long turn, too."""
        return due_questions(self.status, self.model.waited)

    def on_screen_resume(self) -> None:
        """Redraw, because other glyphs may have been chosen meanwhile."""
        self.on_glyphs_changed()

    def on_glyphs_changed(self) -> None:
        self.model = self.model.with_glyphs(self.context.glyphs)
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        self.model = self.model.resize(event.size.width, event.size.height)
        self.redraw()
        self.call_after_refresh(self.place_cursor)

    def watch_focused(self, focused: Widget | None) -> None:
        """Keep in the model whether the chat line has the focus."""
        self.model = replace(self.model, is_talking=focused is self.talk_line)

    # Messages and questions, as on every screen.

    def say(self, text: str) -> None:
        """Show a message in place of the hint; "" shows the hint again."""
        self.model = replace(self.model, message=text)
        super().say(self.sentence())

    def open_question(self, question: str, confirm: Confirm) -> None:
        self.model = replace(self.model, is_asked=True)
        super().open_question(question, confirm)

    def close_question(self) -> Confirm:
        self.model = replace(self.model, is_asked=False)
        return super().close_question()

    @property
    def may_be_asked(self) -> bool:
        """True if the table may ask something now: not during a ceremony that ends soon."""
        waits = self.model.is_in_ceremony and not self.model.is_role_down
        return super().may_be_asked and not waits

    # Keys and the mouse.

    def on_key(self, event: events.Key) -> None:
        """End a ceremony on any key; else use the key for the open list of claims.

        A key that puts the role card away also acts, unless it is one that people press for that.
        """
        if self.question is not None:
            return
        if self._put_role_card_away():
            if event.key in CLOSING_KEYS:
                event.stop()
                event.prevent_default()
            return
        action: TableStep | None = skip
        if not self.model.is_in_ceremony or self.model.is_talking:
            action = actions.claims_key_action(self.model, self.status, event.key, event.character)
        if action is not None:
            self.dispatch(action)
            event.stop()
            event.prevent_default()

    def _put_role_card_away(self) -> bool:
        """Put the role card away if it is turned over; return True if it was."""
        is_turned = self.model.is_peeking and not self.model.is_talking
        if is_turned:
            self.dispatch(skip)
        return is_turned

    def describe_unbound_key(self, event: events.Key) -> str:
        """Say that a key does nothing; a digit may belong to no card."""
        if event.character is not None and event.character.isdecimal():
            reason = self.why_not(actions.choose_card(int(event.character)))
            return reason or super().describe_unbound_key(event)
        return super().describe_unbound_key(event)

    def take_line(self, text: str) -> None:
        self.talk_line.value = ""
        self.dispatch(actions.submit_talk(text))

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Handle a click on a part of the table; a second click on the same place acts."""
        if self.status.view is None or self.question is not None:
            return
        if not self._put_role_card_away() and self.model.is_in_ceremony:
            self.dispatch(skip)
            return
        self.set_focus(None)
        action = click_action(self.model, self.status, pressed)
        if action is not None:
            self.act(action)
        self.update_commands()

    def on_status_footer_pressed(self, pressed: StatusFooter.Pressed) -> None:
        """End a ceremony instead of running the command whose key was clicked."""
        if not self._put_role_card_away() and self.model.is_in_ceremony:
            pressed.prevent_default()
            self.dispatch(skip)

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        if wheeled.panel is self.pane:
            self.dispatch(actions.scroll(-wheeled.down))
        elif wheeled.panel is self.mine:
            panned = actions.pan(wheeled.right, wheeled.down)
            self.dispatch(actions.zoom(-wheeled.down) if wheeled.is_zoom else panned)

    # Drawing.

    @property
    def moment(self) -> TableMoment:
        known = self._moment
        if (known.model, known.status) != (self.model, self.status):
            known = self._moment = TableMoment(self.model, self.status)
        return known

    def update_commands(self) -> None:
        super().update_commands()
        self._join_host()
        self.redraw()

    def redraw(self) -> None:
        text, moment = self.sentence(), self.moment
        sight, model = moment.sight, moment.model
        self.footer.say(text)
        if self.reading is not None and self.reading.is_current:
            self.reading.page.redraw()
        if sight is None or not self.is_mounted:
            return
        if self._drawn == (moment, text):
            self.place_cursor()
            return
        self._drawn = moment, text
        layout, side = model.layout, Side.above(text, sight, model)
        self.size_panels(layout, side.room.rows)
        self.header.show(render.draw_header(sight, model))
        self.place_cursor()
        if layout.is_too_small:
            return
        shown = render.above_sentence(model, self.status, text)
        self.mine.show(render.draw_mine(sight, shown, text))
        self.rule.show(rule_rows(layout, model.glyphs))
        self.players.show(side.players)
        self.pane.show(side.pane)
        self.hand.show(self.bottom(sight, shown))

    def sentence(self) -> str:
        return self.moment.sentence

    def bottom(self, sight: Sight, model: TableModel) -> list[Row]:
        return render.draw_bottom(sight, model)

    def place_cursor(self) -> None:
        """Place the terminal's own cursor on the chosen tile or player, for braille, or hide it."""
        talks, place = self.model.is_talking, None
        if not (talks or isinstance(self.focused, OverBox)):
            place = cursor_place(self.model, self.status, self.footer.text)
        if self.is_current:
            self.context.show_cursor(shown=talks or place is not None)
        if place is not None:
            name, at = place
            panel = self.mine if name == "mine" else self.players
            self.app.cursor_position = panel.region.offset + Offset(*at)
