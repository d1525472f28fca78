"""Export as one HTML page that asks for nothing from anywhere: the arrows step through the game.

Each element is written with the first and last step at which it is shown; the script only shows and
hides them. Without the script the page shows the end of the game, and all that happened as a list.
The page forbids itself all but its own style, script and pictures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Final, Generic, TypeVar

from engine.board import GOAL_CELLS, Cell
from engine.cards import Tool
from engine.mistakes import NotationError
from engine.tokens import format_cell, parse_card
from sabtui.after.export.drawn import (
    CARD,
    FACE,
    ICON,
    Symbol,
    define_symbols,
    draw_at,
    draw_axes,
    draw_frame,
    find_box,
)
from sabtui.after.export.frames import (
    ExportFrame,
    broken_words,
    gold_words,
    hand_words,
    role_name,
)
from sabtui.art.catalogue import (
    Drawing,
    find_card,
    find_dwarf,
    find_mine,
    find_pile,
    find_role,
    find_tool,
)
from sabtui.table.sight import Sight
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
    policy = "default-src 'none'; img-src data:; "
    policy += f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    end = frames[-1].number
    symbols = {symbol for frame in frames for symbol in _list_symbols(frame)}
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="{escape(current_language().replace("_", "-"))}">\n',
            '<head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape(title)}</title>\n<style>{style}</style></head>\n<body>\n",
            f'<svg width="0" height="0" aria-hidden="true">{define_symbols(symbols)}</svg>\n',
            f"<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>\n<main><div>\n",
            f'<section class="mine">{"".join(_mines(frames, end))}</section>\n{_bar(end)}',
            f'<section class="now" aria-live="polite">{"".join(_now(frames, end))}</section>\n',
            f"<section>{_players(frames, end)}</section>\n</div>\n",
            f"<nav>{''.join(_list(frames))}</nav></main>\n",
            f"<script>{script}</script>\n</body></html>\n",
        )
    )


def _file(name: str) -> str:
    return (files("sabtui.after.export") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression by which a page's policy allows this style or script."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _list_symbols(frame: ExportFrame) -> Iterator[Symbol]:
    """Yield the pictures of a step: all that lies in the mine, and what the players have."""
    for drawing in find_mine(frame.board, frame.goals).values():
        yield Symbol(drawing, CARD)
    sight = frame.sight
    for seat in sight.seats:
        yield _find_dwarf(sight, seat)
        role, pile = sight.role(seat), find_pile(sight.nuggets(seat) or 0)
        if role is not None:
            yield Symbol(find_role(role), FACE)
        yield from (symbol for word in hand_words(sight, seat) if (symbol := _find_chip(word)))
        yield from _list_broken(sight, seat)
        if pile is not None:
            yield Symbol(pile, ICON)


def _find_dwarf(sight: Sight, seat: int) -> Symbol:
    return Symbol(find_dwarf(sight.names.colour(seat)), ICON)


def _list_broken(sight: Sight, seat: int) -> list[Symbol]:
    broken = Tool.within(sight.view.table.broken[seat])
    return [Symbol(find_tool(tool, is_broken=True), ICON) for tool in broken]


def _mines(frames: Sequence[ExportFrame], end: int) -> Iterator[str]:
    """Yield a drawing for each round, with all that lies there at any time."""
    for _number, of_round in groupby(frames, key=lambda frame: frame.round):
        played = list(of_round)
        cells = {cell for frame in played for cell in frame.board.cards}
        whole = Stretch(None, None, played[0].number, played[-1].number)
        box = " ".join(map(str, find_box(cells)))
        yield f'<svg viewBox="{box}" role="img"{whole.attributes(end)}>{draw_axes(cells)}'
        for card in stretches(played, cards_lying):
            drawing, title = card.value
            yield draw_at(card.key, drawing, card.attributes(end), title)
        for cell in stretches(played, lambda frame: {"newest": frame.newest}):
            if cell.value is not None:
                yield draw_frame(cell.value, cell.attributes(end))
        yield "</svg>"


def cards_lying(frame: ExportFrame) -> dict[Cell, tuple[Drawing, str]]:
    """Return the picture of each card that lies in the mine, and the title of a goal."""
    drawn, titles = find_mine(frame.board, frame.goals), dict.fromkeys(frame.board.cards, "")
    for cell, goal in zip(GOAL_CELLS, frame.goals, strict=True):
        face = "" if goal is None else f": {goal_words(goal)}"
        titles[cell] = f"{format_cell(cell)}{face}"
    return {cell: (drawing, titles[cell]) for cell, drawing in drawn.items()}


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
    rows, sight = [], frames[0].sight
    for seat, name in enumerate(sight.names.names):
        cells = "".join(
            f"<td>{''.join(_fact(frames, seat, of, end))}</td>"
            for of in (
                lambda sight, seat: "&gt;" if seat == sight.view.to_act else "",
                _draw_role,
                _draw_hand,
                _draw_broken,
                _draw_gold,
            )
        )
        dwarf = _find_dwarf(sight, seat).draw(name, "icon")
        rows.append(f'<tr><th scope="row">{dwarf}{escape(name)}</th>{cells}</tr>')
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _fact(
    frames: Sequence[ExportFrame], seat: int, of: Callable[[Sight, int], str], end: int
) -> Iterator[str]:
    for fact in stretches(frames, lambda frame: {seat: of(frame.sight, seat)}):
        if fact.value:
            yield f"<span{fact.attributes(end)}>{fact.value}</span>"


def _draw_role(sight: Sight, seat: int) -> str:
    role, name = sight.role(seat), role_name(sight, seat)
    return "" if role is None else Symbol(find_role(role), FACE).draw(name, "chip") + escape(name)


def _draw_broken(sight: Sight, seat: int) -> str:
    words = broken_words(sight, seat)
    return "".join(icon.draw(words, "icon") for icon in _list_broken(sight, seat))


def _draw_gold(sight: Sight, seat: int) -> str:
    pile, words = find_pile(sight.nuggets(seat) or 0), gold_words(sight, seat)
    return ("" if pile is None else Symbol(pile, ICON).draw(words, "icon")) + escape(words)


def _draw_hand(sight: Sight, seat: int) -> str:
    """Return the cards of a hand, drawn, each with its name; of cards not known their number."""
    return "".join(map(_chip, hand_words(sight, seat)))


def _chip(word: str) -> str:
    symbol = _find_chip(word)
    if symbol is None:
        return f"{escape(word)} "
    return symbol.draw(word if word == _UNKNOWN else card_words(parse_card(word)), "chip")


def _find_chip(word: str) -> Symbol | None:
    """Return the picture of a card in notation, its back for an unknown one."""
    if word == _UNKNOWN:
        return Symbol(Drawing("back"), FACE)
    try:
        return Symbol(find_card(parse_card(word)), FACE)
    except NotationError:
        return None


_UNKNOWN: Final = "?"


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
