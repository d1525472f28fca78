"""The side of the table: the players, and below them pages of facts.

The page that the player has turned to stands first; the others follow as far as they fit whole, so
that a tall terminal shows all of them, and the log below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from rich.cells import cell_len

from engine.bots.talk import SILENCE, Talk
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.lobby.chat import TURN_EVENTS, talk_of
from net.lobby.model import Lobby
from sabtui.text.i18n import _
from sabtui.text.names import PlayerNames
from sabtui.tui.table import claims, facts, narrow
from sabtui.tui.table import players as seats
from sabtui.tui.table.animation import Frame, GoldScene
from sabtui.tui.table.layout import Seats, StripSeats, rows_taken
from sabtui.tui.table.log_entry import LogEntry, LogKind
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import PlayersContext
from sabtui.tui.table.status import names_at
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, overlaid, plain, ruled

LEAST_LOG_ROWS: Final = 3
"""Fewest rows of the log below the pages."""

PAGES: Final = (SidePanel.RECENT, SidePanel.CLAIMS, SidePanel.CARDS, SidePanel.ROLE)
"""The pages in the order in which one key turns them."""


@dataclass(frozen=True, slots=True)
class Section:
    """Titled rows of a page, or of the log."""

    title: str
    rows: tuple[Row, ...]
    is_log: bool = False


def seats_part(view: View, model: TableModel) -> Seats:
    """Return the players' part of the layout."""
    return model.layout.seats(view.table.players, titled=seats.is_upwards(view))


def pane_rows(view: View, model: TableModel, sentence: str) -> int:
    """Return the rows of the pane, less those that a long status sentence takes."""
    return max(seats_part(view, model).pane - rows_taken(sentence, model.layout.columns), 0)


def players(status: Status, view: View, lobby: Lobby, model: TableModel, rows: int) -> list[Row]:
    """Return the players and a rule below them, which has the title of the pane.

    `rows` are those of the pane below: an open list of claims takes the room of both.
    """
    room, selection, names = seats_part(view, model), model.selection, names_at(status)
    if model.about is not None:
        return _quick_claims(view, names, model, room.rows + rows)[: room.rows]
    choice = None if selection.discarding else selection.choice(view)
    seating = PlayersContext(names, model.notes, selection.seat, choice, model.unveiled)
    title = sections(status, view, model, rows)[0].title
    drawn = (
        narrow.strip(view, lobby, seating, room)
        if isinstance(room, StripSeats)
        else seats.seats(view, lobby, seating, room)
    )
    lines = _in_frame(drawn, room, model.frame)
    return [*lines, _ruled(title, model)]


def _in_frame(rows: list[Row], room: Seats, frame: Frame) -> list[Row]:
    """Return the players' rows with what an animation changes in them for a moment."""
    for seat, changed in frame.seats.items():
        column, row = room.corner_of(seat)
        if row >= len(rows):
            continue
        if changed.flashes:
            text = plain(rows[row])[column : column + room.columns]
            rows[row] = overlaid(rows[row], column, StyledSpan(text, Look.BAD, Ground.TURN))
        if changed.gold is not None:
            at = column + (room.columns - 1) * changed.gold // GoldScene(seat).frames
            blank = _blank_near(rows[row], at, range(column, column + room.columns))
            if blank is not None:
                rows[row] = overlaid(rows[row], blank, StyledSpan("$", Look.GOLD, Ground.TURN))
    return rows


def _blank_near(row: Row, at: int, columns: range) -> int | None:
    """Return the blank cell of a row that is nearest to one, `None` if there is none there.

    A wide letter fills two cells.
    """
    cells = "".join(letter.ljust(cell_len(letter), "\0") for letter in plain(row))
    blanks = [column for column in columns if cells[column : column + 1] == " "]
    return min(blanks, key=lambda column: abs(column - at), default=None)


def pane(status: Status, view: View, model: TableModel, rows: int) -> list[Row]:
    """Return the pane below the players."""
    if model.about is not None:
        above = seats_part(view, model).rows
        return _quick_claims(view, names_at(status), model, above + rows)[above:]
    return _stacked(sections(status, view, model, rows), model, rows)[:rows]


def _stacked(found: Sequence[Section], model: TableModel, rows: int | None = None) -> list[Row]:
    """Return sections one below the other; the title of the first is not among the rows.

    Of facts whose rows would not fit into `rows` rows the title is left out, too.
    """
    first, *others = found
    lines = list(first.rows)
    for section in others:
        if rows is not None and not section.is_log and len(lines) + 1 + _filled(section) > rows:
            break  # a long status sentence hides it: a title without its rows would mislead
        lines += [_ruled(section.title, model), *section.rows]
    return lines


def sections(status: Status, view: View, model: TableModel, rows: int) -> list[Section]:
    """Return what the pane shows, from the top: the chosen page, and others that fit whole.

    Where the log has no place of its own, it takes the whole pane once it is scrolled back. A long
    status sentence hides the lowest rows, and nothing moves for it, unless the chosen page or the
    newest line of the log would be cut.
    """
    whole = max(seats_part(view, model).pane, rows)
    found = _with_log(status, view, model, whole)
    if any(one.is_log for one in found) or _filled(found[0]) > rows:
        return _with_log(status, view, model, rows)
    return found


def _with_log(status: Status, view: View, model: TableModel, rows: int) -> list[Section]:
    """Return the sections for a number of rows; a log that is scrolled back may take them all."""
    found = _arranged(status, view, model, rows)
    if model.pane is SidePanel.RECENT and model.back and not any(one.is_log for one in found):
        return [_log_section(model, rows)]
    return found


def _filled(section: Section) -> int:
    """Return the rows of a section without the blank ones at its end."""
    return max((at for at, row in enumerate(section.rows, 1) if row), default=0)


def _arranged(status: Status, view: View, model: TableModel, rows: int) -> list[Section]:
    """Return the chosen page, the others that fit whole, and the log if there is room."""
    above = _above_news(status, view, model, rows)
    if above is not None:
        left = rows - len(above.rows) - 1
        if left <= 0:
            return [above]
        log = _news_below(model, left)
        if not log:
            return [_padded(above, rows)]
        news = Section(_log_title(model), tuple(log), is_log=True)
        return [_padded(above, rows - len(log) - 1), news]
    if model.pane is SidePanel.RECENT:
        if not _in_play(view) and not _has_room_for_log(view, model):
            return [_log_section(model, rows)]
        chosen: list[Section] = []
        height = _recent_height(status, view, model, rows)
    else:
        chosen = _page(status, view, model, model.pane)
        height = _height(chosen)
        if height > rows:
            return [_scrolled(chosen, model, rows)]
    others = _others(status, view, model, rows - height)
    left = rows - height - sum(len(one.rows) + 1 for one in others)
    if _has_log_below(view, model) and left > LEAST_LOG_ROWS:
        others.append(_log_section(model, left - 1))
        left = 0
    if model.pane is SidePanel.RECENT:
        chosen = [_recent(status, view, model, height + left)]
    return [*chosen, *others]


def _above_news(status: Status, view: View, model: TableModel, rows: int) -> Section | None:
    """Return facts that leave the rest of a low pane to the news, `None` if there are none.

    These are one's role when it is dealt, and what the player under the cursor has done.
    """
    seat = model.selection.seat
    if _has_room_for_log(view, model) or not _in_play(view):
        return None
    if model.pane is SidePanel.ROLE and model.is_dealt:
        return _role(view, model, None)
    if model.pane is SidePanel.RECENT and seat is not None:
        return _done_by(seat, status, view, model, rows)
    return None


def _news_below(model: TableModel, rows: int) -> list[Row]:
    """Return the last lines of the log below other facts: whole ones, and not the role dealt."""
    entries = model.log.shown
    if model.pane is SidePanel.ROLE:
        entries = tuple(one for one in entries if not one.secret)
    columns, glyphs = model.layout.text, model.glyphs
    if not entries or len(entries[-1].rows(columns, glyphs, veiled=model.veiled)) > rows:
        return []
    log = replace(model.log, lines=entries, held_back=0)
    shown = log.rows(columns, rows, glyphs, model.back, veiled=model.veiled)
    return [row for row in shown if row]


def _done_by(seat: int, status: Status, view: View, model: TableModel, rows: int) -> Section:
    """Return what a player has done so far; a last row counts those for which there is no room."""
    names = names_at(status)
    done = facts.player_rows(seat, view, _talk(status, view), names, model.layout.text)
    if len(done) > rows:
        more = f"+{len(done) - rows + 1}"
        done[rows - 1 :] = [(StyledSpan(more, Look.DIM),)]
    return Section(names.name(seat), tuple(done))


def _others(status: Status, view: View, model: TableModel, rows: int) -> list[Section]:
    """Return the sections below the chosen page: those that fit whole, if possible with a log."""
    pages: tuple[SidePanel, ...] = (SidePanel.RECENT, SidePanel.CLAIMS, SidePanel.CARDS)
    if not _in_play(view):
        pages = (SidePanel.CLAIMS,)
    every = [
        section
        for page in pages
        if page is not model.pane
        for section in _page(status, view, model, page)
    ]
    is_roomy = _has_log_below(view, model)
    with_log = rows - is_roomy * (LEAST_LOG_ROWS + 1)
    room = with_log if sum(len(one.rows) + 1 for one in every) <= with_log else rows
    found: list[Section] = []
    for section in every:
        if len(section.rows) < room:
            found.append(section)
            room -= len(section.rows) + 1
    return found


def _recent_height(status: Status, view: View, model: TableModel, rows: int) -> int:
    """Return the rows for recent moves, before those left by other pages are added.

    In a low terminal all of them come before other pages. In a tall one talk has the log, so that
    the pages below keep their places while it goes on.
    """
    if not _in_play(view):
        return LEAST_LOG_ROWS
    kept = recent_rows(view)
    if _has_room_for_log(view, model):
        return kept
    names = names_at(status)
    entries = model.log.recent(view, names)
    needed = sum(len(_rows_of(entry, model, names)) for entry in entries)
    return min(max(kept, needed), rows)


def _rows_of(entry: LogEntry, model: TableModel, names: PlayerNames) -> list[Row]:
    """Return an entry as rows, a turn always as one."""
    columns, glyphs = model.layout.text, model.glyphs
    brief = entry.brief_row(columns, glyphs, names)
    return entry.rows(columns, glyphs, veiled=model.veiled) if brief is None else [brief]


def next_page(status: Status, view: View, model: TableModel, rows: int) -> SidePanel:
    """Return the page to turn to: the next one that is not in view whole, else the first."""
    titles = {section.title for section in sections(status, view, model, rows)}
    hidden = [
        page
        for page in PAGES
        if any(one.title not in titles for one in _page(status, view, model, page))
    ]
    at = PAGES.index(model.pane)
    return next((page for page in PAGES[at + 1 :] if page in hidden), PAGES[0])


def recent_rows(view: View) -> int:
    """Return the rows that are kept for what has happened since the player's last turn."""
    return view.table.players


def log_rows(status: Status, view: View, model: TableModel, rows: int) -> int:
    """Return how many rows of the pane show the log, 0 if another page is open in its place."""
    if model.pane is not SidePanel.RECENT and page_height(status, view, model) > rows:
        return 0
    found = [len(one.rows) for one in _arranged(status, view, model, rows) if one.is_log]
    return found[0] if found else rows * (model.pane is SidePanel.RECENT)


def page_height(status: Status, view: View, model: TableModel) -> int:
    """Return the rows of the chosen page."""
    return _height(_page(status, view, model, model.pane))


def _height(page: Sequence[Section]) -> int:
    return sum(len(one.rows) + 1 for one in page) - 1


def _has_room_for_log(view: View, model: TableModel) -> bool:
    return seats_part(view, model).has_room_for_log


def _has_log_below(view: View, model: TableModel) -> bool:
    """Return True if the log comes below the pages: between rounds it is the page of news."""
    is_news = model.pane is SidePanel.RECENT and not _in_play(view)
    return _has_room_for_log(view, model) and not is_news


def _log_section(model: TableModel, rows: int) -> Section:
    return Section(_log_title(model), tuple(_log(model, rows)), is_log=True)


def _in_play(view: View) -> bool:
    return view.phase is Phase.PLAY


def _talk(status: Status, view: View) -> Talk:
    held = status.game_state
    return SILENCE if held is None else talk_of(view, held.talk)


def _page(status: Status, view: View, model: TableModel, page: SidePanel) -> list[Section]:
    """Return the sections of a page."""
    columns, names = model.layout.text, names_at(status)
    match page:
        case SidePanel.RECENT:
            return [_recent(status, view, model, recent_rows(view))]
        case SidePanel.CLAIMS:
            talk = _talk(status, view)
            board = facts.claim_rows(view, talk, names, model.notes, columns)
            return [Section(_("claims"), tuple(board))]
        case SidePanel.CARDS:
            broken = facts.broken_rows(view, names, columns)
            unseen = facts.unseen_rows(view, columns)
            return [
                Section(facts.unseen_title(view), tuple(unseen)),
                Section(_("broken tools"), tuple(broken)),
            ]
        case SidePanel.ROLE:
            return [_role(view, model, seats_part(view, model).pane)]
        case _:
            assert_never(page)


def _role(view: View, model: TableModel, rows: int | None) -> Section:
    """Return the section of the player's own role, with gold and rounds won if `rows` are given."""
    columns, glyphs = model.layout.text, model.glyphs
    role = facts.role_rows(view, columns, rows, glyphs, veiled=model.veiled)
    return Section(_("your role") if view.seat is not None else _("score"), tuple(role))


def _recent(status: Status, view: View, model: TableModel, rows: int) -> Section:
    """Return what has happened lately, or what the player under the cursor has done so far."""
    names, seat = names_at(status), model.selection.seat
    if not _in_play(view):
        return _log_section(model, rows)
    if seat is not None:
        return _padded(_done_by(seat, status, view, model, rows), rows)
    entries = model.log.recent(view, names)
    found = _fitting(entries, model, names, rows, has_log=_has_log_below(view, model))
    return _padded(Section(_recent_title(view), tuple(found)), rows)


def _recent_title(view: View) -> str:
    """Return the title above the recent moves."""
    if view.seat is None:
        return _("the last moves")
    if any(isinstance(event, TURN_EVENTS) and event.seat == view.seat for event in view.history):
        return _("since your last turn")
    return _("this round so far")


def _fitting(
    entries: Sequence[LogEntry], model: TableModel, names: PlayerNames, rows: int, *, has_log: bool
) -> list[Row]:
    """Return as many lines as fit.

    Talk goes first, but for what was said last where no log stands below; then go the oldest moves,
    which are counted. Claims about goals are what a round turns on: they go last.
    """
    kept = [(one, _rows_of(one, model, names)) for one in entries]
    if kept and kept[-1][0].turn is None:  # moves have their room beside ever so long a speech
        kept[-1] = (kept[-1][0], kept[-1][1][: max(rows // 2, 1)])

    def height() -> int:
        return sum(len(lines) for _entry, lines in kept)

    said = kept if has_log else kept[:-1]
    for one in [one for one in said if one[0].kind in (LogKind.TALK, LogKind.TABLE)]:
        if height() > rows:
            kept.remove(one)
    more = 0
    while kept and height() + bool(more) > rows:
        del kept[next((at for at, one in enumerate(kept) if one[0].kind is not LogKind.CLAIM), 0)]
        more += 1
    found = [row for _entry, lines in kept for row in lines]
    if not more:
        return found
    # Translators: above the last moves: so many more do not fit; PgUp is a key.
    text = _("{count} more: PgUp").format(count=more)
    return [(StyledSpan(text, Look.DIM),), *found]


def _scrolled(page: Sequence[Section], model: TableModel, rows: int) -> Section:
    """Return a page that is too tall as one section, from the row that it is scrolled to."""
    lines = _stacked(page, model)
    top = min(model.back, max(len(lines) - rows, 0))
    shown = lines[top : top + rows]
    if shown and any(shown[-1] == _ruled(section.title, model) for section in page[1:]):
        shown[-1] = ()  # no title without a row below it
    return Section(page[0].title, tuple(shown))


def _padded(section: Section, rows: int) -> Section:
    """Return a section filled up with blank rows to this many."""
    blank: tuple[Row, ...] = ((),) * (rows - len(section.rows))
    return Section(section.title, (*section.rows, *blank))


def _log(model: TableModel, rows: int) -> list[Row]:
    log, columns = model.log, model.layout.text
    return log.rows(columns, rows, model.glyphs, model.back, veiled=model.veiled)


def _log_title(model: TableModel) -> str:
    return _("older, PgDn for newer") if model.back else _("talk and news")


def _ruled(title: str, model: TableModel) -> Row:
    return ruled(title, model.layout.text, model.glyphs.across)


def _quick_claims(view: View, names: PlayerNames, model: TableModel, rows: int) -> list[Row]:
    """Return the rows of the open list of claims, which replaces players and log."""
    return claim_list(view, names, model, rows).shown(model.claims_page)


def claim_list(view: View, names: PlayerNames, model: TableModel, rows: int) -> claims.ClaimList:
    """Return the list of quick claims, in pages of `rows` rows."""
    listed = claims.claims(view, model.about)
    return claims.ClaimList.of(listed, names, model.layout.text, rows)
