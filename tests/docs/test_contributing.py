"""What CONTRIBUTING names is in the source: a recipe that names what is gone leads nowhere."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
QUOTED = frozenset(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)))
FROM_OUTSIDE = {"SABTUI_FUZZ_MINUTES"}
"""Names that a command is given."""

NAMES = {name for name in QUOTED if re.fullmatch(r"[A-Z]\w+|\w+_\w+", name)} - FROM_OUTSIDE
PATHS = {name for name in QUOTED if re.fullmatch(r"(engine|net|sabtui|tests|tools)/[\w./]+", name)}


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
