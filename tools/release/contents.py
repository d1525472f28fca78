"""Checks of what an sdist and a wheel contain, and of their metadata."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from packaging.metadata import InvalidMetadata, Metadata

from sabtui import __version__
from sabtui.text.i18n import languages

PACKAGES: Final = ("engine", "net", "sabtui")
NEEDED: Final = (
    *(f"{package}/py.typed" for package in PACKAGES),
    "sabtui/doors/page/vendor/LICENSE-xterm.txt",
)
SOURCES: Final = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "tools/words.py")
"""Files without which nothing can be built from an sdist."""


def check_wheel(path: Path) -> Iterator[str]:
    """Yield a sentence for each fault of a wheel."""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        own = f"sabtui-{__version__}.dist-info"
        metadata = archive.read(f"{own}/METADATA")
    yield from check_metadata(metadata)
    allowed = (*(f"{package}/" for package in PACKAGES), f"{own}/")
    for name in sorted(names):
        if not name.startswith(allowed) or name.endswith((".po", ".pot", ".pyc")):
            yield f"{path.name} has {name}, which belongs into no wheel"
    catalogues = [
        f"sabtui/text/catalogues/{language}.mo" for language in languages() if language != "en"
    ]
    for name in (*NEEDED, *catalogues, f"{own}/licenses/LICENSE"):
        if name not in names:
            yield f"{path.name} lacks {name}"


def check_sdist(path: Path) -> Iterator[str]:
    """Yield a sentence for each fault of an sdist."""
    top = f"sabtui-{__version__}/"
    with tarfile.open(path) as archive:
        names = set(archive.getnames())
        kept = archive.extractfile(f"{top}PKG-INFO")
        metadata = b"" if kept is None else kept.read()
    yield from check_metadata(metadata)
    for name in SOURCES:
        if top + name not in names:
            yield f"{path.name} lacks {name}"
    for name in sorted(names):
        if not f"{name}/".startswith(top) or name.endswith((".pyc", ".mo")):
            yield f"{path.name} has {name}, which belongs into no sdist"


def check_metadata(metadata: bytes) -> Iterator[str]:
    """Yield a sentence for each fault of the metadata, by the rules of package indexes."""
    try:
        told = Metadata.from_email(metadata)
    except ExceptionGroup as errors:
        faults = (error for error in errors.exceptions if isinstance(error, InvalidMetadata))
        yield from (f"the metadata's {error.field}: {error}" for error in faults)
        return
    if str(told.version) != __version__ or not told.description:
        yield "the metadata lacks the version or the README"
