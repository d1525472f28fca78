"""The scripts of `.ci` in folders whose names have a space: with stand-ins for what they start."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("shell scripts", allow_module_level=True)

HOUSE = Path(__file__).parent.parent

MAKE = """\
#!/bin/sh
echo "made $*"
pwd
ls
"""

ORDINARY_USER = "#!/bin/sh\necho 1000\n"
"""An `id` for whom nothing is to be installed."""

PYTHON = """\
#!/bin/sh
case "$2" in *3.12*) exit 0 ;; esac
exit 1
"""


def command(folder: Path, name: str, script: str) -> None:
    """Put a command into a folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(script)
    (folder / name).chmod(0o700)


def run(script: Path, tools: Path, **environment: str) -> list[str]:
    """Run a script with a folder of commands that come before the system's; return its lines."""
    path = f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin"
    done = subprocess.run(  # noqa: S603 - ours
        [str(script)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": path, **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("git", path="/usr/bin:/bin") is None, reason="needs git")
def test_ci_runs_in_a_copy_of_what_is_here_in_a_folder_with_a_space(tmp_path: Path) -> None:
    here, tools = tmp_path / "here", tmp_path / "tools"
    (here / ".ci").mkdir(parents=True)
    for script in "run", "abreast":
        shutil.copy(HOUSE / ".ci" / script, here / ".ci")
    (here / "README.md").write_text("```sh\nmake test\n```\n")
    (here / "gone").touch()
    git = ("git", "-C", str(here), "-c", "user.name=A", "-c", "user.email=a@b.example")
    for words in ["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]:
        subprocess.run([*git, *words], check=True)  # noqa: S603 - ours
    (here / "gone").unlink()
    (here / "new").touch()
    for name, script in ("make", MAKE), ("id", ORDINARY_USER), ("chromium", MAKE):
        command(tools, name, script)
    lines = run(here / ".ci" / "run", tools, TMPDIR=str(tmp_path))
    assert [line for line in lines if line.startswith("made")] == [
        "made .venv/dev .venv/words",
        "made lint",
        "made coverage",
        "made test",
    ]
    place, *files = lines[lines.index("made test") + 1 :]
    assert Path(place).name == "sab tui"
    assert files == ["README.md", "new"]
    assert not Path(place).parent.exists()
    assert {one.name for one in here.iterdir()} == {".ci", ".git", "README.md", "new"}


def test_the_matrix_finds_a_python_in_a_folder_with_a_space(tmp_path: Path) -> None:
    tools, old = tmp_path / "py thons", tmp_path / "here"
    (old / ".ci").mkdir(parents=True)
    shutil.copy(HOUSE / ".ci" / "matrix", old / ".ci")
    command(tools, "python3.12", PYTHON)
    command(tools, "make", MAKE)
    nowhere = str(tmp_path / "nowhere")
    lines = run(old / ".ci" / "matrix", tools, PYENV_ROOT=nowhere, UV_PYTHON_INSTALL_DIR=nowhere)
    assert f"== Python 3.12: {tools}/python3.12" in lines
    assert "failed on: none" in lines[-1]


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
