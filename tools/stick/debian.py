"""Command that makes the Debian package: `python -m tools.stick.debian DIST`.

`DIST/stick/wheels` has the wheels, as `python -m tools.stick` fetches them, `DIST/share` the manual
page and completions (`python -m tools.manual`). What Sabtui needs is too old in Debian stable,
so the package holds all of it, unpacked in a folder that no other program looks into. Compiled
modules are named after their Python: one package is for each Python that the wheels are for.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sabtui import __version__
from tools.stick.targets import PLATFORMS, PYTHONS
from tools.stick.zipped import is_for

ROOT: Final = Path(__file__).parents[2]
ARCHITECTURES: Final = {"linux-x86_64": "amd64", "linux-aarch64": "arm64"}
"""Debian's names of the platforms that it has."""

PLACE: Final = "usr/lib/sabtui"
LAUNCHER: Final = f"""\
#!/usr/bin/python3 -P
import sys

sys.path.insert(0, "/{PLACE}")
from sabtui.__main__ import main

sys.exit(main())
"""
CONTROL: Final = """\
Package: sabtui
Version: {version}
Architecture: {architecture}
Maintainer: The Sabtui developers <sabtui@localhost>
Section: games
Priority: optional
Depends: python3 (>= {first}), python3 (<< {beyond})
Installed-Size: {kilobytes}
Description: card game Saboteur for terminals
 One player hosts, the others on the same network find the table and join,
 or come with ssh or a browser. Also against bots.
"""
AFTER_INSTALL: Final = f"""\
#!/bin/sh
set -e
[ "$1" != configure ] || python3 -m compileall -q /{PLACE} >/dev/null 2>&1 || true
"""
BEFORE_REMOVAL: Final = f"""\
#!/bin/sh
set -e
find /{PLACE} -name __pycache__ -prune -exec rm -rf {{}} +
"""


def main(dist: Path) -> None:
    """Make the package of each architecture for which there are wheels."""
    wheels = sorted((dist / "stick" / "wheels").glob("*.whl"))
    for name, architecture in ARCHITECTURES.items():
        chosen = [wheel for wheel in wheels if is_for(wheel.name, PLATFORMS[name])]
        if all(wheel.stem.endswith("-any") for wheel in chosen):
            continue
        with TemporaryDirectory() as folder:
            root = Path(folder) / "root"
            lay_out(root, chosen, dist / "share", architecture)
            path = dist / f"sabtui_{__version__}_{architecture}.deb"
            pack(root, path)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


def lay_out(root: Path, wheels: Iterable[Path], share: Path, architecture: str) -> None:
    """Write all files of the package into a folder as they are installed."""
    unpack(wheels, root / PLACE)
    shutil.copytree(share, root / "usr" / "share")
    for page in root.glob("usr/share/man/man*/*"):
        page.with_name(f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
        page.unlink()
    about = root / "usr/share/doc/sabtui"
    about.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", about / "copyright")
    news = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
    (about / "changelog.gz").write_bytes(news)
    write_script(root / "usr/bin/sabtui", LAUNCHER)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    last = PYTHONS[-1].partition(".")[2]
    control = CONTROL.format(
        version=__version__,
        architecture=architecture,
        first=PYTHONS[0],
        beyond=f"3.{int(last) + 1}~",
        kilobytes=size // 1024,
    )
    write_script(root / "DEBIAN" / "postinst", AFTER_INSTALL)
    write_script(root / "DEBIAN" / "prerm", BEFORE_REMOVAL)
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")


def unpack(wheels: Iterable[Path], folder: Path) -> None:
    """Unpack wheels for several Pythons into one folder; exits if two differ in more than theirs.

    Beside compiled modules, they differ in the lists of their own contents.
    """
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                path, content = folder / name, b"" if name.endswith("/") else archive.read(name)
                is_list = name.endswith((".dist-info/RECORD", ".dist-info/WHEEL"))
                if path.is_file() and not is_list and path.read_bytes() != content:
                    sys.exit(f"{wheel.name} has another {name} than a wheel before it")
                path.parent.mkdir(parents=True, exist_ok=True)
                if not name.endswith("/"):
                    path.write_bytes(content)


def write_script(path: Path, text: str) -> None:
    """Write a script that everybody may run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def pack(root: Path, path: Path) -> None:
    """Pack the folder; the same files make the same bytes."""
    for place in (root, *root.rglob("*")):
        place.chmod(0o755 if place.is_dir() or os.access(place, os.X_OK) else 0o644)
    date = _run("git", "-C", str(ROOT), "log", "-1", "--format=%ct").strip()
    os.environ["SOURCE_DATE_EPOCH"] = date
    _run("dpkg-deb", "--root-owner-group", "--build", str(root), str(path))


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - ours


if __name__ == "__main__":
    main(Path(sys.argv[1]))
