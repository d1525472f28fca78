"""The machines that an install folder is for, and the packages that each of them needs.

It evaluates wheel tags and requirement markers, and fetches nothing.
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
"""The Python versions that wheels are fetched for."""
MACOS: Final = (12, 0)
"""The oldest macOS that wheels are fetched for."""
HERE: Final = "here"
"""The name of the platform that stands for this machine and this Python."""


@dataclass(frozen=True, slots=True)
class Platform:
    """A kind of machine: its wheel tags, oldest first, and its values of environment markers."""

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
    major, minor = MACOS
    return Platform((f"macosx_{major}_{minor}_{machine}",), "posix", "darwin", "Darwin", machine)


PLATFORMS: Final = {
    "linux-x86_64": _linux("x86_64"),
    "linux-aarch64": _linux("aarch64"),
    "macos-x86_64": _macos("x86_64"),
    "macos-arm64": _macos("arm64"),
    "windows-amd64": Platform(("win_amd64",), "nt", "win32", "Windows", "AMD64"),
}
"""The platforms by the names used on the command line."""


@dataclass(frozen=True, slots=True)
class Target:
    """A platform and a Python version. `HERE` is this machine and this Python."""

    platform: str
    python: str = ""

    def __str__(self) -> str:
        """Return the platform and Python version for messages."""
        return f"{self.platform} {self.python}".rstrip()

    @property
    def options(self) -> list[str]:
        """The options that make pip fetch wheels for this target."""
        if self.platform == HERE:
            return []
        tags = [f"--platform={tag}" for tag in PLATFORMS[self.platform].tags]
        return [*tags, "--implementation=cp", f"--python-version={self.python}"]

    @property
    def environment(self) -> dict[str, str]:
        """The marker values that differ from those of this machine."""
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
    """Return the targets of these platforms, or of all platforms if none is named."""
    return [
        target
        for name in names or PLATFORMS
        for target in ([Target(HERE)] if name == HERE else [Target(name, py) for py in PYTHONS])
    ]


def find_requirements(target: Target) -> dict[str, Requirement]:
    """Return the requirements of Sabtui on a target, dependencies included, by package name.

    They are read from the metadata of what is installed here. If several packages need the same
    one, the requirement found first counts.
    """
    environment, found = target.environment, dict[str, Requirement]()
    todo = [Requirement("sabtui[ssh,web]")]
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
    """Yield the direct requirements of a package that apply in this environment."""
    for line in requires(wanted.name) or ():
        needs = Requirement(line)
        extras = wanted.extras or {""}
        if needs.marker is None or any(
            needs.marker.evaluate({**environment, "extra": extra}) for extra in extras
        ):
            yield needs


def pins(constraints: Path) -> dict[str, str]:
    """Return the pinned version of each package.

    Markers in the constraints are ignored: `needed` decides what a target needs.
    """
    lines = constraints.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([\w.-]+)==([^ ;]+)", line) for line in lines)
    return {canonicalize_name(pin[1]): pin[2] for pin in found if pin}
