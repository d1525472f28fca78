"""Reports of disagreement, and of games that do not check: files that tell where sides differed.

Their number and size are bounded, whatever a host sends.
"""

from __future__ import annotations

import platform
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Final

from engine.notation.position import format_position
from net.client.audit import Audit
from net.client.session import Disagreement
from net.discovery.advert import OURS
from net.files import create, private_folder

MAX_REPORTS: Final = 10
"""Reports kept in the folder (the newest), and reports that one client writes at most."""

MAX_REPORT_CHARACTERS: Final = 8 * 1024  # characters that one report holds at most


class Reports:
    """Writes the reports of one client to a folder, which is created with the first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    def write(self, trouble: Disagreement | Audit) -> str:
        """Write a report and return its path; empty if the limit is reached or the disk refuses."""
        if self._written == MAX_REPORTS:
            return ""
        self._written += 1
        try:
            private_folder(self._folder)
            path = self._create(text_of(trouble)[:MAX_REPORT_CHARACTERS].encode())
        except OSError:
            return ""
        self._drop_oldest()
        return str(path)

    def _create(self, data: bytes) -> Path:
        """Write a report under a free name that sorts by time, in UTC; other programs may report.

        Raises OSError: the disk refuses.
        """
        second, numbers = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime()), count(1)
        while True:
            path = self._folder / f"{second}-{next(numbers):03}.txt"
            with suppress(FileExistsError):
                create(path, data, lasting=False)
                return path

    def _drop_oldest(self) -> None:
        """Delete the oldest reports beyond `MAX_REPORTS`."""
        with suppress(OSError):  # another program drops them, too
            reports = sorted(self._folder.glob("*.txt"), key=lambda path: path.stat().st_mtime_ns)
            for path in reports[:-MAX_REPORTS]:
                path.unlink(missing_ok=True)


def no_report(_trouble: Disagreement | Audit) -> str:
    """Write nothing: a session that keeps no reports. Returns "", as if the disk refused."""
    return ""


def text_of(trouble: Disagreement | Audit) -> str:
    """Return the text of a report."""
    try:
        ours = version("sabtui")
    except PackageNotFoundError:
        ours = "not installed"
    about = f"Sabtui {ours}, protocol {OURS.low} to {OURS.high}, Python {platform.python_version()}"
    lines = _audit_lines(trouble) if isinstance(trouble, Audit) else _step_lines(trouble)
    return "".join(f"{line}\n" for line in (about, *lines))


def _audit_lines(audit: Audit) -> list[str]:
    return [
        f"dealt by {', '.join(map(ascii, audit.dealers)) or 'nobody'}",
        *(f"round {number} without {names!a}" for number, names in audit.left_out),
        *(f"round {number} was dealt while this program was away" for number in audit.unseen),
        *(
            f"{mismatch.kind}, round {mismatch.number}: {mismatch.detail!a}"
            for mismatch in audit.mismatches
        ),
    ]


def _step_lines(disagreement: Disagreement) -> list[str]:
    view = disagreement.view
    position = "no game" if view is None else format_position(view)
    return [
        f"incarnation {disagreement.incarnation}, step {disagreement.step}",
        f"hash of the host {disagreement.host_hash.hex()}",
        f"our hash {disagreement.our_hash.hex() or 'none'}",
        f"news {' '.join(disagreement.news) or '-'}",
        f"events {' '.join(disagreement.events) or '-'}",
        f"before the step {position}",
    ]
