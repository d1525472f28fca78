"""Export as an asciinema recording (asciicast v2): a screen of text for each step of a game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from sabtui.app.export.frames import ExportFrame
from sabtui.app.export.text import EXPORT_COLUMNS, moment_text

STEP_S: Final = 1.5
"""Seconds that a step is shown, and `LINE_S` more for each line of what happened and was said."""
LINE_S: Final = 0.7

MIN_ROWS: Final = 24
"""Rows of the recorded terminal, more if a step needs more."""

_CLEARED: Final = "\x1b[H\x1b[2J"


def game_cast(frames: Sequence[ExportFrame], title: str) -> str:
    """Return a recording in which each step is one screen."""
    screens = [moment_text(frame) for frame in frames]
    rows = max(MIN_ROWS, *map(len, screens))
    header = {"version": 2, "width": EXPORT_COLUMNS, "height": rows, "title": title}
    lines = [header, *_events(frames, screens)]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _events(
    frames: Sequence[ExportFrame], screens: Sequence[Sequence[str]]
) -> Iterator[list[float | str]]:
    """Yield the events of a recording: when, `o` for output, and what is written."""
    at = 0.0
    for frame, screen in zip(frames, screens, strict=True):
        yield [round(at, 3), "o", _CLEARED + "\r\n".join(screen)]
        at += STEP_S + LINE_S * (len(frame.lines) + len(frame.said))
    yield [round(at, 3), "o", "\r\n"]
