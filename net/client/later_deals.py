"""Deals after a table has moved, compared with what this program saw of their rounds.

Nobody has a whole record of such a game. Its last host shows the own shares in its draws, and from
each of them its round's deal follows, but for the gold: of that no program knows what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.board import GOAL_CELLS
from engine.cards import Card
from engine.dealing import Deal, Draw, deal
from engine.events import (
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    FaceUpPlay,
    GoalPeeked,
    HandDealt,
    RoundEnded,
    move_of,
)
from net.client.draws import SeenDraw
from net.room.seeds import finish_draw


def read_draw(seen: SeenDraw, share: bytes) -> Draw | None:
    """Return a draw that was seen with its host's share, `None` if they do not fit each other."""
    draw = seen.draw
    if draw is None or (seen.own and seen.own not in draw.shares):
        return None
    try:
        drawn = finish_draw(draw, share)
    except ValueError:  # no share has this length
        return None
    return drawn if drawn.commitment(drawn.host) == draw.host else None


def deal_of(draw: Draw, number: int, players: int) -> Deal:
    """Return the deal of round `number` from a draw; its gold is none."""
    return deal(draw.seed, number, players, ())


def find_other(dealt: Deal, events: Iterable[Event]) -> Event | None:
    """Return the first event of a round that does not follow from its deal, `None` if all do."""
    hands = [Counter(hand) for hand in dealt.hands]
    pile, drawn = iter(dealt.pile), None
    hidden = dict(zip(GOAL_CELLS, dealt.goals, strict=True))
    for event in events:
        match event:
            case DwarfDealt(to, role):
                fits = role is dealt.roles[to]
            case HandDealt(to, cards):
                fits = cards == dealt.hands[to]
            case Drew(seat):
                drawn = next(pile, None)
                hands[seat].update([] if drawn is None else [drawn])
                fits = drawn is not None
            case Dealt(_, card):
                fits = card is drawn
            case DiscardedCard(to, card):
                fits = _take(hands[to], card)
            case GoalPeeked(_, cell, goal):
                fits = goal is hidden.get(cell)
            case RoundEnded(_, roles, spare, goals):
                fits = (roles, spare, goals) == (dealt.roles, dealt.spare, dealt.goals)
            case _:
                fits = not isinstance(event, FaceUpPlay) or _take(
                    hands[event.seat], move_of(event).card
                )
        if not fits:
            return event
    return None


def _take(hand: Counter[Card], card: Card) -> bool:
    """Take a card from a hand; return False if it is not there."""
    hand[card] -= 1
    return hand[card] >= 0
