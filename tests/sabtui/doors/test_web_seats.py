"""The seats of the browser door's guests, on disk."""

from __future__ import annotations

import stat
from pathlib import Path

from sabtui.doors.web_seats import MAX_SEATS, WebSeats


def test_a_seat_is_known_to_the_next_door_in_the_same_folder(tmp_path: Path) -> None:
    seat = WebSeats(tmp_path).add("Anna")
    again = WebSeats(tmp_path)
    assert again.get(seat.id) == seat
    assert again.named("ANNA") == (seat,)
    assert again.named("Bruno") == ()
    assert again.get("00") is None


def test_no_two_seats_share_anything(tmp_path: Path) -> None:
    seats = WebSeats(tmp_path)
    one, other = seats.add("Anna"), seats.add("Anna")
    assert one.id != other.id
    assert one.secret != other.secret
    assert one.key != other.key
    assert seats.home(one) != seats.home(other)
    assert seats.named("Anna") == (other, one)


def test_the_seat_not_used_for_longest_is_forgotten_first(tmp_path: Path) -> None:
    seats = WebSeats(tmp_path)
    oldest, second = seats.add("Anna"), seats.add("Bruno")
    for number in range(MAX_SEATS - 2):
        seats.add(f"Guest {number}")
    seats.use(oldest)
    seats.add("Carla")
    assert seats.get(oldest.id) == oldest
    assert seats.get(second.id) is None
    assert len([*seats.named("Carla")]) == 1


def test_only_the_owner_can_read_the_secrets(tmp_path: Path) -> None:
    WebSeats(tmp_path).add("Anna")
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_damaged_file_is_no_file(tmp_path: Path) -> None:
    seats = WebSeats(tmp_path)
    seats.add("Anna")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert WebSeats(tmp_path).named("Anna") == ()
