"""The tests of the LAN where a tool is missing: those that need it are skipped, and none fails."""

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
