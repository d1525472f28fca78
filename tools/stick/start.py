"""Start of `sabtui.pyz`: unpacks the wheels for this Python once, and runs Sabtui from there.

It is packed as the file's `__main__.py`, and imports nothing but the standard library. Python 3.7
can read it, so that an old one tells its user what is needed.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

WHEELS = "wheels/"
FOR = "platform.txt"
"""Name of the file that says for which `sys.platform` and machine the wheels are, in two words."""


def find_cache() -> Path:
    """Return the user's own folder for files that can be made again."""
    system = sys.platform
    if system == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "sabtui" / "Cache"
    if system == "darwin":
        return Path.home() / "Library" / "Caches" / "sabtui"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sabtui"


def fits(wheel: str, version: tuple[int, int]) -> bool:
    """Return True if a wheel of this name is for a Python of this version, such as (3, 11)."""
    tags, abi = wheel.split("-")[-3:-1]
    pythons, own = tags.split("."), f"cp{version[0]}{version[1]}"
    if abi == "abi3":  # for that Python and all later ones
        return any(tag.startswith("cp3") and int(tag[3:]) <= version[1] for tag in pythons)
    return own in pythons if abi == own else abi == "none" and bool({"py3", own} & {*pythons})


def choose(names: Iterable[str], version: tuple[int, int]) -> list[str]:
    """Return the wheels for a Python of this version; none at all if one is missing."""
    wheels = [name[len(WHEELS) :] for name in names if name.startswith(WHEELS)]
    chosen = [wheel for wheel in wheels if fits(wheel, version)]
    packages = {wheel.split("-")[0] for wheel in wheels}
    return sorted(chosen) if {wheel.split("-")[0] for wheel in chosen} == packages else []


def unpack(archive: zipfile.ZipFile, wheels: Iterable[str], folder: Path) -> None:
    """Unpack these wheels into a folder, if it is not there yet; all of them, or nothing."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        for wheel in wheels:
            with archive.open(WHEELS + wheel) as packed, zipfile.ZipFile(packed) as unpacked:
                unpacked.extractall(half)
        half.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another start was faster
            raise
    finally:
        shutil.rmtree(half, ignore_errors=True)


def prepare(path: Path, version: tuple[int, int]) -> Path:
    """Return the folder with all that Sabtui needs, unpacked from the file at this path.

    Exits with a sentence if the file is not for this computer or this Python.
    """
    own = f"{version[0]}.{version[1]}"
    with zipfile.ZipFile(path) as archive:
        made_for = archive.read(FOR).decode()
        if f"{sys.platform} {platform.machine()}".lower() != made_for.lower():
            sys.exit(f"This file is for {made_for}: take the one for your computer.")
        names = archive.namelist()
        wheels = choose(names, version)
        if not wheels:
            others = ", ".join(f"3.{minor}" for minor in range(100) if choose(names, (3, minor)))
            sys.exit(f"This file is for Python {others}, and this is {own}: use one of those.")
        sums = [archive.getinfo(WHEELS + wheel).CRC for wheel in wheels]
        key = zlib.crc32(repr((wheels, sums)).encode())
        folder = find_cache() / f"{own}-{key:08x}"
        try:
            unpack(archive, wheels, folder)
        except OSError as error:
            sys.exit(f"Sabtui cannot be unpacked into {folder}: {error.strerror}")
    return folder


def main() -> None:
    """Unpack Sabtui where this is its first start, then run it; its own processes find it, too."""
    version = sys.version_info[:2]
    if version < (3, 11):
        sys.exit(f"Sabtui needs Python 3.11 or later; this is Python {version[0]}.{version[1]}.")
    own = Path(sys.path[0]).absolute()
    folder = str(prepare(own, version))
    sys.path[0] = folder
    from sabtui.cli.main import main as run  # noqa: PLC0415 - it is there only now

    sys.exit(run())


if __name__ == "__main__":
    main()
