"""A folder for journals, quick as memory; no test where there are no pseudo-terminals.

Without asyncssh, which is an extra, the tests of the SSH door are passed over with a line.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from tests.net.server.journal_tools import quick_folder
from tests.sabtui.doors.browser import end_browsers

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]


class PassedOver(pytest.Module):
    """A module that is not imported."""

    def collect(self) -> NoReturn:
        """Skip it."""
        pytest.skip("the SSH door needs asyncssh, which is not here", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> PassedOver | None:
    """Pass over the tests of the SSH door where they cannot be imported."""
    if module_path.name.startswith("test_ssh_") and find_spec("asyncssh") is None:
        module: PassedOver = PassedOver.from_parent(parent, path=module_path)
        return module
    return None


@pytest.fixture(scope="session", autouse=True)
def _browsers_end() -> Iterator[None]:
    yield
    end_browsers()


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder
