"""The manual page and the shell completions say what the parser does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sabtui
from sabtui.cli.args import parser
from tools import manual

PAGE = manual.manual_page()
COMMANDS = manual.commands(parser())


def options(of: str) -> list[str]:
    """List the options of a command."""
    return [name for action in manual.actions(COMMANDS[of]) for name in action.option_strings]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_has_each_command_with_its_options(command: str) -> None:
    section = PAGE.partition(f".SS sabtui {command}")[2].partition("\n.S")[0]
    shared = PAGE.partition(".SH OPTIONS")[2]
    for option in options(command):
        assert f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in section + shared, option


def test_the_page_has_the_fields_of_help_filled_in() -> None:
    assert "%(" not in PAGE
    assert "How many bots (default: 4)" in PAGE
    assert f"sabtui {sabtui.__version__}" in PAGE


def test_no_line_of_text_is_taken_for_a_command_of_man() -> None:
    begun = {line.split()[0] for line in PAGE.splitlines() if line[:1] in {".", "'"}}
    assert begun == {".TH", ".SH", ".SS", ".TP", ".B", ".br"}
    assert manual._plain(".sab files -- \\o/") == r"\&.sab files \-\- \eo/"


@pytest.mark.parametrize("shell", manual.COMPLETIONS)
def test_each_shell_completes_each_command_and_option(shell: str) -> None:
    text = manual.completion(shell)
    for command in COMMANDS:
        assert command in text
        for option in options(command):
            assert re.search(rf"(--|-l '?){option.lstrip('-')}\b", text), option


def test_all_is_written_where_man_and_the_shells_look(tmp_path: Path) -> None:
    written = manual.write_manual(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "man/man1/sabtui.1",
        "bash-completion/completions/sabtui",
        "zsh/site-functions/_sabtui",
        "fish/vendor_completions.d/sabtui.fish",
    ]
    assert all(path.read_text(encoding="utf-8").strip() for path in written)
