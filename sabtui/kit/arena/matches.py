"""Rounds and games between bots, each from its own deal, played in several processes.

It also holds the oracle, a player that sees all cards and is the ceiling for the bots. As the
oracle is given the whole round with its secrets, only measurements and tests may call it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import thread_time
from types import MappingProxyType
from typing import Final, TypeVar

from engine.bots import Bot, Playouts
from engine.bots.bot import BadReply, SpokenMove, call_bot, hearing
from engine.bots.installed import bot_named, check_bot, offer_program
from engine.bots.rollout import FastRound, roll_out
from engine.bots.talk import SILENCE, Statement, Talk
from engine.cards import Role
from engine.dealing import deal
from engine.edition import EDITIONS, INTERNATIONAL, Edition
from engine.events import Event
from engine.game import Game
from engine.moves import Move, Play
from engine.round import Round
from engine.state import Phase
from engine.view import View
from sabtui.kit.arena.figures import ARENA_SEED
from sabtui.kit.arena.talkers import TALKERS, hear_move, silent, words_of


def oracle(now: Round) -> Play:
    """Return the move after which a play-out with the true cards ends best for its side."""
    seat = now.table.turn
    assert seat is not None
    start = FastRound(now, [role is Role.SABOTEUR for role in now.roles])
    sign = 1 if now.roles[seat] is Role.MINER else -1
    return max(now.legal_moves(), key=lambda move: sign * roll_out(start.after(move)))


ORACLE: Final = "oracle"
"""The name of the oracle in tables."""

ResultT = TypeVar("ResultT")


@cache
def bot_to_measure(name: str) -> Bot:
    """Return one of our bots or an installed one by its name, or any by its `MODULE:NAME`.

    With a slash in it, the name is the path of a program.

    Raises `ValueError` if there is no such bot, or it cannot be called as a bot is.
    """
    if "/" in name or os.sep in name:
        return bot_named(offer_program(Path(name)))
    module, colon, attribute = name.partition(":")
    if not colon:
        return bot_named(name)
    try:
        bot: Bot = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"no bot {name}: {error}") from None
    check_bot(name, bot)
    return bot


class BadBot(Exception):
    """Raised when a bot that is measured raises, or returns no legal move; the text is a line."""


@dataclass(slots=True)
class Player:
    """A bot by its name, or the oracle, with the processor time in seconds that it has spent.

    `name` is what `bot_to_measure` reads, `talker` the name of how it talks, and `deaf` is True if
    it hears no talk.
    """

    name: str
    budget: Playouts
    talker: str = "silent"
    deaf: bool = False
    spent: float = 0.0
    moves: int = 0

    def move(self, game: Game, rng: Random, talk: Talk = SILENCE) -> Move | SpokenMove:
        """Return the player's move in a game in which it is to act, and add to its time.

        It is a `SpokenMove` if its bot says something with it, or might.
        The oracle chooses only during play; when gold is shared, `greedy` chooses for it. Raises
        `BadBot`.
        """
        start = thread_time()
        if self.name == ORACLE and game.phase is Phase.PLAY:
            move: Move | SpokenMove = oracle(game.round)
        else:
            bot = bot_to_measure("greedy" if self.name == ORACLE else self.name)
            if not self.deaf:
                bot = hearing(bot, talk)
            move = self._ask_bot(bot, game.view(game.to_act), rng)
        self.spent += thread_time() - start
        self.moves += 1
        return move

    def _ask_bot(self, bot: Bot, view: View, rng: Random) -> Move | SpokenMove:
        """Return the legal move of a bot, which may be anybody's. Raises `BadBot`."""
        try:
            said = call_bot(bot, view, rng, self.budget)
        except BadReply as error:
            raise BadBot(f"{self.name} returned {error.found!r}, which is {error}") from None
        except Exception as error:  # noqa: BLE001 - whatever it raises is what to tell
            where = traceback.extract_tb(error.__traceback__)[-1]
            raised = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise BadBot(f"{self.name} raised {raised} ({where.filename}:{where.lineno})") from None
        move = move_of(said)
        reason = view.why_not(move)
        if reason is not None:
            raise BadBot(f"{self.name} made an illegal move, {move}: {reason}")
        return said


def move_of(said: Move | SpokenMove) -> Move:
    """Return the move alone."""
    return said.move if isinstance(said, SpokenMove) else said


def seed_of(number: int) -> bytes:
    """Return the seed of one deal. It also seeds the bots' random generator."""
    return sha256(f"sabtui arena {ARENA_SEED} {number}".encode()).digest()


def play_round(
    number: int,
    players: int,
    edition: Edition,
    sides: Mapping[Role, Player],
    guests: Mapping[int, Player] = MappingProxyType({}),
) -> tuple[list[Game], Talk]:
    """Play a round, and return each of its states, the last being its end, and all that was said.

    The seats of `guests` are theirs, whatever their side. Claims draw from a random generator of
    their own, so that the moves are the same beside any talk that nobody hears.
    """
    seed = seed_of(number)
    rng, chance = Random(seed), Random(seed + b"talk")
    game, _ = Game.begin(deal(seed, 1, players), edition, rounds=1)
    states, talk = [game], SILENCE
    roles = game.round.roles
    seated = {seat: guests.get(seat) or sides[role] for seat, role in enumerate(roles)}
    talkers = {seat: TALKERS[one.talker] for seat, one in seated.items()}
    while (seat := game.to_act) is not None and game.phase is Phase.PLAY:
        said = seated[seat].move(game, rng, talk)
        causes: list[Event | Statement] = []
        if isinstance(said, SpokenMove):
            talkers[seat], before = silent, talk.said
            talk = words_of(seat, said, talk, game.round.table.unplayed)
            causes += [one for one in talk.said if one not in before]
        game, events = game.apply(move_of(said))
        talk = hear_move(talk, game, [*causes, *events], talkers, chance)
        states.append(game)
    return states, talk


def play_game(number: int, seats: Sequence[Player]) -> tuple[int, ...]:
    """Play a whole game, and return the nuggets of each seat."""
    seed = seed_of(number)
    rng = Random(seed)
    game, _ = Game.begin(deal(seed, 1, len(seats)))
    while game.phase is not Phase.OVER:
        if game.to_act is None:
            game, _ = game.deal(seed)
        else:
            game, _ = game.apply(move_of(seats[game.to_act].move(game, rng)))
    assert game.score.nuggets is not None
    return game.score.nuggets


def have_miners_won(states: Sequence[Game]) -> bool:
    """Return True if the round ended with the treasure found."""
    end = states[-1].round.table.end
    return end is not None and end.winner is Role.MINER


@dataclass(frozen=True, slots=True)
class Pairing:
    """The bots of both sides, with players, edition and play-outs per move.

    `talker` makes the claims of both sides, except of one that is `mute`. A side that is `deaf`
    hears no talk.
    """

    miners: str
    saboteurs: str
    playouts: int
    players: int = 5
    edition: str = INTERNATIONAL.text
    talker: str = "silent"
    deaf: frozenset[Role] = frozenset()
    mute: frozenset[Role] = frozenset()

    def play(self, number: int) -> tuple[list[Game], Player, Player, Talk]:
        """Play a round; return each of its states, the players of both sides, and what was said."""
        budget = Playouts(self.playouts)
        sides = {
            role: Player(
                name,
                budget,
                talker="silent" if role in self.mute else self.talker,
                deaf=role in self.deaf,
            )
            for role, name in ((Role.MINER, self.miners), (Role.SABOTEUR, self.saboteurs))
        }
        states, talk = play_round(number, self.players, EDITIONS[self.edition], sides)
        return states, sides[Role.MINER], sides[Role.SABOTEUR], talk

    def outcome(self, number: int) -> tuple[bool, Player, Player]:
        """Play a round; return True if the miners won, and the players of both sides."""
        states, miners, saboteurs, _ = self.play(number)
        return have_miners_won(states), miners, saboteurs


def pace(players: Iterable[Player]) -> str:
    """Return the processor time per move, in milliseconds, as text."""
    spent, moves = 0.0, 0
    for player in players:
        spent += player.spent
        moves += player.moves
    return f"{1000 * spent / max(moves, 1):.1f}"


def each(work: Callable[[int], ResultT], count: int, jobs: int) -> list[ResultT]:
    """Return the result of `work` for each number below `count`, computed by `jobs` processes."""
    if jobs == 1:
        return [*_show_count(map(work, range(count)), count)]
    # Spawned, not forked, so that it works the same on every system.
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return [*_show_count(pool.map(work, range(count)), count)]


def _show_count(results: Iterable[ResultT], count: int) -> Iterator[ResultT]:
    """Yield the results; meanwhile a terminal shows how many of them there are."""
    if not sys.stderr.isatty():
        yield from results
        return
    try:
        for number, result in enumerate(results, 1):
            sys.stderr.write(f"\r{number}/{count}")
            sys.stderr.flush()
            yield result
    finally:
        sys.stderr.write(f"\r{' ' * len(f'{count}/{count}')}\r")
