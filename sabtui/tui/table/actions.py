"""Actions of the player at the table: what they do, and why they are unavailable.

There are actions with cards, hints and the autopilot, deeds and what one does about one's own seat,
and what changes what is visible, talk and notes. No rule is decided here: moves and their reasons
come from the view. What is asked of a table is a `Deed`; one about a player means the one under the
cursor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.board import START
from engine.bots.hints import Hint
from engine.moves import KeepGold, Lay, Move
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, OnlyWatching
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.lobby import TableClaim, Topic, clean_text
from net.protocol.messages import DiskStatus
from net.protocol.requests import Chat, MakeClaim, SetReady
from net.room.permissions import seats_waited_for
from sabtui.table.deed import Aim, Deed, aim_at
from sabtui.table.deeds import PLAY_AGAIN
from sabtui.table.sight import Sight
from sabtui.text.audit import words_sentence
from sabtui.text.connection import standing, why_ended
from sabtui.text.i18n import _, ngettext
from sabtui.text.moves import (
    MAX_HINTS,
    believed_words,
    game_over,
    hint_words,
    no_hint,
    no_hint_found,
    only_watching,
    waiting,
)
from sabtui.text.reasons import why_not as reason_words
from sabtui.text.reasons import why_unavailable
from sabtui.text.results import once_over
from sabtui.text.seats import autopilot_plays, autopilot_stopped, leave_question, way_back
from sabtui.text.summary import no_cards_left
from sabtui.tui.table import side
from sabtui.tui.table.model import (
    Action,
    ActionStep,
    AskFirst,
    FindHints,
    HintCycle,
    LeaveTable,
    PickOne,
    ScreenEffect,
    SendRequest,
    SidePanel,
    StepResult,
    TableEffect,
    TableModel,
    WhyNot,
    always,
    how_to_aim,
)
from sabtui.tui.table.selection import Selection, TargetPlace, newest_cell
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import (
    explain_refusal,
    hint,
    lobby_at,
    names_at,
    sentence,
    why_no_gold_choice,
    with_more,
)


def do_deed(deed: Deed) -> Action:
    """Return the action that does a deed, about the seat under the cursor."""

    def aim(model: TableModel, status: Status) -> Aim:
        return aim_at(status, model.selection.seat, how_to_aim())

    return Action(
        lambda model, status, _view: (model, deed_effects(deed, aim(model, status))),
        lambda model, status, _view: deed.why_not(aim(model, status)),
        deed.concerns,
    )


def deed_effects(deed: Deed, aim: Aim) -> tuple[TableEffect, ...]:
    """Return the effects of an available deed: of several whom it may mean, one is picked first."""
    others = deed.others(aim)
    if len(others) > 1:
        answers = [(name, effect) for name, other in others for effect in _ask(deed, other)]
        return (PickOne(deed.pick(aim), tuple(answers)),)
    return _ask(deed, aim)


def _ask(deed: Deed, aim: Aim) -> tuple[TableEffect, ...]:
    """Return the effect that sends the request of a deed, after its question if it has one."""
    request, question = deed.request(aim), deed.ask(aim)
    if request is None:
        return ()
    send = SendRequest(request)
    return (AskFirst(question, send) if question else send,)


def _leave_closed(model: TableModel, status: Status) -> StepResult:
    """Leave a table that has ended, and tell why it has."""
    return model, (LeaveTable(why_ended(status.ending, is_host=status.is_host)),)


def _leave(model: TableModel, status: Status, view: View) -> StepResult:
    """Leave for now, after a question if something would be lost."""
    if status.connection is ConnectionState.ENDED:
        return _leave_closed(model, status)
    leave = LeaveTable(way_back(status))
    question = "" if view.phase is Phase.OVER else leave_question(status)
    return model, (AskFirst(question, leave) if question else leave,)


LEAVE: Final = Action(_leave)


def _after_game(effect: ScreenEffect, refuse: WhyNot) -> Action:
    """Return an action with a finished game, which the screen carries out."""
    return Action(lambda model, _status, _view: (model, (effect,)), refuse)


def _why_no_record(_model: TableModel, status: Status, view: View) -> str | None:
    """Return why there is no record: the game is not over, or a lesson, which leaves none."""
    if status.game_state is not None and status.game_state.record:
        return None
    return _("There is no record of this game.") if view.phase is Phase.OVER else once_over()


WATCH_AGAIN: Final = _after_game(ScreenEffect.OPEN_REPLAY, _why_no_record)


SAVE_RECORD: Final = _after_game(ScreenEffect.SAVE_RECORD, _why_no_record)


SAVE_PICTURE: Final = _after_game(
    ScreenEffect.SAVE_PICTURE,
    lambda _model, _status, view: None if view.phase is Phase.OVER else once_over(),
)

NO_MOVE: Final = KeepGold(0)
"""Move that is never legal: the reason against it tells why cards cannot be played at all."""


def _enter(model: TableModel, status: Status, view: View) -> StepResult | str:
    """Return what Enter does now, as the hint says, or why it does nothing."""
    if status.connection is ConnectionState.ENDED:
        return _leave_closed(model, status)
    if _is_on_hold(status):
        return explain_hint(model, status)
    if model.is_sent(status):
        return move_sent()
    lobby = lobby_at(status)
    match view.phase:
        case Phase.OVER if status.is_host and not model.pauses:
            return model, deed_effects(PLAY_AGAIN, Aim(status))
        case Phase.DEAL if view.seat in seats_waited_for(lobby) and not model.pauses:
            return model, (SendRequest(SetReady(ready=True)),)
        case Phase.GOLD | Phase.PLAY if not lobby.paused:
            move = while_on_autopilot(model) or _choose_move(model, status, view)
            if isinstance(move, str):
                return move
            request = status.move_request(move)
            return replace(model, sent=request.seen), (SendRequest(request),)
    return explain_hint(model, status)


def _why_not_confirm(model: TableModel, status: Status, view: View) -> str | None:
    """Return why Enter does nothing now, or `None`."""
    done = _enter(model, status, view)
    return done if isinstance(done, str) else None


def _confirm(model: TableModel, status: Status, view: View) -> StepResult:
    """Do what the hint says that Enter does, or tell why it does nothing."""
    done = _enter(model, status, view)
    return (model.with_message(done), ()) if isinstance(done, str) else done


def move_sent() -> str:
    """Return the sentence that the host has still to answer a move."""
    return _("Your move is on its way to the host.")


def _is_on_hold(status: Status) -> bool:
    """Return True if the host cannot be asked for anything, or can save nothing."""
    return status.connection is not ConnectionState.CONNECTED or status.disk is DiskStatus.FULL


def _choose_move(model: TableModel, status: Status, view: View) -> Move | str:
    """Return the move with the chosen card or gold, or why there is none now."""
    if view.phase is Phase.GOLD and view.to_act == view.seat:
        nuggets = model.selection.choose_gold(view)
        if nuggets is None:
            return _("Choose a gold card first: press the number on it.")
        return _why_not_keep(status, view, nuggets) or KeepGold(nuggets)
    move = model.selection.chosen_move(view)
    if move is None and model.selection.card is None and view.to_act != view.seat:
        return waiting(view, names_at(status))
    if move is None:
        without = None if model.selection.card is not None else _without_card(model, status, view)
        return without or explain_hint(model, status)
    reason = view.why_not(move)
    if reason is None:
        return move
    return with_more(
        explain_refusal(reason, move, view, names_at(status)), model.layout.columns - 2
    )


def _why_not_turn(model: TableModel, status: Status, view: View) -> str | None:
    """Return why the chosen card cannot be turned or mend another tool here, or `None`.

    In the mine it can also be turned where it fits neither way, to look at it.
    """
    selection, choice = model.selection, model.selection.choice(view)
    if choice is None:
        return _without_card(model, status, view)
    other = choice.other_way(selection.place, selection.turned)
    if other is None:
        return _("There is no other way to play this card here.")
    reason = choice.why_not(other)
    if reason is None or (isinstance(other, Lay) and choice.at(selection.place) is None):
        return None
    return reason_words(reason, other, view, names_at(status))


def _why_not_play_turned(model: TableModel, status: Status, view: View) -> str | None:
    """Return why the chosen card cannot be played the other way here, or `None`."""
    reason = _why_not_turn(model, status, view)
    if reason is not None:
        return reason
    if model.selection.discarding:
        return explain_hint(model, status)
    return _why_not_confirm(_turn_card(model, view), status, view)


def _why_not_discard(model: TableModel, status: Status, view: View) -> str | None:
    """Return why no card can be discarded, or `None`.

    A card is chosen before, but where it could be discarded at once: its number may follow.
    """
    is_turn = view.to_act == view.seat and not lobby_at(status).paused
    if is_turn and _has_cards(view) and not _is_on_hold(status):
        return None
    return _without_card(model, status, view)


def _why_not_choose(status: Status, view: View, digit: int) -> str | None:
    """Return why a digit chooses no card and no gold, or `None`."""
    if view.phase is Phase.GOLD and view.offer:
        return _why_not_keep(status, view, digit)
    count = len(view.hand)
    if not _has_cards(view) or 1 <= digit <= count:
        return _why_no_cards(status, view)
    text = ngettext("You hold {count} card.", "You hold {count} cards.", count)
    return text.format(count=count)


def _has_cards(view: View) -> bool:
    """Return True if there are cards to choose from."""
    return bool(view.hand) and view.phase is Phase.PLAY


def _why_no_cards(status: Status, view: View) -> str | None:
    """Return why there are no cards to choose from, or `None`."""
    return None if _has_cards(view) else without_cards(status, view)


def _why_not_keep(status: Status, view: View, nuggets: int) -> str | None:
    """Return why a gold card cannot be kept, or `None`."""
    reason = view.why_not(KeepGold(nuggets))
    if reason is None:
        return None
    return reason_words(reason, KeepGold(nuggets), view, names_at(status))


def _without_card(model: TableModel, status: Status, view: View) -> str | None:
    """Return why no card is chosen, or `None` if one is."""
    if not _has_cards(view):
        return without_cards(status, view)
    if model.selection.card is None:
        text = ngettext(
            "Choose your last card first: press {last}.",
            "Choose a card first, 1 to {last}.",
            len(view.hand),
        )
        return text.format(last=len(view.hand))
    return None


def without_cards(status: Status, view: View) -> str:
    """Return why there are no cards to choose from."""
    if view.phase is Phase.GOLD and view.to_act == view.seat and view.offer:
        return why_no_gold_choice(view) or _("Choose a gold card first: press the number on it.")
    reason = view.why_not(NO_MOVE)
    if isinstance(reason, OnlyWatching | DealAwaited | GameOver | GoldBeingShared):
        return reason_words(reason, NO_MOVE, view, names_at(status))
    return no_cards_left()


def while_on_autopilot(model: TableModel) -> str | None:
    """Return why the player cannot move while the autopilot is on, or `None`."""
    return autopilot_plays() if model.is_on_autopilot else None


def explain_hint(model: TableModel, status: Status) -> str:
    """Return the hint, which says why Enter does nothing."""
    return hint(status, model.selection, 0)


def _turn_card(model: TableModel, view: View) -> TableModel:
    """Return the model with the chosen card the other way up, or for the other tool."""
    selection = model.selection
    choice = selection.choice(view)
    if choice is None:
        return model
    move = choice.play_at(selection.place, selection.turned)
    turned = selection.turned
    if choice.play_at(selection.place, not turned) != move:
        turned = not turned
    return model.with_selection(replace(selection, turned=turned, discarding=False))


def with_cards(
    do: ActionStep,
    refuse: WhyNot,
    stands_for: Callable[[TableModel, Status, View], Action | None] = always,
    *,
    keeps_discard: bool = False,
) -> Action:
    """Return an action of a player with cards; it closes the list of claims.

    Their numbers would be taken for those of cards.
    """

    def play(model: TableModel, status: Status, view: View) -> StepResult:
        return do(replace(model, about=None, claims_page=0), status, view)

    def refuse_play(model: TableModel, status: Status, view: View) -> str | None:
        ended = status.connection is ConnectionState.ENDED
        return explain_hint(model, status) if ended else refuse(model, status, view)

    return Action(play, refuse_play, has_seat, stands_for, keeps_discard=keeps_discard)


def has_seat(status: Status) -> bool:
    """Return True for a player: who watches has no cards."""
    return status.seat is not None


CONFIRM: Final = Action(
    lambda model, status, view: _confirm(replace(model, about=None, claims_page=0), status, view),
    _why_not_confirm,
)
"""Do what the hint says."""

TURN: Final = with_cards(lambda model, _status, view: (_turn_card(model, view), ()), _why_not_turn)
"""Turn the chosen card around, or mend the other tool with it."""

PLAY_TURNED: Final = with_cards(
    lambda model, status, view: _confirm(_turn_card(model, view), status, view),
    _why_not_play_turned,
)
"""Turn the chosen card, and play it."""


def _discard(model: TableModel, _status: Status, _view: View) -> StepResult:
    selection = model.selection
    return model.with_selection(replace(selection, discarding=not selection.discards_next)), ()


def _confirm_discard(model: TableModel, _status: Status, _view: View) -> Action | None:
    """Return what a second discard means: it confirms the first."""
    selection = model.selection
    return CONFIRM if selection.discarding and selection.card is not None else None


DISCARD: Final = with_cards(_discard, _why_not_discard, _confirm_discard, keeps_discard=True)
"""Discard the chosen card, or the one whose number follows."""


def _choose_next(model: TableModel, _status: Status, view: View) -> StepResult:
    selection = model.selection
    last = -1 if selection.card is None else selection.card
    return model.with_selection(selection.choosing((last + 1) % len(view.hand), view)), ()


NEXT_CARD: Final = with_cards(
    _choose_next, lambda _model, status, view: _why_no_cards(status, view)
)
"""Choose the next card of the hand."""


def choose_card(digit: int) -> Action:
    """Return the action that chooses a card by its digit, or gold by its nuggets.

    The digit of the chosen card turns it.
    """

    def choose(model: TableModel, status: Status, view: View) -> StepResult:
        selection = model.selection
        if view.phase is Phase.GOLD:
            return model.with_selection(replace(selection, nuggets=digit)), ()
        if not selection.discards_next:
            return model.with_selection(selection.choosing(digit - 1, view)), ()
        model = model.with_selection(replace(selection, card=digit - 1))
        return _confirm(model, status, view)

    def turn(model: TableModel, _status: Status, _view: View) -> Action | None:
        selection = model.selection
        return TURN if selection.card == digit - 1 and not selection.discarding else None

    def refuse(_model: TableModel, status: Status, view: View) -> str | None:
        return _why_not_choose(status, view, digit)

    return with_cards(choose, refuse, turn, keeps_discard=True)


def _go_to(place: TargetPlace) -> Action:
    """Return the action that moves the cursor to a place."""
    return with_cards(lambda model, _status, _view: (model.at(place), ()), always)


def press_place(place: TargetPlace) -> Action:
    """Return the action of a click on a place: a second one confirms, if a card is chosen."""

    def confirm(model: TableModel, _status: Status, _view: View) -> Action | None:
        selection = model.selection
        return CONFIRM if place == selection.place and selection.card is not None else None

    return replace(_go_to(place), stands_for=confirm)


def jump(step: int) -> Action:
    """Return the action that moves the cursor to the next place for the card, or the previous."""

    def go(model: TableModel, _status: Status, view: View) -> StepResult:
        choice = model.selection.choice(view)
        place = None if choice is None else choice.after(model.selection.place, step)
        return (model if place is None else model.at(place)), ()

    def refuse(model: TableModel, status: Status, view: View) -> str | None:
        choice = model.selection.choice(view)
        if choice is not None and not choice.targets:
            return _("You cannot play this card now: x discards it.")
        return _without_card(model, status, view)

    return with_cards(go, refuse)


def _why_no_hint(model: TableModel, status: Status, view: View) -> str | None:
    """Return why no hint can be given now, or `None`."""
    lobby = lobby_at(status)
    reason = no_hint(view, names_at(status), allowed=lobby.settings.hints)
    if reason is not None:
        return reason
    if lobby.paused:
        return explain_hint(model, status)
    if model.is_sent(status):
        return move_sent()
    return while_on_autopilot(model)


def _advise(model: TableModel, status: Status, view: View) -> StepResult:
    """Return the model with the next best move selected; for a new turn, have hints computed."""
    if model.hints is None or model.hints.view != view:
        return replace(model, hints=HintCycle(view)).with_message(_thinking()), (FindHints(view),)
    if not model.hints.found:
        return model.with_message(_thinking()), ()
    return _next_hint(model, status, model.hints), ()


def take_hints(
    model: TableModel, status: Status, view: View, found: tuple[Hint, ...]
) -> StepResult:
    """Take in the hints found for a view, the best first, and show that; too late, drop them."""
    if status.view != view:
        return (model.with_message("") if model.message == _thinking() else model), ()
    if not found:
        return replace(model, hints=None).with_message(no_hint_found()), ()
    hints = HintCycle(view, found[:MAX_HINTS])
    if model.is_asked or model.is_sent(status):
        return replace(model, hints=hints), ()
    return _next_hint(model, status, hints), ()


def _next_hint(model: TableModel, status: Status, hints: HintCycle) -> TableModel:
    """Return the model with the next suggested move selected, and the reason for it."""
    count, names = len(hints.found), names_at(status)
    found = hints.found[hints.shown % count]
    hints = replace(hints, shown=hints.shown + 1)
    lines = [hint_words(found, hints.view.role, names)]
    if found.believed is not None:
        lines.append(believed_words(found.believed, names))
    if count > 1:
        # Translators: this is one of so many hints; the key i shows the next.
        more = _("Hint {number} of {count}; i: next.")
        lines.append(more.format(number=(hints.shown - 1) % count + 1, count=count))
    text = with_more([*lines, _("Enter does it.")], model.layout.columns - 2)
    model = replace(model, hints=hints).with_message(text)
    return model.with_selection(model.selection.about_to(found.move, hints.view))


def _thinking() -> str:
    return _("Looking for a hint...")


HINT: Final = with_cards(_advise, _why_no_hint)
"""Suggest a move."""


def _switch_autopilot(model: TableModel, _status: Status, _view: View) -> StepResult:
    """Let a bot play for the player, or let the player take over again."""
    model = replace(model, about=None, claims_page=0, is_on_autopilot=not model.is_on_autopilot)
    if not model.is_on_autopilot:
        return model.with_message(autopilot_stopped()), (ScreenEffect.STOP_AUTOPILOT,)
    return model.with_message(autopilot_plays()), (ScreenEffect.RUN_AUTOPILOT,)


def _why_no_autopilot(model: TableModel, status: Status, _view: View) -> str | None:
    if status.connection is ConnectionState.ENDED:
        return explain_hint(model, status)
    return only_watching() if status.seat is None else None


AUTOPILOT: Final = Action(_switch_autopilot, _why_no_autopilot, has_seat)
"""Let a bot play, or take over again."""


def _changes(do: Callable[[TableModel], TableModel]) -> Action:
    """Return an action that is always available, and changes what is visible."""
    return Action(lambda model, _status, _view: (do(model), ()))


def _why_no_player(model: TableModel, _status: Status, _view: View) -> str | None:
    """Return why no player is meant (none is under the cursor), or `None`."""
    return how_to_aim() if model.selection.seat is None else None


# The cursor and the mine.


def move_cursor(east: int, south: int) -> Action:
    """Return the action that moves the cursor by a number of cells; among players, by rows."""

    def move(model: TableModel, _status: Status, view: View) -> StepResult:
        moved = model.selection.move_cursor(east, south, view.table.players)
        return model.with_selection(moved), ()

    return Action(move)


def pan(east: int, south: int) -> Action:
    """Return the action that moves the mine but not the cursor, by a number of cells."""
    return _changes(lambda model: model.pan(east, south))


def zoom(steps: int) -> Action:
    """Return the action that draws larger tiles if `steps` is positive, else smaller ones."""
    return _changes(lambda model: model.zoom(steps))


def _go_to_players(model: TableModel, _status: Status, view: View) -> StepResult:
    selection = model.selection
    return model.at(view.seat or 0 if selection.seat is None else selection.cell), ()


def _why_not_players(model: TableModel, _status: Status, view: View) -> str | None:
    choice = model.selection.choice(view)
    if model.selection.seat is not None and choice is not None and choice.on_seats:
        return _("Up and Down go from player to player; Esc puts the card back.")
    return None


def _why_not_fit(model: TableModel, _status: Status, _view: View) -> str | None:
    return _("The mine already fills the screen.") if model.fit() == model else None


TO_PLAYERS: Final = Action(_go_to_players, _why_not_players)


TO_NEWEST: Final = Action(
    lambda model, _status, view: (model.at(newest_cell(view) or START), ()),
)


TO_START: Final = _changes(lambda model: model.at(START).settle())


TO_GOALS: Final = _changes(lambda model: model.at(model.next_goal()))


FIT: Final = replace(_changes(TableModel.fit), refuse=_why_not_fit)


# The side, and what opens over the table.


def _turn_page(model: TableModel, status: Status, view: View) -> StepResult:
    """Turn to the next page of the side; after the game, to the gold or the mine."""
    if view.phase is Phase.OVER:
        final = model.pane is SidePanel.RECENT
        return model.turn_to(SidePanel.ROLE if final else SidePanel.RECENT), ()
    return model.turn_to(_side(model, status).next_page), ()


def _side(model: TableModel, status: Status) -> Side:
    """Return the side of a table with a game."""
    sight = Sight.of(status)
    assert sight is not None
    return Side.above(sentence(model, status), sight, model)


def _turn_role(model: TableModel) -> TableModel:
    shown = model.pane is SidePanel.ROLE
    return model.turn_to(SidePanel.RECENT if shown else SidePanel.ROLE)


def _mark(model: TableModel, status: Status, _view: View) -> StepResult:
    seat = model.selection.seat
    return (model if seat is None else model.mark(names_at(status).names[seat])), ()


def scroll(pages: int) -> Action:
    """Return the action that scrolls the open list, the known facts or the log by pages.

    A positive number scrolls back.
    """

    def turn(model: TableModel, status: Status, _view: View) -> StepResult:
        scrolled = _scroll(model, _side(model, status), pages)
        if scrolled == model:
            return model.with_message(_("There is no more to see here.")), ()
        return scrolled, ()

    return Action(turn)


def _scroll(model: TableModel, laid: Side, pages: int) -> TableModel:
    """Return the model with the open list, the page or the log scrolled."""
    if laid.claims is not None:
        page = laid.claims.page(max(model.claims_page - pages, 0))
        return replace(model, claims_page=page)
    room, rows, columns = laid.log_rows, laid.rows, model.layout.text
    if not room:
        back = model.back - pages * max(rows - 1, 1)
        return replace(model, back=min(max(back, 0), max(laid.page_height - rows, 0)))
    return replace(model, back=model.log.turn_page(columns, room, model.glyphs, model.back, pages))


def _go_back(model: TableModel, _status: Status, _view: View) -> StepResult:
    """Go back one step: chat line, list of claims, scrolled log, the selection, then the page."""
    if model.is_talking:
        return model, (ScreenEffect.CLOSE_TALK,)
    if model.about is not None:
        return replace(model, about=None), ()
    if model.back:
        return replace(model, back=0), ()
    if _has_selection(model):
        return model.with_selection(model.selection.back()), ()
    return model.turn_to(SidePanel.RECENT), ()


def _why_not_back(model: TableModel, _status: Status, _view: View) -> str | None:
    opened = model.is_talking or model.about is not None or model.back > 0
    if opened or _has_selection(model) or model.pane is not SidePanel.RECENT:
        return None
    return _("Nothing to cancel. q leaves the table.")


def _has_selection(model: TableModel) -> bool:
    """Return True if a card is chosen, or the cursor is on a player."""
    return model.selection != Selection(cell=model.selection.cell)


CHANGE_PANE: Final = Action(_turn_page)


SHOW_ROLE: Final = _changes(_turn_role)


MARK: Final = Action(_mark, _why_no_player)


BACK: Final = Action(_go_back, _why_not_back, keeps_discard=True)


READ_LOG: Final = Action(lambda model, _status, _view: (model, (ScreenEffect.OPEN_LOG,)))


TOGGLE_VEIL: Final = _changes(lambda model: replace(model, veiled=not model.veiled))


TELL_WORDS: Final = Action(
    lambda model, status, _view: (model.with_message(words_sentence(status.words)), ()),
    lambda _model, status, _view: None if status.words else words_sentence(None),
)


# Talk and claims.


def _why_not_talk(_model: TableModel, status: Status, _view: View) -> str | None:
    return _why_not_say(status, Chat("?"))


def _why_not_claim(_model: TableModel, status: Status, view: View) -> str | None:
    if view.phase is Phase.OVER:
        return game_over()
    return _why_not_say(status, MakeClaim(TableClaim(Topic.WHO_ME)))


def _why_not_say(status: Status, said: Chat | MakeClaim) -> str | None:
    if status.connection is ConnectionState.ENDED:
        return standing(status)
    return why_unavailable(status, said)


def _open_talk(model: TableModel, _status: Status, _view: View) -> StepResult:
    text = _("Type a message, then press Enter; Esc goes back to the table.")
    return replace(model, about=None).with_message(text), (ScreenEffect.OPEN_TALK,)


def submit_talk(typed: str) -> Action:
    """Return the action that sends the text of the chat line to all, and leaves the line."""
    text, close = clean_text(typed), (ScreenEffect.CLOSE_TALK,)
    effects = (SendRequest(Chat(text)), *close) if text else close
    return Action(lambda model, _status, _view: (model, effects), _why_not_talk)


def _toggle_claims(model: TableModel, _status: Status, view: View) -> StepResult:
    """Open or close the list of quick claims."""
    if model.about is not None:
        return replace(model, about=None, claims_page=0), ()
    about = side.first_about(view, model.aimed_at)
    text = _("Press a claim's key; Up and Down choose another player.")
    return replace(model, about=about, claims_page=0).with_message(text), ()


def change_subject(step: int) -> Action:
    """Return the action that lets the open list of claims concern the next player."""

    def change(model: TableModel, _status: Status, view: View) -> StepResult:
        if model.about is None:
            return model, ()
        about = side.next_about(view, model.about, step)
        return replace(model, about=about, aimed_at=about), ()

    return Action(change, _why_not_claim, keeps_message=True)


def press_claim(at: int) -> Action:
    """Return the action that makes the claim at an index of the open list."""

    def claim(model: TableModel, _status: Status, view: View) -> StepResult:
        listed = side.list_claims(view, model.about)
        if model.about is None or not 0 <= at < len(listed):
            return model, ()
        return replace(model, about=None), (SendRequest(MakeClaim(listed[at])),)

    return Action(claim, _why_not_claim)


TALK: Final = Action(_open_talk, _why_not_talk)


CLAIMS: Final = Action(_toggle_claims, _why_not_claim)
