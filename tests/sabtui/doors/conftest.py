"""A folder for journals, quick as memory; no test where there are no pseudo-terminals.

Without asyncssh, which is an extra, there are no tests of the SSH door.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.net.server.journal_tools import quick_folder
from tests.sabtui.doors.browser import end_browsers

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]
elif find_spec("asyncssh") is None:
    collect_ignore_glob = ["test_ssh_*.py"]


@pytest.fixture(scope="session", autouse=True)
def _browsers_end() -> Iterator[None]:
    yield
    end_browsers()


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder
