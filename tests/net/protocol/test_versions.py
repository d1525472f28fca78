"""Versions: the newest that both speak, or who has to update."""

import pytest

from net.protocol import Outdated, Versions, agree


@pytest.mark.parametrize(
    ("client", "host", "version"),
    [
        ((1, 1), (1, 1), 1),
        ((1, 3), (2, 5), 3),
        ((2, 5), (1, 3), 3),
        ((1, 9), (4, 5), 5),
        ((1, 1), (2, 3), Outdated.CLIENT),
        ((4, 5), (2, 3), Outdated.HOST),
        ((3, 2), (2, 3), Outdated.HOST),
    ],
)
def test_two_ranges_have_a_newest_version_or_a_side_to_update(
    client: tuple[int, int], host: tuple[int, int], version: int | Outdated
) -> None:
    assert agree(Versions(*client), Versions(*host)) == version
