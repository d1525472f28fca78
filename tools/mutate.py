"""Mutation tests: small random changes of the code, each of which some test should notice.

    python -m tools.mutate engine net/room --mutants 40 --seed 7 --minutes 20
    python -m tools.mutate                  of the files that differ from the last commit
    python -m tools.mutate --since main     of those that differ from another

In a copy of this repository the tests of each file run once, those in the folder of `tests` that
mirrors its own but for what is broad, and which test runs which lines is noted. Then, mutant by
mutant, the tests that run the changed line must fail, or hang. A mutant that they pass is printed.
It needs a test; or it changes nothing that anybody could see, and stands in `mutants.txt` with the
reason. While the code is the same, a seed draws the same mutants.

This is our own, as mutmut runs all tests of a package before its first mutant, in five minutes for
`engine`, and cosmic-ray brings a dozen packages; and neither draws a sample.
"""

import argparse
import ast
import difflib
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from coverage import Coverage, CoverageData

ROOT: Final = Path(__file__).parents[1]
ACCEPTED: Final = Path(__file__).parent / "mutants.txt"
PACKAGES: Final = ("engine", "net", "sabtui")
HANGS: Final = ("-o", "faulthandler_timeout=60", "-o", "faulthandler_exit_on_timeout=true")
"""Options of pytest: a test that takes more seconds ends the run, as one that fails does."""
WANTED: Final = "SABTUI_TESTS_OF_MUTANT"
"""Environment: the file that names the tests to run. Without one, lines are noted."""

OTHERS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    first: second
    for pair in (
        *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
        *((ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv)),
    )
    for first, second in (pair, pair[::-1])
}
"""What stands in place of each operator."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One piece of a file, by the bytes where it begins and ends, and what stands there instead."""

    file: str
    line: int
    begin: int
    end: int
    new: str

    def change(self, code: bytes) -> bytes:
        """Return the file with the change in it."""
        return code[: self.begin] + self.new.encode() + code[self.end :]

    def compare(self, code: bytes) -> str:
        """Show the lines that go, each with a minus, and those that come, each with a plus."""
        before, after = (text.decode().splitlines() for text in (code, self.change(code)))
        lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return "\n".join(line for line in lines if line[:2] not in ("--", "++", "@@"))


def find_mutants(file: str, code: bytes) -> list[Mutant]:
    """List every change of a file that we know."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(node: ast.expr | ast.stmt, new: str) -> Mutant:
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
        return Mutant(file, node.lineno, begin, end, new)

    return [
        place(piece, f"({new})" if isinstance(piece, ast.expr) else new)
        for node in list_nodes(ast.parse(code))
        for piece, new in change_node(node)
    ]


def list_nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Walk through code, past what is only for types, and past f-strings.

    Before Python 3.12 no part of an f-string knows where it stands.
    """
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node
    for name, field in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for part in field if isinstance(field, list) else [field]:
                if isinstance(part, ast.AST):
                    yield from list_nodes(part)


def change_node(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Write a piece of code, or a part of it, in each way in which it may be wrong."""

    def write(**changed: object) -> str:
        return ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **changed}))

    match node:
        case ast.Compare(ops=[operator, *more]) if type(operator) in OTHERS:
            yield node, write(ops=[OTHERS[type(operator)](), *more])
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in OTHERS:
            yield node, write(op=OTHERS[type(operator)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, ast.unparse(operand)
        case ast.Constant(value=bool(value)):
            yield node, repr(not value)
        case ast.Constant(value=int() | float() as value):
            yield node, repr(value + 1)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, f"not ({ast.unparse(test)})"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
        case ast.AugAssign() | ast.Raise() | ast.Delete():
            yield node, "pass"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, "pass"
        case _:
            pass


class Trial:
    """A copy of the repository with at most one change in it at a time, and its tests."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        """Copy all files that are not hidden, built or cached."""
        left_out = shutil.ignore_patterns(".*", "dist", "__pycache__", "*.egg-info")
        self._folder = folder / "copy"
        shutil.copytree(root, self._folder, ignore=left_out)
        self._notes = folder / "lines"
        self._wanted = folder / "wanted"

    def note_lines(self, files: list[str]) -> bool:
        """Run the tests of files; return True if they pass."""
        tests = {test for file in files for test in self._find_beside(Path("tests", file).parent)}
        sources = ",".join(sorted({file.partition("/")[0] for file in files}))
        cover = ("coverage", "run", f"--data-file={self._notes}", f"--source={sources}")
        return self._run("-m", *cover, "-m", "pytest", "--level=plain", *sorted(tests)) == 0

    def is_noticed(self, mutant: Mutant) -> bool:
        """Make a change, run the tests of its line, undo it; return True if any fails."""
        path = self._folder / mutant.file
        tests = self._find_tests(mutant, str(path.resolve()))
        self._wanted.write_text("\n".join(tests), encoding="utf-8")
        code = path.read_bytes()
        path.write_bytes(mutant.change(code))
        try:
            files = sorted({test.partition("::")[0] for test in tests})
            profile = "--hypothesis-profile=no_shrinking"
            fresh = {WANTED: str(self._wanted), "PYTHONDONTWRITEBYTECODE": "1"}
            command = ("-m", "pytest", "-x", *HANGS, profile, *files)
            return bool(files) and self._run(*command, **fresh) != 0
        finally:
            path.write_bytes(code)

    def _find_beside(self, folder: Path) -> list[str]:
        """Find the test modules of a folder, or of the nearest one above it that has any.

        Those in a folder inside it count, too, unless that mirrors a package of its own.
        """
        code, tests = self._folder.joinpath(*folder.parts[1:]), self._folder / folder
        places = [
            tests,
            *(inside for inside in tests.glob("*/") if not code.joinpath(inside.name).is_dir()),
        ]
        found = [test for place in places for test in place.glob("test_*.py")]
        return [str(test.relative_to(self._folder)) for test in found] or self._find_beside(
            folder.parent
        )

    def _find_tests(self, mutant: Mutant, path: str) -> set[str]:
        """Find the tests of the line, or of the file for a line that runs when it is imported."""
        notes = CoverageData(str(self._notes))
        notes.read()
        lines = notes.contexts_by_lineno(path)
        nearest = max((line for line in lines if line <= mutant.line), default=0)
        tests = {*lines.get(nearest, ())} - {""}
        return tests or {test for noted in lines.values() for test in noted} - {""}

    def _run(self, *command: str, **environment: str) -> int:
        """Run Python, with this module as pytest's plugin; return the exit code."""
        path = f"{self._folder}{os.pathsep}{ROOT}"
        return subprocess.run(  # noqa: S603 - ourselves
            [sys.executable, *command, "-q", "-p", "tools.mutate", "-p", "no:cacheprovider"],
            check=False,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": path, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if environment else None,
        ).returncode


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a mutant alone. For pytest, whose plugin this module is."""
    if WANTED in os.environ:
        wanted = {*Path(os.environ[WANTED]).read_text(encoding="utf-8").split("\n")}
        items[:] = [item for item in items if item.nodeid in wanted]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note the lines that run from here on as those of this test."""
    if coverage := Coverage.current():
        coverage.switch_context(item.nodeid)


def read_accepted(text: str) -> dict[tuple[str, str], str]:
    """Read mutants.txt: the reason of each mutant, by its file and lines."""
    accepted = {}
    for block in filter(None, text.strip().split("\n\n")):
        head, _, lines = block.partition("\n")
        file, _, reason = head.partition(": ")
        accepted[file, lines] = reason
    return accepted


def list_files(places: list[str], since: str) -> list[str]:
    """List the modules in these places, or those that differ from a commit."""
    if places:
        paths = [path for place in places for path in (ROOT / place, *(ROOT / place).rglob("*.py"))]
        return sorted({str(path.relative_to(ROOT)) for path in paths if path.is_file()})
    git = ("git", "diff", "--name-only", "--diff-filter=d", since, "--", *PACKAGES)
    names = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S603 - git
    return [name for name in names.splitlines() if name.endswith(".py")]


def main() -> int:
    """Draw mutants and try them; return 1 if the tests pass one of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate")
    parser.add_argument("places", nargs="*")
    parser.add_argument("--since", default="HEAD")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=30.0)
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    files = list_files(asked.places, asked.since)
    code = {file: (ROOT / file).read_bytes() for file in files}
    accepted = read_accepted(ACCEPTED.read_text(encoding="utf-8"))
    mutants = [
        mutant
        for file in files
        for mutant in find_mutants(file, code[file])
        if (file, mutant.compare(code[file])) not in accepted
    ]
    drawn = Random(asked.seed).sample(mutants, min(asked.mutants, len(mutants)))
    if not drawn:
        print("nothing to change")
        return 0
    told = Counter[str]()
    with TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        if not trial.note_lines(sorted({mutant.file for mutant in drawn})):
            print("The tests fail without any change.")
            return 1
        for mutant in drawn:
            if time.monotonic() > end:
                break
            verdict = "noticed" if trial.is_noticed(mutant) else "SURVIVED"
            told[verdict] += 1
            place = f"{verdict} {mutant.file}:{mutant.line}"
            print(f"{place}\n{mutant.compare(code[mutant.file])}", flush=True)
    print(f"of {len(mutants)}, {told.total()} tried: {told['noticed']} noticed")
    return int("SURVIVED" in told)


if __name__ == "__main__":
    sys.exit(main())
