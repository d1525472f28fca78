"""Ways to draw cards in this terminal: in words, and a card in each that works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.color import ColorSystem

from engine.board import START
from engine.cards import Path
from sabtui.app.preferences import Theme
from sabtui.art import Art
from sabtui.art.kitty import Sent
from sabtui.art.placeholders import spell_signs
from sabtui.art.terminal import TerminalAnswers
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize, draw_tile
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
    drawn = {
        way: [*map(_paint_row, _draw(glyphs))]
        for way, glyphs in ways
        if way not in {Art.AUTO, Art.PAINTED} and _name_way(glyphs) is way
    }
    columns = TileSize.LARGE.columns
    names = (f"{way:{columns}}" for way in drawn)
    sent = Sent()
    pictures = (
        sent.send(int(span.look.front[1:], 16), answers.cell)
        for _way, glyphs in ways
        if glyphs.has_pictures
        for row in _draw(glyphs)
        for span in row
        if isinstance(span.look, Paint)
    )
    return [
        "".join(pictures) + _GAP,
        *(_GAP + _GAP.join(row) for row in zip(*drawn.values(), strict=True)),
        _GAP + _GAP.join(names),
    ]


def _glyphs_for(way: Art, answers: TerminalAnswers, environ: Mapping[str, str]) -> Glyphs:
    return glyphs_for(way, theme_for(Theme.AUTO, environ), environ, answers)


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
    draw = draw_tile if glyphs.cards is None else _draw_in_colour
    return draw(_CARD, TileSize.LARGE, glyphs)


def _draw_in_colour(tile: Tile, size: TileSize, glyphs: Glyphs) -> tuple[Row, ...]:
    return draw_card(tile, START, size, glyphs)


def _paint_row(row: Row) -> str:
    """Return a row as a terminal is sent it."""
    return "".join(
        paint_style(look).render(spell_signs(text), color_system=ColorSystem.TRUECOLOR)
        if isinstance(look, Paint)
        else text
        for text, look, _ground in row
    )
