"""The one file of Sabtui that the browser door gives to guests who want to play by themselves.

A host that was started from such a file has one (`tools/stick/start.py` names it); any other file
can be named by the variable. It is opened and hashed once, when the door opens. Guests are sent
pieces of it as fast as they take them, so that neither its size nor a slow guest costs anything.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final

VARIABLE: Final = "SABTUI_FILE"
"""Environment variable with the path of the file."""

PIECE_BYTES: Final = 1 << 16
"""Most bytes of the file that are read at once."""

MAX_FILE_BYTES: Final = 1 << 28
"""Size of the largest file that is given, 256 MiB; ours has some 20 MB."""

_NAME: Final = re.compile(r"sabtui[a-z0-9_-]{0,40}\.pyz", re.ASCII)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that is open, with the name that guests save it by and its SHA-256 in hexadecimal.

    `state` is the file's state at that time: size, and time of its last change in nanoseconds.
    """

    name: str
    sha256: str
    size: int
    file: FileIO
    state: tuple[int, int]

    @property
    def path(self) -> str:
        """Path at which the door gives the file."""
        return f"/{self.name}"

    def read(self, at: int) -> bytes:
        """Return the piece of the file that begins at a byte; b"" at its end.

        Raises OSError: it cannot be read, or is not the file any more that was hashed.
        """
        if _state(self.file) != self.state:
            raise OSError(f"{self.name} has changed since the door was opened")
        self.file.seek(at)
        return self.file.read(PIECE_BYTES)


@contextmanager
def open_file(environment: Mapping[str, str]) -> Iterator[GivenFile | None]:
    """Open the file that the variable names; give `None` if there is none that can be given."""
    path = Path(environment.get(VARIABLE, ""))
    with ExitStack() as stack:
        given = None
        try:
            if path.is_file():  # no pipe, which would keep us waiting
                given = _hash(stack.enter_context(FileIO(path)), path.name)
        except (OSError, ValueError) as error:
            _log.warning("the file for guests cannot be read: %s", error)
        yield given


def _hash(file: FileIO, name: str) -> GivenFile | None:
    state = _state(file)
    if state[0] > MAX_FILE_BYTES:
        return None
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return GivenFile(name if _NAME.fullmatch(name) else "sabtui.pyz", sha256, state[0], file, state)


def _state(file: FileIO) -> tuple[int, int]:
    """Return the size of an open file, and the time of its last change in nanoseconds."""
    now = os.fstat(file.fileno())
    return now.st_size, now.st_mtime_ns
