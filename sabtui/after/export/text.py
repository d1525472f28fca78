"""Export as text: one moment with the mine in ASCII, a whole game as sentences, or a recording.

A recording is for asciinema (asciicast v2): a screen of text for each step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from sabtui.after.export.frames import ExportFrame, seat_rows
from sabtui.text.layout import wrap_lines

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
