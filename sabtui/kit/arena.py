"""`sabtui arena`: a league of bots, which all play the same deals.

Every deal follows from its number and a fixed seed. The same version always gives the same figures.

Each deal is played once by each pairing of teams, with one bot as the miners and another as the
saboteurs, and once for each rotation of all bots over the seats, so that teams are also mixed. A
side is as strong as its seats are on average: the ratings are those that make the results most
likely (Elo's scale: a lead of 400 points means ten wins for each loss). Intervals come from deals
drawn again at random.

A talker is a function of a view, the latest event or statement, the talk so far and a random
generator; it returns the claims that its seat then makes. A bot that returns a `SpokenMove` speaks
for itself.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from math import exp, log
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeVar

from engine.bots import BOTS, Bot, Budget, Playouts, claims, greedy
from engine.bots.bot import BadReply, SpokenMove, bind_talk, call_bot
from engine.bots.estimates import find_wilson_interval
from engine.bots.executables import MAX_INSTALLED_BOT_BYTES
from engine.bots.installed import (
    OfferedProgram,
    check_bot,
    find_program_fault,
    is_program,
    load_bot,
)
from engine.bots.occasions import ClaimCause, choose_claim, list_occasions
from engine.bots.talk import SILENCE, Claim, Line, Statement, Talk
from engine.bots.temper import USUAL_TEMPER, Temper, draw_temper
from engine.cards import Role
from engine.dealing import deal
from engine.edition import INTERNATIONAL, Edition
from engine.events import Event
from engine.game import Game
from engine.moves import Move
from engine.notation import Record, format_record, replay
from engine.state import Phase
from engine.view import View
from net.protocol.lobby import clean_text
from net.room.bots import MAX_WORDS_PER_ROUND
from net.server.process import limit_memory
from sabtui.app.errors import UserError, print_lines, show_progress
from sabtui.text.errors import not_written

ARENA_SEED: Final = 7341  # the number from which all deals of the arena follow

ReportRow = tuple[object, ...]  # the cells of one row


def percent(won: int, played: int) -> str:
    """Return a share and its interval as text for a table, in percent."""
    low, high = find_wilson_interval(won, played)
    return f"{100 * won / played:.1f}% ({100 * max(low, 0.0):.0f} to {100 * high:.0f})"


def in_markdown(head: Sequence[str], rows: Iterable[ReportRow]) -> Iterator[str]:
    """Yield the lines of a table as its rows come, and a line with the command that repeats it."""
    for row in (head, ("---",) * len(head)):
        yield f"| {' | '.join(row)} |"
    for cells in rows:
        yield f"| {' | '.join(map(str, cells))} |"
    python = ".".join(map(str, sys.version_info[:3]))
    yield ""
    yield f"Sabtui {version('sabtui')}, Python {python}, seed {ARENA_SEED}."


MAX_CLAIMS_PER_TURN: Final = 30
"""Maximum number of claims that all seats together make after one move."""


Talker = Callable[[View, ClaimCause, Talk, Random], tuple[Claim, ...]]
"""A function that returns what a view's seat says about the latest event or statement."""


def claim_about(
    view: View, cause: ClaimCause, talk: Talk, temper: Temper = USUAL_TEMPER
) -> Claim | None:
    """Return a bot's claim about the last event or statement, `None` if it is silent."""
    if sum(said.seat == view.seat for said in talk.said) >= claims.MAX_CLAIMS_PER_ROUND:
        return None
    harms = map(claims.find_harm_doer, view.history)  # lazy, as few causes need it
    made = (
        choose_claim(view, occasion, talk, temper)
        for seat, occasion in list_occasions(cause, talk, harms, range(view.table.players))
        if seat == view.seat
    )
    return next((claim for claim in made if claim is not None), None)


def own(
    view: View, cause: ClaimCause, talk: Talk, rng: Random, temper: Temper = USUAL_TEMPER
) -> tuple[Claim, ...]:
    """Return the claims of a bot: true ones of a miner, useful ones of a saboteur."""
    del rng  # The claims follow from what the bot knows.
    claim = claim_about(view, cause, talk, temper)
    return () if claim is None else (claim,)


def silent(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Say nothing, ever."""
    del view, cause, talk, rng
    return ()


def words_of(seat: int, made: SpokenMove, unplayed: int, left: int) -> list[Statement | Line]:
    """Return a bot's claims and its line as a table hears them, at most as many as are `left`."""
    words: list[Statement | Line] = [Statement(seat, claim, unplayed) for claim in made.claims]
    if text := clean_text(made.text):
        words.append(Line(seat, text, unplayed))
    return words[: max(left, 0)]


def update_talk(
    talk: Talk,
    game: Game,
    causes: Iterable[Event | Statement],
    talkers: Sequence[Talker],
    rng: Random,
) -> Talk:
    """Update the talk after a move: all claims about `causes`, and about those claims.

    The causes of claims are the move's events, and what its bot said with it.
    """
    todo: deque[ClaimCause] = deque(cause for cause in causes if isinstance(cause, ClaimCause))
    table = game.round.table
    left = MAX_CLAIMS_PER_TURN
    while todo and left > 0:
        cause = todo.popleft()
        for seat, talker in enumerate(talkers):
            chosen = talker(game.view(seat), cause, talk, rng)
            said = tuple(Statement(seat, claim, table.unplayed) for claim in chosen)
            talk = talk.after(said)
            todo += said
            left -= len(said)
    return talk


ResultT = TypeVar("ResultT")


@cache
def bot_to_measure(name: str) -> Bot:
    """Return one of our bots or an installed one by its name, or any by its `MODULE:NAME`.

    A name with a slash is the path of a program, with its options.

    Raises `ValueError` if there is no such bot, or it cannot be called as a bot is.
    """
    if is_program(name):
        program = OfferedProgram.read(name)  # not by its name: several may differ in their options
        if (fault := find_program_fault(program)) is not None:
            raise ValueError(f"the bot {program} cannot play: {fault}")
        return program.load(leads_group=True)
    module, colon, attribute = name.partition(":")
    if not colon:
        return load_bot(name)
    try:
        bot: Bot = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"no bot {name}: {error}") from None
    check_bot(name, bot)
    return bot


class BadBot(Exception):
    """Raised when a bot that is measured raises, or returns no legal move; its text is one line."""


@dataclass(slots=True)
class Player:
    """A bot by its name, how long it may think, and how it talks."""

    name: str  # as `bot_to_measure` reads it
    budget: Budget
    talker: Talker = silent

    def move(
        self, game: Game, rng: Random, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
    ) -> Move | SpokenMove:
        """Return the bot's move in a game in which it is to act.

        Raises `BadBot`: the bot, which may be anybody's, raises, or its move is not legal.
        """
        bot = bind_talk(bot_to_measure(self.name), talk, temper)
        view = game.view(game.to_act)
        try:
            said = call_bot(bot, view, rng, self.budget)
        except BadReply as error:
            raise BadBot(f"{self.name} returned {error.found!r}, which is {error}") from None
        except Exception as error:  # noqa: BLE001 - report whatever it raises
            where = traceback.extract_tb(error.__traceback__)[-1]
            raised = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise BadBot(f"{self.name} raised {raised} ({where.filename}:{where.lineno})") from None
        move = move_of(said)
        reason = view.why_not(move)
        if reason is not None:
            raise BadBot(f"{self.name} made an illegal move, {move}: {reason}")
        return said


def move_of(said: Move | SpokenMove) -> Move:
    return said.move if isinstance(said, SpokenMove) else said


def seed_of(number: int) -> bytes:
    """Return the seed of one deal. It also seeds the bots' random generator."""
    return sha256(f"sabtui arena {ARENA_SEED} {number}".encode()).digest()


def play_round(
    number: int, seats: Sequence[Player], edition: Edition = INTERNATIONAL
) -> tuple[list[Game], Talk]:
    """Play a round; return its states in order, up to its end, and all the talk.

    Claims use a random generator of their own, so talk that no bot listens to does not change the
    moves.
    """
    steps = [*_play_steps(number, seats, edition)]
    return [step.game for step in steps], steps[-1].talk


class RoundStep(NamedTuple):
    """A state of a round, everything said before it, and the move that led to it."""

    game: Game
    talk: Talk
    move: Move | None = None


def _play_steps(number: int, seats: Sequence[Player], edition: Edition) -> Iterator[RoundStep]:
    seed = seed_of(number)
    rng, chance = Random(seed), Random(seed + b"talk")
    game, _ = Game.begin(deal(seed, 1, len(seats)), edition, rounds=1)
    talk = SILENCE
    yield RoundStep(game, talk)
    tempers = [draw_temper(seed, seat) for seat in range(len(seats))]
    talkers = [
        partial(own, temper=temper) if player.talker is own else player.talker
        for player, temper in zip(seats, tempers, strict=True)
    ]
    spoken = Counter[int]()
    while (seat := game.to_act) is not None and game.phase is Phase.PLAY:
        said = seats[seat].move(game, rng, talk, tempers[seat])
        causes: list[Event | Statement] = []
        if isinstance(said, SpokenMove):
            talkers[seat] = silent
            left = MAX_WORDS_PER_ROUND - spoken[seat]
            words = words_of(seat, said, game.round.table.unplayed, left)
            spoken[seat] += len(words)
            statements = [word for word in words if isinstance(word, Statement)]
            causes += statements
            lines = [word for word in words if isinstance(word, Line)]
            talk = talk.after(statements).with_lines(lines)
        game, events = game.apply(move_of(said))
        talk = update_talk(talk, game, [*causes, *events], talkers, chance)
        yield RoundStep(game, talk, move_of(said))


def make_record(number: int, names: Sequence[str], steps: Iterable[RoundStep]) -> Record:
    """Return the record of a round of the arena, with its talk; names end in seat numbers."""
    seated = tuple(f"{_short_name(name)} {seat}" for seat, name in enumerate(names, 1))
    record, talk_before = Record(seated, rounds=1, seed=seed_of(number)).add_round(), SILENCE
    for _, talk, move in steps:
        if move is not None:
            record = record.add_move(move)
        for said in talk.said:
            if said not in talk_before.said:
                record = record.add_utterance(said.seat, seated[said.seat], said.claim)
        for line in talk.lines:
            if line not in talk_before.lines:  # a talk keeps only the last lines
                record = record.add_utterance(line.seat, seated[line.seat], text=line.text)
        talk_before = talk
    # A round of the arena stops once it is won; its record also needs the miners' choice of gold.
    *_, (game, _) = replay(record)
    while game.phase is Phase.GOLD:
        move = greedy(game.view(game.to_act), Random(0), Playouts(0))
        record, (game, _) = record.add_move(move), game.apply(move)
    return record


def _short_name(name: str) -> str:
    """Return a bot's name, cut to fit a record: without folder, module or options."""
    last = OfferedProgram.read(name).name if is_program(name) else name.rsplit(":", maxsplit=1)[-1]
    return re.sub(r"[^\w.-]", "", last)[:MAX_SHORT_NAME] or "bot"


MAX_SHORT_NAME: Final = 12  # letters of a bot's name in a record


def have_miners_won(states: Sequence[Game]) -> bool:
    end = states[-1].round.table.end
    return end is not None and end.winner is Role.MINER


def _is_others_code(name: str) -> bool:
    """Return True for another author's bot that runs in our process, as a program does not."""
    return name not in BOTS and not is_program(name)


def each(
    work: Callable[[int], ResultT],
    count: int,
    jobs: int,
    *,
    first: int = 0,
    is_limited: bool = False,
) -> list[ResultT]:
    """Return the result of `work` for `count` numbers from `first` on, by `jobs` processes.

    If `is_limited`, each of them has as much memory as a process that plays a bot at a table.
    """
    numbers = range(first, first + count)
    if jobs == 1 and not is_limited:
        return [*_show_count(map(work, numbers), count)]
    limit = partial(limit_memory, MAX_INSTALLED_BOT_BYTES) if is_limited else None
    # Spawned, not forked, so that it works the same on every system.
    with ProcessPoolExecutor(jobs, get_context("spawn"), limit) as pool:
        return [*_show_count(pool.map(work, numbers), count)]


def _show_count(results: Iterable[ResultT], count: int) -> Iterator[ResultT]:
    try:
        for number, result in enumerate(results, 1):
            show_progress(f"{number}/{count}", number, count)
            yield result
    finally:
        show_progress(f"{count}/{count}", count, count)


PLAYERS: Final = 5  # seats of each round

PLAYOUTS: Final = 150  # play-outs for a move of `search`, and of others that count them

ELO_POINTS: Final = 400 / log(10)  # points of Elo's scale for one unit of log-odds

RESAMPLES: Final = 200  # how often the deals are resampled for the intervals

_SWEEPS: Final = 60  # iterations to fit the ratings: far more than needed

_PRIOR: Final = 0.05
"""Pulls each rating to the mean: a bot that wins every round would be rated infinitely high."""

Weights = tuple[float, ...]
"""For each bot its share of the miners' seats, less its share of the saboteurs'."""


@dataclass(frozen=True, slots=True)
class LeagueRound:
    """A round: the bot of each seat and its role, by number, and whether the miners won."""

    bots: tuple[int, ...]
    roles: tuple[Role, ...]
    won: bool

    def weights(self, count: int) -> Weights:
        seats = Counter(zip(self.bots, self.roles, strict=True))
        miners, saboteurs = (max(self.roles.count(role), 1) for role in Role)
        return tuple(
            seats[bot, Role.MINER] / miners - seats[bot, Role.SABOTEUR] / saboteurs
            for bot in range(count)
        )


def play_deal(
    names: Sequence[str], players: int, budget: Playouts, number: int, folder: Path | None = None
) -> list[LeagueRound]:
    """Play all rounds of one deal: each pairing of teams, and each rotation of the seats.

    Their records are kept in a folder, if there is one. Raises `OSError`.
    """
    roles = deal(seed_of(number), 1, players).roles
    lineups = [
        tuple(miners if role is Role.MINER else saboteurs for role in roles)
        for miners in range(len(names))
        for saboteurs in range(len(names))
        if miners != saboteurs
    ]
    lineups += [
        tuple((seat + first) % len(names) for seat in range(players)) for first in range(len(names))
    ]
    played = []
    for at, lineup in enumerate(lineups, 1):
        seated = [Player(names[bot], budget, own) for bot in lineup]
        steps = [*_play_steps(number, seated, INTERNATIONAL)]
        played.append(LeagueRound(lineup, roles, have_miners_won([steps[-1].game])))
        if folder is not None:
            record = make_record(number, [player.name for player in seated], steps)
            path = folder / f"deal-{number + 1:05}-{at:02}.sab"
            path.write_text(format_record(record), "utf-8", newline="\n")
    return played


LEAGUE_COLUMNS: Final = (
    *("bot", "Elo", "ahead of the next"),
    *("rounds of its teams", "won as miners", "won as saboteurs"),
)
"""The header of the league's table."""


def rank_bots(  # noqa: PLR0913 - each is a choice by itself
    names: Sequence[str],
    count: int,
    jobs: int,
    players: int = PLAYERS,
    playouts: int = PLAYOUTS,
    *,
    first: int = 0,
    folder: Path | None = None,
) -> Iterator[ReportRow]:
    """Yield the standing of each bot, best first: its rating, and how often its teams win.

    The deals are numbered from `first` on. Records of all rounds are kept in a folder, if there is
    one.
    """
    play = partial(play_deal, names, players, Playouts(playouts), folder=folder)
    deals = each(play, count, jobs, first=first, is_limited=any(map(_is_others_code, names)))
    rated = ratings([round_ for played in deals for round_ in played], len(names))
    chance = Random(ARENA_SEED)
    again = [
        ratings(
            [round_ for played in chance.choices(deals, k=len(deals)) for round_ in played],
            len(names),
        )
        for _ in range(RESAMPLES)
    ]
    order = sorted(range(len(names)), key=lambda bot: -rated[bot])
    for bot, following in zip(order, [*order[1:], None], strict=True):
        points = _with_interval(rated[bot], [sample[bot] for sample in again])
        ahead = ""
        if following is not None:
            gaps = [sample[bot] - sample[following] for sample in again]
            ahead = _with_interval(rated[bot] - rated[following], gaps)
        teams = [round_ for played in deals for round_ in played if _is_team(round_, bot)]
        shares = []
        for role in Role:
            won = [
                round_.won == (role is Role.MINER)
                for round_ in teams
                if _side(round_, role) == {bot}
            ]
            shares.append(percent(sum(won), len(won)) if won else "")
        yield names[bot], points, ahead, len(teams), *shares


def _side(round_: LeagueRound, role: Role) -> set[int]:
    return {bot for bot, its in zip(round_.bots, round_.roles, strict=True) if its is role}


def _is_team(round_: LeagueRound, bot: int) -> bool:
    """Return True if only this bot played one side, and a single bot the other."""
    sides = [_side(round_, role) for role in Role]
    return {bot} in sides and all(len(side) == 1 for side in sides)


def ratings(rounds: Sequence[LeagueRound], count: int) -> list[float]:
    """Return the ratings of `count` bots in points of Elo's scale, with a mean of 0."""
    played: Counter[Weights] = Counter()
    won: Counter[Weights] = Counter()
    for round_ in rounds:
        weights = round_.weights(count)
        played[weights] += 1
        won[weights] += round_.won
    found = _fit_weights(played, won, count)
    mean = sum(found) / count
    return [ELO_POINTS * (strength - mean) for strength in found]


def _fit_weights(
    played: Mapping[Weights, int], won: Mapping[Weights, int], count: int
) -> list[float]:
    """Return the log-odds that each bot adds, by Newton's method, one bot at a time.

    There is one more number, for the odds of the miners in general.
    """
    strengths = [0.0] * (count + 1)
    rows = [((*weights, 1.0), played[weights], won[weights]) for weights in played]
    for _ in range(_SWEEPS):
        for at in range(count + 1):
            pull = 0.0 if at == count else _PRIOR
            slope, bend = -pull * strengths[at], pull + 1e-9
            for weights, rounds, wins in rows:
                if weights[at]:
                    odds = sum(map(float.__mul__, weights, strengths))
                    share = 1 / (1 + exp(-odds))
                    slope += weights[at] * (wins - rounds * share)
                    bend += weights[at] ** 2 * rounds * share * (1 - share)
            strengths[at] += slope / bend
    return strengths[:count]


def _with_interval(value: float, samples: Sequence[float]) -> str:
    """Return points as text, with the range of the middle 95% of the samples in brackets."""
    ordered = sorted(samples)
    cut = len(ordered) // 40
    return f"{value:+.0f} ({ordered[cut]:+.0f} to {ordered[-1 - cut]:+.0f})"


DEFAULT_OPPONENTS: Final = ("easy", "medium")
"""The bots that a bot plays against if it is the only one to be measured."""


def load_or_complain(name: str) -> None:
    """Load a bot that is to be measured. Raises `UserError`, which says why it cannot be."""
    if str(Path.cwd()) not in sys.path:  # where `python -m` would also look for MODULE:NAME
        sys.path.append(str(Path.cwd()))
    try:
        bot_to_measure(name)
    except ValueError as error:
        raise UserError(str(error)) from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise UserError(f"no bot {name}: its module raised {what}") from error


def measure(names: Sequence[str], deals: int, jobs: int, records: Path | None = None) -> int:
    """Print the league table of the bots `names`, and return the exit code.

    A single bot is measured against `DEFAULT_OPPONENTS`. Records of all games are kept in a folder.

    Raises `UserError`, which says in one line what is wrong with a bot or the folder.
    """
    bots = [*dict.fromkeys(names)]
    for name in bots:
        load_or_complain(name)
    if len(bots) == 1:
        bots = [*dict.fromkeys((*bots, *DEFAULT_OPPONENTS))]
    try:
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
        rows = [*rank_bots(bots, deals, jobs, folder=records)]
    except BadBot as error:
        raise UserError(str(error)) from error
    except OSError as error:
        if records is None:
            raise
        raise UserError(not_written(records, error)) from error
    except BrokenProcessPool as error:
        raise UserError(f"the process that {' or '.join(bots)} played in ended") from error
    return print_lines(in_markdown(LEAGUE_COLUMNS, rows))
