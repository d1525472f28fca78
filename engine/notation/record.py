"""Records of games, as values: a whole one, from which a game is replayed, and a seat's own.

A `Record` holds every secret of the rounds that were dealt, for their seeds do: it is for the
host alone until the game is over (RULES K).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.deal import ALL_GOLD, Deal, deal
from engine.edition import INTERNATIONAL, Edition
from engine.events import Event
from engine.game import ROUNDS, Game, Transition
from engine.moves import Move
from engine.notation.tags import Extra
from engine.view import View


@dataclass(frozen=True, slots=True)
class Record:
    """All of a game, or of as much of it as was played.

    `names` are by seat; `youngest` is the seat named to begin (S8). The rounds are dealt as
    `engine.deal` has it: all from one 32-byte `seed`, or each from its own of the `seeds`.
    Without either, `deals` are written out, by round, each with the `starter` that really began.
    `moves` are by round, for each round that was dealt. `extra` are tags of one's own.
    """

    names: tuple[str, ...]
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    youngest: int | None = None
    seed: bytes | None = None
    seeds: tuple[bytes, ...] = ()
    deals: tuple[Deal, ...] = ()
    moves: tuple[tuple[Move, ...], ...] = ()
    extra: Extra = ()

    @property
    def writes_deals(self) -> bool:
        """Whether its deals are written out, for want of seeds."""
        return self.seed is None and not self.seeds

    def dealt(self, by: Deal | bytes | None = None) -> Record:
        """This record with the next round dealt.

        `by` is the round's own seed, or the deal to be written out; nothing where all rounds are
        dealt from the one seed.
        """
        moves = (*self.moves, ())
        if isinstance(by, Deal):
            return replace(self, deals=(*self.deals, by), moves=moves)
        seeds = self.seeds if by is None else (*self.seeds, by)
        return replace(self, seeds=seeds, moves=moves)

    def moved(self, move: Move) -> Record:
        """This record with a move more in the present round, a choice of gold included."""
        *before, now = self.moves
        return replace(self, moves=(*before, (*now, move)))

    def next_step(self, game: Game | None) -> Transition:
        """Deal the first round, or the one after `game`, and what happened then.

        Raises `ValueError` for a deal that cannot be, or none that is awaited.
        """
        number = 1 if game is None else game.score.number + 1
        gold = ALL_GOLD if game is None else game.purse.pile
        players = len(self.names)
        seed = self.seeds[number - 1] if number <= len(self.seeds) else self.seed
        if seed is not None:
            dealt = deal(seed, number, players, gold)
        elif number <= len(self.deals) and len(self.deals[number - 1].roles) == players:
            dealt = self.deals[number - 1]
        else:
            raise ValueError(f"round {number} has no seed and no deal for {players} players")
        if game is not None:
            return game.deal(dealt)
        return Game.begin(dealt, self.edition, self.rounds, self.youngest)


def replay(record: Record) -> Iterator[Transition]:
    """Play a record: the game after each deal and each move, with what happened.

    Raises `ValueError` for a deal that cannot be, and `IllegalMove` for a move; a record that was
    read from text has neither.
    """
    game: Game | None = None
    for moves in record.moves:
        game, events = record.next_step(game)
        yield game, events
        for move in moves:
            game, events = game.apply(move)
            yield game, events


@dataclass(frozen=True, slots=True)
class ObservedRecord:
    """What one seat heard of a game, or for `None` a watcher: all `events`, in their order.

    A record ends after whole steps, and so with a turn that has begun, gold to choose, or a deal
    that is awaited.
    """

    names: tuple[str, ...]
    seat: int | None
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    events: tuple[Event, ...] = ()
    extra: Extra = ()

    def heard(self, *events: Event) -> ObservedRecord:
        """This record with what the seat heard of a step more (`engine.events.visible_to`)."""
        return replace(self, events=self.events + events)

    def before(self) -> View:
        """What the seat knew before the first deal."""
        return View.before(self.edition, len(self.names), self.rounds, self.seat)

    def views(self) -> Iterator[tuple[Event, View]]:
        """Each event, and what the seat knew after it."""
        view = self.before()
        for event in self.events:
            view = view.after(event)
            yield event, view
