"""Actions with cards: what they do, and why they are unavailable.

No rule is decided here: moves and their reasons come from the view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

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
from sabtui.text.moves import waiting
from sabtui.text.reasons import why_not as reason_words
from sabtui.text.seats import autopilot_plays
from sabtui.text.summary import no_cards_left
from sabtui.tui.table.actions import (
    Action,
    ActionStep,
    LeaveTable,
    SendRequest,
    StepResult,
    WhyNot,
    always,
)
from sabtui.tui.table.host_actions import deed_effects
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.selection import TargetPlace
from sabtui.tui.table.status import (
    explain_refusal,
    hint,
    lobby_at,
    names_at,
    why_no_gold_choice,
    with_more,
)

NO_MOVE: Final = KeepGold(0)
"""Move that is never legal: the reason against it tells why cards cannot be played at all."""


def _enter(model: TableModel, status: Status, view: View) -> StepResult | str:
    """Return what Enter does now, as the hint says, or why it does nothing."""
    if status.connection is ConnectionState.ENDED:
        return model, (LeaveTable(why_ended(status.ending, is_host=status.is_host)),)
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
