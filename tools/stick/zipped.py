"""Command that makes one file of Sabtui for each platform: `python -m tools.stick.zipped DIST`.

`DIST/stick/wheels` has the wheels, as `python -m tools.stick` fetches them. `sabtui-PLATFORM.pyz`
runs on any Python that the platform has wheels for, without installing: see `tools.stick.start`.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from packaging.tags import mac_platforms
from packaging.utils import parse_wheel_filename

from tools.stick import start
from tools.stick.targets import MACOS, PLATFORMS, Platform

SHEBANG: Final = b"#!/usr/bin/env python3\n"
DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Date of all files, so that the same wheels make the same bytes; the first that a zip file has."""


def main(dist: Path) -> None:
    """Make the file of each platform for which there are wheels."""
    wheels = sorted((dist / "stick" / "wheels").glob("*.whl"))
    for name, platform in PLATFORMS.items():
        chosen = choose_newest(wheel for wheel in wheels if is_for(wheel.name, platform))
        if all(wheel.stem.endswith("-any") for wheel in chosen):
            continue
        path = dist / f"sabtui-{name}.pyz"
        write(path, chosen, platform)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


def is_for(wheel: str, platform: Platform) -> bool:
    """Return True if a wheel runs on a platform. pip, which installs, is not needed there."""
    name, _version, _build, tags = parse_wheel_filename(wheel)
    fitting = {"any", *platform.tags}
    if platform.sys_platform == "darwin":  # a wheel for an older macOS, or for both processors
        fitting.update(mac_platforms(MACOS, platform.machine))
    return name != "pip" and any(tag.platform in fitting for tag in tags)


def choose_newest(wheels: Iterable[Path]) -> list[Path]:
    """Return one wheel of each package and kind of Python: one for both processors may be older."""
    newest: dict[object, Path] = {}
    for wheel in sorted(wheels, key=lambda path: parse_wheel_filename(path.name)[1]):
        name, _version, _build, tags = parse_wheel_filename(wheel.name)
        newest[name, frozenset((tag.interpreter, tag.abi) for tag in tags)] = wheel
    return sorted(newest.values())


def write(path: Path, wheels: Iterable[Path], platform: Platform) -> None:
    """Write the file of a platform with these wheels."""
    with path.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w") as archive:
            source = Path(start.__file__).read_bytes()
            archive.writestr(_dated_entry("__main__.py"), source)
            words = f"{platform.sys_platform} {platform.machine}"
            archive.writestr(_dated_entry(start.FOR), words)
            for wheel in wheels:
                archive.writestr(_dated_entry(start.WHEELS + wheel.name), wheel.read_bytes())
    path.chmod(0o755)


def _dated_entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, DATE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
