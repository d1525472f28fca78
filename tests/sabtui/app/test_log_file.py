"""The log: what goes wrong inside is kept, and keeping it never goes wrong in sight."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from sabtui.app.errors import LOG_FILE_NAME, crash_message, log_file
from sabtui.app.log import _ToFile


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


def test_no_test_writes_to_the_log_of_whoever_runs_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert log_file().is_relative_to(tmp_path_factory.getbasetemp())


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
        f"Sabtui has ended (ZeroDivisionError); details: {folder / LOG_FILE_NAME}. If you were at "
        "a table, your seat is kept: start Sabtui again and choose Resume."
    )
