"""The Debian package: what is in it, and that it starts from where it is unpacked."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.stick import debian

MAIN = "import helper\ndef main():\n    print(helper.WORD)\n"


def wheel(folder: Path, name: str, files: dict[str, str]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path


def share(folder: Path) -> Path:
    page = folder / "share" / "man" / "man1" / "sabtui.1"
    page.parent.mkdir(parents=True)
    page.write_text(".TH SABTUI 1\n")
    return folder / "share"


def test_the_package_has_game_launcher_manual_and_licence(tmp_path: Path) -> None:
    game = {"sabtui/__init__.py": "", "sabtui/__main__.py": MAIN}
    wheels = [
        wheel(tmp_path, "sabtui-1-py3-none-any.whl", game),
        wheel(tmp_path, "helper-1-cp311-cp311-x.whl", {"helper.py": "WORD = 'dug'\n"}),
        wheel(tmp_path, "helper-1-cp312-cp312-x.whl", {"helper.py": "WORD = 'dug'\n"}),
    ]
    root = tmp_path / "root"
    debian.lay_out(root, wheels, share(tmp_path), "amd64")
    assert gzip.decompress((root / "usr/share/man/man1/sabtui.1.gz").read_bytes())
    assert "MIT License" in (root / "usr/share/doc/sabtui/copyright").read_text("utf-8")
    control = (root / "DEBIAN/control").read_text("utf-8")
    assert "Architecture: amd64\n" in control
    assert "Depends: python3 (>= 3.11), python3 (<< 3.15~)\n" in control
    launcher = (root / "usr/bin/sabtui").read_text("utf-8")
    here = launcher.replace(f"/{debian.PLACE}", str(root / debian.PLACE))
    done = subprocess.run(  # noqa: S603 - what was packed
        [sys.executable, "-P", "-c", here], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "dug\n"


def test_wheels_that_differ_in_a_module_are_not_mixed(tmp_path: Path) -> None:
    one = wheel(tmp_path, "a-1-cp311-cp311-x.whl", {"a.py": "1", "a-1.dist-info/RECORD": "x"})
    other = wheel(tmp_path, "a-1-cp312-cp312-x.whl", {"a.py": "2", "a-1.dist-info/RECORD": "y"})
    with pytest.raises(SystemExit, match=r"a-1-cp312-cp312-x\.whl has another a\.py"):
        debian.unpack([one, other], tmp_path / "place")
