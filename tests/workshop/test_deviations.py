"""Every row of the list has a test, and every test a row."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.workshop.deviations import list_rows

HONEST = {"test_honest.py", "test_deviations.py"}
HERE = Path(__file__).parent


def file_and_function(node: str) -> str:
    """The file and the function of a test."""
    return node.partition("[")[0]


def test_each_row_has_its_own_test_and_each_test_its_row() -> None:
    rows = [*list_rows("deviation"), *list_rows("possible")]
    for counted in (Counter(row.id for row in rows), Counter(row.test for row in rows)):
        assert max(counted.values()) == 1
    tests = {
        f"{file.name}::{name}"
        for file in HERE.glob("test_*.py")
        if file.name not in HONEST
        for name in re.findall(r"^async def (test_\w+)", file.read_text(), flags=re.MULTILINE)
    }
    assert {file_and_function(row.test) for row in rows} == tests


def test_each_row_is_run_and_nothing_else(request: pytest.FixtureRequest) -> None:
    folder = "tests/workshop/"
    run = {item.nodeid for item in request.session.items if item.nodeid.startswith(folder)}
    tests = {node.removeprefix(folder) for node in run}
    if {node.partition("::")[0] for node in tests} < {file.name for file in HERE.glob("test_*.py")}:
        pytest.skip("a part of the folder is run")
    rows = [*list_rows("deviation"), *list_rows("possible")]
    assert {test for test in tests if test.partition("::")[0] not in HONEST} == {
        row.test for row in rows
    }


def test_there_are_few_and_their_ids_and_sentences_can_be_read() -> None:
    rows = [*list_rows("deviation"), *list_rows("possible")]
    assert len(rows) <= 25
    for row in rows:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", row.id)
        assert row.who in {"host", "guest", "stranger with the code"}
        assert row.tries.endswith(".")
        assert row.then.endswith(".")
        assert "|" not in row.tries + row.then
