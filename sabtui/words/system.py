"""What the system says when it refuses something, in the language spoken.

It knows one language for a process, if any; what comes up often is said by its number here.
"""

from __future__ import annotations

import errno

from sabtui.words.tongue import _


def system_words(error: OSError) -> str:
    """Why the system refused; what is rare, as the system says it."""
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
