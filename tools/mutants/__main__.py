"""Command that tries planted faults, two at once: see `tools.mutants`."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final

from tools.mutants.faults import Fault, read_faults
from tools.mutants.trial import Result, Verdict, Workshop

AT_ONCE: Final = 2
"""Faults tried at the same time, each in its own copy of the repository."""


def main(beginnings: list[str]) -> int:
    """Try the faults whose names begin with one of these, or all; return the exit code."""
    faults = [fault for fault in read_faults() if fault.name.startswith((*beginnings,) or "")]
    if not faults:
        print("no fault is called so")
        return 2
    with TemporaryDirectory() as folder:
        workshops = [Workshop(Path(folder) / str(number)) for number in range(AT_ONCE)]
        tests = sorted({test for fault in faults for test in fault.tests})
        if failures := workshops[0].failures(tests):
            print(f"{failures}\nThe tests fail without any fault.")
            return 1
        results = [*tried(faults, workshops)]
    verdicts = Counter(result.verdict for result in results)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())))
    return int(bool({Verdict.SURVIVED, Verdict.STALE} & verdicts.keys()))


def tried(faults: list[Fault], workshops: list[Workshop]) -> list[Result]:
    """Try faults in all workshops at once, and print each result as it comes."""
    free = SimpleQueue[Workshop]()
    for workshop in workshops:
        free.put(workshop)

    def try_one(fault: Fault) -> Result:
        workshop = free.get()
        try:
            return workshop.tried(fault)
        finally:
            free.put(workshop)

    with ThreadPoolExecutor(len(workshops)) as pool:
        futures = [pool.submit(try_one, fault) for fault in faults]
        results = []
        for future in as_completed(futures):
            results.append(future.result())
            print(results[-1].line, flush=True)
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
