"""What a run of the tests looks at, and when it fails or skips: see `tests/conftest.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lan.tools import FURTHER_TOOLS, LAN_TOOLS, TOOL_PATH, path_without, why_not
from tests.samples import first

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


# The tests of the LAN where a tool is missing: those that need it are skipped, and none fails.

TOOLS = ("nft", "ip", *sorted({*LAN_TOOLS, *FURTHER_TOOLS} - {"nft", "ip"}))
SHOWN_ALONE = "--setup-only"
"""An option of pytest: fixtures look for what a test needs, and the test itself is not run."""


def lan_tests(without: str, folder: Path, *options: str) -> tuple[int, str]:
    """Run the tests of the LAN without a tool; return pytest's exit code and what it prints."""
    folders = path_without([without], folder / "tools")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(  # noqa: S603 - ourselves
        [*command, f"--basetemp={folder / 'nested'}", *options, "tests/lan"],
        cwd=HOUSE,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": folders, TOOL_PATH: folders, "COLUMNS": "200"},
    )
    return done.returncode, done.stdout


async def check(tool: str, folder: Path, *options: str) -> None:
    """Check that without a tool tests are skipped, which one line tells, and that none fails."""
    may_be_had = await why_not("unshare") is None and await why_not(tool) is None
    code, text = lan_tests(tool, folder, *options)
    assert code == 0, text
    lines = re.findall(r"^passed over \d+: (.*)", text, flags=re.MULTILINE)
    assert len(lines) == len(set(lines)) > 0
    if may_be_had:  # nothing else keeps them from it
        assert [line.partition(":")[0] for line in lines] == [f"no {tool}"]


@pytest.mark.parametrize("tool", first(1, TOOLS))
async def test_a_missing_tool_is_told_in_one_line_and_fails_no_test(
    tool: str, tmp_path: Path
) -> None:
    await check(tool, tmp_path, SHOWN_ALONE)


@pytest.mark.level("soak")
@pytest.mark.parametrize("tool", TOOLS)
async def test_the_tests_that_do_not_need_a_tool_pass_without_it(tool: str, tmp_path: Path) -> None:
    await check(tool, tmp_path)


def test_where_nothing_may_be_skipped_a_missing_tool_fails_the_run(tmp_path: Path) -> None:
    code, text = lan_tests("bash", tmp_path, SHOWN_ALONE, "--nothing-skipped")
    assert code == pytest.ExitCode.TESTS_FAILED, text
    assert re.search(r"no bash\b.*: not on PATH", text)
