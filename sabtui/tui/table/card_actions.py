"""Actions with cards: what they do, and why they are unavailable.

No rule is decided here: moves and their reasons come from the view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, assert_never

from engine.moves import KeepGold, Lay, Move
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, OnlyWatching
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.messages import DiskStatus
from net.protocol.requests import SetReady
from net.room.permissions import seats_waited_for
from sabtui.table.deed import Aim
from sabtui.table.deeds import PLAY_AGAIN
from sabtui.text.connection import why_ended
from sabtui.text.i18n import _, ngettext
from sabtui.text.moves import not_begun, waiting
from sabtui.text.reasons import why_not as reason_words
from sabtui.text.seats import autopilot_plays
from sabtui.text.summary import no_cards_left
from sabtui.tui.table.actions import (
    Action,
    LeaveTable,
    SendRequest,
    StepResult,
    WhyNot,
    always,
    everybody,
)
from sabtui.tui.table.host_actions import deed_effects
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.selection import TargetPlace
from sabtui.tui.table.status import (
    explain_refusal,
    hint,
    names_at,
    why_no_gold_choice,
    with_more,
)
from sabtui.tui.table.view_actions import TO_START

NO_MOVE: Final = KeepGold(0)
"""Move that is never legal: the reason against it tells why cards cannot be played at all."""


def _without_place(model: TableModel, status: Status, digit: int) -> str:
    """Return that no place has a number, and what Enter would do all the same."""
    lines = [_("No place has the number {digit}.").format(digit=digit)]
    if _why_not_confirm(model, status) is None:
        lines.append(explain_hint(model, status))
    return " ".join([*lines, _("Esc puts the card back.")])


def _why_not_confirm(model: TableModel, status: Status) -> str | None:
    """Return why Enter does nothing now, or `None`."""
    view, lobby = status.view, status.lobby
    if status.connection is ConnectionState.ENDED:
        return None
    if view is None or lobby is None or _is_on_hold(status):
        return explain_hint(model, status)
    if model.is_sent(status):
        return move_sent()
    match view.phase:
        case Phase.OVER | Phase.DEAL if model.pauses:
            return explain_hint(model, status)
        case Phase.OVER:
            return None if status.is_host else explain_hint(model, status)
        case Phase.DEAL:
            return None if view.seat in seats_waited_for(lobby) else explain_hint(model, status)
        case Phase.GOLD | Phase.PLAY if lobby.paused:
            return explain_hint(model, status)
        case Phase.GOLD | Phase.PLAY:
            return while_on_autopilot(model) or _why_not_play(model, status, view)


def move_sent() -> str:
    """Return the sentence that the host has still to answer a move."""
    return _("Your move is on its way to the host.")


def _is_on_hold(status: Status) -> bool:
    """Return True if the host cannot be asked for anything, or can save nothing."""
    return status.connection is not ConnectionState.CONNECTED or status.disk is DiskStatus.FULL


def _why_not_play(model: TableModel, status: Status, view: View) -> str | None:
    """Return why the chosen card or gold cannot be played now, or `None`."""
    if view.phase is Phase.GOLD and view.to_act == view.seat:
        nuggets = model.selection.choose_gold(view)
        if nuggets is None:
            return _("Choose a gold card first: press the number on it.")
        return _why_not_keep(status, view, nuggets)
    move = model.selection.chosen_move(view)
    if move is None:
        if model.selection.card is not None:
            return explain_hint(model, status)
        is_mine = view.to_act == view.seat
        return _without_card(model, status) if is_mine else waiting(view, names_at(status))
    reason = view.why_not(move)
    if reason is None:
        return None
    return with_more(
        explain_refusal(reason, move, view, names_at(status)), model.layout.columns - 2
    )


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
        return explain_hint(model, status)
    return _why_not_confirm(_turn_card(model, view), status)


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
        return without_cards(status)
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
    return without_cards(status)


def _why_not_keep(status: Status, view: View, nuggets: int) -> str | None:
    """Return why a gold card cannot be kept, or `None`."""
    reason = view.why_not(KeepGold(nuggets))
    if reason is None:
        return None
    return reason_words(reason, KeepGold(nuggets), view, names_at(status))


def _without_card(model: TableModel, status: Status) -> str | None:
    """Return why no card is chosen, or `None` if one is."""
    view = status.view
    if view is None or not view.hand or view.phase is not Phase.PLAY:
        return without_cards(status)
    if model.selection.card is None:
        text = ngettext(
            "Choose your last card first: press {last}.",
            "Choose a card first, 1 to {last}.",
            len(view.hand),
        )
        return text.format(last=len(view.hand))
    return None


def without_cards(status: Status) -> str:
    """Return why there are no cards to choose from."""
    view = status.view
    if view is None:
        return not_begun()
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
    if status.lobby is None:
        return not_begun()
    return hint(status, model.selection, 0)


def _play(model: TableModel, status: Status, view: View) -> StepResult:
    """Return the model and the effects of what the hint says that Enter does."""
    move: Move | None
    match view.phase:
        case Phase.OVER:
            return model, deed_effects(PLAY_AGAIN, Aim(status))
        case Phase.DEAL:
            return model, (SendRequest(SetReady(ready=True)),)
        case Phase.GOLD:
            nuggets = model.selection.choose_gold(view)
            move = None if nuggets is None else KeepGold(nuggets)
        case Phase.PLAY:
            move = model.selection.chosen_move(view)
        case _:
            assert_never(view.phase)
    if move is None:
        return model, ()
    request = status.move_request(move)
    return replace(model, sent=request.seen), (SendRequest(request),)


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
    do: Callable[[TableModel, Status, View], StepResult],
    why_not: WhyNot,
    stands_for: Callable[[TableModel, Status], Action | None] = always,
    *,
    keeps_discard: bool = False,
) -> Action:
    """Return an action of a player with cards; it closes the list of claims.

    Their numbers would be taken for those of cards.
    """

    def play(model: TableModel, status: Status) -> StepResult:
        model = replace(model, about=None, claims_page=0)
        return (model, ()) if status.view is None else do(model, status, status.view)

    def why_not_play(model: TableModel, status: Status) -> str | None:
        ended = status.connection is ConnectionState.ENDED
        return explain_hint(model, status) if ended else why_not(model, status)

    return Action(play, why_not_play, has_seat, stands_for, keeps_discard=keeps_discard)


def has_seat(status: Status) -> bool:
    """Return True for a player: who watches has no cards."""
    return status.seat is not None


def _confirm(model: TableModel, status: Status) -> StepResult:
    """Do what the hint says that Enter does; the list of claims is closed."""
    model, view = replace(model, about=None, claims_page=0), status.view
    if status.connection is ConnectionState.ENDED:
        return model, (LeaveTable(why_ended(status.ending, is_host=status.is_host)),)
    return (model, ()) if view is None else _play(model, status, view)


CONFIRM: Final = Action(_confirm, _why_not_confirm)
"""Do what the hint says."""

TURN: Final = with_cards(lambda model, _status, view: (_turn_card(model, view), ()), _why_not_turn)
"""Turn the chosen card around, or mend the other tool with it."""

PLAY_TURNED: Final = with_cards(
    lambda model, status, view: _play(_turn_card(model, view), status, view), _why_not_play_turned
)
"""Turn the chosen card, and play it."""


def _discard(model: TableModel, _status: Status, _view: View) -> StepResult:
    selection = model.selection
    return model.with_selection(replace(selection, discarding=not selection.discards_next)), ()


def _confirm_discard(model: TableModel, _status: Status) -> Action | None:
    """Return what a second discard means: it confirms the first."""
    selection = model.selection
    return CONFIRM if selection.discarding and selection.card is not None else None


DISCARD: Final = with_cards(_discard, _why_not_discard, _confirm_discard, keeps_discard=True)
"""Discard the chosen card, or the one whose number follows."""


def _choose_next(model: TableModel, _status: Status, view: View) -> StepResult:
    selection = model.selection
    last = -1 if selection.card is None else selection.card
    return model.with_selection(selection.choosing((last + 1) % len(view.hand), view)), ()


NEXT_CARD: Final = with_cards(_choose_next, lambda _model, status: _why_no_next_card(status))
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
        reason = _why_not_confirm(model, status)
        if reason is not None:
            return model.with_message(reason), ()
        return _play(model, status, view)

    def turn(model: TableModel, _status: Status) -> Action | None:
        selection = model.selection
        return TURN if selection.card == digit - 1 and not selection.discarding else None

    return with_cards(
        choose, lambda _model, status: _why_not_choose(status, digit), turn, keeps_discard=True
    )


def _go_to(place: TargetPlace) -> Action:
    """Return the action that moves the cursor to a place."""
    return with_cards(lambda model, _status, _view: (model.at(place), ()), always)


def press_place(place: TargetPlace) -> Action:
    """Return the action of a click on a place: a second one confirms, if a card is chosen."""

    def confirm(model: TableModel, _status: Status) -> Action | None:
        selection = model.selection
        return CONFIRM if place == selection.place and selection.card is not None else None

    return replace(_go_to(place), stands_for=confirm)


def press_digit(digit: int) -> Action:
    """Return the action of a digit key: it goes to the place with this number.

    While no place is numbered, it is the digit of a card, and 0 leads to the start.
    """

    def choose_action(model: TableModel, status: Status) -> Action | None:
        numbered = {} if status.view is None else model.selection.number_places(status.view)
        if digit in numbered:
            return _go_to(numbered[digit])
        if digit == 0:
            return TO_START
        return None if numbered else choose_card(digit)

    def why_not(model: TableModel, status: Status) -> str | None:
        action = choose_action(model, status)
        if action is None:
            return _without_place(model, status, digit)
        return (action.stands_for(model, status) or action).why_not(model, status)

    return Action(_stay, why_not, has_seat if digit else everybody, choose_action)


def _stay(model: TableModel, _status: Status) -> StepResult:
    return model, ()


def jump(step: int) -> Action:
    """Return the action that moves the cursor to the next place for the card, or the previous."""

    def go(model: TableModel, _status: Status, view: View) -> StepResult:
        choice = model.selection.choice(view)
        place = None if choice is None else choice.after(model.selection.place, step)
        return (model if place is None else model.at(place)), ()

    def why_not(model: TableModel, status: Status) -> str | None:
        choice = None if status.view is None else model.selection.choice(status.view)
        if choice is not None and not choice.targets:
            return _("You cannot play this card now: x discards it.")
        return _without_card(model, status)

    return with_cards(go, why_not)
