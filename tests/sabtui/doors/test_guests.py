"""The guests of a door: who is known by what, kept in a folder, counted for, and gives way."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from sabtui.doors.guests import (
    FORGOTTEN_AFTER_S,
    MAX_ASKED,
    MAX_GUESTS,
    MAX_SECRETS,
    NEWEST_GUESTS,
    Caller,
    GuestBook,
    SeatCheck,
    guest_book,
    keep_guests,
    plain_address,
)

KEY, OTHER = "SHA256:one", "SHA256:two"


def test_who_has_no_secret_is_known_by_name_however_it_is_typed(tmp_path: Path) -> None:
    book = GuestBook(tmp_path / "table")
    anna = book.add(Caller("Anna"))
    home = book.home(anna)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700, "it is for the host's account alone"
    assert stat.S_IMODE((home / "guest.json").stat().st_mode) == 0o600
    assert book.find_known(Caller(" aNNa ")) == [anna]
    assert book.find_known(Caller("Ann")) == []
    assert GuestBook(book.folder).find_known(Caller("anna")) == [anna], "they are on disk"


def test_who_has_a_secret_is_known_by_proving_it_and_by_nothing_else(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    anna = book.add(Caller("Anna", offered=(KEY,)))
    assert book.find_known(Caller("anna", proven=KEY)) == [anna]
    assert book.find_known(Caller("Anna", proven=KEY)) == [anna]
    assert book.find_known(Caller("Anna")) == [], "the name alone"
    assert book.find_known(Caller("Anna", offered=(KEY,))) == [], "a key that was only offered"
    assert book.find_known(Caller("Anna", proven=OTHER)) == []
    assert book.find_known(Caller("Bob", proven=KEY)) == [], "under another name"


def test_once_a_key_is_proven_those_that_were_only_offered_open_nothing(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    eva = book.note_proof(book.add(Caller("Eva", offered=(KEY, OTHER))), OTHER)
    for read in (book, GuestBook(tmp_path)):
        assert read.find_known(Caller("Eva", proven=OTHER)) == [eva]
        assert read.find_known(Caller("Eva", proven=KEY)) == []
    assert stat.S_IMODE((book.home(eva) / "guest.json").stat().st_mode) == 0o600


def test_a_second_guest_of_a_name_has_a_seat_and_a_folder_of_their_own(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    one, two = book.add(Caller("Anna", proven=KEY)), book.add(Caller("Anna", proven=OTHER))
    assert one.seat.public != two.seat.public
    assert book.home(one) != book.home(two)
    assert book.find_known(Caller("Anna", proven=OTHER)) == [two]


def seats(*seated: bytes) -> SeatCheck:
    """A table at which these seat keys have seats, and no others."""

    async def is_seated(key: bytes) -> bool:
        return key in seated

    return is_seated


async def test_only_so_many_guests_and_secrets_are_remembered(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    first = book.add(Caller("Anna", offered=tuple(f"SHA256:{number}" for number in range(20))))
    assert len(first.marks) == MAX_SECRETS
    for number in range(MAX_GUESTS):
        book.add(Caller(f"guest {number}"))
        await book.make_room((), seats())
    assert book.find_known(Caller("Anna", proven=first.marks[0])) == []
    assert not book.home(first).exists()


async def test_the_guest_forgotten_is_who_came_last_longest_ago_and_never_one_who_is_there(
    tmp_path: Path,
) -> None:
    book = GuestBook(tmp_path)
    back, there, gone = (book.add(Caller(name)) for name in ("Anna", "Bob", "Cleo"))
    for number in range(MAX_GUESTS - 3):
        book.add(Caller(f"guest {number}"))
    book.note_visit(back)
    book.add(Caller("one more"))
    await book.make_room({there.id}, seats())
    assert [book.get(guest.id) for guest in (back, there, gone)] == [back, there, None]
    again = GuestBook(tmp_path)
    again.add(Caller("another"))
    await again.make_room((), seats())
    assert again.get(back.id) == back, "the order is on disk"
    assert again.get(there.id) is None


async def test_who_has_a_seat_is_not_forgotten_however_many_come_after(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    fay = book.add(Caller("fay"))
    for number in range(MAX_GUESTS + 8):
        book.add(Caller(f"guest {number}"))
        await book.make_room((), seats(fay.seat.public))
    assert book.find_known(Caller("fay")) == [fay]
    assert GuestBook(tmp_path).find_known(Caller("guest 0")) == []


async def test_whoever_has_just_come_is_kept_when_all_others_have_seats(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    seated = [book.add(Caller(f"guest {number}")).seat.public for number in range(MAX_GUESTS)]
    new = book.add(Caller("Anna"))  # not at the table yet
    await book.make_room((), seats(*seated))
    assert book.get(new.id) == new


async def test_the_table_is_asked_about_few_guests_at_once_and_about_all_in_the_end(
    tmp_path: Path,
) -> None:
    book, asked = GuestBook(tmp_path), list[bytes]()
    guests = [book.add(Caller(f"guest {number}")) for number in range(3 * MAX_GUESTS)]
    leaving = guests[MAX_GUESTS]

    async def is_seated(key: bytes) -> bool:
        asked.append(key)
        return key != leaving.seat.public

    for _ in range(MAX_GUESTS):
        before = len(asked)
        await book.make_room((), is_seated)
        assert len(asked) - before <= MAX_ASKED
    assert book.get(leaving.id) is None
    assert {guest.seat.public for guest in guests[:-NEWEST_GUESTS]} == set(asked)
    assert asked.count(guests[0].seat.public) > 1, "it may have left meanwhile"


async def test_who_comes_back_while_the_table_is_asked_is_not_forgotten(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    first, back, *_others = [book.add(Caller(f"guest {n}")) for n in range(2 * MAX_GUESTS)]

    async def is_seated(key: bytes) -> bool:
        if key == first.seat.public:
            book.note_visit(back)  # to watch, or in a hall
        return False

    await book.make_room((), is_seated)
    assert book.get(first.id) is None
    assert book.get(back.id) == back


def test_what_cannot_be_read_is_no_guest(tmp_path: Path) -> None:
    for name, text in (("a", "{"), ("b", '{"id": "../x", "name": "Eve", "key": ""}'), ("c", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "guest.json").write_text(text, encoding="utf-8")
    assert GuestBook(tmp_path).find_known(Caller("Eve")) == []


def age(folder: Path) -> None:
    """Make all of a table's guests so old that they may be forgotten."""
    long_ago = time.time() - FORGOTTEN_AFTER_S - 1
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (long_ago, long_ago))


def test_tables_whose_door_was_not_used_for_long_are_forgotten(tmp_path: Path) -> None:
    old, new, visited, opened = (
        guest_book(tmp_path, name) for name in ("old", "new", "visited", "opened")
    )
    for book in (old, new, visited, opened):
        anna = book.add(Caller("Anna"))
        if book is not new:
            age(book.folder)
        if book is visited:
            book.note_visit(anna)
    with keep_guests(tmp_path, "opened"):
        pass
    guest_book(tmp_path, "third")
    assert not old.folder.exists()
    for book in (new, visited, opened):
        assert GuestBook(book.folder).find_known(Caller("Anna"))


def test_a_club_whose_door_is_open_is_never_forgotten(tmp_path: Path) -> None:
    book = guest_book(tmp_path, "club")
    book.add(Caller("Anna"))
    with keep_guests(tmp_path, "club"), keep_guests(tmp_path, "club"):
        age(book.folder)
        guest_book(tmp_path, "other")
        assert GuestBook(book.folder).find_known(Caller("Anna"))
    guest_book(tmp_path, "other")
    assert not book.folder.exists()


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("", ""),
        ("box.local", "box.local"),
    ],
)
def test_an_address_is_one_however_the_system_writes_it(host: str, address: str) -> None:
    assert plain_address(host) == address
