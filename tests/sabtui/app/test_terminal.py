"""What the terminal is: its size, colours, glyphs, and whether it can show a screen."""

from __future__ import annotations

import pytest

from sabtui.app.terminal import USUAL_SIZE, sane_size


@pytest.mark.parametrize(
    ("told", "size"),
    [
        ((100, 35), (100, 35)),
        ((1, 1), (1, 1)),
        ((0, 0), USUAL_SIZE),
        ((80, 0), USUAL_SIZE),
        ((0, 24), USUAL_SIZE),
        ((-1, 24), USUAL_SIZE),
        ((65535, 65535), USUAL_SIZE),
    ],
)
def test_a_size_that_cannot_be_true_is_the_usual_one(
    told: tuple[int, int], size: tuple[int, int]
) -> None:
    assert sane_size(*told) == size
