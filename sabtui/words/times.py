"""How long ago something was, as people say it."""

from __future__ import annotations

from sabtui.words.tongue import _, ngettext


def ago(seconds: float) -> str:
    """So many seconds ago, in the largest whole unit; a clock set back since then counts as now."""
    minutes = max(int(seconds), 0) // 60
    hours, days = minutes // 60, minutes // 60 // 24
    if days:
        return ngettext("{count} day ago", "{count} days ago", days).format(count=days)
    if hours:
        return ngettext("{count} hour ago", "{count} hours ago", hours).format(count=hours)
    if minutes:
        return ngettext("{count} minute ago", "{count} minutes ago", minutes).format(count=minutes)
    return _("just now")
