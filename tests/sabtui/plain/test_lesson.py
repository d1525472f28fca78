"""The lesson in lines: somebody who only types what they are told to gets to its end."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from sabtui.app.lesson import LESSON
from sabtui.cli.requests import take_lesson
from sabtui.text.i18n import languages, load_locale
from sabtui.text.layout import width
from tests.sabtui.script import WAIT, Script, run_here
from tests.sabtui.tui.tour import speak
from tests.samples import english_first

TYPED = re.compile(r"(?:Type|Tape|Scrivi|Escribí|Digite) (c \d+|x\d+|\d+ \d+|\d+|quit)\b")
"""What a task tells to type, in any language."""

LINES_AT_MOST = 400
"""Prompts after which a lesson that does not go on is given up."""


def unwrap(lines: Sequence[str]) -> str:
    """Join lines that were broken for the terminal."""
    return " ".join(line.strip() for line in lines)


class Obedient:
    """Types what the last task says, `idle` if it says nothing; before each, all of `first`."""

    def __init__(self, *first: str, idle: str = "") -> None:
        self.first = first
        self.idle = idle
        self.due: list[str] = []
        self.prompts = 0

    def __call__(self, _prompt: str, lines: Sequence[str]) -> str | None:
        self.prompts += 1
        if not self.due:
            text = unwrap(lines)
            told = TYPED.findall(text) or ["" if "Press Enter." in text else self.idle]
            self.due = [*self.first, told[-1]]
        return self.due.pop(0) if self.prompts < LINES_AT_MOST else None


@pytest.mark.parametrize("language", english_first(languages()))
def test_the_lesson_is_taken_by_typing_what_its_sentences_say(language: str) -> None:
    with speak(load_locale(language)):
        script = Script(Obedient())
        assert take_lesson("Ana", script) == 0
    assert all(width(line) <= 60 for line in script.lines)
    assert any(re.match(" +7 Ana", line) for line in script.lines), script.lines[-20:]


def test_whatever_else_is_typed_the_lesson_goes_on_from_where_it_was() -> None:
    pupil = Obedient("", "h", "1 1", "x2", "2 1", "i", "99", "c 13", "c", "m", "t hello", "bogus")
    script = Script(pupil)
    assert take_lesson("Ana", script) == 0
    assert any(re.match(" +7 Ana", line) for line in script.lines), script.lines[-40:]
    assert any(line.startswith("Not yet: do this first. ") for line in script.lines)


def test_a_person_at_a_terminal_reads_each_task_once_after_the_others_moves() -> None:
    # Enter during the others' moves would have the task that follows read a second time.
    script = Script(Obedient(idle=WAIT), eager=True)
    assert take_lesson("Ana", script) == 0
    assert len(TYPED.findall(unwrap(script.lines))) == len(LESSON) - 1, "all but one"


def test_the_lesson_begins_from_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("learn", "--plain", "--name", "Ana", "--language", "en")
    code, out, err = run_here(capsys, *learn, text="1 1\n")
    assert code == 0, err
    assert "Type 1 1: card 1, place 1." in unwrap(out.splitlines())
    assert "You laid a straight, east and west, at 3." in out
