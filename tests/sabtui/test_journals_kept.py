"""The journals of a player's tables: which are brought back, shown as broken, or cleared away."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from pathlib import Path

import pytest

from net.server.journal import path_of
from net.server.journal_format import Finish, JournalError, JournalUnwritable
from sabtui.app import launcher, table_process
from sabtui.app.errors import UserError
from sabtui.app.tables import TableService, find_table_to_reopen
from tests.net.server.journal_tools import create

NAME = "Änne's table"


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the journals; no seat of the user's is near."""
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    (tmp_path / "tables").mkdir()
    return tmp_path / "tables"


def keep_journal(folder: Path, number: int, *, finished: bool = False, days: float = 0) -> Path:
    """Keep a journal that was written this many days ago."""
    path = path_of(f"{number:016x}", folder)
    journal = create(path)
    if finished:
        journal.commit([Finish()])
    journal.close()
    when = time.time() - days * 24 * 3600
    os.utime(path, (when, when))
    return path


def keep_broken(folder: Path) -> Path:
    """Keep a file that is no journal."""
    path = path_of("b" * 16, folder)
    path.write_bytes(b"no journal at all")
    return path


def test_a_journal_that_cannot_be_read_is_told_and_bars_no_other(
    tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = keep_broken(tables)
    with pytest.raises(UserError, match="There is no table to bring back"):
        find_table_to_reopen("")
    assert capsys.readouterr().err.startswith(f"sabtui: {bad} cannot be read: it is damaged")
    path = keep_journal(tables, 1)
    for title in ("", NAME):
        assert find_table_to_reopen(title).journal == str(path)


def test_tables_to_come_back_to_name_it_and_entering_it_says_why(tables: Path) -> None:
    keep_journal(tables, 1, days=1)
    bad = keep_broken(tables)
    first, second = TableService().resumable()
    assert (first.title, second.title) == (bad.name, NAME)
    with pytest.raises(UserError, match="cannot be read: it is damaged"):
        asyncio.run(TableService().resume(first))


def test_a_table_that_opens_clears_away_those_closed_a_month_ago_and_nothing_else(
    tables: Path,
) -> None:
    old = keep_journal(tables, 1, finished=True, days=31)
    stays = {
        keep_journal(tables, 2, finished=True, days=29),
        keep_journal(tables, 3, days=400),
        keep_broken(tables),
    }
    os.utime(path_of("b" * 16, tables), (0, 0))
    table_process._clear_away()
    assert not old.exists()
    assert set(tables.glob("*.table")) == stays


def test_what_cannot_be_cleared_away_keeps_no_table_from_opening(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(folder: Path, _before: float) -> JournalError:
        raise JournalUnwritable(folder, OSError(errno.EROFS, "read-only"))

    monkeypatch.setattr(table_process, "remove_finished", refuse)
    table_process._clear_away()
    assert "cannot be removed" in caplog.text
