"""Export as one HTML page that asks for nothing from anywhere: the arrows step through the game.

Each element is written with the first and last step at which it is shown; the script only shows and
hides them. Without the script the page shows the end of the game, and all that happened as a list.
The page forbids itself all but its own style and script.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Generic, TypeVar

from engine.board import GOAL_CELLS, START, CardState, Cell
from engine.cards import Goal, Path
from engine.picture import (
    CARD_HEIGHT,
    CARD_WIDTH,
    at,
    axes,
    draw_sign,
    newest,
    states,
    symbol_name,
    symbols,
    view_box,
)
from engine.tokens import NotationError, parse_card
from sabtui.app.export.frames import ExportFrame, ExportSeat
from sabtui.text.cards import card_words, goal_words
from sabtui.text.i18n import _, capitalise, current_language, pgettext

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Stretch(Generic[K, V]):
    """A value under a key, and the first and last step that have it."""

    key: K
    value: V
    first: int
    last: int

    def attributes(self, end: int) -> str:
        """Return the attributes of an element that shows it, in a game whose last step is `end`."""
        hidden = "" if self.first <= end <= self.last else " hidden"
        return f' data-a="{self.first}" data-z="{self.last}"{hidden}'


def stretches(
    frames: Iterable[ExportFrame], of: Callable[[ExportFrame], Mapping[K, V]]
) -> list[Stretch[K, V]]:
    """Return the values under each key, equal ones of steps in a row as one."""
    found: list[Stretch[K, V]] = []
    now: dict[K, Stretch[K, V]] = {}
    for frame in frames:
        values, number = of(frame), frame.number
        over = [key for key in now if key not in values or values[key] != now[key].value]
        found += [now.pop(key) for key in over]
        for key, value in values.items():
            first = now[key].first if key in now else number
            now[key] = Stretch(key, value, first, number)
    return found + list(now.values())


def game_html(frames: Sequence[ExportFrame], title: str, about: str) -> str:
    """Return a page that shows a whole game; `about` is a sentence on it."""
    style, script = _file("page.css"), _file("page.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    end = frames[-1].number
    hands = [card for frame in frames for seat in frame.seats for card in _paths(seat)]
    cards = [card for frame in frames for card in states(frame.board).values()]
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="{escape(current_language().replace("_", "-"))}">\n',
            '<head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape(title)}</title>\n<style>{style}</style></head>\n<body>\n",
            f'<svg width="0" height="0" aria-hidden="true">{symbols([*cards, *hands])}</svg>\n',
            f"<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>\n<main><div>\n",
            f'<section class="mine">{"".join(_mines(frames, end))}</section>\n{_bar(end)}',
            f'<section class="now" aria-live="polite">{"".join(_now(frames, end))}</section>\n',
            f"<section>{_players(frames, end)}</section>\n</div>\n",
            f"<nav>{''.join(_list(frames))}</nav></main>\n",
            f"<script>{script}</script>\n</body></html>\n",
        )
    )


def _file(name: str) -> str:
    return (files("sabtui.app.export") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression by which a page's policy allows this style or script."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _mines(frames: Sequence[ExportFrame], end: int) -> Iterator[str]:
    """Yield a drawing for each round, with all that lies there at any time."""
    for _number, of_round in groupby(frames, key=lambda frame: frame.round):
        played = list(of_round)
        cells = {cell for frame in played for cell in frame.board.cards}
        whole = Stretch(None, None, played[0].number, played[-1].number)
        box = " ".join(map(str, view_box(cells)))
        yield f'<svg viewBox="{box}" role="img"{whole.attributes(end)}>{axes(cells)}'
        for card in stretches(played, lambda frame: states(frame.board)):
            used = f'href="#{symbol_name(*card.value)}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
            yield f"<use {used} {at(card.key)}{card.attributes(end)}/>"
        yield draw_sign(START, None, None)
        for goal in stretches(played, _goals):
            yield draw_sign(goal.key, *goal.value, goal.attributes(end), goal_words)
        for cell in stretches(played, lambda frame: {"newest": frame.newest}):
            if cell.value is not None:
                yield newest(cell.value, cell.attributes(end))
        yield "</svg>"


def _goals(frame: ExportFrame) -> dict[Cell, tuple[Path | None, Goal | None]]:
    """Return each goal: how it lies if it was turned up, and its face as far as it is known."""
    return {
        cell: (frame.board.cards.get(cell), goal)
        for cell, goal in zip(GOAL_CELLS, frame.goals, strict=True)
    }


def _bar(end: int) -> str:
    """Return the buttons; they are hidden where no script runs."""
    buttons = (
        ("first", "M4 4v12M16 4l-9 6 9 6z", capitalise(_("the beginning of the game"))),
        ("earlier", "M10 4l-7 6 7 6zM18 4l-7 6 7 6z", capitalise(_("the previous round"))),
        ("back", "M14 4l-9 6 9 6z", capitalise(_("the previous step"))),
        ("play", "M3 4l7 6-7 6zM13 4v12M17 4v12", _("Play")),
        ("on", "M6 4l9 6-9 6z", _("Next step")),
        ("later", "M3 4l7 6-7 6zM11 4l7 6-7 6z", capitalise(_("the next round"))),
        ("last", "M4 4l9 6-9 6zM16 4v12", capitalise(_("the end of the game"))),
    )
    drawn = "".join(
        f'<button type="button" data-do="{do}" title="{escape(name)}" aria-label="{escape(name)}">'
        f'<svg viewBox="0 0 20 20"><path d="{icon}"/></svg></button>'
        for do, icon, name in buttons
    )
    named = escape(capitalise(pgettext("review", "step")))
    slider = f'<input type="range" min="0" max="{end}" value="{end}" aria-label="{named}">'
    return f'<div class="bar" hidden>{drawn}{slider}</div>\n'


def _now(frames: Sequence[ExportFrame], end: int) -> Iterator[str]:
    """Yield what happened at each step and what was said after it."""
    for frame in frames:
        shown = Stretch(None, None, frame.number, frame.number)
        move = f" <code>{escape(frame.move)}</code>" if frame.move else ""
        told = "".join(f"<p>{escape(line)}</p>" for line in frame.lines)
        said = "".join(f'<p class="said">{escape(line)}</p>' for line in frame.said)
        yield f"<div{shown.attributes(end)}><p>{escape(frame.title)}{move}</p>{told}{said}</div>"


def _players(frames: Sequence[ExportFrame], end: int) -> str:
    """Return the table of players, each fact with all its values."""
    rows = []
    for seat, one in enumerate(frames[0].seats):
        cells = "".join(
            f"<td>{''.join(_fact(frames, seat, of, end))}</td>"
            for of in (
                lambda seat: "&gt;" if seat.is_to_act else "",
                lambda seat: escape(seat.role),
                _hand,
                lambda seat: escape(seat.broken),
                lambda seat: escape(seat.gold),
            )
        )
        rows.append(f'<tr><th scope="row">{escape(one.name)}</th>{cells}</tr>')
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _fact(
    frames: Sequence[ExportFrame], seat: int, of: Callable[[ExportSeat], str], end: int
) -> Iterator[str]:
    for fact in stretches(frames, lambda frame: {seat: of(frame.seats[seat])}):
        if fact.value:
            yield f"<span{fact.attributes(end)}>{fact.value}</span>"


def _hand(seat: ExportSeat) -> str:
    """Return the cards of a hand: path cards drawn, others in notation, each with its name."""
    return "".join(map(_chip, seat.hand.split())) if seat.hand != "-" else ""


def _chip(word: str) -> str:
    try:
        card = parse_card(word)
    except NotationError:
        return escape(word)
    title = escape(card_words(card))
    if not card.ways:
        return f'<kbd title="{title}">{escape(word)}</kbd> '
    name = symbol_name(card.ways[0], CardState.REACHED)
    box = f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" role="img"'
    return f'<svg class="chip" {box}><title>{title}</title><use href="#{name}"/></svg>'


def _paths(seat: ExportSeat) -> Iterator[tuple[Path, CardState]]:
    """Yield the path cards of a hand as they are drawn."""
    for word in seat.hand.split():
        try:
            card = parse_card(word)
        except NotationError:
            continue
        if card.ways:
            yield card.ways[0], CardState.REACHED


def _list(frames: Sequence[ExportFrame]) -> Iterator[str]:
    """Yield all steps as a list of links, round by round."""
    for number, of_round in groupby(frames, key=lambda frame: frame.round):
        title = capitalise(_("round {number}")).format(number=number)
        yield f"<h2>{escape(title)}</h2><ol>"
        first = " data-first"
        for frame in of_round:
            move = f"<code>{escape(frame.move)}</code> " if frame.move else ""
            line = escape(frame.lines[0] if frame.lines else "")
            yield f'<li><a href="#{frame.number}"{first}>{move}{line}</a></li>'
            first = ""
        yield "</ol>"
