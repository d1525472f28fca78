"""Each part of the table as rows, from what is now and what the player looks at.

Knows which part shows what at which stage; how each is drawn is for its own module.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Cell
from engine.cards import Path
from engine.moves import Lay
from engine.table import Phase
from engine.view import View
from net.lobby import Lobby
from sabtui.screen.mine.picture import Shown, picture
from sabtui.screen.mine.tiles import Mark
from sabtui.screen.rows import Row, Span, filled, ruled
from sabtui.screen.table import claims, endings, gold, hand, header, known, seats
from sabtui.screen.table.choice import Choice
from sabtui.screen.table.desk import Desk
from sabtui.screen.table.last import last_card
from sabtui.screen.table.layout import LEAST_COLUMNS, LEAST_ROWS
from sabtui.screen.table.log import Log
from sabtui.screen.table.seats import Seating
from sabtui.screen.table.seen import Pane, Seen
from sabtui.words.cast import Cast
from sabtui.words.news import table_name
from sabtui.words.tongue import _


def head(view: View, lobby: Lobby, cast: Cast, seen: Seen) -> list[Row]:
    """The header; in a terminal that is too small, what is needed, and whose turn it is."""
    columns = seen.layout.columns
    if not seen.layout.is_too_small:
        unveiling = seen.unveiled is not None
        return [
            header.header(
                view, cast, table_name(lobby), columns, veiled=seen.veiled, unveiling=unveiling
            )
        ]
    told = _("Sabtui needs {columns}x{rows}.").format(columns=LEAST_COLUMNS, rows=LEAST_ROWS)
    return [filled((*header.turn(view, cast), Span(f" {told}")), columns)]


def mine(view: View, cast: Cast, seen: Seen) -> list[Row]:
    """The mine; once the game is over, who won."""
    layout = seen.layout
    if view.phase is Phase.OVER and seen.pane is Pane.LOG and seen.unveiled is None:
        return endings.final_rows(view, cast, layout.mine, layout.body, seen.glyphs)
    if seen.window is None:
        return []
    return picture(view, shown(view, seen.desk), seen.window, seen.glyphs)


def shown(view: View, desk: Desk) -> Shown:
    """What stands out in the mine."""
    last = last_card(view)
    newest = None if last is None else last.cell
    cursor = desk.cell if desk.seat is None else None
    choice = desk.choice(view)
    if choice is None or desk.discarding:
        return Shown(cursor, new=newest)
    return Shown(cursor, _marks(choice, desk), _ghost(choice, desk), newest)


def _marks(choice: Choice, desk: Desk) -> Mapping[Cell, Mark]:
    marks: dict[Cell, Mark] = {}
    for target in choice.targets:
        if isinstance(target.place, int):
            continue
        marks[target.place] = Mark.HERE
        if choice.card.ways:
            upright = choice.card.ways[desk.turned % len(choice.card.ways)]
            fits = Lay(upright, target.place) in target.ways
            both = Mark.BOTH if len(target.ways) > 1 else Mark.FITS
            marks[target.place] = both if fits else Mark.TURNED
    return marks


def _ghost(choice: Choice, desk: Desk) -> tuple[Path, bool] | None:
    """The chosen card as it would lie under the cursor."""
    if desk.seat is not None:
        return None
    wish = choice.way(desk.cell, desk.turned)
    if not isinstance(wish, Lay):
        return None
    target = choice.at(desk.cell)
    return wish.path, target is not None and wish in target.ways


def players(view: View, lobby: Lobby, cast: Cast, seen: Seen) -> list[Row]:
    """The players, and a rule below them."""
    columns, count = seen.layout.text, view.table.players
    if seen.about is not None:
        return _claims(view, cast, seen)[: seen.layout.seats(count)]
    desk = seen.desk
    choice = None if desk.discarding else desk.choice(view)
    rows = seats.seats(
        view, lobby, Seating(cast, seen.notes, desk.seat, choice, seen.unveiled), columns
    )
    if seen.layout.seats(count) > count + 1:
        rows = [seats.title(view, columns), *rows]
    knows = seen.pane is Pane.KNOWN or seen.layout.is_tall(count)
    return [*rows, _ruled(_("you know") if knows else _of_log(seen), seen)]


def _ruled(title: str, seen: Seen) -> Row:
    return ruled(title, seen.layout.text, seen.glyphs.across)


def _of_log(seen: Seen) -> str:
    return _("older, PgDn goes on") if seen.back else _("talk and news")


def pane(view: View, cast: Cast, seen: Seen, log: Log, rows: int) -> list[Row]:
    """What is below the players."""
    columns = seen.layout.text
    if seen.about is not None:
        return _claims(view, cast, seen)[seen.layout.seats(view.table.players) :][:rows]
    if seen.layout.is_tall(view.table.players):
        told = known.known(view, columns, veiled=seen.veiled)[: rows // 2]
        told.append(_ruled(_of_log(seen), seen))
        return told + log.rows(columns, rows - len(told), seen.back)
    if seen.pane is Pane.KNOWN:
        told = known.known(view, columns, veiled=seen.veiled)
        first = min(seen.back, max(len(told) - rows, 0))
        return told[first : first + rows]
    return log.rows(columns, rows, seen.back)


def _claims(view: View, cast: Cast, seen: Seen) -> list[Row]:
    """Quick claims, which take the place of players and log."""
    listed = claims.claims(view, seen.about)
    return claims.claim_rows(listed, cast, seen.layout.text)


def bottom(view: View, cast: Cast, seen: Seen) -> list[Row]:
    """The hand and its title, or what takes its place."""
    layout, glyphs = seen.layout, seen.glyphs
    columns, rows = layout.columns, layout.hand - 1
    match view.phase:
        case Phase.PLAY:
            title = hand.title(view, seen.desk)
            below = hand.hand(view, seen.desk, columns, rows, glyphs)
        case Phase.GOLD if view.to_act == view.seat and seen.unveiled is None:
            title = gold.title()
            below = gold.offer_rows(view, seen.desk.nuggets, columns, rows)
        case _:
            title = _("round {number}").format(number=view.score.number)
            below = endings.round_rows(view, cast, columns, rows, seen.unveiled)
    return [ruled(title, columns, glyphs.across, columns - layout.side, glyphs.foot), *below]
