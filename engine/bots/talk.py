"""Talk at the table (T6): the claims of this round, and how honest each seat was before.

Talk is not part of the game, so bots get it in addition to their view. A value of `Talk` holds no
secret: it has what was said aloud and, for earlier rounds, what everybody could check at their end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.board import GOAL_CELLS, Cell
from engine.cards import Goal, Role, Tool
from engine.state import Table

MAX_LINES: Final = 20
"""Maximum number of lines of free text that a bot is given."""


@dataclass(frozen=True, slots=True)
class GoldAt:
    """The claim that the treasure lies on this cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class StoneAt:
    """The claim that a stone lies on this cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class DigsAgainstUs:
    """The claim that this seat is a saboteur."""

    seat: int


@dataclass(frozen=True, slots=True)
class DigsForUs:
    """The claim that this seat is a miner."""

    seat: int


@dataclass(frozen=True, slots=True)
class HelpMe:
    """The request that somebody repair this tool of the speaker."""

    tool: Tool


@dataclass(frozen=True, slots=True)
class Bluff:
    """The claim that what this seat says is not true."""

    seat: int


@dataclass(frozen=True, slots=True)
class WhoMe:
    """The speaker's claim not to be a saboteur."""


Claim = GoldAt | StoneAt | DigsAgainstUs | DigsForUs | HelpMe | Bluff | WhoMe


def list_claims(players: int) -> tuple[Claim, ...]:
    """Return every claim that can be made among this number of players."""
    seats = range(players)
    return (
        *map(GoldAt, GOAL_CELLS),
        *map(StoneAt, GOAL_CELLS),
        *map(DigsAgainstUs, seats),
        *map(DigsForUs, seats),
        *map(HelpMe, Tool),
        *map(Bluff, seats),
        WhoMe(),
    )


class Statement(NamedTuple):
    """A claim, the seat that made it, and how many cards of the deck were still unplayed then."""

    seat: int
    claim: Claim
    unplayed: int


class Line(NamedTuple):
    """A line of free text, the seat that wrote it, and how many cards were still unplayed then."""

    seat: int
    text: str
    unplayed: int


class Honesty(NamedTuple):
    """Counts of a seat's true and false claims about goals that it had looked at."""

    true: float = 0
    false: float = 0

    def after(self, *, true: bool) -> Honesty:
        """Return the counts after one more report."""
        return Honesty(self.true + true, self.false + (not true))

    def probability(self, usual: Honesty) -> float:
        """Return the probability of a true report next; `usual` counts are added to these."""
        true, false = self.true + usual.true, self.false + usual.false
        return true / (true + false)


class TrackRecord(NamedTuple):
    """The honesty of a seat in earlier rounds of the game, as a miner and as a saboteur."""

    miner: Honesty = Honesty()
    saboteur: Honesty = Honesty()


@dataclass(frozen=True, slots=True)
class Talk:
    """The talk at a table: what was said aloud."""

    said: tuple[Statement, ...] = ()
    """The claims of the present round, oldest first."""
    records: tuple[TrackRecord, ...] = ()
    """How honest each seat was in earlier rounds; empty in the first round of a game."""
    lines: tuple[Line, ...] = ()
    """The last lines of free text of the present round, which none of our bots reads."""
    is_written: bool = True
    """True if players may write at this table; elsewhere they can only make claims."""

    def after(self, said: Iterable[Statement]) -> Talk:
        """Return the talk after further claims.

        Of a seat's equal claims only the last is kept, so that the talk stays short.
        """
        last = {(statement.seat, statement.claim): statement for statement in self.said}
        for statement in said:
            last.pop((statement.seat, statement.claim), None)
            last[statement.seat, statement.claim] = statement
        return replace(self, said=tuple(last.values()))

    def with_lines(self, lines: Iterable[Line]) -> Talk:
        """Return the talk after further lines of text; only the last `MAX_LINES` are kept."""
        return replace(self, lines=(*self.lines, *lines)[-MAX_LINES:])

    def record(self, seat: int) -> TrackRecord:
        """Return the honesty of a seat in earlier rounds."""
        return self.records[seat] if self.records else TrackRecord()

    def said_of_goals(self) -> dict[tuple[int, int], set[bool]]:
        """Return the claims of each seat about each goal: True for gold, False for stone, or both.

        Keys are seats and goals, the goals counted from north to south.
        """
        claims: dict[tuple[int, int], set[bool]] = {}
        for seat, claim, _ in self.said:
            if isinstance(claim, GoldAt | StoneAt):
                at = seat, GOAL_CELLS.index(claim.cell)
                claims.setdefault(at, set()).add(isinstance(claim, GoldAt))
        return claims

    def reports(self) -> dict[tuple[int, int], bool]:
        """Return the report of each seat about each goal: True for gold, False for stone.

        A seat that has claimed both about a goal has no report about it. Keys are as in
        `said_of_goals`.
        """
        return {at: gold for at, (gold, *other) in self.said_of_goals().items() if not other}

    def find_liars(self, cell: Cell, *, is_gold: bool) -> list[int]:
        """Return the seats whose report of a goal is false, whether it `is_gold` or stone."""
        goal = GOAL_CELLS.index(cell)
        reports = self.reports().items()
        return [seat for (seat, of), gold in reports if of == goal and gold is not is_gold]

    def find_contradicted(self, seat: int, claim: GoldAt | StoneAt) -> list[int]:
        """Return the other seats, in order, whose reports this seat's new report contradicts."""
        said, about = isinstance(claim, GoldAt), GOAL_CELLS.index(claim.cell)
        return sorted(
            {
                other
                for (other, goal), gold in self.reports().items()
                if other != seat and (gold is not said if goal == about else gold and said)
            }
        )

    def opinions(self) -> dict[tuple[int, int], bool]:
        """Return the last opinion of each seat about another: True if it vouched, False if accused.

        A `Bluff` counts as an accusation. Keys are the seat that speaks and the seat spoken of.
        """
        found: dict[tuple[int, int], bool] = {}
        for seat, claim, _ in self.said:
            if isinstance(claim, DigsForUs | DigsAgainstUs | Bluff) and claim.seat != seat:
                found[seat, claim.seat] = isinstance(claim, DigsForUs)
        return found

    def after_round(self, table: Table) -> Talk:
        """Return the talk with which the next round begins: no claims, and the updated records.

        `table` is the table of a round that has ended. Only reports about goals that the speaker
        had looked at count.
        """
        end = table.end
        assert end is not None
        records = [self.record(seat) for seat in range(table.players)]
        for (seat, goal), gold in self.reports().items():
            if GOAL_CELLS[goal] not in table.looks[seat]:
                continue
            true = gold == (end.goals[goal] is Goal.TREASURE)
            miner, saboteur = records[seat]
            if end.roles[seat] is Role.MINER:
                records[seat] = TrackRecord(miner.after(true=true), saboteur)
            else:
                records[seat] = TrackRecord(miner, saboteur.after(true=true))
        return Talk(records=tuple(records))


SILENCE: Final = Talk()
"""The talk of a table where nobody has said anything yet."""
