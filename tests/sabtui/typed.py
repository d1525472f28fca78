"""The whole program in this process, with lines typed into it: what a shell would run."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sabtui.cli.main import main
from sabtui.plain import console


@contextmanager
def type_here(text: str | bytes) -> Iterator[None]:
    """Let this be all that is typed into a console of this process."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(text if isinstance(text, bytes) else text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "_STDIN", reading)
        yield
        for thread in threading.enumerate():
            if thread.name == "typed":
                thread.join(60)
    os.close(reading)


def run_here(
    capture: pytest.CaptureFixture[str], *arguments: str, text: str | bytes = ""
) -> tuple[int, str, str]:
    """Run the command with all of a text typed at once; return exit code, output and errors."""
    assert not sys.stdin.isatty()
    with type_here(text):
        code = main([*arguments])
    return (code, *capture.readouterr())
