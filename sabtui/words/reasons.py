"""Why a move cannot be made: one sentence that names the cause.

Knows a `Reason`, the move and the view it was asked of. What would help is said as well where it
follows from what the reader sees: a card that fits the other way up.
"""

from __future__ import annotations

from typing import assert_never

from engine.board import START, Cell, around
from engine.cards import Path, opposite
from engine.moves import Lay, Move
from engine.notation import format_cell, format_move
from engine.reasons import (
    AlreadyBroken,
    CannotRepair,
    CellTaken,
    DealAwaited,
    GameOver,
    GoldBeingShared,
    NoHiddenGoal,
    NoSuchSeat,
    NotBroken,
    NotInHand,
    NotLinked,
    NotOnOffer,
    NoTunnel,
    NotYourTurn,
    OnlyWatching,
    Reason,
    SideClashes,
    ToolsBroken,
    TouchesNothing,
)
from engine.view import View
from sabtui.words.cards import card_spelt, nuggets_counted, repair_card, side, tool, tool_of
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, listed, ngettext


def why_not(reason: Reason, move: Move, view: View, cast: Cast) -> str:
    """Say why `view.why_not(move)` gave this reason."""
    match reason:
        case OnlyWatching():
            return _("You are watching: only players make moves.")
        case DealAwaited():
            return _("The next round is not dealt yet.")
        case GameOver():
            return _("The game is over.")
        case NotYourTurn(seat):
            return cast.say(seat, _("It is your turn."), _("It is {name}'s turn, not yours."))
        case GoldBeingShared(seat):
            return cast.say(
                seat,
                _("Gold is being shared: choose your gold card first."),
                _("Gold is being shared: {name} is choosing."),
            )
        case NotOnOffer(nuggets):
            return _("No gold card of {nuggets} is on offer.").format(
                nuggets=nuggets_counted(nuggets)
            )
        case NotInHand():
            return _not_in_hand(reason, move, view)
        case ToolsBroken(tools):
            return ngettext(
                "You cannot lay paths: your {tools} is broken.",
                "You cannot lay paths: your {tools} are broken.",
                len(tools),
            ).format(tools=listed([tool(broken) for broken in tools]))
        case CellTaken(cell):
            return _taken(cell, view)
        case SideClashes():
            return _clash(reason, move, view)
        case TouchesNothing(cell):
            return _("No path card lies beside {cell}.").format(cell=format_cell(cell))
        case NotLinked(cell):
            return _("No tunnel from the start opens onto {cell}.").format(cell=format_cell(cell))
        case NoSuchSeat(seat):
            return _("Nobody sits in seat {seat}: seats are 1 to {players}.").format(
                seat=seat + 1, players=view.table.players
            )
        case AlreadyBroken(seat, broken):
            return _("It is broken already: {tool}.").format(tool=tool_of(broken, seat, cast))
        case NotBroken(seat, broken):
            return _("It is not broken: {tool}.").format(tool=tool_of(broken, seat, cast))
        case CannotRepair(card, broken):
            return _("{card} is {repairs}, and no {repair}.").format(
                card=card.text,
                repairs=listed([repair_card(mended) for mended in card.repairs]),
                repair=repair_card(broken),
            )
        case NoTunnel(cell):
            return _no_tunnel(cell, view)
        case NoHiddenGoal(cell):
            if cell in view.table.board.cards:
                return _("{cell} lies face up already.").format(cell=format_cell(cell))
            return _("{cell} is no goal: goals lie at 8n2, 8 and 8s2.").format(
                cell=format_cell(cell)
            )
        case _:
            assert_never(reason)


def _not_in_hand(reason: NotInHand, move: Move, view: View) -> str:
    told = _("You do not hold {card}.").format(card=card_spelt(reason.card))
    if isinstance(move, Lay):
        other = _twin(move.path)
        if other is not None and other.card in view.hand:
            hint = _("You hold {card}: capitals are tunnels, small letters dead ends.")
            return f"{told} {hint.format(card=other.card.text)}"
    return told


def _twin(path: Path) -> Path | None:
    """The tunnel with a dead end's open sides, or the dead end with a tunnel's."""
    try:
        return Path.of(path.edges, through=not path.through)
    except KeyError:
        return None


def _taken(cell: Cell, view: View) -> str:
    if cell in view.table.board.hidden:
        return _("{cell} is taken: a goal lies there face down.").format(cell=format_cell(cell))
    return _("{cell} is taken: a card lies there.").format(cell=format_cell(cell))


def _clash(reason: SideClashes, move: Move, view: View) -> str:
    """Say which side meets what, and where."""
    assert isinstance(move, Lay)
    neighbour = next(beside for edge, _b, beside in around(move.cell) if edge == reason.side)
    told = (
        _("{move}: the {side} side would meet rock, at {neighbour}.")
        if reason.open
        else _("{move}: the {side} side would wall off the open tunnel at {neighbour}.")
    ).format(move=format_move(move), side=side(reason.side), neighbour=format_cell(neighbour))
    path = move.path
    turned = Lay(Path.of(opposite(path.edges), through=path.through), move.cell)
    if view.why_not(turned) is None:
        return told + " " + _("Turned it fits: {move}.").format(move=format_move(turned))
    return told


def _no_tunnel(cell: Cell, view: View) -> str:
    name = format_cell(cell)
    if cell == START:
        return _("A rockfall cannot take the start.")
    if cell in view.table.board.hidden or cell in view.table.board.cards:
        return _("A rockfall cannot take a goal, such as {cell}.").format(cell=name)
    return _("There is no tunnel at {cell} to bring down.").format(cell=name)
