"""Plots in characters keep to their width, and show the highest highest."""

import pytest

from sabtui.after.text import area, bar, resample, sparkline


def test_a_line_of_blocks_rises_with_the_shares() -> None:
    assert sparkline([0, 0.5, 1], 10) == "▁▅█"
    assert sparkline([0, 0.5, 1], 10, ascii_only=True) == "_+#"
    assert sparkline([-1, 2], 10) == "▁█"
    assert sparkline([], 10) == ""


def test_more_shares_than_columns_are_thinned_out_to_the_last() -> None:
    assert resample(list(range(100)), 4) == [24, 49, 74, 99]
    assert len(sparkline([0.3] * 1_000, 60)) == 60


@pytest.mark.parametrize(
    ("share", "drawn", "ascii_drawn"),
    [(0, "    ", "...."), (1, "████", "####"), (0.5, "██  ", "##.."), (0.4, "█▋  ", "##..")],
)
def test_a_bar_is_as_long_as_its_share(share: float, drawn: str, ascii_drawn: str) -> None:
    assert bar(share, 4) == drawn
    assert bar(share, 4, ascii_only=True) == ascii_drawn


def test_an_area_is_filled_from_below_to_half_a_row() -> None:
    assert area([0, 0.25, 0.5, 1, 2], 2) == ["   ██", " ▄███"]
    assert area([0, 0.25, 0.5, 1, -1], 2, ascii_only=True) == ["   # ", "  ## "]
