"""Each step of a game as what an export shows of it, and the export as text.

All that the record knows is shown, the secrets too: a game is exported once it has been kept. Names
and texts come from strangers and were cleaned, but are not escaped for any format here.

A recording is for asciinema (asciicast v2): a screen of text for each step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from engine.board import GOAL_CELLS, Board, Cell, in_columns
from engine.cards import Goal
from engine.events import Collapsed, Laid, Revealed
from engine.moves import format_move
from engine.notation.record import Replay, ReplayStep
from engine.view import View
from sabtui.after.text import said_words, step_lines
from sabtui.table.sight import Sight
from sabtui.text.cards import nuggets_counted, role_words
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import wrap_lines
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


EXPORT_COLUMNS: Final = 80  # width in columns that lines are wrapped to, and that the mine fits in

STEP_S: Final = 1.5
"""Seconds that a step is shown, and `LINE_S` more for each line of what happened and was said."""
LINE_S: Final = 0.7

MIN_ROWS: Final = 24  # rows of the recorded terminal, more if a step needs more
_CLEARED: Final = "\x1b[H\x1b[2J"


def moment_text(frame: ExportFrame) -> list[str]:
    """Return a moment as lines: what happened, the mine, the players, and what was said."""
    return [
        *wrap_lines([frame.title, *_step_lines(frame)], EXPORT_COLUMNS),
        "",
        *frame.board.draw(frame.goals, columns=EXPORT_COLUMNS, large=False),
        "",
        *wrap_lines(seat_rows(frame), EXPORT_COLUMNS),
        *wrap_lines(frame.said, EXPORT_COLUMNS),
    ]


def game_text(frames: Sequence[ExportFrame], title: str) -> str:
    """Return a whole game as text: each move in a line, the mine at the end of each round."""
    lines = [title, *_rounds(frames)]
    return "".join(f"{line}\n" for line in lines)


def _rounds(frames: Sequence[ExportFrame]) -> Iterator[str]:
    for _number, played in groupby(frames, key=lambda frame: frame.round):
        steps = list(played)
        yield from ("", steps[0].title)
        for frame in steps:
            said = [f"     {said}" for said in frame.said]
            yield from wrap_lines([*_step_lines(frame), *said], EXPORT_COLUMNS)
        last = steps[-1]
        yield from ("", *last.board.draw(last.goals, columns=EXPORT_COLUMNS, large=False))
        yield from ("", *wrap_lines(seat_rows(last), EXPORT_COLUMNS))


def _step_lines(frame: ExportFrame) -> list[str]:
    """Return what happened, the move in notation before the first sentence."""
    first, *others = frame.lines or ("",)
    return [f"{frame.move}  {first}" if frame.move else first, *others]


def game_cast(frames: Sequence[ExportFrame], title: str) -> str:
    """Return a recording in which each step is one screen."""
    screens = [moment_text(frame) for frame in frames]
    rows = max(MIN_ROWS, *map(len, screens))
    header = {"version": 2, "width": EXPORT_COLUMNS, "height": rows, "title": title}
    lines = [header, *_output_events(frames, screens)]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _output_events(
    frames: Sequence[ExportFrame], screens: Sequence[Sequence[str]]
) -> Iterator[list[float | str]]:
    """Yield the events of a recording: when, `o` for output, and what is written."""
    at = 0.0
    for frame, screen in zip(frames, screens, strict=True):
        yield [round(at, 3), "o", _CLEARED + "\r\n".join(screen)]
        at += STEP_S + LINE_S * (len(frame.lines) + len(frame.said))
    yield [round(at, 3), "o", "\r\n"]
