"""System errors in words; relative times.

The operating system's messages have one language per process, which may not be the player's, so the
common ones are translated here, by error number.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from sabtui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from pathlib import Path


def _meaning(error: OSError) -> tuple[str, str]:
    """Return the system's reason for an error, and advice about a file, "" if that is obvious."""
    room, permission = _("Make room there."), _("Give this user permission there.")
    meanings = {
        errno.ENOENT: (_("No such file or directory"), ""),
        errno.EACCES: (_("Permission denied"), permission),
        errno.EPERM: (_("Permission denied"), permission),
        errno.ENOSPC: (_("No space left on device"), room),
        errno.EDQUOT: (_("Disk quota used up"), room),
        errno.EROFS: (_("Read-only file system"), _("Use a disk that can be written.")),
        errno.ESTALE: (_("The network drive was cut off"), _("Connect it again.")),
        errno.EIO: (_("The disk reports a fault"), _("Check the disk.")),
        errno.ENAMETOOLONG: (_("The name is too long"), _("Choose a shorter one.")),
    }
    return meanings.get(error.errno or 0) or (error.strerror or str(error), "")


def system_words(error: OSError) -> str:
    """Return the system's reason for an error; a rare one is in the system's own words."""
    reason, _advice = _meaning(error)
    return reason


def not_written(path: Path | str, error: Exception) -> str:
    problem, advice = _meaning(error) if isinstance(error, OSError) else (str(error), "")
    text = _("Cannot write {path} ({problem}).").format(path=path, problem=problem)
    return f"{text} {advice}" if advice else text


def seat_lost(place: Path | str) -> str:
    """Report a seat's file that cannot be read; the table's title says which."""
    text = _("Your seat at {place} cannot be read: join with code and name, and ask for it.")
    return text.format(place=place)


def not_opened(problem: object) -> str:
    """Report a table that cannot be opened; the problem may be a log that explains it."""
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
