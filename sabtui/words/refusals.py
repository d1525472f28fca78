"""Why the table did not do what one wanted: one sentence each, that says what to do instead.

Knows the host's answers alone. Why a move cannot be made, `reasons` tells better.
"""

from __future__ import annotations

from typing import assert_never

from net.messages import No
from sabtui.words.tongue import _


def refused(why: No) -> str:  # noqa: C901 - a sentence for each, and nothing else
    """Say why the table refused something."""
    match why:
        case No.NAME_TAKEN:
            return _("Somebody at the table has that name: take another.")
        case No.NO_NAME:
            return _("That name has no letter that can be shown: take another.")
        case No.TABLE_FULL:
            return _("The table has no room for one more, not even to watch: try again later.")
        case No.HOST_ONLY:
            return _("Only the host of the table can do that: ask for it.")
        case No.HOST_STAYS:
            return _("The host cannot go while the table is open: close it, or stay.")
        case No.NO_SEAT:
            return _("You are watching, and that takes a seat: sit down first, if one is free.")
        case No.NOT_NOW:
            return _("Not at this stage of the game: wait for another.")
        case No.NOT_YOUR_TURN:
            return _("It was not your turn: wait until it is.")
        case No.STALE:
            return _("The turn was another by then: look again, and choose anew.")
        case No.ILLEGAL:
            return _("The rules forbid that move: choose another.")
        case No.PAUSED:
            return _("The game is paused: wait until the host lets it go on.")
        case No.DISK_FULL:
            return _("The host's disk is full, so nothing can happen: wait until it has room.")
        case No.NO_SUCH_SEAT:
            return _("The table has no such seat: name one of those it has.")
        case No.NO_SUCH_PERSON:
            return _("Nobody of that name is at the table any more: look who is.")
        case No.SEAT_TAKEN:
            return _("That seat is taken: choose a free one.")
        case No.SEATED:
            return _("A seat is for somebody who watches: whoever has one stands up first.")
        case No.HOLDS_CARDS:
            return _("That seat holds cards that nobody new may see: wait until the round is over.")
        case No.TOO_FEW:
            return _("A game needs three players at least: wait for more, or add bots.")
        case No.NOT_READY:
            return _("Not everybody is ready: wait for them, or free their seats.")
        case No.NO_TEXT:
            return _("Nothing was left to say: write a word.")
        case No.NO_SUCH_CLAIM:
            return _("There is nothing at this table that this claims: choose from the list.")
        case No.NO_SUCH_EDITION:
            return _("There is no such edition: choose one of those that are listed.")
        case No.NO_SUCH_BOT:
            return _("There is no such bot: choose one of those that are listed.")
        case No.TOO_FAST:
            return _("That was too much at once: wait a few seconds, and try again.")
        case No.LOCKED:
            return _("The table is locked, so nobody new comes in: ask its host to unlock it.")
        case No.SENT_AWAY:
            return _("The host sent you away from this table: ask them for the new room code.")
        case No.CROWDED:
            return _("Too many at the table come from your address: one of them leaves first.")
        case No.NO_CODE:
            return _("This table asks for no code: lock it to let nobody new in.")
        case _:
            assert_never(why)
