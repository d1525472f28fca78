"""Catalogue of the deeds at a table: each once, for lobby, table, footer, palette and lines.

Here are those about the game and the table, which are the host's, and the catalogue of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from net.client.session import Status
from net.protocol.messages import Refusal
from net.protocol.requests import (
    Close,
    DoorKind,
    GiveHost,
    GoOnHere,
    GoOnWithout,
    GoUnsaved,
    LetBotMove,
    Lock,
    NewCode,
    NextRound,
    Nudge,
    Pause,
    PlayAgain,
    SwitchDoor,
    WaitNoLonger,
)
from sabtui.table.deed import Argument, Deed, hide_keys, show_keys
from sabtui.table.seat_deeds import FILLING, HAND_OVER, SEATING, STARTING
from sabtui.text.i18n import _, pgettext
from sabtui.text.moving import seat_needed, why_not_here
from sabtui.text.seats import between_rounds, game_lost, saving_works

UNSAVED: Final = Deed(
    "unsaved",
    lambda: _("play on unsaved; a crash loses the game"),
    lambda _aim: GoUnsaved(),
    label=lambda: _("unsaved"),
    lobby=show_keys("f"),
    table=show_keys("f"),
    typed=("unsaved",),
    instead=lambda _aim: {Refusal.NOT_NOW: saving_works()},
    question=lambda _aim: _("Play on unsaved? If the table's computer stops, the game is lost."),
)

PAUSE_KEY: Final = "P"
"""Key of the host that pauses and resumes the game."""

PAUSE: Final[Deed] = Deed(
    "pause",
    lambda: _("pause or resume the game"),
    lambda aim: Pause(aim.word == PAUSE.typed[0] if aim.word else not aim.lobby.paused),
    table=hide_keys(PAUSE_KEY),
    typed=("pause", "go"),
    # Translators: more words by which the command "pause or resume the game" is found.
    search=lambda: pgettext("search", "go on, continue, unpause, stop"),
)

NEXT_ROUND: Final = Deed(
    "next round",
    lambda: _("deal the next round without waiting"),
    lambda _aim: NextRound(),
    table=hide_keys(),
    typed=("next",),
    instead=lambda _aim: {Refusal.NOT_NOW: between_rounds()},
)


PLAY_AGAIN: Final = Deed(
    "again",
    lambda: _("play another game"),
    lambda _aim: PlayAgain(),
    typed=("again", "a"),
)

LOCK: Final[Deed] = Deed(
    "lock",
    lambda: _("lock the table to newcomers, or unlock it"),
    lambda aim: Lock(aim.word == LOCK.typed[0] if aim.word else not aim.lobby.locked),
    label=lambda: _("lock"),
    lobby=hide_keys(),
    table=hide_keys(),
    typed=("lock", "unlock"),
)

NEW_CODE: Final = Deed(
    "new code",
    lambda: _("replace the room code; the old one expires"),
    lambda _aim: NewCode(),
    label=lambda: _("new code"),
    lobby=hide_keys(),
    table=hide_keys(),
    typed=("code",),
)


def is_open(status: Status, kind: DoorKind) -> bool:
    """Return True if a door is open."""
    return any(door.kind is kind and door.port for door in status.doors)


SSH_DOOR: Final = Deed(
    "ssh door",
    lambda: _("open or close the SSH door: friends need nothing but ssh"),
    lambda aim: SwitchDoor(DoorKind.SSH, open=not is_open(aim.status, DoorKind.SSH)),
    label=lambda: _("SSH door"),
    lobby=hide_keys("d"),
)


def closing_question() -> str:
    """Return the question before a table is closed for good."""
    return _("Close the table for everybody?")


CLOSE: Final = Deed(
    "close",
    lambda: _("close the table for good"),
    lambda _aim: Close(),
    table=hide_keys("C"),
    typed=("close",),
    question=lambda _aim: closing_question(),
    warning=lambda aim: game_lost() if aim.is_in_game else "",
    is_final=True,
)

GO_ON: Final = Deed(
    "go on here",
    lambda: _("go on with the table at your computer, if the host's is gone"),
    lambda _aim: GoOnHere(),
    lambda status: status.can_host and not status.is_host,
    label=lambda: _("go on here"),
    lobby=hide_keys("G"),
    table=hide_keys("G"),
    typed=("go-on",),
    instead=lambda aim: {Refusal.NOT_NOW: why_not_here(aim.status)},
    question=lambda _aim: _("Go on with the table at your computer?"),
    is_listed=False,
)

GO_ON_WITH_DOORS: Final = replace(
    GO_ON,
    name="go on with doors",
    purpose=lambda: _("the same, with doors for guests"),
    request=lambda aim: GoOnHere(aim.status.open_doors),
    concerns=lambda status: GO_ON.concerns(status) and bool(status.door_guests),
    lobby=hide_keys("D"),
    table=hide_keys("D"),
    typed=("go-on-doors",),
)

GIVE_HOST: Final = Deed(
    "give host",
    lambda: _("ask a player to run the table at their computer"),
    lambda aim: None if aim.member is None else GiveHost(aim.member),
    lobby=hide_keys("G"),
    table=hide_keys("G"),
    typed=("give-host",),
    takes=Argument.PERSON,
    instead=lambda _aim: {Refusal.NO_SEAT: seat_needed()},
    question=lambda aim: (
        "" if aim.member is None else _("Ask {name} to run the table?").format(name=aim.name)
    ),
)

WAIT_NO_LONGER: Final = Deed(
    "wait no longer",
    lambda: _("play without those who are gone"),
    lambda aim: WaitNoLonger() if aim.status.gathering is not None else GoOnWithout(),
    lambda status: status.gathering is not None or status.short,
    lobby=hide_keys("E"),
    table=hide_keys("E"),
    typed=("enough",),
    instead=lambda _aim: {Refusal.NOT_NOW: _("Nobody is waited for.")},
    is_listed=False,
)

NUDGE: Final = Deed(
    "nudge",
    # Translators: knock on the table, so that whoever is to play looks up.
    lambda: _("knock on the table, for who is to play"),
    lambda _aim: Nudge(),
    lambda status: status.seat is not None,
    table=hide_keys("exclamation_mark"),
    typed=("nudge",),
    instead=lambda _aim: {Refusal.NOT_NOW: _("Nobody is waited for.")},
)

LET_BOT_MOVE: Final = Deed(
    "let bot move",
    lambda: _("let a bot make the move of who is long about it"),
    lambda _aim: LetBotMove(),
    lambda status: status.seat is not None or status.is_host,
    table=hide_keys(),
    typed=("bot-move",),
    instead=lambda _aim: {Refusal.NOT_NOW: _("Nobody is waited for.")},
    is_listed=False,
)

WAITING: Final = (NUDGE, LET_BOT_MOVE)

MOVING: Final = (GO_ON, GO_ON_WITH_DOORS, WAIT_NO_LONGER)

HOSTING: Final = (
    HAND_OVER,
    GIVE_HOST,
    UNSAVED,
    PAUSE,
    NEXT_ROUND,
    PLAY_AGAIN,
    LOCK,
    NEW_CODE,
    SSH_DOOR,
    CLOSE,
)
DEEDS: Final = (*STARTING, *SEATING, *FILLING, *WAITING, *MOVING, *HOSTING)
"""Every deed, the families in the order in which footer and help show them."""


def refuse_twins(spellings: Iterable[str]) -> None:
    """Raise `ValueError` if two commands share a spelling: one of them could never be given."""
    twins = [spelling for spelling, times in Counter(spellings).items() if times > 1]
    if twins:
        raise ValueError(f"two commands are spelt {', '.join(twins)}")


refuse_twins(deed.name for deed in DEEDS)
