"""The planted faults, as `faults.toml` lists them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FAULTS: Final = Path(__file__).parent / "faults.toml"


class StaleFault(Exception):
    """Error: a fault no longer fits the code. The message says why."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece of a file, its replacement, and the tests that must then fail."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def plant(self, root: Path) -> str:
        """Return the text of the file with the fault in it.

        Raises `StaleFault` if the file or a test is missing, or the piece is not there exactly
        once.
        """
        path = root / self.file
        if not path.is_file():
            raise StaleFault(f"there is no {self.file}")
        if missing := [
            test for test in self.tests if not (root / test.partition("::")[0]).exists()
        ]:
            raise StaleFault(f"there is no {', '.join(missing)}")
        text = path.read_text(encoding="utf-8")
        count = text.count(self.old)
        if count != 1 or self.old == self.new:
            raise StaleFault(f"{self.file} has {self.old!r} {count} times")
        return text.replace(self.old, self.new)


def read_faults() -> list[Fault]:
    """Read the list of faults."""
    with FAULTS.open("rb") as file:
        entries = tomllib.load(file)["fault"]
    return [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]
