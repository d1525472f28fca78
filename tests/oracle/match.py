"""One game played by the oracle and by the engine, compared after each step."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import NoReturn

from engine.cards import Card, in_order
from engine.dealing import Deal
from engine.edition import Edition
from engine.events import Drew, Event, GoalPeeked, Revealed, Skipped
from engine.game import Game
from engine.moves import KeepGold, Move
from engine.round import Round
from engine.state import Phase
from engine.view import View
from tests.oracle import mine
from tests.oracle.game import OracleGame
from tests.oracle.oracle_deck import GOAL_CELLS, TEXT
from tests.oracle.round import Happened

Facts = dict[str, object]
Events = tuple[Event, ...]


def oracle_facts(oracle: OracleGame) -> Facts:
    """All that the oracle has on its table, in plain values."""
    table = oracle.round
    over = oracle.phase == "over"
    ended = table.winner is not None
    return {
        "phase": oracle.phase,
        "to act": oracle.to_act,
        "cards": table.cards,
        "hidden": set(table.hidden),
        "broken": [sorted(tools) for tools in table.broken],
        "hands": [sorted(hand) for hand in table.hands],
        "hand sizes": [len(hand) for hand in table.hands],
        "pile": table.pile,
        "pile size": len(table.pile),
        "discards": sorted(table.discards),
        "buried": [sorted(cards) for cards in table.buried],
        "buried sizes": [len(cards) for cards in table.buried],
        "turn": table.turn,
        "starter": table.starter,
        "last path": table.last_path,
        "last card": table.last_card,
        "winner": table.winner,
        "roles": table.roles if ended else None,
        "spare": table.spare if ended else None,
        "goals": table.goals if ended else None,
        "wins": oracle.wins,
        "number": oracle.number,
        "gold": sorted(oracle.gold),
        "gold size": len(oracle.gold),
        "offer": sorted(oracle.offer),
        "offer size": len(oracle.offer),
        "held": [sorted(cards) for cards in oracle.held],
        "held sizes": [len(cards) for cards in oracle.held],
        "chits": oracle.chits,
        "shown": [sorted(cards) for cards in oracle.held] if over else None,
        "nuggets": oracle.nuggets() if over else None,
        "winners": oracle.winners() if over else None,
    }


def engine_facts(game: Game) -> Facts:
    """The same, read off the engine's values, public and secret half alike."""
    table, score, dealt, purse = game.round.table, game.score, game.round, game.purse
    over = game.phase is Phase.OVER
    end = table.end
    return {
        "phase": game.phase.value,
        "to act": game.to_act,
        "cards": {cell: TEXT[path] for cell, path in table.board.cards.items()},
        "hidden": set(table.board.hidden),
        "reached": set(table.board.reached),
        "broken": [
            [t for b, t in ((4, "C"), (2, "L"), (1, "P")) if bits & b] for bits in table.broken
        ],
        "hands": [sorted([card.text for card in hand]) for hand in dealt.hands],
        "hand sizes": list(table.hands),
        "pile": [card.text for card in dealt.pile],
        "pile size": table.pile,
        "discards": sorted([card.text for card in table.discards]),
        "buried": [sorted([card.text for card in cards]) for cards in dealt.buried],
        "buried sizes": list(table.buried),
        "turn": table.turn,
        "starter": table.starter,
        "last path": table.last_path,
        "last card": table.last_card,
        "winner": end.winner.value if end else None,
        "roles": [role.value for role in end.roles] if end else None,
        "spare": end.spare.value if end else None,
        "goals": [goal.text for goal in end.goals] if end else None,
        "wins": [role.value for role in score.wins],
        "number": score.number,
        "gold": sorted(purse.pile),
        "gold size": score.pile,
        "offer": sorted(purse.offer),
        "offer size": score.offer,
        "held": [sorted(cards) for cards in purse.held],
        "held sizes": list(score.cards),
        "chits": list(score.chits),
        "shown": [sorted(cards) for cards in score.gold] if score.gold is not None else None,
        "nuggets": list(score.nuggets or ()) if over else None,
        "winners": list(score.winners or ()) if over else None,
    }


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

    def compare(self) -> None:
        """The two tables are alike, in the whole as in each part."""
        ours, theirs = oracle_facts(self.oracle), engine_facts(self.game)
        ours["reached"] = mine.flood(self.oracle.round.cards)
        for name, fact in ours.items():
            if fact != theirs[name]:
                self.fail(f"{name}: the oracle has {fact}, the engine {theirs[name]}")

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
            self._compare_secrets(seat, view)
            legal = view.legal_moves()
            if list(legal) != theirs or len(legal) != len(theirs):
                self.fail(f"legal moves: the view of seat {seat} has {list(legal)}")
        return theirs

    def _compare_secrets(self, seat: int, view: View) -> None:
        """What a seat alone knows is what the oracle's player has seen (RULES K)."""
        table = self.oracle.round
        ours: Facts = {
            "role": table.roles[seat],
            "hand": sorted(table.hands[seat]),
            "peeks": [table.looks[seat].get(cell) for cell in GOAL_CELLS],
            "buried": sorted(table.buried[seat]),
            "gold": sorted(self.oracle.held[seat]),
            "offer": sorted(self.oracle.offer),
        }
        theirs: Facts = {
            "role": view.role,
            "hand": sorted([card.text for card in view.hand]),
            "peeks": [goal and goal.text for goal in view.peeks],
            "buried": sorted([card.text for card in view.buried]),
            "gold": sorted(view.gold),
            "offer": sorted(view.offer),
        }
        for name, fact in ours.items():
            if fact != theirs[name]:
                self.fail(f"seat {seat}'s {name}: {fact}, its view has {theirs[name]}")

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
        self._compare_events(happened, events)
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

    def _compare_events(self, happened: Happened, events: Events) -> None:
        """What was revealed, looked at, drawn and skipped was told so, once each."""
        ours: Facts = {
            "revealed": [{(c, w) for c, w in wave.items()} for wave in happened.revealed],
            "skipped": happened.skipped,
            "drew": happened.drew,
            "looked at": happened.looked_at,
        }
        revealed = [(e.cell, e.path.text) for e in events if isinstance(e, Revealed)]
        waves = []
        for wave in happened.revealed:
            waves.append(set(revealed[: len(wave)]))
            revealed = revealed[len(wave) :]
        theirs: Facts = {
            "revealed": [*waves, *revealed],
            "skipped": [e.seat for e in events if isinstance(e, Skipped)],
            "drew": [e.seat for e in events if isinstance(e, Drew)],
            "looked at": "".join(e.goal.text for e in events if isinstance(e, GoalPeeked)),
        }
        for name, fact in ours.items():
            if fact != theirs[name]:
                self.fail(f"events, {name}: the oracle has {fact}, the engine {theirs[name]}")

    def _note(self, happened: Happened) -> None:
        """Count what tests of seldom things have to have seen."""
        table, seen = self.oracle.round, self.seen
        seen["T4 seat skipped"] += len(happened.skipped)
        seen["rounds"] += bool(table.winner)
        if table.winner == "s":
            seen["R3 dead table" if any(table.hands) else "R2 all cards gone"] += 1
            seen["R3 dead with the last card drawn"] += bool(any(table.hands) and happened.drew)
            seen["D8 chits given"] += any(self.oracle.chits)
