"""The log of a table's process, and of its doors: strangers cannot make it fill a disk."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import StringIO

import pytest

from sabtui.app.log import BoundedLog

MOST = 1000


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """A logger of its own, which tells no other."""
    logger = logging.getLogger("sabtui.tests.bounded")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield logger
    logger.handlers.clear()


def test_connections_without_end_are_logged_up_to_a_length_and_errors_beside_them(
    logger: logging.Logger,
) -> None:
    written = StringIO()
    logger.addHandler(BoundedLog(written, MOST))
    for number in range(MOST):
        logger.info("connection %d is up", number)
    logger.error("the journal cannot be written")
    lines = written.getvalue().splitlines()
    assert lines[0] == "connection 0 is up"
    assert lines[-2:] == ["no more of this kind is logged", "the journal cannot be written"]
    assert len(written.getvalue()) < 2 * MOST


def test_errors_without_end_are_bounded_too(logger: logging.Logger) -> None:
    written = StringIO()
    logger.addHandler(BoundedLog(written, MOST))
    for _ in range(MOST):
        logger.error("a login broke")
    assert len(written.getvalue()) < 2 * MOST
