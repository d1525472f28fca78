"""Cost of watching games again: opening a record, stepping through it, and reading the library.

A game has 230 moves at the most, so that 1,000 moves are several records opened one
after the other. Bytes are all that the app writes to a terminal of 80x24 in true colour, with
the mine painted. The library has many games, each in a file of its own.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.screen import environment, keys, report, report_keys
from engine.bots import BOTS, Playouts
from engine.notation import Record, format_record
from engine.notation.record_parser import with_checks
from engine.state import Phase
from sabtui.after.library import KeptGame, game_cells, read_library, search_words
from sabtui.after.replays import read_replay
from tests.terminal import Terminal

GAMES: Final = 1_000
"""Games in the library."""

MOVES: Final = 1_000
"""Moves for which opening is measured."""

SEED: Final = 7341

NAMES: Final = ("Ana", "Bruno", "Chiara", "Dario", "Eva")

STEP_KEYS: Final = {"step": "\x1b[C", "step back": "\x1b[D", "another side": "v"}
"""Bytes that a terminal sends for the keys that are measured."""

STEP_BYTES: Final = 8_000
"""Bytes that a step may cost: those of a turn at the table."""


def main() -> None:
    """Measure, and print the figures."""
    print(f"replay: {len(NAMES)} players, Python {sys.version.split()[0]}")
    with TemporaryDirectory() as home:
        file = Path(home) / "game.sab"
        record = play_game(SEED)
        file.write_text(format_record(record), encoding="utf-8")
        opening(file, sum(map(len, record.moves)))
        reading(Path(home) / "records", record)
        if sys.platform == "linux":
            asyncio.run(stepping(file, home))


def play_game(seed: int) -> Record:
    """Return a game of three rounds between bots."""
    rng = Random(seed)
    record = Record(NAMES).add_round(rng.randbytes(32))
    game, _events = record.next_step(None)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            record = record.add_round(rng.randbytes(32))
            game, _events = record.next_step(game)
        else:
            move = BOTS["greedy"](game.view(game.to_act), rng, Playouts(0))
            record = record.add_move(move)
            game, _events = game.apply(move)
    return record


def opening(file: Path, moves: int) -> None:
    """Measure how long it takes to open records, and print the figures."""
    took = seconds(lambda: read_replay(file).begin(), 9)
    report(f"opening {moves} moves", f"{took * 1000:.0f} ms")
    report(f"  {MOVES} moves at this rate", f"{took * 1000 * MOVES / moves:.0f} ms", "500 ms")


def reading(folder: Path, record: Record) -> None:
    """Measure how long it takes to read the library and to list it, and print the figures."""
    folder.mkdir()
    lines = [line.rsplit(" #", 1)[0] for line in format_record(record).splitlines()]
    for number in range(GAMES):
        named = [line.replace('"Ana"', f'"Ana {number}"').split(" ") for line in lines]
        (folder / f"{number}.sab").write_text(with_checks(named), encoding="utf-8")
    begun = time.perf_counter()
    games = read_library(folder, "Bruno").games
    report(f"reading {GAMES} games", f"{time.perf_counter() - begun:.1f} s", "6 s")
    took = seconds(partial(list_rows, games), 3)
    report(f"  rows of {GAMES}", f"{took * 1000:.0f} ms")


def list_rows(games: Sequence[KeptGame]) -> list[tuple[tuple[str, ...], str]]:
    """Return the rows of games, and the words that find them."""
    return [(game_cells(game), search_words(game)) for game in games]


def seconds(do: Callable[[], object], times: int) -> float:
    """Return the median of the seconds that something takes."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        do()
        took.append(time.perf_counter() - begun)
    return median(took)


async def stepping(file: Path, home: str) -> None:
    """Measure steps on a terminal, and print the figures."""
    command = (sys.executable, "-m", "sabtui", "replay", str(file))
    begun = time.perf_counter()
    async with await Terminal.start(*command, env=environment(home)) as terminal:
        await terminal.sees("all cards open")
        report("start to the first step", f"{(time.perf_counter() - begun) * 1000:.0f} ms")
        await terminal.quiet(0.3)
        for name, key in STEP_KEYS.items():
            report_keys(name, await keys(terminal, [key] * 40), STEP_BYTES)


if __name__ == "__main__":
    main()
