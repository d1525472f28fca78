"""The logs of internal errors: a file of the user, or the standard error of a server.

Only the interface writes to its terminal; a library's warning would spoil the screen. Tracebacks
are logged without the values of variables, so that no hand and no room code gets into the file.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import Final, TextIO

from net.files import open_to_append, private_folder
from sabtui.app.errors import log_exception, log_file

MAX_LOG_BYTES: Final = 1 << 20
"""Bytes (1 MiB) that the process of a table or a door may log, and as many again of warnings and
errors. Strangers can make it log, and a full disk stops the game."""

MAX_FILE_BYTES: Final = 1 << 18  # size in bytes (256 KiB) from which a new log file is begun


def keep_off_terminal() -> None:
    """Send all log records and uncaught thread errors to the log file, or nowhere if it fails."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.handlers = [_ToFile()]
    threading.excepthook = _log_thread_error


class _ToFile(logging.Handler):
    """Logging handler that writes each record at once; the file is created on the first record."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; errors of the disk or of formatting are ignored."""
        file = log_file()
        with suppress(Exception):  # a failing log must not stop a game
            private_folder(file.parent)
            with open_to_append(file) as sheet:
                if sheet.tell() > MAX_FILE_BYTES:
                    sheet.truncate(0)
                sheet.write(f"{self.format(record)}\n".encode(errors="backslashreplace"))


def _log_thread_error(raised: threading.ExceptHookArgs) -> None:
    if raised.exc_value is not None:
        log_exception(raised.exc_value)


class BoundedLog(logging.StreamHandler[TextIO]):
    """Log on the standard error; after `MAX_LOG_BYTES` the rest is dropped.

    Warnings and errors are counted separately, so that nothing else crowds them out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._left = {False: MAX_LOG_BYTES, True: MAX_LOG_BYTES}  # of others, and of warnings

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, if there is room for more of its kind."""
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
    """Log on the standard error, within bounds; `layout` is a line's format for `logging`."""
    logging.basicConfig(level=logging.INFO, format=layout, handlers=[BoundedLog()])
