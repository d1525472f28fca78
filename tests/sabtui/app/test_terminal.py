"""The terminal: one table, asked as the start, the doctor and a guest's screen ask."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace

import pytest

from sabtui.app import terminal
from sabtui.app.preferences import Theme
from sabtui.app.terminal import (
    USUAL_SIZE,
    Colours,
    Streams,
    find_size,
    find_terminal,
    why_no_screen,
)
from sabtui.art import Art
from sabtui.cli.doctor import terminal_findings
from sabtui.tui.theme import ASCII, TERMINAL, choose_glyphs, choose_theme

WINDOW = Streams(size=(100, 35))
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
    streams: Streams = WINDOW
    size: tuple[int, int] = WINDOW.size
    colours: Colours = Colours.ALL
    is_unicode: bool = True
    encoding: str = "utf-8"
    sentence: str = ""


NO_TERMINAL = "Input or output is not a terminal: no screen can be drawn."

TABLE = {
    "all is told": Case(TRUE),
    "the kernel comes before the environment": Case(SIZED),
    "the kernel knows no size": Case(SIZED, Streams(), (132, 43)),
    "the kernel knows one side": Case(SIZED, Streams(size=(100, 0)), (132, 43)),
    "the kernel's size is absurd": Case(TRUE, Streams(size=(65535, 65535)), USUAL_SIZE),
    "nobody knows a size": Case(TRUE, Streams(), USUAL_SIZE),
    "COLUMNS alone": Case(TRUE | {"COLUMNS": "132"}, Streams(), (132, 24)),
    "COLUMNS is zero": Case(SIZED | {"COLUMNS": "0"}, Streams(), USUAL_SIZE),
    "COLUMNS is absurd": Case(SIZED | {"COLUMNS": "9" * 5000}, Streams(), (80, 43)),
    "COLUMNS is a word": Case(SIZED | {"COLUMNS": "wide"}, Streams(), (80, 43)),
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
    "input from a file": Case(TRUE, replace(WINDOW, has_keys=False), sentence=NO_TERMINAL),
    "output to a file": Case(TRUE, Streams(has_screen=False), USUAL_SIZE, sentence=NO_TERMINAL),
    "neither": Case(
        TRUE, Streams(has_keys=False, has_screen=False), USUAL_SIZE, sentence=NO_TERMINAL
    ),
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
    monkeypatch.setattr(terminal, "look_at_streams", lambda: case.streams)
    monkeypatch.setattr(terminal, "kernel_size", lambda: case.streams.size)
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
        assert ("sixteen" in said) is (case.colours is Colours.FEW)


@pytest.mark.parametrize("name", INHERITED)
def test_where_colours_are_inherited_fewer_are_written(name: str) -> None:
    from sabtui.tui.output import use_colours  # noqa: PLC0415 - loads Textual

    assert use_colours(find_terminal(INHERITED[name], streams=WINDOW).colours).system == 2


def test_streams_that_are_closed_are_no_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "__stdin__", "__stdout__"):
        monkeypatch.setattr(sys, name, None)
    assert why_no_screen(TRUE) == NO_TERMINAL
    assert find_terminal(TRUE).size == USUAL_SIZE
