"""The baked pictures are those of the sources; no image library is needed to know."""

from pathlib import Path

from sabtui.art.store import read_index
from tools.art import sources


def test_the_pictures_were_baked_from_these_sources() -> None:
    assert read_index().sources == sources.hash_sources(), "run `make art` and commit what it makes"


def test_every_drawing_and_every_module_that_bakes_is_a_source() -> None:
    names = {path.name for path in sources.list_sources()}
    folder = Path(sources.__file__).parent
    assert {path.name for path in folder.glob("things/*")} <= names
    assert {"bake.py", "ground.py", "cards.py", "fit.py", "icons.txt", "catalogue.py"} <= names
