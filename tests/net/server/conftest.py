"""A folder for journals, quick as memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.server.journal_tools import quick_folder


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder
