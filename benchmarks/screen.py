"""Cost of the screens: CPU until the first frame, bytes written, time from key to paint, memory.

The real app runs on a terminal of 80x24 in true colour, and is compared with a minimal Textual app
in the same run; bytes and times are measured at 200x60, too. CPU time is the whole process's
with its threads, read from the process's own clock (a feature of Linux), so that other programs
hardly affect it. The bytes are all that the app writes to the terminal. The table is a real one
with bots, with a mine of 40 cards: first all of it in small tiles, then part of it drawn in tiles
of 5x3. Cards are drawn in blocks, then flat, and then by a terminal that says that it is kitty.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from benchmarks.dug_table import BOTS, CARDS, READY
from engine.board import START
from engine.cards import PATHS
from sabtui.art import Art
from sabtui.art.catalogue import find_ground
from sabtui.art.kitty import Placed, Sent, draw_placeholders, number_picture
from sabtui.art.sixel import Area, draw_area
from sabtui.tui.mine.card_tiles import draw_card
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize
from sabtui.tui.output import PlacedStrip, ShortUpdate
from sabtui.tui.theme import DRAWN
from tests.sabtui.tui.shell import Recorder
from tests.terminal import Terminal

SMALLEST, USUAL, LARGE = (60, 18), (80, 24), (200, 60)
"""Columns and rows of the terminals."""
STARTS: Final = 9
"""Number of starts measured of each app."""
STEPS: Final = 60
"""Number of cursor steps measured."""
IDLE_S: Final = 10.0
"""Seconds without input in which the bytes written are counted."""
WELCOME_S: Final = 30.0
"""Seconds in which the mine of the welcome screen digs itself while its bytes are counted."""
QUIET_S: Final = 0.12
"""Seconds without a byte after which everything is taken to be painted."""
SETTLED_S: Final = 1.0
"""The same where nothing is timed, and nothing may be left over."""

ROUNDS: Final = 4
"""Number of times the player can pass: then the deck is used up, and the hand has four cards."""

MINE: Final = "YOUR TURN"
"""Text on the screen while it is the player's turn."""

MINIMAL: Final = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("minimal")
Minimal().run()
"""
"""Source of the minimal Textual app. It is controlled by its terminal, so that it ends with it."""

ARROWS: Final = {"right": "\x1b[C", "down": "\x1b[B", "left": "\x1b[D", "up": "\x1b[A"}
"""The bytes that a terminal sends for the arrow keys."""
LARGER: Final = ["+", "+"]
"""Keys that draw tiles of 5x3 in place of small ones."""
NEXT_CARD: Final = "e"
"""Key that chooses the next card."""
REDRAW: Final = "\x0c"
"""Key that draws all of the screen again."""

KITTY_ANSWERS: Final = (
    "\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t\x1b[?62;c",
    "\x1b_Gi=31;OK\x1b\\\x1b[?62;c",
)
"""What kitty answers at first, with the size of its cells, and then about its graphics."""
PICTURE_CELL: Final = (10, 20)
"""Pixels of a cell, where pictures are drawn in pixels."""

_PICTURE: Final = re.compile(rb"\x1b_G[^\x1b]*\x1b\\")


def main() -> None:
    """Measure, and print the figures. Does nothing outside Linux."""
    if sys.platform == "linux":
        asyncio.run(measure())


async def measure() -> None:
    """Measure, and print the figures with their limits."""
    print(f"screen: 80x24, true colour, Python {sys.version.split()[0]}")
    ours, theirs = await starts()
    ratio = median(mine / its for mine, its in zip(ours.cpu, theirs.cpu, strict=True))
    report("CPU to first frame, welcome", f"{median(ours.cpu) * 1000:.0f} ms")
    report("  minimal Textual app", f"{median(theirs.cpu) * 1000:.0f} ms")
    report("  ratio", f"{ratio:.2f}", "1.4")
    report("memory, welcome", f"{median(ours.memory):.1f} MB")
    report("  minimal Textual app", f"{median(theirs.memory):.1f} MB")
    report("  ratio", f"{median(ours.memory) / median(theirs.memory):.2f}")
    for size in (SMALLEST, USUAL, LARGE):
        await report_welcome(size)
    await report_welcome(USUAL, "--calm")
    report_tiles()
    async with at_table() as table:
        report(f"memory, table with {CARDS} cards", f"{memory(table):.1f} MB")
        await report_play(table, "")
        await press_key(table, "t")
        report_keys(
            "typed character of talk", await keys(table, list("anyone for the north goal?")), 1500
        )
        await press_key(table, "\x1b")
        await table.quiet(SETTLED_S)  # with a key right after it, it would be another key
        await keys(table, LARGER)
        report_keys("first screen, tiles of 5x3", await keys(table, [REDRAW] * 4), 48_000)
        await report_play(table, ", tiles of 5x3")
        await report_waiting(table, 8000)
    columns, rows = LARGE
    print(f"screen: {columns}x{rows}, tiles as large as fit")
    async with at_table(LARGE) as table:
        report_keys("first screen", await keys(table, [REDRAW] * 4), 128_000)
        await report_play(table, "", 10_000, 24_000)
        await report_waiting(table, 16000)
    print("screen: 80x24, lines: key to paint of drawn ones may take 3 ms more")
    async with at_table(USUAL, Art.LINES) as table:
        await keys(table, LARGER)
        await report_play(table, ", tiles of 5x3")
    print("screen: 80x24, kitty; without the pictures themselves")
    async with at_table() as table:
        await answer_as_kitty(table)
        await keys(table, LARGER)
        report_keys("first screen, tiles of 5x3", await keys(table, [REDRAW] * 4), 48_000)
        await report_play(table, ", tiles of 5x3")
        await report_waiting(table, 8000)
        report("all pictures so far", f"{picture_bytes(table)} bytes", "400000")


async def report_welcome(size: tuple[int, int], *options: str) -> None:
    """Count what the welcome screen writes while nothing is typed, and print it by the minute."""
    with TemporaryDirectory() as home:
        command = (sys.executable, "-m", "sabtui", *options)
        env = environment(home)
        env.pop("SSH_CONNECTION", None)
        async with await Terminal.start(*command, size=size, env=env) as terminal:
            await terminal.sees("quit Sabtui")
            await asyncio.sleep(1)
            begun, cpu = terminal.written, clock(terminal)
            await asyncio.sleep(WELCOME_S)
            a_minute = 60 / WELCOME_S
            written, took = terminal.written - begun, (clock(terminal) - cpu) * 1000
    what = " ".join(("welcome", f"{size[0]}x{size[1]}", *options))
    limit = "0" if options else ""
    report(f"{what}, a minute", f"{written * a_minute:.0f} bytes", limit)
    report("  CPU", f"{took * a_minute:.0f} ms")


def report_tiles() -> None:
    """Measure the CPU time of tiles that were never drawn, and their bytes; print the figures."""
    sent = Sent()
    for size in (TileSize.NORMAL, TileSize.POSTER):
        whole = Area(0, 0, size.value)
        pictures = [Placed(find_ground(path, is_lit=True), size.value) for path in PATHS]
        report_drawing(
            f"tile of {size.columns}x{size.rows}, blocks",
            [partial(draw_card, Tile(LaidCard(path)), START, size, DRAWN) for path in PATHS],
        )
        report_drawing(
            "  its picture for kitty",
            [partial(sent.send, number_picture(picture), PICTURE_CELL) for picture in pictures],
        )
        report_drawing(
            "  its picture by sixel",
            [partial(draw_area, picture, whole, PICTURE_CELL) for picture in pictures],
        )
        by_kitty = [count_cell_bytes(picture) for picture in pictures]
        by_sixel = [len(draw_area(picture, whole, PICTURE_CELL)) for picture in pictures]
        report_bytes("  laid, if kitty has its picture", by_kitty, 2000)
        report_bytes("  laid, by sixel", by_sixel, 12_000)


def count_cell_bytes(picture: Placed) -> int:
    """Return the bytes of the cells that show a picture which kitty has."""
    strips = (
        PlacedStrip(0, at, Strip([Segment(cell.glyph, Style(color=cell.front)) for cell in row]))
        for at, row in enumerate(draw_placeholders(*picture[:2]))
    )
    console = Console(color_system="truecolor")
    return len(ShortUpdate(strips).render_segments(console).encode())


def report_drawing(what: str, draws: Sequence[Callable[[], object]]) -> None:
    """Measure the CPU time of drawing each tile once, and print the figures."""
    took = list[float]()
    for draw in draws:
        begun = time.thread_time()
        draw()
        took.append((time.thread_time() - begun) * 1000)
    report(f"{what}, CPU, p50 and p95", percentiles(took[1:]), "3 ms")
    report("    the first, with its file", f"{took[0]:.1f} ms")


async def answer_as_kitty(terminal: Terminal) -> None:
    """Answer what the app has asked its terminal, and wait until all is drawn with pictures."""
    for answers in KITTY_ANSWERS:
        terminal.type(answers)
        await terminal.quiet(SETTLED_S)


async def report_waiting(table: Terminal, limit: int) -> None:
    """Measure time without input and the turns of others, and print the figures."""
    await table.quiet(SETTLED_S)
    begun, cpu = table.written, clock(table)
    await asyncio.sleep(IDLE_S)
    report(f"{IDLE_S:.0f} idle seconds", f"{table.written - begun} bytes", "0")
    report("  CPU", f"{(clock(table) - cpu) * 1000:.0f} ms")
    report_bytes("another player's turn", await turns(table), limit)


async def report_play(
    table: Terminal, tiles: str, step_limit: int = 3000, card_limit: int = 8000
) -> None:
    """Measure steps of the cursor and choosing a card, and print the figures."""
    steps = [*ARROWS.values()] * (STEPS // 4)
    report_keys(f"cursor step{tiles}", await keys(table, steps), step_limit)
    report_keys(f"choosing a card{tiles}", await keys(table, [NEXT_CARD] * 16), card_limit)


class Starts:
    """Starts of one app: CPU seconds until its first frame, and its MB of memory then."""

    def __init__(self, mark: str, *command: str) -> None:
        self.mark = mark
        self.command = command
        self.cpu: list[float] = []
        self.memory: list[float] = []

    async def once(self, env: dict[str, str]) -> None:
        """Start the app, measure it and end it."""
        async with await Terminal.start(*self.command, env=env) as terminal:
            await terminal.sees(self.mark)
            self.cpu.append(clock(terminal))
            await terminal.quiet(QUIET_S)
            self.memory.append(memory(terminal))


async def starts() -> tuple[Starts, Starts]:
    """Start both apps in turn, so that noise affects both; the first start does not count."""
    ours = Starts("quit Sabtui", sys.executable, "-m", "sabtui")
    theirs = Starts("minimal", sys.executable, "-c", MINIMAL)
    with TemporaryDirectory() as home:
        for _ in range(STARTS + 1):
            for each in (theirs, ours):
                await each.once(environment(home))
    for each in (theirs, ours):
        del each.cpu[0], each.memory[0]
    return ours, theirs


@asynccontextmanager
async def at_table(size: tuple[int, int] = USUAL, art: Art = Art.AUTO) -> AsyncIterator[Terminal]:
    """Yield a terminal with the app at the table, once the mine has `CARDS` cards on our turn."""
    with TemporaryDirectory() as home:
        table = (sys.executable, "-m", "benchmarks.dug_table", f"{home}/settings", art)
        env = environment(home)
        async with await Terminal.start(*table, size=size, env=env) as terminal:
            terminal.screen = Recorder(*size)
            await terminal.sees(READY)
            await terminal.quiet(SETTLED_S)
            terminal.type(NEXT_CARD)  # any key lets one's role lie no longer over the mine
            await terminal.quiet(SETTLED_S)
            yield terminal


async def press_key(terminal: Terminal, key: str) -> tuple[int, float, float]:
    """Press a key; return the bytes written, and ms of time and of CPU until all was painted.

    On a busy machine it may take a while until anything is written at all.
    """
    written, cpu, begun = text_bytes(terminal), clock(terminal), time.perf_counter()
    terminal.type(key)
    with suppress(TimeoutError):  # of a key that shows nothing
        async with asyncio.timeout(SETTLED_S):
            await terminal.writes()
    await terminal.quiet(QUIET_S)
    took = (terminal.last - begun) * 1000
    return text_bytes(terminal) - written, took, (clock(terminal) - cpu) * 1000


async def keys(terminal: Terminal, typed: list[str]) -> list[tuple[int, float, float]]:
    """Press keys one by one, each after the last is painted; return the figures of each.

    The figures are those of `pressed`.
    """
    return [await press_key(terminal, key) for key in typed]


async def turns(terminal: Terminal) -> list[int]:
    """Pass until the bots have moved three times each; return the bytes of each of their turns.

    On a busy machine there may be no pause between two turns, which then cannot be told apart: such
    a round of turns is not counted, and another is played.
    """
    came = list[int]()
    for _ in range(ROUNDS):
        between = await round_of_turns(terminal)
        came += between if len(between) == BOTS else []
        if len(came) == 3 * BOTS:
            break
    return came


async def round_of_turns(terminal: Terminal) -> list[int]:
    """Pass, and wait for the player's next turn; return the bytes between two pauses until then."""
    await press_key(terminal, "1")
    await press_key(terminal, "x")
    await press_key(terminal, "\r")
    await terminal.until(lambda: MINE not in terminal.text)
    came = list[int]()
    while MINE not in terminal.text:
        written = text_bytes(terminal)
        await terminal.writes()
        await terminal.quiet(QUIET_S)
        came.append(text_bytes(terminal) - written)
    return came


def text_bytes(terminal: Terminal) -> int:
    """Return the bytes that a terminal was sent, but for pictures."""
    return terminal.written - picture_bytes(terminal)


def picture_bytes(terminal: Terminal) -> int:
    """Return the bytes of pictures that a terminal was sent."""
    sent = terminal.screen.sent if isinstance(terminal.screen, Recorder) else b""
    return sum(map(len, _PICTURE.findall(sent)))


def environment(home: str) -> dict[str, str]:
    """Return the environment variables of a player who has never played, with this home folder."""
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    return {"PATH": os.environ["PATH"], "HOME": home, **terminal}


def clock(terminal: Terminal) -> float:
    """Return the CPU seconds that a process has taken so far.

    Raises `NotImplementedError` outside Linux, the only system with a clock for each process.
    """
    if sys.platform == "linux":
        # The clock id that clock_getcpuclockid(3) derives from a process id.
        return time.clock_gettime((~terminal.process.pid << 3) | 2)
    raise NotImplementedError


def memory(terminal: Terminal) -> float:
    """Return the memory that a process holds now, in MB."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text(encoding="ascii")
    held = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(held.split()[1]) / 1024


def report(what: str, figure: str, limit: str = "") -> None:
    """Print one row."""
    print(f"  {what:<34}{figure:>24}{f'   at most {limit}' if limit else ''}", flush=True)


def report_bytes(what: str, came: list[int], limit: int | None = None) -> None:
    """Print the median and the maximum of these numbers of bytes."""
    figure = f"{median(came):.0f}, most {max(came)} bytes" if came else "too busy to tell"
    report(what, figure, "" if limit is None else f"{limit}")


def report_keys(what: str, came: list[tuple[int, float, float]], limit: int | None = None) -> None:
    """Print the bytes per key, and the time and CPU from key to paint."""
    report_bytes(what, [written for written, _, _ in came], limit)
    report("  key to paint, p50 and p95", percentiles([took for _, took, _ in came]))
    report("  CPU, p50 and p95", percentiles([cpu for _, _, cpu in came]))


def percentiles(took: list[float]) -> str:
    """Return the median and the 95th percentile in milliseconds, as text."""
    return f"{median(took):.1f}, {quantiles(took, n=20)[18]:.1f} ms"
