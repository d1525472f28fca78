"""The program of a club: what it says, which club it opens, and what it is told to do."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from net import files
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import RoomCode
from sabtui.app.launcher import state_folder
from sabtui.cli.main import main
from sabtui.club import program
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from sabtui.text.door_words import qr_rows

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


def spoil(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    at = {"format": 9, "first commit": 60, "certificate": 300}[how]
    data[at] ^= 2
    path.write_bytes(data)


@pytest.mark.parametrize("how", ["format", "first commit", "certificate"])
def test_a_club_that_cannot_be_read_is_not_replaced_by_a_new_one_of_its_name(
    served: Served, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    assert main(["club", "The Nugget"]) == 0
    (path,) = (state_folder() / "clubs").glob("*.table")
    whole = path.read_bytes()
    spoil(path, how)
    spoilt = path.read_bytes()
    assert main(["club", "the NUGGET"]) == 1
    told = capsys.readouterr().err
    assert f"{path} cannot be read" in told
    assert "Move that file away to open a new club." in told
    assert path.read_bytes() == spoilt
    assert main(["club", "Deep Mine"]) == 0, "another name is another club"
    path.write_bytes(whole)
    assert main(["club", "The Nugget"]) == 0
    assert served[-1].club.id == served[0].club.id
    assert len(list((state_folder() / "clubs").glob("*.table"))) == 2


def test_of_a_club_that_a_release_kept_the_name_is_known_by_its_first_commit(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "The Nugget"]) == 0
    (path,) = (state_folder() / "clubs").glob("*.table")
    old = path.rename(path.with_name(path.name.partition("-")[2]))
    assert main(["club", "The Nugget"]) == 0
    assert served[0].club.id == served[1].club.id
    spoil(old, "format")
    assert main(["club", "Deep Mine"]) == 0
    assert main(["club", "The Nugget"]) == 1
    spoil(old, "first commit")
    assert main(["club", "Third"]) == 1, "it may be this one"
    old.rename(old.with_suffix(".aside"))
    assert main(["club", "Third"]) == 0
    capsys.readouterr()


def test_where_no_disk_has_locks_clubs_open_and_say_so(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_file: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(files, "_lock", fail)
    assert main(["club", "The Nugget"]) == 0
    assert "No disk here has file locks" in capsys.readouterr().out
    assert main(["club", "The Nugget"]) == 0
    assert "No disk here has file locks" in capsys.readouterr().out
    assert served[0].club.id == served[1].club.id


def test_doors_that_are_asked_for_are_to_be_opened(served: Served) -> None:
    pytest.importorskip("asyncssh")
    assert main(["club", "The Nugget", "--ssh"]) == 0
    assert served[0]._doors == (DoorKind.SSH,)


def test_a_renewed_code_and_a_door_that_ended_are_said(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "The Nugget", "--code", "amber-tulip"]) == 0
    opened = [line for line in capsys.readouterr().out.splitlines() if "amber-tulip" in line]
    served[0]._options.on_code(RoomCode("lantern", "tiger"))
    served[0]._options.on_door(DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED), None)
    assert capsys.readouterr().out.splitlines() == [
        *(line.replace("amber-tulip", "lantern-tiger") for line in opened),
        "SSH door: closed unexpectedly; reopening in 30 seconds.",
    ]


def test_a_club_in_a_terminal_shows_its_link_to_scan_with_the_code_that_counts_now(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("segno")
    monkeypatch.setattr("sabtui.cli.play.own_addresses", lambda: ["192.168.1.20"])
    assert main(["club", "The Nugget"]) == 0
    club, door = served[0], DoorNow(DoorKind.WEB, 7361)
    link = "http://192.168.1.20:7361/"
    old, new = RoomCode("amber", "tulip"), RoomCode("lantern", "tiger")
    capsys.readouterr()
    club._options.on_door(door, old)
    assert capsys.readouterr().out == f"In a browser or on a phone: {link}\n", (
        "a log has no use for it"
    )
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    club._options.on_door(door, old)
    club.entrance.doors.now[DoorKind.WEB] = door
    club.entrance._code = lambda: new
    club.entrance.note_code()
    said = capsys.readouterr().out.splitlines()
    for code in (old, new):
        scanned = [f"\x1b[30;107m{row}\x1b[0m" for row in qr_rows(f"{link}#{code}")]
        assert "\n".join(scanned) in "\n".join(said)
    club._options.on_door(DoorNow(DoorKind.WEB, 7361), None)
    assert qr_rows(link)[0] in capsys.readouterr().out, "a table that is open to all has no code"


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
