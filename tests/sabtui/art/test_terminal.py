"""What a terminal answers, and what is chosen for it."""

from collections.abc import Mapping

import pytest

from sabtui.art import terminal
from sabtui.art.glyphs import BlockSet
from sabtui.art.terminal import Protocol, TerminalAnswers

CELL = "\x1b[6;20;10t"
GRAPHICS = "\x1b_Gi=31;OK\x1b\\"
SIXEL = "\x1b[?62;4;22c"
PLAIN = "\x1b[?62;22c"
MANY = "\x1b[?1;0;256S"
"""What xterm answers to the wish for colours of sixel."""
NO_SIXEL = "\x1b[?1;3S"
"""What an xterm without sixel answers to it."""


def version(text: str) -> str:
    return f"\x1bP>|{text}\x1b\\"


def read_answers(*parts: str) -> TerminalAnswers:
    return TerminalAnswers().read("".join(parts))


PICTURES = [
    (version("kitty(0.28.0)") + GRAPHICS + CELL + PLAIN, Protocol.KITTY),
    (version("kitty(0.27.1)") + GRAPHICS + CELL + PLAIN, None),
    (version("ghostty 1.2.0") + GRAPHICS + CELL + PLAIN, Protocol.KITTY),
    (version("WezTerm 20240203-110809-5046fc22") + GRAPHICS + CELL + SIXEL, Protocol.SIXEL),
    (version("Konsole 24.02.1") + GRAPHICS + CELL + SIXEL, None),
    (version("XTerm(379)") + CELL + SIXEL + MANY, Protocol.SIXEL),
    (version("XTerm(379)") + CELL + SIXEL + "\x1b[?1;0;16S", None),
    (version("XTerm(379)") + CELL + SIXEL, None),
    (version("XTerm(379)") + CELL + SIXEL + NO_SIXEL, None),
    (version("XTerm(379)") + CELL + PLAIN + MANY, None),
    (version("XTerm(379)") + SIXEL + MANY, None),
    (version("foot(1.13.1)") + CELL + SIXEL, Protocol.SIXEL),
    (version("iTerm2 3.5.0") + CELL + SIXEL, Protocol.SIXEL),
    (version("xterm.js(5.6.0)") + CELL + SIXEL, None),
    (version("mlterm(3.9.3)") + CELL + SIXEL, None),
    (version("tmux 3.4") + CELL + SIXEL, None),
    (CELL + SIXEL, None),
]


@pytest.mark.parametrize(("answer", "protocol"), PICTURES)
def test_pictures_are_sent_to_terminals_that_show_them_well(
    answer: str, protocol: Protocol | None
) -> None:
    assert read_answers(answer).find_protocol({}) is protocol


BLOCKS: list[tuple[str, Mapping[str, str], BlockSet]] = [
    (version("kitty(0.40.1)"), {}, BlockSet.OCTANTS),
    (version("kitty(0.39.0)"), {}, BlockSet.SEXTANTS),
    (version("ghostty 1.2.0"), {}, BlockSet.OCTANTS),
    (version("ghostty 1.1.3-main"), {}, BlockSet.SEXTANTS),
    (version("foot(1.20.0)"), {}, BlockSet.OCTANTS),
    (version("foot(1.13.1)"), {}, BlockSet.SEXTANTS),
    (version("VTE(7800)"), {}, BlockSet.OCTANTS),
    (version("VTE(7006)"), {}, BlockSet.SEXTANTS),
    (version("XTerm(379)"), {}, BlockSet.QUADRANTS),
    (version("tmux 3.4"), {}, BlockSet.QUADRANTS),
    ("", {}, BlockSet.QUADRANTS),
    ("", {"TERM": "linux"}, BlockSet.HALVES),
    (version("kitty(0.40.1)"), {"TMUX": "socket,1,0"}, BlockSet.QUADRANTS),
    (version("kitty(0.40.1)"), {"TERM": "screen-256color"}, BlockSet.QUADRANTS),
]


@pytest.mark.parametrize(("answer", "environ", "blocks"), BLOCKS)
def test_blocks_are_the_finest_that_a_terminal_draws_itself(
    answer: str, environ: Mapping[str, str], blocks: BlockSet
) -> None:
    assert read_answers(answer).find_blocks(environ) is blocks


@pytest.mark.parametrize(
    ("environ", "protocol"),
    [
        ({"WT_SESSION": "1"}, Protocol.SIXEL),
        ({"WT_SESSION": "1", "TMUX": "x"}, None),
        ({}, None),
    ],
)
def test_windows_terminal_which_does_not_say_its_name_is_known_by_its_environment(
    environ: Mapping[str, str], protocol: Protocol | None
) -> None:
    assert read_answers(CELL, SIXEL).find_protocol(environ) is protocol


def test_answers_come_in_pieces_and_between_keys() -> None:
    answers = TerminalAnswers().read(f"a{CELL}\x1b[A{version('kitty(0.41.1)')}")
    assert (answers.cell, answers.knows_kitty) == ((10, 20), False)
    answers = answers.read(f"{GRAPHICS}q").read(PLAIN)
    assert answers.find_protocol({}) is Protocol.KITTY


def test_the_size_of_a_cell_is_divided_from_the_window_where_the_terminal_is_silent() -> None:
    # As a real one answered.
    xterm = f"\x1bP>|XTerm(379)\x1b\\\x1b[?63;1;2;4;6;9;15;16;22;28c{MANY}"
    window = terminal.divide_window((100, 40), (1004, 804))
    assert window == (10, 20)
    assert TerminalAnswers(cell=window).read(xterm).find_protocol({}) is Protocol.SIXEL
    assert TerminalAnswers(cell=window).read("\x1b[6;18;9t").cell == (9, 18)
    assert TerminalAnswers(cell=window).read("\x1b[6;0;0t").cell == (10, 20)
    assert read_answers(xterm).find_protocol({}) is None


@pytest.mark.parametrize(
    ("cells", "pixels"),
    [((0, 0), (0, 0)), ((80, 24), (0, 0)), ((0, 24), (10, 10)), ((80, 24), (79, 480))],
)
def test_a_window_without_pixels_has_cells_of_no_known_size(
    cells: tuple[int, int], pixels: tuple[int, int]
) -> None:
    assert terminal.divide_window(cells, pixels) is None


@pytest.mark.parametrize(
    "nonsense",
    [
        "\x1bP>|" + "x" * 5_000,
        "\x1b[6;0;0t",
        "\x1b[6;99999;1t",
        "\x1bP>|\x1b\\",
        "\x1bP>|kitty(\x1b\\",
        "\x1b_Gi=31;ENOTSUP\x1b\\",
        "\x1b[?c",
        "\x1b[?;;c",
    ],
)
def test_nonsense_is_passed_over(nonsense: str) -> None:
    answers = read_answers(nonsense)
    assert answers.cell is None
    assert not answers.knows_kitty
    assert answers.find_protocol({}) is None


def test_the_last_question_is_one_that_every_terminal_answers() -> None:
    for questions in (terminal.QUESTIONS, terminal.GRAPHICS_QUESTION, terminal.REGISTERS_WISH):
        assert questions.endswith("\x1b[c")


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("kitty(0.41.1)", terminal.GRAPHICS_QUESTION),
        ("kitty(0.27.0)", ""),
        ("Konsole 24.02.1", ""),
        ("XTerm(379)", terminal.REGISTERS_WISH),
        ("", ""),
    ],
)
def test_terminals_are_asked_for_what_only_they_may_have(name: str, question: str) -> None:
    assert read_answers(version(name)).ask_further() == question


@pytest.mark.parametrize(
    ("environ", "is_asked"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({}, True),
        ({"TERM": "xterm-kitty", "TMUX": "socket,1,0"}, False),
        ({"TERM": "screen-256color"}, False),
        ({"TERM": "linux"}, False),
    ],
)
def test_where_no_answer_would_change_anything_nothing_is_asked(
    environ: Mapping[str, str], *, is_asked: bool
) -> None:
    assert terminal.questions_for(environ) == terminal.QUESTIONS * is_asked


@pytest.mark.parametrize(
    "answer", [version("kitty(0.41.1)"), GRAPHICS, CELL, MANY, NO_SIXEL, SIXEL]
)
def test_an_answer_is_one_only_if_it_is_whole_and_nothing_else(answer: str) -> None:
    assert terminal.is_answer(answer)
    for other in (answer[:-1], f"{answer}x", f"x{answer}", answer * 2):
        assert not terminal.is_answer(other)
