"""Files for the user: records that are read, and pictures that are saved."""

import sys
from pathlib import Path

import pytest

from sabtui.app.errors import UserError
from sabtui.app.records import keep_picture, read_record
from tests.engine.notation.games import RECORDS
from tests.net.server.journal_tools import no_file_beyond


def read_wrong(path: Path) -> str:
    """Try to read a record that is wrong, and take the one line of complaint."""
    with pytest.raises(UserError) as told:
        read_record(path)
    return str(told.value)


def test_a_spoilt_record_is_refused_with_the_line_of_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "spoilt.sab"
    data = (RECORDS / "whole.sab").read_bytes()
    path.write_bytes(data.replace(b"NESW@1 ", b"NESW@2 ", 1))
    assert "not a valid record: line 14, column" in read_wrong(path)
    path.write_bytes(data[:-40])
    assert "line 42" in read_wrong(path)
    for other in (b"\x1b]0;\xff" * 1_000_000, b"root:x:0:0:root\n", b""):
        path.write_bytes(other)
        assert read_wrong(path).endswith(".sab: not a valid record")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    complaint = read_wrong(tmp_path / "none.sab")
    assert "none.sab: No such file or directory; give the path of a .sab file" in complaint
    assert "Cannot read" in read_wrong(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Cannot write " in keep_picture(b"a picture", "Gold", tmp_path / "file" / "records")


def test_a_picture_that_is_saved_again_at_once_is_saved(tmp_path: Path) -> None:
    said = {keep_picture(b"a picture", "Gold Rush", tmp_path) for _again in range(3)}
    assert all(one.startswith("Saved") for one in said), "a key that is held comes again"


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of files")
def test_what_the_disk_has_no_room_for_leaves_no_half_and_can_be_saved_again(
    tmp_path: Path,
) -> None:
    with no_file_beyond(1000):
        assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Cannot write")
    assert not list(tmp_path.iterdir())
    assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Saved")
