"""System, address, room code and notation errors in words; relative times.

The operating system has its messages in one language per process, which may not be the player's, so
that the common ones are translated here, by error number.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import assert_never

from engine.tokens import NotationError
from net.discovery.address import AddressMistake, BadAddress
from net.security.code import BadCode, BadCodeReason
from sabtui.text.i18n import _, ngettext


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


def either(addresses: Sequence[str]) -> str:
    """Return an address, or the first two of several."""
    if len(addresses) < 2:
        return addresses[0]
    return _("{one} or {other}").format(one=addresses[0], other=addresses[1])


def bad_address(bad: BadAddress) -> str:
    """Return the reason why a text is no address."""
    match bad.mistake:
        case AddressMistake.EMPTY:
            return _("Type the address shown on your host's screen, such as 192.168.1.20.")
        case AddressMistake.BRACKET:
            return _("The bracket [ needs a ] after the address, as in [fe80::1]:7341.")
        case AddressMistake.HOST:
            return _("That is not an address: type one such as 192.168.1.20 or box.local.")
        case AddressMistake.PORT:
            return _("A port is a number from 1 to 65535, as in 192.168.1.20:7341.")
        case never:
            assert_never(never)


def bad_code(bad: BadCode) -> str:
    """Return the reason why a text is no room code, and an example of one."""
    match bad.why:
        case BadCodeReason.NOT_TWO_WORDS:
            return _("{typed!r} is not a room code: it is two words, as in amber-tulip").format(
                typed=bad.word[:40]
            )
        case BadCodeReason.UNKNOWN_WORD:
            return _("{word!r} is not a code word: check the host's screen").format(
                word=bad.word[:40]
            )
        case _:
            assert_never(bad.why)


def problem(error: NotationError) -> str:
    """Return a notation error as a phrase."""
    return _(error.template).format(**error.facts)


def located(error: NotationError) -> str:
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
