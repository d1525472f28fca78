"""The trial of one fault: a copy of the repository, the fault in it, and the tests."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final

from tools.mutants.faults import ROOT, Fault, StaleFault

LIMIT_S: Final = 300.0
"""Seconds after which tests are taken to hang."""

PYTEST: Final = ("-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider")
PROFILE: Final = "--hypothesis-profile=no_shrinking"
"""Hypothesis profile of the trials: a failing example need not be shrunk."""
FAILED: Final = (1, 2)
"""Exit codes of pytest for a failed test, and for one that could not even be collected."""


class Verdict(StrEnum):
    """The outcome of a trial."""

    CAUGHT = "caught"
    HUNG = "caught, as a test hangs"
    SURVIVED = "SURVIVED"
    STALE = "STALE"


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of trying one fault.

    `text` names the first test that failed or says why the fault is stale; `seconds` is the time
    that the trial took.
    """

    fault: Fault
    verdict: Verdict
    text: str
    seconds: float

    @property
    def line(self) -> str:
        """The result as one line of text."""
        text = f" ({self.text})" if self.text else ""
        return f"{self.seconds:5.1f} s  {self.verdict}: {self.fault.name}{text}"


class RepositoryCopy:
    """A copy of the repository in a folder, with at most one fault in it at a time."""

    def __init__(self, folder: Path, root: Path = ROOT, limit: float = LIMIT_S) -> None:
        """Copy all files that are not hidden, built or cached. `limit` is in seconds."""
        left_out = shutil.ignore_patterns(".*", "dist", "__pycache__", "*.egg-info")
        shutil.copytree(root, folder, ignore=left_out, dirs_exist_ok=True)
        self._folder = folder
        self._limit = limit
        self._times = count(1)

    def failures(self, tests: list[str]) -> str | None:
        """Run tests without a fault; return what pytest prints if any fail, or None if all pass.

        They have four times the limit.
        """
        side_by_side = ("-n", "2") if len(tests) > 1 else ()
        code, text = self._run(tests, 4 * self._limit, *side_by_side)
        return None if code == 0 else text or "they hang"

    def try_fault(self, fault: Fault) -> Result:
        """Plant a fault, run its tests and take it out again."""
        begun = time.monotonic()
        file = self._folder / fault.file
        try:
            planted = fault.plant(self._folder)
        except StaleFault as error:
            return Result(fault, Verdict.STALE, str(error), 0.0)
        whole = file.read_text(encoding="utf-8")
        self._write(file, planted)
        try:
            code, text = self._run([*fault.tests], self._limit, "-x", PROFILE)
        finally:
            self._write(file, whole)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", text, flags=re.MULTILINE)
        told = failed[1] if failed else ""
        if code is None:
            verdict = Verdict.HUNG
        elif code in FAILED:
            verdict = Verdict.CAUGHT
        elif code == 0:
            verdict = Verdict.SURVIVED
        else:
            verdict, told = Verdict.STALE, text.strip().splitlines()[-1]
        return Result(fault, verdict, told, time.monotonic() - begun)

    def _write(self, file: Path, text: str) -> None:
        """Write a file, with a modification time of its own.

        Python compares that time to decide if its compiled copy of a module is still valid. Two
        writes within the same second could otherwise look alike.
        """
        file.write_text(text, encoding="utf-8")
        when = time.time() + 2 * next(self._times)
        os.utime(file, (when, when))

    def _run(self, tests: list[str], limit: float, *options: str) -> tuple[int | None, str]:
        """Run tests; return pytest's exit code, or None if they were stopped, and its output."""
        process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, *PYTEST, *options, *tests],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(self._folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            text, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            if sys.platform == "win32":
                process.kill()
            else:  # what the tests started goes, too
                os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]
        return process.returncode, text
