"""The hash of everything that the baked pictures are made from. It needs no image library."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ART: Final = HERE.parents[1] / "sabtui" / "art"

_SHOWING: Final = frozenset(("example.py", "sheet.py"))
"""Modules that look at pictures and have no part in them."""


def list_sources() -> list[Path]:
    """Return the drawings and the code that bakes them, in a fixed order."""
    ours = [path for path in HERE.glob("*.py") if path.name not in _SHOWING]
    shared = [ART / "glyphs.py", ART / "catalogue.py"]
    return sorted([*ours, *shared, HERE / "icons.txt", *HERE.glob("things/*.svg")])


def hash_sources() -> str:
    """Return the hash of all sources, whatever their line ends."""
    found = sha256()
    for path in list_sources():
        found.update(path.name.encode() + b"\0")
        found.update(path.read_text(encoding="utf-8").encode() + b"\0")
    return found.hexdigest()
