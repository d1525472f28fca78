"""What a release may contain: each fault of a wheel or an sdist is named."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from sabtui import __version__
from sabtui.text.i18n import languages
from tools.release.contents import check_metadata, check_sdist, check_wheel

OWN = f"sabtui-{__version__}.dist-info"
METADATA = f"Metadata-Version: 2.4\nName: sabtui\nVersion: {__version__}\n\nDig for gold.\n"
CATALOGUES = [
    f"sabtui/text/catalogues/{language}.mo" for language in languages() if language != "en"
]
CODE = ["engine/py.typed", "net/secure/words.txt", "sabtui/doors/page/page.css"]
TRACKED = [*CODE, "README.md", "sabtui/text/catalogues/it.po", "tests/test_house.py"]
WHEEL = dict.fromkeys((*CODE, *CATALOGUES, f"{OWN}/licenses/LICENSE"), "") | {
    f"{OWN}/METADATA": METADATA,
    f"{OWN}/RECORD": "",
}
TOP = f"sabtui-{__version__}"
SDIST = dict.fromkeys((f"{TOP}/{name}" for name in TRACKED), "") | {f"{TOP}/PKG-INFO": METADATA}


def wheel(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "sabtui.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def sdist(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "sabtui.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            kept = tarfile.TarInfo(name)
            kept.size = len(text)
            archive.addfile(kept, io.BytesIO(text.encode()))
    return path


def test_a_whole_wheel_and_a_whole_sdist_have_no_fault(tmp_path: Path) -> None:
    assert list(check_wheel(wheel(tmp_path, WHEEL), TRACKED)) == []
    assert list(check_sdist(sdist(tmp_path, SDIST), TRACKED)) == []


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    for name in (*CODE, *CATALOGUES, f"{OWN}/licenses/LICENSE"):
        files = {kept: text for kept, text in WHEEL.items() if kept != name}
        assert list(check_wheel(wheel(tmp_path, files), TRACKED)) == [f"sabtui.whl lacks {name}"]
    for name in TRACKED:
        files = {kept: text for kept, text in SDIST.items() if kept != f"{TOP}/{name}"}
        lacks = [f"sabtui.tar.gz lacks {name}"]
        assert list(check_sdist(sdist(tmp_path, files), TRACKED)) == lacks


@pytest.mark.parametrize(
    "name",
    ["tests/test_house.py", "sabtui/text/catalogues/it.po", "engine/x.pyc", "sabtui/notes.txt"],
)
def test_what_belongs_into_no_wheel_is_named(tmp_path: Path, name: str) -> None:
    (fault,) = check_wheel(wheel(tmp_path, WHEEL | {name: ""}), TRACKED)
    assert name in fault


@pytest.mark.parametrize(
    "name", [f"{TOP}/sabtui/text/catalogues/it.mo", f"{TOP}/notes.txt", "other/file.py"]
)
def test_what_belongs_into_no_sdist_is_named(tmp_path: Path, name: str) -> None:
    (fault,) = check_sdist(sdist(tmp_path, SDIST | {name: ""}), TRACKED)
    assert name.removeprefix(f"{TOP}/") in fault


@pytest.mark.parametrize(
    "metadata",
    [
        METADATA.replace(__version__, "0.0.9"),
        METADATA.replace("Dig for gold.\n", ""),
        METADATA.replace("2.4", "2.4\nRequires-Python: soon"),
        METADATA.replace(__version__, "newest"),
        "",
    ],
)
def test_metadata_that_an_index_would_refuse_is_named(metadata: str) -> None:
    assert list(check_metadata(metadata.encode()))
