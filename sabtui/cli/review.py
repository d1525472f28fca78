"""The command `sabtui review FILE`: what could be known in a game, and what was better.

A review takes some seconds. What is worked out is kept in the index of the library, so that it is
there at once the next time; one that is interrupted goes on where it stopped.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from engine.bots.review import DEFAULT_EFFORT, Effort
from sabtui.app.errors import escaped
from sabtui.app.records import folder
from sabtui.app.replays import watched
from sabtui.app.review import kept_review, review_lines
from sabtui.text.review import progress_words


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
    game = watched(Path(path))
    with _interrupts() as interrupted:

        def tell(done: int, steps: int) -> bool:
            _show_progress(done, steps)
            return not interrupted

        reviewed = kept_review(game, where or folder(), tell, effort)
    if reviewed is None:
        raise KeyboardInterrupt
    for line in review_lines(game.replay, reviewed, effort, ascii_only=ascii_only):
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


def _show_progress(done: int, steps: int) -> None:
    """Show on a terminal how far the review is."""
    if not sys.stderr.isatty():
        return
    text = progress_words(done, steps)
    sys.stderr.write(f"\r{text}" if done < steps else f"\r{' ' * len(text)}\r")
    sys.stderr.flush()
