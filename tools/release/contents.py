"""Checks of what an sdist and a wheel contain, and of their metadata."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from packaging.metadata import InvalidMetadata, Metadata

from sabtui import __version__
from sabtui.text.i18n import languages

PACKAGES: Final = ("engine/", "net/", "sabtui/")


def check_wheel(path: Path, tracked: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each fault of a wheel; `tracked` are the names of all files in git."""
    own = f"sabtui-{__version__}.dist-info/"
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"{own}METADATA")
    yield from check_metadata(metadata)
    wanted = {
        *(name for name in tracked if name.startswith(PACKAGES) and _is_shipped(name)),
        *(f"sabtui/text/catalogues/{language}.mo" for language in languages() if language != "en"),
        f"{own}licenses/LICENSE",
    }
    made = {name for name in names if name.startswith(own)}
    yield from _compare(path.name, wanted, names, made)


def check_sdist(path: Path, tracked: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each fault of an sdist; `tracked` are the names of all files in git."""
    top = f"sabtui-{__version__}/"
    with tarfile.open(path) as archive:
        names = {name.removeprefix(top) for name in archive.getnames()}
        kept = archive.extractfile(f"{top}PKG-INFO")
        metadata = b"" if kept is None else kept.read()
    yield from check_metadata(metadata)
    yield from _compare(path.name, set(tracked), names, {"PKG-INFO"})


def _is_shipped(name: str) -> bool:
    """Return False for the catalogues' source, of which a wheel has the compiled form."""
    return not name.endswith((".po", ".pot"))


def _compare(archive: str, wanted: set[str], names: set[str], made: set[str]) -> Iterator[str]:
    """Yield what an archive lacks, and what it has that neither is wanted nor its build made."""
    for name in sorted(wanted - names):
        yield f"{archive} lacks {name}"
    for name in sorted(names - wanted - made):
        yield f"{archive} has {name}, which belongs into none"


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
