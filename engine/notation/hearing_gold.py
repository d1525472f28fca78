"""From a seat's own record back to what that seat heard of gold (RULES D).

Knows who chooses when and how many cards there are, because everybody does (D4, D7).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from engine.cards import Role
from engine.events import (
    ChoiceBegan,
    GameEnded,
    GoldDrawn,
    GoldGot,
    GoldShown,
    GoldTaken,
    RoundEnded,
    SaboteursPaid,
)
from engine.gold import DUE, next_miner, offered
from engine.notation.cells import format_seat, read_number
from engine.notation.check import END
from engine.notation.hearing import Hearing
from engine.notation.lines import Told
from engine.notation.moves import Heard, read_nuggets
from engine.notation.text import Piece
from engine.table import GOLD_CARDS

_CARDS: Final = re.compile(r"3*2*1*")
_MOST: Final = max(GOLD_CARDS)


def hear_gold(hearing: Hearing, end: RoundEnded) -> None:
    """Hear how the gold of a round was shared, and after the last one who has what (D, F1).

    Raises `NotationError`.
    """
    if end.winner is Role.SABOTEUR:
        _hear_payment(hearing, end)
    elif not _hear_sharing(hearing, end):
        return
    if hearing.view.score.number == hearing.view.score.rounds:
        _hear_all(hearing)


def _hear_sharing(hearing: Hearing, end: RoundEnded) -> bool:
    """Hear what the miners take (D1 to D4); `False` where the record ends before all is taken."""
    words, me, finder = hearing.words, hearing.view.seat, hearing.table.last_path
    count = offered(hearing.table.edition, end.roles)
    words.expect(Told.GOLD.value, str(count))
    hearing.hear(GoldDrawn(count))
    assert finder is not None
    seat = finder if end.roles[finder] is Role.MINER else next_miner(end.roles, finder)
    for left in range(count, 0, -1):
        if left > 1:
            hearing.hear(ChoiceBegan(seat))
        if seat != me:
            if words.next == END and left > 1:
                return False
            words.expect(Heard.KEEP.value)
            hearing.hear(GoldTaken(seat))
        else:
            kept = words.take()
            if left > 1:
                kept = _hear_offer(hearing, kept, left)
            if kept.text == Heard.KEEP.value and left > 1:
                return False
            nuggets = read_nuggets(kept.cut(1))
            if left > 1 and nuggets not in hearing.view.offer:
                raise kept.wrong("this gold card is not among those to choose from (D4)")
            hearing.hear(GoldTaken(seat), GoldGot(seat, (nuggets,)))
        seat = next_miner(end.roles, seat)
    return True


def _hear_offer(hearing: Hearing, piece: Piece, left: int) -> Piece:
    """Hear what one's own seat may choose from (D4). Returns what it kept, `$?` for not yet."""
    kept, shown = piece.parted(":")
    if shown is None or shown.text[:1] != "(" or shown.text[-1:] != ")":
        raise piece.wrong("what there was to choose from is missing, as in $2:(32)")
    nuggets = _read_cards(shown.cut(1, len(shown.text) - 1), left)
    assert hearing.view.seat is not None
    hearing.hear(GoldShown(hearing.view.seat, nuggets))
    return kept


def _hear_payment(hearing: Hearing, end: RoundEnded) -> None:
    """Hear what the saboteurs are paid, if there are any among the players (D5, D6, D8)."""
    saboteurs = end.roles.count(Role.SABOTEUR)
    if not saboteurs:
        return
    words, me, due = hearing.words, hearing.view.seat, DUE[saboteurs]
    words.expect(Told.PAID.value, str(due))
    piece = words.take()
    cards = _read_counts(piece, hearing.table.players)
    chits = _read_counts(words.take(), hearing.table.players)
    for seat, (role, paid, chit) in enumerate(zip(end.roles, cards, chits, strict=True)):
        nuggets = due - chit if role is Role.SABOTEUR else -chit
        if not paid <= nuggets <= _MOST * paid:
            raise piece.wrong(
                "seat {seat} cannot have been paid like this (D5, D8)", seat=format_seat(seat)
            )
    hearing.hear(SaboteursPaid(due, cards, chits))
    if me is not None and cards[me]:
        got = words.take()
        nuggets_got = _read_cards(got.cut(1), cards[me])
        if sum(nuggets_got) != due - chits[me]:
            raise got.wrong("this is not what was paid (D5)")
        hearing.hear(GoldGot(me, nuggets_got))


def _hear_all(hearing: Hearing) -> None:
    """Hear what gold each seat has, once the game is over (F1)."""
    hearing.words.expect(Told.SHOWN.value)
    piece = hearing.words.take()
    parts = piece.split(",")
    score, me = hearing.view.score, hearing.view.seat
    if len(parts) != hearing.table.players:
        raise piece.wrong("{players} seats show their gold (F1)", players=hearing.table.players)
    gold = tuple(
        _read_cards(part.cut(1) if not cards and part.text == "-" else part, cards)
        for part, cards in zip(parts, score.cards, strict=True)
    )
    if me is not None and gold[me] != hearing.view.gold:
        raise parts[me].wrong("seat {seat} took other gold (F1)", seat=format_seat(me))
    if not Counter(nuggets for cards in gold for nuggets in cards) <= Counter(GOLD_CARDS):
        raise piece.wrong("there are not so many such gold cards (S5)")
    hearing.hear(GameEnded(gold))


def _read_cards(piece: Piece, count: int) -> tuple[int, ...]:
    """So many gold cards, from most nuggets to least."""
    if len(piece.text) != count or _CARDS.fullmatch(piece.text) is None:
        raise piece.wrong(
            "gold cards should stand here, {count} of 3, 2 or 1, from most to least", count=count
        )
    return tuple(int(nuggets) for nuggets in piece.text)


def _read_counts(piece: Piece, players: int) -> tuple[int, ...]:
    """A number for each seat."""
    parts = piece.split(",")
    if len(parts) != players:
        raise piece.wrong("a number for each of {players} seats should stand here", players=players)
    return tuple(read_number(part) for part in parts)
