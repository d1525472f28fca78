"""Game events in words, and the actions of each player in the present round, counted.

The lines leave out what a player can infer: that a player draws after playing is not said, nor
whose turn begins. Other players' gold stays hidden until the end of the game, as the events
themselves do not contain it.

The actions follow from the public events that a view holds. The history of a view may begin in
mid-round: then nothing is known of who broke a tool before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from engine import rules
from engine.board import Cell
from engine.bots.talk import Talk
from engine.cards import Card, Goal, Path, Role, Tool
from engine.edition import INTERNATIONAL
from engine.events import (
    Broke,
    ChoiceBegan,
    Collapsed,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Laid,
    Looked,
    Passed,
    PlayedTurn,
    Repaired,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
    TurnEvent,
    addressee,
)
from engine.state import Score
from engine.view import View
from net.protocol.chat import ChatHistory, ChatLine, in_order, table_claim
from sabtui.text.cards import (
    a_path,
    a_path_spelt,
    action_words,
    card_words,
    cards_counted,
    cell_words,
    dead_ends_counted,
    goal_name,
    goal_words,
    name_card,
    nuggets_counted,
    sides,
    the_goal,
    tool,
    tool_of,
)
from sabtui.text.i18n import _, capitalise, join_words, ngettext, pgettext
from sabtui.text.moves import gold_choice_of, turn_of
from sabtui.text.names import PlayerNames
from sabtui.text.settings import edition_sentence
from sabtui.text.talk import chat_words, claim_words


def _gold_sentence(event: GoldEvent, names: PlayerNames) -> str:
    """Return the sentence for an event of the sharing of gold."""
    match event:
        case GoldDrawn(cards):
            return ngettext(
                "{count} gold card is drawn for the miners.",
                "{count} gold cards are drawn for the miners.",
                cards,
            ).format(count=cards)
        case ChoiceBegan(seat):
            return gold_choice_of(seat, names)
        case GoldShown(_seat, nuggets):
            return _("On offer: {cards}.").format(cards=_each(nuggets))
        case GoldTaken(seat):
            return names.say(seat, _("You took a gold card."), _("{name} took a gold card."))
        case GoldReceived(_seat, nuggets):
            return _("You got {cards}.").format(cards=_each(nuggets))
        case SaboteursPaid():
            return _payment_sentence(event, names)
        case _:
            assert_never(event)


def all_shown(gold: Sequence[Sequence[int]], names: PlayerNames) -> str:
    """Return the sentence that shows everybody's gold cards (F1)."""
    shown = (
        _("{name} {nuggets}").format(
            name=names.name(seat), nuggets="+".join(map(str, cards)) or "-"
        )
        for seat, cards in enumerate(gold)
    )
    return _("All gold is revealed: {gold}.").format(gold=", ".join(shown))


def result(score: Score, names: PlayerNames, *, is_brief: bool = False) -> list[str]:
    """Return the result of a game that is over: nuggets, most first, and the winners (F1).

    If it is brief it names the winners alone.
    """
    assert score.nuggets is not None
    assert score.winners is not None
    won = winners(score.winners, names)
    if is_brief:
        return [won]
    lines = [_("The game is over. Nuggets, and the gold cards they came on:")]
    ranks = sorted(enumerate(score.nuggets), key=lambda seat: -seat[1])
    for seat, nuggets in ranks:
        cards = [str(on_card) for on_card in (score.gold or ())[seat]]
        # Translators: a note that one nugget is owed, where the pile had no gold left; short.
        cards += [_("IOU")] * score.chits[seat]
        gold = _("{title}: {facts}").format(title=names.name(seat), facts=" ".join(cards) or "-")
        lines.append(f"{nuggets:4} {gold}")
    return [*lines, won]


def winners(seats: Sequence[int], names: PlayerNames) -> str:
    """Return the sentence that names the winners of the game (F1)."""
    if len(seats) > 1 and names.me in seats:
        others = names.call_all(seat for seat in seats if seat != names.me)
        return _("You share the win with {names}.").format(names=others)
    if len(seats) > 1:
        return _("{names} share the win.").format(names=names.call_all(seats))
    return names.say(seats[0], _("You win the game!"), _("{name} wins the game."))


def _each(nuggets: Sequence[int]) -> str:
    """Return gold cards one by one; only the last number has the unit."""
    *first, last = nuggets
    cards = join_words([*map(str, first), nuggets_counted(last)])
    return ngettext("a gold card of {cards}", "gold cards of {cards}", len(nuggets)).format(
        cards=cards
    )


def _payment_sentence(event: SaboteursPaid, names: PlayerNames) -> str:
    """Return the payment of the saboteurs, and the chits for gold the pile lacked (D5, D8)."""
    paid = [
        seat for seat, given in enumerate(zip(event.cards, event.chits, strict=True)) if any(given)
    ]
    lines = [
        _("{due} for each saboteur: {names}.").format(
            due=nuggets_counted(event.due), names=names.call_all(paid)
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
"""Stands in a sentence for a path card that the screen draws there; no name contains it."""


def event_sentence(event: Event, names: PlayerNames, drawn: str = "") -> str:
    """Return the sentence for an event; `drawn` stands for a path card, "" names it in words."""
    if isinstance(event, GoldEvent):
        return _gold_sentence(event, names)
    match event:
        case DwarfDealt(_seat, role):
            return your_role(role)
        case HandDealt(_seat, cards):
            return _("Your hand: {cards}.").format(cards=", ".join(card.text for card in cards))
        case Dealt(_seat, card):
            return _("You drew {card}.").format(card=name_card(card, spelt=names.spelt))
        case DiscardedCard(_seat, card):
            named = name_card(card, spelt=names.spelt)
            return _("You passed and discarded {card} face down.").format(card=named)
        case GoalPeeked(_seat, cell, goal):
            # Translators: {goal} is a goal's name, and {what} its face: the treasure, or stone.
            return _("Your map: {goal} is {what}.").format(
                goal=the_goal(cell, spelt=names.spelt), what=goal_words(goal)
            )
        case RoundBegan():
            return _round_began(event, names)
        case Laid(seat, path, cell):
            return names.say(
                seat,
                # Translators: {card} is a path card: a bend, or a small drawing.
                _("You laid {card} at {cell}."),
                _("{name} laid {card} at {cell}."),
                card=drawn or _name_path(path, names),
                cell=cell_words(cell, spelt=names.spelt),
            )
        case Revealed():
            return _goal_sentence(event, names)
        case Broke(seat, tool, target):
            return names.say(
                seat,
                _("You broke {tool}."),
                _("{name} broke {tool}."),
                tool=tool_of(tool, target, names, seat),
            )
        case Repaired(seat, _card, target, tool):
            return names.say(
                seat,
                _("You repaired {tool}."),
                _("{name} repaired {tool}."),
                tool=tool_of(tool, target, names, seat),
            )
        case Collapsed(seat, cell, path):
            return names.say(
                seat,
                _("You brought down {path} at {cell}."),
                _("{name} brought down {path} at {cell}."),
                path=drawn or _name_path(path, names),
                cell=cell_words(cell, spelt=names.spelt),
            )
        case Looked(seat, cell):
            return names.say(
                seat,
                _("You looked at {goal}."),
                _("{name} looked at {goal}."),
                goal=the_goal(cell, spelt=names.spelt),
            )
        case Passed(seat):
            return names.say(seat, _("You passed."), _("{name} passed."))
        case Skipped(seat):
            return names.say(
                seat,
                _("You have no cards left and pass."),
                _("{name} has no cards left and passes."),
            )
        case Drew(seat):
            return names.say(seat, _("You drew a card."), _("{name} drew a card."))
        case TurnBegan(seat):
            return turn_of(seat, names)
        case RoundEnded():
            return round_won(event)
        case GameEnded(gold):
            return all_shown(gold, names)
        case _:
            assert_never(event)


def your_role(role: Role) -> str:
    """Return the sentence that tells the reader's role and its aim."""
    match role:
        case Role.MINER:
            return _("You are a miner: dig a tunnel to the treasure.")
        case Role.SABOTEUR:
            return _("You are a saboteur: keep everybody from the treasure.")
        case _:
            assert_never(role)


def how_to_see_role() -> str:
    """Return how to see one's own role card, which lies face down."""
    return _("Only you may look: press any key.")


def round_won(end: RoundEnded) -> str:
    """Return the sentence that tells which side won the round, and how (R1 to R3).

    If the treasure stays hidden and there was no saboteur, the round counts as theirs all the same.
    """
    match end.winner:
        case Role.MINER:
            return _("The treasure is reached: the miners win the round.")
        case Role.SABOTEUR if Role.SABOTEUR not in end.roles:
            return _("The treasure stays hidden: nobody wins the round.")
        case Role.SABOTEUR:
            return _("The treasure stays hidden: the saboteurs win the round.")
        case _:
            assert_never(end.winner)


def unveil_lines(end: RoundEnded, names: PlayerNames) -> list[str]:
    """Return the lines that reveal all roles (R4)."""
    lines = []
    miners = [seat for seat, role in enumerate(end.roles) if role is Role.MINER]
    saboteurs = [seat for seat, role in enumerate(end.roles) if role is Role.SABOTEUR]
    if saboteurs:
        lines.append(_side(pgettext("dwarves", "saboteurs"), saboteurs, names))
    else:
        lines.append(_("There was no saboteur among you."))
    if miners:
        lines.append(_side(pgettext("dwarves", "miners"), miners, names))
    return lines


def _side(title: str, seats: Sequence[int], names: PlayerNames) -> str:
    facts = f"{names.call_all(seats)}."
    return _("{title}: {facts}").format(title=capitalise(title), facts=facts)


def _round_began(event: RoundBegan, names: PlayerNames) -> str:
    # Translators: {starter} is such as: you begin.
    text = _("Round {number}: {players} players, {hand} each, {pile} to draw; {starter}.")
    return text.format(
        number=event.number,
        players=len(event.hands),
        hand=cards_counted(event.hands[0]),
        pile=event.pile,
        starter=names.say(event.starter, _("you begin"), _("{name} begins")),
    )


def _name_path(path: Path, names: PlayerNames) -> str:
    return a_path_spelt(path) if names.spelt else a_path(path)


def _goal_sentence(event: Revealed, names: PlayerNames) -> str:
    goal = capitalise(the_goal(event.cell, spelt=names.spelt))
    if Goal.lying(event.path) is Goal.TREASURE:
        # Translators: {goal} begins the sentence: The middle goal.
        return _("{goal} is the TREASURE!").format(goal=goal)
    # Translators: {goal} begins the sentence: The middle goal.
    return _("{goal} is stone, open to {sides}.").format(
        goal=goal, sides=join_words(sides(event.path.edges).split(", "))
    )


def brief_sentence(event: Event, names: PlayerNames) -> str:
    """Return a shorter sentence for an event of another player, "" if there is none."""
    match event:
        case Looked(seat, cell):
            text = _("{name} saw {goal}.")
            return text.format(name=names.names[seat], goal=the_goal(cell, spelt=names.spelt))
        case Laid(seat, _path, cell) if seat != names.me:
            drawn = f"{CARD_SIGN} {cell_words(cell, spelt=names.spelt)}"
            return _("{title}: {facts}").format(title=names.names[seat], facts=drawn)
        case Collapsed(seat, cell) if seat != names.me:
            fallen = f"{card_words(Card.ROCKFALL)} {cell_words(cell, spelt=names.spelt)}"
            return _("{title}: {facts}").format(title=names.names[seat], facts=fallen)
        case _:
            return ""


def all_passed(seats: Sequence[int], names: PlayerNames) -> str:
    """Return the sentence on several players who passed one after the other."""
    return _("{names} passed.").format(names=names.call_all(seats))


def event_lines(event: Event, view: View, names: PlayerNames, card: str = "") -> list[str]:
    """Return an event as lines, none if another event covers it; `view` includes the event.

    `card` is as in `event_sentence`.
    """
    match event:
        case Passed(seat) | Looked(seat) | GoldTaken(seat):
            return [] if seat == view.seat else [event_sentence(event, names)]
        case Drew():
            return [] if view.table.pile else [_("The draw pile is empty now.")]
        case TurnBegan() | ChoiceBegan() | GoldShown():
            return []
        case HandDealt():
            return []
        case RoundEnded():
            return [event_sentence(event, names), *unveil_lines(event, names)]
        case GameEnded():
            return result(view.score, names, is_brief=bool(card))
        case DwarfDealt() | Dealt() | DiscardedCard() | GoalPeeked() | GoldReceived():
            return [event_sentence(event, names)]
        case RoundBegan(number=1):
            edition = view.table.edition
            unusual = [] if edition == INTERNATIONAL else [edition_sentence(edition)]
            return [event_sentence(event, names), *unusual]
        case RoundBegan() | TurnEvent() | Revealed() | Skipped():
            return [event_sentence(event, names, card)]
        case GoldDrawn() | SaboteursPaid():
            return [event_sentence(event, names)]
        case _:
            assert_never(event)


def log_lines(events: Sequence[Event], view: View, names: PlayerNames, card: str = "") -> list[str]:
    """Return the events of a round as lines.

    Drawn cards have none: the view has only the present pile, not the one at the time.
    """
    told = (event for event in events if not isinstance(event, Drew))
    return [line for event in told for line in event_lines(event, view, names, card)]


@dataclass(frozen=True, slots=True)
class PlayerActions:
    """Actions of one player in a round.

    `paths` and `dead_ends` are numbers of cards laid, `passes` of cards discarded face down. Tools
    that the player `broke` or `repaired` are given with the seat of their owner. `rockfalls` and
    `looks` are the cells of cards brought down, and of goals looked at.
    """

    paths: int = 0
    dead_ends: int = 0
    broke: tuple[tuple[Tool, int], ...] = ()
    repaired: tuple[tuple[Tool, int], ...] = ()
    rockfalls: tuple[Cell, ...] = ()
    looks: tuple[Cell, ...] = ()
    passes: int = 0

    @staticmethod
    def of(seat: int, view: View) -> PlayerActions:
        """Return what a seat has done so far in the round of a view."""
        done = PlayerActions()
        for event in view.history:
            if isinstance(event, TurnEvent) and event.seat == seat:
                done = done.after(event)
        return done

    def after(self, event: PlayedTurn) -> PlayerActions:
        """Return these actions and one more."""
        match event:
            case Laid(_, path) if path.through:
                return replace(self, paths=self.paths + 1)
            case Laid():
                return replace(self, dead_ends=self.dead_ends + 1)
            case Broke(_, of, owner):
                return replace(self, broke=(*self.broke, (of, owner)))
            case Repaired(_, _, owner, of):
                return replace(self, repaired=(*self.repaired, (of, owner)))
            case Collapsed(_, cell):
                return replace(self, rockfalls=(*self.rockfalls, cell))
            case Looked(_, cell):
                return replace(self, looks=(*self.looks, cell))
            case Passed():
                return replace(self, passes=self.passes + 1)
            case _:
                assert_never(event)


def since_turn(view: View, chat: ChatHistory) -> tuple[Event | ChatLine, ...]:
    """Return the public events and the chat of this round since the last turn of the view's seat.

    Before its first turn they are those of the round; for a watcher, of as many turns as there are
    players.
    """
    found: list[Event | ChatLine] = []
    turns = 0
    for one in reversed(round_in_order(view, chat)):
        turns += isinstance(one, TurnEvent)
        if isinstance(one, RoundBegan) or turns > view.table.players:
            break
        if isinstance(one, TurnEvent) and one.seat == view.seat:
            break
        if isinstance(one, ChatLine) or addressee(one) is None:
            found.append(one)
    return tuple(found[::-1])


def round_in_order(view: View, chat: ChatHistory) -> Sequence[Event | ChatLine]:
    """Return the events and the chat of this round in order."""
    number = view.score.number
    return [*in_order(view, tuple(line for line in chat if line.when.round == number))]


def round_lines(found: Iterable[Event | ChatLine], view: View, names: PlayerNames) -> Sequence[str]:
    """Return events and chat of this round as lines."""
    return [
        text
        for one in found
        for text in (
            [chat_words(one, names.names)]
            if isinstance(one, ChatLine)
            else log_lines([one], view, names)
        )
    ]


def breakers(view: View) -> Mapping[tuple[int, Tool], int]:
    """Return who broke each tool that is broken now, by its owner and the tool."""
    found: dict[tuple[int, Tool], int] = {}
    for event in view.history:
        if isinstance(event, Broke):
            found[event.target, event.tool] = event.seat
        elif isinstance(event, Repaired):
            found.pop((event.target, event.tool), None)
    return found


def tool_broken_by(of: Tool, owner: int, view: View, names: PlayerNames) -> str:
    """Return a broken tool with who broke it, if that is known."""
    by = breakers(view).get((owner, of))
    if by is None:
        return tool(of)
    # Translators: a broken tool, and who broke it: pick (by Bruno).
    return _("{tool} (by {name})").format(tool=tool(of), name=names.call(by))


def broken_by_words(owner: int, view: View, names: PlayerNames) -> str:
    """Return the broken tools of a player, each with who broke it; "" for none."""
    tools = Tool.within(view.table.broken[owner])
    return join_words([tool_broken_by(one, owner, view, names) for one in tools])


def no_paths(tools: Sequence[Tool], view: View, names: PlayerNames) -> str:
    """Return the sentence that broken tools of the reader keep them from laying paths (P4)."""
    by = breakers(view)
    found = [
        by[view.seat, one] for one in tools if view.seat is not None and (view.seat, one) in by
    ]
    who = ", ".join(names.call(seat) for seat in dict.fromkeys(found))
    broken = join_words([tool(one) for one in tools])
    if not who:
        text = ngettext(
            "Your {tools} is broken: no digging.",
            "Your {tools} are broken: no digging.",
            len(tools),
        )
        return text.format(tools=broken)
    text = ngettext(
        # Translators: {names} broke the tools.
        "Your {tools} is broken (by {names}): no digging.",
        "Your {tools} are broken (by {names}): no digging.",
        len(tools),
    )
    return text.format(tools=broken, names=who)


def story_lines(view: View, names: PlayerNames) -> list[str]:
    """Return the news since the reader's last turn: what others did last, none if nothing.

    A tool of the reader's that was broken, and still is, comes before all else; a second sentence
    then tells what the reader can do all the same.
    """
    turns = [one for one in since_turn(view, ()) if isinstance(one, TurnEvent)]
    harm = [
        one
        for one in turns
        if isinstance(one, Broke)
        and one.target == view.seat
        and view.table.broken[one.target] & one.tool.bit
    ]
    told = [event_sentence(one, names) for one in (harm or turns)[-1:]]
    return [*told, _still_can(view)] if harm else told


def _still_can(view: View) -> str:
    """Return the sentence on what the cards in hand can do with a broken tool."""
    assert view.seat is not None
    found = [
        action_words(card).deed
        for card in view.hand
        if any(rules.plays(view.table, view.seat, (card,)))
    ]
    # Translators: while a tool is broken: {deeds} is such as "repair, break and look".
    text = _("You can still {deeds}.")
    return text.format(deeds=join_words([*dict.fromkeys(found)] or [pgettext("deed", "pass")]))


def action_rows(seat: int, view: View, talk: Talk, names: PlayerNames) -> Sequence[tuple[str, str]]:
    """Return what a player has done so far in the round, as rows of a title and the facts."""
    done = PlayerActions.of(seat, view)
    paths = ngettext("{count} tunnel", "{count} tunnels", done.paths).format(count=done.paths)
    laid = [paths] if done.paths else []
    laid += [dead_ends_counted(done.dead_ends)] if done.dead_ends else []
    said = [
        claim_words(table_claim(one.claim), names.names) for one in talk.said if one.seat == seat
    ]
    rows = (
        # Translators: titles of what a player has done; at most 10 columns.
        (pgettext("player", "broken"), broken_by_words(seat, view, names)),
        (pgettext("player", "laid"), join_words(laid)),
        (pgettext("player", "broke"), join_owned(done.broke, seat, names)),
        (pgettext("player", "repaired"), join_owned(done.repaired, seat, names)),
        (pgettext("player", "rockfall"), _rockfalls(done.rockfalls, names)),
        (pgettext("card", "map"), ", ".join(map(goal_name, done.looks))),
        (pgettext("player", "passed"), _times(done.passes) if done.passes else ""),
        *((pgettext("player", "said"), text) for text in said),
    )
    return [row for row in rows if row[1]]


def action_lines(seat: int, view: View, talk: Talk, names: PlayerNames) -> list[str]:
    """Return what a player has done so far in the round, as lines."""
    rows = action_rows(seat, view, talk, names)
    return [_("{title}: {facts}").format(title=title, facts=facts) for title, facts in rows] or [
        nothing_done()
    ]


def nothing_done() -> str:
    """Return the sentence on a round, or on a player, without a turn so far."""
    return _("Nothing yet in this round.")


def join_owned(tools: Sequence[tuple[Tool, int]], actor: int, names: PlayerNames) -> str:
    """Return tools with their owners, each once with how often it is meant."""
    found = []
    for (of, owner), count in Counter(tools).items():
        text = tool_of(of, owner, names, actor)
        if count > 1:
            text = _("{name} ({facts})").format(name=text, facts=_times(count))
        found.append(text)
    return ", ".join(found)


def _rockfalls(cells: Sequence[Cell], names: PlayerNames) -> str:
    """Return the cells of rockfalls: a bare number would sound like a count."""
    at = "; ".join(cell_words(cell, spelt=names.spelt) for cell in cells)
    return _("at {cells}").format(cells=at) if cells else ""


def _times(count: int) -> str:
    return ngettext("{count} time", "{count} times", count).format(count=count)
