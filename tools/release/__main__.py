"""Command that makes and tries a release: `python -m tools.release DIST`.

DIST gets the sdist and the wheel, built twice to the same bytes and checked. The wheel is then
installed into a new environment of each Python that is found here, as an ordinary user where we are
root, and tried there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.release.contents import check_sdist, check_wheel
from tools.stick.targets import PYTHONS

assert sys.platform != "win32"  # POSIX; so that types know, too

ROOT = Path(__file__).parents[2]
NOBODY: Final = 65534
"""User and group as whom a release is tried by root."""


def main(dist: Path) -> None:
    """Build, check and try; end with a sentence at what is wrong."""
    sdist, wheel = build_twice(dist)
    tracked = _run("git", "-C", str(ROOT), "ls-files", "-z").split("\0")[:-1]
    for trouble in chain(check_sdist(sdist, tracked), check_wheel(wheel, tracked)):
        sys.exit(trouble)
    print(f"built twice, the same bytes: {sdist.name}, {wheel.name} ({_size(wheel)})", flush=True)
    found = list(find_pythons())
    for python in found:
        try_wheel(python, wheel)
    versions = {_version(python) for python in found}
    if lacking := [python for python in PYTHONS if python not in versions]:
        print(f"not tried, as it is not on this machine: Python {', '.join(lacking)}")


def build_twice(dist: Path) -> tuple[Path, Path]:
    """Build the sdist, and from it the wheel, twice; return both once they have the same bytes."""
    date = _run("git", "-C", str(ROOT), "log", "-1", "--format=%ct").strip()
    built: list[dict[str, bytes]] = []
    with TemporaryDirectory() as place:
        for number in ("1", "2"):
            folder = Path(place) / number
            os.environ["SOURCE_DATE_EPOCH"] = date
            _run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
            built.append({path.name: path.read_bytes() for path in folder.iterdir()})
        if built[0] != built[1]:
            sys.exit(f"two builds differ: {', '.join(sorted(built[0].keys() | built[1].keys()))}")
        dist.mkdir(parents=True, exist_ok=True)
        for path in (Path(place) / "1").iterdir():
            shutil.copy(path, dist)
    sdist, wheel = sorted(built[0], key=lambda name: name.endswith(".whl"))
    return dist / sdist, dist / wheel


def find_pythons() -> Iterable[Path]:
    """Yield one Python of each version that we are for, as far as there is one here."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for version in PYTHONS:
        name = f"python{version}"
        near = (Path("/usr/bin", name), Path(shutil.which(name) or name), Path(sys.executable))
        for candidate in (*near, *sorted(pyenv.glob(f"versions/{version}.*/bin/python"))):
            if _version(candidate) == version:
                yield candidate
                break


def try_wheel(python: Path, wheel: Path) -> None:
    """Install the wheel with both doors into a new environment of this Python, and try it."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "venv"
        _run(str(python), "-m", "venv", str(folder))
        pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet")
        limits = ("--constraint", str(ROOT / "constraints.txt"))
        _run(*pip, *limits, f"{wheel}[ssh,web]")
        tryout = shutil.copy(Path(__file__).with_name("tryout.py"), place)
        Path(place).chmod(0o755)
        is_nobody = os.getuid() == 0 and _is_open(python.resolve())
        said = _run(pip[0], tryout, str(folder / "bin" / "sabtui"), as_nobody=is_nobody)
        who = "as an ordinary user" if is_nobody or os.getuid() else "as root, whose own it is"
        print(f"Python {_version(python)}, {who}: {said.strip()}", flush=True)


def _is_open(python: Path) -> bool:
    """Return True if everybody may run this Python."""
    return all(folder.stat().st_mode & 0o001 for folder in python.parents)


def _version(python: Path) -> str:
    """Return the version of a Python as in 3.11, "" if it does not run."""
    ask = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    if not python.exists():
        return ""
    done = subprocess.run(  # noqa: S603 - a Python of this machine
        [python, "-c", ask], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def _run(*command: str, as_nobody: bool = False) -> str:
    """Run a command and return what it printed; end with its last words if it fails."""
    user = NOBODY if as_nobody else None
    done = subprocess.run(  # noqa: S603 - ours
        command,
        capture_output=True,
        text=True,
        check=False,
        user=user,
        group=user,
        extra_groups=None if user is None else (),
    )
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} ...: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
