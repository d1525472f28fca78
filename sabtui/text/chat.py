"""Chat in words: free text unchanged, quick claims in the reader's own language.

A claim may be a lie; nothing here checks it against the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.board import GOAL_CELLS
from engine.cards import Tool
from net.lobby.chat import ChatLine
from net.lobby.model import TableClaim, Topic
from sabtui.text.cards import goal_name, tool
from sabtui.text.i18n import _


def chat_words(line: ChatLine, names: Sequence[str]) -> str:
    """Return a chat line with its speaker. `names` are the current names by seat."""
    said = line.text if line.claim is None else claim_words(line.claim, names)
    return _("{name}: {said}").format(name=line.name, said=said)


def claim_words(claim: TableClaim, names: Sequence[str]) -> str:
    """Return a claim in words. `names` are the current names by seat."""
    match claim.topic:
        case Topic.GOLD_AT:
            return _("{goal}: gold").format(goal=goal_name(GOAL_CELLS[claim.about]))
        case Topic.STONE_AT:
            return _("{goal}: stone").format(goal=goal_name(GOAL_CELLS[claim.about]))
        case Topic.DIGS_FOR_US:
            return _("I think {name} is a miner").format(name=_at(claim.about, names))
        case Topic.DIGS_AGAINST_US:
            return _("I think {name} is a saboteur").format(name=_at(claim.about, names))
        case Topic.HELP_ME:
            return _("please repair my {tool}").format(tool=tool(tuple(Tool)[claim.about]))
        case Topic.BLUFF:
            return _("{name} is bluffing").format(name=_at(claim.about, names))
        case Topic.WHO_ME:
            return _("who, me?")
        case _:
            assert_never(claim.topic)


def quick_claims(seats: int, me: int | None) -> tuple[TableClaim, ...]:
    """Return all claims that seat `me` (`None`: a watcher) can make, in the order of the menu."""
    others = [seat for seat in range(seats) if seat != me]
    goals, tools = range(len(GOAL_CELLS)), range(len(Tool))
    return (
        *(TableClaim(topic, goal) for goal in goals for topic in (Topic.GOLD_AT, Topic.STONE_AT)),
        *(TableClaim(Topic.HELP_ME, broken) for broken in tools),
        *(TableClaim(Topic.DIGS_AGAINST_US, seat) for seat in others),
        *(TableClaim(Topic.DIGS_FOR_US, seat) for seat in others),
        *(TableClaim(Topic.BLUFF, seat) for seat in others),
        TableClaim(Topic.WHO_ME),
    )


def _at(seat: int, names: Sequence[str]) -> str:
    """Return the name of a seat's player; the table may have fewer seats now than at the time."""
    return names[seat] if seat < len(names) else _("seat {seat}").format(seat=seat + 1)
