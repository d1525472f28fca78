"""The moving picture of the README: the end of a real round, as an SVG that plays by itself.

`python -m tests.sabtui.tui.readme_film` plays practice games until a bot breaks a tool of Ana's
near the end, and her own card then reaches the treasure. It films that game from there, with Ana at
her keys, and writes `docs/pictures/film/game.svg`. No clock has a part in it: each picture stands
as long as is said here, so the film is the same on any machine.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from rich.segment import Segment
from textual.pilot import Pilot

from engine import Move
from engine.actions import Broke, TurnEvent
from engine.bots import BOTS, Playouts
from engine.cards import Role
from engine.events import Revealed
from engine.view import View
from net.client.session import Update
from net.protocol.lobby import TableClaim, Topic
from sabtui.tui.table.animation import Animation
from sabtui.tui.table.model import show_frame
from sabtui.tui.table.screen import FRAME_INTERVAL_S, TableScreen
from sabtui.tui.table.side import CLAIM_KEYS, list_claims
from sabtui.tui.theme import DARK, PICTURED
from tests.sabtui.tui.player_app import keys_for
from tests.sabtui.tui.run_app import Practice
from tests.sabtui.tui.svg import begin, define_pictures, draw_rows

FILE: Final = Path(__file__).parents[3] / "docs" / "pictures" / "film" / "game.svg"
SIZE: Final = (120, 40)

FIRST_SEED: Final = 928
"""Seed that is tried first: at the time of writing its game is worth a film."""

MOST_TURNS: Final = 8
"""Most turns that are filmed."""

FIRST_S, MOVE_S, CLAIM_S, KEY_S, LIST_S, LAST_S = 0.4, 0.22, 0.4, 0.25, 0.6, 1.4
"""Seconds for which a picture stands: the first, those after a move, a claim and a key, the list of
claims, and the last."""


@dataclass(slots=True)
class Film:
    """The pictures of a screen, row by row, each with the seconds for which it stands."""

    ground: str
    frames: list[tuple[float, list[str]]] = field(default_factory=list)

    @property
    def length(self) -> float:
        """Seconds that the film takes."""
        return sum(seconds for seconds, _rows in self.frames)

    def add(self, lines: Iterable[Iterable[Segment]], seconds: float) -> None:
        """Add a picture; one that is the same as the last one lets that stand longer."""
        rows = draw_rows(lines, self.ground)
        if self.frames and self.frames[-1][1] == rows:
            seconds += self.frames.pop()[0]
        self.frames.append((seconds, rows))

    def svg(self) -> str:
        """Return the film: each row of each picture is there while it is to be seen."""
        whole = self.length
        cards = define_pictures(row for _seconds, rows in self.frames for row in rows)
        parts = [begin(*SIZE, self.ground), cards, '<style>g [id^="s"]{visibility:hidden}']
        drawn: list[str] = []
        for number, (rows, since, until) in enumerate(self._spans()):
            name = f"s{number}"
            steps = f"{100 * since / whole:.2f}%{{visibility:visible}}"
            ends = f"{100 * until / whole:.2f}%{{visibility:hidden}}" if until < whole else ""
            starts = "0%{visibility:hidden}" if since else ""
            parts.append(f"@keyframes {name}{{{starts}{steps}{ends}}}")
            parts.append(f"#{name}{{animation:{name} {whole:.2f}s step-end infinite}}\n")
            drawn.append(f'<g id="{name}">\n{"".join(rows)}</g>\n')
        return "".join([*parts, "</style>\n", *drawn, "</g>\n</svg>\n"])

    def _spans(self) -> Iterator[tuple[list[str], float, float]]:
        """Yield rows with the seconds at which they appear and go, those of one span together."""
        found: dict[tuple[float, float], list[str]] = {}
        for row in range(SIZE[1]):
            now = since = 0.0
            for at, (seconds, rows) in enumerate(self.frames):
                now += seconds
                is_last = at + 1 == len(self.frames)
                if is_last or self.frames[at + 1][1][row] != rows[row]:
                    found.setdefault((since, now), []).append(rows[row])
                    since = now
        for (since, until), rows in found.items():
            yield rows, since, until


class FilmedTable(TableScreen):
    """A table whose animations wait for the camera."""

    def _show_frame_later(self, animation: Animation) -> None:
        """Leave the next frame to the camera."""


class Studio(Practice):
    """A practice game of a seed, whose updates wait until they are taken."""

    def __init__(self, seed: int) -> None:
        super().__init__(PICTURED, seed=seed)
        self.is_calm = False
        self.register_theme(DARK)
        self.theme = DARK.name
        self.updates: Final = asyncio.Queue[Update]()
        self._chance: Final = Random(seed)

    async def receive(self, update: Update) -> None:
        """Keep an update."""
        self.updates.put_nowait(update)

    def choose_move(self, view: View) -> Move:
        """Return the move that Ana makes; the same for all games of a seed if asked once a turn."""
        return BOTS["greedy"](view, self._chance, Playouts(0))

    async def play_until(self, is_time: Callable[[View], bool]) -> tuple[Update, Update]:
        """Play without a picture; return the update before it is time, and that one."""
        before = await self.updates.get()
        asked: View | None = None
        while True:
            update = await self.updates.get()
            view = update.status.view
            if view is not None and is_time(view):
                return before, update
            before = update
            if view is not None and is_asked(view) and view != asked:
                asked = view
                self.thread.request(update.status.move_request(self.choose_move(view)))


def is_asked(view: View) -> bool:
    """Return True if the game waits for Ana."""
    return view.to_act == view.seat


def is_over(view: View) -> bool:
    """Return True once a round is over."""
    return view.table.end is not None


def find_break(view: View) -> int | None:
    """Return the index in the history at which the film begins, `None` for a round not worth one.

    A saboteur has then broken a tool of Ana's. Her last card reaches the treasure, and no other
    goal is turned over meanwhile.
    """
    end = view.table.end
    told = enumerate(view.history)
    turns = [(at, event) for at, event in told if isinstance(event, TurnEvent)]
    if end is None or end.winner is not Role.MINER or turns[-1][1].seat != view.seat:
        return None
    for at, event in turns[-MOST_TURNS:]:
        if isinstance(event, Broke) and event.target == view.seat:
            turned = [event for event in view.history[at:] if isinstance(event, Revealed)]
            is_caught = end.roles[event.seat] is Role.SABOTEUR
            return at if is_caught and len(turned) == 1 else None
    return None


class Camera:
    """Films the table of a studio."""

    def __init__(self, studio: Studio, pilot: Pilot[None]) -> None:
        self.film: Final = Film(studio.current_theme.background or "")
        self._studio = studio
        self._pilot = pilot

    @property
    def _view(self) -> View:
        view = self._studio.table.status.view
        assert view is not None
        return view

    async def shoot(self, first: Update, second: Update) -> Film:
        """Film from the update in which a tool is broken, after the `first`, to the round's end."""
        studio = self._studio
        await studio.push_screen(FilmedTable(studio.thread, first.status))
        await self._stand(FIRST_S)
        await self._take(second)
        await self._accuse(self._view.table.last_card)
        while not is_over(self._view):
            if is_asked(self._view):
                await self._move()
            else:
                await self._take(await studio.updates.get())
        await self._stand(LAST_S)
        return self.film

    async def _stand(self, seconds: float) -> None:
        """Take a picture of the screen, which stands for some seconds; none for 0."""
        await self._pilot.pause()
        if seconds:
            self.film.add(self._studio.screen._compositor.render_strips(), seconds)

    async def _take(self, update: Update) -> None:
        """Show an update, with all frames of its animations."""
        table = self._studio.table
        received = update.received
        table.show_update(update)
        while (animation := table.model.animation) is not None:
            await self._stand(FRAME_INTERVAL_S)
            table.dispatch(partial(show_frame, animation=animation))
        if received is not None and (received.events or received.news):
            await self._stand(MOVE_S if received.events else CLAIM_S)

    async def _press(self, keys: list[str], seconds: float = KEY_S) -> None:
        for key in keys:
            await self._pilot.press(key)
            await self._stand(seconds)

    async def _accuse(self, seat: int | None) -> None:
        """Say to all that a bot digs against us, and hear what it answers."""
        assert seat is not None
        lines = self._count_claims()
        await self._press(["c"], LIST_S)
        listed = list_claims(self._view, seat)
        accusation = TableClaim(Topic.DIGS_AGAINST_US, seat)
        await self._press([CLAIM_KEYS[listed.index(accusation)]], 0)
        while self._count_claims() < lines + 2:
            await self._take(await self._studio.updates.get())

    def _count_claims(self) -> int:
        state = self._studio.table.status.game_state
        return sum(line.claim is not None for line in (state.talk if state else ()))

    async def _move(self) -> None:
        """Make Ana's move, key by key."""
        view, table = self._view, self._studio.table
        move = self._studio.choose_move(view)
        await self._press(keys_for(move, view, table.model.selection))
        while self._view == view:
            await self._take(await self._studio.updates.get())


async def find_game() -> tuple[int, int]:
    """Return the seed of a game that is worth a film, and where in its history that begins."""
    for seed in count(FIRST_SEED):
        studio = Studio(seed)
        async with studio.run_test(size=SIZE):
            _before, after = await studio.play_until(is_over)
        assert after.status.view is not None
        found = find_break(after.status.view)
        sys.stderr.write(f"game {seed}: {'a film' if found else 'not what is wanted'}\n")
        if found is not None:
            return seed, found
    raise AssertionError


async def shoot() -> Film:
    """Film the first game that is worth it."""
    seed, at = await find_game()
    studio = Studio(seed)
    async with studio.run_test(size=SIZE) as pilot:
        updates = await studio.play_until(lambda view: len(view.history) > at)
        return await Camera(studio, pilot).shoot(*updates)


def main() -> None:
    """Write the film."""
    film = asyncio.run(shoot())
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(film.svg(), encoding="utf-8", newline="\n")
    size = FILE.stat().st_size // 1000
    sys.stderr.write(f"{len(film.frames)} pictures, {film.length:.1f} s, {size} kB\n")


if __name__ == "__main__":
    main()
