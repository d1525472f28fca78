"""Each part of the table as rows, from what is now and what the player looks at.

Knows which part shows what at which stage; how each is drawn is for its own module.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len

from engine.board import Cell
from engine.cards import Path
from engine.moves import Lay
from engine.table import Phase
from engine.view import View
from net.lobby import Lobby
from sabtui.screen.mine.beyond import sign_below
from sabtui.screen.mine.picture import Shown, lying_cells, picture
from sabtui.screen.mine.tiles import Mark
from sabtui.screen.rows import Look, Row, Span, filled, overlaid, ruled
from sabtui.screen.table import claims, endings, gold, hand, header, known, seats
from sabtui.screen.table.choice import Choice
from sabtui.screen.table.desk import Desk
from sabtui.screen.table.last import last_card
from sabtui.screen.table.layout import LEAST_COLUMNS, LEAST_ROWS, Seats
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
        about = header.About(table_name(lobby), seen.veiled, unveiling, lobby.paused)
        return [header.header(view, cast, about, columns)]
    told = _("Sabtui needs {columns}x{rows}.").format(columns=LEAST_COLUMNS, rows=LEAST_ROWS)
    return [filled((*header.turn(view, cast, paused=lobby.paused), Span(f" {told}")), columns)]


def mine(view: View, cast: Cast, seen: Seen) -> list[Row]:
    """The mine; once the game is over, who won."""
    layout = seen.layout
    if is_final(view, seen):
        return endings.final_rows(view, cast, layout.mine, layout.body, seen.glyphs)
    if seen.window is None:
        return []
    return picture(view, shown(view, seen.desk), seen.window, seen.glyphs)


def is_final(view: View, seen: Seen) -> bool:
    """Return whether the end of the game stands in place of the mine."""
    return view.phase is Phase.OVER and seen.pane is Pane.LOG and seen.unveiled is None


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


def seats_part(view: View, seen: Seen) -> Seats:
    """The players' part of the layout."""
    return seen.layout.seats(view.table.players, titled=seats.is_upwards(view))


def players(view: View, lobby: Lobby, cast: Cast, seen: Seen, rows: int) -> list[Row]:
    """The players, and a rule below them; `rows` are those of the pane, for what takes both."""
    room, desk = seats_part(view, seen), seen.desk
    if seen.about is not None:
        return _claims(view, cast, seen, room.rows + rows)[: room.rows]
    choice = None if desk.discarding else desk.choice(view)
    seating = Seating(cast, seen.notes, desk.seat, choice, seen.unveiled)
    knows = seen.pane is Pane.KNOWN or room.is_tall
    told = seats.seats(view, lobby, seating, room)
    return [*told, _ruled(_("you know") if knows else _of_log(seen), seen)]


def _ruled(title: str, seen: Seen) -> Row:
    return ruled(title, seen.layout.text, seen.glyphs.across)


def _of_log(seen: Seen) -> str:
    return _("older, PgDn goes on") if seen.back else _("talk and news")


def pane(view: View, cast: Cast, seen: Seen, log: Log, rows: int) -> list[Row]:
    """What is below the players."""
    columns = seen.layout.text
    if seen.about is not None:
        above = seats_part(view, seen).rows
        return _claims(view, cast, seen, above + rows)[above:]
    if seats_part(view, seen).is_tall:
        told = known.known(view, columns, veiled=seen.veiled)[: rows // 2]
        told.append(_ruled(_of_log(seen), seen))
        left = log_rows(view, seen, rows)
        return told + log.rows(columns, left, seen.back, veiled=seen.veiled)
    if seen.pane is Pane.KNOWN:
        told = known.known(view, columns, veiled=seen.veiled)
        first = min(seen.back, max(len(told) - rows, 0))
        return told[first : first + rows]
    return log.rows(columns, rows, seen.back, veiled=seen.veiled)


def log_rows(view: View, seen: Seen, rows: int) -> int:
    """How many rows of those below the players the log has."""
    if not seats_part(view, seen).is_tall:
        return rows
    told = known.known(view, seen.layout.text, veiled=seen.veiled)
    return rows - min(len(told), rows // 2) - 1


def _claims(view: View, cast: Cast, seen: Seen, rows: int) -> list[Row]:
    """Quick claims, which take the place of players and log."""
    return claim_list(view, cast, seen, rows).shown(seen.claims_page)


def claim_list(view: View, cast: Cast, seen: Seen, rows: int) -> claims.ClaimList:
    """The list of quick claims in so many rows."""
    listed = claims.claims(view, seen.about)
    return claims.ClaimList.of(listed, cast, seen.layout.text, rows)


def bottom(view: View, cast: Cast, seen: Seen) -> list[Row]:
    """The hand and its title, or what takes its place."""
    layout, glyphs = seen.layout, seen.glyphs
    columns, rows = layout.columns, layout.hand - 1
    match view.phase:
        case Phase.PLAY:
            title = hand.title(view, seen.desk, columns - 4)
            below = hand.hand(view, seen.desk, columns, rows, glyphs)
        case Phase.GOLD if view.to_act == view.seat and seen.unveiled is None:
            title = gold.title()
            below = gold.offer_rows(view, seen.desk.kept(view), columns, rows)
        case _:
            title = _("round {number}").format(number=view.score.number)
            below = endings.round_rows(view, cast, columns, rows, seen.unveiled)
    joint = columns - layout.side
    rule = ruled(title, columns, glyphs.across, joint, glyphs.foot)
    return [_with_sign_below(rule, title, view, seen), *below]


def _with_sign_below(rule: Row, title: str, view: View, seen: Seen) -> Row:
    """The rule below the mine with the sign for cards that lie south of what is in sight.

    It stands below the mine's right end, or where the title gets that far, after the title.
    """
    if seen.window is None or is_final(view, seen):
        return rule
    sign = sign_below(lying_cells(view), seen.window)
    columns, joint = seen.layout.columns, seen.layout.mine
    if not sign:
        return rule
    told = f" {sign} "
    titled = cell_len(title) + 4 if title else 0
    at = min(max(joint - len(told), titled), columns - len(told))
    return overlaid(rule, at, Span(told, Look.TURN))
