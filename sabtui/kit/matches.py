"""Rounds and games between bots, each from its own deal, with talk, and figures of them.

A talker is a function of a view, what has just happened or been said, the talk so far and chance;
it returns the claims that its seat then makes. For malicious ones `MAX_CLAIMS_PER_ROUND` does not
hold. A bot that returns a `SpokenMove` speaks for itself.

The oracle is a player that sees all cards and is the ceiling for the bots. As the oracle is given
the whole round with its secrets, only measurements and tests may call it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import thread_time
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from engine.board import GOAL_CELLS
from engine.bots import Bot, Playouts
from engine.bots.bot import BadReply, SpokenMove, call_bot, hearing
from engine.bots.claims import (
    MAX_CLAIMS_PER_ROUND,
    MIN_HARMS,
    claim_after_map,
    claim_when_blamed,
    claim_when_broken,
    claim_when_harmed,
    claim_when_helped,
    claim_when_redeemed,
    harm_doer,
)
from engine.bots.estimates import STANDARD_ERRORS, wilson
from engine.bots.installed import bot_named, check_bot, offer_program
from engine.bots.rollout import FastRound, roll_out
from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Line,
    Statement,
    StoneAt,
    Talk,
)
from engine.cards import Role
from engine.dealing import deal
from engine.edition import EDITIONS, INTERNATIONAL, Edition
from engine.events import Broke, Collapsed, Event, Laid, Looked, Repaired
from engine.game import Game
from engine.moves import Move, Play
from engine.round import Round
from engine.state import Phase
from engine.view import View

ARENA_SEED: Final = 7341
"""The number that all deals of the arena come from."""

ReportRow = tuple[object, ...]
"""The cells of one row."""


def percent(won: int, played: int) -> str:
    """Return a share and its interval as text for a table, in percent."""
    low, high = wilson(won, played)
    return f"{100 * won / played:.1f}% ({100 * low:.0f} to {100 * high:.0f})"


def gain(won: Sequence[tuple[bool, bool]]) -> str:
    """Return by how many percentage points more often the second of two is won, and the interval.

    Both play the same deals, so it is the 95% interval of paired shares.
    """
    rounds = len(won)
    more = sum(second and not first for first, second in won)
    less = sum(first and not second for first, second in won)
    mean = (more - less) / rounds
    variance = max((more + less) / rounds - mean * mean, 0)
    spread = STANDARD_ERRORS * sqrt(variance / rounds)
    return f"{100 * mean:+.1f} ({100 * (mean - spread):+.1f} to {100 * (mean + spread):+.1f})"


def in_markdown(head: Sequence[str], rows: Iterable[ReportRow]) -> Iterator[str]:
    """Yield the lines of a table as its rows come, and a line that says what repeats it."""
    for row in (head, ("---",) * len(head)):
        yield f"| {' | '.join(row)} |"
    for cells in rows:
        yield f"| {' | '.join(map(str, cells))} |"
    python = ".".join(map(str, sys.version_info[:3]))
    yield ""
    yield f"Sabtui {version('sabtui')}, Python {python}, seed {ARENA_SEED}."


ClaimCause = Looked | Broke | Repaired | Laid | Collapsed | Statement
"""Something that has just happened or been said, and that a bot may speak of."""

MAX_CLAIMS_PER_TURN: Final = 30
"""Most claims that all seats together make after one move."""


class Talker(Protocol):
    """A function that chooses what a seat says about what has just happened or been said."""

    def __call__(self, view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
        """Return the claims that the view's seat makes."""


def claim_about(view: View, cause: ClaimCause, talk: Talk) -> Claim | None:
    """Return a bot's claim about what has just happened or been said, or None if it is silent.

    It repeats no claim in a round except to ask for help.
    """
    if sum(one.seat == view.seat for one in talk.said) >= MAX_CLAIMS_PER_ROUND:
        return None
    match cause:
        case Looked(seat, cell) if seat == view.seat:
            return claim_after_map(view, cell)
        case Broke(_, _, target) if target == view.seat:
            return claim_when_broken(view)
        case Repaired(by, _, target) if target == view.seat != by:
            return _unless_repeated(view, claim_when_helped(view, by, talk), talk)
        case Repaired(by) if _accuses(view, by, talk):
            return claim_when_redeemed(view, by, talk)
        case Statement(by, DigsAgainstUs(seat) | Bluff(seat)) if seat == view.seat != by:
            return _unless_repeated(view, claim_when_blamed(view, by, talk), talk)
        case _:
            return _claim_about_harm(view, cause, talk)


def _claim_about_harm(view: View, cause: ClaimCause, talk: Talk) -> Claim | None:
    """Return the accusation of a seat that has done harm again, or None if it is not due."""
    doer = harm_doer(cause)
    if doer is None or _witness(cause, doer, view.table.players) != view.seat:
        return None
    is_first = sum(harm_doer(event) == doer for event in view.history) < MIN_HARMS
    silent_on_it = is_first or _accuses(view, doer, talk)
    return None if silent_on_it else claim_when_harmed(view, doer, talk)


def _witness(cause: ClaimCause, by: int, players: int) -> int:
    """Return the next seat after one that did harm, other than the one whose tool it broke."""
    victim = cause.target if isinstance(cause, Broke) else by
    return next(seat % players for seat in (by + 1, by + 2) if seat % players != victim)


def _accuses(view: View, seat: int, talk: Talk) -> bool:
    """Return True if the view's seat has accused this one in the round, and not taken it back."""
    return any((one.seat, one.claim) == (view.seat, DigsAgainstUs(seat)) for one in talk.said)


def _unless_repeated(view: View, claim: Claim | None, talk: Talk) -> Claim | None:
    """Return the claim unless the view's seat has made it in this round."""
    repeated = any((one.seat, one.claim) == (view.seat, claim) for one in talk.said)
    return None if repeated else claim


def own(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return the claims of a bot: true ones of a miner, useful ones of a saboteur."""
    del rng  # It follows from what it knows.
    claim = claim_about(view, cause, talk)
    return () if claim is None else (claim,)


def silent(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return nothing."""
    del view, cause, talk, rng
    return ()


def liar(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return the opposite of what a bot would say, on either side."""
    return tuple(map(_opposite, own(view, cause, talk, rng)))


def half(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return a claim that is a lie as often as not, on either side."""
    return (liar if rng.random() < 0.5 else own)(view, cause, talk, rng)


def accuser(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Accuse any other seat whenever a bot would say something of itself."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    return tuple(DigsAgainstUs(rng.choice(others)) for _ in own(view, cause, talk, rng))


def parrot(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Repeat the claims of others, each claim once.

    After looking at a goal it repeats the last report of any goal, or a random one if there is
    none.
    """
    told = [type(one.claim) for one in talk.said if isinstance(one.claim, GoldAt | StoneAt)]
    if isinstance(cause, Looked) and cause.seat == view.seat:
        return ((told[-1] if told else rng.choice((GoldAt, StoneAt)))(cause.cell),)
    if not isinstance(cause, Statement) or cause.seat == view.seat:
        return ()
    said = {one.claim for one in talk.said if one.seat == view.seat}
    return () if cause.claim in said else (cause.claim,)


def flooder(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Say everything of every goal and seat, in any order, when anybody looks at a goal."""
    del talk  # It listens to nobody.
    if not isinstance(cause, Looked):
        return ()
    goals = [claim(cell) for cell in GOAL_CELLS for claim in (GoldAt, StoneAt)]
    seats = [seat for seat in range(view.table.players) if seat != view.seat]
    opinions = [claim(seat) for seat in seats for claim in (DigsForUs, DigsAgainstUs)]
    claims: list[Claim] = [*goals, *opinions]
    rng.shuffle(claims)
    return tuple(claims)


TALKERS: Final[Mapping[str, Talker]] = MappingProxyType(
    {
        "silent": silent,
        "own": own,
        "liar": liar,
        "half": half,
        "accuser": accuser,
        "parrot": parrot,
        "flooder": flooder,
    }
)
"""All talkers by name."""


def words_of(seat: int, made: SpokenMove, talk: Talk, unplayed: int) -> Talk:
    """Return the talk after what a bot says with its move, if it may still say so much."""
    left = MAX_CLAIMS_PER_ROUND - sum(one.seat == seat for one in talk.said)
    said = [Statement(seat, claim, unplayed) for claim in made.claims[: max(left, 0)]]
    is_heard = made.text and sum(line.seat == seat for line in talk.lines) < MAX_CLAIMS_PER_ROUND
    lines = [Line(seat, made.text, unplayed)] if is_heard else []
    return talk.after(said).with_lines(lines)


def hear_move(
    talk: Talk,
    game: Game,
    causes: Iterable[Event | Statement],
    seats: Mapping[int, Talker],
    rng: Random,
) -> Talk:
    """Return the talk after a move: claims of all seats about its causes and about other claims.

    The causes are the move's events, and what its bot said with it.
    """
    todo: deque[ClaimCause] = deque(cause for cause in causes if isinstance(cause, ClaimCause))
    table = game.round.table
    left = MAX_CLAIMS_PER_TURN
    while todo and left > 0:
        cause = todo.popleft()
        for seat in range(table.players):
            claims = seats[seat](game.view(seat), cause, talk, rng)
            said = tuple(Statement(seat, claim, table.unplayed) for claim in claims)
            talk = talk.after(said)
            todo += said
            left -= len(said)
    return talk


def _opposite(claim: Claim) -> Claim:
    """Return the claim that says the opposite, if there is one."""
    match claim:
        case GoldAt(cell):
            return StoneAt(cell)
        case StoneAt(cell):
            return GoldAt(cell)
        case DigsForUs(seat):
            return DigsAgainstUs(seat)
        case DigsAgainstUs(seat):
            return DigsForUs(seat)
        case _:
            return claim


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
