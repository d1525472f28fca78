"""The terminal's cursor, and pictures that it was sent."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from sabtui.art.catalogue import Drawing
from sabtui.art.kitty import FIRST_SIGN, Placed, number_picture
from sabtui.tui.output import HIDE_CURSOR, SHOW_CURSOR, USUAL_CURSOR, Display, PlacedStrip


def test_pictures_are_sent_once_and_deleted_when_the_terminal_is_given_back() -> None:
    written = list[str]()
    display = Display(written.append)
    assert display.give_back() == USUAL_CURSOR
    number = number_picture(Placed(Drawing("goal"), (9, 4)))
    for _time in range(2):
        display.send_pictures([number, number], (8, 16))
        assert "".join(written).count("a=T,U=1") == 1
        written.clear()
        assert f"a=d,d=I,i={number}," in display.give_back()
    assert display.give_back() == USUAL_CURSOR


def test_while_pictures_are_drawn_the_cursor_is_hidden() -> None:
    written = list[str]()
    display = Display(written.append)
    with display.without_cursor(when=True):
        written.append("drawn")
    assert written == ["drawn"], "it is not shown at all"
    display.show_cursor(shown=True)
    for when in (False, True):
        with display.without_cursor(when=when):
            written.append("drawn")
    assert written[1:] == [SHOW_CURSOR, "drawn", HIDE_CURSOR, "drawn", SHOW_CURSOR]


def test_a_terminal_that_is_given_back_shows_no_pictures_by_sixel() -> None:
    display = Display(list[str]().append)
    strip = PlacedStrip(0, 0, Strip([Segment(FIRST_SIGN, Style(color="#808080"))]))
    for _time in range(2):
        assert list(display.shown.update([strip]))
        assert not list(display.shown.update([strip]))
        display.give_back()
