"""One round: turns, actions, and how it ends (RULES T, A, R)."""

from collections import Counter
from dataclasses import dataclass, field

from engine import Break, Card, Deal, Discard, Lay, Map, Move, Path, Repair, Rockfall, Tool
from engine.edition import ConnectRule, DeadTable, Direction, Edition, StarterRule
from tests.oracle import mine, oracle_deck


@dataclass
class Happened:
    """What a move led to, beside what it did itself."""

    revealed: list[mine.Cards] = field(default_factory=list)
    skipped: list[int] = field(default_factory=list)
    drew: list[int] = field(default_factory=list)
    looked_at: str = ""


class OracleRound:
    """A round as it would lie on a real table, all cards face up."""

    def __init__(self, deal: Deal, edition: Edition, starter: int) -> None:
        """Set up (S2 to S8)."""
        self.edition = edition
        self.players = len(deal.hands)
        self.roles = [role.value for role in deal.roles]
        self.spare = deal.spare.value
        self.goals = [goal.text for goal in deal.goals]
        self.hands = [[card.text for card in hand] for hand in deal.hands]
        self.pile = [card.text for card in deal.pile]
        self.cards: mine.Cards = {oracle_deck.START: "NESW"}
        self.hidden: mine.Cards = dict(zip(oracle_deck.GOAL_CELLS, self.goals, strict=True))
        self.broken: list[set[str]] = [set() for _ in self.hands]
        self.discards: list[str] = []
        self.buried: list[list[str]] = [[] for _ in self.hands]
        self.looks: list[dict[oracle_deck.Cell, str]] = [{} for _ in self.hands]
        self.starter = starter
        self.turn: int | None = starter
        self.last_path: int | None = None
        self.last_card: int | None = None
        self.winner: str | None = None
        self.dead_table = False
        self.finder: int | None = None
        self._check_the_box()

    def _check_the_box(self) -> None:
        """The deal has all cards of the box and no others (S2 to S4, S7)."""
        n = self.players
        assert Counter(self.everywhere()) == oracle_deck.DECK
        assert Counter(self.goals) == oracle_deck.GOALS
        assert Counter([*self.roles, self.spare]) == Counter(
            m=oracle_deck.MINERS[n], s=oracle_deck.SABOTEURS[n]
        )
        assert [len(hand) for hand in self.hands] == [oracle_deck.HAND[n]] * n

    def everywhere(self) -> list[str]:
        """All 67 cards, wherever they are."""
        return [
            *(card for hand in self.hands for card in hand),
            *self.pile,
            *(oracle_deck.CARD_LYING[self.cards[cell]] for cell in self.tunnels()),
            *(f"-{tool}" for tools in self.broken for tool in tools),
            *self.discards,
            *(card for cards in self.buried for card in cards),
        ]

    def tunnels(self) -> list[oracle_deck.Cell]:
        """Where face-up tunnels lie: not the start, not a goal (A4)."""
        return [
            cell
            for cell in self.cards
            if cell != oracle_deck.START and cell not in oracle_deck.GOAL_CELLS
        ]

    def playable(self, seat: int) -> set[Move]:
        """All that a seat could play if it were its turn now, discarding aside (P, A)."""
        moves: set[Move] = set()
        hand = set(self.hands[seat])
        if not self.broken[seat]:  # P4
            linked = self.edition.link is ConnectRule.LINKED
            every_way = {
                way for card in hand if oracle_deck.is_path(card) for way in oracle_deck.ways(card)
            }
            tried = mine.lays(self.cards, self.hidden, every_way, linked=linked)
            moves |= {Lay(Path.read(way), cell) for way, cell in tried}
        for card in hand:
            for target in range(self.players):
                for tool in "PLC":
                    there = tool in self.broken[target]
                    if card == f"-{tool}" and not there:  # A1
                        moves.add(Break(Tool(tool), target))
                    if card[0] == "+" and tool in card[1:] and there:  # A2, A3
                        moves.add(Repair(Card.read(card), target, Tool(tool)))
        if "R" in hand:
            moves |= {Rockfall(cell) for cell in self.tunnels()}  # A4
        if "M" in hand:
            moves |= {Map(cell) for cell in self.hidden}  # A5
        return moves

    def legal_moves(self) -> set[Move]:
        """All that the seat to play may do (T1, T5)."""
        if self.turn is None:
            return set()
        passes = {Discard(Card.read(card)) for card in self.hands[self.turn]}
        return self.playable(self.turn) | passes

    def play(self, move: Move) -> Happened:
        """One whole turn, and those that the table takes by itself (T1 to T4)."""
        assert self.turn is not None
        seat = self.turn
        happened = Happened()
        self._do(seat, move, happened)
        if any(oracle_deck.TREASURE in wave.values() for wave in happened.revealed):  # R1
            self.winner, self.finder, self.turn = "m", seat, None
            return happened  # G2: nothing is drawn
        upcoming = self._end_turn(seat, happened)
        while upcoming is not None and not self.hands[upcoming]:  # T4
            happened.skipped.append(upcoming)
            upcoming = self._end_turn(upcoming, happened)
        self.turn = upcoming
        return happened

    def _end_turn(self, seat: int, happened: Happened) -> int | None:
        """Draw, see whether the round is over, and tell whose turn is next (T2, T3, R2, R3)."""
        if self.pile:  # T2, T3
            self.hands[seat].append(self.pile.pop(0))
            happened.drew.append(seat)
        self.dead_table = self._is_dead()
        asked = self.edition.dead_table is DeadTable.ENDS_ROUND
        all_gone = not self.pile and not any(self.hands)  # R2
        if all_gone or (asked and self.dead_table):  # R3
            self.winner = "s"
            return None
        step = {Direction.CLOCKWISE: 1, Direction.COUNTER_CLOCKWISE: -1}[self.edition.direction]
        return (seat + step) % self.players

    def _is_dead(self) -> bool:
        """Nothing to draw, and nobody who could play a card (R3)."""
        return not self.pile and not any(self.playable(seat) for seat in range(self.players))

    def _do(self, seat: int, move: Move, happened: Happened) -> None:
        """The one thing that a player does (T1)."""
        hand = self.hands[seat]
        self.last_card = seat
        match move:
            case Lay(path, cell):
                hand.remove(oracle_deck.CARD_LYING[oracle_deck.TEXT[path]])
                self.cards[cell] = oracle_deck.TEXT[path]
                self.last_path = seat
                happened.revealed = mine.reveal(self.cards, self.hidden, cell)  # G1 to G3
            case Break(tool, target):  # A1
                hand.remove(f"-{tool.value}")
                self.broken[target].add(tool.value)
            case Repair(card, target, tool):  # A2, A3
                hand.remove(card.text)
                self.broken[target].remove(tool.value)
                self.discards += [card.text, f"-{tool.value}"]
            case Rockfall(cell):  # A4, G4
                hand.remove("R")
                self.discards += ["R", oracle_deck.CARD_LYING[self.cards.pop(cell)]]
            case Map(cell):  # A5
                hand.remove("M")
                self.discards.append("M")
                self.looks[seat][cell] = happened.looked_at = self.hidden[cell]
            case Discard(card):  # T1, T5
                hand.remove(card.text)
                self.buried[seat].append(card.text)
            case _:
                raise AssertionError(f"no turn is {move}")

    def next_starter(self) -> int:
        """Who begins the next round (N2)."""
        by_row = {StarterRule.PATH: self.last_path, StarterRule.CARD: self.last_card}
        last = by_row[self.edition.next]
        return ((self.starter if last is None else last) + 1) % self.players
