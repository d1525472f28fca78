"""`sabtui study` answers each line until one quits or input ends."""

import pytest

from sabtui.cli.main import main
from tests.engine.cases import WON, last_step_position
from tests.sabtui.typed import run_here


@pytest.mark.parametrize("last", ["quit\n", ""])
def test_a_position_is_studied_in_lines(last: str, capsys: pytest.CaptureFixture[str]) -> None:
    study = ["study", "--plain", last_step_position("mmms", 1), "--language", "en"]
    code, out, err = run_here(capsys, *study, text=f"{WON}\nback\n{last}")
    assert (code, err) == (0, "")
    assert "You play as a miner." in out
    assert "help shows what you can type." in out
    assert "\nStudy>" in out
    assert "> >" not in out


def test_what_is_no_position_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "nonsense"]) == 2
    assert capsys.readouterr().err.startswith("sabtui: column ")
