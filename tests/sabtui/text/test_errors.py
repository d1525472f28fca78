"""What is wrong with a text in notation, in the reader's language and without what is English."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.notation import NotationError, parse_own_move, parse_record
from sabtui.text.errors import locate, problem
from sabtui.text.i18n import Locale
from tests.engine.notation.games import forge
from tests.sabtui.text.made_up_languages import LETTERS, Pseudo
from tests.sabtui.tui.tour import speak

RECORDS = Path(__file__).parents[2] / "data" / "records"


def error(text: str) -> NotationError:
    """Why a text is no move."""
    with pytest.raises(NotationError) as caught:
        parse_own_move(text)
    return caught.value


def test_a_problem_is_told_in_english_as_the_engine_tells_it() -> None:
    wrong = error("-P")
    assert problem(wrong) == wrong.problem == "missing: the seat it is played on, as in -P>2"
    assert locate(wrong) == str(wrong)


def test_a_problem_is_told_in_another_language_with_what_it_is_about() -> None:
    with speak(Locale("xx", Pseudo())):
        missing = "missing: the seat it is played on, as in ".translate(LETTERS)
        assert problem(error("-P")) == f"{missing}-P>2"
        where = "column {} of {}: {}".translate(LETTERS)
        assert locate(error("-P")).startswith(where.format(1, "'-P'", missing))


def test_what_only_developers_need_is_not_told() -> None:
    record = (RECORDS / "whole.sab").read_text(encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        parse_record(forge(record, "ESW@-1", "ESW@-9"))
    assert caught.value.problem.startswith("seat 3 cannot do this now: no face-up path card")
    assert problem(caught.value) == "seat 3 cannot do this now"
    assert locate(caught.value).startswith(f"line {caught.value.line}, column ")
