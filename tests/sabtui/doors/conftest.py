"""A folder for journals, quick as memory, and no test where there are no pseudo-terminals."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.journal.tools import quick_folder

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder
