"""Plausibility checks on what a host sends: events, whole views, and the lobby.

A client checks every event and every view before applying it, so that no host, not even a modified
program, can bring it into a state that no game leads to. A lie that fits the rules goes unnoticed.

A lobby is checked once, as it arrives, so that all of it can be shown on any terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, assert_never

from engine import events
from engine.board import GOAL_CELLS
from engine.cards import BREAK, DECK, GOALS, Card, Goal, Tool
from engine.dealing import HAND_SIZES, dwarves
from engine.edition import Edition
from engine.events import Event, GoldEvent, Private
from engine.game import NUGGETS_DUE
from engine.mistakes import NotationError
from engine.rules import why_not
from engine.state import Phase
from engine.view import View
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.chat import ChatLine
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import (
    MAX_PEOPLE,
    THE_TABLE,
    BotChair,
    Lobby,
    SeedDraw,
    is_clean_level,
    is_clean_text,
)
from net.protocol.text import is_clean_name

_COPIES: Final = Counter(DECK)
_GOAL_PATHS: Final = frozenset(path for goal in GOALS for path in goal.ways)

_Turn = events.FaceUpPlay | events.Passed
_Gold = (
    events.GoldDrawn
    | events.ChoiceBegan
    | events.GoldTaken
    | events.SaboteursPaid
    | events.GameEnded
)


def can_follow(view: View, event: Event) -> bool:
    """Return True if an event can happen next, as far as the seat of this view knows."""
    table, players = view.table, view.table.players
    if isinstance(event, Private):
        return event.to == view.seat and _can_be_told(view, event)
    if isinstance(event, _Turn):
        return event.seat == table.turn and _can_be_played(view, event)
    if isinstance(event, _Gold):
        return _can_be_shared(view, event)
    match event:
        case events.RoundBegan():
            return _can_begin(view, event)
        case events.RoundEnded():
            return table.turn is not None and _can_end(view, event)
        case events.Revealed(cell, path):
            return cell in table.board.hidden and path in _GOAL_PATHS
        case events.Drew(seat):
            return seat < players and table.pile > 0
        case events.Skipped(seat):
            return seat < players
        case events.TurnBegan(seat):
            return seat < players and table.hands[seat] > 0
        case _:
            assert_never(event)


def is_settled(view: View) -> bool:
    """Return True if a seat's own knowledge matches the public facts, as after every step.

    The seat must know its own hand, gold and looks in the numbers that everybody knows.
    """
    table, score, seat = view.table, view.score, view.seat
    if score.number == 0 or (table.turn is not None and table.hands[table.turn] == 0):
        return False
    if not Counter(_cards_known(view)) <= _COPIES:
        return False
    if seat is None:
        return view == view._replace(
            role=None, hand=(), peeks=(None, None, None), buried=(), gold=(), offer=()
        )
    seen = tuple(goal is not None for goal in view.peeks)
    return (
        view.role is not None
        and len(view.hand) == table.hands[seat]
        and len(view.buried) == table.buried[seat]
        and len(view.gold) == score.cards[seat]
        and len(view.offer) == (score.offer if score.chooser == seat else 0)
        and seen == tuple(cell in table.looks[seat] for cell in GOAL_CELLS)
    )


def _cards_known(view: View) -> Iterator[Card]:
    """Yield every card that a seat can locate (S3, S4)."""
    table = view.table
    yield from (*view.hand, *view.buried, *table.discards)
    yield from (table.board.cards[cell].card for cell in table.board.tunnels())
    yield from (BREAK[tool] for tools in table.broken for tool in Tool.within(tools))


def follows_from_history(view: View) -> bool:
    """Return True if replaying a view's own ledger and history gives that view."""
    told = sum(isinstance(event, GoldEvent) for event in view.history)
    ledger = view.ledger[: len(view.ledger) - told]
    before = View.before(view.table.edition, view.table.players, view.score.rounds, view.seat)
    for gold in ledger:
        if not can_follow(before, gold):
            return False
        before = before.after(gold)
    number = max(view.score.number - 1, 0)
    score = replace(before.score, number=number, wins=view.score.wins[:number])
    before = before._replace(score=score)
    for heard in view.history:
        if not can_follow(before, heard):
            return False
        before = before.after(heard)
    return before == view


def _can_be_told(view: View, event: Private) -> bool:
    """Return True if a seat can receive this secret, given the public facts."""
    table, score, seat = view.table, view.score, event.to
    match event:
        case events.DwarfDealt():
            return view.role is None and score.number > 0
        case events.HandDealt(_, cards):
            fresh = not view.hand and len(cards) == table.hands[seat]
            return fresh and Counter(cards) <= _COPIES
        case events.Dealt():
            return len(view.hand) < table.hands[seat]
        case events.DiscardedCard(_, card):
            return card in view.hand and len(view.buried) < table.buried[seat]
        case events.GoalPeeked(_, cell, goal):
            return cell in table.looks[seat] and _goals_fit(view, {cell: goal})
        case events.GoldShown(_, nuggets):
            return score.chooser == seat and len(nuggets) == score.offer
        case events.GoldReceived(_, nuggets):
            return len(view.gold) + len(nuggets) == score.cards[seat]
        case _:
            assert_never(event)


def _can_be_played(view: View, event: _Turn) -> bool:
    """Return True if the seat can play this card; our own seat needs it in its hand."""
    table, seat = view.table, event.seat
    if table.hands[seat] == 0:
        return False
    if isinstance(event, events.Passed):
        return True  # discarded face down: only its seat knows which card it was
    play = events.move_of(event)
    if isinstance(event, events.Collapsed) and event.path != table.board.cards.get(event.cell):
        return False
    hand = view.hand if seat == view.seat else (play.card,)
    return why_not(table, seat, hand, play) is None


def _can_begin(view: View, event: events.RoundBegan) -> bool:
    """Return True if the next round can be dealt like this (S2, S7)."""
    players, score = view.table.players, view.score
    size = HAND_SIZES[players]
    return (
        view.phase is Phase.DEAL
        and event.number == score.number + 1 <= score.rounds
        and event.starter < players
        and event.hands == (size,) * players
        and event.pile == len(DECK) - size * players
    )


def _can_end(view: View, event: events.RoundEnded) -> bool:
    """Return True if these can be the dwarves and the goals of the round (S2, S3)."""
    players, seat = view.table.players, view.seat
    if Counter((*event.roles, event.spare)) != Counter(dwarves(players)):
        return False
    if len(event.roles) != players or Counter(event.goals) != Counter(GOALS):
        return False
    known = view.role in (None, None if seat is None else event.roles[seat])
    return known and _goals_fit(view, dict(zip(GOAL_CELLS, event.goals, strict=True)))


def _goals_fit(view: View, told: dict[tuple[int, int], Goal]) -> bool:
    """Return True if the goals `told` agree with the board and with what the seat has seen."""
    cards = view.table.board.cards
    for cell, seen in zip(GOAL_CELLS, view.peeks, strict=True):
        goal = told.get(cell)
        if goal is None:
            continue
        if seen not in (None, goal) or (cell in cards and cards[cell] not in goal.ways):
            return False
    return True


def _can_be_shared(view: View, event: _Gold) -> bool:
    """Return True if gold can be shared like this (D1 to D8, F1)."""
    players, score = view.table.players, view.score
    match event:
        case events.GoldDrawn(count):
            return score.offer == 0 < count <= score.pile
        case events.ChoiceBegan(seat):
            return seat < players and score.chooser is None and score.offer > 1
        case events.GoldTaken(seat):
            return seat < players and score.offer > 0 and score.chooser in (None, seat)
        case events.SaboteursPaid(due, cards, chits):
            fits = len(cards) == len(chits) == players and sum(cards) <= score.pile
            return fits and due in NUGGETS_DUE.values() and max(*cards, *chits) <= due
        case events.GameEnded(gold):
            mine = view.seat is None or gold[view.seat : view.seat + 1] == (view.gold,)
            over = score.number == score.rounds and view.phase is Phase.DEAL
            return mine and over and tuple(map(len, gold)) == score.cards
        case _:
            assert_never(event)


def is_clean_lobby(lobby: Lobby) -> bool:
    """Return True if a lobby is possible: clean names, each person once, valid settings."""
    bots = [chair for chair in lobby.chairs if isinstance(chair, BotChair)]
    names = [lobby.name, *(bot.name for bot in bots), *(person.name for person in lobby.people)]
    names += [row.name for row in lobby.evening.rows]
    levels = [lobby.settings.stand_in, *(bot.level for bot in bots)]
    return (
        lobby.is_sound
        and (lobby.is_hall or lobby.settings.youngest < len(lobby.chairs))
        and len(lobby.people) <= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE)
        and lobby.board.is_clean
        and (lobby.host == THE_TABLE or lobby.person(lobby.host) is not None)
        and _is_edition(lobby.settings.edition)
        and all(map(is_clean_name, names))
        and (lobby.draw is None or _is_clean_draw(lobby.draw))
        and all(map(lobby.has_deserted, lobby.deserted))
        and all(map(is_clean_level, levels))
    )


def _is_clean_draw(draw: SeedDraw) -> bool:
    """Return True if a draw has clean names, and as many commitments and shares as people."""
    asked, some = (*draw.people, *draw.absent), len(draw.people)
    return (
        len({person.member for person in asked}) == len(asked)
        and all(is_clean_name(person.name) for person in asked)
        and (not draw.host_name or is_clean_name(draw.host_name))
        and len(draw.commitments) in {0, some}
        and len(draw.shares) == (len(draw.commitments) if draw.done else 0)
        and (not draw.done or len(draw.shares) == some)
    )


def is_clean_line(line: ChatLine) -> bool:
    """Return True if a line of chat has clean text and names, and its claim a valid subject.

    The claim is checked against the most seats that any table has: the table may have had more
    seats when the claim was made than it has now.
    """
    fits = line.claim is None or line.claim.fits(MAX_SEATS)
    return fits and is_clean_name(line.name) and is_clean_text(line.text)


def _is_edition(text: str) -> bool:
    try:
        Edition.read(text)
    except NotationError:
        return False
    return True
