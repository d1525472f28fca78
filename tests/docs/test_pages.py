"""Pages name what is there: of the deal, of a server, of bots, and of the source."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest

from engine.bots.talk import Claim
from engine.dealing import HAND_SIZES, SABOTEURS
from engine.events import Event
from engine.moves import Move, parse_move
from net.secure.address import PORTS, SSH_PORTS, WEB_PORTS
from sabtui.cli.args import read
from tests.docs.pages import ROOT, Table, tables

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

NAMES = {name for name in QUOTED if re.fullmatch(r"[A-Z]\w+|\w+_\w+", name)} - FROM_OUTSIDE
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
    assert {"Settings", "menu_commands"} <= NAMES
    # Where a pattern begins with letters, the others are passed over quickly.
    lost = [name for name in sorted(NAMES) if not re.search(rf"{name}(?<!\w{name})\b", text)]
    assert lost == []


def test_paths_in_it_lead_somewhere() -> None:
    assert "net/protocol/lobby.py" in PATHS
    lost = {path for path in PATHS if not (ROOT / path).exists()}
    assert lost == {"sabtui/text/catalogues/de.po", "tests/data/screens/de"}  # a language to come
