"""Errors shown to the player, each as one translated sentence.

Every start needs this module, even if another package shadows `net` or `engine`: it imports
neither.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from sabtui.text.i18n import _

SHARED_NAMES: Final = ("engine", "net")
"""Our packages whose names other authors' packages may also have."""


class UserError(Exception):
    """A request failed; the text is a sentence for the player, in the player's language."""


class UsageError(UserError):
    """Wrong usage: a command line that is wrong whatever tables and files there are."""


def escape(text: str, encoding: str | None) -> str:
    """Return a text with escapes for control characters, and for what an encoding lacks."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    known = encoding or "utf-8"  # a stream that is not a file has none
    return shown.encode(known, "backslashreplace").decode(known)


def print_lines(lines: Iterable[str]) -> int:
    """Print the output of a command, with unprintable characters escaped; return 0, its code."""
    for line in lines:
        print(escape(line, sys.stdout.encoding))  # noqa: T201 - what commands are for
    return 0


def show_progress(text: str, done: int, total: int) -> None:
    """Show a command's progress on a terminal, in one line that disappears at the end."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}" if done < total else f"\r{' ' * len(text)}\r")
        sys.stderr.flush()


def complain(problem: str) -> None:
    """Write a problem to standard error as one line, with unprintable characters escaped."""
    sys.stderr.write(escape(problem, sys.stderr.encoding) + "\n")


def find_clash() -> str:
    """Describe a foreign package that shadows one of ours; "" if there is none."""
    from importlib.metadata import distribution, packages_distributions  # noqa: PLC0415 - 20 ms, after a crash

    text = _(
        "Another package's {name} hides Sabtui's: {file}. Uninstall that package, or start from "
        "another folder. If that does not help, reinstall Sabtui."
    )
    ours = Path(__file__).resolve().parents[2]
    owners = packages_distributions()
    for name in SHARED_NAMES:
        spec = find_spec(name)
        if spec is not None and spec.origin and Path(spec.origin).resolve().parent != ours / name:
            return text.format(name=name, file=spec.origin)
        for owner in owners.get(name, ()):
            place = Path(str(distribution(owner).locate_file(name))).resolve()
            if owner != "sabtui" and place == ours / name:
                return text.format(name=name, file=f"{place} ({owner})")
    return ""


LOG_FILE_NAME: Final = "sabtui.log"  # name of the log file in the user's state folder


def log_file() -> Path:
    return user_state_path("sabtui", appauthor=False) / LOG_FILE_NAME


def log_exception(error: BaseException) -> None:
    """Write an exception with its traceback to the log."""
    logging.getLogger("sabtui").error("broken", exc_info=error)


def crash_message(error: BaseException) -> str:
    """Return a sentence for the player that says what to do; log the exception if it is ours."""
    if clash := find_clash():  # so early that a log would still go to the terminal
        return clash
    log_exception(error)
    return _stopped_message(type(error).__name__)


def end_message() -> str:
    """Log that another program ended this one, and return a sentence for the player."""
    logging.getLogger("sabtui").warning("ended by SIGTERM")
    return _stopped_message("SIGTERM")


def _stopped_message(problem: str) -> str:
    text = _(
        "Sabtui stopped ({problem}). Details: {file}. If you were at a table, your seat is kept: "
        "start Sabtui again and choose Resume."
    )
    return text.format(problem=problem, file=log_file())
