"""System errors in words; relative times.

The operating system has its messages in one language per process, which may not be the player's, so
that the common ones are translated here, by error number.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from sabtui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from pathlib import Path


def system_words(error: OSError) -> str:
    """Return the system's reason for an error; a rare one is in the system's own words."""
    said = {
        errno.ENOENT: _("No such file or directory"),
        errno.EACCES: _("Permission denied"),
        errno.ENOSPC: _("No space left on device"),
        errno.EROFS: _("Read-only file system"),
    }
    return said.get(error.errno or 0) or error.strerror or str(error)


def not_written(path: Path | str, error: Exception) -> str:
    """Return the sentence that a file or folder cannot be written."""
    problem = system_words(error) if isinstance(error, OSError) else error
    return _("Cannot write {path} ({problem}).").format(path=path, problem=problem)


def not_opened(problem: object) -> str:
    """Return the sentence that a table cannot be opened; the problem may be a log that tells it."""
    return _("The table could not be opened ({problem}).").format(problem=problem)


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
