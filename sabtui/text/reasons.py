"""Reasons why a move is illegal, and refusals of the table: one sentence each.

A sentence gives advice that follows from the reader's own view, such as a card that fits the other
way up. `why_unavailable` is asked in advance, to decide if a face offers a request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, assert_never

from engine import actions, moves
from engine.board import GOAL_CELLS, START
from engine.cards import Path, opposite
from engine.tokens import format_cell
from engine.view import View
from net.client.session import Status
from net.protocol.messages import Refusal
from net.protocol.requests import Request
from sabtui.text import cards
from sabtui.text.door_words import table_full
from sabtui.text.events import no_paths
from sabtui.text.i18n import _, capitalise, join_words, lazy, put_title
from sabtui.text.moves import game_over, gold_choice_of, not_dealt, only_watching, turn_of
from sabtui.text.names import PlayerNames
from sabtui.text.seats import nobody_sits, not_at_table

_turn_over: Final = lazy("That turn had already ended. Look again, then choose.")
_seat_not_free: Final = lazy("That seat is not free: choose another.")
_not_listed: Final = lazy("That is not on the list. Choose from it.")
_tables_enough: Final = lazy("You cannot open another table now. Join one instead.")


def why_not(reason: moves.Reason, move: moves.Move, view: View, names: PlayerNames) -> str:
    """Explain a reason given by `view.why_not(move)`."""
    match reason:
        case moves.OnlyWatching():
            return only_watching()
        case moves.DealAwaited():
            return not_dealt()
        case moves.GameOver():
            return game_over()
        case moves.NotYourTurn(seat):
            return turn_of(seat, names)
        case moves.GoldBeingShared(seat):
            return gold_choice_of(seat, names)
        case moves.NotOnOffer():
            return refusal_sentence(Refusal.NO_SUCH_CLAIM)
        case moves.NotInHand():
            return _("You do not hold {card}.").format(card=cards.card_spelt(reason.card))
        case moves.ToolsBroken(tools):
            return no_paths(tools)
        case moves.CellTaken(cell):
            return _make_sentence(format_cell(cell), _("a card lies there already"), names)
        case moves.SideClashes():
            return _explain_clash(reason, move, view, names)
        case moves.TouchesNothing(cell):
            at = cards.cell_words(cell, spelt=names.spelt)
            return _("There is no path card next to {cell}.").format(cell=at)
        case moves.NotLinked(cell):
            at = cards.cell_words(cell, spelt=names.spelt)
            return _("No tunnel from the start opens onto {cell}.").format(cell=at)
        case actions.NoSuchSeat():
            return nobody_sits()
        case actions.AlreadyBroken(seat, broken):
            return _("Already broken: {tool}.").format(tool=cards.tool_of(broken, seat, names))
        case actions.NotBroken(seat, broken):
            return _("Not broken: {tool}.").format(tool=cards.tool_of(broken, seat, names))
        case actions.CannotRepair(card, broken):
            # Translators: as in: PL repairs pick and lantern, not cart.
            return _("{card} repairs {tools}, not {tool}.").format(
                card=card.text,
                tools=join_words([cards.tool_words(mended) for mended in card.repairs]),
                tool=cards.tool_words(broken),
            )
        case actions.NoTunnel(cell):
            stays = _("A rockfall cannot remove the start or a goal.")
            text = _("There is no path card at {cell} to bring down.")
            text = text.format(cell=cards.cell_words(cell, spelt=names.spelt))
            return stays if cell in (START, *GOAL_CELLS) else text
        case actions.NoHiddenGoal(cell):
            if cell in GOAL_CELLS:
                goal = capitalise(cards.the_goal(cell, spelt=names.spelt))
                # Translators: {goal} begins the sentence: The middle goal.
                return _("{goal} is already face up.").format(goal=goal)
            return _("{cell} is not a goal: the goals are at 8n2, 8 and 8s2.").format(
                cell=format_cell(cell)
            )
        case _:
            assert_never(reason)


def _make_sentence(title: str, words: str, names: PlayerNames) -> str:
    if not names.spelt:
        return f"{capitalise(words)}."
    return put_title(title, f"{words}.")


def _explain_clash(
    reason: moves.SideClashes, move: moves.Move, view: View, names: PlayerNames
) -> str:
    """Explain that a side does not match its neighbour (P2)."""
    assert isinstance(move, moves.Lay)
    words = (
        _("the {side} side would meet rock")
        if reason.open
        else _("the {side} side would wall off an open tunnel")
    ).format(side=cards.side_words(reason.side))
    text = _make_sentence(str(move), words, names)
    path = move.path
    # A path card may be turned by 180 degrees (P1).
    turned = moves.Lay(Path.of(opposite(path.edges), through=path.through), move.cell)
    if view.why_not(turned) is None:
        fits = _("Turned around, it fits")
        if names.spelt:
            fits = put_title(fits, str(turned))
        return f"{text} {fits}."
    return text


def why_unavailable(
    status: Status, request: Request, instead: Mapping[Refusal, str] | None = None
) -> str | None:
    """Return why the player may not do this now, if so; `instead` has more precise sentences."""
    if status.lobby is None:
        return not_at_table()
    reason = status.why_not(request)
    return None if reason is None else (instead or {}).get(reason) or refusal_sentence(reason)


_REFUSALS: Final[Mapping[Refusal, Callable[[], str]]] = {
    Refusal.NAME_TAKEN: lazy("Somebody at the table has that name: choose another."),
    Refusal.NO_NAME: lazy("That name has no visible letter: choose another."),
    Refusal.TABLE_FULL: table_full,
    Refusal.CROWDED: table_full,
    Refusal.BUSY: table_full,
    Refusal.HOST_ONLY: lazy("Only the host of the table can do that: ask them."),
    Refusal.HOST_STAYS: lazy("The host cannot leave while the table is open: close it, or stay."),
    Refusal.NO_SEAT: only_watching,
    Refusal.NOT_NOW: lazy("You cannot do that at this point in the game."),
    Refusal.NOT_YOUR_TURN: _turn_over,
    Refusal.STALE: _turn_over,
    Refusal.ILLEGAL: _turn_over,
    Refusal.FEW_HERE: lazy("Too few people are here: wait until more are back."),
    Refusal.PAUSED: lazy("The game is paused: wait for the host to resume it."),
    Refusal.DISK_FULL: lazy(
        "The host's computer cannot save the game, so it is on hold: wait until it can."
    ),
    Refusal.NO_SUCH_PERSON: lazy("Nobody by that name is at the table now. Check the names."),
    Refusal.SEAT_TAKEN: _seat_not_free,
    Refusal.NO_SUCH_SEAT: _seat_not_free,
    Refusal.SEATED: lazy(
        "Only a watcher can be given a seat: seated players have to stand up first."
    ),
    Refusal.HOLDS_CARDS: lazy("The cards at that seat are secret. Wait until the round is over."),
    Refusal.TOO_FEW: lazy("A game needs at least three players: wait for more, or add bots."),
    Refusal.NOT_READY: lazy("Not everybody is ready: wait for them, or free their seats."),
    Refusal.NO_TEXT: lazy("Type something first."),
    Refusal.NO_SUCH_CLAIM: _not_listed,
    Refusal.NO_SUCH_EDITION: _not_listed,
    Refusal.NO_SUCH_BOT: _not_listed,
    Refusal.TOO_FAST: lazy("Too fast. Wait a few seconds, then try again."),
    Refusal.LOCKED: lazy("The table is locked, so nobody new can join: ask the host to unlock it."),
    Refusal.NO_CODE: lazy("This table needs no code: lock it to keep newcomers out."),
    Refusal.CLUB_ONLY: lazy("This is a club's table: the club decides that."),
    Refusal.CLUB_FULL: _tables_enough,
    Refusal.TABLES_ENOUGH: _tables_enough,
    Refusal.ORGANISER_ONLY: lazy("Only an organiser of the club can do that: ask one."),
    Refusal.WRONG_WORD: lazy("That is not the organiser password: the club's terminal shows it."),
    Refusal.CLAIMS_ONLY: lazy("Chat is off at this table. Talk aloud, or make a quick claim."),
    Refusal.WATCHERS_WAIT: lazy("Watchers can chat between rounds. Wait until this one is over."),
    Refusal.UNREADABLE: lazy("That text is too long, or that number too large. Try another."),
}
"""The sentence for each refusal, with advice."""


def refusal_sentence(why: Refusal) -> str:
    return _REFUSALS[why]()
