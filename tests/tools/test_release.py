"""What a release has: the files of wheel and sdist, one file of Sabtui, and a Debian package."""

from __future__ import annotations

import gzip
import io
import platform
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import sabtui
from sabtui import __version__
from sabtui.cli.args import parser
from sabtui.text.i18n import languages
from tools import manual
from tools.release.contents import check_metadata, check_sdist, check_wheel
from tools.stick import debian, start, zipped
from tools.stick.targets import HERE as THIS_PLATFORM
from tools.stick.targets import MACOS, PLATFORMS, Target, find_requirements
from tools.stick.targets import Platform as Kind


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
    "    assert 'PYTHONPATH' not in os.environ, 'programs of others keep their own packages'\n"
    "    ours = {**os.environ, 'PYTHONPATH': sys.path[0]}\n"  # as `net.server.process` has it
    "    return subprocess.run([sys.executable, '-P', '-c', child], env=ours).returncode\n"
)


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
    game = {"sabtui/__init__.py": "", "sabtui/cli/__init__.py": "", "sabtui/cli/main.py": MAIN}
    tag = "cp{}{}".format(*sys.version_info)
    wheels = [
        wheel(tmp_path, "sabtui-1-py3-none-any.whl", game),
        wheel(tmp_path, f"helper-1-{tag}-{tag}-any_x.whl", {"helper.py": "WORD = 'dug'\n"}),
    ]
    path, home = tmp_path / "sabtui.pyz", tmp_path / "home"
    here = Kind((f"any_{platform.machine()}",), "", sys.platform, "", platform.machine())
    zipped.write(path, wheels, here)
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


# Each fault of a wheel or an sdist is named.

INFO = f"sabtui-{__version__}.dist-info"
METADATA = f"Metadata-Version: 2.4\nName: sabtui\nVersion: {__version__}\n\nDig for gold.\n"
CATALOGUES = [
    f"sabtui/text/catalogues/{language}.mo" for language in languages() if language != "en"
]
CODE = ["engine/py.typed", "net/secure/words.txt", "sabtui/doors/page/page.css"]
TRACKED = [*CODE, "README.md", "sabtui/text/catalogues/it.po", "tests/test_house.py"]
WHEEL = dict.fromkeys((*CODE, *CATALOGUES, f"{INFO}/licenses/LICENSE"), "") | {
    f"{INFO}/METADATA": METADATA,
    f"{INFO}/RECORD": "",
}
TOP = f"sabtui-{__version__}"
SDIST = dict.fromkeys((f"{TOP}/{name}" for name in TRACKED), "") | {f"{TOP}/PKG-INFO": METADATA}


def sdist(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "sabtui.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            kept = tarfile.TarInfo(name)
            kept.size = len(text)
            archive.addfile(kept, io.BytesIO(text.encode()))
    return path


def test_a_whole_wheel_and_a_whole_sdist_have_no_fault(tmp_path: Path) -> None:
    assert list(check_wheel(wheel(tmp_path, "sabtui.whl", WHEEL), TRACKED)) == []
    assert list(check_sdist(sdist(tmp_path, SDIST), TRACKED)) == []


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    for name in (*CODE, *CATALOGUES, f"{INFO}/licenses/LICENSE"):
        files = {kept: text for kept, text in WHEEL.items() if kept != name}
        assert list(check_wheel(wheel(tmp_path, "sabtui.whl", files), TRACKED)) == [
            f"sabtui.whl lacks {name}"
        ]
    for name in TRACKED:
        files = {kept: text for kept, text in SDIST.items() if kept != f"{TOP}/{name}"}
        lacks = [f"sabtui.tar.gz lacks {name}"]
        assert list(check_sdist(sdist(tmp_path, files), TRACKED)) == lacks


def test_what_belongs_into_no_release_is_named(tmp_path: Path) -> None:
    strange = ("engine/x.pyc", "sabtui/notes.txt")
    for name in ("tests/test_house.py", "sabtui/text/catalogues/it.po", *strange):
        (fault,) = check_wheel(wheel(tmp_path, "sabtui.whl", WHEEL | {name: ""}), TRACKED)
        assert name in fault
    for name in (f"{TOP}/sabtui/text/catalogues/it.mo", f"{TOP}/notes.txt", "other/file.py"):
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


# The manual page and the shell completions say what the parser does.

PAGE = manual.manual_page()
COMMANDS = manual.commands(parser())


def options(of: str) -> list[str]:
    """List the options of a command."""
    return [name for action in manual.actions(COMMANDS[of]) for name in action.option_strings]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_has_each_command_with_its_options(command: str) -> None:
    section = PAGE.partition(f".SS sabtui {command}")[2].partition("\n.S")[0]
    shared = PAGE.partition(".SH OPTIONS")[2]
    for option in options(command):
        assert f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in section + shared, option


def test_the_page_has_the_fields_of_help_filled_in() -> None:
    assert "%(" not in PAGE
    assert "How many bots (default: 4)" in PAGE
    assert f"sabtui {sabtui.__version__}" in PAGE


def test_no_line_of_text_is_taken_for_a_command_of_man() -> None:
    begun = {line.split()[0] for line in PAGE.splitlines() if line[:1] in {".", "'"}}
    assert begun == {".TH", ".SH", ".SS", ".TP", ".B", ".br"}
    assert manual._plain(".sab files -- \\o/") == r"\&.sab files \-\- \eo/"


@pytest.mark.parametrize("shell", manual.COMPLETIONS)
def test_each_shell_completes_each_command_and_option(shell: str) -> None:
    text = manual.completion(shell)
    for command in COMMANDS:
        assert command in text
        for option in options(command):
            assert re.search(rf"(--|-l '?){option.lstrip('-')}\b", text), option


def test_all_is_written_where_man_and_the_shells_look(tmp_path: Path) -> None:
    written = manual.write_manual(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "man/man1/sabtui.1",
        "bash-completion/completions/sabtui",
        "zsh/site-functions/_sabtui",
        "fish/vendor_completions.d/sabtui.fish",
    ]
    assert all(path.read_text(encoding="utf-8").strip() for path in written)
