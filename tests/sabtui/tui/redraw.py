"""Commands that draw files anew: all of it first, and only then in place of the old.

So that where drawing fails, or is interrupted, nothing has been touched.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

Drawn = Mapping[str, str]
"""What files of a folder hold, by their path in it."""


def put(drawn: Drawn, folder: Path, *olds: str) -> None:
    """Put what was drawn in place of all that matches."""
    for pattern in olds:
        for old in folder.glob(pattern):
            if old.is_dir():
                shutil.rmtree(old)
            else:
                old.unlink()
    for name, text in drawn.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def command(draw: Callable[[], Awaitable[Drawn]], folder: Path, *olds: str) -> None:
    """Draw all anew; there is nothing to choose, so arguments are a mistake."""
    if sys.argv[1:]:
        sys.stderr.write(f"{Path(sys.argv[0]).stem} takes no arguments: it draws all anew.\n")
        raise SystemExit(2)

    async def draw_again() -> Drawn:
        return await draw()

    put(asyncio.run(draw_again()), folder, *olds)
