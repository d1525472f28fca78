"""The logs: what goes wrong is kept, never in sight, and strangers cannot make them fill a disk."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from sabtui.app.errors import LOG_FILE_NAME, crash_message
from sabtui.app.log import BoundedLog, _ToFile


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the log is kept, which is not made yet."""
    folder = tmp_path / "state"
    for module in ("errors", "log"):
        monkeypatch.setattr(f"sabtui.app.{module}.log_file", lambda: folder / LOG_FILE_NAME)
    return folder


def log(text: str, *values: object) -> None:
    """Log as a library does, to where the program writes."""
    _ToFile().handle(logging.LogRecord("a library", logging.WARNING, "", 0, text, values, None))


def test_what_is_logged_is_kept_for_its_owner_alone(folder: Path) -> None:
    log("no route to %s", "host")
    file = folder / LOG_FILE_NAME
    assert file.read_text().endswith(" a library: no route to host\n")
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0


def test_a_disk_that_takes_nothing_and_a_record_that_says_nothing_disturb_nobody(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log("%d", "no number")
    assert (folder / LOG_FILE_NAME).read_text() == ""
    (folder / LOG_FILE_NAME).unlink()
    folder.rmdir()
    folder.write_text("")
    log("lost")
    assert capsys.readouterr() == ("", "")


def test_a_crash_promises_a_seat_only_to_whoever_had_one(folder: Path) -> None:
    assert crash_message(ZeroDivisionError("a secret")) == (
        f"Sabtui stopped (ZeroDivisionError). Details: {folder / LOG_FILE_NAME}. If you were at "
        "a table, your seat is kept: start Sabtui again and choose Resume."
    )


def test_connections_are_logged_up_to_a_length_and_errors_beside_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 1000
    monkeypatch.setattr("sabtui.app.log.MAX_LOG_BYTES", most)
    log = BoundedLog()

    def write(level: int, text: str) -> None:
        log.handle(logging.LogRecord("a server", level, "", 0, text, None, None))

    for number in range(most):
        write(logging.INFO, f"connection {number} is up")
    write(logging.ERROR, "the journal cannot be written")
    before = capsys.readouterr().err
    lines = before.splitlines()
    assert lines[0] == "connection 0 is up"
    assert lines[-2:] == ["no more of this kind is logged", "the journal cannot be written"]
    for _ in range(most):
        write(logging.ERROR, "a login broke")
    assert len(before + capsys.readouterr().err) < 3 * most
