"""The files beside the wheels: install scripts, and a README for players."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent

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


def lay_out(folder: Path, targets: Iterable[str]) -> None:
    """Write the install scripts and the README into the folder.

    Scripts and README get the line endings of the systems they are for.
    """
    for name, newline in (("install.sh", "\n"), ("install.bat", "\r\n")):
        text = (HERE / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8", newline=newline)
    (folder / "install.sh").chmod(0o755)
    listed = "".join(f"    {target}\n" for target in targets)
    text = README.format(targets=listed)
    (folder / "README.txt").write_text(text, encoding="utf-8", newline="\r\n")
