"""Records of games, as values: a whole one, from which a game is replayed, and a seat's own.

A `Record` holds every secret of the rounds that were dealt, as their seeds or deals do, so only the
host may have one until the game is over (RULES K).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.bots.talk import Claim
from engine.dealing import ALL_GOLD, Deal, deal
from engine.edition import INTERNATIONAL, Edition, check_edition
from engine.events import Event
from engine.game import Game, Transition
from engine.moves import Move
from engine.notation.tags import Extra
from engine.notation.talk import Utterance
from engine.shares import Draw
from engine.state import ROUNDS
from engine.view import View


@dataclass(frozen=True, slots=True)
class Record:
    """A game, or as much of it as was played.

    `names` are by seat; `youngest` is the seat named to begin (S8). The rounds are dealt by
    `engine.dealing`: all from one 32-byte `seed`, or each from its own one of the `seeds`. Without
    either, `deals` are written out, by round, each with the `starter` that really began. `draws`
    are those of the `seeds` that were drawn together, `None` for a round whose seed the host drew
    alone. `moves` are by round, for each round that was dealt. `talk` is what was said aloud, in
    order. `extra` are tags that the format does not define.
    """

    names: tuple[str, ...]
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    youngest: int | None = None
    seed: bytes | None = None
    seeds: tuple[bytes, ...] = ()
    deals: tuple[Deal, ...] = ()
    draws: tuple[Draw | None, ...] = ()
    moves: tuple[tuple[Move, ...], ...] = ()
    talk: tuple[Utterance, ...] = ()
    extra: Extra = ()

    def __post_init__(self) -> None:
        """Raise `TypeError` for what is no edition, such as its name."""
        check_edition(self.edition)

    @property
    def writes_deals(self) -> bool:
        """True if the deals are written out, because there are no seeds."""
        return self.seed is None and not self.seeds

    def add_round(self, by: Deal | Draw | bytes | None = None) -> Record:
        """Return this record with the next round dealt.

        `by` is the draw of the round's own seed, or that seed, or the deal to be written out;
        `None` if all rounds are dealt from one seed.
        """
        moves = (*self.moves, ())
        match by:
            case None:
                return replace(self, moves=moves)
            case Deal():
                return replace(self, deals=(*self.deals, by), moves=moves)
            case _:
                draw = by if isinstance(by, Draw) else None
                seed = by.seed if isinstance(by, Draw) else by
        draws = (*self.draws, *(None,) * (len(self.seeds) - len(self.draws)), draw)
        draws = draws if any(draws) else ()
        return replace(self, seeds=(*self.seeds, seed), draws=draws, moves=moves)

    def add_move(self, move: Move) -> Record:
        """Return this record with one more move in the present round, or a choice of gold."""
        *before, now = self.moves
        return replace(self, moves=(*before, (*now, move)))

    def add_utterance(
        self, seat: int | None, name: str, claim: Claim | None = None, text: str = ""
    ) -> Record:
        """Return this record with a claim or a text said now, in a round that was dealt.

        `name` is that of the speaker, who sits on `seat`, or watches if that is `None`.
        """
        said = Utterance(
            round=len(self.moves),
            moves=len(self.moves[-1]),
            seat=seat,
            name="" if seat is not None and name == self.names[seat] else name,
            claim=claim,
            text=text,
        )
        return replace(self, talk=(*self.talk, said))

    def next_step(self, game: Game | None) -> Transition:
        """Deal the first round, or the one after `game`; return the game and its events.

        Raises `ValueError` if the deal is missing or impossible, or the game does not wait for one.
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
    """Play a record, yielding the game after each deal and each move, with its events.

    Raises `ValueError` for an impossible deal, and `IllegalMove` for a move; a record that was read
    from text has neither.
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
    """A game as one seat saw it, or for `None` a watcher: all the `events` it received, in order.

    A record ends after a whole step, and so with a turn that has begun, gold to choose, a deal that
    is awaited, or the end of the game.
    """

    names: tuple[str, ...]
    seat: int | None
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    events: tuple[Event, ...] = ()
    extra: Extra = ()

    def __post_init__(self) -> None:
        """Raise `TypeError` for what is no edition, such as its name."""
        check_edition(self.edition)

    def with_events(self, *events: Event) -> ObservedRecord:
        """Return this record with more events, all of them visible to the seat (RULES K)."""
        return replace(self, events=self.events + events)

    def before(self) -> View:
        """Return the seat's view before the first deal."""
        return View.before(self.edition, len(self.names), self.rounds, self.seat)

    def views(self) -> Iterator[tuple[Event, View]]:
        """Yield each event, and the seat's view after it."""
        view = self.before()
        for event in self.events:
            view = view.after(event)
            yield event, view
