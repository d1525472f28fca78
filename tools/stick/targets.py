"""The machines that a stick is for, and what each of them needs.

Knows tags of wheels and markers of requirements. Fetches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import requires
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
HERE: Final = "here"


@dataclass(frozen=True, slots=True)
class Platform:
    """A kind of machine: pip's names for it, the oldest first, and what markers call it."""

    tags: tuple[str, ...]
    os_name: str
    sys_platform: str
    system: str
    machine: str


def _linux(machine: str) -> Platform:
    glibcs = ("manylinux_2_17", "manylinux2014", "manylinux_2_28", "manylinux_2_34")
    tags = tuple(f"{glibc}_{machine}" for glibc in glibcs)
    return Platform(tags, "posix", "linux", "Linux", machine)


def _macos(machine: str) -> Platform:
    return Platform((f"macosx_12_0_{machine}",), "posix", "darwin", "Darwin", machine)


PLATFORMS: Final = {
    "linux-x86_64": _linux("x86_64"),
    "linux-aarch64": _linux("aarch64"),
    "macos-x86_64": _macos("x86_64"),
    "macos-arm64": _macos("arm64"),
    "windows-amd64": Platform(("win_amd64",), "nt", "win32", "Windows", "AMD64"),
}


@dataclass(frozen=True, slots=True)
class Target:
    """A platform and a Python, by name. `HERE` is this one."""

    platform: str
    python: str = ""

    def __str__(self) -> str:
        """What it is called in what is told."""
        return f"{self.platform} {self.python}".rstrip()

    @property
    def options(self) -> list[str]:
        """What pip is told so that it fetches wheels for it."""
        if self.platform == HERE:
            return []
        tags = [f"--platform={tag}" for tag in PLATFORMS[self.platform].tags]
        return [*tags, "--implementation=cp", f"--python-version={self.python}"]

    @property
    def environment(self) -> dict[str, str]:
        """What markers are told that is not as here."""
        if self.platform == HERE:
            return {}
        platform = PLATFORMS[self.platform]
        return {
            "os_name": platform.os_name,
            "sys_platform": platform.sys_platform,
            "platform_system": platform.system,
            "platform_machine": platform.machine,
            "python_version": self.python,
            "python_full_version": f"{self.python}.0",
        }


def targets(names: list[str]) -> list[Target]:
    """The machines that were asked for, all where none was."""
    return [
        target
        for name in names or PLATFORMS
        for target in ([Target(HERE)] if name == HERE else [Target(name, py) for py in PYTHONS])
    ]


def needed(target: Target) -> dict[str, Requirement]:
    """All that Sabtui needs on a machine, by name, as who needs it says.

    What needs what is read from what is installed here.
    """
    environment, found = target.environment, dict[str, Requirement]()
    todo = [Requirement("sabtui")]
    done = set[str]()
    while todo:
        wanted = todo.pop()
        if str(wanted) in done:
            continue
        done.add(str(wanted))
        for needs in _needs_of(wanted, environment):
            found.setdefault(canonicalize_name(needs.name), needs)
            todo.append(needs)
    return found


def _needs_of(wanted: Requirement, environment: dict[str, str]) -> Iterator[Requirement]:
    for line in requires(wanted.name) or ():
        needs = Requirement(line)
        extras = wanted.extras or {""}
        if needs.marker is None or any(
            needs.marker.evaluate({**environment, "extra": extra}) for extra in extras
        ):
            yield needs


def pins(constraints: Path) -> dict[str, str]:
    """The pinned version of each package. Their markers do not matter: `needed` knows better."""
    lines = constraints.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([\w.-]+)==([^ ;]+)", line) for line in lines)
    return {canonicalize_name(pin[1]): pin[2] for pin in found if pin}
