"""Actions of the player at the table: what they do, and why they are unavailable.

An action is a decorated function, which may refuse. No rule is decided here: moves and their
reasons come from the view. A request to a table is a `TableCommand`; if it concerns a player, that
is the one under the cursor. A row holds the words and keys of a command and its action; footer,
help, palette and keys are all made of rows, the most useful first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, Protocol

from engine.actions import TargetPlace
from engine.board import START
from engine.bots.hints import Hint
from engine.moves import DealAwaited, GameOver, GoldBeingShared, KeepGold, Lay, Move, OnlyWatching
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.lobby import TableClaim, Topic, clean_text
from net.protocol.requests import Chat, MakeClaim, SetReady
from net.room.permissions import seats_waited_for
from sabtui.table.commands import (
    HOSTING,
    PLAY_AGAIN,
    TABLE_COMMANDS,
    TableCommand,
    Target,
    target_seat,
)
from sabtui.table.sight import Sight
from sabtui.text import moves, seats
from sabtui.text.connection import state_words, why_ended
from sabtui.text.evening import once_over
from sabtui.text.i18n import _, enter_does, ngettext, pgettext
from sabtui.text.layout import no_more
from sabtui.text.lesson import LessonStatus
from sabtui.text.reasons import why_not as reason_words
from sabtui.text.reasons import why_unavailable
from sabtui.text.summary import no_cards_left
from sabtui.text.talk import how_to_talk
from sabtui.tui.command import Command, host_title
from sabtui.tui.table import side
from sabtui.tui.table.layout import MAX_HAND_CARDS
from sabtui.tui.table.model import (
    Action,
    ActionStep,
    Answer,
    AskFirst,
    Done,
    FindHints,
    HintCycle,
    LeaveTable,
    PickOne,
    Refused,
    ScreenEffect,
    SendRequest,
    SidePanel,
    TableEffect,
    TableModel,
    TableStep,
    how_to_aim,
)
from sabtui.tui.table.selection import Choice, PlayerNote, Selection, find_newest_cell
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import (
    ask_for_gold,
    explain_refusal,
    hint,
    lobby_at,
    names_at,
    sentence,
    why_no_gold_choice,
    with_more,
)

free_action: Final = partial(Action, is_free=True)
"""Decorator of an action that is never refused in a game."""


def do_command(command: TableCommand) -> Action:
    """Return the action that does a command, about the seat under the cursor."""

    def do(model: TableModel, status: Status, _view: View) -> Answer:
        target = target_seat(status, model.selection.seat, how_to_aim())
        reason = command.why_not(target)
        return (model, _command_effects(command, target)) if reason is None else Refused(reason)

    return Action(do, command.concerns)


def _command_effects(command: TableCommand, target: Target) -> tuple[TableEffect, ...]:
    """Return the effects of an available command; the player picks one of several it may mean."""
    others = command.others(target)
    if len(others) > 1:
        answers = [(name, effect) for name, other in others for effect in _ask(command, other)]
        return (PickOne(command.pick(target), tuple(answers)),)
    return _ask(command, target)


def _ask(command: TableCommand, target: Target) -> tuple[TableEffect, ...]:
    """Return the effect that sends the request of a command, after its question if it has one."""
    request, question = command.request(target), command.ask(target)
    if request is None:
        return ()
    send = SendRequest(request)
    return (AskFirst(question, send, command.is_final) if question else send,)


@free_action
def leave(model: TableModel, status: Status, view: View) -> Done:
    """Leave for now, after a question if something would be lost."""
    if status.connection is ConnectionState.ENDED:
        return model, (LeaveTable(why_ended(status.ending)),)
    is_kept = not isinstance(status, LessonStatus)  # a practice game, not the lesson
    question = "" if view.phase is Phase.OVER else seats.leave_question(status, is_kept=is_kept)
    effect = LeaveTable(seats.way_back(status))
    return model, (AskFirst(question, effect) if question else effect,)


@Action
def watch_again(model: TableModel, status: Status, view: View) -> Answer:
    """Watch the finished game again; a lesson leaves no record to watch."""
    if status.game_state is not None and status.game_state.record:
        return model, (ScreenEffect.OPEN_REPLAY,)
    is_over = view.phase is Phase.OVER
    return Refused(_("There is no record of this game.") if is_over else once_over())


@Action
def save_picture(model: TableModel, _status: Status, view: View) -> Answer:
    if view.phase is not Phase.OVER:
        return Refused(once_over())
    return model, (ScreenEffect.SAVE_PICTURE,)


# Cards.

NO_MOVE: Final = KeepGold(0)
"""A move that is never legal: the reason against it says why no card can be played now."""


@Action
def confirm(model: TableModel, status: Status, view: View) -> Answer:
    """Do what the hint says, or say why Enter does nothing, for example while claims are listed."""
    if status.connection is ConnectionState.ENDED:
        return leave.do(model, status, view)
    if model.about is not None:
        return Refused(_how_to_claim())
    if _is_on_hold(status):
        return Refused(_explain_hint(model, status))
    if model.is_sent(status):
        return Refused(moves.move_sent())
    lobby = lobby_at(status)
    match view.phase:
        case Phase.OVER if status.is_host and not model.pauses:
            return model, _command_effects(PLAY_AGAIN, Target(status))
        case Phase.DEAL if view.seat in seats_waited_for(lobby) and not model.pauses:
            return model, (SendRequest(SetReady(ready=True)),)
        case Phase.GOLD | Phase.PLAY if not lobby.paused:
            move = (
                seats.autopilot_plays("A")
                if model.is_on_autopilot
                else _find_move(model, status, view)
            )
            if isinstance(move, str):
                return Refused(move)
            request = status.move_request(move)
            return replace(model, sent=request.seen), (SendRequest(request),)
    return Refused(_explain_hint(model, status))


def _is_on_hold(status: Status) -> bool:
    """Return True if the host cannot be asked for anything, or can save nothing."""
    return status.connection is not ConnectionState.CONNECTED or status.disk.is_waiting


def _explain_hint(model: TableModel, status: Status) -> str:
    """Return the hint, which says why Enter does nothing."""
    return hint(status, model.selection, 0)


def _find_move(model: TableModel, status: Status, view: View) -> Move | str:
    """Return the move with the chosen card or gold, or why there is none now."""
    if view.phase is Phase.GOLD and view.to_act == view.seat:
        nuggets = model.selection.choose_gold(view)
        if nuggets is None:
            return ask_for_gold(view)
        return _why_not_keep(status, view, nuggets) or KeepGold(nuggets)
    move, has_card = model.selection.chosen_move(view), model.selection.card is not None
    if move is None and not has_card and view.to_act != view.seat:
        return moves.waiting(view, names_at(status))
    if move is None:
        choice = _find_choice(model, status, view)
        return choice.text if isinstance(choice, Refused) else _explain_hint(model, status)
    reason = view.why_not(move)
    if reason is None:
        return move
    sentences = explain_refusal(reason, move, view, names_at(status))
    return with_more(sentences, model.layout.columns - 2)


def _has_cards(view: View) -> bool:
    return bool(view.hand) and view.phase is Phase.PLAY


def _why_not_keep(status: Status, view: View, nuggets: int) -> str | None:
    move = KeepGold(nuggets)
    reason = view.why_not(move)
    return None if reason is None else reason_words(reason, move, view, names_at(status))


def _find_choice(model: TableModel, status: Status, view: View) -> Choice | Refused:
    """Return what the chosen card can do, or why no card is chosen."""
    if not _has_cards(view):
        return Refused(_why_no_cards(status, view))
    choice = model.selection.choice(view)
    if choice is not None:
        return choice
    return Refused(moves.ask_for_card(len(view.hand)))


def _why_no_cards(status: Status, view: View) -> str:
    if view.phase is Phase.GOLD and view.to_act == view.seat and view.offer:
        return why_no_gold_choice(view) or ask_for_gold(view)
    reason = view.why_not(NO_MOVE)
    if isinstance(reason, OnlyWatching | DealAwaited | GameOver | GoldBeingShared):
        return reason_words(reason, NO_MOVE, view, names_at(status))
    return no_cards_left()


def has_seat(status: Status) -> bool:
    """Return True for a player: watchers have no cards."""
    return status.seat is not None


def with_cards(do: ActionStep) -> Action:
    """Return an action of a player with cards.

    It closes the list of claims, since digit keys choose claims as well as cards.
    """

    def play(model: TableModel, status: Status, view: View) -> Answer:
        if status.connection is ConnectionState.ENDED:
            return Refused(_explain_hint(model, status))
        return do(replace(model, about=None), status, view)

    return Action(play, has_seat)


@with_cards
def turn_card(model: TableModel, status: Status, view: View) -> Answer:
    """Turn the chosen card, if only to look at it in the mine, or repair another tool here."""
    selection, choice = model.selection, _find_choice(model, status, view)
    if isinstance(choice, Refused):
        return choice
    other = choice.other_way(selection.place, selection.turned)
    if other is None:
        return Refused(_("There is no other way to play this card here."))
    reason = choice.why_not(other)
    is_looked_at = isinstance(other, Lay) and selection.place not in choice.targets
    if reason is not None and not is_looked_at:
        return Refused(reason_words(reason, other, view, names_at(status)))
    turned = replace(selection, turned=not selection.turned, discarding=False)
    return model.with_selection(turned), ()


@with_cards
def play_turned(model: TableModel, status: Status, view: View) -> Answer:
    """Play the chosen card the other way here."""
    turned = turn_card.do(model, status, view)
    if isinstance(turned, Refused):
        return turned
    if model.selection.discarding:
        return Refused(_explain_hint(model, status))
    return confirm.do(turned[0], status, view)


@with_cards
def discard(model: TableModel, status: Status, view: View) -> Answer:
    choice = _find_choice(model, status, view)
    if isinstance(choice, Refused):
        return choice
    selection = model.selection
    return model.with_selection(replace(selection, discarding=not selection.discarding)), ()


@with_cards
def choose_next(model: TableModel, status: Status, view: View) -> Answer:
    if not _has_cards(view):
        return Refused(_why_no_cards(status, view))
    selection = model.selection
    last = -1 if selection.card is None else selection.card
    return model.with_selection(selection.choose_card((last + 1) % len(view.hand), view)), ()


def choose_card(digit: int) -> Action:
    """Return the action that chooses a card by its digit, or turns it, or chooses gold."""

    def choose(model: TableModel, status: Status, view: View) -> Answer:
        selection, count = model.selection, len(view.hand)
        if view.phase is Phase.GOLD and view.offer:
            reason = _why_not_keep(status, view, digit)
            if reason is not None:
                return Refused(reason)
            return model.with_selection(replace(selection, nuggets=digit)), ()
        if not _has_cards(view):
            return Refused(_why_no_cards(status, view))
        if not 1 <= digit <= count:
            text = ngettext("You hold {count} card.", "You hold {count} cards.", count)
            return Refused(text.format(count=count))
        if selection.card == digit - 1 and not selection.discarding:
            return turn_card.do(model, status, view)
        return model.with_selection(selection.choose_card(digit - 1, view)), ()

    return with_cards(choose)


def press_place(place: TargetPlace) -> Action:
    """Return the action of a click on a place: a second one confirms, if a card is chosen."""

    def press(model: TableModel, status: Status, view: View) -> Answer:
        selection = model.selection
        if place == selection.place and selection.card is not None:
            return confirm.do(model, status, view)
        return model.at(place), ()

    return with_cards(press)


def jump(step: int) -> Action:
    """Return the action that moves the cursor to the next place for the card, or the previous."""

    def go(model: TableModel, status: Status, view: View) -> Answer:
        choice = _find_choice(model, status, view)
        if isinstance(choice, Refused):
            return choice
        place = choice.after(model.selection.place, step)
        if place is None:
            return Refused(_("You cannot play this card now: x discards it."))
        return model.at(place), ()

    return with_cards(go)


@with_cards
def advise(model: TableModel, status: Status, view: View) -> Answer:
    """Select the next best move; for a new turn, have hints computed."""
    lobby = lobby_at(status)
    reason = moves.no_hint(view, names_at(status), allowed=lobby.settings.hints)
    if reason is None and lobby.paused:
        reason = _explain_hint(model, status)
    if reason is None and model.is_sent(status):
        reason = moves.move_sent()
    if reason is None and model.is_on_autopilot:
        reason = seats.autopilot_plays("A")
    if reason is not None:
        return Refused(reason)
    if model.hints is None or model.hints.view != view:
        model = replace(model, hints=HintCycle(view)).with_message(_thinking())
        return model, (FindHints(view),)
    if not model.hints.found:
        return model.with_message(_thinking()), ()
    return _next_hint(model, status, model.hints), ()


def take_hints(model: TableModel, status: Status, view: View, found: tuple[Hint, ...]) -> Done:
    """Show the best of the hints found for a view, or drop them all if the view has changed."""
    if status.view != view:
        return (model.with_message("") if model.message == _thinking() else model), ()
    if not found:
        return replace(model, hints=None).with_message(moves.no_hint_found()), ()
    hints = HintCycle(view, found[: moves.MAX_HINTS])
    if model.is_asked or model.is_sent(status):
        return replace(model, hints=hints), ()
    return _next_hint(model, status, hints), ()


def _next_hint(model: TableModel, status: Status, hints: HintCycle) -> TableModel:
    """Return the model with the next suggested move selected, and the reason for it."""
    count, names = len(hints.found), names_at(status)
    found = hints.found[hints.shown % count]
    hints = replace(hints, shown=hints.shown + 1)
    lines = [moves.hint_words(found, hints.view.role, names)]
    if found.believed is not None:
        lines.append(moves.believed_words(found.believed, names))
    if count > 1:
        # Translators: this is one of so many hints; the key i shows the next.
        more = _("Hint {number} of {count}; i: next.")
        lines.append(more.format(number=(hints.shown - 1) % count + 1, count=count))
    text = with_more([*lines, enter_does(_("do it"))], model.layout.columns - 2)
    model = replace(model, hints=hints).with_message(text)
    return model.with_selection(model.selection.choose_move(found.move, hints.view))


def _thinking() -> str:
    return _("Looking for a hint...")


def switch_autopilot(model: TableModel, status: Status, _view: View) -> Answer:
    """Let a bot play for the player, or let the player take over again."""
    if status.connection is ConnectionState.ENDED:
        return Refused(_explain_hint(model, status))
    if status.seat is None:
        return Refused(moves.only_watching())
    if model.is_on_autopilot:
        model = replace(model, about=None, is_on_autopilot=False)
        return model.with_message(seats.autopilot_stopped()), (ScreenEffect.STOP_AUTOPILOT,)
    # One stray letter must not give the seat away, nor the Enter that was meant for a card.
    question = _("Let a bot play for you, until A takes over again?")
    return model, (AskFirst(question, ScreenEffect.START_AUTOPILOT, is_final=True),)


def start_autopilot(model: TableModel, _status: Status) -> Done:
    model = replace(model, about=None, is_on_autopilot=True)
    return model.with_message(seats.autopilot_plays("A")), (ScreenEffect.RUN_AUTOPILOT,)


# The cursor and the mine.


def _change(do: Callable[[TableModel], TableModel]) -> Action:
    """Return an action that is always available, and changes what is visible."""
    return free_action(lambda model, _status, _view: (do(model), ()))


def move_cursor(east: int, south: int) -> Action:
    """Return the action that moves the cursor by a number of cells; among players, by rows."""

    def move(model: TableModel, _status: Status, view: View) -> Done:
        moved = model.selection.move_cursor(east, south, view.table.players)
        return model.with_selection(moved), ()

    return free_action(move)


def pan(east: int, south: int) -> Action:
    """Return the action that moves the mine but not the cursor, by a number of cells."""
    return _change(lambda model: model.pan(east, south))


def zoom(by: int) -> Action:
    """Return the action that draws larger tiles if `by` is positive, else smaller ones."""
    return _change(lambda model: model.zoom(by))


@Action
def go_to_players(model: TableModel, _status: Status, view: View) -> Answer:
    """Move the cursor to the players, or back to the mine."""
    selection, choice = model.selection, model.selection.choice(view)
    if selection.seat is not None and choice is not None and choice.on_seats:
        return Refused(_("Up and Down go from player to player; Esc puts the card back."))
    return model.at(view.seat or 0 if selection.seat is None else selection.cell), ()


@free_action
def go_to_newest(model: TableModel, _status: Status, view: View) -> Done:
    """Move the cursor to the newest card."""
    return model.at(find_newest_cell(view) or START), ()


# The side, and what opens over the table.


def turn_page(model: TableModel, status: Status, view: View) -> Done:
    """Turn to the next page of the side; after the game, to the gold or the mine."""
    if view.phase is Phase.OVER:
        # The mine is shown with any page but the first, which has the final result in its place.
        is_result = model.pane is SidePanel.RECENT
        return model.turn_to(SidePanel.CLAIMS if is_result else SidePanel.RECENT), ()
    return model.turn_to(_side(model, status).next_page), ()


@Action
def peek(model: TableModel, _status: Status, view: View) -> Answer:
    """Show the player's role card over the mine until the next key."""
    if view.role is None or view.phase is Phase.OVER:
        return Refused(_("You have no role now."))
    return model.peek(), ()


def _side(model: TableModel, status: Status) -> Side:
    sight = Sight.of(status)
    assert sight is not None
    return Side.above(sentence(model, status), sight, model)


@Action
def mark_player(model: TableModel, status: Status, _view: View) -> Answer:
    """Note whether the player under the cursor is friend or foe."""
    seat = model.selection.seat
    if seat is None:
        return Refused(how_to_aim())
    name = names_at(status).names[seat]
    note = model.notes.get(name, PlayerNote.NONE).next
    return replace(model, notes={**model.notes, name: note}), ()


def scroll(pages: int) -> Action:
    """Return the action that scrolls the open list or a page that does not fit, by pages.

    A positive number scrolls up; above what is there, the whole log opens.
    """

    def turn(model: TableModel, status: Status, _view: View) -> Done:
        open_side = _side(model, status)
        scrolled = replace(model, top=open_side.scroll(-pages))
        if open_side.claims is not None:
            page = open_side.claims.page(max(model.claims_page - pages, 0))
            scrolled = replace(model, claims_page=page)
        if scrolled != model:
            return scrolled, ()
        if pages > 0 and open_side.claims is None:
            return model, (ScreenEffect.OPEN_LOG,)
        return model.with_message(no_more()), ()

    return free_action(turn, keeps_page=True)


def go_back(model: TableModel, _status: Status, _view: View) -> Answer:
    """Go back one step: chat line, list of claims, page of the side, then the selection."""
    if model.is_talking:
        return model, (ScreenEffect.CLOSE_TALK,)
    if model.about is not None:
        return replace(model, about=None), ()
    if model.top:
        return replace(model, top=0), ()
    if model.pane is not SidePanel.RECENT:
        return model.turn_to(SidePanel.RECENT), ()
    if model.selection != Selection(cell=model.selection.cell):
        return model.with_selection(model.selection.back()), ()
    return Refused("")


@free_action
def read_log(model: TableModel, _status: Status, _view: View) -> Done:
    return model, (ScreenEffect.OPEN_LOG,)


# Talk and claims.


def _why_not_claim(status: Status, view: View) -> str | None:
    if view.phase is Phase.OVER:
        return moves.game_over()
    return _why_not_say(status, MakeClaim(TableClaim(Topic.WHO_ME)))


def _why_not_say(status: Status, said: Chat | MakeClaim) -> str | None:
    if status.connection is ConnectionState.ENDED:
        return state_words(status)
    return why_unavailable(status, said)


@Action
def open_talk(model: TableModel, status: Status, _view: View) -> Answer:
    if reason := _why_not_say(status, Chat("?")):
        return Refused(reason)
    text = how_to_talk()
    return replace(model, about=None).with_message(text), (ScreenEffect.OPEN_TALK,)


def submit_talk(typed: str) -> Action:
    """Return the action that sends the text of the chat line to all, and leaves the line."""
    text, close = clean_text(typed), (ScreenEffect.CLOSE_TALK,)
    effects = (SendRequest(Chat(text)), *close) if text else close

    def submit(model: TableModel, status: Status, _view: View) -> Answer:
        reason = _why_not_say(status, Chat("?"))  # whatever was typed: an empty line is not chat
        return Refused(reason) if reason else (model, effects)

    return Action(submit)


@Action
def toggle_claims(model: TableModel, status: Status, view: View) -> Answer:
    """Open or close the list of quick claims."""
    if reason := _why_not_claim(status, view):
        return Refused(reason)
    if model.about is not None:
        return replace(model, about=None), ()
    about = side.find_first_about(view, model.aimed_at)
    return replace(model, about=about, claims_page=0).with_message(_how_to_claim()), ()


def _how_to_claim() -> str:
    return _("Press a claim's key; Up and Down choose another player.")


def aim_claims(seat: int) -> Action:
    """Return the action that makes the open list of claims concern another player."""
    return Action(
        lambda model, _status, _view: (replace(model, about=seat, aimed_at=seat), ()),
        is_free=True,
        keeps_message=True,
    )


def make_claim(claim: TableClaim) -> Action:
    """Return the action that makes a claim, and closes the list of claims."""

    def make(model: TableModel, status: Status, view: View) -> Answer:
        if reason := _why_not_claim(status, view):
            return Refused(reason)
        return replace(model, about=None), (SendRequest(MakeClaim(claim)),)

    return Action(make)


def claims_key_action(
    model: TableModel, status: Status, key: str, character: str | None
) -> Action | None:
    """Return the action of a key in the open list of claims, `None` for any other key."""
    view, about = status.view, model.about
    if view is None or about is None:
        return None
    if key in {"up", "down"}:
        return aim_claims(side.find_next_about(view, about, 1 if key == "down" else -1))
    keys = zip(side.CLAIM_KEYS, side.list_claims(view, about), strict=False)
    return next((make_claim(claim) for of_claim, claim in keys if of_claim == character), None)


# Commands: rows with their words. Keys that move the cursor are hidden from the footer: everybody
# tries them anyway. Rare commands of the host are in the palette only; those needed in a hurry, or
# while the game stands still, have a key.

_AZERTY: Final = ("ampersand", "é", "quotation_mark", "apostrophe", "left_parenthesis", "minus")
"""Keys of the digits from 1 on, on a French keyboard, which types digits only with Shift."""

WAYS: Final = (
    ("left", "left h a", -1, 0),
    ("down", "down j s", 0, 1),
    ("up", "up k w", 0, -1),
    ("right", "right l d", 1, 0),
)
"""Ways over the mine: name and keys, and by how much they go east and south."""

PAN_CELLS: Final = 3  # cells that the mine moves at a key press


class ActionTaker(Protocol):
    """The part of the table's screen that its commands use."""

    status: Status

    def act(self, step: TableStep) -> None:
        """Run an action, and show its result."""

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable now, or `None`."""


class CommandRow(NamedTuple):
    """A command of the table, as `Command` describes it; the label serves if `purpose` is empty."""

    name: str
    keys: str
    action: Action
    label: str
    purpose: str = ""
    hidden: bool = False
    in_series: bool = False
    spare_keys: str = ""
    group: str = ""

    def bind(self, table: ActionTaker) -> Command:
        return Command(
            self.name,
            tuple(self.keys.split()),
            self.label,
            self.purpose or self.label,
            partial(table.act, self.action),
            partial(table.why_not, self.action),
            lambda: self.action.concerns(table.status),
            hidden=self.hidden,
            group=self.group,
            in_series=self.in_series,
            spare_keys=tuple(self.spare_keys.split()),
        )


def command_rows() -> Iterator[CommandRow]:
    """Yield the rows of all commands of the table, by the titles of their groups in help."""
    # Translators: a title in help: playing cards.
    play = pgettext("help", "Play")
    # Translators: a title in help: looking around.
    look = pgettext("help", "Look")
    for group, rows in (
        (play, _playing_rows()),
        (look, _moving_rows()),
        (_("Chat"), _talking_rows()),
        (look, _looking_rows()),
        ("", _leaving_rows()),
    ):
        yield from (row._replace(group=group) for row in rows)
    for command in TABLE_COMMANDS:
        if command.table is not None:
            yield CommandRow(
                command.name,
                " ".join(command.table.keys),
                do_command(command),
                command.label() if command.label else command.name,
                command.purpose(),
                hidden=command.table.is_hidden,
                group=host_title() if command.is_for_host or command in HOSTING else "",
            )


def _playing_rows() -> Iterable[CommandRow]:
    row, text = CommandRow, _("choose a card")
    for digit, spare in zip(range(1, MAX_HAND_CARDS + 1), _AZERTY, strict=True):
        choose = choose_card(digit)
        yield row(f"card {digit}", str(digit), choose, text, in_series=True, spare_keys=spare)
    # Translators: rotate the chosen card. Labels in the footer are one short word.
    turn = pgettext("label", "rotate")
    turned = _("rotate the card and play it at once, where it fits either way")
    discarding = _("pass: discard the chosen card, then Enter")
    # Translators: ask for a hint, which is advice on what to do.
    advice = pgettext("label", "hint")
    following = pgettext("replay", "next")
    yield from (
        row("do", "enter space", confirm, _("do it"), _("carry out the move shown above")),
        row("turn", "r", turn_card, turn, _("rotate the card, or repair the other tool")),
        row("play turned", "R", play_turned, turn, turned, hidden=True),
        row("next", "n", jump(1), following, _("go to the next place for the chosen card")),
        row("previous", "N", jump(-1), _("go to the previous place"), hidden=True),
        row("discard", "x", discard, _("discard"), discarding),
        row("hint", "i", advise, advice, _("suggest a move, and why; again for another")),
        row("next card", "e", choose_next, _("card"), _("choose the next card"), hidden=True),
        row("back", "escape", Action(go_back, keeps_page=True), _("back"), _("one step back")),
    )


def _moving_rows() -> Iterable[CommandRow]:
    text = _("move around the mine")
    for name, keys, east, south in WAYS:
        yield CommandRow(name, keys, move_cursor(east, south), text, in_series=True)
    text = _("scroll the mine")
    for name, _keys, east, south in WAYS:
        keys, panned = f"shift+{name} ctrl+{name}", pan(PAN_CELLS * east, PAN_CELLS * south)
        yield CommandRow(f"pan {name}", keys, panned, text, hidden=True, in_series=True)


def _talking_rows() -> Iterable[CommandRow]:
    row = CommandRow
    # Translators: say a quick claim; a verb.
    claim = pgettext("label", "claim")
    # Translators: note whether a player is friend or foe, for oneself.
    mark = pgettext("label", "mark")
    marking = _("mark a player as friend +, foe - or unsure ?, for your eyes only")
    return (
        row("talk", "t", open_talk, _("chat"), _("say something to everybody")),
        row("claim", "c", toggle_claims, claim, _("quick claim: a goal, a player or a tool")),
        row("note", "m", mark_player, mark, marking),
    )


def _looking_rows() -> Iterable[CommandRow]:
    row = partial(CommandRow, hidden=True)
    # Translators: turn to the next page beside the mine; a noun.
    page, turning = _("page"), _("the next page: moves, claims, cards")
    role = _("look at your role card; the next key puts it away")
    log = _("the full log on its own screen")
    players = _("switch between the mine and the players")
    start = _change(lambda model: model.at(START).settle())
    goals = _change(lambda model: model.at(model.next_goal()))
    return (
        row("pane", "tab", free_action(turn_page, keeps_page=True), page, turning, hidden=False),
        row("role", "u", peek, _("role"), role),
        row("log", "L", read_log, _("log"), log),
        row("players", "p", go_to_players, _("players"), players),
        row("newest", "full_stop", go_to_newest, _("go to the newest card")),
        row("start", "home", start, _("go to the start")),
        row("goals", "end g", goals, _("go to the goals, one after another")),
        row("larger", "plus equals_sign", zoom(1), _("draw larger tiles")),
        row("smaller", "minus", zoom(-1), _("draw smaller tiles")),
        row("older", "pageup", scroll(1), _("older lines")),
        row("newer", "pagedown", scroll(-1), _("newer lines")),
    )


def _leaving_rows() -> Iterable[CommandRow]:
    row = CommandRow
    # Translators: watch the finished game again; a noun.
    replay = pgettext("label", "replay")
    # Translators: save a picture (image) of the result.
    picture = _("save picture")
    watching = _("watch a finished game again")
    playing = seats.autopilot_purpose()
    return (
        row("replay", "W", watch_again, replay, watching),
        row("picture", "I", save_picture, picture, _("save a picture of the result")),
        row(
            "autopilot",
            "A",
            Action(switch_autopilot, has_seat),
            _("autopilot"),
            playing,
            hidden=True,
        ),
        row("leave", "q", leave, _("leave"), seats.leave_for_now()),
    )
