"""What a run of the tests looks at, and when it fails beside its tests: see `tests/conftest.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.level("thorough")  # each starts pytest anew

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
"""


def run(folder: Path, *options: str) -> tuple[int, str]:
    """Run a few tests as those of the house; return pytest's exit code and what it prints."""
    (folder / "test_few.py").write_text(TESTS, encoding="utf-8")
    ours = ("-p", "tests.conftest", "-o", f"testpaths={folder}", "-p", "no:cacheprovider")
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "pytest", *ours, *options],
        cwd=HOUSE,
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def languages_of(folder: Path, *options: str) -> set[str]:
    """Collect the languages in which a run looks at a screen."""
    _, text = run(folder, "--collect-only", "-q", *options)
    return set(re.findall(r"::test_a_screen\[([a-zA-Z_]+)", text))


def test_a_run_looks_at_whole_screens_in_english_unless_all_languages_are_asked_for(
    tmp_path: Path,
) -> None:
    assert languages_of(tmp_path) == {"en"}
    assert languages_of(tmp_path, "--level=thorough") == {"it", "en", "es_AR"}


@pytest.mark.parametrize("options", [("--level=thorough",), ()])
def test_what_is_thorough_is_left_to_ci(options: tuple[str, ...], tmp_path: Path) -> None:
    _, text = run(tmp_path, "--collect-only", "-q", *options)
    assert ("::test_a_long_game" in text) is bool(options)


def test_a_rule_that_no_passed_test_cites_fails_a_run_in_several_processes(tmp_path: Path) -> None:
    code, text = run(tmp_path, "-n1", "-q")
    assert code == pytest.ExitCode.TESTS_FAILED
    (uncited,) = re.findall(r"rules that no passed test cites =*\n(.+)", text)
    assert "P3" in uncited.split()
    assert "N2" not in uncited.split()
