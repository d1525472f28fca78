"""Reads a seat's own record back into the events that the seat received, gold included.

The events fold into a `View`, against which each turn is checked as far as that seat can know.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from engine.board import GOAL_CELLS
from engine.cards import CROSSROADS, DECK, GOALS, Card, Goal, Path, Role
from engine.dealing import HAND_SIZES, dwarves
from engine.edition import DeadTable
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    GoldDrawn,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    TurnBegan,
    public_event,
)
from engine.game import NUGGETS_DUE, count_offered, first_miner, next_miner
from engine.moves import Discard, KeepGold, Lay, Map, ObservedMove, Play, read_nuggets
from engine.notation.lexer import END_WORD, TokenReader, Turn, read_turn
from engine.notation.position import FIELD_COUNT, read_position
from engine.notation.record_writer import LineKind
from engine.round import orient_goal
from engine.rules import can_play, why_not
from engine.state import GOLD_CARDS, Table
from engine.tokens import Span, format_cell, format_seat, read_number
from engine.view import View


class ObservedReplay:
    """The `events` that a seat or a watcher has received so far, and its `view` after them."""

    def __init__(self, before: View, reader: TokenReader) -> None:
        self.events: list[Event] = []
        self.view = before
        self.reader = reader
        self._unseen = Counter(DECK)

    def add(self, *events: Event) -> None:
        """Add the next events to `events`, and fold them into `view`."""
        for event in events:
            self.view = self.view.after(event)
            self.events.append(event)

    @property
    def table(self) -> Table:
        """The public table of the present view."""
        return self.view.table

    def read_round(self) -> RoundEnded | None:
        """Read a round to its end, or return `None` if the record ends before.

        Raises `NotationError`.
        """
        seat = self._read_deal()
        while self.reader.next != END_WORD:
            self._read_turn(seat, self.reader.take())
            if self._is_over():
                return self._read_end()
            # The next seat holds a card, so nobody is skipped (T4): all hands were dealt the same
            # size, and run out in the same lap.
            seat = (seat + self.table.edition.step) % self.table.players
            self.add(TurnBegan(seat))
        return None

    def _read_deal(self) -> int:
        """Read a round's heading (S2, S7). Returns the seat that begins."""
        table, me = self.table, self.view.seat
        number = self.view.score.number + 1
        self.reader.expect(LineKind.ROUND.value)
        self.reader.expect(str(number))
        fields = [self.reader.take() for _ in range(FIELD_COUNT)]
        _, _, turn, _, hands, pile, roles = fields
        position = read_position(fields, table.edition)
        starter, dealt = position.turn, position.table
        if position.players != table.players:
            raise hands.error("this game has {players} players", players=table.players)
        if set(dealt.hands) != {HAND_SIZES[table.players]}:
            raise hands.error(
                "each player is dealt {cards} cards (S2)", cards=HAND_SIZES[table.players]
            )
        if position.viewer != me:
            raise hands.error("only the hand of the seat that made this record is known")
        if sum(dealt.hands) + dealt.pile != len(DECK):
            raise pile.error("a round has {cards} cards (S7)", cards=len(DECK))
        if starter is None or (number > 1 and starter != table.next_starter()):
            raise turn.error("another seat begins this round (N2)")
        self.add(RoundBegan(number, starter, dealt.hands, dealt.pile))
        self._unseen = Counter(DECK)
        if me is not None:
            role, hand = position.roles[me], position.hands[me]
            if role is None:
                raise roles.error("the dwarf of seat {seat} is missing (S2)", seat=format_seat(me))
            assert isinstance(hand, tuple)
            self._unseen.subtract(hand)
            self.add(DwarfDealt(me, role), HandDealt(me, hand))
        self.add(TurnBegan(starter))
        return starter

    def _read_turn(self, seat: int, span: Span) -> None:
        """Read a seat's turn (T1, T2)."""
        turn = read_turn(span)
        mine = seat == self.view.seat
        move = self._check_move(seat, turn.move, span)
        if isinstance(move, Map) and (turn.saw is not None) != mine:
            raise span.error("the seat that looked knows the goal: write it, as in M@8:(NE) (A5)")
        if move is None:
            self.add(Passed(seat))
        else:
            if not mine:
                self._add_peek(move.card, span)
            self.add(public_event(seat, move, self.table.board))
        if isinstance(move, Discard):
            self.add(DiscardedCard(seat, move.card))
        if isinstance(move, Map) and turn.saw is not None:
            self._check_goal(move.cell, turn.saw, span)
            self.add(GoalPeeked(seat, move.cell, turn.saw))
        self._read_reveals(turn, span)
        self._read_draw(seat, turn, span)

    def _check_move(
        self, seat: int, move: Play | KeepGold | ObservedMove, span: Span
    ) -> Play | None:
        """Return the move if the seat could make it, or `None` for a card discarded unseen.

        Raises `NotationError`.
        """
        mine = seat == self.view.seat
        if move is ObservedMove.DISCARD and not mine:
            return None
        if isinstance(move, ObservedMove | KeepGold) or (isinstance(move, Discard) and not mine):
            raise span.error("it is not seat {seat}'s turn", seat=format_seat(seat))
        reason = why_not(self.table, seat, self.view.hand if mine else (move.card,), move)
        if reason is not None:
            raise span.error(
                "seat {seat} cannot do this now", detail=str(reason), seat=format_seat(seat)
            )
        return move

    def _read_reveals(self, turn: Turn, span: Span) -> None:
        """Read the goals turned up, and check that they were reached and lie right (G1 to G3).

        No move but `Lay` turns any up (G4), as in `Round.apply`.
        """
        told = dict(turn.reveals)
        events: list[Event] = []
        while isinstance(turn.move, Lay) and not self._treasure_is_up():
            board = self.table.board
            opened = board.opened_goals()
            if not opened:
                break
            for cell in opened:
                path = told.get(cell)
                if path is None:
                    raise span.error(
                        "goal {cell} is reached: what is it? (G1)", cell=format_cell(cell)
                    )
                self._check_goal(cell, Goal.lying(path), span)
                lies = orient_goal(Goal.lying(path), cell, board, turn.move.cell)
                if path is not lies:
                    raise span.error(
                        "goal {cell} has to lie as {path} (G3)",
                        cell=format_cell(cell),
                        path=lies.text,
                    )
            now = [Revealed(cell, told[cell]) for cell in opened]
            self.add(*now)
            events += now
        if events != [Revealed(cell, path) for cell, path in turn.reveals]:
            raise span.error("these are not the goals reached, or not in this order (G1)")

    def _read_draw(self, seat: int, turn: Turn, span: Span) -> None:
        """Read the card drawn, if there was one to draw (T2, T3)."""
        mine = seat == self.view.seat
        if turn.drew != (self.table.pile > 0 and not self._treasure_is_up()):
            raise span.error(
                "each turn ends with a card drawn, if there is one: write = and the card, or =?"
            )
        if turn.drew and (turn.card is not None) != mine:
            raise span.error("the seat that drew this card knows it: write it (K)")
        if turn.drew:
            self.add(Drew(seat))
        if turn.card is not None:
            self._add_peek(turn.card, span)
            self.add(Dealt(seat, turn.card))

    def _add_peek(self, card: Card, span: Span) -> None:
        """Count a card seen for the first time in this round (S3, S4).

        Raises `NotationError` if all its copies were seen before.
        """
        self._unseen[card] -= 1
        if self._unseen[card] < 0:
            raise span.error(
                "no more {card}: the deck has {copies}, and all were seen already",
                copies=card.copies,
                card=card.text,
            )

    def _treasure_is_up(self) -> bool:
        return any(self.table.board.cards.get(cell) is CROSSROADS for cell in GOAL_CELLS)

    def _is_over(self) -> bool:
        """Return True if the round has ended (R1 to R3).

        The record must be trusted about R3, which depends on hands that the seat does not know.
        """
        if self._treasure_is_up():
            return True
        if self.table.pile:
            return False
        dead_table = self.table.edition.dead_table is DeadTable.ENDS_ROUND
        return not any(self.table.hands) or (dead_table and self.reader.next == LineKind.WON)

    def _read_end(self) -> RoundEnded:
        """Read the winner, and the dwarves and goals turned up (R1 to R4)."""
        self.reader.expect(LineKind.WON.value)
        won, dwarfs, faces = (self.reader.take() for _ in range(3))
        winner = Role.MINER if self._treasure_is_up() else Role.SABOTEUR
        if won.text != winner.value:
            if winner is Role.MINER:
                raise won.error("the table shows that the miners won (R1, R2): write m")
            raise won.error("the table shows that the saboteurs won (R1, R2): write s")
        seat, hand = self.view.seat, self.view.hand
        if winner is Role.SABOTEUR and seat is not None and can_play(self.table, seat, hand):
            raise won.error("seat {seat} could still play a card (R3)", seat=format_seat(seat))
        roles, spare = self._dwarves(dwarfs)
        ended = RoundEnded(winner, roles, spare, self._goals(faces))
        self.add(ended)
        return ended

    def _dwarves(self, span: Span) -> tuple[tuple[Role, ...], Role]:
        """Read the dwarves of all seats, and the one left over (S2)."""
        players, seat = self.table.players, self.view.seat
        seated, spare = span.partition("+")
        letters = sorted(seated.text + (spare.text if spare else ""))
        if len(seated.text) != players or letters != sorted(dwarves(players)):
            raise span.error(
                "these are not the dwarf cards for {players} players (S2)", players=players
            )
        roles = tuple(Role(letter) for letter in seated.text)
        if seat is not None and roles[seat] is not self.view.role:
            raise span.error("seat {seat} was dealt another dwarf (S2)", seat=format_seat(seat))
        assert spare is not None
        return roles, Role(spare.text)

    def _goals(self, span: Span) -> tuple[Goal, Goal, Goal]:
        """Read all goals, from north to south (R4)."""
        parts = span.split("/")
        if sorted(part.text for part in parts) != sorted(goal.text for goal in GOALS):
            raise span.error("these are not the three goals (S3)")
        north, middle, south = (Goal.lying(Path.read(part.text)) for part in parts)
        for cell, goal in zip(GOAL_CELLS, (north, middle, south), strict=True):
            self._check_goal(cell, goal, span)
        return north, middle, south

    def _check_goal(self, cell: tuple[int, int], goal: Goal, span: Span) -> None:
        """Raise `NotationError` if a goal contradicts what was seen on its cell or on another."""
        for at in GOAL_CELLS:
            seen = self.view.goal_on(at)
            if seen is not None and (seen is goal) != (at == cell):
                raise span.error(
                    "{cell} is known to be {goal}", cell=format_cell(at), goal=seen.text
                )


_CARDS: Final = re.compile(r"3*2*1*")
_MOST: Final = max(GOLD_CARDS)


def read_gold(replay: ObservedReplay, end: RoundEnded) -> None:
    """Read the sharing of a round's gold, and after the last round all gold (D, F1).

    Raises `NotationError`.
    """
    if end.winner is Role.SABOTEUR:
        _read_payment(replay, end)
    elif not _read_sharing(replay, end):
        return
    if replay.view.score.number == replay.view.score.rounds:
        _read_final_gold(replay)


def _read_sharing(replay: ObservedReplay, end: RoundEnded) -> bool:
    """Read the miners' takes (D1 to D4); return `False` if the record ends before the last."""
    reader, me, finder = replay.reader, replay.view.seat, replay.table.last_path
    count = count_offered(replay.table.edition, end.roles)
    reader.expect(LineKind.GOLD.value, str(count))
    replay.add(GoldDrawn(count))
    assert finder is not None
    seat = first_miner(end.roles, finder)
    for left in range(count, 0, -1):
        if left > 1:
            replay.add(ChoiceBegan(seat))
        if seat != me:
            if reader.next == END_WORD and left > 1:
                return False
            reader.expect(ObservedMove.KEEP.value)
            replay.add(GoldTaken(seat))
        else:
            kept = reader.take()
            if left > 1:
                kept = _read_offer(replay, kept, left)
            if kept.text == ObservedMove.KEEP.value and left > 1:
                return False
            nuggets = read_nuggets(kept.cut(1))
            if left > 1 and nuggets not in replay.view.offer:
                raise kept.error("this gold card is not among those to choose from (D4)")
            replay.add(GoldTaken(seat), GoldReceived(seat, (nuggets,)))
        seat = next_miner(end.roles, seat)
    return True


def _read_offer(replay: ObservedReplay, span: Span, left: int) -> Span:
    """Read the offer to the record's own seat (D4). Returns its take, `$?` if not made yet."""
    kept, shown = span.partition(":")
    if shown is None or shown.text[:1] != "(" or shown.text[-1:] != ")":
        raise span.error("missing: the cards to choose from, as in $2:(32)")
    nuggets = _read_cards(shown.cut(1, len(shown.text) - 1), left)
    assert replay.view.seat is not None
    replay.add(GoldShown(replay.view.seat, nuggets))
    return kept


def _read_payment(replay: ObservedReplay, end: RoundEnded) -> None:
    """Read the payment of the saboteurs, if there are any among the players (D5, D6, D8)."""
    saboteurs = end.roles.count(Role.SABOTEUR)
    if not saboteurs:
        return
    reader, me, due = replay.reader, replay.view.seat, NUGGETS_DUE[saboteurs]
    reader.expect(LineKind.PAID.value, str(due))
    span = reader.take()
    cards = _read_counts(span, replay.table.players)
    chits = _read_counts(reader.take(), replay.table.players)
    for seat, (role, paid, chit) in enumerate(zip(end.roles, cards, chits, strict=True)):
        nuggets = due - chit if role is Role.SABOTEUR else -chit
        if not paid <= nuggets <= _MOST * paid:
            raise span.error(
                "seat {seat} cannot have been paid like this (D5, D8)", seat=format_seat(seat)
            )
    replay.add(SaboteursPaid(due, cards, chits))
    if me is not None and cards[me]:
        got = reader.take()
        nuggets_got = _read_cards(got.cut(1), cards[me])
        if sum(nuggets_got) != due - chits[me]:
            raise got.error("this is not the amount paid (D5)")
        replay.add(GoldReceived(me, nuggets_got))


def _read_final_gold(replay: ObservedReplay) -> None:
    """Read the gold of each seat, once the game is over (F1)."""
    replay.reader.expect(LineKind.SHOWN.value)
    span = replay.reader.take()
    parts = span.split(",")
    score, me = replay.view.score, replay.view.seat
    if len(parts) != replay.table.players:
        raise span.error(
            "{players} seats have to show their gold (F1)", players=replay.table.players
        )
    gold = tuple(
        _read_cards(part.cut(1) if not cards and part.text == "-" else part, cards)
        for part, cards in zip(parts, score.cards, strict=True)
    )
    if me is not None and gold[me] != replay.view.gold:
        raise parts[me].error("seat {seat} took different gold (F1)", seat=format_seat(me))
    if not Counter(nuggets for cards in gold for nuggets in cards) <= Counter(GOLD_CARDS):
        raise span.error("there are not that many gold cards of this kind (S5)")
    replay.add(GameEnded(gold))


def _read_cards(span: Span, count: int) -> tuple[int, ...]:
    """Read exactly `count` gold cards, from most nuggets to least."""
    if len(span.text) != count or _CARDS.fullmatch(span.text) is None:
        raise span.error(
            "expected {count} gold cards of 3, 2 or 1 here, highest first", count=count
        )
    return tuple(int(nuggets) for nuggets in span.text)


def _read_counts(span: Span, players: int) -> tuple[int, ...]:
    """Read a number for each seat."""
    parts = span.split(",")
    if len(parts) != players:
        raise span.error("expected a number for each of the {players} seats here", players=players)
    return tuple(read_number(part) for part in parts)
