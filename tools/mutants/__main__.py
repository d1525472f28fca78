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
from tools.mutants.trial import RepositoryCopy, Result, Verdict

AT_ONCE: Final = 2
"""Faults tried at the same time, each in its own copy of the repository."""


def main(beginnings: list[str]) -> int:
    """Try the faults whose names begin with one of these, or all; return the exit code."""
    faults = [fault for fault in read_faults() if fault.name.startswith((*beginnings,) or "")]
    if not faults:
        print("no fault has a name that begins like this")
        return 2
    with TemporaryDirectory() as folder:
        copies = [RepositoryCopy(Path(folder) / str(number)) for number in range(AT_ONCE)]
        tests = sorted({test for fault in faults for test in fault.tests})
        if failures := copies[0].failures(tests):
            print(f"{failures}\nThe tests fail without any fault.")
            return 1
        results = [*try_all(faults, copies)]
    verdicts = Counter(result.verdict for result in results)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())))
    return int(bool({Verdict.SURVIVED, Verdict.STALE} & verdicts.keys()))


def try_all(faults: list[Fault], copies: list[RepositoryCopy]) -> list[Result]:
    """Try faults in all copies at once, and print each result as it comes."""
    free = SimpleQueue[RepositoryCopy]()
    for copy in copies:
        free.put(copy)

    def try_one(fault: Fault) -> Result:
        copy = free.get()
        try:
            return copy.try_fault(fault)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        futures = [pool.submit(try_one, fault) for fault in faults]
        results = []
        for future in as_completed(futures):
            results.append(future.result())
            print(results[-1].line, flush=True)
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
