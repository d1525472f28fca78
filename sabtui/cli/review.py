"""The command `sabtui review FILE`: what could be known in a game, and what was better.

A review takes some seconds. What is worked out is kept in the index of the library, so that it is
there at once the next time; one that is interrupted goes on where it stopped.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType

from engine.bots.review import DEFAULT_EFFORT, Effort
from engine.notation import format_record
from engine.notation.replays import Replay
from engine.notation.summary import summarise
from sabtui.app.errors import escaped
from sabtui.app.library import Library
from sabtui.app.records import folder, load
from sabtui.app.review import REVIEW_KIND, review_game, review_lines
from sabtui.text.i18n import _


def show_review(
    path: str,
    where: Path | None = None,
    effort: Effort = DEFAULT_EFFORT,
    *,
    ascii_only: bool = False,
) -> int:
    """Print the review of the game in a file. Returns the exit code.

    `where` is the folder of the library, the user's own if it is `None`.

    Raises:
        UserError: the file is no record of a whole game that is over.
        KeyboardInterrupt: the user interrupted it; the steps that were done are kept.
    """
    record = load(path)
    replay, game = Replay.of(record), summarise(format_record(record)).id
    with _interrupts() as interrupted, _library(where or folder()) as library:

        def tell(done: int, steps: int) -> bool:
            _show_progress(done, steps)
            return not interrupted

        stored = None if library is None else library.analysis(game, REVIEW_KIND)
        reviewed, kept = review_game(replay, stored, tell, effort)
        if library is not None and kept != stored:
            with suppress(OSError):
                library.store_analysis(game, REVIEW_KIND, kept)
    if reviewed is None:
        raise KeyboardInterrupt
    for line in review_lines(replay, reviewed, effort, ascii_only=ascii_only):
        print(escaped(line, sys.stdout.encoding or "utf-8"))  # noqa: T201 - what the command is for
    return 0


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


@contextmanager
def _library(where: Path) -> Iterator[Library | None]:
    """Open the library, `None` if that fails: a review can do without."""
    try:
        library = Library(where)
    except OSError:
        yield None
        return
    with closing(library):
        yield library


def _show_progress(done: int, steps: int) -> None:
    """Show on a terminal how far the review is."""
    if not sys.stderr.isatty():
        return
    text = _("Reviewing step {done} of {steps}.").format(done=done, steps=steps)
    sys.stderr.write(f"\r{text}" if done < steps else f"\r{' ' * len(text)}\r")
    sys.stderr.flush()
