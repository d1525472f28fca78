"""The screen that tells of lost moves: the record of what was seen is kept, but not a guest's."""

from __future__ import annotations

from pathlib import Path


def count_files(folder: Path) -> int:
    """Return how many files are in a folder."""
    return len([*folder.iterdir()])
