"""The guests of a door: who is known by what, kept in a folder, counted for, and gives way."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from sabtui.doors import guests
from sabtui.doors.guests import (
    FORGOTTEN_AFTER_S,
    MAX_SECRETS,
    Caller,
    GuestBook,
    normalise_address,
    open_guest_book,
)

KEY, OTHER = "SHA256:one", "SHA256:two"


def test_somebody_who_has_no_secret_is_known_by_name_however_it_is_typed(tmp_path: Path) -> None:
    book = GuestBook(tmp_path / "table")
    anna = book.add(Caller("Anna"))
    home = book.home(anna)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700, "it is for the host's account alone"
    assert stat.S_IMODE((home / "guest.json").stat().st_mode) == 0o600
    assert book.find_known(Caller(" aNNa ")) == [anna]
    assert book.find_known(Caller("Ann")) == []
    assert GuestBook(book.folder).find_known(Caller("anna")) == [anna], "they are on disk"


def test_a_guest_is_known_by_proving_a_secret_and_by_nothing_else(tmp_path: Path) -> None:
    book = GuestBook(tmp_path)
    anna = book.add(Caller("Anna", offered=(KEY, *map(str, range(20)))))
    assert len(anna.marks) == MAX_SECRETS
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


async def test_the_guest_forgotten_came_last_longest_ago_is_not_there_and_has_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "MAX_GUESTS", 6)
    book = GuestBook(tmp_path)
    names = ("Anna", "Bob", "Zoe", "Cleo", "Dan", "Eva")
    back, there, seated, gone, *_others = [book.add(Caller(name)) for name in names]
    book.note_visit(back)

    async def is_seated(key: bytes) -> bool:
        return key == seated.seat.public

    await book.forget_guests({there.id}, is_seated)
    assert book.get(gone.id) == gone, "there is room for all"
    book.add(Caller("one more"))
    await book.forget_guests({there.id}, is_seated)
    kept = [book.get(guest.id) for guest in (back, there, seated, gone)]
    assert kept == [back, there, seated, None]
    assert not book.home(gone).exists()
    again = GuestBook(tmp_path)
    again.add(Caller("another"))
    await again.forget_guests((), is_seated)
    assert again.get(back.id) == back, "the order is on disk"
    assert again.get(there.id) is None


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
    books = {name: open_guest_book(tmp_path, name) for name in ("old", "new", "visited", "opened")}
    for name, book in books.items():
        anna = book.add(Caller("Anna"))
        if name != "new":
            age(book.folder)
        if name == "visited":
            book.note_visit(anna)
    (books["opened"].folder / "ssh.port").write_text("7351")  # as a door does that opens
    open_guest_book(tmp_path, "third")
    assert [name for name, book in books.items() if not book.folder.exists()] == ["old"]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("box.local", "box.local"),
    ],
)
def test_an_address_is_one_however_the_system_writes_it(host: str, address: str) -> None:
    assert normalise_address(host) == address
