"""A house with one room: an app that shows a table, be it a real one of bots or one that is still.

Knows what every screen asks of the app (`House`), and no more of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random

from textual.app import App

from engine import Move
from engine.bots import Playouts
from net.client.alone import Alone, Company
from net.client.beside import Beside
from net.client.seat import Now, Seat, Update
from net.lobby import Settings
from net.messages import Want
from sabtui.preferences import Preferences
from sabtui.screen.doors import Doors, Way
from sabtui.screen.glyphs import ASCII, BOX, Glyphs
from sabtui.screen.table import TableScreen
from sabtui.screen.terminal import DARK, LIGHT


class Still:
    """A seat at a table where nothing happens; keeps what was wanted."""

    def __init__(self, now: Now) -> None:
        self.now = now
        self.wants: list[Want] = []
        self.moves: list[Move] = []
        self.left = self.went_on = False

    def want(self, want: Want) -> None:
        self.wants.append(want)

    def play(self, move: Move) -> None:
        self.moves.append(move)

    def go_on(self) -> None:
        self.went_on = True

    def leave(self) -> None:
        self.left = True


class Parlour(App[None], inherit_bindings=False):
    """Shows one table."""

    CSS = "Screen { overflow: hidden; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, glyphs: Glyphs = BOX) -> None:
        super().__init__()
        self.animation_level = "none"
        self.drawn_with = glyphs
        self.rung = 0
        self.cursor_shown = False
        self.titles: list[str] = []
        self.stood: list[str] = []
        self.seat: Seat | None = None

    @property
    def table(self) -> TableScreen:
        """The table, on top."""
        assert isinstance(self.screen, TableScreen)
        return self.screen

    async def show(self, seat: Seat) -> TableScreen:
        """Show the table that a seat is at."""
        self.seat = seat
        table = TableScreen(seat, seat.now)
        await self.push_screen(table)
        return table

    @property
    def preferences(self) -> Preferences:
        return Preferences()

    @property
    def glyphs(self) -> Glyphs:
        return self.drawn_with

    @property
    def doors(self) -> Doors:
        raise NotImplementedError

    def prefer(self, preferences: Preferences) -> str:
        raise NotImplementedError(preferences)

    def sit(self, way: Way) -> None:
        raise NotImplementedError(way)

    def stand(self, said: str = "") -> None:
        self.stood.append(said)
        self.exit()

    def entitle(self, text: str) -> None:
        self.titles.append(text)

    def show_cursor(self, *, shown: bool) -> None:
        self.cursor_shown = shown

    def ring(self) -> None:
        self.rung += 1


class Practice(Parlour):
    """Shows a real table of bots, beside the app."""

    def __init__(
        self,
        glyphs: Glyphs = BOX,
        names: Sequence[str] = ("Borin", "Dagna", "Eitri", "Frida"),
        settings: Settings = Settings(rounds=1),  # noqa: B008 - frozen
        seed: int = 7341,
        pace: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        super().__init__(glyphs)
        seeds = Random(seed)
        company = Company(tuple(names), "greedy", pace, Playouts(0), lambda: seeds.randbytes(32))
        self.beside = Beside(
            lambda hear: Alone("Ana", settings, company, hear),
            self.tell,
        )

    def tell(self, update: Update) -> None:
        """In the seat's thread: pass an update on."""
        self.call_later(self.hear, update)

    def on_mount(self) -> None:
        self.beside.start()

    async def hear(self, update: Update) -> None:
        """Show it."""
        if isinstance(self.screen, TableScreen):
            self.table.hear(update)
        elif update.now.view is not None:
            table = TableScreen(self.beside, update.now)
            await self.push_screen(table)

    def on_unmount(self) -> None:
        self.beside.leave()
        self.beside.join(5)


def main() -> None:
    """Play at a table of bots: `python -m tests.sabtui.screen.parlour`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--bots", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7341)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--theme", default=DARK.name)
    asked = parser.parse_args()
    names = ("Borin", "Dagna", "Eitri", "Frida", "Gromm", "Hulda", "Ivald", "Kelda", "Norri")
    app = Practice(
        ASCII if asked.ascii else BOX,
        names[: asked.bots],
        Settings(rounds=asked.rounds, seats=asked.bots + 1),
        asked.seed,
        (0.0, 0.0) if asked.fast else (0.3, 0.6),
    )
    app.register_theme(DARK)
    app.register_theme(LIGHT)
    app.theme = asked.theme
    app.run()


if __name__ == "__main__":
    main()
