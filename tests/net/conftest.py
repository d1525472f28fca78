"""The programs of a simulated table run in one process, and read the record of its game once."""

from collections.abc import Iterator
from functools import lru_cache

import pytest

from engine.notation import parse_record


@pytest.fixture(scope="session", autouse=True)
def each_record_is_read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("net.client.audit.parse_record", lru_cache(4)(parse_record))
        yield
