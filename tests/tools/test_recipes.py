"""The recipes for Homebrew, Nix and AUR name this version, and all that Sabtui needs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import sabtui

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "packaging").iterdir())


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.name)
def test_a_recipe_names_this_version_and_all_that_sabtui_and_its_doors_need(recipe: Path) -> None:
    text = recipe.read_text(encoding="utf-8")
    (version,) = re.findall(r"(?:version = \"|pkgver=|sabtui-)(\d+\.\d+\.\d+)", text)
    assert version == sabtui.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needs = (*project["dependencies"], *extras["ssh"], *extras["web"])
    lacking = [need for need in needs if re.split(r"[<>=]", need)[0] not in text]
    assert not lacking
