"""One game played by the oracle and by the engine, compared after each step."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NoReturn

from engine import Deal, Edition, Game, KeepGold, Move, Round, View
from engine.cards import Card, Tool, in_order
from engine.events import Drew, Event, GoalPeeked, Revealed, Skipped
from tests.oracle import mine
from tests.oracle.game import OracleGame
from tests.oracle.oracle_deck import GOAL_CELLS, TEXT
from tests.oracle.round import Happened

Fact = tuple[str, object, object]
"""What is compared, as the oracle has it, and as the engine."""


def texts(cards: Iterable[Card], *, ordered: bool = False) -> list[str]:
    """Spell cards, sorted unless their order counts."""
    spelt = [card.text for card in cards]
    return spelt if ordered else sorted(spelt)


def sorted_each(several: Iterable[Iterable[str]] | Iterable[Iterable[int]]) -> list[object]:
    """Sort each of several."""
    return [sorted(group) for group in several]


def facts(oracle: OracleGame, game: Game) -> Iterator[Fact]:
    """All that lies on the table, public and secret half alike."""
    ours, now, table = oracle.round, game.round, game.round.table
    score, purse = game.score, game.purse
    yield "phase", oracle.phase, game.phase.value
    yield "to act", oracle.to_act, game.to_act
    yield "cards", ours.cards, {cell: TEXT[path] for cell, path in table.board.cards.items()}
    yield "hidden", set(ours.hidden), set(table.board.hidden)
    yield "reached", mine.flood(ours.cards), set(table.board.reached)
    broken = [[tool.value for tool in Tool.within(bits)] for bits in table.broken]
    yield "broken", sorted_each(ours.broken), sorted_each(broken)
    yield "hands", sorted_each(ours.hands), [texts(hand) for hand in now.hands]
    yield "hand sizes", [*map(len, ours.hands)], [*table.hands]
    yield "pile", ours.pile, texts(now.pile, ordered=True)
    yield "pile size", len(ours.pile), table.pile
    yield "discards", sorted(ours.discards), texts(table.discards)
    yield "buried", sorted_each(ours.buried), [texts(cards) for cards in now.buried]
    yield "buried sizes", [*map(len, ours.buried)], [*table.buried]
    yield "turn", ours.turn, table.turn
    yield "starter", ours.starter, table.starter
    yield "last path", ours.last_path, table.last_path
    yield "last card", ours.last_card, table.last_card
    yield "ended", ours.winner is not None, table.end is not None
    if table.end is not None:
        end = table.end
        yield "winner", ours.winner, end.winner.value
        yield "roles", ours.roles, [role.value for role in end.roles]
        yield "spare", ours.spare, end.spare.value
        yield "goals", ours.goals, [goal.text for goal in end.goals]
    yield "wins", oracle.wins, [role.value for role in score.wins]
    yield "number", oracle.number, score.number
    yield "gold", sorted(oracle.gold), sorted(purse.pile)
    yield "gold size", len(oracle.gold), score.pile
    yield "offer", sorted(oracle.offer), sorted(purse.offer)
    yield "offer size", len(oracle.offer), score.offer
    yield "held", sorted_each(oracle.held), sorted_each(purse.held)
    yield "held sizes", [*map(len, oracle.held)], [*score.cards]
    yield "chits", oracle.chits, [*score.chits]
    yield "shown", oracle.phase == "over", score.gold is not None
    if score.gold is not None:
        yield "all gold", sorted_each(oracle.held), sorted_each(score.gold)
        yield "nuggets", oracle.nuggets(), [*(score.nuggets or ())]
        yield "winners", oracle.winners(), [*(score.winners or ())]


def secrets(oracle: OracleGame, view: View, seat: int) -> Iterator[Fact]:
    """What a seat alone knows, and its player has seen (RULES K)."""
    ours = oracle.round
    yield "role", ours.roles[seat], view.role
    yield "hand", sorted(ours.hands[seat]), texts(view.hand)
    seen = [ours.looks[seat].get(cell) for cell in GOAL_CELLS]
    yield "peeks", seen, [goal and goal.text for goal in view.peeks]
    yield "buried", sorted(ours.buried[seat]), texts(view.buried)
    yield "gold", sorted(oracle.held[seat]), sorted(view.gold)
    yield "offer", sorted(oracle.offer), sorted(view.offer)


def news(happened: Happened, events: tuple[Event, ...]) -> Iterator[Fact]:
    """What was revealed, looked at, drawn and skipped, told once each."""
    told = [(event.cell, event.path.text) for event in events if isinstance(event, Revealed)]
    for wave in happened.revealed:
        yield "a wave", {*wave.items()}, {*told[: len(wave)]}
        del told[: len(wave)]
    yield "revealed", [], told
    yield "skipped", happened.skipped, [e.seat for e in events if isinstance(e, Skipped)]
    yield "drew", happened.drew, [e.seat for e in events if isinstance(e, Drew)]
    looked_at = "".join(e.goal.text for e in events if isinstance(e, GoalPeeked))
    yield "looked at", happened.looked_at, looked_at


@dataclass
class Match:
    """A game in two models. `log` and `title` are what it takes to play it again."""

    title: str
    edition: Edition
    oracle: OracleGame
    game: Game
    log: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def begin(title: str, first: Deal, edition: Edition, rounds: int, youngest: int) -> "Match":
        """Begin a game, and compare how it lies."""
        game, _ = Game.begin(first, edition, rounds, youngest)
        match = Match(title, edition, OracleGame(first, edition, rounds, youngest), game)
        match.compare()
        return match

    def make_uneven(self, rng: Random) -> None:
        """Bury most of the pile and some of each hand, in both models.

        Hands are of one size in a game as it is dealt and shrink in turn, so that T4 is never
        asked there.
        """
        table, played = self.oracle.round, self.game.round
        helpless = rng.random() < 0.5  # Repairs stay: with no tool broken they are no use.
        if helpless:
            table.pile.sort(key=lambda card: card[0] == "+")
        below = max(0, len(table.pile) - rng.randrange(4 if helpless else 12))
        gone = [table.pile[:below], *([] for _ in table.hands[1:])]
        del table.pile[:below]
        for seat, hand in enumerate(table.hands):
            rng.shuffle(hand)
            if helpless:
                hand.sort(key=lambda card: card[0] != "+")
            most = sum(card[0] == "+" for card in hand) if helpless else len(hand)
            fewest = int(seat == table.turn)
            left = rng.randint(fewest, max(fewest, most))
            gone[seat] += hand[left:]
            del hand[left:]
            table.buried[seat] += gone[seat]
        public = played.table._replace(
            hands=tuple(map(len, table.hands)),
            pile=len(table.pile),
            buried=tuple(map(len, table.buried)),
        )
        changed = Round(
            public,
            played.roles,
            played.spare,
            played.goals,
            hands=tuple(in_order(map(Card.read, hand)) for hand in table.hands),
            pile=tuple(map(Card.read, table.pile)),
            buried=tuple(tuple(map(Card.read, cards)) for cards in table.buried),
        )
        self.game = Game(self.game.score, changed, self.game.purse, self.game.history)
        self.log.append(f"made uneven: hands {table.hands}, pile {table.pile}")
        self.compare()

    def fail(self, what: str) -> NoReturn:
        """Say what went wrong and how to come there again."""
        moves = "\n  ".join(self.log)
        raise AssertionError(f"{what}\nin {self.title}, after\n  {moves}")

    def compare(self, found: Iterable[Fact] | None = None) -> None:
        """See that these facts are the same; if none are given, all of the two tables."""
        for name, ours, theirs in facts(self.oracle, self.game) if found is None else found:
            if ours != theirs:
                self.fail(f"{name}: the oracle has {ours}, the engine {theirs}")

    def moves(self) -> list[Move]:
        """The legal moves, once both agree on them and the engine names none twice."""
        ours = self.oracle.legal_moves()
        theirs = list(self.game.legal_moves())
        seat = self.game.to_act
        if set(theirs) != ours:
            extra, missing = set(theirs) - ours, ours - set(theirs)
            self.fail(f"legal moves: the engine alone has {extra}, the oracle alone {missing}")
        if len(theirs) != len(ours):
            self.fail(f"legal moves: the engine repeats some: {theirs}")
        if seat is not None:
            view = self.game.view(seat, history=False)
            self.compare(secrets(self.oracle, view, seat))
            legal = view.legal_moves()
            if list(legal) != theirs or len(legal) != len(theirs):
                self.fail(f"legal moves: the view of seat {seat} has {list(legal)}")
        return theirs

    def choose(self, driver: Callable[[Game, Random], Move], rng: Random) -> Move:
        """The legal move that a driver makes, once both agree on all of them."""
        moves, move = self.moves(), driver(self.game, rng)
        assert move in moves
        return move

    def step(self, move: Move) -> Happened:
        """Make a move in both, and compare what came of it."""
        seat = self.oracle.to_act
        assert seat is not None
        self.log.append(f"{seat}: {move}")
        self.game, events = self.game.apply(move)
        was_dead = self.oracle.round.dead_table
        happened = self.oracle.apply(move)
        if was_dead and not (self.oracle.round.dead_table and self.oracle.round.winner != "m"):
            self.fail("the oracle itself is wrong: a dead table came to life (R3)")
        self._settle()
        self.compare(news(happened, events))
        self.compare()
        if not isinstance(move, KeepGold):
            self._note(happened)
        self.seen["games"] += self.oracle.phase == "over"
        return happened

    def next_round(self, following: Deal) -> None:
        """Deal the next round in both."""
        self.log.append(f"next round: {following}")
        self.game, _ = self.game.deal(following)
        self.oracle.deal(following)
        self.compare()

    def _settle(self) -> None:
        """Take over which saboteur the engine gave which cards, if the sum of it is right."""
        if not self.oracle.payments:
            return
        if self.game.round.table.end is None:
            self.fail("the round is over for the oracle alone")
        held = self.game.purse.held
        paid = []
        for seat, before in enumerate(self.oracle.held):
            now = Counter(held[seat]) - Counter(before)
            if self.oracle.round.roles[seat] == "s":
                paid.append(tuple(sorted(now.elements(), reverse=True)))
        if tuple(paid) not in self.oracle.payments:
            self.fail(f"paid {paid}, right were {self.oracle.payments}")
        self.oracle.settle(tuple(paid))

    def _note(self, happened: Happened) -> None:
        """Count what tests of seldom things have to have seen."""
        table, seen = self.oracle.round, self.seen
        seen["T4 seat skipped"] += len(happened.skipped)
        seen["rounds"] += bool(table.winner)
        if table.winner == "s":
            seen["R3 dead table" if any(table.hands) else "R2 all cards gone"] += 1
            seen["R3 dead with the last card drawn"] += bool(any(table.hands) and happened.drew)
            seen["D8 chits given"] += any(self.oracle.chits)
