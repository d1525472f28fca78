"""Only where namespaces may be made, and there they must work."""

import pytest

from tests.lan.lan import Lan, why_not


@pytest.fixture
async def new_lan() -> type[Lan]:
    """Give what makes a LAN, and skip where the system forbids it."""
    if reason := await why_not():
        pytest.skip(f"no network namespaces: {reason}")
    return Lan
