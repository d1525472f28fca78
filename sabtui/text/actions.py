"""The actions of each player in the present round: counted, and in words.

All of it follows from the public events that a view holds. The history of a view may begin in
mid-round: then nothing is known of who broke a tool before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from engine import rules
from engine.board import Cell
from engine.bots.talk import Talk
from engine.cards import Tool
from engine.events import (
    Broke,
    Collapsed,
    Event,
    Laid,
    Looked,
    Passed,
    PlayedTurn,
    Repaired,
    RoundBegan,
    TurnEvent,
    addressee,
)
from engine.view import View
from net.protocol.chat import ChatHistory, ChatLine, in_order, table_claim
from sabtui.text.cards import action_words, cell_words, dead_ends_counted, goal_name, tool, tool_of
from sabtui.text.events import event_sentence, log_lines
from sabtui.text.i18n import _, join_words, ngettext, pgettext
from sabtui.text.names import PlayerNames
from sabtui.text.talk import chat_words, claim_words


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
