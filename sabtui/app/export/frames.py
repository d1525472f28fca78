"""Each step of a game as what an export shows of it: sentences, the mine, and the players.

All that the record knows is shown, the secrets too: a game is exported once it has been kept. Names
and texts come from strangers and were cleaned, but are not escaped for any format here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board import GOAL_CELLS, Board, Cell
from engine.cards import Goal, Role, Tool
from engine.drawing import in_columns
from engine.events import Collapsed, Laid, Revealed
from engine.moves import format_move
from engine.notation.replays import Replay, ReplayStep
from engine.view import View
from sabtui.table.sight import Sight
from sabtui.text.cards import nuggets_counted, role_words, tool
from sabtui.text.i18n import _, capitalise, join_words, pgettext
from sabtui.text.names import PlayerNames
from sabtui.text.replays import said_words, step_lines


@dataclass(frozen=True, slots=True)
class ExportSeat:
    """A player after a step. `hand` are the cards or their number; `None` is what is not known.

    The colour is that of the player's dwarf. Gold is not known before it is to be seen.
    """

    name: str
    colour: int
    is_to_act: bool
    role: Role | None
    hand: str
    broken: tuple[Tool, ...]
    nuggets: int | None

    @property
    def role_text(self) -> str:
        """The role in words, "" if it is not known."""
        return "" if self.role is None else role_words(self.role)

    @property
    def broken_text(self) -> str:
        """The broken tools in words, "" if there are none."""
        if not self.broken:
            return ""
        return _("broken: {tools}").format(tools=join_words([tool(one) for one in self.broken]))

    @property
    def gold(self) -> str:
        """The gold in words, "" if it is not known."""
        return "" if self.nuggets is None else nuggets_counted(self.nuggets)


@dataclass(frozen=True, slots=True)
class ExportFrame:
    """A step of a game as it is shown.

    `lines` tell what happened, and `said` what was said after it. `goals` are their faces as far as
    they are known; `newest` is the cell where something changed last.
    """

    number: int
    round: int
    title: str
    move: str
    lines: tuple[str, ...]
    said: tuple[str, ...]
    board: Board
    goals: tuple[Goal | None, ...]
    newest: Cell | None
    seats: tuple[ExportSeat, ...]


def frames(replay: Replay) -> tuple[ExportFrame, ...]:
    """Return each step of a game as it is shown."""
    names = PlayerNames.of(replay.names, None)
    return tuple(_frame(replay, step, names) for step in replay.steps)


def _frame(replay: Replay, step: ReplayStep, names: PlayerNames) -> ExportFrame:
    public = step.view(replay.seats[0])
    if step.moves:
        title = _("Round {number}, move {move}").format(number=step.round, move=step.moves)
    else:
        title = capitalise(_("round {number}")).format(number=step.round)
    return ExportFrame(
        number=step.number,
        round=step.round,
        title=title,
        move="" if step.move is None else format_move(step.move),
        lines=tuple(step_lines(step, names, public if step.game is None else None)),
        said=tuple(said_words(said, names, replay.truth(step, said)) for said in step.said),
        board=public.table.board,
        goals=_goals(step, public),
        newest=_newest(step),
        seats=tuple(_seats(Sight(public, names, revealed=step.game))),
    )


def _goals(step: ReplayStep, view: View) -> tuple[Goal | None, ...]:
    if step.game is not None:
        return step.game.round.goals
    return tuple(map(view.goal_on, GOAL_CELLS))


def _newest(step: ReplayStep) -> Cell | None:
    """Return the cell that a step changed, the first one if there are several."""
    cells = (event.cell for event in step.events if isinstance(event, Laid | Collapsed | Revealed))
    return next(cells, None)


def _seats(sight: Sight) -> Iterator[ExportSeat]:
    table = sight.view.table
    for seat, name in enumerate(sight.names.names):
        hand = sight.hand(seat)
        yield ExportSeat(
            name=name,
            colour=sight.names.colour(seat),
            is_to_act=seat == sight.view.to_act,
            role=sight.role(seat),
            hand=_hand(table.hands[seat], None if hand is None else [card.text for card in hand]),
            broken=tuple(Tool.within(table.broken[seat])),
            nuggets=_count_gold(seat, sight),
        )


def _hand(count: int, cards: Sequence[str] | None) -> str:
    """Return the cards of a hand in notation, or their number if they are not known."""
    if cards is None:
        return f"{count} x ?" if count else "-"
    return " ".join(cards) or "-"


def _count_gold(seat: int, sight: Sight) -> int | None:
    """Return the nuggets of a seat, `None` for none before the end or if they are not known."""
    nuggets, is_over = sight.nuggets(seat), sight.view.score.nuggets is not None
    return nuggets if nuggets or is_over else None


def seat_rows(frame: ExportFrame) -> list[str]:
    """Return the players of a frame as a table of text."""
    return in_columns(
        [
            (
                ">" if seat.is_to_act else "",
                seat.name,
                seat.role_text,
                seat.hand,
                seat.broken_text,
                seat.gold,
            )
            for seat in frame.seats
        ]
    )


def result_title(names: Sequence[str]) -> str:
    """Return the title of an exported game: who played."""
    # Translators: {names} is a list of players; the title of a page that shows their game.
    return pgettext("title", "Saboteur: {names}").format(names=", ".join(names))
