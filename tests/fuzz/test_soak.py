"""The long run of all properties, for as many minutes as SABTUI_FUZZ_MINUTES says."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from tests.conftest import seed_of
from tests.fuzz.fuzzing import AT_ONCE, PROPERTIES, Property, soak

MINUTES = "SABTUI_FUZZ_MINUTES"
FAMILIES = sorted(path.stem for path in Path(__file__).parent.glob("test_fuzz_*.py"))


def all_properties() -> list[Property]:
    """What every family has to hold."""
    for family in FAMILIES:
        importlib.import_module(f"tests.fuzz.{family}")
    return PROPERTIES


@pytest.mark.level("soak")
def test_nothing_but_errors_of_ours_comes_out_for_so_many_minutes(
    pytestconfig: pytest.Config,
) -> None:
    seconds = 60 * float(os.environ.get(MINUTES, "1"))
    rounds = soak(seconds, all_properties(), seed_of(pytestconfig))
    print(f"{len(PROPERTIES)} properties, {rounds} times {AT_ONCE} examples")  # noqa: T201 - figure


def test_a_long_run_has_all_properties_and_finds_what_does_not_hold() -> None:
    names = [each.name for each in all_properties()]
    assert len(names) == len(set(names)) >= 2 * len(FAMILIES)

    def fails(number: int, stream: str = "") -> None:
        raise ValueError(number, stream)

    with pytest.raises(ValueError, match="7 0"):
        soak(9.0, [Property("fails", fails)], "7")
    assert soak(0.0, [Property("fails", fails)], "7") == 0
