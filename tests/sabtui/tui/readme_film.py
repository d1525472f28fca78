"""The moving picture of the README: the end of a real round, as an SVG that plays by itself.

`python -m tests.sabtui.tui.readme_film` plays games at a real table, by keys, until there is one in
which a tool is broken, somebody is accused, and the treasure is reached; it writes these moments
into `docs/pictures/film/game.svg`. Each time it is another game.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from engine.bots import BOTS, Playouts, Seconds
from engine.cards import Role
from engine.events import Broke, RoundEnded
from engine.view import View
from net.protocol.lobby import Free, Settings, Topic
from net.server.bots import BotPace
from net.server.options import ServerOptions
from sabtui.art import Art
from sabtui.tui.table.screen import TableScreen
from tests.net.server.served_table import QUICK, hosting
from tests.sabtui.tui.player_app import PlayerApp, all_of, credentials_for, player_app
from tests.sabtui.tui.svg import begin, draw_rows

FILE: Final = Path(__file__).parents[3] / "docs" / "pictures" / "film" / "game.svg"
SIZE: Final = (110, 34)

LOOK_S: Final = 0.05
"""Seconds between two looks at the screen."""

LONGEST_S: Final = 0.9
"""Seconds that one picture stands at the most, but for the last."""

LAST_S: Final = 2.0
WANTED_S: Final = 10.0
MOMENT_S: Final = 1.7
"""Seconds of the film for each of the moments before the end: a tool broken, somebody accused."""

KEY_S: Final = 0.3
"""Seconds between two keys, so that they can be followed."""

CEREMONY_S: Final = 6.0
"""Seconds for which the end of a round is filmed."""

MOMENTS: Final = ("tool", "accusation")
"""What is to be seen before the end: a tool that is broken, and an accusation."""

_ACCUSES: Final = (Topic.DIGS_AGAINST_US, Topic.BLUFF)

AGAIN_S: Final = 2.0
"""Seconds after which keys are pressed again that did nothing."""

MOVE_S: Final = 0.8
"""Seconds that a bot takes for a move."""


@dataclass(slots=True)
class Film:
    """The pictures of a screen, row by row, each with the seconds for which it stands."""

    ground: str = ""
    frames: list[tuple[float, list[str]]] = field(default_factory=list)
    moments: dict[str, int] = field(default_factory=dict)

    def add(self, ground: str, rows: list[str], seconds: float) -> None:
        """Add a picture; one that is the same as the last one lets that stand longer."""
        self.ground = ground
        if self.frames and self.frames[-1][1] == rows:
            seconds += self.frames.pop()[0]
        self.frames.append((min(seconds, LONGEST_S), rows))

    def mark(self, moment: str) -> None:
        """Keep which picture is the first after something to be seen in the film."""
        self.moments[moment] = len(self.frames)

    def cut(self) -> None:
        """Keep each moment and the end, `WANTED_S` together; the last picture stands `LAST_S`."""
        self.frames[-1] = LAST_S, self.frames[-1][1]
        begin, left = len(self.frames), WANTED_S - MOMENT_S * len(self.moments)
        while begin and (left := left - self.frames[begin - 1][0]) >= 0:
            begin -= 1
        chosen = set(range(begin, len(self.frames)))
        for first in self.moments.values():
            at, left = first, MOMENT_S
            while at < begin and (left := left - self.frames[at][0]) >= 0:
                chosen.add(at)
                at += 1
        self.frames = [self.frames[at] for at in sorted(chosen)]

    def svg(self) -> str:
        """Return the film: each row of each picture is there while it is to be seen."""
        whole = sum(seconds for seconds, _ in self.frames)
        parts = [begin(*SIZE, self.ground), "<style>g g{visibility:hidden}"]
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


async def play(ann: PlayerApp) -> View:
    """Play by a bot's advice, slowly, until the treasure is reached or the round is over."""
    chance = Random(0)
    number = ann.view.score.number
    while True:
        await ann.until(lambda: ann.is_asked or _is_done(ann.view, number))
        if _is_done(ann.view, number):
            return ann.view
        before = ann.view
        for key in ann.keys_for(BOTS["greedy"](before, chance, Playouts(0))):
            ann.press(key)
            await asyncio.sleep(KEY_S)
        with suppress(TimeoutError):  # a key may have ended a ceremony: then it is pressed again
            async with asyncio.timeout(AGAIN_S):
                await ann.until(partial(_has_changed, ann, before))


def _has_changed(ann: PlayerApp, before: View) -> bool:
    return ann.view != before


def _is_done(view: View, number: int) -> bool:
    return view.score.number != number or any(isinstance(one, RoundEnded) for one in view.history)


def _is_worth_it(view: View, film: Film) -> bool:
    """Return True if miners won, and both moments were seen."""
    ends = [one for one in view.history if isinstance(one, RoundEnded)]
    return bool(ends) and ends[0].winner is Role.MINER and len(film.moments) == len(MOMENTS)


def _count_moments(ann: PlayerApp) -> tuple[int, int]:
    """Return how many tools were broken, and how many accusations made."""
    state = ann.table.status.game_state
    claims = [line.claim for line in (state.talk if state else ()) if line.claim is not None]
    return (
        sum(isinstance(one, Broke) for one in ann.view.history),
        sum(one.topic in _ACCUSES for one in claims),
    )


async def watch(ann: PlayerApp, film: Film) -> None:
    """Look at the screen until cancelled."""
    last, seen = time.monotonic(), dict.fromkeys(MOMENTS, 0)
    while True:
        await asyncio.sleep(LOOK_S)
        now = time.monotonic()
        for moment, count in zip(MOMENTS, _count_moments(ann), strict=True):
            if count > seen[moment]:
                film.mark(moment)
            seen[moment] = count
        film.add(*draw_rows(ann.app.screen._compositor.render_strips()), now - last)
        last = now


async def take() -> Film | None:
    """Play one round; return its film if there is in it what one would like to see."""
    options = ServerOptions(
        announce=False, pace=BotPace((MOVE_S, MOVE_S), Seconds(0.05)), origin=QUICK.origin
    )
    with TemporaryDirectory() as folder:
        where = Path(folder)
        async with (
            hosting(where, Settings(seats=5, rounds=1), options) as hosted,
            player_app(
                where, credentials_for(hosted, "Ann"), SIZE, art=Art.BLOCKS, is_calm=False
            ) as ann,
        ):
            ann.press("end")
            while hosted.state.lobby.chairs.count(Free()):
                for key in ("b", "up"):
                    ann.press(key)
                    await asyncio.sleep(KEY_S)
            await ann.sees("Everybody is ready")
            ann.press("s")
            await ann.is_on(TableScreen)
            await ann.sees("Only you may look")
            film = Film()
            watching = asyncio.create_task(watch(ann, film))
            await all_of([play(ann)])
            await asyncio.sleep(CEREMONY_S)
            watching.cancel()
            view = ann.view
    is_worth_it = _is_worth_it(view, film)
    film.cut()
    return film if is_worth_it else None


def main() -> None:
    """Write the film of the first game that has all of it."""
    for number in range(1, 20):
        film = asyncio.run(take())
        sys.stderr.write(f"game {number}: {'a film' if film else 'no treasure'}\n")
        if film is not None:
            FILE.parent.mkdir(exist_ok=True)
            FILE.write_text(film.svg(), encoding="utf-8", newline="\n")
            return


if __name__ == "__main__":
    main()
