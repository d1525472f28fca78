"""The side of the table: the players, and below them pages of facts.

The page that the player has turned to stands first; the others follow as far as they fit whole, so
that a tall terminal shows all of them, and the log below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, assert_never

from engine.edition import Direction
from engine.events import TurnEvent
from engine.state import Phase
from sabtui.table.sight import Sight
from sabtui.text.i18n import _
from sabtui.tui.table import claims, facts, narrow
from sabtui.tui.table import players as seats
from sabtui.tui.table.layout import Seats, StripSeats, rows_taken
from sabtui.tui.table.log import TALK_KINDS, TableLog
from sabtui.tui.table.log_entry import LogEntry, LogKind
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import PlayersContext
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, draw_rule

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

    @property
    def filled(self) -> int:
        """Rows without the blank ones at the end."""
        return max((at for at, row in enumerate(self.rows, 1) if row), default=0)

    def pad_rows(self, rows: int) -> Section:
        """Return the section filled up with blank rows to this many."""
        blank: tuple[Row, ...] = ((),) * (rows - len(self.rows))
        return replace(self, rows=(*self.rows, *blank))


@dataclass(frozen=True)
class Side:
    """The side of a table with `rows` rows in the pane below the players.

    Drawing, the mouse and paging ask the same value, so it is laid out once. A list of quick
    claims, while it is open, takes the place of players and pane.
    """

    sight: Sight
    model: TableModel
    rows: int

    @staticmethod
    def above(sentence: str, sight: Sight, model: TableModel) -> Side:
        """Return the side above a status sentence.

        The sentence takes rows from the pane if it is long, and so does the chat line in use.
        """
        room, layout = seats_part(sight, model), model.layout
        taken = rows_taken(sentence, layout.columns) + (model.is_talking and not layout.is_narrow)
        return Side(sight, model, max(room.pane - taken, 0))

    @cached_property
    def room(self) -> Seats:
        """The players' part of the layout."""
        return seats_part(self.sight, self.model)

    @cached_property
    def claims(self) -> claims.ClaimList | None:
        """The open list of quick claims, `None` if it is not open."""
        if self.model.about is None:
            return None
        listed = claims.claims(self.sight.view, self.model.about)
        rows = self.room.rows + self.rows
        return claims.ClaimList.of(listed, self.sight.names, self._columns, rows)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The parts of the pane, from the top: the chosen page, and others that fit whole.

        Where the log has no place of its own, it takes the whole pane once it is scrolled back. A
        long status sentence hides the lowest rows, and nothing moves for it, unless the chosen page
        or the newest line of the log would be cut.
        """
        found = self._lay(max(self.room.pane, self.rows))
        if any(one.is_log for one in found) or found[0].filled > self.rows:
            return tuple(self._lay(self.rows))
        return tuple(found)

    @property
    def players(self) -> list[Row]:
        """The players and a rule below them, which has the title of the pane."""
        if self.claims is not None:
            return self.claims.draw_page(self.model.claims_page)[: self.room.rows]
        model, selection = self.model, self.model.selection
        choice = None if selection.discarding else selection.choice(self.sight.view)
        tells_gold = not (model.shows_result(self.sight.view) or model.is_crowning)
        shown = PlayersContext(
            self.sight, model.glyphs, model.notes, selection.seat, choice, tells_gold
        )
        drawn = (
            narrow.strip(shown, self.room)
            if isinstance(self.room, StripSeats)
            else seats.draw_boards(shown, self.room)
            if self.room.has_boards
            else seats.seats(shown, self.room)
        )
        lines = seats.show_frame(drawn, self.room, model.frame)
        return [*lines, self._draw_rule(self.sections[0].title)]

    @property
    def pane(self) -> list[Row]:
        """The pane below the players, blank while a podium counts up."""
        if self.model.is_crowning:
            return []
        if self.claims is not None:
            return self.claims.draw_page(self.model.claims_page)[self.room.rows :]
        return self._stack(self.sections, self.rows)[: self.rows]

    @property
    def next_page(self) -> SidePanel:
        """The page to turn to: the next one that is not in view whole, else the first."""
        titles = {section.title for section in self.sections}
        hidden = [
            page
            for page in PAGES
            if any(
                one.title not in titles and (one.rows or not self.room.has_room_for_log)
                for one in self._page(page)
            )
        ]
        at = PAGES.index(self.model.pane)
        return next((page for page in PAGES[at + 1 :] if page in hidden), PAGES[0])

    @property
    def log_rows(self) -> int:
        """Rows of the pane that show the log, 0 if another page is open in its place."""
        found = [len(one.rows) for one in self.sections if one.is_log]
        return found[0] if found else self.rows * (self.model.pane is SidePanel.RECENT)

    @property
    def page_height(self) -> int:
        """Rows of the chosen page."""
        return _height(self._page(self.model.pane))

    # How the pane is laid out.

    @property
    def _columns(self) -> int:
        return self.model.layout.text

    @property
    def _is_in_play(self) -> bool:
        return self.sight.view.phase is Phase.PLAY

    @property
    def _has_log_below(self) -> bool:
        """True if the log comes below the pages: between rounds it is the page of news."""
        is_news = self.model.pane is SidePanel.RECENT and not self._is_in_play
        return self.room.has_room_for_log and not is_news

    def _lay(self, rows: int) -> list[Section]:
        """Return the sections for a number of rows; a log that is scrolled back may take all."""
        found = self._arrange(rows)
        is_scrolled = self.model.pane is SidePanel.RECENT and self.model.back
        if is_scrolled and not any(one.is_log for one in found):
            return [self._log(rows)]
        return found

    def _arrange(self, rows: int) -> list[Section]:
        """Return the chosen page, the others that fit whole, and the log if there is room."""
        above = self._above_news(rows)
        if above is not None:
            return self._with_news(above, rows)
        is_recent = self.model.pane is SidePanel.RECENT
        chosen: list[Section] = []
        if is_recent:
            if not self._is_in_play and not self.room.has_room_for_log:
                return [self._log(rows)]
            height = self._recent_height(rows)
        else:
            chosen = self._page(self.model.pane)
            height = _height(chosen)
            if height > rows:
                return [self._scroll(chosen, rows)]
        others = self._others(rows - height)
        left = rows - height - sum(len(one.rows) + 1 for one in others)
        if self._has_log_below and left > LEAST_LOG_ROWS:
            log = self.model.log
            is_told_above = is_recent and self._is_in_play and not self.model.back
            others.append(self._log(left - 1, log.without_turns() if is_told_above else log))
            left = 0
        if is_recent:
            chosen = [self._recent(height + left)]
        return [*chosen, *others]

    def _above_news(self, rows: int) -> Section | None:
        """Return facts that leave the rest of a low pane to the news, `None` if there are none.

        These are one's role when it is dealt, and what the player under the cursor has done.
        """
        seat = self.model.selection.seat
        if self.room.has_room_for_log or not self._is_in_play:
            return None
        if self.model.pane is SidePanel.ROLE and self.model.is_dealt:
            return self._role(None)
        if self.model.pane is SidePanel.RECENT and seat is not None:
            return self._deeds(seat, rows)
        return None

    def _with_news(self, above: Section, rows: int) -> list[Section]:
        """Return facts, and the last lines of the log if there is room: not the role dealt."""
        model, left = self.model, rows - len(above.rows) - 1
        if left <= 0:
            return [above]
        entries = model.log.loud
        if model.pane is SidePanel.ROLE:
            entries = tuple(one for one in entries if not one.secret)
        if not entries or len(entries[-1].rows(*self._style, veiled=model.hides_role)) > left:
            return [above.pad_rows(rows)]
        shown = self._log(left, replace(model.log, lines=entries))
        news = replace(shown, rows=tuple(row for row in shown.rows if row))
        return [above.pad_rows(rows - len(news.rows) - 1), news]

    def _others(self, rows: int) -> list[Section]:
        """Return the sections below the chosen page: those that fit, if possible with a log."""
        pages: tuple[SidePanel, ...] = (SidePanel.RECENT, SidePanel.CLAIMS)
        if not self._is_in_play:
            pages = (SidePanel.CLAIMS,)
        every = [one for page in pages if page is not self.model.pane for one in self._page(page)]
        with_log = rows - self._has_log_below * (LEAST_LOG_ROWS + 1)
        left = with_log if sum(len(one.rows) + 1 for one in every) <= with_log else rows
        found: list[Section] = []
        for section in every:
            if section.rows and len(section.rows) < left:
                found.append(section)
                left -= len(section.rows) + 1
        return found

    def _stack(self, found: Sequence[Section], rows: int | None = None) -> list[Row]:
        """Return sections one below the other; the title of the first is not among the rows.

        Of facts whose rows would not fit into `rows` rows the title is left out, too.
        """
        first, *others = found
        lines = list(first.rows)
        for section in others:
            if rows is not None and not section.is_log and len(lines) + 1 + section.filled > rows:
                break  # a long status sentence hides it: a title without its rows would mislead
            lines += [self._draw_rule(section.title), *section.rows]
        return lines

    def _scroll(self, page: Sequence[Section], rows: int) -> Section:
        """Return a page that is too tall as one section, from the row that it is scrolled to."""
        lines = self._stack(page)
        top = min(self.model.back, max(len(lines) - rows, 0))
        shown = lines[top : top + rows]
        if shown and any(shown[-1] == self._draw_rule(section.title) for section in page[1:]):
            shown[-1] = ()  # no title without a row below it
        return Section(page[0].title, tuple(shown))

    # What stands on each page.

    def _page(self, page: SidePanel) -> list[Section]:
        """Return the sections of a page."""
        sight, columns = self.sight, self._columns
        match page:
            case SidePanel.RECENT:
                return [self._recent(self._recent_height(self.room.pane))]
            case SidePanel.CLAIMS:
                board = facts.claim_rows(sight, self.model.notes, columns)
                if not board and page is self.model.pane:
                    board = facts.no_claim_rows(columns)
                return [Section(_("claims"), tuple(board))]
            case SidePanel.CARDS:
                unseen = facts.unseen_rows(sight.view, columns)
                return [Section(facts.unseen_title(sight.view), tuple(unseen))]
            case SidePanel.ROLE:
                role = self._role(self.room.pane)
                return [role if len(role.rows) <= self.rows else self._role(self.rows)]
            case _:
                assert_never(page)

    def _role(self, rows: int | None) -> Section:
        """Return one's own role, with gold and rounds won if `rows` are given."""
        view, model = self.sight.view, self.model
        role = facts.role_rows(view, self._columns, rows, model.glyphs, veiled=model.hides_role)
        return Section(_("your role") if view.seat is not None else _("score"), tuple(role))

    def _deeds(self, seat: int, rows: int) -> Section:
        """Return what a player has done; a last row counts what there is no room for."""
        done = facts.player_rows(seat, self.sight, self._columns)
        if len(done) > rows:
            more = f"+{len(done) - rows + 1}"
            done[rows - 1 :] = [(StyledSpan(more, Look.DIM),)]
        return Section(self.sight.names.name(seat), tuple(done))

    def _recent(self, rows: int) -> Section:
        """Return what has happened lately, or what the player under the cursor has done so far."""
        seat = self.model.selection.seat
        if not self._is_in_play:
            return self._log(rows)
        if seat is not None:
            return self._deeds(seat, rows).pad_rows(rows)
        moves = tuple(self._last_moves(rows))
        title = _recent_title(self.sight) if moves else ""
        return Section(title, moves).pad_rows(rows)

    def _recent_height(self, rows: int) -> int:
        """Return the rows for recent moves, before those left by other pages are added.

        In a low terminal all of them come before other pages. In a tall one talk has the log, so
        that the pages below keep their places while it goes on.
        """
        if not self._is_in_play:
            return LEAST_LOG_ROWS
        kept = len(self.sight.seats)
        if self.room.has_room_for_log:
            return kept
        needed = sum(len(lines) for _entry, lines in self._recent_entries)
        return min(max(kept, needed), rows)

    @cached_property
    def _recent_entries(self) -> tuple[tuple[LogEntry, list[Row]], ...]:
        """The recent entries, each with its rows: breaking text is most of the work here."""
        recent = self.model.log.recent(self.sight.view, self.sight.names)
        return tuple((entry, self._entry_rows(entry)) for entry in recent)

    def _last_moves(self, rows: int) -> list[Row]:
        """Return as many lines as fit.

        Where a log stands below, it has the talk. Else talk goes first, but for what was said last;
        then go the oldest moves, which are counted. Claims about goals are what a round turns on:
        they go last.
        """
        kept = list(self._recent_entries)
        if self._has_log_below:
            kept = [one for one in kept if one[0].kind not in TALK_KINDS]
        if kept and kept[-1][0].turn is None:  # moves have their room beside ever so long a speech
            kept[-1] = (kept[-1][0], kept[-1][1][: max(rows // 2, 1)])

        def height() -> int:
            return sum(len(lines) for _entry, lines in kept)

        if height() > rows:
            kept = [
                (one, lines)
                if one.turn is None or len(lines) == 1
                else (one, one.cut_rows(*self._style, self.sight.names))
                for one, lines in kept
            ]
        for one in [one for one in kept[:-1] if one[0].kind in (LogKind.TALK, LogKind.TABLE)]:
            if height() > rows:
                kept.remove(one)
        more = 0
        while kept and height() + bool(more) > rows:
            moves = (at for at, one in enumerate(kept) if one[0].kind is not LogKind.CLAIM)
            del kept[next(moves, 0)]
            more += 1
        found = [row for _entry, lines in kept for row in lines]
        if not more:
            return found
        # Translators: above the last moves: so many more do not fit; PgUp is a key.
        text = _("{count} more: PgUp").format(count=more)
        return [(StyledSpan(text, Look.DIM),), *found]

    def _entry_rows(self, entry: LogEntry) -> list[Row]:
        """Return an entry as rows; a turn has no secrets to veil."""
        if entry.turn is None:
            return entry.rows(*self._style, veiled=self.model.hides_role)
        return entry.brief_rows(*self._style, self.sight.names)

    def _log(self, rows: int, log: TableLog | None = None) -> Section:
        """Return the last lines of the log, or of another one, as far as it is scrolled back."""
        model = self.model
        title = _("older, PgDn for newer") if model.back else _("talk and news")
        log = model.log if log is None else log
        shown = log.rows(self._columns, rows, model.glyphs, model.back, veiled=model.hides_role)
        return Section(title, tuple(shown), is_log=True)

    @property
    def _style(self) -> tuple[int, Glyphs]:
        """Columns and glyphs of text."""
        return self._columns, self.model.glyphs

    def _draw_rule(self, title: str) -> Row:
        return draw_rule(title, self._columns, self.model.glyphs.across)


def seats_part(sight: Sight, model: TableModel) -> Seats:
    """Return the players' part of the layout."""
    is_drawn, direction = model.glyphs.cards is not None, sight.view.table.edition.direction
    titled = direction is Direction.COUNTER_CLOCKWISE  # up the list, as in few editions
    return model.layout.seats(len(sight.seats), titled=titled, is_drawn=is_drawn)


def _height(page: Sequence[Section]) -> int:
    return sum(len(one.rows) + 1 for one in page) - 1


def _recent_title(sight: Sight) -> str:
    """Return the title above the recent moves."""
    view = sight.view
    if view.seat is None:
        return _("the last moves")
    if any(isinstance(event, TurnEvent) and event.seat == view.seat for event in view.history):
        return _("since your last turn")
    return _("this round so far")
