"""Starting a Python program of ours as a process of its own, from wherever we were started.

It imports from where we were, and not from where we stand: what lies in the folder that a player
happens to be in is not ours.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

_HOUSE: Final = str(Path(__file__).parents[1])


def python(*words: str) -> tuple[str, ...]:
    """The command: `python("-m", "net.host.worker")`."""
    return (sys.executable, "-P", *words)


def environment() -> dict[str, str]:
    """What it needs to find us."""
    paths = [_HOUSE, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
