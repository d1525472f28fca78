"""System and notation errors in words; relative times.

The operating system has its messages in one language per process, which may not be the player's, so
that the common ones are translated here, by error number.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from sabtui.text.i18n import _, ngettext

if TYPE_CHECKING:  # every command loads this module, and few of them the engine
    from engine.tokens import NotationError


def system_words(error: OSError) -> str:
    """Return the system's reason for an error; a rare one is in the system's own words."""
    said = {
        errno.ENOENT: _("No such file or directory"),
        errno.EACCES: _("Permission denied"),
        errno.EPERM: _("Operation not permitted"),
        errno.ENOSPC: _("No space left on device"),
        errno.EROFS: _("Read-only file system"),
        errno.EISDIR: _("Is a directory"),
        errno.ENOTDIR: _("Not a directory"),
        errno.ENAMETOOLONG: _("File name too long"),
        errno.EADDRINUSE: _("Address already in use"),
    }
    return said.get(error.errno or 0) or error.strerror or str(error)


def problem(error: NotationError) -> str:
    """Return a notation error as a phrase."""
    return _(error.template).format(**error.facts)


def locate(error: NotationError) -> str:
    """Return a notation error as a phrase, with its position and the text around it."""
    if error.line is None:
        text = _("column {column} of {text}: {problem}")
    else:
        text = _("line {line}, column {column} of {text}: {problem}")
    return text.format(
        line=error.line, column=error.column, text=error.excerpt, problem=problem(error)
    )


def ago(seconds: float) -> str:
    """Return an age in seconds in its largest whole unit; a negative age counts as 0."""
    minutes = max(int(seconds), 0) // 60
    hours, days = minutes // 60, minutes // 60 // 24
    if days:
        return ngettext("{count} day ago", "{count} days ago", days).format(count=days)
    if hours:
        return ngettext("{count} hour ago", "{count} hours ago", hours).format(count=hours)
    if minutes:
        return ngettext("{count} minute ago", "{count} minutes ago", minutes).format(count=minutes)
    return _("just now")
