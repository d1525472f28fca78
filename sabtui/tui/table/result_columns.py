"""Columns of the tables at the end of a round and of a game: gold, roles, and what players did.

Each set of columns has long and short headings, so that a table fits where there is little room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rich.cells import cell_len

from engine.cards import Role
from engine.tally import RoundTally, Tally
from engine.view import View
from sabtui.text.cards import cards_counted, role_initial, role_words
from sabtui.text.i18n import _, pgettext
from sabtui.tui.widgets.rows import Look, StyledSpan

LONG_GAP_COLUMNS, SHORT_GAP_COLUMNS = 2, 1
"""Blank columns before each column, with long and with short headings."""


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a table: its heading, and by seat the text and its look."""

    heading: str
    cells: tuple[str, ...]
    looks: tuple[Look, ...]
    is_left: bool = False

    @property
    def width(self) -> int:
        """Terminal cells that the column takes."""
        return max(cell_len(text) for text in (self.heading, *self.cells))

    def align(self, text: str) -> str:
        """Return a text padded to the column's width."""
        blanks = " " * (self.width - cell_len(text))
        return text + blanks if self.is_left else blanks + text

    def cell(self, seat: int) -> StyledSpan:
        """Return the text of a seat."""
        return StyledSpan(self.align(self.cells[seat]), self.looks[seat])


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """Columns side by side. `is_short` if they have short headings, and initials for roles.

    `legend` explains them, in sentences of which the first matters most.
    """

    columns: tuple[Column, ...]
    is_short: bool = False
    legend: tuple[str, ...] = ()

    @property
    def gap(self) -> int:
        """Blank columns before each column."""
        return SHORT_GAP_COLUMNS if self.is_short else LONG_GAP_COLUMNS

    @property
    def width(self) -> int:
        """Terminal cells that all columns take with their gaps."""
        return sum(column.width + self.gap for column in self.columns)


def column_sets(view: View, tally: Tally) -> Iterator[ColumnSet]:
    """Yield the columns of a game that is over, from all there are to the gold alone."""
    nuggets = view.score.nuggets or ()
    winners = view.score.winners or ()
    looks = tuple(Look.GOLD if seat in winners else Look.STRONG for seat in range(len(nuggets)))
    total = Column(_("gold"), tuple(map(str, nuggets)), looks)
    signs = tuple("$" * count for count in nuggets)
    bars = Column("", signs, (Look.GOLD,) * len(signs), is_left=True)
    played = played_columns(tally)
    brief = _with_brief_headings(played)
    rounds = tuple(_rounds(tally, is_short=False))
    yield ColumnSet((total, *rounds, *played, bars))
    yield ColumnSet((total, *rounds, *played))
    rounds = tuple(_rounds(tally, is_short=True))
    explained = _explain(brief, played), initials_sentence()
    yield ColumnSet((total, *rounds, *brief, bars), is_short=True, legend=explained)
    yield ColumnSet((total, *rounds, *brief), is_short=True, legend=explained)
    yield ColumnSet((total, *rounds), is_short=True, legend=explained[1:])
    yield ColumnSet((total,))


def played_columns(tally: Tally) -> tuple[Column, ...]:
    """Return what each player laid, broke and passed, with long headings."""
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


def _with_brief_headings(played: tuple[Column, ...]) -> tuple[Column, ...]:
    headings = (
        # Translators: as above, in at most 4 letters: tunnels, dead ends, breaks, passes.
        pgettext("short column", "tun"),
        pgettext("short column", "dead"),
        pgettext("short column", "brk"),
        pgettext("short column", "pass"),
    )
    return tuple(replace(one, heading=text) for one, text in zip(played, headings, strict=True))


def _rounds(tally: Tally, *, is_short: bool) -> Iterator[Column]:
    """Yield a column for each round that is over: everybody's role and gold."""
    for one in tally.rounds:
        if one.roles is None:
            continue
        # Translators: a round's number, as the heading of a column; the second is the short one.
        heading = _("r{number}") if is_short else _("round {number}")
        cells = tuple(
            f"{role_initial(role) if is_short else role_shown(role)} {gold_won(one, seat)}"
            for seat, role in enumerate(one.roles)
        )
        looks = tuple(map(role_look, one.roles))
        yield Column(heading.format(number=one.number), cells, looks)


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


def _explain(brief: tuple[Column, ...], played: tuple[Column, ...]) -> str:
    """Return what the short headings stand for, but for passes, which are hardly shortened.

    So the legend fits into one row at 80x24, below ten players and the winner in large letters.
    """
    # Translators: a short heading of a column and its full one, as in: tun: tunnels.
    text = _("{short}: {long}")
    return ", ".join(
        text.format(short=short.heading, long=full.heading)
        for short, full in zip(brief[:-1], played[:-1], strict=True)
    )


def initials_sentence() -> str:
    """Return the sentence that explains the initials of roles in short columns."""
    # Translators: explains the columns of a table: m, S and numbers.
    return _("{miner}: miner, {saboteur}: saboteur, and the round's gold").format(
        miner=role_initial(Role.MINER), saboteur=role_initial(Role.SABOTEUR)
    )
