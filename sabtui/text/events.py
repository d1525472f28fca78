"""Game events in words, and what each player has done in the present round.

The lines leave out what a player can infer, such as draws after plays and whose turn begins. What
players have done follows from the public events that a view holds; its history may begin mid-round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from engine import events
from engine.actions import ActionEvent, Broke, Collapsed, Looked, TurnEvent
from engine.bots.talk import Talk
from engine.cards import ROCKFALL, Goal, Role, Tool
from engine.edition import INTERNATIONAL
from engine.events import Event
from engine.state import Score
from engine.tally import Tally
from engine.view import View
from net.protocol.chat import ChatHistory, ChatLine, in_order, table_claim
from sabtui.text import cards
from sabtui.text.i18n import _, capitalise, join_words, lazy, ngettext, pgettext, put_title
from sabtui.text.moves import no_draw_pile
from sabtui.text.names import PlayerNames
from sabtui.text.settings import edition_sentence
from sabtui.text.talk import chat_words, claim_words, nothing_done

how_to_see_role: Final = lazy("For your eyes only: press any key.")
you_win: Final = lazy("You win the game!")
role_lies: Final = lazy("Your role card lies face down: r shows it.")


def _gold_sentence(event: events.GoldEvent, names: PlayerNames) -> str:
    """Describe an event while gold is shared, "" if it needs no words."""
    match event:
        case events.GoldDrawn(count):
            return ngettext(
                "{count} gold card is drawn for the miners.",
                "{count} gold cards are drawn for the miners.",
                count,
            ).format(count=count)
        case events.ChoiceBegan() | events.GoldShown():
            return ""
        case events.GoldTaken(seat):
            return names.say(seat, _("You took a gold card."), _("{name} took a gold card."))
        case events.GoldReceived(_seat, nuggets):
            return _("You got {gold}.").format(gold=cards.nuggets_counted(sum(nuggets)))
        case events.SaboteursPaid():
            return _payment_sentence(event, names)
        case _:
            assert_never(event)


def result(score: Score, names: PlayerNames, *, is_brief: bool = False) -> list[str]:
    """Return the result of a game that is over (F1): nuggets, most first, and the winners.

    If brief, it names only the winners.
    """
    assert score.nuggets is not None
    assert score.winners is not None
    won = winners(score.winners, names)
    if is_brief:
        return [won]
    lines = [_("The game is over. Nuggets, and the gold cards they came on:")]
    ranks = sorted(enumerate(score.nuggets), key=lambda seat: -seat[1])
    for seat, nuggets in ranks:
        gold = [str(on_card) for on_card in (score.gold or ())[seat]]
        # Translators: a note that one nugget is owed, where the pile had no gold left; short.
        gold += [_("IOU")] * score.chits[seat]
        player = put_title(names.name(seat), " ".join(gold) or "-")
        lines.append(f"{nuggets:4} {player}")
    return [*lines, won]


def winners(seats: Sequence[int], names: PlayerNames) -> str:
    """Name the winners of the game (F1)."""
    if len(seats) > 1 and names.me in seats:
        others = names.call_all(seat for seat in seats if seat != names.me)
        return _("You share the win with {names}.").format(names=others)
    if len(seats) > 1:
        return _("{names} share the win.").format(names=names.call_all(seats))
    return names.say(seats[0], you_win(), _("{name} wins the game."))


def _payment_sentence(event: events.SaboteursPaid, names: PlayerNames) -> str:
    """Describe the saboteurs' payment, and the chits for gold the pile lacked (D5, D8)."""
    paid = [
        seat for seat, given in enumerate(zip(event.cards, event.chits, strict=True)) if any(given)
    ]
    lines = [
        _("{due} for each saboteur: {names}.").format(
            due=cards.nuggets_counted(event.due), names=names.call_all(paid)
        )
    ]
    lines += [
        names.say(
            seat,
            _("The gold ran out: you get {count} in IOUs."),
            _("The gold ran out: {name} gets {count} in IOUs."),
            count=event.chits[seat],
        )
        for seat in paid
        if event.chits[seat]
    ]
    return " ".join(lines)


CARD_SIGN: Final = "\0"
"""Marks the place of a path card that the screen draws in a sentence; no name contains it."""


def event_sentence(event: Event, names: PlayerNames, drawn: str = "") -> str:
    """Describe an event, "" if it needs no words; `drawn` stands for its path card."""
    if isinstance(event, events.GoldEvent):
        return _gold_sentence(event, names)
    match event:
        case events.DwarfDealt():
            return role_lies()
        case events.Dealt(_seat, card):
            return _("You drew: {card}.").format(card=cards.name_card(card, spelt=names.spelt))
        case events.DiscardedCard(_seat, card):
            named = cards.name_card(card, spelt=names.spelt)
            return _("You passed and discarded face down: {card}.").format(card=named)
        case events.GoalPeeked(_seat, cell, goal):
            # Translators: {goal} is a goal's name, and {what} its face: the treasure, or stone.
            return _("Your map: {goal} is {what}.").format(
                goal=cards.the_goal(cell, spelt=names.spelt), what=cards.goal_words(goal)
            )
        case events.RoundBegan():
            # Translators: {starter} is such as: you begin.
            text = _("Round {number}: {players} players, {hand} each, {pile} to draw; {starter}.")
            return text.format(
                number=event.number,
                players=len(event.hands),
                hand=cards.cards_counted(event.hands[0]),
                pile=event.pile,
                starter=names.say(event.starter, _("you go first"), _("{name} goes first")),
            )
        case events.Laid(seat, path, cell):
            return names.say(
                seat,
                # Translators: {card} is a path card: a bend, or a small drawing.
                _("You laid {card} at {cell}."),
                _("{name} laid {card} at {cell}."),
                card=drawn or cards.name_path(path, names),
                cell=cards.cell_words(cell, spelt=names.spelt),
            )
        case events.Revealed():
            return _goal_sentence(event, names)
        case events.Passed(seat) | events.Skipped(seat):
            return names.say(seat, _("You passed."), _("{name} passed."))
        case events.RoundEnded():
            return round_won(event)
        case events.Drew() | events.HandDealt() | events.TurnBegan() | events.GameEnded():
            return ""
        case _:
            words, seat = cards.action_words(event.move.card), event.seat
            fallen = (
                (drawn or cards.name_path(event.path, names))
                if isinstance(event, Collapsed)
                else ""
            )
            fields = cards.play_fields(event.move, names, fallen, seat)
            return names.say(seat, words.mine, words.theirs, **fields)


def your_role(role: Role) -> str:
    """Tell the reader their role and its aim."""
    if role is Role.MINER:
        return _("You are a miner: dig a tunnel to the treasure.")
    return _("You are a saboteur: keep the others from the treasure.")


def round_won(end: events.RoundEnded) -> str:
    """Return a sentence on which side won the round, and how (R1 to R3).

    If the treasure stays hidden but nobody is a saboteur, nobody is said to have won, although it
    counts as the saboteurs' round.
    """
    if end.winner is Role.MINER:
        return _("Treasure found! The miners win the round.")
    if Role.SABOTEUR in end.roles:
        return _("The treasure stays hidden: the saboteurs win the round.")
    return _("The treasure stays hidden: nobody wins the round.")


def unveil_lines(end: events.RoundEnded, names: PlayerNames) -> list[str]:
    """Reveal all roles (R4), a line each."""
    sides = {
        pgettext("dwarves", "saboteurs"): Role.SABOTEUR,
        pgettext("dwarves", "miners"): Role.MINER,
    }
    lines = []
    for title, side in sides.items():
        seats = [seat for seat, role in enumerate(end.roles) if role is side]
        facts = names.call_all(seats) or pgettext("dwarves", "none")
        lines.append(put_title(capitalise(title), f"{facts}."))
    return lines


def _goal_sentence(event: events.Revealed, names: PlayerNames) -> str:
    goal = capitalise(cards.the_goal(event.cell, spelt=names.spelt))
    if Goal.lying(event.path) is Goal.TREASURE:
        # Translators: {goal} begins the sentence: The middle goal.
        return _("{goal} is the TREASURE!").format(goal=goal)
    # Translators: {goal} begins the sentence: The middle goal.
    return _("{goal} is stone, open to {sides}.").format(
        goal=goal, sides=join_words(cards.side_names(event.path.edges))
    )


def brief_sentence(event: Event, names: PlayerNames) -> str:
    """Describe another player's event in short, "" if it has no short form."""
    match event:
        case Looked(seat, cell):
            text = _("{name} saw {goal}.")
            return text.format(name=names.names[seat], goal=cards.the_goal(cell, spelt=names.spelt))
        case events.Laid(seat, _path, cell) if seat != names.me:
            drawn = f"{CARD_SIGN} {cards.cell_words(cell, spelt=names.spelt)}"
            return put_title(names.names[seat], drawn)
        case Collapsed(seat, cell) if seat != names.me:
            fallen = f"{cards.card_words(ROCKFALL)} {cards.cell_words(cell, spelt=names.spelt)}"
            return put_title(names.names[seat], fallen)
        case _:
            return ""


def all_passed(seats: Sequence[int], names: PlayerNames) -> str:
    """Report that several players passed, one after another."""
    text = ngettext("{name} passed.", "{name} passed.", len(seats))
    return text.format(name=names.call_all(seats))


def event_lines(event: Event, view: View, names: PlayerNames, card: str = "") -> list[str]:
    """Return an event as lines, none if another one covers it; `view` includes the event.

    `card` is as in `event_sentence`.
    """
    if isinstance(event, events.PartlySecret):
        return [] if event.seat == view.seat else [event_sentence(event, names)]
    match event:
        case events.Drew():
            return [] if view.table.pile else [no_draw_pile()]
        case events.RoundEnded():
            return [event_sentence(event, names), *unveil_lines(event, names)]
        case events.GameEnded():
            # A screen that draws cards also shows everybody's gold.
            return result(view.score, names, is_brief=bool(card))
        case events.RoundBegan(number=1):
            edition = view.table.edition
            unusual = [] if edition == INTERNATIONAL else [edition_sentence(edition)]
            return [event_sentence(event, names), *unusual]
        case _:
            text = event_sentence(event, names, card)
            return [text] if text else []


def log_lines(past: Sequence[Event], view: View, names: PlayerNames, card: str = "") -> list[str]:
    """Return events as lines, without draws.

    The sentence for a draw has the size of the pile, which for past draws the view no longer knows.
    """
    shown = (event for event in past if not isinstance(event, events.Drew))
    return [line for event in shown for line in event_lines(event, view, names, card)]


def since_turn(view: View, chat: ChatHistory) -> tuple[Event | ChatLine, ...]:
    """Return the public events and the chat of this round since the last turn of the view's seat.

    Before its first turn they are those of the whole round; for a watcher, those of as many turns
    as there are players.
    """
    found: list[Event | ChatLine] = []
    turns = 0
    for entry in reversed(round_in_order(view, chat)):
        turns += isinstance(entry, TurnEvent)
        if isinstance(entry, events.RoundBegan) or turns > view.table.players:
            break
        if isinstance(entry, TurnEvent) and entry.seat == view.seat:
            break
        if isinstance(entry, ChatLine) or events.addressee(entry) is None:
            found.append(entry)
    return tuple(found[::-1])


def round_in_order(view: View, chat: ChatHistory) -> Sequence[Event | ChatLine]:
    number = view.score.number
    return [*in_order(view, tuple(line for line in chat if line.when.round == number))]


def round_lines(found: Iterable[Event | ChatLine], view: View, names: PlayerNames) -> Sequence[str]:
    return [
        text
        for entry in found
        for text in (
            [chat_words(entry, names.names)]
            if isinstance(entry, ChatLine)
            else log_lines([entry], view, names)
        )
    ]


def no_paths(tools: Sequence[Tool]) -> str:
    """Tell the reader that broken tools keep them from laying paths (P4)."""
    text = ngettext(
        "Your {tools} is broken: you cannot dig.",
        "Your {tools} are broken: you cannot dig.",
        len(tools),
    )
    return text.format(tools=join_words([cards.tool_words(kind) for kind in tools]))


def story_lines(view: View, names: PlayerNames) -> list[str]:
    """Describe the others' latest events since the reader's turn, or what broke their tool."""
    turns = [event for event in since_turn(view, ()) if isinstance(event, TurnEvent)]
    harm = [
        event
        for event in turns
        if isinstance(event, Broke)
        and event.target == view.seat
        and view.table.broken[event.target] & event.tool.bit
    ]
    return [event_sentence(event, names) for event in (harm or turns)[-1:]]


def action_lines(seat: int, view: View, talk: Talk, names: PlayerNames) -> list[str]:
    """Sum up a player's round so far: laid cards are counted, everything else is listed."""
    done = Tally.of(view.history, view.table.players).seats[seat]
    counts = {
        ngettext("{count} tunnel", "{count} tunnels", done.tunnels): done.tunnels,
        ngettext("{count} dead end", "{count} dead ends", done.dead_ends): done.dead_ends,
        # Translators: how often a player passed.
        ngettext("{count} pass", "{count} passes", done.passes): done.passes,
    }
    laid = join_words([text.format(count=count) for text, count in counts.items() if count])
    actions = [
        event_sentence(event, names)
        for event in view.history
        if isinstance(event, ActionEvent) and event.seat == seat
    ]
    said = [
        claim_words(table_claim(statement.claim), names.names)
        for statement in talk.said
        if statement.seat == seat
    ]
    lines = [*([f"{capitalise(laid)}."] if laid else []), *actions]
    return [*lines, *(f"“{text}”" for text in said)] or [nothing_done()]
