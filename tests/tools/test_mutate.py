"""Mutants: what is changed, and what becomes of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutate import ACCEPTED, ROOT, Trial, find_mutants, read_accepted

CONFTEST = """
from hypothesis import settings
settings.register_profile("no_shrinking")
def pytest_addoption(parser):
    parser.addoption("--level")
"""
CODE = b"""\
LEAST = 3


def has_enough(number: int = 0) -> bool:
    if not number:
        raise ValueError
    return number >= LEAST and (
        number != 7
    )
"""
WHOLE = """\
-    return number >= LEAST and (
-        number != 7
-    )
+    return (number >= LEAST or number != 7)"""
TESTS = """
import pytest
from engine.enough import has_enough

def test_none():
    with pytest.raises(ValueError):
        has_enough()

def test_some():
    assert [has_enough(number) for number in (2, 3)] == [False, True]
"""


def test_each_piece_is_changed_where_it_stands() -> None:
    mutants = find_mutants("engine/enough.py", CODE)
    assert [mutant.compare(CODE) for mutant in mutants] == [
        "-LEAST = 3\n+LEAST = (4)",
        "-def has_enough(number: int = 0) -> bool:\n+def has_enough(number: int = (1)) -> bool:",
        "-    if not number:\n+    if (not (not number)):",
        "-    if not number:\n+    if (number):",
        "-        raise ValueError\n+        pass",
        WHOLE,
        "-    return number >= LEAST and (\n+    return (number > LEAST) and (",
        "-        number != 7\n+        (number == 7)",
        "-        number != 7\n+        number != (8)",
    ]


def test_every_mutant_that_is_accepted_is_still_one() -> None:
    for file, lines in read_accepted(ACCEPTED.read_text(encoding="utf-8")):
        code = (ROOT / file).read_bytes()
        assert lines in [mutant.compare(code) for mutant in find_mutants(file, code)], file


@pytest.mark.level("thorough")  # a new pytest for each mutant
def test_the_tests_of_a_line_notice_its_mutants_or_do_not(tmp_path: Path) -> None:
    files = {
        "conftest.py": CONFTEST,
        "engine/__init__.py": "",
        "tests/engine/inside/test_it.py": TESTS,
    }
    for name, text in {**files, "engine/enough.py": CODE.decode()}.items():
        (tmp_path / "root" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "root" / name).write_text(text)
    trial = Trial(tmp_path, tmp_path / "root")
    assert trial.note_lines(["engine/enough.py"])
    first, *_, last = find_mutants("engine/enough.py", CODE)
    assert trial.is_noticed(first)
    assert not trial.is_noticed(last), "nobody tries seven"
    assert (tmp_path / "copy" / "engine" / "enough.py").read_bytes() == CODE
    (tmp_path / "copy" / "tests" / "engine" / "inside" / "test_it.py").write_text(
        "def test_it(): assert 0"
    )
    assert not trial.note_lines(["engine/enough.py"])
