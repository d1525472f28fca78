"""The dwarves of those who sit at a table, where cards are drawn and there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from net.protocol.lobby import Lobby
from sabtui.art.catalogue import find_dwarf
from sabtui.art.store import Size, list_sizes
from sabtui.text.colours import table_colours
from sabtui.tui.mine.cards import draw_picture
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import Row, StyledSpan, centre_text, fill_row, join_rows, player_look


class Company(Panel):
    """Dwarves below the seats; it takes the rows that are left there."""

    DEFAULT_CSS = "Company { height: 1fr; width: 1fr; }"

    def __init__(self, draw: Callable[[Size], list[Row]]) -> None:
        """Take what draws them in so many columns and rows."""
        super().__init__(id="company")
        self._draw = draw

    def on_resize(self) -> None:
        """Draw them for the new size."""
        self.redraw()

    def follow(self, glyphs: Glyphs) -> None:
        """Draw them with the glyphs of the moment, or take no room where no cards are drawn."""
        self.set_class(glyphs.cards is not None, "-drawn")
        self.redraw()

    def redraw(self) -> None:
        """Draw those who sit now."""
        self.show(self._draw(self.size))


def draw_company(lobby: Lobby, room: Size, glyphs: Glyphs) -> list[Row]:
    """Return those who sit at a table as dwarves."""
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return draw_dwarves(names, table_colours(lobby), room, glyphs)


def draw_dwarves(
    names: Sequence[str], colours: Sequence[int], room: Size, glyphs: Glyphs
) -> list[Row]:
    """Return dwarves in a line, as large as there is room for, with their names below.

    A free seat, which has no name, leaves its place blank. There are no rows where cards are not
    drawn.
    """
    columns, rows = room
    fitting = [
        size
        for size in list_sizes(find_dwarf(0).name)
        if (size[0] + 1) * len(names) + 1 <= columns and size[1] + 1 <= rows
    ]
    if glyphs.cards is None or not fitting:
        return []
    size = fitting[-1]
    gap, blank = StyledSpan(" "), fill_row((), size[0])
    places = [
        [
            *draw_picture(find_dwarf(colour), size, glyphs),
            (StyledSpan(centre_text(name, size[0]), player_look(colour)),),
        ]
        if name
        else [blank] * (size[1] + 1)
        for name, colour in zip(names, colours, strict=True)
    ]
    return [
        fill_row((gap, *join_rows((*row, gap) for row in line)), columns)
        for line in zip(*places, strict=True)
    ]
