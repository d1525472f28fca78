"""Reasons why a move is illegal, and refusals of the table: one sentence each.

A sentence gives advice if the reader's own view yields it, such as a card that fits the other way
up. `why_unavailable` tells in advance, so that the faces offer a request or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from engine import actions, moves
from engine.board import GOAL_CELLS, START
from engine.cards import Path, opposite
from engine.tokens import format_cell
from engine.view import View
from net.client.session import Status
from net.protocol.messages import Refusal
from net.protocol.requests import Request
from sabtui.text import cards
from sabtui.text.doors import door_full
from sabtui.text.events import no_paths
from sabtui.text.i18n import _, capitalise, join_words
from sabtui.text.moves import game_over, gold_choice_of, not_dealt, only_watching, turn_of
from sabtui.text.names import PlayerNames
from sabtui.text.seats import nobody_sits, not_at_table


def why_not(reason: moves.Reason, move: moves.Move, view: View, names: PlayerNames) -> str:
    """Return the sentence for a reason given by `view.why_not(move)`."""
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
            return _at(format_cell(cell), _("a card lies there already"), names)
        case moves.SideClashes():
            return _clash(reason, move, view, names)
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
                tools=join_words([cards.tool(mended) for mended in card.repairs]),
                tool=cards.tool(broken),
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


def _at(title: str, words: str, names: PlayerNames) -> str:
    """Return a clause as a sentence, for those who type moves after what they typed."""
    if not names.spelt:
        return f"{capitalise(words)}."
    return _("{title}: {facts}").format(title=title, facts=f"{words}.")


def _clash(reason: moves.SideClashes, move: moves.Move, view: View, names: PlayerNames) -> str:
    """Return the sentence on a side that does not match its neighbour (P2)."""
    assert isinstance(move, moves.Lay)
    words = (
        _("the {side} side would meet rock")
        if reason.open
        else _("the {side} side would wall off an open tunnel")
    ).format(side=cards.side(reason.side))
    text = _at(moves.format_move(move), words, names)
    path = move.path
    # A path card may be turned by 180 degrees (P1).
    turned = moves.Lay(Path.of(opposite(path.edges), through=path.through), move.cell)
    if view.why_not(turned) is None:
        fits = _("Turned around, it fits")
        if names.spelt:
            fits = _("{title}: {facts}").format(title=fits, facts=moves.format_move(turned))
        return f"{text} {fits}."
    return text


def why_unavailable(
    status: Status, request: Request, instead: Mapping[Refusal, str] | None = None
) -> str | None:
    """Return why the player may not do this now, if so; `instead` has sentences that say more."""
    if status.lobby is None:
        return not_at_table()
    reason = status.why_not(request)
    return None if reason is None else (instead or {}).get(reason) or refusal_sentence(reason)


def refusal_sentence(why: Refusal) -> str:  # noqa: C901 - a sentence for each, and nothing else
    """Return the sentence for a refusal of the table, with advice."""
    match why:
        case Refusal.NAME_TAKEN:
            return _("Somebody at the table has that name: choose another.")
        case Refusal.NO_NAME:
            return _("That name has no visible letter: choose another.")
        case Refusal.TABLE_FULL | Refusal.CROWDED | Refusal.BUSY:
            return door_full()
        case Refusal.HOST_ONLY:
            return _("Only the host of the table can do that: ask them.")
        case Refusal.HOST_STAYS:
            return _("The host cannot leave while the table is open: close it, or stay.")
        case Refusal.NO_SEAT:
            return only_watching()
        case Refusal.NOT_NOW:
            return _("You cannot do that at this stage of the game.")
        case Refusal.NOT_YOUR_TURN | Refusal.STALE | Refusal.ILLEGAL:
            return _("That turn was already over: look again, and choose again.")
        case Refusal.FEW_HERE:
            return _("Too few people are here: wait until more are back.")
        case Refusal.PAUSED:
            return _("The game is paused: wait for the host to resume it.")
        case Refusal.DISK_FULL:
            return _("The host's disk is full, so the game is on hold: wait until there is room.")
        case Refusal.NO_SUCH_PERSON:
            return _("Nobody of that name is at the table any more: check the names.")
        case Refusal.SEAT_TAKEN | Refusal.NO_SUCH_SEAT:
            return _("That seat is not free: choose another.")
        case Refusal.SEATED:
            return _("Only a watcher can be given a seat: seated players have to stand up first.")
        case Refusal.HOLDS_CARDS:
            return _("That seat holds cards that nobody new may see: wait until the round is over.")
        case Refusal.TOO_FEW:
            return _("A game needs at least three players: wait for more, or add bots.")
        case Refusal.NOT_READY:
            return _("Not everybody is ready: wait for them, or free their seats.")
        case Refusal.NO_TEXT:
            return _("Type something first.")
        case Refusal.NO_SUCH_CLAIM | Refusal.NO_SUCH_EDITION | Refusal.NO_SUCH_BOT:
            return _("That is not on the list: choose from it.")
        case Refusal.TOO_FAST:
            return _("That was too much at once: wait a few seconds, and try again.")
        case Refusal.LOCKED:
            return _("The table is locked, so nobody new can join: ask the host to unlock it.")
        case Refusal.NO_CODE:
            return _("This table needs no code: lock it to keep newcomers out.")
        case Refusal.CLUB_ONLY:
            return _("This is a club's table: the club decides that.")
        case Refusal.CLUB_FULL | Refusal.TABLES_ENOUGH:
            return _("The club opens no more tables for you now: join one of them.")
        case Refusal.ORGANISER_ONLY:
            return _("Only an organiser of the club can do that: ask one.")
        case Refusal.WRONG_WORD:
            return _("That is not the organiser's word: the club's terminal shows it.")
        case Refusal.CLAIMS_ONLY:
            return _("Nobody writes at this table: talk aloud, or make a quick claim.")
        case Refusal.WATCHERS_WAIT:
            return _("Watchers talk between rounds: wait until this one is over.")
        case Refusal.UNREADABLE:
            return _("That text is too long, or that number too large: choose another.")
        case _:
            assert_never(why)
