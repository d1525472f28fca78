"""Why the table refused, and why a seat ended: alike only where the same is to be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from net.client.session import ConnectionState, Ending, Status
from net.client.trail import GameState
from net.protocol.messages import CloseReason, DiskStatus, Refusal
from net.secure.connection import ConnectionFault
from net.secure.handshake import Rejection
from sabtui.text.connection import disk_sentence, standing, why_ended
from sabtui.text.reasons import refusal_sentence
from tests.sabtui.tables import ANA, BRUNO, EVA, lobby

ENDINGS: tuple[Ending, ...] = (*CloseReason, *Rejection, *ConnectionFault, *Refusal)
HELD = GameState(1, 1, lobby(), None)

NO_REASON = {Refusal.NOT_NOW, Refusal.NOT_YOUR_TURN, Refusal.NO_TEXT}
"""Refusals after which a player can only wait, or that say but what to do."""


def is_sentence(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".?" and text.isprintable() and len(text) < 130


def test_every_refusal_says_another_thing_to_do() -> None:
    lines = [refusal_sentence(why) for why in Refusal]
    assert all(map(is_sentence, lines))
    assert all(": " in refusal_sentence(why) for why in Refusal if why not in NO_REASON)
    assert told_alike(Refusal, refusal_sentence) == [
        {Refusal.TABLE_FULL, Refusal.CROWDED, Refusal.BUSY},
        {Refusal.CLUB_FULL, Refusal.TABLES_ENOUGH},
        {Refusal.ILLEGAL, Refusal.NOT_YOUR_TURN, Refusal.STALE},
        {Refusal.NO_SUCH_CLAIM, Refusal.NO_SUCH_EDITION, Refusal.NO_SUCH_BOT},
        {Refusal.NO_SUCH_SEAT, Refusal.SEAT_TAKEN},
    ]


Why = TypeVar("Why", bound=Enum)


def told_alike(whys: Iterable[Why], tell: Callable[[Why], str]) -> list[set[Why]]:
    """The groups of what is told in one sentence, as the same is to be done."""
    groups: dict[str, set[Why]] = {}
    for why in whys:
        groups.setdefault(tell(why), set()).add(why)
    alike = [group for group in groups.values() if len(group) > 1]
    return sorted(alike, key=lambda group: min(why.name for why in group))


def test_every_ending_says_what_to_do() -> None:
    lines = [why_ended(why) for why in ENDINGS]
    assert all(map(is_sentence, lines))
    assert told_alike([why for why in ENDINGS if not isinstance(why, Refusal)], why_ended) == [
        {
            ConnectionFault.LOST,
            ConnectionFault.BACKLOG,
            ConnectionFault.OVER_BUDGET,
            ConnectionFault.OVERDUE,
            ConnectionFault.REFUSED,
            CloseReason.FORGOTTEN,
            CloseReason.TOO_SLOW,
        },
        {
            ConnectionFault.BAD_FRAME,
            CloseReason.OUT_OF_ORDER,
            Rejection.NOT_UNDERSTOOD,
            Rejection.UPDATE_CLIENT,
            Rejection.UPDATE_HOST,
        },
        {CloseReason.CLOSED, CloseReason.NO_TABLE},
        {Rejection.HOST_UNPROVEN, Rejection.NOT_OUR_HOST},
        {ConnectionFault.NO_TABLE, ConnectionFault.UNREACHABLE},
        {CloseReason.TOO_MUCH, Rejection.SLOW_DOWN},
    ]
    assert why_ended(None) == "You have left the table."


def test_a_link_is_told_as_it_stands() -> None:
    lines = [standing(Status(how, BRUNO, HELD)) for how in ConnectionState]
    assert all(map(is_sentence, lines))
    assert len(set(lines)) == len(lines)
    over = Status(ConnectionState.ENDED, ending=CloseReason.KICKED)
    assert standing(over) == why_ended(CloseReason.KICKED)


def test_a_lost_host_means_something_else_to_each() -> None:
    lost = Status(ConnectionState.LOST, BRUNO, HELD)
    assert standing(lost) == "Lost connection to the host; trying again. The seat is kept."
    watching = replace(lost, member=EVA)
    assert standing(watching) == "Lost connection to the host; trying again."
    assert "sabtui host --resume" in standing(replace(lost, member=ANA))
    of_a_club = replace(lost, member=ANA, in_club=True)
    assert standing(of_a_club) == standing(lost), "the club brings its tables back"


def test_only_the_host_is_told_what_to_do_about_the_disk() -> None:
    told = {disk_sentence(disk, is_host=host) for disk in DiskStatus for host in (True, False)}
    assert all(map(is_sentence, told))
    assert len(told) == 4, "unsaved, all are told the same"
    assert "The game cannot be saved, so it is on hold: free" in disk_sentence(
        DiskStatus.FULL, is_host=True
    )
