"""Export of a whole game as one page of HTML, with its cards drawn, that needs no network.

    html  the page as a pure function of the game

This module writes it to a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.notation.record import Replay
from net.files import BY_UMASK, create, private_folder
from sabtui.after.export.html import game_html
from sabtui.app.errors import UserError
from sabtui.text.errors import not_written
from sabtui.text.i18n import _

MAX_PAGES: Final = 99  # pages of one name, told apart by a number
MAX_STEM_CHARACTERS: Final = 60
"""Most characters of a page's name: no file system takes more than 255 bytes with its suffix."""


def save_export(replay: Replay, path: Path) -> str:
    """Write a game as a page to a new file; return a sentence on it.

    Raises UserError: there is such a file, or it cannot be written.
    """
    try:
        create(path, game_html(replay).encode(), mode=BY_UMASK)
    except FileExistsError:
        raise UserError(
            _("{path} already exists: choose another name.").format(path=path)
        ) from None
    except OSError as error:
        raise UserError(not_written(path, error)) from error
    return _("Saved: {path}").format(path=path)


def export_page(replay: Replay, title: str, where: Path) -> str:
    """Write a game as a page of a name that is still free; return a sentence on the outcome."""
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    stem = "-".join(words)[:MAX_STEM_CHARACTERS] or "game"
    names = (stem, *(f"{stem}-{number}" for number in range(2, MAX_PAGES + 1)))
    try:
        private_folder(where)
        free = next((name for name in names if not (where / f"{name}.html").exists()), stem)
        return save_export(replay, where / f"{free}.html")
    except UserError as trouble:
        return str(trouble)
    except OSError as error:  # the folder cannot be made, or not be looked into
        return not_written(where, error)
