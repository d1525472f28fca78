"""The long run of all properties, for as many minutes as SABTUI_FUZZ_MINUTES says."""

import importlib
import os
import time
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import seed_of
from tests.fuzz.fuzzing import PROPERTIES

AT_ONCE = 500
"""Examples of one property before the next has its turn."""


@pytest.mark.level("soak")
def test_nothing_but_errors_of_ours_comes_out_for_so_many_minutes(
    pytestconfig: pytest.Config,
) -> None:
    for path in Path(__file__).parent.glob("test_fuzz_*.py"):
        importlib.import_module(f"tests.fuzz.{path.stem}")
    until = time.monotonic() + 60 * float(os.environ.get("SABTUI_FUZZ_MINUTES", "1"))
    for rounds in count():
        for try_it in PROPERTIES.values():
            if time.monotonic() >= until:
                return
            try_it(AT_ONCE, f"{seed_of(pytestconfig)} {rounds}")
