"""The real app before a test, with doors to tables in this process."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widget import Widget

from net.client.seat import Ending
from sabtui.porter import ssh_line
from sabtui.preferences import Store
from sabtui.screen.app import SabtuiApp
from sabtui.screen.commands import Commanded
from sabtui.screen.doors import Comeback, Facts, Hosting, Joining, Practising, Way
from sabtui.screen.practising import practise
from sabtui.trouble import Trouble
from tests.sabtui.screen.inn import Inn, Shut

PATIENCE = 20.0
FACTS = Facts("Rush", "amber-tiger", ("192.168.1.20:7341",), ssh_line("ana", "192.168.1.20", 7341))


class Porter:
    """Doors: hosting opens the inn, joining enters it; each can be shut by a reason."""

    def __init__(self, inn: Inn | None = None) -> None:
        self.inn = inn or Inn()
        self.trouble = ""
        self.ending: Ending | None = None
        self.hosted: list[Hosting] = []
        self.joined: list[Joining] = []
        self.tables: tuple[Comeback, ...] = ()

    def practise(self, wish: Practising) -> Way:
        """The real way."""
        return practise(wish)

    async def host(self, wish: Hosting) -> Way:
        """The inn, as it was wished for."""
        self._may_be_shut()
        self.hosted.append(wish)
        self.inn = inn = Inn(wish.title, wish.settings)
        return Way(lambda hear: inn.seat(wish.name, hear, is_host=True), FACTS)

    async def join(self, wish: Joining) -> Way:
        """A place at the inn."""
        self._may_be_shut()
        self.joined.append(wish)
        ending = self.ending
        if ending is not None:
            return Way(lambda hear: Shut(ending, hear))
        return Way(lambda hear: self.inn.seat(wish.name, hear))

    def comebacks(self) -> tuple[Comeback, ...]:
        """What the test says."""
        return self.tables

    async def come_back(self, to: Comeback) -> Way:
        """Back to the inn."""
        self._may_be_shut()
        return Way(lambda hear: self.inn.seat("Ana", hear, is_host=to.is_host))

    def _may_be_shut(self) -> None:
        if self.trouble:
            raise Trouble(self.trouble)


class Front:
    """The app, the keys and the mouse, and what is to be seen."""

    def __init__(self, app: SabtuiApp, pilot: Pilot[None], porter: Porter) -> None:
        self.app = app
        self.pilot = pilot
        self.porter = porter

    @property
    def screen(self) -> Commanded:
        """The screen on top."""
        screen = self.app.screen
        assert isinstance(screen, Commanded), screen
        return screen

    @property
    def said(self) -> str:
        """The status line."""
        return self.screen.foot.said

    @property
    def lines(self) -> list[str]:
        """All that is to be seen."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """The same, in one."""
        return "\n".join(self.lines)

    async def press(self, *keys: str) -> None:
        """Press keys, and let come what comes of it."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type_in(self, text: str) -> None:
        """Type a text."""
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def click(self, widget: Widget, x: int, y: int) -> None:
        """Click into a widget."""
        await self.pilot.click(widget, offset=Offset(x, y) - widget.gutter.top_left)
        await self.pilot.pause()

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for a condition, not for ever."""
        late = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < late, self.text
            await self.pilot.pause(0.01)

    async def sees(self, text: str) -> None:
        """Wait until a text is to be seen."""
        await self.until(lambda: text in self.text)

    async def is_on(self, kind: type[Commanded]) -> None:
        """Wait until a screen of this kind is on top."""
        await self.until(lambda: isinstance(self.app.screen, kind))


@asynccontextmanager
async def opened(
    folder: Path,
    size: tuple[int, int] = (80, 24),
    porter: Porter | None = None,
    *,
    ascii_only: bool = False,
    language: str = "",
) -> AsyncIterator[Front]:
    """The app, open, with its preferences in a folder."""
    porter, file = porter or Porter(), folder / "settings"
    if not file.exists():
        file.write_text("name = Ana\nglyphs = box\ntheme = dark\n", encoding="utf-8")
    app = SabtuiApp(lambda: porter, Store(file), ascii_only=ascii_only, language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Front(app, pilot, porter)
