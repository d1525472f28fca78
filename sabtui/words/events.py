"""What happened, one sentence for each event, such as "Bruno broke your lantern".

Knows events and names, and nothing of the game around them: which events are worth telling, and
which say the same twice, a face decides.
"""

from __future__ import annotations

from typing import assert_never

from engine.board import GOAL_CELLS
from engine.cards import Goal, Role
from engine.events import (
    Broke,
    Buried,
    Collapsed,
    Dealt,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoldEvent,
    HandDealt,
    Laid,
    Looked,
    Passed,
    Repaired,
    Revealed,
    RoundBegan,
    RoundEnded,
    Saw,
    Skipped,
    TurnBegan,
)
from engine.notation import format_cell
from sabtui.words.cards import card_spelt, cards_counted, goal_words, role_words, sides, tool_of
from sabtui.words.cast import Cast
from sabtui.words.gold import all_shown, gold_happened
from sabtui.words.tongue import _, listed


def happened(event: Event, cast: Cast) -> str:
    """Tell an event."""
    if isinstance(event, GoldEvent):
        return gold_happened(event, cast)
    match event:
        case DwarfDealt(_seat, role):
            return your_role(role)
        case HandDealt(_seat, cards):
            return _("Your hand: {cards}.").format(cards=", ".join(card.text for card in cards))
        case Dealt(_seat, card):
            return _("You drew {card}.").format(card=card_spelt(card))
        case Buried(_seat, card):
            return _("You passed and discarded {card} face down.").format(card=card_spelt(card))
        case Saw(_seat, cell, goal):
            return _("Your map shows {goal} at {cell}.").format(
                goal=goal_words(goal), cell=format_cell(cell)
            )
        case RoundBegan():
            return _round_began(event, cast)
        case Laid():
            return _laid(event, cast)
        case Revealed():
            return _revealed(event)
        case Broke(seat, tool, target):
            return cast.say(
                seat,
                _("You broke {tool}."),
                _("{name} broke {tool}."),
                tool=tool_of(tool, target, cast, seat),
            )
        case Repaired(seat, _card, target, tool):
            return cast.say(
                seat,
                _("You repaired {tool}."),
                _("{name} repaired {tool}."),
                tool=tool_of(tool, target, cast, seat),
            )
        case Collapsed():
            return _collapsed(event, cast)
        case Looked(seat, cell):
            return cast.say(
                seat,
                _("You looked at {cell}."),
                _("{name} looked at {cell}."),
                cell=format_cell(cell),
            )
        case Passed(seat):
            return cast.say(seat, _("You passed."), _("{name} passed."))
        case Skipped(seat):
            return cast.say(
                seat,
                _("You have no cards left and pass."),
                _("{name} has no cards left and passes."),
            )
        case Drew(seat):
            return cast.say(seat, _("You drew a card."), _("{name} drew a card."))
        case TurnBegan(seat):
            return cast.say(seat, _("It is your turn."), _("It is {name}'s turn."))
        case RoundEnded(winner):
            return round_won(winner)
        case GameEnded(gold):
            return all_shown(gold, cast)
        case _:
            assert_never(event)


def your_role(role: Role) -> str:
    """Tell the reader's dwarf, and what to do with it."""
    match role:
        case Role.MINER:
            return _("You are a miner: dig a tunnel to the treasure.")
        case Role.SABOTEUR:
            return _("You are a saboteur: let nobody reach the treasure.")
        case _:
            assert_never(role)


def round_won(winner: Role) -> str:
    """Tell which side won a round, and how (R1 to R3)."""
    match winner:
        case Role.MINER:
            return _("The treasure is reached: the miners win the round.")
        case Role.SABOTEUR:
            return _("The treasure stays hidden: the saboteurs win the round.")
        case _:
            assert_never(winner)


def unveiled(end: RoundEnded, cast: Cast) -> list[str]:
    """Tell who everybody was, and what the goals hide (R4)."""
    told = []
    miners = [seat for seat, role in enumerate(end.roles) if role is Role.MINER]
    saboteurs = [seat for seat, role in enumerate(end.roles) if role is Role.SABOTEUR]
    if saboteurs:
        told.append(_("Saboteurs: {names}.").format(names=cast.call_all(saboteurs)))
    else:
        told.append(_("There was no saboteur among you."))
    if miners:
        told.append(_("Miners: {names}.").format(names=cast.call_all(miners)))
    goals = ", ".join(
        _("{cell} {goal}").format(cell=format_cell(cell), goal=goal_words(goal))
        for cell, goal in zip(GOAL_CELLS, end.goals, strict=True)
    )
    told.append(
        _("Left over: a {role}. Goals: {goals}.").format(role=role_words(end.spare), goals=goals)
    )
    return told


def _round_began(event: RoundBegan, cast: Cast) -> str:
    return cast.say(
        event.starter,
        _("Round {number}: {players} players, {hand} each, {pile} to draw. You begin."),
        _("Round {number}: {players} players, {hand} each, {pile} to draw. {name} begins."),
        number=event.number,
        players=len(event.hands),
        hand=cards_counted(event.hands[0]),
        pile=event.pile,
    )


def _laid(event: Laid, cast: Cast) -> str:
    path, cell = event.path.text, format_cell(event.cell)
    if event.path.through:
        to_me, of_others = (
            _("You laid a tunnel, {path}, at {cell}."),
            _("{name} laid a tunnel, {path}, at {cell}."),
        )
    else:
        to_me, of_others = (
            _("You laid a dead end, {path}, at {cell}."),
            _("{name} laid a dead end, {path}, at {cell}."),
        )
    return cast.say(event.seat, to_me, of_others, path=path, cell=cell)


def _revealed(event: Revealed) -> str:
    cell = format_cell(event.cell)
    if Goal.lying(event.path) is Goal.TREASURE:
        return _("The goal {cell} is the treasure!").format(cell=cell)
    return _("The goal {cell} is stone, open to {sides}.").format(
        cell=cell, sides=listed(sides(event.path.edges).split(", "))
    )


def _collapsed(event: Collapsed, cast: Cast) -> str:
    return cast.say(
        event.seat,
        _("You brought down {path} at {cell} with a rockfall."),
        _("{name} brought down {path} at {cell} with a rockfall."),
        path=event.path.text,
        cell=format_cell(event.cell),
    )
