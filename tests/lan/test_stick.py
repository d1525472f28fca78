"""A stick for laptops without internet: what it installs where no route leads out is played.

The stick of the usual test has wheels packed from what is installed here, so that nothing is
fetched; the long one is what `make pyz PLATFORMS=here` makes, and needs an index.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.lan.lan import HOUSE, NewLan
from tests.lan.players import Player
from tools.stick.layout import lay_out
from tools.stick.targets import HERE, Target, find_requirements

LEFT_OUT = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}
"""What an installer wrote, and a wheel does not have."""

OURS = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def pack(name: str, wheels: Path) -> None:
    """Make a wheel of what is installed here."""
    installed = distribution(name).files or []
    folder = next(file.parts[0] for file in installed if file.name == "METADATA")
    files = {
        str(file): file.read_binary()
        for file in installed
        if ".." not in file.parts and file.name not in LEFT_OUT and file.suffix != ".pyc"
    }
    if name == "sabtui":  # is installed as a pointer to this folder
        files = {file: data for file, data in files.items() if file.startswith(folder)}
        files |= {f"{folder}/WHEEL": OURS, **sources()}
    tag = next(line for line in files[f"{folder}/WHEEL"].splitlines() if line.startswith(b"Tag:"))
    files[f"{folder}/RECORD"] = "".join(f"{file},,\n" for file in files).encode()
    stem = folder.removesuffix(".dist-info")
    with ZipFile(wheels / f"{stem}-{tag.split()[1].decode()}.whl", "w") as wheel:
        for file, data in files.items():
            wheel.writestr(file, data)


def sources() -> dict[str, bytes]:
    """The files of this house that its wheel has."""
    return {
        str(file.relative_to(HOUSE)): file.read_bytes()
        for package in ("engine", "net", "sabtui")
        for file in (HOUSE / package).rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }


async def install_and_play(new_lan: NewLan, stick: Path, home: Path) -> None:
    """Install from a stick on a LAN without a route, and play a game on its laptops."""
    async with new_lan(3) as lan:

        async def run(laptop: str, name: str, *command: str) -> Player:
            places = (f"HOME={home / name}", f"XDG_STATE_HOME={home / name / 'state'}")
            path = f"PATH={Path(sys.executable).parent}:{os.environ['PATH']}"  # the wheels are its
            calm = ("env", f"--chdir={home}", *places, path, "PYTHONUNBUFFERED=1")
            return Player(name, await lan.start(laptop, *calm, *command))

        routes = await run("h1", "route", "ip", "route", "show", "default")
        assert await routes.program.rest() == ""
        installing = await run("h1", "install", "sh", str(stick / "install.sh"), str(home / "here"))
        _, told = await installing.reads("^Sabtui is installed. Play: (.*)")
        same = ("--plain", "--autopilot", "--code", "amber-tulip", "--name")
        game = ("host", "Rush", "--players", "3", "--rounds", "1")
        ann = await run("h1", "Ann", told[1], *game, *same, "Ann")
        await ann.reads("Room code: amber-tulip")
        ben = await run("h2", "Ben", told[1], "join", *same, "Ben")
        cleo = await run("h3", "Cleo", told[1], "join", *same, "Cleo")
        await ann.reads("^Enter starts the game")
        ann.says("start")
        for player in (ann, ben, cleo):
            await player.reads("^The game is over")
        ann.says("close")
        ann.says("yes")
        await ben.reads("closed the table")


@pytest.mark.level("thorough")  # it takes seven seconds to install a dozen wheels
async def test_what_a_stick_installs_is_played_without_a_route(
    new_lan: NewLan, tmp_path: Path
) -> None:
    wheels = tmp_path / "stick" / "wheels"
    wheels.mkdir(parents=True)
    for name in ("sabtui", "pip", *find_requirements(Target(HERE))):
        pack(name, wheels)
    lay_out(wheels.parent, [HERE])
    await install_and_play(new_lan, wheels.parent, tmp_path)


@pytest.mark.level("soak")
async def test_a_stick_as_it_is_made_is_played_without_a_route(
    new_lan: NewLan, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    made = [sys.executable, "-m", "tools.stick", str(stick), HERE]
    subprocess.run(made, cwd=HOUSE, check=True)  # noqa: ASYNC221, S603 - ourselves, nobody waits
    await install_and_play(new_lan, stick, tmp_path)


def test_every_platform_needs_what_is_needed_here() -> None:
    here = set(find_requirements(Target(HERE)))
    assert {"textual", "cryptography", "linkify-it-py"} <= here
    assert set(find_requirements(Target("windows-amd64", "3.13"))) == here
