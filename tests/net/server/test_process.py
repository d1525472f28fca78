"""What a process of ours asks of the system for itself."""

from __future__ import annotations

import sys

import pytest

from net.server.process import allow_files

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
