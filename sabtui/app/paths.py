"""What goes wrong inside, in a file of the player's own: never on their terminal.

A face alone writes to its terminal, and what libraries complain of in the meantime belongs to no
sentence on it. Tracebacks are kept without the values that functions held: no hand and no code is
among them.
"""

from __future__ import annotations

import logging
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from sabtui.text.i18n import _

LOG_FILE_NAME: Final = "sabtui.log"
MAX_LOG_BYTES: Final = 1 << 18
"""A longer file is begun anew."""


def log_file() -> Path:
    """Where it is."""
    from platformdirs import user_state_path  # noqa: PLC0415 - 5 ms, and rarely needed

    return user_state_path("sabtui", appauthor=False) / LOG_FILE_NAME


def keep_off_terminal() -> None:
    """From now on, what is logged goes into the file, or nowhere where that cannot be written."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.handlers = [_ToFile()]
    threading.excepthook = _thread_broke


def log_exception(error: BaseException) -> None:
    """Keep what broke for whoever mends it."""
    logging.getLogger("sabtui").error("broken", exc_info=error)


def crash_message(error: BaseException) -> str:
    """Keep what broke, and say in a sentence what to do."""
    log_exception(error)
    text = _(
        "Sabtui itself made a mistake ({problem}); {file} tells more. "
        "Start it again: your seat at a table is kept, and Resume brings you back."
    )
    return text.format(problem=type(error).__name__, file=log_file())


class _ToFile(logging.Handler):
    """Writes each record at once; the file is made when there is something to write."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, if the disk takes it, and if what was logged can be told at all."""
        file = log_file()
        with suppress(Exception):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            long = file.exists() and file.stat().st_size > MAX_LOG_BYTES
            with open(file, "w" if long else "a", encoding="utf-8", opener=_owner_only) as sheet:
                sheet.write(f"{self.format(record)}\n")


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _thread_broke(broke: threading.ExceptHookArgs) -> None:
    if broke.exc_value is not None:
        log_exception(broke.exc_value)
