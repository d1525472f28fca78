"""One certificate for all these tests: to make one takes a while."""

import pytest

from net.secure.keys import TableCertificate


@pytest.fixture(scope="session")
def table() -> TableCertificate:
    return TableCertificate.new()
