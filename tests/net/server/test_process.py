"""What a process of ours asks of the system for itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from net.server.process import allow_files

LOADED = """
import gc
from net.server.process import collect_rarely
before = gc.get_threshold()
collect_rarely()
print(gc.get_freeze_count() > 1000, before[:2] == gc.get_threshold()[:2], gc.get_threshold()[2])
"""


def test_a_server_looks_at_all_its_objects_more_rarely_and_never_at_what_was_loaded() -> None:
    run = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", LOADED], capture_output=True, check=True, text=True
    )
    assert run.stdout.startswith("True True ")
    if sys.version_info < (3, 14):
        assert run.stdout.split()[-1] == "100"


if sys.platform != "win32":
    import resource

    @pytest.mark.parametrize(("soft", "wanted", "then"), [(256, 400, 400), (400, 256, 400)])
    def test_more_files_may_be_open_than_is_usual_and_never_fewer(
        soft: int, wanted: int, then: int
    ) -> None:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
        try:
            allow_files(wanted)
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (then, before[1])
            allow_files(1 << 40)
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= then
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
