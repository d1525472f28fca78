"""Keeping the record of a game: a new file, and a sentence on how that went."""

from __future__ import annotations

from pathlib import Path

from sabtui.words.system import system_words
from sabtui.words.tongue import _


def saved(record: str, path: str) -> str:
    """Write the text of a record into a new file, and say how that went."""
    try:
        file = Path(path).expanduser()
        file = file if file.suffix else file.with_suffix(".sab")
        with file.open("x", encoding="utf-8", newline="\n") as sheet:
            sheet.write(record)
    except FileExistsError:
        return _("{path} is there already: choose another name.").format(path=path)
    except (OSError, RuntimeError, ValueError) as error:
        problem = system_words(error) if isinstance(error, OSError) else error
        return _("{path} cannot be written ({problem}): choose another.").format(
            path=path, problem=problem
        )
    return _("Saved. Look at it with: sabtui record {path}").format(path=file)
