"""Every row of `deviations.toml` has a test, and every test a row; an honest evening."""

import re
import tomllib
from pathlib import Path

from tests.workshop.rigged import ALL, Evening, findings_told

HERE = Path(__file__).parent


def test_each_row_has_its_own_test_and_each_test_its_row() -> None:
    kinds = tomllib.loads((HERE / "deviations.toml").read_text(encoding="utf-8"))
    rows = [row for kind in ("deviation", "possible") for row in kinds[kind]]
    assert len({row["id"] for row in rows}) == len({row["test"] for row in rows}) == len(rows)
    tests = {
        f"{file.name}::{name}"
        for file in map(HERE.joinpath, ("test_dealing.py", "test_memory.py", "test_telling.py"))
        for name in re.findall(r"^async def (test_\w+)", file.read_text(), flags=re.MULTILINE)
    }
    assert {row["test"].partition("[")[0] for row in rows} == tests


async def test_honest_programs_name_nobody(table: Evening) -> None:
    await table.begin()
    await table.play_out()
    for name in ALL:
        assert set(findings_told(table.people[name])) == {"let in", "audit: checked"}
