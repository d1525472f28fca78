"""What a run of the tests looks at, and when it fails beside its tests: see `tests/conftest.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
LANGUAGES = "tests/sabtui/plain/test_languages.py"


def run(*arguments: str) -> tuple[int, str]:
    """Run some tests; return pytest's exit code and what it prints."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=HOUSE,
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def languages_of(test: str, *options: str) -> set[str]:
    """Collect the languages in which a run looks at a test."""
    _, text = run("--collect-only", "-q", *options, LANGUAGES)
    return set(re.findall(rf"::{test}\[([a-zA-Z_]+)", text))


def test_a_run_looks_at_whole_screens_in_english_and_one_language_that_its_seed_draws() -> None:
    test = "test_nothing_is_lost_and_no_mark_begins_a_line"
    every, drawn = languages_of(test, "--every-language"), languages_of(test)
    assert len(every) == 5
    assert len(drawn) == 2
    assert {"en"} < drawn < every


def test_a_rule_that_no_passed_test_cites_fails_a_run_in_several_processes() -> None:
    code, text = run("--every-rule", "-n2", "-q", "tests/engine/test_rules_n_next.py")
    assert code == pytest.ExitCode.TESTS_FAILED
    (uncited,) = re.findall(r"rules that no passed test cites =*\n(.+)", text)
    assert "P3" in uncited.split()
    assert "N2" not in uncited.split()
