"""Each step of a game as what an export shows of it: sentences, the mine, and the players.

All that the record knows is shown, the secrets too: a game is exported once it has been kept. Names
and texts come from strangers and were cleaned, but are not escaped for any format here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import GOAL_CELLS, Board, Cell, in_columns
from engine.cards import Goal
from engine.events import Collapsed, Laid, Revealed
from engine.moves import format_move
from engine.notation.record import Replay, ReplayStep
from engine.view import View
from sabtui.after.text.replays import said_words, step_lines
from sabtui.table.sight import Sight
from sabtui.text.cards import nuggets_counted, role_words
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.moves import broken_tools
from sabtui.text.names import PlayerNames


@dataclass(frozen=True, slots=True)
class ExportFrame:
    """A step of a game as it is shown.

    `lines` tell what happened, and `said` what was said after it. `goals` are their faces as far as
    they are known; `newest` is the cell where something changed last. `sight` is the table with all
    that the record knows.
    """

    number: int
    round: int
    title: str
    move: str
    lines: tuple[str, ...]
    said: tuple[str, ...]
    goals: tuple[Goal | None, ...]
    newest: Cell | None
    sight: Sight

    @property
    def board(self) -> Board:
        """The mine."""
        return self.sight.view.table.board


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
        goals=_goals(step, public),
        newest=_newest(step),
        sight=Sight(public, names, revealed=step.game),
    )


def _goals(step: ReplayStep, view: View) -> tuple[Goal | None, ...]:
    if step.game is not None:
        return step.game.round.goals
    return tuple(map(view.goal_on, GOAL_CELLS))


def _newest(step: ReplayStep) -> Cell | None:
    """Return the cell that a step changed, the first one if there are several."""
    cells = (event.cell for event in step.events if isinstance(event, Laid | Collapsed | Revealed))
    return next(cells, None)


def hand_words(sight: Sight, seat: int) -> Sequence[str]:
    """Return the cards of a hand in notation, or their number if they are not known."""
    cards, count = sight.hand(seat), sight.view.table.hands[seat]
    if cards is not None:
        return [card.text for card in cards]
    return [str(count), "x", "?"] if count else []


def role_name(sight: Sight, seat: int) -> str:
    """Return the role of a seat in words, "" if it is not known."""
    role = sight.role(seat)
    return "" if role is None else role_words(role)


def broken_words(sight: Sight, seat: int) -> str:
    """Return the broken tools of a seat in words, "" if there are none."""
    tools = broken_tools(seat, sight.view)
    return _("broken: {tools}").format(tools=tools) if tools else ""


def gold_words(sight: Sight, seat: int) -> str:
    """Return the gold of a seat in words; "" for none before the end, or if it is not known."""
    nuggets, is_over = sight.nuggets(seat), sight.view.score.nuggets is not None
    return nuggets_counted(nuggets or 0) if nuggets or is_over else ""


def seat_rows(frame: ExportFrame) -> list[str]:
    """Return the players of a frame as a table of text."""
    sight = frame.sight
    return in_columns(
        [
            (
                ">" if seat == sight.view.to_act else "",
                sight.names.names[seat],
                role_name(sight, seat),
                " ".join(hand_words(sight, seat)) or "-",
                broken_words(sight, seat),
                gold_words(sight, seat),
            )
            for seat in sight.seats
        ]
    )


def result_title(names: Sequence[str]) -> str:
    """Return the title of an exported game: who played."""
    # Translators: {names} is a list of players; the title of a page that shows their game.
    return pgettext("title", "Saboteur: {names}").format(names=", ".join(names))
