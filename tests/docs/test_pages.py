"""The pages for readers: every code block works, and what they name is there.

A block's language decides how it is tried, and one without a test fails. Blocks of Python on a page
share their names, from top to bottom.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from configparser import ConfigParser
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final, get_args

import pytest

from engine.bots.installed import BOT_ENTRY_POINTS
from engine.bots.talk import Claim
from engine.dealing import HAND_SIZES, SABOTEURS
from engine.edition import Edition
from engine.events import Event
from engine.moves import Move
from engine.notation import (
    format_position,
    format_record,
    parse_card,
    parse_cell,
    parse_move,
    parse_position,
    parse_record,
)
from engine.tokens import format_cell
from net.secure.address import PORTS, SSH_PORTS, WEB_PORTS
from sabtui.cli import args
from sabtui.cli.args import read
from tests.docs import session
from tests.docs.pages import PAGES, ROOT, Block, Table, blocks, tables

BLOCKS: Final = [block for page in PAGES for block in blocks(page)]
PYTHON: Final = frozenset(("python", "pycon"))

FOREIGN: Final = (
    *("build", "cd", "firewall-cmd", "git", "install.bat", "journalctl"),
    *("pipx", "pytest", "sh", "sudo", "systemctl"),
)
"""Commands and modules in the pages that are not ours; only their names are looked at."""

PLACES: Final = {
    "FILE": "game.sab",
    "NAME": "Anna",
    "TWO-WORDS": "amber-tulip",
    "./digger.js": "medium",
}
"""Words that stand for what the reader fills in."""


def run_page(page: Path) -> None:
    """Run the Python of a page as one program, and compare what it prints where that is shown.

    Where an extra that a block imports is not here, that block and the one after it are left out.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    parser = doctest.DocTestParser()
    is_left_out = False
    for block in blocks(page):
        if block.language not in PYTHON:
            continue
        was_left_out = is_left_out
        is_left_out = "pettingzoo_env" in block.text and find_spec("pettingzoo") is None
        if is_left_out or was_left_out:
            continue
        if block.language == "python":
            code = compile("\n" * (block.line - 1) + block.text, block.page, "exec")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, names)  # noqa: S102 - our own pages
        else:
            test = parser.get_doctest(block.text, names, block.name, block.page, block.line - 1)
            told = io.StringIO()
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, out=told.write, clear_globs=False)
            names.update(test.globs)
            assert not runner.failures, told.getvalue()


def check_sabtui(words: list[str]) -> None:
    """Check that our parser takes a command."""
    filled = [PLACES.get(word, word) for word in words]
    assert args.read(filled).command or not words


def check_module(words: list[str]) -> None:
    """Check that a module that is run exists, and that its source has each option."""
    name, *rest = words
    if name in FOREIGN:
        return
    spec = find_spec(name)
    assert spec is not None, name
    if spec.submodule_search_locations is not None:
        spec = find_spec(f"{name}.__main__")
    assert spec is not None, name
    assert spec.origin is not None
    source = Path(spec.origin).read_text(encoding="utf-8")
    options = [word for word in rest if word.startswith("--")]
    assert [option for option in options if f'"{option}"' not in source] == []


def check_make(words: list[str]) -> None:
    """Check that the Makefile has a target."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert {word for word in words if "=" not in word} <= set(targets)


def check_command(words: list[str]) -> None:
    """Check one command of a shell."""
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    match words:
        case ["sabtui" | ".venv/bin/sabtui", *rest]:
            check_sabtui(rest)
        case ["make", *rest]:
            check_make(rest)
        case ["python" | ".venv/bin/python", "-m", *rest]:
            check_module(rest)
        case ["ssh", *rest] if "sabtui" in rest:
            check_sabtui(rest[rest.index("sabtui") + 1 :])
        case ["ssh", *_]:
            pass
        case [other, *_]:
            assert other in FOREIGN, f"what is {other}?"
        case _:
            pass


def check_shell(block: Block) -> None:
    """Check each command of a block of shell."""
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words:
            end = words.index("&&") if "&&" in words else len(words)
            check_command(words[:end])
            words = words[end + 1 :]


def check_synopsis(block: Block) -> None:
    """Check an overview of commands: each is there, and has the options that it is shown with."""
    for line in block.text.splitlines():
        command, _, _ = line.partition("   ")
        program, *words = command.replace("[", " ").replace("]", " ").split()
        assert program == "sabtui", line
        if not words:
            continue
        told = io.StringIO()
        with contextlib.redirect_stdout(told), pytest.raises(SystemExit):
            args.read([words[0], "--help"])
        options = [word for word in words if word.startswith("--")]
        assert [option for option in options if option not in told.getvalue()] == []


def items(block: Block) -> list[str]:
    """List the lines of a block without their remarks."""
    return [re.sub(r"\s+# .*", "", line) for line in block.text.splitlines()]


def check_spelling(read: Callable[[str], str]) -> Callable[[Block], None]:
    """Return a check that each line, read and written again, is the same."""

    def check(block: Block) -> None:
        for line in items(block):
            assert read(line) == line

    return check


def check_record(block: Block) -> None:
    """Check that a record, read and written again, is the same."""
    assert format_record(parse_record(block.text)) == block.text


def check_json(block: Block) -> None:
    """Check that a block is JSON."""
    json.loads(block.text)


def check_toml(block: Block) -> None:
    """Check that a block is TOML, and that we look for the bots that it offers."""
    offered = tomllib.loads(block.text)["project"]["entry-points"]
    assert [*offered] == [BOT_ENTRY_POINTS]


def check_nothing(block: Block) -> None:
    """Take a block of plain text, a drawing, as it is."""
    assert block.text


def check_session(block: Block) -> None:
    """Check that a session is what a program and its host say."""
    assert block.text.splitlines() == [*session.lines()]


CHECKS: Final[Mapping[str, Callable[[Block], None]]] = {
    "": check_synopsis,
    "card": check_spelling(lambda text: str(parse_card(text))),
    "cell": check_spelling(lambda text: format_cell(parse_cell(text))),
    "ini": check_nothing,  # a test below reads it
    "edition": check_spelling(lambda text: Edition.read(text).text),
    "js": check_nothing,  # `test_program_bots` runs it
    "json": check_json,
    "move": check_spelling(lambda text: str(parse_move(text))),
    "position": check_spelling(lambda text: format_position(parse_position(text))),
    "record": check_record,
    "session": check_session,
    "sh": check_shell,
    "shell": check_nothing,  # `test_program_bots` runs it
    "text": check_nothing,
    "toml": check_toml,
}


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.language not in PYTHON],
    ids=lambda block: block.name,
)
def test_every_example_that_is_no_python_is_right(block: Block) -> None:
    CHECKS[block.language](block)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.language in PYTHON for block in blocks(page))],
    ids=lambda page: page.name,
)
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path) -> None:
    run_page(page)


def test_no_example_is_missed() -> None:
    fences = sum(page.read_text(encoding="utf-8").count("```") for page in PAGES)
    assert fences == 2 * len(BLOCKS)


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for path, _, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(#?)([^)]*)\)", text):
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name}: {path}"
            if anchor:
                headings = re.findall(
                    r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE
                )
                slugs = {
                    re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in headings
                }
                assert anchor in slugs, f"{page.name}: {path}#{anchor}"


# docs/playing.md says of each number of players what the deal says.

PLAYING = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")


def test_the_table_of_the_deal_is_that_of_the_engine() -> None:
    [deal] = [table for table in tables(PLAYING) if table.header[0] == "players"]
    rows = {name: cells for name, *cells in (deal.header, *deal.rows)}
    players = [int(cell) for cell in rows["players"]]
    assert players == [*SABOTEURS]
    for at, count in enumerate(players):
        most = SABOTEURS[count]
        # One dwarf card is left over: it may be a saboteur.
        assert rows["saboteurs"][at] == f"{most - 1} or {most}"
        assert rows["cards in each hand"][at] == str(HAND_SIZES[count])


def test_every_kind_of_card_has_its_picture() -> None:
    kept = {path.name for path in (ROOT / "docs" / "pictures" / "cards").iterdir()}
    assert kept
    assert {name for name in kept if f"(pictures/cards/{name})" not in PLAYING} == set()


# docs/server.md: its unit starts a club, and its ports are the program's.

SERVER = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_unit_of_systemd_starts_a_club_with_its_ssh_door_and_does_so_again() -> None:
    unit = ConfigParser(interpolation=None)
    unit.read_string(SERVER.split("```ini\n")[1].split("```")[0])
    program, *words = shlex.split(unit["Service"]["ExecStart"])
    assert program.endswith("/sabtui")
    asked = read(words)
    assert (asked.command, asked.title, asked.ssh) == ("club", "The Nugget", True)
    assert unit["Service"]["Restart"] == "always"
    assert unit["Install"]["WantedBy"] == "default.target"


def test_the_ports_to_open_are_the_first_of_each() -> None:
    rows = [line for line in SERVER.splitlines() if line.endswith("|") and "TCP" in line]
    told = [int(row.split("|")[1]) for row in rows]
    assert told == [SSH_PORTS[0], WEB_PORTS[0], PORTS[0]]


# docs/writing-bots.md names every move, event and claim, with all fields.

WRITING = ROOT / "docs" / "writing-bots.md"


def table(first: str) -> Table:
    """The table whose first column has this name."""
    (found,) = (
        table for table in tables(WRITING.read_text(encoding="utf-8")) if table.header[0] == first
    )
    return found


@pytest.mark.parametrize(("first", "union"), [("move", Move), ("event", Event), ("claim", Claim)])
def test_a_table_has_each_kind_with_its_fields(first: str, union: object) -> None:
    told = {row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in table(first).rows}
    kinds = {kind.__name__: [field.name for field in fields(kind)] for kind in get_args(union)}
    assert all(map(is_dataclass, get_args(union)))
    assert told == kinds


def test_a_move_is_spelt_as_the_table_says() -> None:
    for row in table("move").rows:
        assert type(parse_move(row[2].strip("`"))).__name__ == row[0].strip("`")


# CONTRIBUTING.md: a recipe that names what is gone leads nowhere.

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
QUOTED = frozenset(
    re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", CONTRIBUTING, flags=re.DOTALL))
)
FROM_OUTSIDE = {"SABTUI_FUZZ_MINUTES"}
"""Names that a command is given."""

NAMES = {
    name
    for quoted in QUOTED
    if re.fullmatch(r"[A-Z]+[a-z]\w*\.\w+|[A-Z]\w+|_\w+|\w+_\w+", quoted)
    for name in quoted.split(".")
} - FROM_OUTSIDE
PATHS = {
    name
    for name in QUOTED
    if re.fullmatch(r"(engine|net|sabtui|tests|tools|benchmarks)/[\w./]+", name)
}


def test_names_in_it_are_names_of_the_program() -> None:
    """Each is a word of the program's source or of the tests', but for this file's."""
    tops = ("engine", "net", "sabtui", "tests")
    sources = chain.from_iterable((ROOT / top).rglob("*.py") for top in tops)
    others = (path.read_text(encoding="utf-8") for path in sources if path != Path(__file__))
    text = "\n".join(others)
    assert {"Settings", "menu_commands", "_USES", "FastRound"} <= NAMES
    # Where a pattern begins with letters, the others are passed over quickly.
    lost = [name for name in sorted(NAMES) if not re.search(rf"{name}(?<!\w{name})\b", text)]
    assert lost == []


def test_paths_in_it_lead_somewhere() -> None:
    assert "net/protocol/lobby.py" in PATHS
    lost = {path for path in PATHS if not (ROOT / path).exists()}
    assert lost == {"sabtui/text/catalogues/de.po"}  # a language to come
