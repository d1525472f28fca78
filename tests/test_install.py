"""The script that installs for `make play`, with stand-ins for its Python and its pip."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("shell scripts", allow_module_level=True)

HOUSE = Path(__file__).parent.parent


def test_a_virtual_environment_whose_name_has_a_space_is_refused() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("needs make")
    done = subprocess.run(  # noqa: S603 - ours
        [make, "--dry-run", "play", "VENV=my env"],
        cwd=HOUSE,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert 'VENV is "my env": name one folder, without a space' in done.stderr


# `make play` from nothing: what is seen while it installs, and what is said where it cannot.

INSTALL = HOUSE / ".ci" / "install"

PIP = """\
  Installing build dependencies: started
Collecting textual<9,>=8.2 (from sabtui==0.1.0)
  Downloading textual-8.2.8-py3-none-any.whl.metadata (9 kB)
  Downloading textual-8.2.8-py3-none-any.whl (731 kB)
  Using cached rich-15.0.0-py3-none-any.whl
Processing /stick/msgpack-1.2.4-cp311-cp311-linux_x86_64.whl
Installing collected packages: rich, textual
"""

FEW_PYTHONS = {**os.environ, "PATH": "/usr/bin:/bin"}
"""An environment without the version managers of builders, whose Pythons are slow to start."""

VERSIONED_PYTHON = """\
#!/bin/sh
case "$*" in
*version_info*) echo {version} ;;
*ensurepip*) exit {lacks} ;;
*venv*) mkdir -p "$4/bin"; cp "$0.pip" "$4/bin/python" ;;
esac
"""


def install(
    folder: Path, *, version: str = "3.12", lacks: int = 0, text: str = PIP, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Install with a Python that is so and a pip that says this."""
    python = folder / "python3"
    python.write_text(VERSIONED_PYTHON.format(version=version, lacks=lacks))
    (folder / "said").write_text(text)
    pip = folder / "python3.pip"
    pip.write_text(f"#!/bin/sh\ncat '{folder}/said'\nexit {code}\n")
    python.chmod(0o700)
    pip.chmod(0o700)
    return start(python, folder / "new")


def start(python: Path, place: Path) -> subprocess.CompletedProcess[str]:
    """Start the script that installs with a Python into a folder."""
    return subprocess.run(  # noqa: S603 - ours
        ["/bin/sh", str(INSTALL), str(python), str(place), "."],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env=FEW_PYTHONS,
    )


def test_a_line_comes_first_and_then_each_package_as_it_comes(tmp_path: Path) -> None:
    done = install(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"Installing Sabtui and what it needs into {tmp_path}/new (once, about 70 MB):"
        " build-tools textual rich msgpack ...\n"
    )
    assert (tmp_path / "new" / "install.log").read_text() == f"{PIP}ended 0\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "WARNING: Retrying after NewConnectionError\n",
            "Cannot download what Sabtui needs: is there a network?",
        ),
        ("ERROR: No matching distribution found for textual\n", "is there a network?"),
        ("ERROR: Could not install: No space left\n", "install.log: ERROR: Could not install: No"),
    ],
)
def test_where_pip_fails_one_sentence_says_why(text: str, why: str, tmp_path: Path) -> None:
    done = install(tmp_path, text=text, code=1)
    assert done.returncode == 1
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("version", "lacks", "why"),
    [
        ("3.9", 0, "is Python 3.9, Sabtui needs 3.11 or later: make play PYTHON=python3."),
        ("3.10", 0, "is Python 3.10, Sabtui needs 3.11 or later"),
        ("3.11", 1, "lacks venv or ensurepip; on Debian and Ubuntu: sudo apt install python3-venv"),
    ],
)
def test_a_python_that_cannot_be_used_is_told_before_anything_is_made(
    version: str, lacks: int, why: str, tmp_path: Path
) -> None:
    done = install(tmp_path, version=version, lacks=lacks)
    assert (done.returncode, done.stdout) == (1, "")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_python_that_is_not_there_is_told() -> None:
    done = start(Path("/nowhere/python3"), Path("/nowhere/new"))
    assert done.returncode == 1
    assert done.stderr.startswith("There is no /nowhere/python3 here: install Python 3.11")


def test_a_link_is_refused_and_what_it_leads_to_is_left(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter").touch()
    (tmp_path / "new").symlink_to(precious)
    done = install(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"{tmp_path}/new is a link, and what it leads to would be cleared: "
        "remove the link, then try again.\n"
    )
    assert [*precious.iterdir()] == [precious / "letter"]
