"""Export a moment or a whole game as text, picture, recording or page.

    text  each step as it is shown, as plain text (.txt), and as an asciinema recording (.cast)
    html  one page that needs no network (.html), with its cards drawn

The formats are pure functions from frames to text; this module chooses one by the file's suffix. A
picture (.svg) is drawn by `engine.picture`.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Final

from engine.notation.record import Replay
from engine.picture import DrawnMine, draw_mines
from sabtui.after.export.html import game_html
from sabtui.after.export.text import (
    ExportFrame,
    frames,
    game_cast,
    game_text,
    moment_text,
    result_title,
    seat_rows,
)
from sabtui.app.errors import UsageError, UserError
from sabtui.app.files import export_sentence, make_folder, name_words, write_new
from sabtui.text.cards import goal_words
from sabtui.text.errors import not_written
from sabtui.text.i18n import _
from sabtui.text.settings import game_facts

MAX_PAGES: Final = 99  # pages of one name, told apart by a number
MAX_STEM_CHARACTERS: Final = 60
"""Most characters of a page's name: no file system takes more than 255 bytes with its suffix."""

__all__ = ["FORMATS", "export", "export_page", "save_export"]

FORMATS: Final = (".txt", ".svg", ".cast", ".html")
"""The suffixes of the files to which a game can be exported."""


def export(replay: Replay, suffix: str, step: int | None = None) -> str:
    """Return a game, or the moment after the step of this number, from 0, in one of `FORMATS`.

    Raises UsageError: there is no such step.
    """
    steps = frames(replay)
    if step is not None and not 0 <= step < len(steps):
        raise UsageError(_("This game has steps 1 to {last}.").format(last=len(steps)))
    shown = steps if step is None else steps[step : step + 1]
    title = result_title(replay.names)
    about = game_facts(replay.edition, len(replay.names), replay.rounds)
    match suffix:
        case ".txt" if step is None:
            return game_text(shown, about)
        case ".txt":
            return "".join(f"{line}\n" for line in moment_text(shown[0]))
        case ".svg":
            ends = [[*played][-1] for _number, played in groupby(shown, lambda frame: frame.round)]
            return draw_mines(list(map(_draw_moment, ends)), title, goal_words)
        case ".cast":
            return game_cast(shown, title)
        case _:
            return game_html(shown, title, about)


def _draw_moment(frame: ExportFrame) -> DrawnMine:
    """Return the picture of a step: the mine, what happened, and the players."""
    lines = (*frame.lines, "", *seat_rows(frame), *frame.said)
    title = f"{frame.title} {frame.move}"
    return DrawnMine(title, frame.board, frame.goals, frame.newest, lines)


def save_export(replay: Replay, path: Path, step: int | None = None) -> str:
    """Write a game, or a moment of it, to a new file; return a sentence on it.

    Raises UserError: there is no such step, or the file cannot be written.
    """
    write_new(path, export(replay, path.suffix.lower(), step))
    return export_sentence(path)


def export_page(replay: Replay, title: str, where: Path) -> str:
    """Write a game as a page of a name that is still free; return a sentence on the outcome."""
    stem = "-".join(name_words(title))[:MAX_STEM_CHARACTERS] or "game"
    names = (stem, *(f"{stem}-{number}" for number in range(2, MAX_PAGES + 1)))
    try:
        free = next((name for name in names if not (where / f"{name}.html").exists()), stem)
        return make_folder(where) or save_export(replay, where / f"{free}.html")
    except UserError as trouble:
        return str(trouble)
    except OSError as error:  # the folder cannot be looked into
        return not_written(where, error)
