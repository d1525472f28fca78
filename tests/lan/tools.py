"""The tools and abilities of a system that tests of the LAN need, each looked for by its name.

A test names what it needs beyond a LAN of IPv4: `@pytest.mark.needs("nft")`. It is skipped where
that is missing.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Final

LAN_TOOLS: Final = ("unshare", "nsenter", "mount", "ip", "bash")
"""The tools without which there is no LAN at all."""

SBIN: Final = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Folders that have tools, and that are not on everybody's PATH."""

TOOL_PATH: Final = os.pathsep.join((os.environ.get("PATH", os.defpath), *SBIN))

LAN_SCRIPT: Final = Path(__file__).parent / "lan.sh"

_TRIALS: Final = {
    "nft": ("-4", '"$LAN" mode nomcast; "$LAN" on h1 nft add table inet wall'),
    "IPv6": ("-6", '"$LAN" on h1 true'),
}
"""A family of LANs, and commands that show on one whether this kernel does what is needed."""

_tried: Final[dict[str, str | None]] = {}


def find(tool: str) -> str | None:
    """Return where a tool is, `None` if this machine has none."""
    return shutil.which(tool, path=TOOL_PATH)


async def why_not(need: str) -> str | None:
    """Return why a tool, or "IPv6", cannot be had on this machine; `None` if it can."""
    if need not in _tried:
        _tried[need] = await _try(need)
    return _tried[need]


async def _try(need: str) -> str | None:
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
        env={**os.environ, "PATH": TOOL_PATH},
    )
    _, said = await tried.communicate()
    last = said.decode(errors="replace").strip().splitlines()[-1:]
    return f"no {need} here: {' '.join(last)}" if tried.returncode else None
