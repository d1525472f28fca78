"""What is true of the modules themselves."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["net.transport.authenticate", "net.transport.listener", "net.security.client"]
)
def test_what_is_heavy_is_not_imported_before_it_is_needed(module: str) -> None:
    heavy = {"cryptography", "spake2", "zeroconf", "textual", "sabtui"}
    script = f"import sys, {module}; print(*sorted({heavy} & set(sys.modules)))"
    run = subprocess.run(  # noqa: S603 - a fixed command
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert run.stdout.split() == []
