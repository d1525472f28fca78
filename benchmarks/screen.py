"""What the screens cost: CPU until the first frame, bytes on the line, key to paint, memory.

The real app on a terminal of 80x24 in true colour, beside a minimal Textual app in the same run.
CPU is of the whole process, its threads included, and is read from its own clock (Linux has one
for each process), so that other programs count for little. What is on the line is all that the
app writes. The table is a real one of bots, with a mine of 40 cards.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from engine import Move, View
from engine.board import GOAL_CELLS
from engine.bots import Playouts
from engine.moves import Discard, Lay
from net.client.local import LocalSession, Opponents
from net.client.session import OnUpdate, Status, Update
from net.lobby import Settings
from net.lobby.bot_names import bot_names
from net.protocol.messages import Chat
from net.room import BotMoveRequest
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableAccess, TableHandle
from sabtui.tui.app import SabtuiApp, run
from tests.terminal import Terminal

STARTS: Final = 9
STEPS: Final = 60
IDLE: Final = 10.0
QUIET: Final = 0.12
"""Seconds without a byte after which all has been painted."""

BOTS: Final = 4
PACE: Final = 0.8
"""Seconds that a bot takes for a move while it is watched what that costs."""

CARDS: Final = 40
ROUNDS: Final = 4
"""How often the player can pass: the deck is used up by then, and the hand has four cards."""

MINE: Final = "YOUR TURN"
SEED: Final = 7341
READY: Final = "All is ready."
"""What the player says once the table is as wanted."""

MINIMAL: Final = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("minimal")
Minimal().run()
"""

ARROWS: Final = {"right": "\x1b[C", "down": "\x1b[B", "left": "\x1b[D", "up": "\x1b[A"}


def main() -> None:
    """Measure, and print the figures, on Linux."""
    if sys.platform == "linux":
        asyncio.run(measure())


async def measure() -> None:
    """Measure, and print the figures beside their limits."""
    print(f"screen: 80x24, true colour, Python {sys.version.split()[0]}")
    ours, theirs = await starts()
    ratio = median(mine / its for mine, its in zip(ours.cpu, theirs.cpu, strict=True))
    tell("CPU to first frame, welcome", f"{median(ours.cpu) * 1000:.0f} ms")
    tell("  minimal Textual app", f"{median(theirs.cpu) * 1000:.0f} ms")
    tell("  ratio", f"{ratio:.2f}", "1.4")
    tell("memory, welcome", f"{median(ours.memory):.1f} MB")
    tell("  minimal Textual app", f"{median(theirs.memory):.1f} MB")
    tell("  ratio", f"{median(ours.memory) / median(theirs.memory):.2f}")
    async with at_table() as table:
        tell(f"memory, table with {CARDS} cards", f"{memory(table):.1f} MB")
        tell_keys("cursor step", await keys(table, [*ARROWS.values()] * (STEPS // 4)), 3000)
        await pressed(table, "t")
        tell_keys(
            "typed character of talk", await keys(table, list("anyone for the north goal?")), 1500
        )
        await pressed(table, "\x1b")
        tell_keys("choosing a card", await keys(table, ["2", "3", "4", "1"] * 4))
        begun, cpu = table.written, clock(table)
        await asyncio.sleep(IDLE)
        tell(f"{IDLE:.0f} idle seconds", f"{table.written - begun} bytes", "0")
        tell("  CPU", f"{(clock(table) - cpu) * 1000:.0f} ms")
        tell_bytes("another player's turn", await turns(table), 8000)


class Starts:
    """CPU seconds until the first frame and MB then, a start each."""

    def __init__(self, mark: str, *command: str) -> None:
        self.mark = mark
        self.command = command
        self.cpu: list[float] = []
        self.memory: list[float] = []

    async def once(self, env: dict[str, str]) -> None:
        """Start, and end."""
        async with await Terminal.start(*self.command, env=env) as terminal:
            await terminal.sees(self.mark)
            self.cpu.append(clock(terminal))
            await terminal.quiet(QUIET)
            self.memory.append(memory(terminal))


async def starts() -> tuple[Starts, Starts]:
    """Start both in turn, so that a noisy machine is noisy for both; the first does not count."""
    ours = Starts("leave Sabtui", sys.executable, "-m", "sabtui")
    theirs = Starts("minimal", sys.executable, "-c", MINIMAL)
    with TemporaryDirectory() as home:
        for _ in range(STARTS + 1):
            for each in (theirs, ours):
                await each.once(environment(home))
    for each in (theirs, ours):
        del each.cpu[0], each.memory[0]
    return ours, theirs


@asynccontextmanager
async def at_table() -> AsyncIterator[Terminal]:
    """The app on a terminal, at the table, once there are so many cards and it is our turn."""
    with TemporaryDirectory() as home:
        table = (sys.executable, "-m", "benchmarks.screen", f"{home}/settings")
        async with await Terminal.start(*table, env=environment(home)) as terminal:
            await terminal.sees(READY)
            await terminal.quiet(2 * QUIET)
            yield terminal


async def pressed(terminal: Terminal, key: str) -> tuple[int, float, float]:
    """Press a key; bytes that came of it, and ms of time and of CPU until all was painted."""
    written, cpu, begun = terminal.written, clock(terminal), time.perf_counter()
    terminal.type(key)
    await terminal.quiet(QUIET)
    took = (terminal.last - begun) * 1000
    return terminal.written - written, took, (clock(terminal) - cpu) * 1000


async def keys(terminal: Terminal, typed: list[str]) -> list[tuple[int, float, float]]:
    """Press keys, each once what came of the one before is painted."""
    return [await pressed(terminal, key) for key in typed]


async def turns(terminal: Terminal) -> list[int]:
    """Pass until the bots have made their moves three times; bytes of each of their turns.

    On a busy machine there may be no pause between two of them, which then cannot be told apart:
    none of that time is counted, and there is another.
    """
    came = list[int]()
    for _ in range(ROUNDS):
        between = await round_of_turns(terminal)
        came += between if len(between) == BOTS else []
        if len(came) == 3 * BOTS:
            break
    return came


async def round_of_turns(terminal: Terminal) -> list[int]:
    """Pass, and wait for one's next turn; bytes that came between two pauses until then."""
    await pressed(terminal, "1")
    await pressed(terminal, "x")
    await pressed(terminal, "\r")
    await terminal.until(lambda: MINE not in terminal.text)
    came = list[int]()
    while MINE not in terminal.text:
        written = terminal.written
        await terminal.until(lambda: terminal.written > written)  # noqa: B023 - awaited here
        await terminal.quiet(QUIET)
        came.append(terminal.written - written)
    return came


def environment(home: str) -> dict[str, str]:
    """What a program finds on the terminal of somebody who has never played."""
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    return {"PATH": os.environ["PATH"], "HOME": home, **terminal}


def clock(terminal: Terminal) -> float:
    """CPU seconds that a process took so far."""
    if sys.platform == "linux":
        # What clock_getcpuclockid(3) makes of a process's number.
        return time.clock_gettime((~terminal.process.pid << 3) | 2)
    raise NotImplementedError


def memory(terminal: Terminal) -> float:
    """MB that a process holds now."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text(encoding="ascii")
    held = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(held.split()[1]) / 1024


def tell(what: str, figure: str, limit: str = "") -> None:
    """Print one row."""
    print(f"  {what:<34}{figure:>24}{f'   at most {limit}' if limit else ''}", flush=True)


def tell_bytes(what: str, came: list[int], limit: int | None = None) -> None:
    """Print how many bytes something is."""
    figure = f"{median(came):.0f}, most {max(came)} bytes" if came else "too busy to tell"
    tell(what, figure, "" if limit is None else f"{limit}")


def tell_keys(what: str, came: list[tuple[int, float, float]], limit: int | None = None) -> None:
    """Print how many bytes a key is, and how long until all that came of it was painted."""
    tell_bytes(what, [written for written, _, _ in came], limit)
    tell("  key to paint, p50 and p95", percentiles([took for _, took, _ in came]))
    tell("  CPU, p50 and p95", percentiles([cpu for _, _, cpu in came]))


def percentiles(took: list[float]) -> str:
    """The median and the 95th percentile."""
    return f"{median(took):.1f}, {quantiles(took, n=20)[18]:.1f} ms"


class Dug(LocalSession):
    """A table of bots that dig, fast, until there are so many cards, and then play on in peace.

    Its player does the same, and says so in the talk.
    """

    def __init__(self, on_update: OnUpdate) -> None:
        seeds, self._chance_to_dig = Random(SEED), Random(SEED)
        names = bot_names(BOTS, {"ana"})
        opponents = Opponents(
            names, "greedy", (PACE, PACE), Playouts(0), lambda: seeds.randbytes(32)
        )
        self._loop = asyncio.get_running_loop()
        self._hears = on_update
        self._is_dug = False
        self._turn = -1
        super().__init__("Ana", Settings(rounds=1, seats=BOTS + 1), opponents, self._heard)

    def _heard(self, update: Update) -> None:
        self._hears(update)
        self._loop.call_soon(self._go_on, update.status)

    def _go_on(self, status: Status) -> None:
        view = status.view
        if self._is_dug or view is None:
            return
        if view.to_act == 0 and len(view.history) != self._turn:
            self._turn = len(view.history)
            if len(view.table.board.tunnels()) + len(GOAL_CELLS) + 1 >= CARDS:
                self._is_dug = True
                self.request(Chat(READY))
            else:
                self.play(digs(view, self._chance_to_dig))

    def _may_speak(self) -> bool:
        """Let no bot say anything: what it says would be taken for a turn."""
        return False

    async def _bot_plays(self, turn: BotMoveRequest) -> None:
        if self._is_dug:
            await super()._bot_plays(turn)
        else:
            move = digs(turn.view, self._chance_to_dig)
            self._apply_effects(self._room.bot_moved(turn, move, time.monotonic()))


def digs(view: View, chance: Random) -> Move:
    """Lay a card by chance, but beside no goal; else pass, with an action card if there is one."""
    moves = list(view.legal_moves())
    lays = [move for move in moves if isinstance(move, Lay) and move.cell[0] < 7]
    passes = [move for move in moves if isinstance(move, Discard)]
    actions = [move for move in passes if not move.card.ways]
    return chance.choice(lays or actions or passes or moves)


def no_doors() -> TableAccess:
    """Nobody goes anywhere from here."""
    raise NotImplementedError


if __name__ == "__main__":
    run(
        SabtuiApp(
            no_doors, PreferencesStore(Path(sys.argv[1])), handle=TableHandle(Dug, practice=True)
        )
    )
