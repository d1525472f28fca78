"""Export of a whole game as a single HTML page that loads nothing else.

Each element is written with the first and last step at which it is shown; the script only shows and
hides them, as arrow keys walk along the game. Without the script the page shows the end of the
game, and all that happened as a list. Its policy allows only its own style, script and pictures.
The cards are pictures of `sabtui.art`; mirror images share the data of the original.

Everything in the record is shown, secrets too: the game is over. Names and texts come from
strangers; here they are escaped.
"""

from __future__ import annotations

from base64 import b64encode, standard_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from engine.actions import Collapsed
from engine.board import GOAL_CELLS, START, Board, Cell, row_name
from engine.cards import Card, Goal, Tool
from engine.events import Laid, Revealed
from engine.notation.record import Replay
from engine.tokens import format_cell
from net.files import BY_UMASK, create, private_folder
from sabtui.after.replays import place_words, said_words, step_lines
from sabtui.app.errors import UserError
from sabtui.art import catalogue, pixels, store
from sabtui.art.colours import list_shades
from sabtui.table.sight import Sight
from sabtui.text.cards import card_words, goal_words, nuggets_counted, role_words
from sabtui.text.errors import not_written
from sabtui.text.i18n import _, capitalise, current_language, pgettext
from sabtui.text.moves import broken_tools
from sabtui.text.names import PlayerNames
from sabtui.text.settings import game_facts


@dataclass(frozen=True, slots=True)
class ExportFrame:
    """A step of a game as the page shows it."""

    number: int
    round: int
    title: str
    move: str
    lines: tuple[str, ...]  # what happened
    said: tuple[str, ...]  # what was said after it
    goals: tuple[Goal | None, ...]  # their faces as far as they are known
    newest: Cell | None  # the cell that changed last
    sight: Sight  # the table with everything in the record

    @property
    def board(self) -> Board:
        return self.sight.view.table.board


def list_frames(replay: Replay) -> tuple[ExportFrame, ...]:
    """Return each step of a game as the page shows it."""
    names, frames = PlayerNames.of(replay.names, None), list[ExportFrame]()
    for step in replay.steps:
        public, held = step.view(replay.seats[0]), step.game
        changed = (
            event.cell for event in step.events if isinstance(event, Laid | Collapsed | Revealed)
        )
        frame = ExportFrame(
            number=step.number,
            round=step.round,
            title=capitalise(place_words(step)),
            move="" if step.move is None else str(step.move),
            lines=tuple(step_lines(step, names, public if held is None else None)),
            said=tuple(said_words(said, names, replay.truth(step, said)) for said in step.said),
            goals=tuple(map(public.goal_on, GOAL_CELLS)) if held is None else held.round.goals,
            newest=next(changed, None),
            sight=Sight(public, names, revealed=held),
        )
        frames.append(frame)
    return tuple(frames)


def gold_words(sight: Sight, seat: int) -> str:
    """Return the gold of a seat in words, "" if it is unknown, or nothing before the end."""
    nuggets, is_over = sight.nuggets(seat), sight.view.score.nuggets is not None
    return nuggets_counted(nuggets or 0) if nuggets or is_over else ""


CARD: Final = (144, 128)  # width and height of a card of the mine, in pixels
FACE: Final = (90, 100)  # of a card in a hand
ICON: Final = (64, 64)  # of a dwarf, a tool or a pile of gold

_MARGIN: Final = 56  # pixels around the mine, for the names of its columns and rows


class Symbol(NamedTuple):
    """A picture in one of the sizes in which `sabtui.art` stores it."""

    drawing: catalogue.Drawing
    size: store.Size

    @property
    def name(self) -> str:
        name, across, down = self.drawing
        return f"{name}-{self.size[0]}{'-across' * across}{'-down' * down}"

    @property
    def box(self) -> str:
        return f'width="{self.size[0]}" height="{self.size[1]}"'

    def draw(self, title: str, kind: str) -> str:
        """Return the picture for running text, with a title; the class `kind` sets its size."""
        label = f"<title>{escape(title)}</title>"
        return f'<svg class="{kind}" role="img">{label}<use href="#{self.name}"/></svg>'


BACK: Final = Symbol(catalogue.Drawing("back"), FACE)  # a card that is not known


def _define(symbol: Symbol) -> str:
    """Return the definition of a picture; a mirror image is the original, turned."""
    (name, across, down), (width, height) = symbol
    if across or down:
        turned = f"{1 - 2 * across} 0 0 {1 - 2 * down} {width * across} {height * down}"
        original = Symbol(catalogue.Drawing(name), symbol.size).name
        content = f'<use href="#{original}" {symbol.box} transform="matrix({turned})"/>'
    else:
        png = pixels.encode_png(store.read_sprite(symbol.drawing, symbol.size).rows, list_shades())
        data = standard_b64encode(png).decode()
        content = f'<image {symbol.box} href="data:image/png;base64,{data}"/>'
    return f'<symbol id="{symbol.name}" viewBox="0 0 {width} {height}">{content}</symbol>'


def _place_on(cell: Cell) -> str:
    return f'x="{cell[0] * CARD[0]}" y="{cell[1] * CARD[1]}"'


K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Stretch(Generic[K, V]):
    """Consecutive steps at which a key, such as a cell, has the same value."""

    key: K
    value: V
    first: int
    last: int

    def attributes(self, end: int) -> str:
        """Return the attributes of an element that shows it, in a game whose last step is `end`."""
        hidden = "" if self.first <= end <= self.last else " hidden"
        return f' data-a="{self.first}" data-z="{self.last}"{hidden}'


def list_stretches(
    frames: Iterable[ExportFrame], of: Callable[[ExportFrame], Mapping[K, V]]
) -> list[Stretch[K, V]]:
    """Return, for each key in the values `of` the frames, its stretches with one value."""
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


def game_html(replay: Replay) -> str:
    frames = list_frames(replay)
    # Translators: {names} is a list of players; the title of a page that shows their game.
    title = pgettext("title", "Saboteur: {names}").format(names=", ".join(replay.names))
    about = game_facts(replay.edition, len(replay.names), replay.rounds)
    style, script = _read_page_file("page.css"), _read_page_file("page.js")
    policy = "default-src 'none'; img-src data:; "
    policy += f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    end = frames[-1].number
    symbols = {symbol for frame in frames for symbol in _list_symbols(frame)}
    symbols |= {
        symbol._replace(drawing=catalogue.Drawing(symbol.drawing.name)) for symbol in symbols
    }
    defined = "".join(map(_define, sorted(symbols)))
    mines, steps_html = "".join(_draw_mines(frames, end)), "".join(_draw_steps(frames, end))
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="{escape(current_language().replace("_", "-"))}">\n',
            '<head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape(title)}</title>\n<style>{style}</style></head>\n<body>\n",
            f'<svg width="0" height="0" aria-hidden="true"><defs>{defined}</defs></svg>\n',
            f"<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>\n<main><div>\n",
            f'<section class="mine">{mines}</section>\n{_draw_bar(end)}',
            f'<section class="now" aria-live="polite">{steps_html}</section>\n',
            f"<section>{_draw_players(frames, end)}</section>\n</div>\n",
            f"<nav>{''.join(_list_steps(frames))}</nav></main>\n",
            f"<script>{script}</script>\n</body></html>\n",
        )
    )


def _read_page_file(name: str) -> str:
    return (files("sabtui.after") / "page" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression with which a page's policy allows this style or script."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _list_symbols(frame: ExportFrame) -> Iterator[Symbol]:
    """Yield the pictures of a step: everything in the mine, and the players' cards."""
    for drawing in catalogue.find_mine(frame.board, frame.goals).values():
        yield Symbol(drawing, CARD)
    sight = frame.sight
    for seat in sight.seats:
        yield _find_dwarf(sight, seat)
        role, pile = sight.role(seat), catalogue.find_pile(sight.nuggets(seat) or 0)
        if role is not None:
            yield Symbol(catalogue.find_role(role), FACE)
        hand = sight.hand(seat)
        yield from [BACK] if hand is None else map(_find_chip, hand)
        yield from _list_broken(sight, seat)
        if pile is not None:
            yield Symbol(pile, ICON)


def _find_dwarf(sight: Sight, seat: int) -> Symbol:
    return Symbol(catalogue.find_dwarf(*sight.names.dwarf(seat)), ICON)


def _list_broken(sight: Sight, seat: int) -> list[Symbol]:
    broken = Tool.within(sight.view.table.broken[seat])
    return [Symbol(catalogue.find_tool(tool, is_broken=True), ICON) for tool in broken]


def _draw_mines(frames: Sequence[ExportFrame], end: int) -> Iterator[str]:
    """Yield one drawing per round, with every card that was ever in the mine."""
    for _number, of_round in groupby(frames, key=lambda frame: frame.round):
        played = list(of_round)
        cells = {START, *GOAL_CELLS, *(cell for frame in played for cell in frame.board.cards)}
        columns, rows = (range(min(places), max(places) + 1) for places in zip(*cells, strict=True))
        left, top = columns[0] * CARD[0] - _MARGIN, rows[0] * CARD[1] - _MARGIN
        width, height = len(columns) * CARD[0] + 2 * _MARGIN, len(rows) * CARD[1] + 2 * _MARGIN
        whole = Stretch(None, None, played[0].number, played[-1].number).attributes(end)
        yield f'<svg viewBox="{left} {top} {width} {height}" role="img"{whole}><g class="axes">'
        for x in columns:  # named as in the notation
            yield f'<text x="{x * CARD[0] + CARD[0] // 2}" y="{top + _MARGIN - 20}">{x}</text>'
        for y in rows:
            place = f'x="{left + _MARGIN // 2}" y="{y * CARD[1] + CARD[1] // 2 + 10}"'
            yield f"<text {place}>{row_name(y)}</text>"
        yield "</g>"
        for card in list_stretches(played, find_cards):
            drawing, title = card.value
            symbol = Symbol(drawing, CARD)
            label = f"<title>{escape(title)}</title>" if title else ""
            at = f"{symbol.box} {_place_on(card.key)}{card.attributes(end)}"
            yield f'<use href="#{symbol.name}" {at}>{label}</use>'
        for cell in list_stretches(played, lambda frame: {"newest": frame.newest}):
            if cell.value is not None:
                box = f'width="{CARD[0]}" height="{CARD[1]}" {_place_on(cell.value)}'
                yield f'<rect class="newest" {box}{cell.attributes(end)}/>'
        yield "</svg>"


def find_cards(frame: ExportFrame) -> dict[Cell, tuple[catalogue.Drawing, str]]:
    """Return the picture of each card in the mine, with a title if it is a goal."""
    drawn = catalogue.find_mine(frame.board, frame.goals)
    titles = dict.fromkeys(frame.board.cards, "")
    for cell, goal in zip(GOAL_CELLS, frame.goals, strict=True):
        face = "" if goal is None else f": {goal_words(goal)}"
        titles[cell] = f"{format_cell(cell)}{face}"
    return {cell: (drawing, titles[cell]) for cell, drawing in drawn.items()}


def _draw_bar(end: int) -> str:
    """Draw the buttons and the slider, hidden where no script runs."""
    buttons = (
        ("first", "M4 4v12M16 4l-9 6 9 6z", capitalise(_("the beginning of the game"))),
        ("earlier", "M10 4l-7 6 7 6zM18 4l-7 6 7 6z", capitalise(_("the previous round"))),
        ("back", "M14 4l-9 6 9 6z", capitalise(_("the previous step"))),
        ("play", "M3 4l7 6-7 6zM13 4v12M17 4v12", capitalise(pgettext("replay", "play"))),
        ("on", "M6 4l9 6-9 6z", capitalise(_("the next step"))),
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


def _draw_steps(frames: Sequence[ExportFrame], end: int) -> Iterator[str]:
    for frame in frames:
        shown = Stretch(None, None, frame.number, frame.number)
        move = f" <code>{escape(frame.move)}</code>" if frame.move else ""
        lines = "".join(f"<p>{escape(line)}</p>" for line in frame.lines)
        said = "".join(f'<p class="said">{escape(line)}</p>' for line in frame.said)
        yield f"<div{shown.attributes(end)}><p>{escape(frame.title)}{move}</p>{lines}{said}</div>"


def _draw_players(frames: Sequence[ExportFrame], end: int) -> str:
    """Draw the table of players, with each value that their facts take during the game."""
    rows, sight = [], frames[0].sight
    for seat, name in enumerate(sight.names.names):
        dwarf = _find_dwarf(sight, seat).draw(name, "icon")
        row = f'<th scope="row">{dwarf}{escape(name)}</th>'
        facts = (_draw_turn, _draw_role, _draw_hand, _draw_broken, _draw_gold)
        row += "".join(_draw_cell(frames, seat, of, end) for of in facts)
        rows.append(f"<tr>{row}</tr>")
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _draw_cell(
    frames: Sequence[ExportFrame], seat: int, of: Callable[[Sight, int], str], end: int
) -> str:
    """Fill a cell with each value that a fact `of` a seat takes during the game."""
    facts = list_stretches(frames, lambda frame: {seat: of(frame.sight, seat)})
    spans = (f"<span{fact.attributes(end)}>{fact.value}</span>" for fact in facts if fact.value)
    return f"<td>{''.join(spans)}</td>"


def _draw_turn(sight: Sight, seat: int) -> str:
    return "&gt;" if seat == sight.view.to_act else ""


def _draw_role(sight: Sight, seat: int) -> str:
    if (role := sight.role(seat)) is None:
        return ""
    name = role_words(role)
    return Symbol(catalogue.find_role(role), FACE).draw(name, "chip") + escape(name)


def _draw_broken(sight: Sight, seat: int) -> str:
    words = _("broken: {tools}").format(tools=broken_tools(seat, sight.view))
    return "".join(icon.draw(words, "icon") for icon in _list_broken(sight, seat))


def _draw_gold(sight: Sight, seat: int) -> str:
    pile, words = catalogue.find_pile(sight.nuggets(seat) or 0), gold_words(sight, seat)
    return ("" if pile is None else Symbol(pile, ICON).draw(words, "icon")) + escape(words)


def _draw_hand(sight: Sight, seat: int) -> str:
    """Return the cards of a hand, each drawn and named; for an unknown hand only their number."""
    cards, count = sight.hand(seat), sight.view.table.hands[seat]
    if cards is None:
        return f"{count} x {BACK.draw('?', 'chip')}" if count else ""
    return "".join(_find_chip(card).draw(card_words(card), "chip") for card in cards)


def _find_chip(card: Card) -> Symbol:
    return Symbol(catalogue.find_card(card), FACE)


def _list_steps(frames: Sequence[ExportFrame]) -> Iterator[str]:
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


MAX_PAGES: Final = 99  # maximum number of pages with one name, distinguished by a number
MAX_STEM_CHARACTERS: Final = 60
"""Maximum characters of a page's name: many file systems take 255 bytes at most."""


def save_export(replay: Replay, path: Path) -> str:
    """Write a game as a page to a new file; return a sentence about it.

    Raises UserError: there is such a file, or it cannot be written.
    """
    try:
        create(path, game_html(replay).encode(), mode=BY_UMASK)
    except FileExistsError:
        raise UserError(
            _("{path} already exists: choose another name.").format(path=path)
        ) from None
    except OSError as error:
        raise UserError(not_written(path, error)) from error
    return _("Saved: {path}").format(path=path)


def export_page(replay: Replay, title: str, where: Path) -> str:
    """Write a game as a page with a free name in a folder; return a sentence about the outcome."""
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    stem = "-".join(words)[:MAX_STEM_CHARACTERS] or "game"
    names = (stem, *(f"{stem}-{number}" for number in range(2, MAX_PAGES + 1)))
    try:
        private_folder(where)
        free = next((name for name in names if not (where / f"{name}.html").exists()), stem)
        return save_export(replay, where / f"{free}.html")
    except UserError as trouble:
        return str(trouble)
    except OSError as error:  # the folder cannot be created or listed
        return not_written(where, error)
