"""From a seat's own record back to what that seat heard: its rounds and turns.

Knows no more than the seat did, and checks all that it could: that each move was one its seat could
make if it held the card, that no card came more often than the deck has it, that goals came up when
they were reached, that who could draw drew. So what is read can be folded into a `View`. Gold is
for `engine.notation.hearing_gold`.
"""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from engine.board import GOAL_CELLS
from engine.cards import CROSSROADS, DECK, GOALS, Card, Goal, Path, Role
from engine.deals import HAND_SIZES, dwarves
from engine.edition import DeadTable
from engine.events import (
    Broke,
    Buried,
    Collapsed,
    Dealt,
    Drew,
    DwarfDealt,
    Event,
    HandDealt,
    Laid,
    Looked,
    Passed,
    Public,
    Repaired,
    Revealed,
    RoundBegan,
    RoundEnded,
    Saw,
    TurnBegan,
)
from engine.moves import Break, Discard, Keep, Lay, Map, Play, Repair, Rockfall
from engine.notation.cells import format_cell, format_seat
from engine.notation.check import END
from engine.notation.lines import Told
from engine.notation.moves import Heard
from engine.notation.position_text import FIELDS, read_position
from engine.notation.text import Piece
from engine.notation.turns import Turn, read_turn
from engine.notation.words import Words
from engine.round import lying
from engine.rules import can_play, why_not
from engine.table import Table
from engine.view import View


class Hearing:
    """What a seat, or a watcher, has heard so far, and what it knew then: `events`, `view`."""

    def __init__(self, before: View, words: Words) -> None:
        self.events: list[Event] = []
        self.view = before
        self.words = words
        self._unseen = Counter(DECK)

    def hear(self, *events: Event) -> None:
        """Hear what happened next."""
        for event in events:
            self.view = self.view.after(event)
            self.events.append(event)

    @property
    def table(self) -> Table:
        """What lies face up."""
        return self.view.table

    def hear_round(self) -> RoundEnded | None:
        """Hear a round to its end; `None` where the record ends before. Raises `NotationError`."""
        seat = self._hear_deal()
        while self.words.next != END:
            self._hear_turn(seat, self.words.take())
            if self._is_over():
                return self._hear_end()
            # Whoever follows holds a card: hands that were dealt alike run out in one lap (T4).
            seat = (seat + self.table.edition.step) % self.table.players
            self.hear(TurnBegan(seat))
        return None

    def _hear_deal(self) -> int:
        """Hear a round's heading (S2, S7). Returns the seat that begins."""
        table, me = self.table, self.view.seat
        number = self.view.score.number + 1
        self.words.expect(Told.ROUND.value)
        self.words.expect(str(number))
        fields = [self.words.take() for _ in range(FIELDS)]
        _, _, turn, _, hands, pile, roles = fields
        position = read_position(fields, table.edition)
        starter, dealt = position.turn, position.table
        if position.players != table.players:
            raise hands.wrong("{players} play", players=table.players)
        if set(dealt.hands) != {HAND_SIZES[table.players]}:
            raise hands.wrong(
                "{cards} cards are dealt to each (S2)", cards=HAND_SIZES[table.players]
            )
        if position.viewer != me:
            raise hands.wrong("whose record this is, of that seat alone the hand is known")
        if sum(dealt.hands) + dealt.pile != len(DECK):
            raise pile.wrong("a round has {cards} cards (S7)", cards=len(DECK))
        if starter is None or (number > 1 and starter != table.next_starter()):
            raise turn.wrong("this seat does not begin the round (N2)")
        self.hear(RoundBegan(number, starter, dealt.hands, dealt.pile))
        self._unseen = Counter(DECK)
        if me is not None:
            role, hand = position.roles[me], position.hands[me]
            if role is None:
                raise roles.wrong("the dwarf of seat {seat} is missing (S2)", seat=format_seat(me))
            assert isinstance(hand, tuple)
            self._unseen.subtract(hand)
            self.hear(DwarfDealt(me, role), HandDealt(me, hand))
        self.hear(TurnBegan(starter))
        return starter

    def _hear_turn(self, seat: int, piece: Piece) -> None:
        """Hear a seat's turn (T1, T2)."""
        turn = read_turn(piece)
        mine = seat == self.view.seat
        move = self._checked(seat, turn.move, piece)
        if isinstance(move, Map) and (turn.saw is not None) != mine:
            raise piece.wrong("what a map showed is known to who looked, as in M@8:(NE) (A5)")
        if move is None:
            self.hear(Passed(seat))
        else:
            if not mine:
                self._see(move.card, piece)
            self.hear(_public(seat, move, self.table))
        if isinstance(move, Discard):
            self.hear(Buried(seat, move.card))
        if isinstance(move, Map) and turn.saw is not None:
            self._check_goal(move.cell, turn.saw, piece)
            self.hear(Saw(seat, move.cell, turn.saw))
        self._hear_reveals(turn, piece)
        self._hear_draw(seat, turn, piece)

    def _checked(self, seat: int, move: Play | Keep | Heard, piece: Piece) -> Play | None:
        """The move, if the seat could make it; `None` for a card that it discarded unseen."""
        mine = seat == self.view.seat
        if move is Heard.DISCARD and not mine:
            return None
        if isinstance(move, Heard | Keep) or (isinstance(move, Discard) and not mine):
            raise piece.wrong("this does not tell of a turn of seat {seat}", seat=format_seat(seat))
        reason = why_not(self.table, seat, self.view.hand if mine else (move.card,), move)
        if reason is not None:
            raise piece.wrong(
                "seat {seat} cannot do this now", detail=str(reason), seat=format_seat(seat)
            )
        return move

    def _hear_reveals(self, turn: Turn, piece: Piece) -> None:
        """Hear which goals came up, and check that they were reached (G1 to G3)."""
        told = dict(turn.reveals)
        heard: list[Event] = []
        while isinstance(turn.move, Lay) and not self._treasure_is_up():
            board = self.table.board
            opened = board.opened_goals()
            if not opened:
                break
            for cell in opened:
                path = told.get(cell)
                if path is None:
                    raise piece.wrong(
                        "goal {cell} is reached: what is it? (G1)", cell=format_cell(cell)
                    )
                self._check_goal(cell, Goal.lying(path), piece)
                lies = lying(Goal.lying(path), cell, board, turn.move.cell)
                if path is not lies:
                    raise piece.wrong(
                        "goal {cell} comes to lie as {path} (G3)",
                        cell=format_cell(cell),
                        path=lies.text,
                    )
            now = [Revealed(cell, told[cell]) for cell in opened]
            self.hear(*now)
            heard += now
        if heard != [Revealed(cell, path) for cell, path in turn.reveals]:
            raise piece.wrong("not these goals are reached, or not in this order (G1)")

    def _hear_draw(self, seat: int, turn: Turn, piece: Piece) -> None:
        """Hear that a card was drawn, if there was one (T2, T3)."""
        mine = seat == self.view.seat
        if turn.drew != (self.table.pile > 0 and not self._treasure_is_up()):
            raise piece.wrong("after a turn a card is drawn, = and the card or ?, if there is one")
        if turn.drew and (turn.card is not None) != mine:
            raise piece.wrong("the card that is drawn is known to who drew it (K)")
        if turn.drew:
            self.hear(Drew(seat))
        if turn.card is not None:
            self._see(turn.card, piece)
            self.hear(Dealt(seat, turn.card))

    def _see(self, card: Card, piece: Piece) -> None:
        """Count a card that was not seen before in this round (S3, S4)."""
        self._unseen[card] -= 1
        if self._unseen[card] < 0:
            raise piece.wrong(
                "the last of {copies} cards {card} was seen before",
                copies=card.copies,
                card=card.text,
            )

    def _treasure_is_up(self) -> bool:
        return any(self.table.board.cards.get(cell) is CROSSROADS for cell in GOAL_CELLS)

    def _is_over(self) -> bool:
        """Whether the round has ended (R1 to R3); of R3, the record must be believed."""
        if self._treasure_is_up():
            return True
        if self.table.pile:
            return False
        dead_table = self.table.edition.dead_table is DeadTable.ENDS_ROUND
        return not any(self.table.hands) or (dead_table and self.words.next == Told.WON)

    def _hear_end(self) -> RoundEnded:
        """Hear who won, and what was turned up (R1 to R4)."""
        self.words.expect(Told.WON.value)
        won, dwarfs, faces = (self.words.take() for _ in range(3))
        winner = Role.MINER if self._treasure_is_up() else Role.SABOTEUR
        if won.text != winner.value:
            if winner is Role.MINER:
                raise won.wrong("the miners won, by what lies on the table (R1, R2): m")
            raise won.wrong("the saboteurs won, by what lies on the table (R1, R2): s")
        seat, hand = self.view.seat, self.view.hand
        if winner is Role.SABOTEUR and seat is not None and can_play(self.table, seat, hand):
            raise won.wrong("seat {seat} could still play a card (R3)", seat=format_seat(seat))
        roles, spare = self._dwarves(dwarfs)
        ended = RoundEnded(winner, roles, spare, self._goals(faces))
        self.hear(ended)
        return ended

    def _dwarves(self, piece: Piece) -> tuple[tuple[Role, ...], Role]:
        """Everybody's dwarf, and the one left over (S2)."""
        players, seat = self.table.players, self.view.seat
        seated, spare = piece.parted("+")
        letters = sorted(seated.text + (spare.text if spare else ""))
        if len(seated.text) != players or letters != sorted(dwarves(players)):
            raise piece.wrong(
                "these are not the dwarves of {players} players (S2)", players=players
            )
        roles = tuple(Role(letter) for letter in seated.text)
        if seat is not None and roles[seat] is not self.view.role:
            raise piece.wrong("seat {seat} was dealt another dwarf (S2)", seat=format_seat(seat))
        assert spare is not None
        return roles, Role(spare.text)

    def _goals(self, piece: Piece) -> tuple[Goal, Goal, Goal]:
        """All goals, from north to south (R4)."""
        parts = piece.split("/")
        if sorted(part.text for part in parts) != sorted(goal.text for goal in GOALS):
            raise piece.wrong("these are not the three goals (S3)")
        north, middle, south = (Goal.lying(Path.read(part.text)) for part in parts)
        for cell, goal in zip(GOAL_CELLS, (north, middle, south), strict=True):
            self._check_goal(cell, goal, piece)
        return north, middle, south

    def _check_goal(self, cell: tuple[int, int], goal: Goal, piece: Piece) -> None:
        """Refuse a goal that is not what was seen of it, or that was seen elsewhere."""
        known = dict(zip(GOAL_CELLS, self.view.peeks, strict=True))
        for at in GOAL_CELLS:
            lies = self.table.board.cards.get(at)
            seen = known[at] if lies is None else Goal.lying(lies)
            if seen is not None and (seen is goal) != (at == cell):
                raise piece.wrong(
                    "{cell} is known to be {goal}", cell=format_cell(at), goal=seen.text
                )


def _public(seat: int, move: Play, table: Table) -> Public:
    """What everybody sees of a move."""
    match move:
        case Lay(path, cell):
            return Laid(seat, path, cell)
        case Break(tool, target):
            return Broke(seat, tool, target)
        case Repair(card, target, tool):
            return Repaired(seat, card, target, tool)
        case Rockfall(cell):
            return Collapsed(seat, cell, table.board.cards[cell])
        case Map(cell):
            return Looked(seat, cell)
        case Discard():
            return Passed(seat)
        case _:
            assert_never(move)
