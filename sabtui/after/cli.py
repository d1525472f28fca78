"""The commands about kept games: `sabtui review FILE` and `sabtui standings`.

A review tells what could be known in a game, and which moves were better. Standings count gold and
wins over the games of the library.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.bots.review import DEFAULT_EFFORT, Effort
from sabtui.after.library import Library, reading_sentence, standings_lines
from sabtui.after.replays import read_replay
from sabtui.after.review import review_game, tell_story
from sabtui.after.text import progress_words
from sabtui.app.errors import UserError, print_lines
from sabtui.app.preferences import records_folder
from sabtui.text.errors import not_written


def show_review(path: str, effort: Effort = DEFAULT_EFFORT) -> int:
    """Print the review of the game in a file. Returns the exit code.

    Raises UserError: the file is no record of a whole game that is over.
    """
    replay = read_replay(Path(path)).replay

    def tell(done: int, steps: int) -> bool:
        _show_progress(progress_words(done, steps), done, steps)
        return True

    reviewed = review_game(replay, tell, effort)
    assert reviewed is not None, "nothing stops it"
    return print_lines(tell_story(replay, reviewed))


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
    return print_lines(standings_lines(library.games))


def _show_progress(text: str, done: int, total: int) -> None:
    """Show on a terminal how far a command is, in one line, which goes away at the end."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}" if done < total else f"\r{' ' * len(text)}\r")
        sys.stderr.flush()
