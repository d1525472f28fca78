"""Command that builds an install folder: `python -m tools.stick FOLDER [PLATFORM...]`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from tools.stick.targets import HERE, PLATFORMS, Target, find_requirements, pins, targets

ROOT = Path(__file__).parents[2]

README: Final = """\
Sabtui, the card game Saboteur for terminals, for laptops without internet.

Each laptop needs Python 3.11, 3.12, 3.13 or 3.14; all else is on this stick. In this folder:

    Linux and macOS    sh install.sh
    Windows            install.bat

That makes a folder "sabtui" in your home folder, and says what to type to play. To remove Sabtui,
delete that folder. "sh install.sh FOLDER" and "install.bat FOLDER" put it elsewhere.

This stick is for:
{targets}"""
"""Text of README.txt."""


def main(folder: Path, names: list[str]) -> None:
    """Build the install folder, replacing any that is there."""
    if strange := [name for name in names if name not in (HERE, *PLATFORMS)]:
        sys.exit(f"no such platform: {', '.join(strange)}; there are: here, {', '.join(PLATFORMS)}")
    if folder.exists():
        shutil.rmtree(folder)
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    ours = pip("wheel", wheels, "--no-deps", str(ROOT))
    if ours.returncode:
        sys.exit(ours.stderr)
    if trouble := download(Target(HERE), wheels, "pip"):
        sys.exit(trouble)
    fetched = [target for target in targets(names) if fetch(target, wheels)]
    lay_out(folder, [str(target) for target in fetched])
    size = sum(wheel.stat().st_size for wheel in wheels.iterdir()) / 1e6
    print(f"{folder}: {len(list(wheels.iterdir()))} wheels, {size:.0f} MB")


def fetch(target: Target, wheels: Path) -> bool:
    """Fetch the wheels of a target, and return True if all could be had.

    The pinned versions, which Sabtui was tested with, are tried first. If one has no wheel for this
    target, the newest version that has one and that Sabtui accepts is fetched instead.
    """
    pinned = pins(ROOT / "constraints.txt")
    wanted = find_requirements(target)
    exact = {name: f"{name}=={pinned[name]}" for name in wanted}
    print(f"{target}: {len(exact)} packages", flush=True)
    if not download(target, wheels, *exact.values()):
        return True
    for name, version in exact.items():
        if not download(target, wheels, version):
            continue
        if trouble := download(target, wheels, free(wanted[name])):
            print(f"{target}: left out, as {name} cannot be had: {trouble}", flush=True)
            return False
        print(f"{target}: {version} has no wheel for it, another release is taken", flush=True)
    return True


def lay_out(folder: Path, targets: Iterable[str]) -> None:
    """Write the install scripts and the README into the folder.

    Scripts and README get the line endings of the systems they are for.
    """
    for name, newline in (("install.sh", "\n"), ("install.bat", "\r\n")):
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8", newline=newline)
    (folder / "install.sh").chmod(0o755)
    listed = "".join(f"    {target}\n" for target in targets)
    text = README.format(targets=listed)
    (folder / "README.txt").write_text(text, encoding="utf-8", newline="\r\n")


def free(needs: Requirement) -> str:
    """Return a requirement without its marker and extras."""
    return f"{needs.name}{needs.specifier}"


def download(target: Target, wheels: Path, *wanted: str) -> str:
    """Fetch these wheels for a target; return pip's error, or an empty string on success."""
    options = ("--no-deps", "--only-binary=:all:", *target.options)
    done = pip("download", wheels, *options, *wanted)
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return (lines or ["pip failed"])[-1] if done.returncode else ""


def pip(command: str, wheels: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a pip command that puts wheels into a folder; pip's own settings say where from."""
    where = f"--{'wheel-dir' if command == 'wheel' else 'dest'}={wheels}"
    lines = [sys.executable, "-m", "pip", command, "--quiet", where, *arguments]
    return subprocess.run(lines, check=False, capture_output=True, text=True)  # noqa: S603 - ours


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
