"""The replay as values: where one is and from whose side, and the parts of the table that show it.

A player has a row, with cards in a few letters; in a terminal that shows pictures, and where there
is room, two or three, with small pictures of the cards.

The rows are those that the table shows to a seat, or have all cards open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from rich.cells import cell_len

from engine.board import START
from engine.cards import Card
from engine.dealing import HAND_SIZES
from engine.events import visible_to
from engine.state import Phase
from sabtui.after.replays import ReplayPosition
from sabtui.after.review import GameReview
from sabtui.after.text import (
    beside_lines,
    chat_line,
    open_lines,
    said_words,
    seen_by_words,
    step_lines,
)
from sabtui.art.catalogue import find_card
from sabtui.table.sight import Sight
from sabtui.text.cards import role_initial, role_words
from sabtui.text.events import CARD_SIGN, log_lines
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confine_lines
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize
from sabtui.tui.table import render
from sabtui.tui.table.hand import PLAIN, draw_sized
from sabtui.tui.table.log import TableLog, card_sign, role_look
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.players import number_of, small_tools
from sabtui.tui.table.render import Part
from sabtui.tui.table.selection import Selection, newest_cell
from sabtui.tui.table.side import Side, claim_rows, no_claim_rows, seats_part
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets.panel import (
    Look,
    Row,
    StyledSpan,
    cut,
    draw_rule,
    fill_row,
    fit_text,
    join_rows,
    player_look,
    width,
)
from sabtui.tui.widgets.text import CUT, cut_short

NAME_COLUMNS: Final = 10
"""Columns that a longer name keeps beside the cards of a player; shorter ones are whole."""

HEAD_COLUMNS: Final = 5
"""Columns before a name: whose turn it is, the player's number, their role."""

CARD_SIZE: Final = TileSize.COMPACT
"""Columns and rows of a small picture of a card."""

HAND_COLUMNS: Final = max(HAND_SIZES.values()) * (CARD_SIZE.columns + 1) - 1
"""Columns of the pictures of a whole hand."""


@dataclass(frozen=True)
class OpenHands:
    """The list for a table, in at most so many rows if it has pictures."""

    sight: Sight
    table: TableModel
    most: int

    @property
    def rows(self) -> int:
        """Rows of the list."""
        return len(self.sight.seats) * self.each

    @cached_property
    def each(self) -> int:
        """Rows of a player: with pictures beside the name, or below it, or without any."""
        columns, players = self.table.layout.text, len(self.sight.seats)
        is_wide = columns > HEAD_COLUMNS + NAME_COLUMNS + HAND_COLUMNS
        rows = CARD_SIZE.rows if is_wide else 1 + CARD_SIZE.rows
        is_whole = columns >= HAND_COLUMNS and players * rows <= self.most
        return rows if self.table.glyphs.has_pictures and is_whole else 1

    def draw(self) -> list[Row]:
        """Return the rows of the list."""
        return [row for seat in self.sight.seats for row in self._draw_player(seat)]

    def _draw_player(self, seat: int) -> list[Row]:
        columns, tail = self.table.layout.text, self._tail(seat)
        if self.each == 1:
            return [self._in_a_row(seat)]
        pictures = _draw_hand(self.sight.hand(seat) or (), self.table.glyphs)
        if self.each > CARD_SIZE.rows:
            named = self._name(seat, columns - width(tail))
            indent = (StyledSpan(" " * ((columns - HAND_COLUMNS) // 2)),)
            below = [fill_row((*indent, *row), columns) for row in pictures]
            return [fill_row((*named, *tail), columns), *below]
        left = columns - HAND_COLUMNS
        under = (StyledSpan(" " * (HEAD_COLUMNS - 1)), *tail)
        lefts = (self._name(seat, left), fill_row(under, left))
        return [fill_row((*one, *row), columns) for one, row in zip(lefts, pictures, strict=True)]

    def _head(self, seat: int) -> Row:
        """Return whose turn it is, the player's number, and the first letter of their role."""
        view, role = self.sight.view, self.sight.role(seat)
        return (
            StyledSpan(">" if seat == view.to_act else " ", Look.TURN),
            number_of(seat, view),
            StyledSpan(" "),
            *(() if role is None else (StyledSpan(f"{role_initial(role)} ", role_look(role)),)),
        )

    def _tail(self, seat: int) -> Row:
        """Return the broken tools of a player, and their gold."""
        gold = self.sight.nuggets(seat)
        nuggets = StyledSpan(f" ${gold}" if gold else "", Look.GOLD)
        return (*small_tools(seat, self.sight.view), nuggets)

    def _name(self, seat: int, columns: int) -> Row:
        """Return a player's head and name in exactly so many columns."""
        head, names = self._head(seat), self.sight.names
        room = columns - width(head)
        named = fit_text(cut(names.names[seat], room - 1), room)
        return (*head, StyledSpan(named, player_look(names.colour(seat))))

    def _in_a_row(self, seat: int) -> Row:
        """Return a player with role, cards, tools and gold, as far as they fit."""
        columns, tail = self.table.layout.text, self._tail(seat)
        left = columns - width(self._head(seat)) - width(tail)
        kept = min(cell_len(self.sight.names.names[seat]), NAME_COLUMNS)
        cards = _spell_hand(self.sight.hand(seat) or (), left - kept - 1, self.table.glyphs)
        named = self._name(seat, columns - width(tail) - cell_len(cards))
        return fill_row((*named, StyledSpan(cards), *tail), columns)


def _draw_hand(cards: tuple[Card, ...], glyphs: Glyphs) -> list[Row]:
    """Return small pictures of cards side by side."""
    faces = [_draw_small(card, glyphs) for card in cards]
    gap = (StyledSpan(" "),)
    return [
        join_rows(part for face in faces for part in (face[row], gap))
        for row in range(CARD_SIZE.rows)
    ]


def _draw_small(card: Card, glyphs: Glyphs) -> list[Row]:
    """Return a small picture of a card, a path card as it is named."""
    if card.ways:
        return list(draw_card(Tile(LaidCard(card.ways[0])), START, CARD_SIZE, glyphs))
    return draw_sized(find_card(card), CARD_SIZE.value, glyphs, PLAIN)


def _spell_hand(cards: tuple[Card, ...], columns: int, glyphs: Glyphs) -> str:
    """Return the cards of a hand in a few letters, with a count of those that do not fit."""
    signs = [_spell(card, glyphs) for card in cards]
    for kept in range(len(signs), -1, -1):
        more = f"{len(signs) - kept}>" if kept < len(signs) else ""  # as at the edge of the mine
        text = " ".join([*signs[:kept], *([more] if more else [])])
        if cell_len(text) <= columns:
            return text
    return ""


def _spell(card: Card, glyphs: Glyphs) -> str:
    """Return a card in a few letters, a path card as a drawing."""
    return card.text if glyphs is ASCII or not card.ways else card_sign(card.ways[0], glyphs)


@dataclass(frozen=True, slots=True)
class ReplayModel:
    """ReplayPosition in a game, and the table's model for it.

    `message` is shown in place of what happened. `review` is
    that of the game once the reader has asked for it.
    """

    position: ReplayPosition
    table: TableModel
    is_playing: bool = False
    message: str = ""
    review: GameReview | None = None

    @staticmethod
    def of(position: ReplayPosition, glyphs: Glyphs) -> ReplayModel:
        """Return the model of a position, in a terminal of 80x24 until its size is known."""
        return ReplayModel(position, TableModel(glyphs).resize(80, 24)).settle()

    def at(self, position: ReplayPosition) -> ReplayModel:
        """Return the model at another position, without a message."""
        return replace(self, position=position, message="").settle()

    def resize(self, columns: int, rows: int) -> ReplayModel:
        """Return the model for a terminal of another size."""
        return replace(self, table=self.table.resize(columns, rows)).settle()

    def turn_to(self, pane: SidePanel) -> ReplayModel:
        """Return the model with another page of the side."""
        return replace(self, table=self.table.turn_to(pane)).settle()

    def settle(self) -> ReplayModel:
        """Return the model with the log of the position, and with its mine in sight.

        Where the whole mine does not fit, the window shows the newest card.
        """
        view = self.position.view
        table = replace(self.table, cells=lying_cells(view), log=log_at(self.position))
        whole = table.whole()
        newest = newest_cell(view)
        if newest is not None and not whole.shows(newest):
            whole = whole.following(newest, 1)
        return replace(self, table=replace(table, window=whole))


def log_at(position: ReplayPosition) -> TableLog:
    """Return the log of the round up to a position, as its point of view shows it."""
    seen_from, view, names = position.seen_from, position.view, position.names
    log = TableLog()
    for step, said in position.round_so_far():
        if seen_from.is_open:
            for event, line in open_lines(step, names, CARD_SIGN):
                log = log.with_event(event, [line], view, names)
        else:
            for event in visible_to(step.events, seen_from.seat):
                lines = log_lines([event], view, names, CARD_SIGN)
                log = log.with_event(event, lines, view, names)
        for one in said:
            words = said_words(one, names, position.truth(step, one))
            log = log.with_chat(chat_line(one, names), names, said=words)
    return log


LEAST_PANE_ROWS: Final = 2
"""Fewest rows of the pane below a list of all hands."""

SAVINGS: Final = (Part.PILE, Part.ROUND, Part.TURN, Part.VIEWER)
"""Parts of the header that go where there is little room: whose view it is matters most."""


def sentence(model: ReplayModel) -> str:
    """Return the message, else what happened or was said in this frame, in one line."""
    position, columns = model.position, model.table.layout.columns - 2
    if model.message:
        return model.message
    step, said, names = position.step, position.said, position.names
    if said is not None:
        return cut(said_words(said, names, position.truth(step, said)), columns)
    view = None if position.seen_from.is_open else position.view
    told = [line for line in step_lines(step, names, view) if not line.startswith(" ")]
    text = told[0] if told else ""
    for more in told[1:]:
        if cell_len(text) + 1 + cell_len(more) > columns:
            break
        text += f" {more}"
    return cut(text, columns)


@dataclass(frozen=True)
class ReplayRows:
    """The parts of the screen at a position."""

    model: ReplayModel

    @cached_property
    def sight(self) -> Sight:
        """The table as the reader sees it."""
        return self.model.position.sight

    @property
    def table(self) -> TableModel:
        """The table's model."""
        return self.model.table

    @property
    def head(self) -> list[Row]:
        """The header: where one is, whose turn it is, the round, the pile, and whose view."""
        model, sight = self.model, self.sight
        turn = tuple(span._replace(text=span.text.strip()) for span in render.turn(sight))
        place = f" {model.position.step.number + 1}/{len(model.position.game.replay.steps)}"
        plays = pgettext("table", "playing") if model.is_playing else ""
        parts = {
            Part.STEP: ((StyledSpan(place, Look.STRONG),),),
            Part.SPEED: ((StyledSpan(plays, Look.TURN),),),
            Part.TURN: (turn,),
            **render.round_parts(sight.view),
            Part.VIEWER: (self._viewer,),
        }
        columns = self.table.layout.columns
        return render.too_small(sight, self.table) or [render.fit_parts(parts, SAVINGS, columns)]

    @property
    def _viewer(self) -> Row:
        """The side from which one looks, with that seat's role."""
        seen_from, role = self.model.position.seen_from, self.sight.view.role
        words = seen_by_words(seen_from.seat, self.sight.names, is_open=seen_from.is_open)
        named = StyledSpan(words, Look.DIM)
        if role is None:
            return (named,)
        return named, StyledSpan(f"  {role_words(role).upper()}", role_look(role))

    @property
    def mine(self) -> list[Row]:
        """The mine, or the result once the game is over."""
        return render.mine(self.sight, self.table)

    @property
    def players_rows(self) -> int:
        """Rows of the players, with the rule below them."""
        seats = seats_part(self.sight, self.table)
        return self._hands.rows + 1 if self._lists_hands else seats.rows

    @property
    def _lists_hands(self) -> bool:
        """True if all cards are open, and there is room for a row for each player."""
        players = len(self.sight.seats)
        return self.sight.revealed is not None and self._side_rows > players + LEAST_PANE_ROWS

    @cached_property
    def _hands(self) -> OpenHands:
        """The list of all hands."""
        return OpenHands(self.sight, self.table, self._side_rows - LEAST_PANE_ROWS - 1)

    @property
    def _side_rows(self) -> int:
        """Rows of players and pane together: there is no chat line below them."""
        return self.table.layout.body

    @cached_property
    def _side(self) -> Side:
        return Side(self.sight, self.table, max(self._side_rows - self.players_rows, 0))

    @property
    def players(self) -> list[Row]:
        """The players above a rule with the title of the pane."""
        if not self._lists_hands:
            return self._side.players
        title = _("claims") if self.table.pane is SidePanel.CLAIMS else _("what happened")
        return [
            *self._hands.draw(),
            draw_rule(title, self.table.layout.text, self.table.glyphs.across),
        ]

    @property
    def pane(self) -> list[Row]:
        """The pane below the players."""
        table, rows = self.table, self._side.rows
        if self.sight.revealed is None:
            return self._side.pane
        if table.pane is SidePanel.CLAIMS:
            public = replace(self.sight, view=self.model.position.step.view(None))
            found = claim_rows(public, {}, table.layout.text)
            return (found or no_claim_rows(table.layout.text))[:rows]
        beside = self._draw_review(rows)
        log = table.log.rows(table.layout.text, rows - len(beside), table.glyphs, table.back)
        return [*beside, *log]

    def _draw_review(self, room: int) -> list[Row]:
        """Return the review of the step, if the reader asked for it; dots mark where it is cut."""
        review, columns = self.model.review, self.table.layout.text
        if review is None or not room:
            return []
        step = review.steps[self.model.position.step.number]
        lines = confine_lines(beside_lines(step, self.sight.names), columns, 1)
        if len(lines) > room:
            lines[room - 1 :] = [cut_short(lines[room - 1] + CUT, columns)]
        return [fill_row((StyledSpan(line, Look.DIM),), columns) for line in lines]

    @property
    def bottom(self) -> list[Row]:
        """The hand of the seat whose view is shown, or with all cards open of who plays next."""
        view = self.sight.view
        if self.sight.revealed is None or view.phase is not Phase.PLAY or view.to_act is None:
            return render.bottom(self.sight, self.table)
        return self._hand_of(view.to_act)

    def _hand_of(self, seat: int) -> list[Row]:
        """Return the hand of the seat that plays next, below a rule with its name."""
        view = self.model.position.step.view(seat)
        role = "" if view.role is None else role_words(view.role)
        # Translators: a title: Ana, a miner, plays next. {role} is "miner" or "saboteur".
        title = _("next: {name}, {role}").format(name=self.sight.names.names[seat], role=role)
        rule = render.hand_rule(title, self.table)
        return [rule, *render.hand_rows(view, Selection(), self.table)]
