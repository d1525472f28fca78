"""`sabtui study` answers each line until one quits or input ends."""

import subprocess
import sys

import pytest

from sabtui.cli.main import main
from tests.engine.cases import WON, last_step_position


@pytest.mark.parametrize("last", ["quit\n", ""])
def test_a_position_is_studied_in_lines(last: str) -> None:
    command = [
        sys.executable,
        "-m",
        "sabtui",
        "study",
        "--plain",
        last_step_position("mmms", 1),
        "--language",
        "en",
    ]
    done = subprocess.run(  # noqa: S603 - our own program
        command, input=f"{WON}\nback\n{last}", capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "You play as a miner." in done.stdout
    assert "help shows what you can type." in done.stdout
    assert "\nStudy>" in done.stdout
    assert "> >" not in done.stdout


def test_what_is_no_position_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "nonsense"]) == 2
    assert capsys.readouterr().err.startswith("sabtui: This is not a position: column ")
