"""The sentences of the browser door's page, in the guest's language."""

from __future__ import annotations

from sabtui.text.doors import web_privacy
from sabtui.text.i18n import _, pgettext


def page_words() -> dict[str, str]:
    """Return every sentence and label of the page by the name that `page.js` has for it."""
    return {
        "name": _("Your name"),
        "code": _("Room code: the two words your host gives you"),
        "enter": _("Sit down"),
        "private": web_privacy(),
        "joining": _("One moment..."),
        "lost": _("The connection is lost: trying again..."),
        "ended": _("You have left the table. Your seat is kept: tap to come back."),
        "elsewhere": _("You play in another window now. Tap to play here."),
        "keyboard": pgettext("button", "type"),
        "refused_code": _("That is not the room code. Ask your host for it."),
        "refused_seat": _("The table no longer knows this seat: type the room code again."),
        "refused_wait": _("Too many wrong codes: wait {seconds} seconds, then try again."),
        "refused_full": _("No more browsers fit at this table: one of them has to leave first."),
        "refused_version": _("This page is out of date: load it again."),
        "refused_table": _("The table does not answer: tell your host."),
        "refused_name": _("Type a name with at least one letter."),
    }
