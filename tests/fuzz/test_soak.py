"""The long run of all properties, for as many minutes as SABTUI_FUZZ_MINUTES says."""

import importlib
import os
from pathlib import Path

import pytest

from tests.conftest import seed_of
from tests.fuzz.fuzzing import AT_ONCE, PROPERTIES, soak


@pytest.mark.level("soak")
def test_nothing_but_errors_of_ours_comes_out_for_so_many_minutes(
    pytestconfig: pytest.Config,
) -> None:
    for path in Path(__file__).parent.glob("test_fuzz_*.py"):
        importlib.import_module(f"tests.fuzz.{path.stem}")
    seconds = 60 * float(os.environ.get("SABTUI_FUZZ_MINUTES", "1"))
    rounds = soak(seconds, seed_of(pytestconfig))
    print(f"{len(PROPERTIES)} properties, {rounds} times {AT_ONCE} examples")  # noqa: T201 - figure
