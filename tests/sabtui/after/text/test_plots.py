"""A plot in characters shows the highest highest."""

from sabtui.after.text import area


def test_an_area_is_filled_from_below_to_half_a_row() -> None:
    assert area([0, 0.25, 0.5, 1, 2], 2) == ["   ██", " ▄███"]
    assert area([0, 0.25, 0.5, 1, -1], 2, ascii_only=True) == ["   # ", "  ## "]
