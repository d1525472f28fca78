"""Ways to draw cards in this terminal: in words, and a card in each that works."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.color import ColorSystem

from engine.board import START
from engine.cards import Path
from sabtui.app.preferences import Theme
from sabtui.app.terminal import find_colours
from sabtui.art import Art
from sabtui.art.kitty import Sent, find_picture
from sabtui.art.placeholders import FIRST_SIGN, blank_signs, spell_signs
from sabtui.art.sixel import Area, draw_area
from sabtui.art.store import Size
from sabtui.art.terminal import Protocol, TerminalAnswers
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize, draw_tile
from sabtui.tui.output import in_colours
from sabtui.tui.theme import ASCII, Glyphs, glyphs_for, theme_for
from sabtui.tui.widgets.panel import paint_style
from sabtui.tui.widgets.rows import Paint, Row

_CARD: Final = Tile(LaidCard(Path.read("NES")))
_GAP: Final = "    "


def cards_finding(answers: TerminalAnswers, environ: Mapping[str, str]) -> Finding:
    """Return the finding on how cards are drawn unless something else is wished."""
    version = ".".join(map(str, answers.version))
    terminal = f"{answers.name} {version}".strip() or environ.get("TERM", "")
    way = _name_way(_glyphs_for(Art.AUTO, answers, environ))
    return Finding(Severity.OK, f"--art {way} ({terminal})")


def draw_cards(answers: TerminalAnswers, environ: Mapping[str, str]) -> list[str]:
    """Return lines that show a card in each way that works here, above its name for `--art`."""
    ways = [(way, _glyphs_for(way, answers, environ)) for way in Art]
    spell = blank_signs if answers.find_protocol(environ) is Protocol.SIXEL else spell_signs
    # Whoever shows pictures by cells of text has all colours: they tell which one is meant.
    system = in_colours(find_colours(environ, answers)).system
    drawn = {
        way: [_paint_row(row, spell, system) for row in _draw(glyphs)]
        for way, glyphs in ways
        if way not in {Art.AUTO, Art.PAINTED} and _name_way(glyphs) is way
    }
    columns = TileSize.LARGE.columns
    names = (f"{way:{columns}}" for way in drawn)
    numbers = [
        int(span.look.front[1:], 16)
        for _way, glyphs in ways
        if glyphs.has_pictures
        for row in _draw(glyphs)
        for span in row
        if isinstance(span.look, Paint)
    ]
    sixel = answers.cell if answers.find_protocol(environ) is Protocol.SIXEL else None
    sent = Sent()
    sendings = (sent.send(number, answers.cell) for number in numbers if sixel is None)
    return [
        "".join(sendings) + _GAP,
        *(_GAP + _GAP.join(row) for row in zip(*drawn.values(), strict=True)),
        _draw_above(numbers[:1], sixel) + _GAP + _GAP.join(names),
    ]


def _draw_above(numbers: Sequence[int], cell: Size | None) -> str:
    """Return what draws a picture by sixel, if there is one, above the line where it is written."""
    picture = find_picture(numbers[0]) if numbers else None
    if cell is None or picture is None:
        return ""
    sixel = draw_area(picture, Area(0, 0, picture.cells), cell)
    return f"\x1b7\x1b[{TileSize.LARGE.rows}A\x1b[{len(_GAP)}C{sixel}\x1b8"


def _glyphs_for(way: Art, answers: TerminalAnswers, environ: Mapping[str, str]) -> Glyphs:
    return glyphs_for(way, theme_for(Theme.AUTO, environ, answers), environ, answers)


def _name_way(glyphs: Glyphs) -> Art:
    """Return the way to draw cards that these glyphs are for."""
    if glyphs.has_pictures:
        return Art.PICTURES
    if glyphs.cards is not None:
        return Art.BLOCKS
    if glyphs.is_painted:
        return Art.PAINTED
    return Art.ASCII if glyphs is ASCII else Art.LINES


def _draw(glyphs: Glyphs) -> tuple[Row, ...]:
    if glyphs.cards is None:
        return draw_tile(_CARD, TileSize.LARGE, glyphs)
    return draw_card(_CARD, START, TileSize.LARGE, glyphs)


def _paint_row(row: Row, spell: Callable[[str], str], system: ColorSystem | None) -> str:
    """Return a row as a terminal with these colours is sent it; `spell` writes pictures' cells."""
    return "".join(
        paint_style(look).render(spell(text) if text >= FIRST_SIGN else text, color_system=system)
        if isinstance(look, Paint)
        else text
        for text, look, _ground in row
    )
