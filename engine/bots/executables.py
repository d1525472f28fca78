"""Other authors' bots that are programs: why one cannot start, and its memory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

MAX_INSTALLED_BOT_BYTES: Final = 512 * 2**20
"""Maximum bytes of data of a process that plays another's bot, where the system can limit them."""


def find_start_fault(path: Path) -> str | None:
    """Return why the system cannot start a program, as far as its first line shows, or `None`."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return None
    if first.startswith(b"\xef\xbb\xbf#!"):
        return "a byte order mark stands before #!: save it without"
    if not first.startswith(b"#!"):
        is_text = first.decode("utf-8", "replace").rstrip().isprintable()
        is_script = is_text and sys.platform != "win32"
        return "it has no first line with #! and the program that runs it" if is_script else None
    if first.endswith(b"\r\n"):
        return "its first line ends as on Windows, with CR and LF: save it with LF alone"
    words = first[2:].decode("utf-8", "replace").split()
    if not words:
        return "its first line names no program after #!"
    program, *rest = words
    if Path(program).name == "env":
        if sys.platform == "linux" and rest and not rest[0].startswith("-"):
            rest = [" ".join(rest)]  # without -S, Linux takes all of it for one name
        named = [word for word in rest if not word.startswith("-") and "=" not in word]
        program = named[0] if named else program
    if shutil.which(program) is None:
        return f"its first line names {program}, which is not there"
    return None
