"""What a run of the tests looks at, and when it fails or skips: see `tests/conftest.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.level("thorough")  # each starts a new pytest

HOUSE = Path(__file__).parent.parent
TESTS = """
import pytest
from tests.samples import english_first

@pytest.mark.parametrize("language", english_first(["it", "en", "es_AR"]))
def test_a_screen(language):
    pass

@pytest.mark.level("thorough")
def test_a_long_game():
    pass

@pytest.mark.rule("N2")
def test_a_rule():
    pass

def test_a_tool():
    pytest.skip("no spade here")
"""


def run(*options: str) -> tuple[int, str]:
    """Run pytest in a process of its own; return its exit code and what it prints."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options],
        cwd=HOUSE,
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.fixture
def few(tmp_path: Path) -> tuple[str, ...]:
    """Options for a run of a few tests as those of the house."""
    (tmp_path / "test_few.py").write_text(TESTS, encoding="utf-8")
    return ("-p", "tests.conftest", "-o", f"testpaths={tmp_path}")


@pytest.mark.parametrize(
    ("level", "left_out"), [("broad", {"a_long_game", "a_screen[it]"}), ("thorough", set[str]())]
)
def test_what_is_thorough_is_left_to_ci(
    level: str, left_out: set[str], few: tuple[str, ...]
) -> None:
    _, text = run(*few, "--collect-only", f"--level={level}")
    found = set(re.findall(r"::test_(\S+)", text))
    assert {"a_screen[en]", "a_rule"} <= found
    assert {"a_long_game", "a_screen[it]"} - found == left_out


def test_a_rule_that_no_passed_test_cites_fails_a_run_in_several_processes(
    few: tuple[str, ...],
) -> None:
    code, text = run(*few, "-n1")
    assert code == pytest.ExitCode.TESTS_FAILED
    (uncited,) = re.findall(r"rules that no passed test cites =*\n(.+)", text)
    assert "P3" in uncited.split()
    assert "N2" not in uncited.split()


def test_a_skipped_test_is_told_and_fails_a_run_that_skips_nothing(few: tuple[str, ...]) -> None:
    code, text = run(*few, "-k", "tool")
    assert code == pytest.ExitCode.OK
    assert "passed over 1: no spade here" in text
    code, text = run(*few, "-k", "tool", "--nothing-skipped")
    assert code == pytest.ExitCode.TESTS_FAILED
