"""Columns of the tables at the end of a round and of a game: gold, roles, and what players did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from engine.cards import Role
from engine.tally import RoundTally, Tally
from engine.view import View
from sabtui.text.cards import cards_counted, role_words
from sabtui.text.i18n import _, pgettext
from sabtui.tui.widgets.rows import Look, StyledSpan

GAP_COLUMNS = 2
"""Blank columns before each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a table: its heading, and by seat the text and its look."""

    heading: str
    cells: tuple[str, ...]
    looks: tuple[Look, ...]

    @property
    def width(self) -> int:
        """Terminal cells that the column takes."""
        return max(cell_len(text) for text in (self.heading, *self.cells))

    def align(self, text: str) -> str:
        """Return a text padded to the column's width."""
        blanks = " " * (self.width - cell_len(text))
        return blanks + text

    def cell(self, seat: int) -> StyledSpan:
        """Return the text of a seat."""
        return StyledSpan(self.align(self.cells[seat]), self.looks[seat])


def width_of(columns: Iterable[Column]) -> int:
    """Return the terminal cells that columns take side by side, with their gaps."""
    return sum(column.width + GAP_COLUMNS for column in columns)


def column_sets(view: View, tally: Tally) -> Iterator[tuple[Column, ...]]:
    """Yield the columns of a game that is over, from all there are to the gold alone."""
    nuggets = view.score.nuggets or ()
    winners = view.score.winners or ()
    looks = tuple(Look.GOLD if seat in winners else Look.STRONG for seat in range(len(nuggets)))
    total = Column(_("gold"), tuple(map(str, nuggets)), looks)
    played, rounds = played_columns(tally), tuple(_rounds(tally))
    yield (total, *rounds, *played)
    yield (total, *rounds)
    yield (total,)


def played_columns(tally: Tally) -> tuple[Column, ...]:
    """Return what each player laid, broke and passed."""
    headings = (
        # Translators: headings of columns with numbers: tunnels and dead ends laid, tools broken.
        pgettext("column", "tunnels"),
        pgettext("column", "dead ends"),
        pgettext("column", "breaks"),
        pgettext("column", "passes"),
    )
    counts = (
        [seat.tunnels for seat in tally.seats],
        [seat.dead_ends for seat in tally.seats],
        [seat.breaks for seat in tally.seats],
        [seat.passes for seat in tally.seats],
    )
    return tuple(
        Column(heading, tuple(str(count or "-") for count in of), (Look.PLAIN,) * len(of))
        for heading, of in zip(headings, counts, strict=True)
    )


def _rounds(tally: Tally) -> Iterator[Column]:
    """Yield a column for each round that is over: everybody's role and gold."""
    for one in tally.rounds:
        if one.roles is None:
            continue
        heading = _("round {number}").format(number=one.number)
        cells = tuple(
            f"{role_shown(role)} {gold_won(one, at)}" for at, role in enumerate(one.roles)
        )
        yield Column(heading, cells, tuple(map(role_look, one.roles)))


def role_shown(role: Role) -> str:
    """Return a role's name; that of a saboteur stands out without colours, too."""
    return role_words(role).upper() if role is Role.SABOTEUR else role_words(role)


def role_look(role: Role) -> Look:
    """Return the look of a role's name."""
    return Look.BAD if role is Role.SABOTEUR else Look.GOOD


def gold_won(tally: RoundTally, seat: int, columns: int = 0) -> str:
    """Return a seat's nuggets of a round; while they are not known, its cards.

    Cards are counted in words if these fit into `columns`, else with a sign, as in the players.
    """
    nuggets, cards = tally.nuggets[seat], tally.cards[seat]
    if nuggets is not None:
        return str(nuggets or "-")
    counted = cards_counted(cards)
    return counted if cell_len(counted) <= columns else f"={cards}"
