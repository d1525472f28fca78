"""Make the manual page and the shell completions from the parser of the command line.

    python -m tools.manual dist/share    as `make pyz` does; or into /usr/share in a package

The folder gets `man/man1/sabtui.1`, and completions for bash, zsh and fish where these shells look
for them. All say what `sabtui --help` says, in English; `make words` first, so that all languages
are offered. The only tool that imports Sabtui.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import shtab

import sabtui
from sabtui.cli.args import parser

COMPLETIONS: Final = {
    "bash": "bash-completion/completions/sabtui",
    "zsh": "zsh/site-functions/_sabtui",
    "fish": "fish/vendor_completions.d/sabtui.fish",
}
"""The file in which each shell looks for completions, in a folder such as /usr/share."""

EXIT_CODES: Final = (("0", "Success."), ("2", "Wrong usage."), ("1", "Any other error."))
SEE_ALSO: Final = "The rules, the notation and the protocol are in the folder docs of the source."


def write_manual(folder: Path) -> list[Path]:
    """Write the manual page and the completions into a folder; return their paths."""
    texts = {"man/man1/sabtui.1": manual_page()}
    texts |= {path: completion(shell) for shell, path in COMPLETIONS.items()}
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return [folder / path for path in texts]


def completion(shell: str) -> str:
    """Return the completions for a shell; the arguments of `replay` and `review` are files."""
    top = parser()
    for command in ("replay", "review"):
        for action in actions(commands(top)[command]):
            if action.dest == "file":
                action.complete = shtab.FILE  # type: ignore[attr-defined] # - shtab looks there
    return shtab.complete(top, shell)


def actions(of: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments of a parser, without `--help`."""
    every = of._actions  # noqa: SLF001 - argparse has no public list of them
    return [action for action in every if action.dest != "help"]


def commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands, by name."""
    for action in actions(top):
        if isinstance(action.choices, dict):
            return {str(name): command for name, command in action.choices.items()}
    raise LookupError("the parser has no commands")


def manual_page() -> str:
    """Return the manual page, in the language of man(7)."""
    return "\n".join(_lines(parser())) + "\n"


def _lines(top: argparse.ArgumentParser) -> Iterator[str]:
    name = top.prog
    yield f'.TH {name.upper()} 1 "" "{name} {sabtui.__version__}" "Games"'
    purpose = _sentence(top).rstrip(".")
    yield from (".SH NAME", _plain(f"{name} - {purpose[0].lower()}{purpose[1:]}"))
    yield ".SH SYNOPSIS"
    yield from (f".B {name}", "[options]", ".br", f".B {name}", r"\fICOMMAND\fR [options]")
    yield from (".SH DESCRIPTION", _plain(_sentence(top)))
    yield f"Without a command, {name} opens the welcome screen."
    yield ".SH COMMANDS"
    shared = {action.dest for action in actions(top)}
    for command, its in commands(top).items():
        usage = " ".join(
            [command, *(_slot(action) for action in actions(its) if not action.option_strings)]
        )
        yield from (f".SS {_plain(f'{name} {usage}')}", _plain(_sentence(its)) + ".")
        yield from _arguments([action for action in actions(its) if action.dest not in shared])
    yield ".SH OPTIONS"
    yield "These go with every command."
    yield from _arguments([action for action in actions(top) if action.option_strings])
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield from (".TP", f".B {code}", meaning)
    yield from (".SH SEE ALSO", SEE_ALSO)


def _arguments(those: list[argparse.Action]) -> Iterator[str]:
    """Yield a paragraph for each argument: how it is written, and what it is for."""
    for action in those:
        written = ", ".join(action.option_strings) or _slot(action)
        value = _slot(action) if action.option_strings and action.nargs != 0 else ""
        yield from (
            ".TP",
            rf"\fB{_plain(written)}\fR \fI{_plain(value)}\fR".replace(r" \fI\fR", ""),
        )
        yield _plain(_purpose(action))


def _slot(action: argparse.Action) -> str:
    """Return the place of an argument's value, as in usage lines."""
    choices = "|".join(map(str, action.choices or ()))
    slot = str(action.metavar or choices or action.dest.upper())
    return f"[{slot}]" if action.nargs == "?" else slot


def _purpose(action: argparse.Action) -> str:
    """Return the help of an argument, its fields filled in."""
    choices = ", ".join(map(str, action.choices or ()))
    return (action.help or "") % {"default": action.default, "choices": choices}


def _sentence(of: argparse.ArgumentParser) -> str:
    return of.description or ""


def _plain(text: str) -> str:
    """Return text in which man sees no commands; hyphens stay hyphens."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", text)


if __name__ == "__main__":
    for written in write_manual(Path(sys.argv[1])):
        print(written)
