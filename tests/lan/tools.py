"""The tools and abilities of a system that tests of the LAN need, each looked for by its name.

A test names what it needs beyond a LAN of IPv4: `@pytest.mark.needs("nft")`. It is skipped where
that is missing, and cannot use what it did not name: its PATH has no such tool.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Collection
from pathlib import Path
from typing import Final

LAN_TOOLS: Final = ("unshare", "nsenter", "mount", "ip", "bash")
"""The tools without which there is no LAN at all."""

FURTHER_TOOLS: Final = ("nft", "ssh", "ssh-keygen", "sshd")
"""The tools that a test has to name."""

SBIN: Final = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Folders that have tools, and that are not on everybody's PATH."""

TOOL_PATH: Final = "SABTUI_TOOL_PATH"
"""An environment variable: the folders to look in, in place of PATH and `SBIN`."""

LAN_SCRIPT: Final = Path(__file__).parent / "lan.sh"

_TRIALS: Final = {
    "nft": ("-4", '"$LAN" mode nomcast; "$LAN" on h1 nft add table inet wall'),
    "IPv6": ("-6", '"$LAN" on h1 true'),
}
"""A family of LANs, and commands that show on one whether this kernel does what is needed."""


def tool_path() -> str:
    """Return the folders in which tools are looked for, as PATH has them."""
    given = os.environ.get(TOOL_PATH)
    return given or os.pathsep.join((os.environ.get("PATH", os.defpath), *SBIN))


def find(tool: str) -> str | None:
    """Return where a tool is, `None` if this machine has none."""
    return shutil.which(tool, path=tool_path())


def path_without(hidden: Collection[str], folder: Path) -> str:
    """Return `tool_path()` without some tools.

    A folder that has one of them is replaced by one of symbolic links to all else in it, below
    `folder`.
    """
    folders = []
    for number, name in enumerate(dict.fromkeys(tool_path().split(os.pathsep))):
        if any((Path(name) / tool).exists() for tool in hidden):
            links = folder / str(number)
            links.mkdir(parents=True)
            for file in Path(name).iterdir():
                if file.name not in hidden:
                    (links / file.name).symlink_to(file.absolute())
            name = str(links)  # noqa: PLW2901 - the folder that stands in for it
        folders.append(name)
    return os.pathsep.join(folders)


async def why_not(need: str) -> str | None:
    """Return why a tool, or "IPv6", cannot be had on this machine; `None` if it can."""
    tools = {*LAN_TOOLS, need} - {"IPv6"}
    missing = [tool for tool in tools if find(tool) is None]
    if missing:
        return f"no {', '.join(sorted(missing))}: not on PATH, nor in {', '.join(SBIN)}"
    family, trial = _TRIALS.get(need, ("-4", '"$LAN" on h1 true'))
    tried = await asyncio.create_subprocess_exec(
        *(LAN_SCRIPT, "run", "-n", "1", family, "sh", "-ec", trial),
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        env={**os.environ, "PATH": tool_path()},
    )
    _, said = await tried.communicate()
    last = said.decode(errors="replace").strip().splitlines()[-1:]
    return f"no {need} here: {' '.join(last)}" if tried.returncode else None
