"""The program of a club: what it says, which club it opens, and what it is told to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import RoomCode
from sabtui.app.launcher import state_folder
from sabtui.cli.main import main
from sabtui.club import program
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from sabtui.text.doors import qr_rows

Served = list[ClubServer]


@pytest.fixture(name="served")
def keep_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """Keep clubs in the test's folder, and serve none: the servers that were to run."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    servers: Served = []

    async def serve_nothing(server: ClubServer) -> None:
        servers.append(server)
        server.entrance.close()
        await server._rows.close()

    monkeypatch.setattr(ClubServer, "run", serve_nothing)
    return servers


def test_a_club_says_how_to_come_in_and_how_it_comes_back(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "The Nugget", "--code", "amber-tulip"]) == 0
    said = capsys.readouterr().out
    assert "The Nugget is open." in said
    assert "sabtui join --code amber-tulip" in said
    assert "sabtui club 'The Nugget' brings it back" in said
    assert [server.club.name for server in served] == ["The Nugget"]


def test_a_club_from_the_one_file_says_how_that_file_brings_it_back(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["./sabtui-linux-x86_64.pyz", "club", "Deep Mine"])
    monkeypatch.setattr("sys.executable", "/usr/bin/python3")
    assert main(["club", "Deep Mine"]) == 0
    said = capsys.readouterr().out
    assert "python3 ./sabtui-linux-x86_64.pyz club 'Deep Mine' brings it back" in said
    assert len(served) == 1


def test_the_same_name_opens_the_same_club_and_another_name_another(served: Served) -> None:
    for words in (
        ["The Nugget"],
        ["the nugget"],
        ["Deep Mine"],
        ["The Nugget", "--port", "7479"],
        ["The Nugget", "--code", "amber-tulip"],
    ):
        assert main(["club", *words]) == 0
    first, again, other, moved, coded = served
    assert str(coded.code) == "amber-tulip"
    assert first.club.id == again.club.id == moved.club.id != other.club.id
    assert first.code == again.code == moved.code
    assert first.club.certificate == again.club.certificate
    assert (moved.entrance.port, moved.club.name) == (7479, "The Nugget")


def test_doors_that_are_asked_for_are_to_be_opened(served: Served) -> None:
    pytest.importorskip("asyncssh")
    assert main(["club", "The Nugget", "--ssh"]) == 0
    assert served[0]._doors == (DoorKind.SSH,)


@pytest.mark.parametrize(
    ("size", "term", "is_terminal", "is_shown"),
    [
        ((80, 40), "xterm", True, True),
        ((80, 10), "xterm", True, False),
        ((20, 40), "xterm", True, False),
        ((80, 40), "dumb", True, False),
        ((80, 40), "xterm", False, False),
    ],
)
def test_the_browser_door_of_a_club_has_a_qr_code_in_a_terminal_that_can_show_it(
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    term: str,
    is_terminal: bool,  # noqa: FBT001 - a test's parameter
    is_shown: bool,  # noqa: FBT001 - as above
) -> None:
    pytest.importorskip("segno")
    monkeypatch.setattr(program, "own_addresses", lambda: ["192.168.1.20"])
    monkeypatch.setattr(program, "find_size", lambda _environ: size)
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal, raising=False)
    monkeypatch.setenv("TERM", term)
    lines = program._qr_lines(DoorNow(DoorKind.WEB, 7381), "amber-tulip")
    assert bool(lines) is is_shown
    if is_shown:
        drawn = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[m") for line in lines]
        assert drawn == qr_rows("http://192.168.1.20:7381/#amber-tulip")
    assert program._qr_lines(DoorNow(DoorKind.SSH, 7351), "amber-tulip") == []
    assert program._qr_lines(DoorNow(DoorKind.WEB), "amber-tulip") == []


def test_a_renewed_code_is_said_with_a_qr_code_that_brings_it_and_no_longer_the_old_one(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_qr_lines", lambda door, code: [f"{door.port}#{code}"])
    assert main(["club", "The Nugget", "--code", "amber-tulip"]) == 0
    (club,) = served
    club._options.on_door(DoorNow(DoorKind.WEB, 7381))
    club._options.on_door(DoorNow(DoorKind.SSH, 7351))
    assert "7381#amber-tulip\nRoom code: amber-tulip\n" in capsys.readouterr().out
    club.on_code(RoomCode("lantern", "tiger"))
    assert capsys.readouterr().out == "7381#lantern-tiger\nRoom code: lantern-tiger\n"


def test_a_door_that_ended_is_said_to_open_again_by_itself(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "The Nugget"]) == 0
    served[0]._options.on_door(DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED))
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == "SSH door: closed unexpectedly. It opens again in half a minute."


def test_a_club_that_runs_already_is_not_opened_twice(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "The Nugget"]) == 0
    held = open_club(state_folder() / "clubs", "The Nugget")
    try:
        assert main(["club", "The Nugget"]) == 1
    finally:
        held.journal.close()
    assert len(served) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told == "sabtui: It is already running: sabtui join takes you there."


if sys.platform != "win32":
    import resource

    @pytest.mark.parametrize(("soft", "wanted", "then"), [(256, 400, 400), (400, 256, 400)])
    def test_more_files_may_be_open_than_is_usual_and_never_fewer(
        soft: int, wanted: int, then: int
    ) -> None:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
        try:
            program.allow_files(wanted)
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (then, before[1])
            program.allow_files(1 << 40)
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= then
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
