"""`sabtui bot check`: asks a bot for moves in positions of all phases and sizes.

It asks as a table does, with the same time, memory and talk. Unlike a table it tells the bot's
author everything, as these games have no secrets. Its output is in English, like everything for
authors.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from engine.bots import Playouts, greedy, random_bot
from engine.bots.bot import SpokenMove
from engine.bots.installed import is_program, offer_program, refused_bots
from engine.bots.programs import ProgramBot
from engine.bots.talk import SILENCE, Line, Talk
from engine.edition import EDITIONS
from engine.game import Game
from engine.notation import format_position
from engine.state import PLAYERS, Phase
from net.server.bots import BOT_BUDGET, INSTALLED_BOT_TIMEOUT_S
from sabtui.app.errors import UserError, print_lines, show_progress
from sabtui.kit.arena import (
    BadBot,
    Player,
    bot_to_measure,
    load_or_complain,
    own,
    seed_of,
    update_talk,
)

POSITIONS: Final = 200
"""How many positions a bot is asked about."""

GOLD_SHARE: Final = 5
"""One position in this many asks for a choice of gold."""

MAX_FAILURES: Final = 10
"""After this many failures the check stops: each may take the full time of an answer."""

TEXT: Final = 'Olá \N{PICK}: "gold"?\\'
"""Chat in these games: a program has to read any letters."""


@dataclass(frozen=True, slots=True)
class CheckedPosition:
    """A position that a bot is asked about, with what was said before."""

    game: Game
    talk: Talk


class NoAnswer(BaseException):
    """Raised inside a bot whose time is up; its own `except Exception` cannot catch it."""


@dataclass(slots=True)
class Found:
    """Findings of a check about a bot."""

    moves: int = 0
    times: list[float] = field(default_factory=list)
    claims: int = 0
    texts: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)


def list_positions(count: int = POSITIONS) -> list[CheckedPosition]:
    """Return positions of play and of gold, of all numbers of players and all editions.

    They are the same every time.
    """
    found: dict[Phase, list[CheckedPosition]] = {Phase.PLAY: [], Phase.GOLD: []}
    for number, players in enumerate(PLAYERS):
        for asked in _play(number, players):
            found[asked.game.phase].append(asked)
    gold = count // GOLD_SHARE
    chance = Random(seed_of(0))
    picked = [
        *chance.sample(found[Phase.PLAY], count - gold),
        *chance.sample(found[Phase.GOLD], gold),
    ]
    chance.shuffle(picked)
    return picked


def _play(number: int, players: int) -> Iterator[CheckedPosition]:
    """Yield each position of a game in which bots play well and badly, and talk."""
    seed = seed_of(number)
    rng, talk, said = Random(seed), SILENCE, 0
    edition = [*EDITIONS.values()][number % len(EDITIONS)]
    game = Game.new(players, seed=seed, edition=edition)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            talk = talk.after_round(game.round.table)
            game, _ = game.deal(seed)
            continue
        assert game.to_act is not None
        yield CheckedPosition(game, talk)
        bot = greedy if rng.random() < 0.7 else random_bot
        game, events = game.apply(bot(game.view(game.to_act), rng, Playouts(0)))
        if game.phase is Phase.PLAY:
            talk = update_talk(talk, game, events, [own] * players, rng)
            said += 1
            if said % 7 == 0:
                line = Line(rng.randrange(players), TEXT, game.round.table.unplayed)
                talk = talk.with_lines([line])


def ask(
    name: str, positions: Sequence[CheckedPosition], limit: float = INSTALLED_BOT_TIMEOUT_S
) -> Found:
    """Ask a bot about one position after the other, until it has failed too often."""
    found, player = Found(), Player(name, BOT_BUDGET)
    for number, asked in enumerate(positions, 1):
        show_progress(f"{number}/{len(positions)}", number, len(positions))
        if len(found.failures) == MAX_FAILURES:
            break
        began = time.perf_counter()
        try:
            with _time_limit(limit):
                said = player.move(asked.game, Random(number), asked.talk)
        except NoAnswer as late:
            found.failures.append((number, f"no answer within {limit:g} seconds{_place_of(late)}"))
            continue
        except BadBot as bad:
            found.failures.append((number, str(bad)))
            continue
        found.times.append(time.perf_counter() - began)
        found.moves += 1
        if isinstance(said, SpokenMove):
            found.claims += len(said.claims)
            found.texts += bool(said.text)
            found.dropped.update(said.dropped)
    return found


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Make the code inside raise `NoAnswer` once the time is up, on systems with alarms."""
    if sys.platform == "win32":
        yield
    else:

        def interrupt(_signal: int, _frame: object) -> None:
            raise NoAnswer

        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _place_of(late: NoAnswer) -> str:
    """Return the line of the bot's own code at which its time ran out, "" for a program."""
    ours = str(Path(__file__).parents[2])
    frames = [
        frame
        for frame in traceback.extract_tb(late.__traceback__)
        if not frame.filename.startswith(ours)
    ]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def _program_of(name: str) -> ProgramBot | None:
    bot: object = bot_to_measure(name)
    return bot if isinstance(bot, ProgramBot) else None


def check(name: str) -> int:
    """Print a bot's answers; return the exit code, 1 if it failed anywhere.

    `name` is as the arena takes it. Raises `UserError`: there is no such bot, or no table has it.
    """
    if is_program(name) and (offered := offer_program(name)) in refused_bots():
        raise UserError(refused_bots()[offered])
    load_or_complain(name)
    positions = list_positions()
    try:
        found = ask(name, positions)
    finally:
        if (program := _program_of(name)) is not None:
            program.close()
    print_lines(_report(name, positions, found))
    return 1 if found.failures else 0


def _report(name: str, positions: Sequence[CheckedPosition], found: Found) -> Iterator[str]:
    """Yield the bot's results, then its first failures with the position or line behind each."""
    failed = len(found.failures)
    asked = found.moves + failed
    yield f"{asked} positions of 3 to 10 players: {found.moves} moves, {failed} failures"
    if asked < len(positions):
        yield f"stopped after {failed} failures; {len(positions) - asked} positions are left"
    if found.times:
        middle, most = (1000 * taken for taken in (median(found.times), max(found.times)))
        yield f"milliseconds for a move: {middle:.1f} in the middle, {most:.1f} at most"
    yield f"said: {found.claims} claims, {found.texts} lines of text"
    for fault, times in found.dropped.items():
        yield f"left out {times} times: {fault}"
    for number, why in found.failures:
        game, talk = positions[number - 1].game, positions[number - 1].talk
        view = game.view(game.to_act)
        phase = f"{game.phase.name.lower()}, round {game.score.number}"
        yield f"position {number} ({view.table.players} players, {phase}): {why}"
        if (bot := _program_of(name)) is not None:
            yield f"  line in: {bot.write_question(view, Random(number), BOT_BUDGET, talk)}"
        else:
            yield f"  position: {format_position(view)}"
