"""The terminal: one table, asked as the start, the doctor and a guest's screen ask."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

import pytest

from sabtui.app import terminal
from sabtui.app.preferences import Theme
from sabtui.app.terminal import (
    USUAL_SIZE,
    Colours,
    find_size,
    find_terminal,
    why_no_screen,
)
from sabtui.art import Art
from sabtui.cli.doctor import terminal_findings
from sabtui.tui.theme import ASCII, TERMINAL, choose_glyphs, choose_theme

WINDOW = (100, 35)
TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
SIZED = TRUE | {"COLUMNS": "132", "LINES": "43"}
INHERITED = {
    "GNU screen": TRUE | {"TERM": "screen.xterm-256color", "STY": "1.pts-0"},
    "GNU screen by its name": TRUE | {"TERM": "screen-256color"},
    "GNU screen under another name": TRUE | {"STY": "1.pts-0"},
    "GNU screen in tmux": TRUE | {"TERM": "screen-256color", "STY": "1.pts-0", "TMUX": "a,1,0"},
    "Apple's Terminal": TRUE | {"TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "455.1"},
    "Apple's Terminal of no version": TRUE | {"TERM_PROGRAM": "Apple_Terminal"},
}


@dataclass(frozen=True)
class Case:
    """An environment and streams, and what the terminal then is."""

    environ: dict[str, str]
    kernel: tuple[int, int] = WINDOW
    size: tuple[int, int] = WINDOW
    colours: Colours = Colours.ALL
    is_unicode: bool = True
    encoding: str = "utf-8"
    no_terminals: tuple[str, ...] = ()  # streams that are none
    sentence: str = ""


NO_TERMINAL = "Input or output is not a terminal: no screen can be drawn."

TABLE = {
    "all is told": Case(TRUE),
    "the kernel comes before the environment": Case(SIZED),
    "the kernel knows no size": Case(SIZED, (0, 0), (132, 43)),
    "the kernel knows one side": Case(SIZED, (100, 0), (132, 43)),
    "the kernel's size is absurd": Case(TRUE, (65535, 65535), USUAL_SIZE),
    "the kernel's size is negative": Case(TRUE, (-1, 24), USUAL_SIZE),
    "nobody knows a size": Case(TRUE, (0, 0), USUAL_SIZE),
    "COLUMNS alone": Case(TRUE | {"COLUMNS": "132"}, (0, 0), (132, 24)),
    "COLUMNS is zero": Case(SIZED | {"COLUMNS": "0"}, (0, 0), USUAL_SIZE),
    "COLUMNS is absurd": Case(SIZED | {"COLUMNS": "9" * 5000}, (0, 0), (80, 43)),
    "COLUMNS is a word": Case(SIZED | {"COLUMNS": "wide"}, (0, 0), (80, 43)),
    "256 colours": Case(TRUE | {"COLORTERM": ""}, colours=Colours.MANY),
    "sixteen colours": Case(TRUE | {"COLORTERM": "", "TERM": "xterm"}, colours=Colours.FEW),
    "the Linux console in all it inherits": Case(TRUE | {"TERM": "linux"}, colours=Colours.FEW),
    "screen of sixteen colours": Case(TRUE | {"TERM": "screen"}, colours=Colours.FEW),
    "no colours": Case(TRUE | {"NO_COLOR": ""}, colours=Colours.NONE),
    "tmux": Case(TRUE | {"TERM": "tmux-256color", "TMUX": "a,1,0"}),
    "tmux by screen's name": Case(TRUE | {"TERM": "screen-256color", "TMUX": "a,1,0"}),
    "tmux in GNU screen": Case(TRUE | {"TERM": "tmux-256color", "TMUX": "a,1,0", "STY": "1"}),
    "Apple's Terminal in macOS 26": Case(
        TRUE | {"TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "466"}
    ),
    **{name: Case(environ, colours=Colours.MANY) for name, environ in INHERITED.items()},
    "output in ASCII": Case(TRUE, encoding="ascii", is_unicode=False),
    "output in Latin-1": Case(TRUE, encoding="iso8859-1", is_unicode=False),
    "a locale in Latin-1": Case(TRUE | {"LC_ALL": "fr_FR.ISO8859-1"}, is_unicode=False),
    "no locale": Case(TRUE | {"LANG": ""}),
    "no locale, output in ASCII": Case(TRUE | {"LANG": ""}, encoding="ascii", is_unicode=False),
    "input from a file": Case(TRUE, no_terminals=("stdin",), sentence=NO_TERMINAL),
    "output to a file": Case(TRUE, no_terminals=("__stdout__",), sentence=NO_TERMINAL),
    "dumb": Case(
        {"TERM": "dumb"},
        colours=Colours.FEW,
        is_unicode=False,
        sentence="TERM is dumb: no screen can be drawn.",
    ),
    "nameless": Case({}, colours=Colours.FEW, sentence='TERM is "": no screen can be drawn.'),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows names no terminals")
@pytest.mark.parametrize("name", TABLE)
def test_the_start_the_screens_and_the_doctor_find_the_same_terminal(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = TABLE[name]
    none = [getattr(sys, name) for name in case.no_terminals]
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: stream not in none)
    monkeypatch.setattr(terminal, "kernel_size", lambda: case.kernel)
    monkeypatch.setattr(terminal, "_encoding", lambda _stream: case.encoding)
    environ = case.environ

    found = find_terminal(environ)
    assert (found.size, found.colours) == (case.size, case.colours)

    assert find_size(environ) == case.size, "of the screens"
    has_theme = choose_theme(Theme.AUTO, environ) != TERMINAL
    assert has_theme is (case.colours > Colours.FEW)
    assert (choose_glyphs(Art.AUTO, TERMINAL, environ) is ASCII) is not case.is_unicode
    assert why_no_screen(environ) == case.sentence

    said = " ".join(finding.text for finding in terminal_findings(found))
    assert case.sentence in said
    if not case.sentence:
        assert "{}x{}".format(*case.size) in said
        assert ("16 colours" in said) is (case.colours is Colours.FEW)


@pytest.mark.parametrize("name", INHERITED)
def test_where_colours_are_inherited_fewer_are_written(name: str) -> None:
    from sabtui.tui.output import use_colours  # noqa: PLC0415 - loads Textual

    assert use_colours(find_terminal(INHERITED[name]).colours).system == 2


def test_streams_that_are_closed_are_no_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "__stdin__", "__stdout__"):
        monkeypatch.setattr(sys, name, None)
    assert why_no_screen(TRUE) == NO_TERMINAL
    assert find_terminal(TRUE).size == USUAL_SIZE
