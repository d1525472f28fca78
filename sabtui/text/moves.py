"""Moves, turns, players' state, and hints in words.

A move is listed in notation with its words, which therefore only add what the notation lacks: the
target's name, and what a path card joins.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.actions import ActionPlay, Break, Map, Repair, Rockfall
from engine.board import neighbours
from engine.bots import hints
from engine.cards import Role, Tool
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import Phase
from engine.view import View
from net.protocol.chat import table_claim
from net.protocol.lobby import Settings
from sabtui.text import cards
from sabtui.text.i18n import (
    _,
    add_facts,
    capitalise,
    join_words,
    lazy,
    lower_first,
    ngettext,
    pgettext,
    phrases,
    put_title,
)
from sabtui.text.names import PlayerNames
from sabtui.text.settings import setting_of, type_line
from sabtui.text.talk import claim_words, talk_line

only_watching: Final = lazy("Watchers cannot do that: sit down first, if a seat is free.")
game_over: Final = lazy("The game is over.")
night_goes_on: Final = lazy("The game is over. The night goes on in the hall: stay, or go there.")
no_draw_pile: Final = lazy("The draw pile is empty, so nobody draws.")
not_begun: Final = lazy("The game has not begun yet.")
not_dealt: Final = lazy("The next round has not been dealt yet.")
move_sent: Final = lazy("Your move is on its way to the host.")
no_hint_found: Final = lazy("No hint for this position.")
# Translators: after the reason for a hint that harms its own side.
_others_worse: Final = lazy("but most other moves are worse")


def move_effect(move: Move, view: View, names: PlayerNames) -> str:
    """Describe the effect of a legal move in a few words."""
    match move:
        case Lay():
            return _lay_effect(move, view, names)
        case Discard(card):
            return cards.card_words(card)
        case KeepGold(nuggets):
            return cards.nuggets_counted(nuggets)
        case _:
            return _action_effect(move, view, names)


def _action_effect(play: ActionPlay, view: View, names: PlayerNames) -> str:
    """Name the target of an action card: a tool, a player, a path card or a goal."""
    place = play.place
    if isinstance(play, Break | Repair):
        text = cards.tool_of(play.tool, play.target, names)
        broken = Tool.within(view.table.broken[play.target]) if isinstance(play, Break) else ()
        if not broken:
            return text
        others = join_words([cards.tool_of(other, play.target, names) for other in broken])
        return _("{tool}; already broken: {others}").format(tool=text, others=others)
    if isinstance(place, int):
        return names.call(place)
    path = view.table.board.cards.get(place)
    return cards.goal_known(place, view) if path is None else cards.path_words(path)


def _lay_effect(move: Lay, view: View, names: PlayerNames) -> str:
    """Return the sides that a path card would continue from, and sides or goals it would open."""
    board, joined, opened = view.table.board, list[str](), list[str]()
    for edge, _back, beside in neighbours(move.cell):
        if not move.path.edges & edge:
            continue
        side = cards.side_words(edge)
        if beside in board.hidden:
            goal = cards.the_goal(beside, spelt=names.spelt)
            side = add_facts(side, f"{goal}!")
        (joined if beside in board.cards else opened).append(side)
    come, go = join_words(joined), join_words(opened)
    if not joined:
        return _("connects to nothing, opens to {goes}").format(goes=go)
    if not move.path.through:
        return _("blocks the tunnel from {come}").format(come=come)
    if not opened:
        return _("joins {come}").format(come=come)
    return _("from {come} to {goes}").format(come=come, goes=go)


def waiting(view: View, names: PlayerNames) -> str:
    match view.phase:
        case Phase.DEAL if not view.score.wins:
            return not_dealt()
        case Phase.DEAL:
            end, winner = view.table.end, view.score.wins[-1]
            has_saboteurs = end is None or Role.SABOTEUR in end.roles
            return name_winner(view.score.number, winner, has_saboteurs=has_saboteurs)
        case Phase.PLAY:
            assert view.to_act is not None
            return turn_of(view.to_act, names)
        case Phase.GOLD:
            assert view.to_act is not None
            return gold_choice_of(view.to_act, names)
        case Phase.OVER:
            return game_over()
        case never:
            assert_never(never)


def turn_of(seat: int, names: PlayerNames) -> str:
    return names.say(seat, _("It is your turn."), _("It is {name}'s turn."))


choose_gold: Final = lazy("Choose a gold card.")
your_turn: Final = lazy("Your turn")
your_gold: Final = lazy("Your gold")


def ask_for_card(count: int) -> str:
    """Ask a player who holds this many cards to choose one."""
    text = ngettext("Press {last} for your last card.", "Choose a card, 1 to {last}.", count)
    return text.format(last=count)


def gold_choice_of(seat: int, names: PlayerNames) -> str:
    return names.say(seat, choose_gold(), _("{name} is choosing a gold card."))


def pile_words(view: View) -> str:
    if view.table.pile:
        text = ngettext(
            "{count} card in the draw pile.", "{count} cards in the draw pile.", view.table.pile
        )
        return text.format(count=view.table.pile)
    return no_draw_pile()


def broken_tools(seat: int, view: View) -> str:
    return join_words([cards.tool_words(broken) for broken in Tool.within(view.table.broken[seat])])


def player_words(seat: int, view: View, names: PlayerNames) -> str:
    """Return a player's state: name, broken tools, number of cards, gold."""
    gold, chits = view.score.cards[seat], view.score.chits[seat]
    text = ngettext("{count} gold card", "{count} gold cards", gold)
    facts = [cards.cards_counted(view.table.hands[seat]), text.format(count=gold)]
    if chits:
        facts.append(ngettext("{count} IOU", "{count} IOUs", chits).format(count=chits))
    parts = [", ".join(facts)]
    if broken := broken_tools(seat, view):  # apart from the cards, which are not broken
        parts.insert(0, _("broken: {tools}").format(tools=broken))
    return put_title(names.name(seat), phrases(parts))


def name_winner(number: int, winner: Role | None, *, has_saboteurs: bool = True) -> str:
    """Return a sentence on which side won a round."""
    if winner is Role.MINER:
        text = _("Round {number} went to the miners.")
    elif has_saboteurs:
        text = _("Round {number} went to the saboteurs.")
    else:
        text = _("Nobody won round {number}.")
    return text.format(number=number)


def no_hint(view: View, names: PlayerNames, *, allowed: bool) -> str | None:
    """Explain why a player gets no hint now, `None` if they get one."""
    if not allowed:
        return f"{capitalise(setting_of('hints', Settings(hints=False)).phrase)}."
    if view.seat is None:
        return only_watching()
    return None if view.to_act == view.seat else waiting(view, names)


MAX_HINTS: Final = 4  # maximum number of hints that are offered, the best first


def hint_words(hint: hints.Hint, role: Role | None, names: PlayerNames) -> str:
    """Describe a hint: the move, the reason, and the spelling for players who type moves."""
    move, reason = move_words(hint.move, names), reason_words(hint.reason, role, names)
    text = put_title(move, f"{reason}.")
    return f"{text} {type_line(str(hint.move))}" if names.spelt else text


def move_words(move: Move, names: PlayerNames) -> str:
    match move:
        case Lay(path, cell):
            # Translators: a card and where to lay it, as in: Bend at 3n1.
            text = _("{shape} at {cell}")
            return text.format(
                shape=capitalise(cards.shape_words(path)),
                cell=cards.cell_words(cell, spelt=names.spelt),
            )
        case Discard():
            # Translators: the move of a player who discards a card.
            return pgettext("move", "Pass")
        case KeepGold(nuggets):
            return capitalise(cards.nuggets_counted(nuggets))
        case _:
            return cards.action_words(move.card).title.format(**cards.play_fields(move, names))


def done_words(move: Move, view: View, names: PlayerNames) -> str:
    """Describe the effect of a legal move, to follow "Enter:"."""
    match move:
        case Lay():
            # The title of the hand names the card and how it is turned.
            # Translators: "it" is the card; {effect} is such as: from west to east.
            return _("lay it here: {effect}.").format(effect=move_effect(move, view, names))
        case Discard():
            # Translators: "it" is the chosen card.
            return _("pass and discard it.")
        case KeepGold(nuggets):
            return _("keep the gold card of {nuggets}.").format(
                nuggets=cards.nuggets_counted(nuggets)
            )
        case Rockfall(cell):
            # Translators: {card} has its article: bring down a bend.
            return _("remove {card}.").format(card=cards.a_path(view.table.board.cards[cell]))
        case _:
            done = lower_first(move_words(move, names))
            if isinstance(move, Map) and view.goal_on(move.cell) is not None:
                done = f"{done}, {cards.goal_known(move.cell, view)}"
            return f"{done}."


def believed_words(believed: hints.Believed, names: PlayerNames) -> str:
    """Quote a player's claim that supports a hint."""
    name = names.names[believed.seat]
    if believed.was_right:
        name = _("{name}, who was right before,").format(name=name)
    return f"{talk_line(name, claim_words(table_claim(believed.claim), names.names))}."


def reason_words(why: hints.HintReason, role: Role | None, names: PlayerNames) -> str:
    """Return the reason for a hint to a player with this role, as a clause after the move."""
    match why:
        case hints.Reaches(cell):
            return _("it reaches {goal}").format(goal=cards.the_goal(cell, spelt=names.spelt))
        case hints.Nearer() | hints.OpensWay() if role is Role.SABOTEUR:
            return _("it makes you look like a miner")
        case hints.Nearer(by, distance):
            text = ngettext("{by} card nearer to the gold", "{by} cards nearer to the gold", by)
            then = ngettext("{ahead} more to go", "{ahead} more to go", distance)
            return f"{text.format(by=by)}, {then.format(ahead=distance)}"
        case hints.OpensWay():
            return _("it opens another way forward")
        case hints.LeadsAway():
            text = _("it leads the miners away from the gold")
            return text if role is Role.SABOTEUR else f"{text}, {_others_worse()}"
        case hints.Blocks():
            # Translators: "there" is the place that the move just named.
            text = _("it blocks the tunnel there")
            return f"{text}, {_others_worse()}" if role is Role.MINER else text
        case hints.HarmsNobody():
            # Translators: a dead end is laid; "there" is the place that the move just named.
            return _("a dead end is in nobody's way there")
        case hints.Clears():
            return _("it removes the dead end there")
        case hints.CutsOff():
            return _("it cuts the tunnel there")
        case hints.FreesYou():
            return _("they cannot dig while it is broken")
        case hints.Frees(seat, trust):
            text = _("{name} can dig again, and is most likely a miner")
            if trust < 0.5:
                text = _("{name} can dig again, but may be a saboteur")
            return text.format(name=names.names[seat])
        case hints.Stops(seat, doubt, is_highest):
            return _break_reason(doubt, role, is_highest=is_highest).format(name=names.names[seat])
        case hints.FindsOut():
            # Translators: "there" is the goal that the move just named.
            return _("it shows whether the gold is there")
        case hints.Sheds(card):
            return _("your least useful card ({card})").format(card=cards.card_name(card))
        case hints.MostNuggets():
            return _("no card on offer has more nuggets")
        case _:
            assert_never(why)


def _break_reason(doubt: float, role: Role | None, *, is_highest: bool) -> str:
    """Return the reason for breaking a tool; a player who may well be a miner is not a suspect."""
    is_doubted = doubt >= hints.SUSPECT_PROBABILITY
    if role is Role.SABOTEUR and not is_doubted:
        return _("it stops {name}, most likely a miner")
    if role is not Role.SABOTEUR and is_doubted and is_highest:
        return _("it stops {name}, the prime suspect")
    return _("it stops {name}")
