"""What argparse says by itself, in the language spoken: its headings, and its complaints.

argparse asks gettext for its texts under two names of its own module, and knows one language for a
process; those names are ours once it was taught.
"""

from __future__ import annotations

import argparse

from sabtui.words.tongue import _, ngettext


def teach_argparse() -> None:
    """Let argparse say its own texts in the language spoken."""
    vars(argparse).update({"_": of_argparse, "ngettext": many_of_argparse})


def of_argparse(message: str) -> str:
    """A text of argparse: those that can come up here. What it says to developers stays English."""
    # Translators: %(...)s and %r are filled in by argparse.
    said = {
        "usage: ": _("usage: "),
        "options": _("options"),
        "%(heading)s:": _("%(heading)s:"),
        "positional arguments": _("positional arguments"),
        "show this help message and exit": _("show this help message and exit"),
        "argument %(argument_name)s: %(message)s": _("argument %(argument_name)s: %(message)s"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "ambiguous option: %(option)s could match %(matches)s"
        ),
        "expected one argument": _("expected one argument"),
        "expected at most one argument": _("expected at most one argument"),
        "ignored explicit argument %r": _("ignored explicit argument %r"),
        "invalid choice: %(value)r (choose from %(choices)s)": _(
            "invalid choice: %(value)r (choose from %(choices)s)"
        ),
        "not allowed with argument %s": _("not allowed with argument %s"),
        "the following arguments are required: %s": _("the following arguments are required: %s"),
        "unrecognized arguments: %s": _("unrecognized arguments: %s"),
    }
    return said.get(message, message)


def many_of_argparse(one: str, many: str, count: int) -> str:
    """A text of argparse that depends on a number."""
    if one == "expected %s argument":
        return ngettext("expected %s argument", "expected %s arguments", count)
    return one if count == 1 else many
