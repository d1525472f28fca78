"""Plausibility checks on what a host sends: whole views, and the lobby.

A client checks the view after each step, and each lobby as it arrives, so that no host, not even a
modified program, can bring it into a state that cannot be shown. If the moves that led there are
legal is checked once the game is over (`net.client.audit`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.board import GOAL_CELLS
from engine.cards import BREAK, DECK, GOALS, Card, Tool
from engine.edition import Edition
from engine.events import GoldEvent
from engine.mistakes import NotationError
from engine.view import View
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.events import check_seats
from net.protocol.lobby import MAX_PEOPLE, THE_TABLE, Lobby, SeedDraw

_COPIES: Final = Counter(DECK)


def is_settled(view: View) -> bool:
    """Return True if a seat's own knowledge matches the public facts, as after every step.

    The seat must know its own hand, gold and looks in the numbers that everybody knows.

    Raises BadFrame: it is no view at all.
    """
    check_seats(view)
    table, score, seat = view.table, view.score, view.seat
    if not 1 <= score.number <= score.rounds or min(*table.hands, table.pile, score.pile) < 0:
        return False
    if table.turn is not None and table.hands[table.turn] == 0:
        return False
    if table.end is not None and Counter(table.end.goals) != Counter(GOALS):
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
    number = max(view.score.number - 1, 0)
    try:
        before = View.before(view.table.edition, view.table.players, view.score.rounds, view.seat)
        for gold in ledger:
            before = before.after(gold)
        score = replace(before.score, number=number, wins=view.score.wins[:number])
        before = before._replace(score=score)
        for heard in view.history:
            before = before.after(heard)
    except Exception:  # noqa: BLE001 - whatever comes of events that no game has
        return False
    return before == view


def is_possible_lobby(lobby: Lobby) -> bool:
    """Return True if there can be such a lobby: each person once, valid settings."""
    return (
        lobby.is_sound
        and (lobby.is_hall or lobby.settings.youngest < len(lobby.chairs))
        and len(lobby.people) <= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE)
        and lobby.board.is_sound
        and (lobby.host == THE_TABLE or lobby.person(lobby.host) is not None)
        and _is_edition(lobby.settings.edition)
        and (lobby.draw is None or _is_possible_draw(lobby.draw))
        and all(map(lobby.has_deserted, lobby.deserted))
    )


def _is_possible_draw(draw: SeedDraw) -> bool:
    """Return True if a draw has as many commitments and shares as people, each of them once."""
    asked, some = (*draw.people, *draw.absent), len(draw.people)
    return (
        len({person.member for person in asked}) == len(asked)
        and len(draw.commitments) in {0, some}
        and len(draw.shares) == (len(draw.commitments) if draw.done else 0)
        and (not draw.done or len(draw.shares) == some)
    )


def _is_edition(text: str) -> bool:
    try:
        Edition.read(text)
    except NotationError:
        return False
    return True
