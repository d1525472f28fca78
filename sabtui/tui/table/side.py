"""The side of the table: the players, and below them pages of facts, and the open quick claims.

The page that the player has turned to comes first; the others follow as far as they fit whole, so
that a tall terminal shows all of them, and the log below. All facts follow from what the player's
own client knows. Quick claims are sentences said with two keys, `c` and a key of the list; those
about players concern one player at a time, whom the arrow keys change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from engine.actions import TurnEvent
from engine.board import GOAL_CELLS, Cell
from engine.cards import Goal, Tool
from engine.edition import Direction
from engine.events import GoalPeeked
from engine.state import Phase
from engine.view import View
from net.protocol.lobby import TableClaim, Topic
from sabtui.table.sight import Sight
from sabtui.text import talk
from sabtui.text.cards import card_words, shape_name, tool_words
from sabtui.text.events import action_lines
from sabtui.text.i18n import _, ngettext, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.text.summary import UnseenCards, double_repair
from sabtui.tui.command import key_name
from sabtui.tui.table import players
from sabtui.tui.table.layout import Seats, rows_taken
from sabtui.tui.table.log import TALK_KINDS, LogEntry, LogKind, TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import NOTE_LOOKS, PlayersContext
from sabtui.tui.table.selection import PlayerNote, find_own_turn
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets import panel
from sabtui.tui.widgets.panel import Look, Row, StyledSpan

CLAIM_KEYS: Final = "1234567890efg"  # keys of the list, in order

_OF_GOALS: Final = (Topic.GOLD_AT, Topic.STONE_AT)
_OF_PLAYERS: Final = (Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.BLUFF)


def list_claims(view: View, about: int | None) -> tuple[TableClaim, ...]:
    """Return the claims that make sense now; those on a goal just looked at are first."""
    every = talk.quick_claims(view.table.players, view.seat)
    listed = [claim for claim in every if _makes_sense(claim, view, about)]
    looked = _find_goal_seen(view)
    listed.sort(key=lambda claim: claim.topic not in _OF_GOALS or GOAL_CELLS[claim.about] != looked)
    return tuple(listed[: len(CLAIM_KEYS)])


def _find_goal_seen(view: View) -> Cell | None:
    """Return the goal that the player's last turn has shown them, `None` if it showed none."""
    for event in reversed(view.history):
        if isinstance(event, GoalPeeked):
            return event.cell
        if isinstance(event, TurnEvent) and event.seat == view.seat:
            return None
    return None


def _makes_sense(claim: TableClaim, view: View, about: int | None) -> bool:
    """Return True for a claim on a hidden goal, on the player `about`, or a tool that is broken."""
    topic = claim.topic
    if topic in _OF_GOALS:
        return GOAL_CELLS[claim.about] in view.table.board.hidden
    if topic in _OF_PLAYERS:
        return claim.about == about
    if topic is Topic.HELP_ME:
        broken = 0 if view.seat is None else view.table.broken[view.seat]
        return bool(broken & tuple(Tool)[claim.about].bit)
    return True


def find_first_about(view: View, aimed_at: int | None) -> int:
    """Return the seat that claims concern first: the last aimed at, else to play, else the next."""
    last = view.table.last_card
    for seat in (aimed_at, last):
        if seat is not None and seat != view.seat:
            return seat
    return find_next_about(view, view.seat or 0, 1)


def find_next_about(view: View, about: int, step: int) -> int:
    """Return the next seat that claims can be about, which is not the player's own."""
    count = view.table.players
    seat = (about + step) % count
    return (seat + step) % count if seat == view.seat else seat


@dataclass(frozen=True, slots=True)
class ClaimList:
    """List of claims, in pages of rows that each have their claim."""

    columns: int
    pages: tuple[tuple[tuple[TableClaim, Row], ...], ...]

    @staticmethod
    def of(listed: Sequence[TableClaim], names: PlayerNames, columns: int, rows: int) -> ClaimList:
        """Return the list with its keys, in pages of `rows` rows, title included."""
        pages: list[list[tuple[TableClaim, Row]]] = [[]]
        for key, claim in zip(CLAIM_KEYS, listed, strict=False):
            first, *more = confine_lines([talk.claim_words(claim, names.names)], columns - 2, 0)
            lines: list[Row] = [(StyledSpan(f"{key} ", Look.KEY), StyledSpan(first))]
            lines += [(StyledSpan(f"  {line}"),) for line in more]
            if pages[-1] and len(pages[-1]) + len(lines) > rows - 1:
                pages.append([])
            pages[-1] += [(claim, row) for row in lines]
        return ClaimList(columns, tuple(tuple(page) for page in pages))

    def page(self, wanted: int) -> int:
        """Return the index of the page to show: the wanted one, or the last."""
        return min(wanted, len(self.pages) - 1)

    def draw_page(self, wanted: int) -> list[Row]:
        """Return the rows of a page, below a title that names the other pages."""
        at = self.page(wanted)
        title = _("say to all:")
        if len(self.pages) > 1:
            other = "pagedown" if at + 1 < len(self.pages) else "pageup"
            count = f" {at + 1}/{len(self.pages)} {key_name(other)}"
            title = panel.cut(title, self.columns - cell_len(count)) + count
        return [
            (StyledSpan(panel.cut(title, self.columns), Look.STRONG),),
            *(row for _claim, row in self.pages[at]),
        ]

    def at(self, row: int, wanted: int) -> TableClaim | None:
        """Return the claim in a row of a page, or `None`."""
        page = self.pages[self.page(wanted)]
        return page[row - 1][0] if 1 <= row <= len(page) else None


MAX_NAME_COLUMNS: Final = 12  # maximum columns of a player's name in the first column
WIDE_FACTS_COLUMNS: Final = 44  # minimum columns at which there are words in place of signs

_STATUSES: Final = {
    talk.ClaimStatus.OPEN: ("", Look.PLAIN),
    talk.ClaimStatus.DISPUTED: ("!", Look.GOLD),
    talk.ClaimStatus.TRUE: ("=", Look.GOOD),
    talk.ClaimStatus.FALSE: ("x", Look.BAD),
}
"""The sign of a claim's status where its word has no room, and its look."""


def claim_rows(sight: Sight, notes: Mapping[str, PlayerNote], columns: int) -> list[Row]:
    """Return the board of claims: by goal, by player, and the player's own notes, if any."""
    names = sight.names
    table = [*_list_goal_claims(sight), *_list_player_claims(sight), *_list_notes(names, notes)]
    if not table:
        return []
    first = min(max(panel.width(line[0]) for line in table), MAX_NAME_COLUMNS)
    second = max(cell_len(line[1].text) for line in table)
    rows = []
    for about, said, seats, status in table:
        left = columns - first - second - 2
        head = (
            *panel.fill_row(about, first + 1),
            StyledSpan(panel.fit_text(said.text, second + 1), said.look),
        )
        rows.append(panel.fill_row((*head, *_draw_source(seats, status, names, left)), columns))
    return rows


def no_claim_rows(columns: int) -> list[Row]:
    """Return the rows that say there are no claims, for a player who turned to their page."""
    return [
        (StyledSpan(line, Look.DIM),) for line in confine_lines([talk.nothing_done()], columns, 0)
    ]


_ClaimLine = tuple[Row, StyledSpan, tuple[int, ...] | str, talk.ClaimStatus]
"""Line of the board: its subject, the claim, who made it or how it is known, its status."""


def _list_goal_claims(sight: Sight) -> list[_ClaimLine]:
    lines: list[_ClaimLine] = []
    view, claims = sight.view, talk.goal_claims(sight.view, sight.talk)
    for goal, cell in enumerate(GOAL_CELLS):
        face = view.goal_on(cell)
        of_goal: list[_ClaimLine] = []
        if face is not None:
            is_gold = face is Goal.TREASURE
            is_up = cell in view.table.board.cards or view.table.end is not None
            known = _("face up") if is_up else _("your map")
            look = Look.GOLD if is_gold else Look.STONE
            said = StyledSpan(talk.goal_word(gold=is_gold), look)
            of_goal.append(((), said, known, talk.ClaimStatus.OPEN))
        of_goal += [
            ((), StyledSpan(talk.goal_word(gold=claim.is_gold)), claim.seats, claim.status)
            for claim in claims
            if claim.goal == goal
        ]
        title = (StyledSpan(talk.short_goal(goal), Look.STRONG),)
        lines += [(title if not at else (), *line[1:]) for at, line in enumerate(of_goal)]
    return lines


def _list_player_claims(sight: Sight) -> list[_ClaimLine]:
    """Return what was claimed of each player; the first line of each has the name."""
    lines: list[_ClaimLine] = []
    before = None
    for claim in talk.player_claims(sight.view, sight.talk):
        name = _draw_name(claim.about, sight.names, MAX_NAME_COLUMNS)
        said = StyledSpan(talk.player_word(claim.opinion))
        lines.append((() if claim.about == before else (name,), said, claim.seats, claim.status))
        before = claim.about
    return lines


def _list_notes(names: PlayerNames, notes: Mapping[str, PlayerNote]) -> list[_ClaimLine]:
    words = {
        PlayerNote.FRIEND: pgettext("note", "friend"),
        PlayerNote.FOE: pgettext("note", "foe"),
        PlayerNote.UNSURE: pgettext("note", "unsure"),
    }
    marked = [(seat, notes.get(name, PlayerNote.NONE)) for seat, name in enumerate(names.names)]
    return [
        (
            (_draw_name(seat, names, MAX_NAME_COLUMNS),),
            StyledSpan(words[note], NOTE_LOOKS[note]),
            _("your mark"),
            talk.ClaimStatus.OPEN,
        )
        for seat, note in marked
        if note is not PlayerNote.NONE
    ]


def _draw_source(
    seats: tuple[int, ...] | str, status: talk.ClaimStatus, names: PlayerNames, columns: int
) -> Row:
    if isinstance(seats, str):
        return (StyledSpan(panel.cut(seats, columns), Look.DIM),)
    said = _draw_names(seats, names)
    worth, (sign, look) = talk.status_words(status), _STATUSES[status]
    if panel.width(said) + 1 + cell_len(worth) > columns:
        worth = sign
    room = columns - cell_len(worth) - bool(worth)
    if panel.width(said) > room:
        said = _draw_some_names(seats, names, room)
    return *panel.fill_row(said, columns - cell_len(worth)), StyledSpan(worth, look)


def _draw_names(seats: Iterable[int], names: PlayerNames) -> Row:
    comma = StyledSpan(", ", Look.DIM)
    return panel.join_rows((comma, _draw_name(seat, names, MAX_NAME_COLUMNS)) for seat in seats)[1:]


def _draw_some_names(seats: tuple[int, ...], names: PlayerNames, columns: int) -> Row:
    """Return as many names as fit, at least the first one cut, and the number of the others."""
    for count in range(len(seats) - 1, 0, -1):
        more = StyledSpan(f" +{len(seats) - count}", Look.DIM)
        row = (*_draw_names(seats[:count], names), more)
        if panel.width(row) <= columns:
            return row
    others = f" +{len(seats) - 1}" if len(seats) > 1 else ""
    name = _draw_name(seats[0], names, columns - len(others))
    return (name, StyledSpan(others, Look.DIM))


def _draw_name(seat: int, names: PlayerNames, columns: int) -> StyledSpan:
    name = names.call(seat) if seat == names.me else names.names[seat]
    return StyledSpan(panel.cut(name, columns), panel.player_look(names.colour(seat)))


def unseen_title(view: View) -> str:
    count = len(view.unseen())
    # Translators: a title: cards that the player has not seen yet; at most 25 columns.
    return ngettext("{count} card unseen", "{count} cards unseen", count).format(count=count)


def unseen_rows(view: View, columns: int) -> list[Row]:
    """Return the cards unseen by kind: paths, then tools with breaks and repairs as -2 +3."""
    unseen = UnseenCards.of(view)
    left = [(shape_name(shape), str(count)) for shape, count in unseen.paths.items()]
    right = [(tool_words(kind), f"-{unseen.breaks[kind]} +{unseen.repairs[kind]}") for kind in Tool]
    right += [(card_words(card), str(count)) for card, count in unseen.others.items()]
    half = min((columns - 2) // 2, WIDE_FACTS_COLUMNS // 2)
    doubles = (double_repair(), f"+{unseen.doubles}")
    longest = max(cell_len(f"{name} {count}") for name, count in (*left, *right))
    if longest > half:
        wide = min(columns, max(WIDE_FACTS_COLUMNS // 2, longest))
        return [_draw_count(pair, wide) for pair in (*left, *right, doubles)]
    return [
        *(
            (*_draw_count(one, half), StyledSpan("  "), *_draw_count(other, half))
            for one, other in zip_longest(left, right, fillvalue=("", ""))
        ),
        _draw_count(doubles, 2 * half + 2),
    ]


def _draw_count(fact: tuple[str, str], columns: int) -> Row:
    name, count = fact
    named = panel.fit_text(panel.cut(name, columns - len(count) - 1), columns - len(count))
    return StyledSpan(named), StyledSpan(count, Look.STRONG)


MIN_LOG_ROWS: Final = 3  # fewest rows of the log below the pages


@dataclass(frozen=True, slots=True)
class Section:
    """Titled rows of a page, or of the log."""

    title: str
    rows: tuple[Row, ...]

    def pad_rows(self, rows: int) -> Section:
        """Return the section padded with blank rows to this many."""
        blank: tuple[Row, ...] = ((),) * (rows - len(self.rows))
        return replace(self, rows=(*self.rows, *blank))


@dataclass(frozen=True, slots=True)
class SideBox:
    """A section of the side pane, drawn once the pane knows how many rows it gets."""

    needs: int  # rows without which it is left out
    draw: Callable[[int], Section]  # returns its content, in a number of rows
    takes_spare_rows: bool = False  # True if it takes the rows that are left

    @staticmethod
    def of(section: Section) -> SideBox:
        return SideBox(len(section.rows), lambda _rows: section)


def fit_boxes(boxes: Sequence[SideBox], rows: int) -> list[Section]:
    """Return the sections of the boxes that fit, the first always.

    The last of them that `takes_spare_rows` takes the rows that are left.
    """
    kept, left = [boxes[0]], rows - boxes[0].needs
    for box in boxes[1:]:
        if box.needs < left:
            kept.append(box)
            left -= box.needs + 1
    grown = max((at for at, box in enumerate(kept) if box.takes_spare_rows), default=None)
    return [box.draw(box.needs + left * (at == grown)) for at, box in enumerate(kept)]


@dataclass(frozen=True)
class Side:
    """The side of a table with this many rows below the players. Its layout is cached."""

    sight: Sight
    model: TableModel
    rows: int

    @staticmethod
    def above(sentence: str, sight: Sight, model: TableModel) -> Side:
        """Return the side above a sentence, which takes rows if long; so does the chat line."""
        room, layout = seats_part(sight, model), model.layout
        taken = rows_taken(sentence, layout.columns) + model.is_talking
        return Side(sight, model, max(room.pane - taken, 0))

    @cached_property
    def room(self) -> Seats:
        return seats_part(self.sight, self.model)

    @cached_property
    def claims(self) -> ClaimList | None:
        """The open list of quick claims, `None` if it is not open."""
        if self.model.about is None:
            return None
        listed = list_claims(self.sight.view, self.model.about)
        rows = self.room.rows + self.rows
        return ClaimList.of(listed, self.sight.names, self._columns, rows)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The parts of the pane, from the top: the chosen page, and others that fit whole."""
        return tuple(fit_boxes(self._list_boxes(), self.rows))

    @property
    def players(self) -> list[Row]:
        if self.claims is not None:
            return self.claims.draw_page(self.model.claims_page)[: self.room.rows]
        model, selection = self.model, self.model.selection
        choice = None if selection.discarding else selection.choice(self.sight.view)
        shows_gold = not (model.shows_result(self.sight.view) or model.is_crowning)
        reactions = {
            seat: talk.reaction_word(shown) for seat, shown in model.reactions if seat is not None
        }
        shown = PlayersContext(
            self.sight, model.glyphs, model.notes, selection.seat, choice, reactions, shows_gold
        )
        draw = players.draw_boards if self.room.has_boards else players.draw_rows
        lines = players.show_frame(draw(shown, self.room), self.room, model.frame)
        return [*lines, self._draw_rule(self.sections[0].title)]

    @property
    def pane(self) -> list[Row]:
        """The pane below the players, blank while a podium counts up."""
        if self.model.is_crowning:
            return []
        if self.claims is not None:
            return self.claims.draw_page(self.model.claims_page)[self.room.rows :]
        first, *others = self.sections
        lines = list(first.rows)
        for section in others:
            lines += [self._draw_rule(section.title), *section.rows]
        return lines[: self.rows]

    @property
    def next_page(self) -> SidePanel:
        """The page to turn to: the next one that is not in view whole, else the first."""
        titles = {section.title for section in self.sections}
        pages = tuple(SidePanel)
        for page in pages[pages.index(self.model.pane) + 1 :]:
            found = self._page(page)
            if found.title not in titles and (found.rows or not self.room.has_room_for_log):
                return page
        return pages[0]

    def scroll(self, pages: int) -> int:
        """Return the first row in sight of the chosen page after scrolling down by pages."""
        last = max(len(self._page(self.model.pane).rows) - self.rows, 0)
        return min(max(self.model.top + pages * max(self.rows - 1, 1), 0), last)

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

    def _list_boxes(self) -> list[SideBox]:
        """Return the chosen page, and below it others and the log."""
        model, rows, pane = self.model, self.rows, self.model.pane
        is_tall = self.room.has_room_for_log
        is_recent, seat = pane is SidePanel.RECENT, model.selection.seat
        if self._is_in_play and not is_tall and is_recent and seat is not None:
            return self._above_news(self._actions(seat, rows))
        if is_recent and not self._is_in_play and not is_tall:
            return [SideBox(0, self._log, takes_spare_rows=True)]
        if is_recent:
            boxes = [SideBox(self._recent_height(rows), self._recent, takes_spare_rows=True)]
        else:
            page = self._page(pane)
            top = min(model.top, max(len(page.rows) - rows, 0))
            boxes = [SideBox.of(replace(page, rows=page.rows[top : top + rows]))]
        pages = (SidePanel.RECENT, SidePanel.CLAIMS) if self._is_in_play else (SidePanel.CLAIMS,)
        others = [self._page(page) for page in pages if page is not pane]
        boxes += [SideBox.of(section) for section in others if section.rows]
        if self._has_log_below:
            log = model.log.without_turns() if is_recent and self._is_in_play else model.log
            boxes.append(SideBox(MIN_LOG_ROWS, partial(self._log, log=log), takes_spare_rows=True))
        return boxes

    def _above_news(self, above: Section) -> list[SideBox]:
        """Return a section, and the last lines of the log below it if the newest one fits whole."""
        boxes = [SideBox(len(above.rows), above.pad_rows, takes_spare_rows=True)]
        news = self._news(self.rows - len(above.rows) - 1, self.model.log)
        return [*boxes, SideBox.of(news)] if news.rows else boxes

    def _news(self, rows: int, log: TableLog) -> Section:
        """Return the last lines of a log, none if the newest one does not fit whole."""
        fits = bool(log.lines) and len(log.lines[-1].rows(*self._entry_style)) <= rows
        shown = self._log(rows if fits else 0, log)
        return replace(shown, rows=tuple(filter(None, shown.rows)))

    # The content of each page.

    def _page(self, page: SidePanel) -> Section:
        sight, columns = self.sight, self._columns
        match page:
            case SidePanel.RECENT:
                return self._recent(self._recent_height(self.rows))
            case SidePanel.CLAIMS:
                board = claim_rows(sight, self.model.notes, columns)
                if not board and page is self.model.pane:
                    board = no_claim_rows(columns)
                return Section(_("claims"), tuple(board))
            case SidePanel.CARDS:
                unseen = unseen_rows(sight.view, columns)
                return Section(unseen_title(sight.view), tuple(unseen))

    def _actions(self, seat: int, rows: int) -> Section:
        """Return what a player has done; a last row counts what does not fit."""
        sight = self.sight
        lines = action_lines(seat, sight.view, sight.talk, sight.names)
        done: list[Row] = [(StyledSpan(line),) for line in confine_lines(lines, self._columns, 2)]
        if len(done) > rows:
            more = f"+{len(done) - rows + 1}"
            done[rows - 1 :] = [(StyledSpan(more, Look.DIM),)]
        return Section(sight.names.name(seat), tuple(done))

    def _recent(self, rows: int) -> Section:
        seat = self.model.selection.seat
        if not self._is_in_play:
            return self._log(rows)
        if seat is not None:
            return self._actions(seat, rows).pad_rows(rows)
        moves = self._last_moves(rows)
        view = self.sight.view
        is_first = find_own_turn(view) is None
        title = _("this round so far") if is_first else _("since your last turn")
        if view.seat is None or not moves:
            title = _("the last moves") if moves else ""
        if not self._has_log_below:
            # Otherwise a player could no longer see what was said before their own turn.
            spoken = self._news(rows - len(moves) - bool(moves), self.model.log.earlier_talk(view))
            if not moves:
                title = spoken.title if spoken.rows else ""
            elif spoken.rows:
                moves.append(self._draw_rule(spoken.title))
            moves += spoken.rows
        return Section(title, tuple(moves)).pad_rows(rows)

    def _recent_height(self, rows: int) -> int:
        """Return the rows for recent moves: all in a low terminal, else one for each player."""
        if not self._is_in_play:
            return MIN_LOG_ROWS
        kept = len(self.sight.seats)
        if self.room.has_room_for_log:
            return kept
        needed = sum(len(lines) for _entry, lines in self._recent_entries)
        return min(max(kept, needed), rows)

    @cached_property
    def _recent_entries(self) -> tuple[tuple[LogEntry, list[Row]], ...]:
        """The recent entries, each with its rows: breaking text is most of the work here."""
        recent = self.model.log.recent(self.sight.view, self.sight.names)
        return tuple(
            (
                entry,
                entry.rows(*self._entry_style)
                if entry.turn is None
                else entry.brief_rows(*self._entry_style, self.sight.names),
            )
            for entry in recent
        )

    def _last_moves(self, rows: int) -> list[Row]:
        """Return as many lines of what has happened lately as fit.

        Where a log is below, it has the talk. Else the newest talk has half of the rows, or all
        that moves leave; then the oldest moves are dropped, and counted. Claims about goals
        decide a round: they are dropped last.
        """
        kept = list(self._recent_entries)
        if self._has_log_below:
            kept = [pair for pair in kept if pair[0].kind not in TALK_KINDS]
        if kept and kept[-1][0].kind in TALK_KINDS:  # moves keep room however long the talk is
            kept[-1] = (kept[-1][0], kept[-1][1][: max(rows // 2, 1)])

        def height(*kinds: LogKind) -> int:
            return sum(len(lines) for entry, lines in kept if not kinds or entry.kind in kinds)

        said = LogKind.TALK, LogKind.TABLE
        for pair in [pair for pair in kept[:-1] if pair[0].kind in said]:
            if height() > rows and height(*said) > rows // 2:
                kept.remove(pair)
        more = 0
        while kept and height() + bool(more) > rows:
            moves = (at for at, pair in enumerate(kept) if pair[0].kind not in TALK_KINDS)
            del kept[next(moves, 0)]
            more += 1
        found = [row for _entry, lines in kept for row in lines]
        if not more:
            return found
        # Translators: above the last moves: so many more do not fit; PgUp is a key.
        text = _("{count} more: PgUp").format(count=more)
        return [(StyledSpan(text, Look.DIM),), *found]

    def _log(self, rows: int, log: TableLog | None = None) -> Section:
        log = self.model.log if log is None else log
        shown = log.rows(self._columns, rows, self.model.glyphs)
        return Section(_("chat and events"), tuple(shown))

    @property
    def _entry_style(self) -> tuple[int, Glyphs]:
        return self._columns, self.model.glyphs

    def _draw_rule(self, title: str) -> Row:
        return panel.draw_rule(title, self._columns, self.model.glyphs.across)


def seats_part(sight: Sight, model: TableModel) -> Seats:
    is_drawn, direction = model.glyphs.cards is not None, sight.view.table.edition.direction
    titled = direction is Direction.COUNTER_CLOCKWISE  # up the list, as in few editions
    return model.layout.seats(len(sight.seats), titled=titled, is_drawn=is_drawn)
