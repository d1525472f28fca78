"""What a terminal is thought to show, and the large letters."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path

import pytest
from textual.theme import Theme as Look

from net.secure.code import words
from sabtui.app.preferences import PreferencesStore, Theme
from sabtui.art import Art
from sabtui.art.glyphs import BlockSet
from sabtui.art.terminal import SILENT, TerminalAnswers
from sabtui.tui.app import SabtuiApp
from sabtui.tui.theme import (
    ASCII,
    BLUE_ORANGE,
    BOX,
    CONSOLE,
    DARK,
    DRAWN,
    DRAWN_IN_256,
    DRAWN_ON_LIGHT,
    LIGHT,
    PAINTED,
    PICTURED,
    PICTURED_ON_LIGHT,
    TERMINAL,
    Glyphs,
    choose_glyphs,
    choose_theme,
    draw_large,
    drawable,
)

TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
PLAIN = {"COLORTERM": ""}


@pytest.mark.parametrize(
    ("environ", "glyphs"),
    [
        ({"LANG": "de_DE.UTF-8"}, BOX),
        ({"LANG": "en_US.ISO-8859-1"}, ASCII),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, ASCII),
        ({"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, BOX),
        ({"LANG": "en_US.UTF-8", "TERM": "dumb"}, ASCII),
    ],
)
def test_the_locale_says_what_lines_are_drawn_with(environ: dict[str, str], glyphs: Glyphs) -> None:
    theme = choose_theme(Theme.AUTO, environ)
    assert choose_glyphs(Art.AUTO, theme, environ) is glyphs
    assert choose_glyphs(Art.LINES, theme, environ) is BOX
    assert choose_glyphs(Art.ASCII, theme, environ) is ASCII


@pytest.mark.parametrize(
    ("wanted", "theme", "environ", "glyphs"),
    [
        (Art.AUTO, Theme.AUTO, {}, DRAWN),
        (Art.AUTO, Theme.LIGHT, {}, DRAWN_ON_LIGHT),
        (Art.BLOCKS, Theme.DARK, {"COLORTERM": ""}, DRAWN_IN_256),
        (Art.BLOCKS, Theme.DARK, {"COLORTERM": "", "TERM": "xterm"}, BOX),
        (Art.AUTO, Theme.LIGHT, {"COLORTERM": ""}, DRAWN_IN_256),
        (Art.AUTO, Theme.AUTO, {"LANG": "C"}, ASCII),
        (Art.AUTO, Theme.TERMINAL, {}, BOX),
        (Art.AUTO, Theme.AUTO, {"NO_COLOR": ""}, BOX),
        (Art.AUTO, Theme.DARK, {"COLORTERM": "", "TERM": "linux"}, CONSOLE),
        (Art.BLOCKS, Theme.DARK, {"COLORTERM": "", "TERM": "linux"}, CONSOLE),
        (Art.BLOCKS, Theme.TERMINAL, {}, DRAWN),
        (Art.BLOCKS, Theme.DARK, {"NO_COLOR": "1"}, BOX),
        (Art.LINES, Theme.DARK, {}, BOX),
    ],
)
def test_cards_are_drawn_where_there_are_256_colours_or_more(
    wanted: Art, theme: Theme, environ: dict[str, str], glyphs: Glyphs
) -> None:
    environ = {"LANG": "C.UTF-8", **TRUE, **environ}
    assert choose_glyphs(wanted, choose_theme(theme, environ), environ) is glyphs


KITTY = SILENT.read("\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c")
FOOT = SILENT.read("\x1bP>|foot(1.13.1)\x1b\\\x1b[6;20;10t\x1b[?62;4c")
XTERM = TerminalAnswers(name="xterm", version=(379,))
"""Answers of a terminal with sixel, and a few more of its kind."""


@pytest.mark.parametrize(
    ("wanted", "theme", "environ", "answers", "glyphs"),
    [
        (Art.AUTO, DARK, {}, KITTY, PICTURED),
        (Art.PICTURES, LIGHT, {}, KITTY, PICTURED_ON_LIGHT),
        (Art.BLOCKS, DARK, {}, KITTY, DRAWN),
        (Art.LINES, DARK, {}, KITTY, BOX),
        (Art.PICTURES, DARK, {}, SILENT, DRAWN),
        (Art.AUTO, DARK, {"TMUX": "socket,1,0"}, KITTY, DRAWN),
        (Art.PICTURES, DARK, {"NO_COLOR": "1"}, KITTY, BOX),
        (Art.AUTO, DARK, {"COLORTERM": ""}, FOOT, PICTURED),
        (Art.AUTO, LIGHT, {}, FOOT, PICTURED_ON_LIGHT),
        (Art.BLOCKS, DARK, {}, FOOT, DRAWN),
        (Art.AUTO, DARK, {"COLORTERM": ""}, KITTY, DRAWN_IN_256),
        (Art.AUTO, DARK, {"TMUX": "socket,1,0"}, FOOT, DRAWN),
        (Art.AUTO, DARK, {}, replace(FOOT, cell=None), DRAWN),
        (Art.AUTO, DARK, {**PLAIN, "TERM": "xterm"}, FOOT, PICTURED),
        (Art.AUTO, DARK, {**PLAIN, "TERM": "xterm"}, replace(XTERM, version=(330,)), BOX),
        (Art.AUTO, DARK, {**PLAIN, "TERM": "tmux-256color"}, XTERM, DRAWN_IN_256),
    ],
)
def test_pictures_are_shown_where_the_terminal_has_said_that_it_can(
    wanted: Art, theme: Look, environ: dict[str, str], answers: TerminalAnswers, glyphs: Glyphs
) -> None:
    environ = {"LANG": "C.UTF-8", **TRUE, **environ}
    assert choose_glyphs(wanted, theme.name, environ, answers).name == glyphs.name


@pytest.mark.parametrize(
    ("wanted", "environ", "answers", "theme"),
    [
        (Theme.AUTO, {"TERM": "xterm"}, FOOT, DARK.name),
        (Theme.AUTO, {"TERM": "xterm", "NO_COLOR": "1"}, FOOT, TERMINAL),
        (Theme.AUTO, {"TERM": "xterm"}, XTERM, DARK.name),
        (Theme.AUTO, {"TERM": "xterm"}, replace(XTERM, version=(330,)), TERMINAL),
        (Theme.AUTO, TRUE, SILENT, DARK.name),
        (Theme.AUTO, {**TRUE, "COLORFGBG": "0;15"}, SILENT, LIGHT.name),
        (Theme.AUTO, {"TERM": "linux"}, SILENT, TERMINAL),
        (Theme.AUTO, {"TERM": "xterm"}, SILENT, TERMINAL),
        (Theme.LIGHT, {"TERM": "xterm"}, SILENT, LIGHT.name),
        (Theme.TERMINAL, TRUE, SILENT, TERMINAL),
        (Theme.BLUE_ORANGE, {**TRUE, "COLORFGBG": "0;15"}, SILENT, BLUE_ORANGE.name),
        (Theme.BLUE_ORANGE, {**TRUE, "NO_COLOR": "1"}, SILENT, TERMINAL),
        (Theme.DARK, {**TRUE, "NO_COLOR": ""}, SILENT, TERMINAL),
    ],
)
def test_the_theme_is_the_players_unless_there_are_no_colours(
    wanted: Theme, environ: dict[str, str], answers: TerminalAnswers, theme: str
) -> None:
    assert choose_theme(wanted, environ, answers) == theme


def test_every_code_can_be_drawn_and_each_letter_differs() -> None:
    for word in words():
        assert len(draw_large(word, BOX)) == 3
        assert len(draw_large(word, ASCII)) == 5
    letters = "abcdefghijklmnopqrstuvwxyz0123456789-+ "
    for glyphs in (BOX, CONSOLE, ASCII):
        assert len({tuple(draw_large(letter, glyphs)) for letter in letters}) == len(letters)


CONSOLE_SIGNS = set("·─│┌┐└┘├┤┬┴┼═║╔╗╚╝╞╠╡╣╥╦╨╩╬█▒░")
"""Signs of ours beyond ASCII that all of Debian's Latin console fonts have (`psfgettable`)."""


def test_the_linux_console_is_written_no_sign_that_its_fonts_lack() -> None:
    signs = set(repr(astuple(CONSOLE))) | set("".join(draw_large("gold", CONSOLE)))
    assert {sign for sign in signs if not sign.isascii()} <= CONSOLE_SIGNS
    assert not {sign for sign in "".join(draw_large("gold", BOX)) if sign != " "} <= CONSOLE_SIGNS


@pytest.mark.parametrize(
    ("name", "drawn"),
    [("Dédé 2", "dede 2"), ("Ærø", ""), ("金金", ""), ("[red]", ""), ("", ""), ("ÅSA", "asa")],
)
def test_accents_are_left_out_of_large_names_and_other_signs_cannot_be_drawn(
    name: str, drawn: str
) -> None:
    assert drawable(name) == drawn


@pytest.mark.parametrize(("is_guest", "glyphs"), [(False, DRAWN), (True, PAINTED)])
def test_a_guest_at_a_door_has_no_drawn_cards_whose_bytes_could_tell_a_goal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_guest: bool, glyphs: Glyphs
) -> None:
    for name, value in {"LC_ALL": "C.UTF-8", **TRUE}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    store = PreferencesStore(tmp_path / "settings")
    app = SabtuiApp(lambda: pytest.fail("no table is opened"), store, is_guest=is_guest)
    for theme in (DARK, LIGHT):
        app.register_theme(theme)
    app.theme = DARK.name
    assert app.glyphs is glyphs


@pytest.mark.parametrize(
    ("answers", "blocks"),
    [
        (SILENT, BlockSet.QUADRANTS),
        (replace(KITTY, knows_kitty=False), BlockSet.OCTANTS),
        (replace(FOOT, knows_sixel=False), BlockSet.SEXTANTS),
    ],
)
@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
def test_cards_are_drawn_in_the_finest_blocks_that_the_terminal_draws_itself(
    answers: TerminalAnswers, blocks: BlockSet, theme: str
) -> None:
    environ = {"LANG": "C.UTF-8", **TRUE}
    glyphs = choose_glyphs(Art.AUTO, theme, environ, answers)
    assert glyphs.blocks is blocks
    assert glyphs is choose_glyphs(Art.AUTO, theme, environ, answers), "the same object each time"
    usual = DRAWN if theme == DARK.name else DRAWN_ON_LIGHT
    assert replace(glyphs, blocks=BlockSet.QUADRANTS) == usual
