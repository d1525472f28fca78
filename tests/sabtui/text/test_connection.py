"""Why the table refused, and why a seat ended: alike only where the same is to be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from net.client.session import ConnectionState, Ending, Status
from net.client.trail import GameState
from net.protocol.lobby import Lobby, Settings
from net.protocol.lobby_events import BotSat, Entered, ReadyChanged, SatDown
from net.protocol.messages import CloseReason, DiskStatus, Refusal, TableSealed
from net.room.fold import apply
from net.secure.client import Rejection
from net.secure.connection import ConnectionFault
from sabtui.text.connection import disk_sentence, own_news, standing, why_ended
from sabtui.text.reasons import refusal_sentence
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby

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
        {Refusal.NOT_YOUR_TURN, Refusal.STALE},
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
        {ConnectionFault.BACKLOG, CloseReason.TOO_SLOW},
        {
            ConnectionFault.BAD_FRAME,
            CloseReason.OUT_OF_ORDER,
            Rejection.NOT_UNDERSTOOD,
            Rejection.UPDATE_CLIENT,
            Rejection.UPDATE_HOST,
        },
        {ConnectionFault.LOST, ConnectionFault.OVER_BUDGET, ConnectionFault.OVERDUE},
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


def test_a_computer_at_which_no_game_can_go_on_is_news_to_its_player_and_the_host_once() -> None:
    before = Status(ConnectionState.CONNECTED, BRUNO, HELD)
    after = replace(before, cannot_host=frozenset((BRUNO, DEDE)))
    (yours,) = own_news(after, before)
    *_, theirs = own_news(replace(after, member=ANA), replace(before, member=ANA))
    assert all(map(is_sentence, (yours, theirs)))
    assert "your computer (a firewall?)" in yours
    assert theirs.startswith("The host cannot connect to Dede's computer")
    assert own_news(after, after) == []
    assert own_news(after, Status()) == [], "the screen that opens next does not repeat it"


def at_computers(*numbers: int) -> Status:
    """A lobby in which all are ready, and play at these computers, the host first."""
    lobby = Lobby.empty("Gold Rush", Settings(seats=len(numbers) + 2))
    for member, computer in enumerate(numbers, 1):
        lobby = apply(lobby, Entered(member, f"P{member}", member == 1, computer=computer))
        lobby = apply(lobby, SatDown(member - 1, member))
        lobby = apply(lobby, ReadyChanged(member - 1, ready=True))
    for seat in (len(numbers), len(numbers) + 1):
        lobby = apply(lobby, BotSat(seat, f"Bot {seat}", "easy"))
    return Status(ConnectionState.CONNECTED, 2, replace(HELD, lobby=lobby, view=None))


def test_before_a_game_all_are_told_once_what_depends_on_the_hosts_computer() -> None:
    before = at_computers(0, 0)
    assert before.lobby is not None
    begun = replace(
        before,
        game_state=replace(
            HELD, lobby=apply(before.lobby, ReadyChanged(1, ready=False)), view=None
        ),
    )
    reads, goes = "so P1 could read this game", "If P1's computer is gone"
    for told, numbers in (
        ((reads, goes), (0, 0, 0)),
        ((goes,), (0, 0, 1)),
        ((), (0, 1, 2)),
        ((), (0,)),
    ):
        status = at_computers(*numbers)
        lines = own_news(replace(status, member=2), replace(begun, member=2))
        assert len(lines) == len(told)
        assert all(part in line for part, line in zip(told, lines, strict=True))
        assert own_news(status, status) == []
        hosts = own_news(replace(status, member=1), replace(begun, member=1))
        assert len(hosts) == len(told)
        assert all("your computer" in line for line in hosts)


def test_who_is_counted_at_the_hosts_computer_and_is_not_there_is_told() -> None:
    before = at_computers(0, 0)
    (line,) = own_news(replace(before, misplaced=True), before)
    assert is_sentence(line)
    assert own_news(replace(before, misplaced=True), replace(before, misplaced=True)) == []


def test_a_lost_host_means_something_else_to_each() -> None:
    lost = Status(ConnectionState.LOST, BRUNO, HELD)
    assert standing(lost) == "Lost connection to the host; trying again. Your seat is kept."
    watching = replace(lost, member=EVA)
    assert standing(watching) == "Lost connection to the host; trying again."
    assert "sabtui host --resume" in standing(replace(lost, member=ANA))
    of_a_club = replace(lost, member=ANA, in_club=True)
    assert standing(of_a_club) == standing(lost), "the club brings its tables back"


def test_a_sealed_table_says_whom_it_waits_for() -> None:
    told = {
        TableSealed(1, ("Bruno",)): "The game is encrypted until Bruno is back.",
        TableSealed(1, ("Bruno",), yours=True): (
            "The game is encrypted until Bruno is back. If they never come, close it for good."
        ),
        TableSealed(
            2, ("Bruno", "Chiara")
        ): "The game is encrypted until Bruno and Chiara are back.",
        TableSealed(
            1, ("Bruno", "Chiara")
        ): "The game is encrypted until one of these is back: Bruno and Chiara.",
        TableSealed(2, ("Bruno", "Chiara", "Dede")): (
            "The game is encrypted until 2 of these are back: Bruno, Chiara and Dede."
        ),
        TableSealed(1, ("Bruno",), wrong=("Dede",)): (
            "The game is encrypted until Bruno is back. Not recognised: Dede. They "
            "must use the same computer and account as before."
        ),
    }
    for connection in (ConnectionState.CONNECTING, ConnectionState.LOST):
        for sealed, text in told.items():
            assert standing(Status(connection, sealed=sealed)) == text
    broken = TableSealed(0, (), broken=True)
    assert is_sentence(standing(Status(sealed=broken)))
    assert "cannot be opened" in standing(Status(sealed=broken))


def test_only_the_host_is_told_what_to_do_about_the_disk() -> None:
    told = {disk_sentence(disk, is_host=host) for disk in DiskStatus for host in (True, False)}
    assert all(map(is_sentence, told))
    assert len(told) == 4, "unsaved, all are told the same"
    assert "The game cannot be saved, so it is on hold: free" in disk_sentence(
        DiskStatus.FULL, is_host=True
    )


def test_the_host_who_closed_the_table_is_not_told_to_look_for_another() -> None:
    assert why_ended(CloseReason.CLOSED, is_host=True) == "You have closed the table."
    assert why_ended(CloseReason.TOO_MUCH, is_host=True) == why_ended(CloseReason.TOO_MUCH)
