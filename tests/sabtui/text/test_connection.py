"""Connections, doors, checks of games, and errors of the system, in words."""

from __future__ import annotations

import errno
import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import Note, NoteKind
from net.client.session import ConnectionState, Ending, Received, RoundWords, Status
from net.client.trail import GameState
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import CloseReason, DiskStatus, Refusal
from net.secure.address import Address
from net.secure.connection import ConnectionFault
from net.secure.handshake import Rejection
from sabtui.text.audit import check_line, words_sentence, wrong_lines
from sabtui.text.connection import (
    disk_sentence,
    own_news,
    state_words,
    why_ended,
    without_open_doors,
)
from sabtui.text.door_words import INSTALL_COMMAND, PLAY_COMMAND, door_lines, door_sentence, host_of
from sabtui.text.errors import ago, not_written, system_words
from sabtui.text.i18n import Locale, put_title
from sabtui.text.network import join_network_first, no_search
from sabtui.text.reasons import refusal_sentence
from tests.sabtui.tables import ANA, BRUNO, EVA, lobby
from tests.sabtui.text.made_up_languages import LETTERS, Pseudo
from tests.sabtui.tui.tour import speak

ENDINGS: tuple[Ending, ...] = (*CloseReason, *Rejection, *ConnectionFault, *Refusal)
HELD = GameState(1, 1, lobby(), None)

NO_REASON = {Refusal.NOT_NOW, Refusal.NOT_YOUR_TURN, Refusal.NO_TEXT}
"""Refusals after which a player can only wait, or that say but what to do."""


ADVICE = re.compile(r": \w|\. (?:Ask|Check|Choose|Join|Look|Talk|Try|Wait)\b")
"""What to do, behind a colon or in a sentence of its own."""


def is_sentence(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".?" and text.isprintable() and len(text) < 130


def test_every_ending_and_every_refusal_says_what_to_do() -> None:
    assert all(is_sentence(why_ended(why)) for why in ENDINGS)
    assert all(is_sentence(refusal_sentence(why)) for why in Refusal)
    reasoned = [refusal_sentence(why) for why in Refusal if why not in NO_REASON]
    assert [said for said in reasoned if not ADVICE.search(said)] == []
    assert why_ended(None) == "You have left the table."


def test_a_link_is_told_as_it_stands() -> None:
    lines = [state_words(Status(how, BRUNO, HELD)) for how in ConnectionState]
    assert all(map(is_sentence, lines))
    assert len(set(lines)) == len(lines)
    over = Status(ConnectionState.ENDED, ending=CloseReason.KICKED)
    assert state_words(over) == why_ended(CloseReason.KICKED)


def test_a_lost_host_means_something_else_to_each() -> None:
    lost = Status(ConnectionState.LOST, BRUNO, HELD)
    assert state_words(lost) == "Lost connection to the host; trying again. Your seat is kept."
    watching = replace(lost, member=EVA)
    assert state_words(watching) == "Lost connection to the host; trying again."
    assert "sabtui host --resume" in state_words(replace(lost, member=ANA))
    of_a_club = replace(lost, member=ANA, in_club=True)
    assert state_words(of_a_club) == state_words(lost), "the club brings its tables back"


def test_only_the_host_is_told_what_to_do_about_the_disk() -> None:
    told = {disk_sentence(disk, is_host=host) for disk in DiskStatus for host in (True, False)}
    assert all(map(is_sentence, told))
    assert len(told) == 9, "only the host is told why the game waits"
    assert "The game cannot be saved, so it is on hold: free" in disk_sentence(
        DiskStatus.FULL, is_host=True
    )


@pytest.mark.parametrize(
    ("disk", "problem"),
    [
        (DiskStatus.QUOTA, "Disk quota used up. "),
        (DiskStatus.READ_ONLY, "Read-only file system. "),
        (DiskStatus.CUT_OFF, "The network drive was cut off. "),
        (DiskStatus.FAULTY, "The disk reports a fault. "),
        (DiskStatus.OTHER, "The game cannot be saved, so"),
    ],
)
def test_the_host_is_told_why_the_game_cannot_be_saved(disk: DiskStatus, problem: str) -> None:
    text = disk_sentence(disk, is_host=True)
    assert text.startswith(problem)
    assert text.endswith("on hold: fix that, or play on unsaved.")


# Doors.

ROOT = Path(__file__).parents[3]
LOBBY = structs.replace(Lobby.empty("Gold Rush", Settings()), host=1)
HOST = Status(member=1, game_state=GameState(1, 1, LOBBY, None))
OPEN = DoorNow(DoorKind.SSH, 7351, "SHA256:16xF")


def test_the_line_for_friends_has_the_likeliest_address_and_the_key_beside_it() -> None:
    lines = [put_title(*told) for told in door_lines([OPEN], ["192.168.1.20:7341"])]
    assert lines == [
        "In any terminal: ssh -p 7351 NAME@192.168.1.20",
        "SSH key fingerprint: SHA256:16xF",
    ]
    assert door_lines([DoorNow(DoorKind.SSH)], ["192.168.1.20:7341"]) == []
    assert host_of("[fe80::1%eth0]:7341") == "fe80::1%eth0"


def test_what_a_door_lacks_comes_with_the_commands_that_the_docs_give() -> None:
    makefile, page = (ROOT / name for name in ("Makefile", "docs/hosting.md"))
    assert f"\n{PLAY_COMMAND.removeprefix('make ')}:" in makefile.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").count(f"`{INSTALL_COMMAND}`") == len(DoorKind)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for kind in DoorKind:
        told = door_sentence(DoorNow(kind, trouble=DoorTrouble.MISSING))
        assert PLAY_COMMAND in told
        assert INSTALL_COMMAND in told
        assert kind in INSTALL_COMMAND
        assert kind in project["optional-dependencies"]


def test_each_trouble_of_a_door_has_its_sentence() -> None:
    troubles = [DoorNow(kind, trouble=trouble) for kind in DoorKind for trouble in DoorTrouble]
    told = {door_sentence(door) for door in troubles}
    assert len(told) == len(troubles)
    assert all(sentence.endswith(".") for sentence in told)


CLOSED, BROKEN = DoorNow(DoorKind.SSH), DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED)
RENEWED = DoorNow(DoorKind.SSH, 7351, "SHA256:16xF", DoorTrouble.NEW_KEY)
HERE = ("192.168.1.20", "10.0.0.5")
LINES = [
    "In any terminal: ssh -p 7351 NAME@192.168.1.20",
    "SSH key fingerprint: SHA256:16xF",
]


@pytest.mark.parametrize(
    ("before", "now", "addresses", "told"),
    [
        ((), (OPEN,), HERE, LINES),
        ((), (RENEWED,), HERE, [*LINES, door_sentence(RENEWED, "192.168.1.20")]),
        ((), (BROKEN,), HERE, [door_sentence(BROKEN)]),
        ((OPEN,), (CLOSED,), (), [door_sentence(CLOSED)]),
        ((), (CLOSED,), (), []),
        ((OPEN,), (OPEN,), (), []),
    ],
    ids=range(6),
)
def test_the_host_is_told_of_a_door_that_opens_or_closes_or_has_trouble_and_no_guest(
    before: tuple[DoorNow, ...],
    now: tuple[DoorNow, ...],
    addresses: tuple[str, ...],
    told: list[str],
) -> None:
    outside = tuple(Address(host, 7341) for host in addresses)
    host, guest = replace(HOST, outside=outside), Status(outside=outside)
    assert own_news(replace(host, doors=now), replace(host, doors=before)) == told
    assert own_news(replace(guest, doors=now), replace(guest, doors=before)) == []


def test_beside_the_open_doors_only_trouble_is_news() -> None:
    host = replace(HOST, outside=(Address("192.168.1.20", 7341),))
    told = door_sentence(RENEWED, "192.168.1.20")
    assert "ssh-keygen -R '[192.168.1.20]:7351'" in told
    news = own_news(without_open_doors(replace(host, doors=(OPEN, RENEWED))), host)
    assert (len(news), news[-1]) == (3, told), "the lines with the new key, and why it is new"


# Checks of games.

ALL = ("Ana", "Bruno", "Chiara", "Dede")
CHECKED = "Checked: dealt by Ana, Bruno, Chiara and Dede together; everything you saw matches."


MOVED = "The table moved in round 2: the deals up to then cannot be checked."
DEALT = "Dealt by Ana, Bruno, Chiara and Dede together."
LEFT_OUT = ((2, ("Bruno", "Dede")), (3, ("Dede",)))
VOIDS = (
    Note(NoteKind.VOID, 1, ("Dede",)),
    Note(NoteKind.VOID, 2, ("Bruno", "Chiara"), count=2),
)
DROPPED = (Note(NoteKind.VOID, 1, count=3),)


@pytest.mark.parametrize(
    ("audit", "line"),
    [
        (Audit(ALL), CHECKED),
        (
            Audit(("Ana",), ((1, ("Bruno",)),)),
            "Dealt by the host alone. Round 1 was dealt without Bruno.",
        ),
        (
            Audit(("", "Ana", "Bruno")),
            "Checked: dealt by Ana and Bruno together; everything you saw matches.",
        ),
        (
            Audit(("", "Ana")),
            "Checked: dealt by Ana and the host's computer; everything you saw matches.",
        ),
        (Audit(("",)), "Dealt by the host alone."),
        (Audit(ALL, at_door=True), f"The host's computer says: {CHECKED}"),
        (Audit(("Ana",), moved=(1, 2)), MOVED),
        (Audit(ALL, moved=(1, 2)), f"{MOVED} {CHECKED}"),
        (
            Audit(ALL, missed=(2,)),
            f"{CHECKED} You were away for part of round 2.",
        ),
        (
            Audit(ALL, LEFT_OUT, (1,), missed=(2, 3)),
            (
                f"{DEALT} Round 2 was dealt without Bruno and Dede. "
                "Round 3 was dealt without Dede. You were away for part of round 1. "
                "You were away for part of round 2. You were away for part of round 3."
            ),
        ),
        (
            Audit(ALL, voids=VOIDS),
            (
                f"{CHECKED} Round 1 was dealt again because Dede left or did not answer. Round 2 "
                "was dealt again because Bruno and Chiara left or did not answer. Abandoned deals "
                "of round 2: 2."
            ),
        ),
        (
            Audit(ALL, voids=DROPPED),
            (
                f"{DEALT} The host's program abandoned a deal of round 1 and made another. "
                "Abandoned deals of round 1: 3."
            ),
        ),
        (
            Audit(ALL, lost_steps=3),
            (f"{DEALT} This table goes on without the last 3 steps that you saw."),
        ),
        (
            Audit(ALL, is_first=False),
            f"{DEALT} You were away when the game before this one ended: it was not checked.",
        ),
    ],
)
def test_a_game_that_checks_is_one_line_with_all_who_dealt(audit: Audit, line: str) -> None:
    assert check_line(audit) == line
    assert wrong_lines(Received(audit=audit)) == []


def test_a_false_draw_and_whose_share_is_left_out_are_told_at_once() -> None:
    assert wrong_lines(Received(left_out=(2, 3), false_draws=(1,))) == [
        ("Round 1 was not dealt jointly: the host could have chosen the cards."),
        "Your program answered too late, so round 2 is dealt without it.",
        "Your program answered too late, so round 3 is dealt without it.",
    ]


def test_each_mismatch_has_a_sentence() -> None:
    lines = {check_line(Audit(ALL, mismatches=(Mismatch(kind, 2),))) for kind in MismatchKind}
    assert len(lines) == len(MismatchKind) - 4, (
        "three ways to choose a deal are one, and so are three records"
    )
    assert not any("fits" in line for line in lines)
    found = Audit(ALL, mismatches=tuple(Mismatch(kind, 2) for kind in MismatchKind))
    (line,) = wrong_lines(Received(audit=found))
    assert line == check_line(found)


WORDS = ("amber", "tulip", "cedar", "lemon", "goat", "piano")


def test_words_are_told_with_their_round_or_why_there_are_none() -> None:
    assert words_sentence(RoundWords((b"9", 2), WORDS)) == (
        "Six words to compare for round 2: amber tulip cedar, lemon goat piano"
    )
    assert words_sentence(RoundWords((b"9", 2), away=True)) == (
        "Round 2 has no check words. You were away for part of round 2."
    )
    assert words_sentence(RoundWords((b"9", 2), lost_steps=3)) == (
        "Round 2 has no check words. This table goes on without the last 3 steps that you saw."
    )


# Errors of the system, and times.


def error(number: int) -> OSError:
    """An error of the system, as Python raises it."""
    return OSError(number, os.strerror(number))


def test_only_a_rare_reason_is_told_in_the_systems_own_words() -> None:
    assert system_words(error(errno.ENOSPC)) == "No space left on device"
    with speak(Locale("xx", Pseudo())):
        assert system_words(error(errno.ENOSPC)) == "No space left on device".translate(LETTERS)
        assert system_words(error(errno.EISDIR)) == os.strerror(errno.EISDIR)


def test_what_cannot_be_written_is_told_with_the_reason() -> None:
    assert not_written("game.sab", error(errno.EACCES)) == (
        "Cannot write game.sab (Permission denied). Give this user permission there."
    )
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ESTALE, errno.EIO):
        told = not_written("game.sab", error(number))
        assert told.startswith("Cannot write game.sab (")
        assert told.count(".") == 3, "it says what to do"
    assert not_written("\0", ValueError("embedded null")) == "Cannot write \0 (embedded null)."


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "just now"),
        (59.9, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (90_000, "1 day ago"),
        (-90_000, "just now"),
    ],
)
def test_a_time_is_told_in_its_largest_unit(seconds: float, text: str) -> None:
    assert ago(seconds) == text


def test_a_search_that_no_network_allows_says_to_join_one_and_other_troubles_their_reason() -> None:
    assert no_search(OSError(errno.ENETDOWN, "no interfaces"), "a") == join_network_first()
    told = no_search(OSError(errno.EACCES, ""), "sabtui join ADDRESS")
    assert (
        told
        == "Cannot look for games here (Permission denied); join by address: sabtui join ADDRESS"
    )
