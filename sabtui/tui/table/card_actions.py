"""Actions with cards, hints and the autopilot: what they do, and why they are unavailable.

No rule is decided here: moves and their reasons come from the view.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from engine.moves import KeepGold, Lay, Move
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, OnlyWatching
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.lobby.permissions import seats_waited_for
from net.protocol.messages import DiskStatus
from net.protocol.requests import PlayAgain, SetReady
from sabtui.text.connection import ended
from sabtui.text.i18n import _, ngettext
from sabtui.text.moves import (
    MAX_HINTS,
    believed_words,
    hint_words,
    no_hint,
    no_hint_found,
    waiting,
)
from sabtui.text.reasons import why_not as reason_words
from sabtui.text.seats import no_seat_to_play, taken_over
from sabtui.tui.table.actions import (
    AnyCardAction,
    AskFirst,
    CardAction,
    ChooseCard,
    FindHints,
    Jump,
    LeaveTable,
    PressDigit,
    PressPlace,
    ScreenEffect,
    SendRequest,
    TableEffect,
)
from sabtui.tui.table.model import HintCycle, TableModel
from sabtui.tui.table.status import alike, hint, names_at, not_begun, refused, with_more

NO_MOVE: Final = KeepGold(0)
"""Move that is never legal: the reason against it tells why cards cannot be played at all."""


def why_not_card(model: TableModel, status: Status, action: AnyCardAction) -> str | None:
    """Return why an action with cards is unavailable now, or `None`."""
    if status.connection is ConnectionState.ENDED and action is not CardAction.CONFIRM:
        return _hint(model, status)
    match action:
        case CardAction.CONFIRM:
            return _why_not_confirm(model, status)
        case CardAction.TURN:
            return _why_not_turn(model, status)
        case CardAction.PLAY_TURNED:
            return _why_not_play_turned(model, status)
        case CardAction.DISCARD:
            return _why_not_discard(model, status)
        case CardAction.NEXT_CARD:
            return _why_no_next_card(status)
        case CardAction.HINT:
            return _why_no_hint(model, status)
        case CardAction.AUTOPILOT:
            return no_seat_to_play() if status.seat is None else None
        case ChooseCard(digit):
            return _why_not_choose(status, digit)
        case PressDigit(digit):
            meant = _of_digit(model, status, digit)
            if meant is not None:
                return why_not_card(model, status, meant)
            return _without_place(model, status, digit)
        case Jump():
            choice = None if status.view is None else model.selection.choice(status.view)
            if choice is not None and not choice.targets:
                return _("You cannot play this card now: x discards it.")
            return _without_card(model, status)
        case PressPlace():
            return None
        case _:
            assert_never(action)


def _of_digit(
    model: TableModel, status: Status, digit: int
) -> ChooseCard | PressPlace | CardAction | None:
    """Return the action that a digit key stands for, `None` for a number that no place has.

    While no place is numbered, the digit is that of a card; a chosen card is turned.
    """
    selection = model.selection
    numbered = {} if status.view is None else selection.numbered(status.view)
    if not numbered:
        chosen = selection.card == digit - 1 and not selection.discarding
        return CardAction.TURN if chosen else ChooseCard(digit)
    return PressPlace(numbered[digit]) if digit in numbered else None


def _without_place(model: TableModel, status: Status, digit: int) -> str:
    """Return that no place has a number, and what Enter would do all the same."""
    lines = [_("No place has the number {digit}.").format(digit=digit)]
    if _why_not_confirm(model, status) is None:
        lines.append(_hint(model, status))
    return " ".join([*lines, _("Esc puts the card back.")])


def _why_not_confirm(model: TableModel, status: Status) -> str | None:
    """Return why Enter does nothing now, or `None`."""
    view, lobby = status.view, status.lobby
    if status.connection is ConnectionState.ENDED:
        return None
    if view is None or lobby is None or _is_on_hold(status):
        return _hint(model, status)
    if model.is_sent(status):
        return _("Your move is on its way to the host.")
    match view.phase:
        case Phase.OVER | Phase.DEAL if model.pauses:
            return _hint(model, status)
        case Phase.OVER:
            return None if status.is_host else _hint(model, status)
        case Phase.DEAL:
            return None if view.seat in seats_waited_for(lobby) else _hint(model, status)
        case Phase.GOLD | Phase.PLAY if lobby.paused:
            return _hint(model, status)
        case Phase.GOLD | Phase.PLAY:
            return _while_on_autopilot(model) or _why_not_play(model, status, view)


def _is_on_hold(status: Status) -> bool:
    """Return True if the host cannot be asked for anything, or can save nothing."""
    return status.connection is not ConnectionState.CONNECTED or status.disk is DiskStatus.FULL


def _why_not_play(model: TableModel, status: Status, view: View) -> str | None:
    """Return why the chosen card or gold cannot be played now, or `None`."""
    if view.phase is Phase.GOLD and view.to_act == view.seat:
        nuggets = model.selection.kept(view)
        if nuggets is None:
            return _("Choose a gold card first: press the number on it.")
        return _why_not_keep(status, view, nuggets)
    move = model.selection.chosen_move(view)
    if move is None:
        if model.selection.card is not None:
            return _hint(model, status)
        is_mine = view.to_act == view.seat
        return _without_card(model, status) if is_mine else waiting(view, names_at(status))
    reason = view.why_not(move)
    if reason is None:
        return None
    return with_more(refused(reason, move, view, names_at(status)), model.layout.columns - 2)


def _why_not_turn(model: TableModel, status: Status) -> str | None:
    """Return why the chosen card cannot be turned or mend another tool here, or `None`.

    In the mine it can also be turned where it fits neither way, to look at it.
    """
    view, selection = status.view, model.selection
    choice = None if view is None else selection.choice(view)
    if view is None or choice is None:
        return _without_card(model, status)
    other = choice.other_way(selection.place, selection.turned)
    if other is None:
        return _("There is no other way to play this card here.")
    reason = choice.why_not(other)
    if reason is None or (isinstance(other, Lay) and choice.at(selection.place) is None):
        return None
    return reason_words(reason, other, view, names_at(status))


def _why_not_play_turned(model: TableModel, status: Status) -> str | None:
    """Return why the chosen card cannot be played the other way here, or `None`."""
    view, reason = status.view, _why_not_turn(model, status)
    if reason is not None or view is None:
        return reason
    if model.selection.discarding:
        return _hint(model, status)
    return _why_not_confirm(_turned(model, view), status)


def _why_not_discard(model: TableModel, status: Status) -> str | None:
    """Return why no card can be discarded, or `None`.

    A card is chosen before, but where it could be discarded at once: its number may follow.
    """
    view = status.view
    lobby = status.lobby
    if view is None or not view.hand or view.phase is not Phase.PLAY or _is_on_hold(status):
        return _without_card(model, status)
    is_now = view.to_act == view.seat and lobby is not None and not lobby.paused
    return None if is_now else _without_card(model, status)


def _why_not_choose(status: Status, digit: int) -> str | None:
    """Return why a digit chooses no card and no gold, or `None`."""
    view = status.view
    if view is not None and view.phase is Phase.GOLD and view.offer:
        return _why_not_keep(status, view, digit)
    if view is None or not view.hand or view.phase is not Phase.PLAY:
        return _without_cards(status)
    count = len(view.hand)
    if 1 <= digit <= count:
        return None
    text = ngettext("You hold {count} card.", "You hold {count} cards.", count)
    return text.format(count=count)


def _why_no_next_card(status: Status) -> str | None:
    """Return why there is no next card to choose, or `None`."""
    view = status.view
    if view is not None and view.hand and view.phase is Phase.PLAY:
        return None
    return _without_cards(status)


def _why_not_keep(status: Status, view: View, nuggets: int) -> str | None:
    """Return why a gold card cannot be kept, or `None`."""
    reason = view.why_not(KeepGold(nuggets))
    if reason is None:
        return None
    return reason_words(reason, KeepGold(nuggets), view, names_at(status))


def _why_no_hint(model: TableModel, status: Status) -> str | None:
    """Return why no hint can be given now, or `None`."""
    view, lobby = status.view, status.lobby
    if view is None or lobby is None:
        return _without_cards(status)
    reason = no_hint(view, names_at(status), allowed=lobby.settings.hints)
    if reason is not None:
        return reason
    if lobby.paused:
        return _hint(model, status)
    if model.is_sent(status):
        return _("Your move is on its way to the host.")
    return _while_on_autopilot(model)


def _without_card(model: TableModel, status: Status) -> str | None:
    """Return why no card is chosen, or `None` if one is."""
    view = status.view
    if view is None or not view.hand or view.phase is not Phase.PLAY:
        return _without_cards(status)
    if model.selection.card is None:
        text = ngettext(
            "Choose your last card first: press {last}.",
            "Choose a card first, 1 to {last}.",
            len(view.hand),
        )
        return text.format(last=len(view.hand))
    return None


def _without_cards(status: Status) -> str:
    """Return why there are no cards to choose from."""
    view = status.view
    if view is None:
        return not_begun()
    if view.phase is Phase.GOLD and view.to_act == view.seat and view.offer:
        return alike(view) or _("Choose a gold card first: press the number on it.")
    reason = view.why_not(NO_MOVE)
    if isinstance(reason, OnlyWatching | DealAwaited | GameOver | GoldBeingShared):
        return reason_words(reason, NO_MOVE, view, names_at(status))
    return _("You have no cards now.")


def _while_on_autopilot(model: TableModel) -> str | None:
    """Return why the player cannot move while the autopilot is on, or `None`."""
    return _("A bot plays for you: press A to take over.") if model.is_on_autopilot else None


def _hint(model: TableModel, status: Status) -> str:
    """Return the hint, which says why Enter does nothing."""
    if status.lobby is None:
        return not_begun()
    return hint(status, model.selection, 0)


def update_cards(
    model: TableModel, status: Status, action: AnyCardAction
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model after an available action with cards, and the effects.

    It closes the list of claims, whose numbers would be taken for those of cards.
    """
    model = replace(model, about=None, claims_page=0)
    view, selection = status.view, model.selection
    if action is CardAction.AUTOPILOT:
        return _switched(model)
    if action is CardAction.CONFIRM and status.connection is ConnectionState.ENDED:
        return model, (LeaveTable(ended(status.ending, is_host=status.is_host)),)
    if view is None:
        return model, ()
    match action:
        case CardAction.CONFIRM:
            return _confirmed(model, status, view)
        case CardAction.TURN:
            return _turned(model, view), ()
        case CardAction.PLAY_TURNED:
            return _confirmed(_turned(model, view), status, view)
        case CardAction.DISCARD:
            discarding = not selection.discards_next
            return model.with_selection(replace(selection, discarding=discarding)), ()
        case CardAction.NEXT_CARD:
            last = -1 if selection.card is None else selection.card
            following = selection.choosing((last + 1) % len(view.hand), view)
            return model.with_selection(following), ()
        case CardAction.HINT:
            return _advised(model, status, view)
        case ChooseCard(nuggets) if view.phase is Phase.GOLD:
            return model.with_selection(replace(selection, nuggets=nuggets)), ()
        case ChooseCard(digit) if selection.discards_next:
            model = model.with_selection(replace(selection, card=digit - 1))
            reason = _why_not_confirm(model, status)
            if reason is not None:
                return model.with_message(reason), ()
            return _confirmed(model, status, view)
        case ChooseCard(digit):
            return model.with_selection(selection.choosing(digit - 1, view)), ()
        case PressDigit(digit):
            meant = _of_digit(model, status, digit)
            return (model, ()) if meant is None else update_cards(model, status, meant)
        case Jump(step):
            choice = selection.choice(view)
            place = None if choice is None else choice.after(selection.place, step)
            return (model if place is None else model.at(place)), ()
        case PressPlace(place):
            return model.at(place), ()
        case _:
            assert_never(action)


def _confirmed(
    model: TableModel, status: Status, view: View
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model and the effects of what the hint says that Enter does."""
    move: Move | None
    match view.phase:
        case Phase.OVER:
            lobby = status.lobby
            is_evening = lobby is not None and lobby.settings.evening is not None
            drawn = _("On to the next game? New seats are drawn.")
            text = drawn if is_evening else _("Play again? Everybody keeps their seat.")
            return model, (AskFirst(text, SendRequest(PlayAgain())),)
        case Phase.DEAL:
            return model, (SendRequest(SetReady(ready=True)),)
        case Phase.GOLD:
            nuggets = model.selection.kept(view)
            move = None if nuggets is None else KeepGold(nuggets)
        case Phase.PLAY:
            move = model.selection.chosen_move(view)
        case _:
            assert_never(view.phase)
    if move is None:
        return model, ()
    request = status.move_request(move)
    return replace(model, sent=request.seen), (SendRequest(request),)


def _turned(model: TableModel, view: View) -> TableModel:
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


def _switched(model: TableModel) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model with the autopilot on or off."""
    if model.is_on_autopilot:
        return replace(model, is_on_autopilot=False).with_message(taken_over()), (
            ScreenEffect.STOP_AUTOPILOT,
        )
    text = _("A bot plays for you now; press A to take over again.")
    return replace(model, is_on_autopilot=True).with_message(text), (ScreenEffect.RUN_AUTOPILOT,)


def _advised(
    model: TableModel, status: Status, view: View
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model with the next best move selected; for a new turn, have hints computed."""
    if model.hints is None or model.hints.view != view:
        return replace(model, hints=HintCycle(view)).with_message(_thinking()), (FindHints(view),)
    if not model.hints.found:
        return model.with_message(_thinking()), ()
    return _next_hint(model, status, model.hints), ()


def take_hints(model: TableModel, status: Status, hints: HintCycle) -> TableModel:
    """Return the model with computed hints, the first of them shown; too late, they are dropped."""
    if status.view != hints.view:
        return model.with_message("") if model.message == _thinking() else model
    if not hints.found:
        return replace(model, hints=None).with_message(no_hint_found())
    model = replace(model, hints=replace(hints, found=hints.found[:MAX_HINTS]))
    if model.hints is None or model.is_asked or model.is_sent(status):
        return model
    return _next_hint(model, status, model.hints)


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
