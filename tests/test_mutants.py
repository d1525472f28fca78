"""The planted faults: each still fits the code, and what becomes of one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants.faults import ROOT, Fault, StaleFault, read_faults
from tools.mutants.trial import RepositoryCopy, Verdict

FAULTS = read_faults()

CONFTEST = """
from hypothesis import settings
settings.register_profile("no_shrinking")
"""
CODE = "def twice(number):\n    return 2 * number\n"
TESTS = """
from code_under_test import twice

def test_zero():
    assert twice(0) == 0

def test_one():
    assert twice(1) == 2
"""


def test_every_fault_fits_the_code() -> None:
    stale: list[str] = []
    for fault in FAULTS:
        try:
            fault.plant(ROOT)
        except StaleFault as error:
            stale.append(f"{fault.name}: {error}")
    assert stale == []


@pytest.mark.thorough  # reads each file as often as it has faults
def test_every_fault_leaves_python() -> None:
    for fault in FAULTS:
        compile(fault.plant(ROOT), f"{fault.file}: {fault.name}", "exec")


def test_no_two_faults_have_one_name() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.thorough  # pytest starts anew
@pytest.mark.parametrize(
    ("old", "new", "verdict", "text"),
    [
        ("2 * number", "3 * number", Verdict.CAUGHT, "test_twice.py::test_one"),
        ("2 * number", "number + number", Verdict.SURVIVED, ""),
        ("2 * number", "twice(", Verdict.CAUGHT, "test_twice.py"),
        ("number", "numbers", Verdict.STALE, "code_under_test.py has 'number' 2 times"),
    ],
)
def test_a_fault_is_caught_or_survives_or_is_stale(
    old: str, new: str, verdict: Verdict, text: str, tmp_path: Path
) -> None:
    copy = RepositoryCopy(tmp_path / "copy", repository(tmp_path / "repository"))
    result = copy.try_fault(Fault("a fault", "code_under_test.py", old, new, ("test_twice.py",)))
    assert (result.verdict, result.text) == (verdict, text)
    assert (tmp_path / "copy" / "code_under_test.py").read_text() == CODE


@pytest.mark.thorough  # pytest starts anew
def test_a_test_that_hangs_is_stopped_and_has_caught_its_fault(tmp_path: Path) -> None:
    copy = RepositoryCopy(tmp_path / "copy", repository(tmp_path / "repository"), limit=1.0)
    sleep = "__import__('time').sleep(600)\n    return"
    fault = Fault("a sleep", "code_under_test.py", "return", sleep, ("test_twice.py",))
    assert copy.try_fault(fault).verdict is Verdict.HUNG


@pytest.mark.thorough  # pytest starts anew
def test_tests_that_fail_without_any_fault_are_shown(tmp_path: Path) -> None:
    copy = RepositoryCopy(tmp_path / "copy", repository(tmp_path / "repository"))
    assert copy.failures(["test_twice.py"]) is None
    (tmp_path / "copy" / "test_twice.py").write_text("def test_no(): assert False")
    assert "test_no" in str(copy.failures(["test_twice.py"]))


def repository(folder: Path) -> Path:
    """Write a small one."""
    folder.mkdir()
    files = {"conftest.py": CONFTEST, "code_under_test.py": CODE, "test_twice.py": TESTS}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
