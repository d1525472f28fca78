"""The commands about kept games: `sabtui review FILE` and `sabtui standings`.

A review tells what could be known in a game, and which moves were better. It takes some seconds and
is kept, so that it is there at once the next time; one that is interrupted goes on where it
stopped. Standings count gold and wins over the games of the library.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from engine.bots.review import DEFAULT_EFFORT, Effort
from sabtui.after.library import Library, reading_sentence
from sabtui.after.replays import read_replay
from sabtui.after.review import kept_review, tell_story
from sabtui.after.standings import standings_lines
from sabtui.after.text import progress_words
from sabtui.app.errors import UserError, complain, print_lines
from sabtui.app.files import keeper_trouble
from sabtui.app.preferences import records_folder
from sabtui.text.errors import not_written


def show_review(path: str, where: Path | None = None, effort: Effort = DEFAULT_EFFORT) -> int:
    """Print the review of the game in a file. Returns the exit code.

    `where` is the folder of the library, the user's own if it is `None`.

    Raises:
        UserError: the file is no record of a whole game that is over.
        KeyboardInterrupt: the user interrupted it; the steps that were done are kept.
    """
    game = read_replay(Path(path))
    with _interrupts() as interrupted:

        def tell(done: int, steps: int) -> bool:
            _show_progress(progress_words(done, steps), done, steps)
            return not interrupted

        reviewed = kept_review(game, where or records_folder(), tell, effort)
    if reviewed is None:
        raise KeyboardInterrupt
    return print_lines(tell_story(game.replay, reviewed))


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Gather interrupts in a list, so that a step is done before the command stops."""
    caught: list[int] = []

    def catch(number: int, frame: FrameType | None) -> None:
        del frame
        caught.append(number)

    before = signal.signal(signal.SIGINT, catch)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, before)


def show_standings(where: Path | None = None) -> int:
    """Print the standings. Returns the exit code.

    `where` is the folder of the library, the user's own if it is `None`.

    Raises UserError: the library cannot be opened.
    """
    where = where or records_folder()
    try:
        library = Library(where)
    except OSError as error:
        raise UserError(not_written(where, error)) from error
    for done in library.read():
        _show_progress(reading_sentence(done, library.count), done, library.count)
    if trouble := keeper_trouble(where):
        complain(f"sabtui standings: {trouble}")
    return print_lines(standings_lines(library.games))


def _show_progress(text: str, done: int, total: int) -> None:
    """Show on a terminal how far a command is, in one line, which goes away at the end."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}" if done < total else f"\r{' ' * len(text)}\r")
        sys.stderr.flush()
