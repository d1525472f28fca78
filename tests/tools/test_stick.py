"""One file of Sabtui, and its Debian package: which wheels they have, and that they start."""

from __future__ import annotations

import gzip
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.stick import debian, start, zipped
from tools.stick.targets import HERE as THIS_PLATFORM
from tools.stick.targets import MACOS, PLATFORMS, Target, find_requirements
from tools.stick.targets import Platform as Kind

HERE = Kind((f"any_{platform.machine()}",), "", sys.platform, "", platform.machine())
OWN = sys.version_info[:2]
TAG = f"cp{OWN[0]}{OWN[1]}"


@pytest.mark.parametrize(
    ("wheel", "version", "is_taken"),
    [
        ("rich-15.0.0-py3-none-any.whl", (3, 14), True),
        ("old-1.0-py2-none-any.whl", (3, 14), False),
        ("both-1.0-py2.py3-none-any.whl", (3, 11), True),
        ("msgspec-0.22.0-cp312-cp312-manylinux2014_x86_64.whl", (3, 12), True),
        ("msgspec-0.22.0-cp312-cp312-manylinux2014_x86_64.whl", (3, 13), False),
        ("msgspec-0.22.0-cp314-cp314t-manylinux2014_x86_64.whl", (3, 14), False),
        ("cryptography-50.0.2-cp311-abi3-win_amd64.whl", (3, 14), True),
        ("cryptography-50.0.2-cp312-abi3-win_amd64.whl", (3, 11), False),
    ],
)
def test_a_wheel_is_taken_by_the_pythons_that_it_is_for(
    wheel: str, version: tuple[int, int], *, is_taken: bool
) -> None:
    assert start.fits(wheel, version) == is_taken


def test_no_wheel_is_taken_if_one_is_missing_for_this_python() -> None:
    names = [f"{start.WHEELS}a-1-py3-none-any.whl", f"{start.WHEELS}b-1-cp312-cp312-any_x.whl"]
    assert start.choose(names, (3, 12)) == ["a-1-py3-none-any.whl", "b-1-cp312-cp312-any_x.whl"]
    assert start.choose(names, (3, 13)) == []


@pytest.mark.parametrize(
    ("wheel", "name", "is_for"),
    [
        ("rich-15.0.0-py3-none-any.whl", "windows-amd64", True),
        ("pip-26.3-py3-none-any.whl", "windows-amd64", False),
        ("zeroconf-0.154.0-cp311-cp311-win_amd64.whl", "windows-amd64", True),
        ("zeroconf-0.154.0-cp311-cp311-win_amd64.whl", "linux-x86_64", False),
        ("cffi-2.1.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17.whl", "linux-x86_64", True),
    ],
)  # fmt: skip
def test_a_file_has_the_wheels_of_its_platform(wheel: str, name: str, *, is_for: bool) -> None:
    assert zipped.is_for(wheel, PLATFORMS[name]) == is_for


@pytest.mark.parametrize("name", ["macos-x86_64", "macos-arm64"])
def test_a_file_has_what_pip_fetches_for_the_oldest_macos_and_nothing_newer(name: str) -> None:
    (fetched,) = PLATFORMS[name].tags
    newer = f"macosx_{MACOS[0] + 1}_0_{PLATFORMS[name].machine}"
    assert zipped.is_for(f"cffi-2.1.1-cp311-cp311-{fetched}.whl", PLATFORMS[name])
    assert not zipped.is_for(f"cffi-2.1.1-cp311-cp311-{newer}.whl", PLATFORMS[name])


def wheel(folder: Path, name: str, files: dict[str, str]) -> Path:
    """A wheel with these files."""
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(file), text)
    return path


MAIN = (
    "import os, subprocess, sys, helper\n"
    "def main():\n"
    "    print(helper.WORD, *sys.argv[1:], flush=True)\n"
    "    child = 'import helper; print(helper.WORD)'\n"
    "    return subprocess.run([sys.executable, '-P', '-c', child]).returncode\n"
)


def one_file(folder: Path, kind: Kind = HERE, tag: str = TAG, main: str = MAIN) -> Path:
    """A file with a game that says who it is, also in a process of its own."""
    game = {"sabtui/__init__.py": "", "sabtui/cli/__init__.py": "", "sabtui/cli/main.py": main}
    wheels = [
        wheel(folder, "sabtui-1-py3-none-any.whl", game),
        wheel(folder, f"helper-1-{tag}-{tag}-any_x.whl", {"helper.py": "WORD = 'dug'\n"}),
    ]
    path = folder / "sabtui.pyz"
    zipped.write(path, wheels, kind)
    return path


def run(path: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Start a file as a player does who has never started one, or has."""
    places = ("HOME", "USERPROFILE", "LOCALAPPDATA")
    return subprocess.run(  # noqa: S603 - our own file
        [sys.executable, str(path), *words],
        env={**dict.fromkeys(places, str(home)), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_first_start_unpacks_and_later_ones_find_it(tmp_path: Path) -> None:
    path, home = one_file(tmp_path), tmp_path / "home"
    first = run(path, home, "a", "b")
    assert (first.returncode, first.stdout, first.stderr) == (0, "dug a b\ndug\n", "")
    (kept,) = home.rglob("helper.py")
    kept.write_text("WORD = 'kept'\n")
    assert run(path, home).stdout == "kept\nkept\n"
    assert [path.name for path in kept.parents[1].iterdir()] == [kept.parent.name]


# The Debian package.

PLAIN_MAIN = "import helper\ndef main():\n    print(helper.WORD)\n"


def share(folder: Path) -> Path:
    page = folder / "share" / "man" / "man1" / "sabtui.1"
    page.parent.mkdir(parents=True)
    page.write_text(".TH SABTUI 1\n")
    return folder / "share"


def test_the_package_has_game_launcher_manual_and_licence(tmp_path: Path) -> None:
    game = {"sabtui/__init__.py": "", "sabtui/__main__.py": PLAIN_MAIN}
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


def test_every_platform_needs_what_is_needed_here() -> None:
    here = set(find_requirements(Target(THIS_PLATFORM)))
    assert {"textual", "cryptography", "linkify-it-py"} <= here
    assert set(find_requirements(Target("windows-amd64", "3.13"))) == here
