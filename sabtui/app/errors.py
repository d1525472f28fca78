"""Errors shown to the player, each as one translated sentence, and the logs of all others.

Only the interface writes to its terminal; a library's warning would spoil the screen. Tracebacks
are logged without the values of variables, so that no hand and no room code gets into the file.

Every start needs this module, so it must stay light.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from sabtui.text.i18n import _

SHARED_NAMES: Final = ("engine", "net")
"""Our packages with names that packages of others may have, too."""


class UserError(Exception):
    """A request failed; the text is a sentence for the player, in the player's language."""


class UsageError(UserError):
    """Wrong usage: what was typed is wrong in itself, whatever tables and files there are."""


def escape(text: str, encoding: str | None) -> str:
    """Return a text with escapes for control characters, and for what an encoding lacks."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    known = encoding or "utf-8"  # a stream that is no file has none
    return shown.encode(known, "backslashreplace").decode(known)


def print_lines(lines: Iterable[str]) -> int:
    """Print the output of a command, with unprintable characters escaped; return 0, its code."""
    for line in lines:
        print(escape(line, sys.stdout.encoding))  # noqa: T201 - what commands are for
    return 0


def show_progress(text: str, done: int, total: int) -> None:
    """Show on a terminal how far a command is, in one line, which goes away at the end."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}" if done < total else f"\r{' ' * len(text)}\r")
        sys.stderr.flush()


def complain(problem: str) -> None:
    """Write a problem to standard error as one line, with unprintable characters escaped."""
    sys.stderr.write(escape(problem, sys.stderr.encoding) + "\n")


def find_clash() -> str:
    """Return the sentence that another package is in the place of one of ours, "" if none is.

    It may come before ours on Python's path, or have been installed over it.
    """
    from importlib.metadata import distribution, packages_distributions  # noqa: PLC0415 - not at start
    from importlib.util import find_spec  # noqa: PLC0415 - not at start

    text = _(
        "Another package has put its own {name} in the place of Sabtui's: {file}. Remove that "
        "package or start Sabtui in another folder; if it is still broken, install Sabtui again."
    )
    house = Path(__file__).resolve().parents[2]
    owners = packages_distributions()
    for name in SHARED_NAMES:
        spec = find_spec(name)
        if spec is not None and spec.origin and Path(spec.origin).resolve().parent != house / name:
            return text.format(name=name, file=spec.origin)
        for owner in owners.get(name, ()):
            place = Path(str(distribution(owner).locate_file(name))).resolve()
            if owner != "sabtui" and place == house / name:
                return text.format(name=name, file=f"{place} ({owner})")
    return ""


LOG_FILE_NAME: Final = "sabtui.log"  # name of the log file in the user's state folder
MAX_LOG_BYTES: Final = 1 << 20
"""Bytes (1 MiB) that the process of a table or a door may log, and as many again of warnings and
errors. Strangers can make it log, and a full disk stops the game."""

MAX_FILE_BYTES: Final = 1 << 18  # size in bytes (256 KiB) from which the log file is started afresh


def log_file() -> Path:
    """Return the path of the log file."""
    from platformdirs import user_state_path  # noqa: PLC0415 - 5 ms, and rarely needed

    return user_state_path("sabtui", appauthor=False) / LOG_FILE_NAME


def keep_off_terminal() -> None:
    """Send all log records and uncaught thread errors to the log file, or nowhere if it fails."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.handlers = [_ToFile()]
    threading.excepthook = _thread_broke


def log_exception(error: BaseException) -> None:
    """Write an exception with its traceback to the log."""
    logging.getLogger("sabtui").error("broken", exc_info=error)


def crash_message(error: BaseException) -> str:
    """Log an exception, and return a sentence for the player that says what to do."""
    log_exception(error)
    if clash := find_clash():
        return clash
    return _has_ended(type(error).__name__)


def end_message() -> str:
    """Log that another program ended this one, and return a sentence for the player."""
    logging.getLogger("sabtui").warning("ended by SIGTERM")
    return _has_ended("SIGTERM")


def _has_ended(problem: str) -> str:
    text = _(
        "Sabtui has ended ({problem}); details: {file}. If you were at a table, your seat is "
        "kept: start Sabtui again and choose Resume."
    )
    return text.format(problem=problem, file=log_file())


class _ToFile(logging.Handler):
    """Logging handler that writes each record at once; the file is created on the first record."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; errors of the disk or of formatting are ignored."""
        file = log_file()
        with suppress(Exception):
            from net.files import open_to_append, private_folder  # noqa: PLC0415 - not at start

            private_folder(file.parent)
            with open_to_append(file) as sheet:
                if sheet.tell() > MAX_FILE_BYTES:
                    sheet.truncate(0)
                sheet.write(f"{self.format(record)}\n".encode(errors="backslashreplace"))


def _thread_broke(broke: threading.ExceptHookArgs) -> None:
    if broke.exc_value is not None:
        log_exception(broke.exc_value)


class BoundedLog(logging.StreamHandler[TextIO]):
    """Log on a stream, by default the standard error; after `most` bytes the rest is dropped.

    Warnings and errors are counted by themselves, so that nothing else crowds them out.
    """

    def __init__(self, stream: TextIO | None = None, most: int = MAX_LOG_BYTES) -> None:
        super().__init__(stream)
        self._left = {False: most, True: most}

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, if there is room for any more of its kind."""
        is_warning = record.levelno >= logging.WARNING
        if self._left[is_warning] <= 0:
            return
        self._left[is_warning] -= len(self.format(record).encode("utf-8", "replace"))
        super().emit(record)
        if self._left[is_warning] <= 0:
            with suppress(OSError, ValueError):  # a full disk, or a stream that was closed
                self.stream.write("no more of this kind is logged\n")
                self.flush()


def log_on_stderr(layout: str) -> None:
    """Log on the standard error, within bounds; `layout` is that of a line, as logging has it."""
    logging.basicConfig(level=logging.INFO, format=layout, handlers=[BoundedLog()])
