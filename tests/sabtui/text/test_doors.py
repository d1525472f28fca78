"""Doors in sentences: what friends type, and why a door is closed."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.session import Status
from net.client.trail import GameState
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.lobby import Lobby, Settings
from sabtui.text.connection import own_news, without_open_doors
from sabtui.text.doors import INSTALL_COMMAND, PLAY_COMMAND, door_lines, door_sentence, host_of

ROOT = Path(__file__).parents[3]
LOBBY = structs.replace(Lobby.empty("Gold Rush", Settings()), host=1)
HOST = Status(member=1, game_state=GameState(1, 1, LOBBY, None))
OPEN = DoorNow(DoorKind.SSH, 7351, "SHA256:16xF")


def test_the_line_for_friends_has_the_likeliest_address_and_the_key_beside_it() -> None:
    lines = [text.format(line=line) for text, line in door_lines([OPEN], ["192.168.1.20:7341"])]
    assert lines == [
        "Friends without Sabtui: ssh -p 7351 NAME@192.168.1.20",
        "SSH key fingerprint: SHA256:16xF",
    ]
    assert door_lines([DoorNow(DoorKind.SSH)], ["192.168.1.20:7341"]) == []
    ((_text, line), _key) = door_lines([OPEN], [])
    assert line == "ssh -p 7351 NAME@ADDRESS"


def test_a_host_in_lines_is_told_of_an_open_door_with_an_address_of_this_computer() -> None:
    addresses = ["192.168.1.20:7341", "10.0.0.5:7341"]
    assert own_news(replace(HOST, doors=(OPEN,)), HOST, addresses) == [
        "Friends without Sabtui: ssh -p 7351 NAME@192.168.1.20",
        "SSH key fingerprint: SHA256:16xF",
    ]
    closed = DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED)
    assert own_news(replace(HOST, doors=(closed,)), HOST, addresses) == [door_sentence(closed)]


def test_a_host_reads_that_the_key_is_new_beside_the_line() -> None:
    renewed = DoorNow(DoorKind.SSH, 7351, "SHA256:16xF", DoorTrouble.NEW_KEY)
    told = door_sentence(renewed)
    assert "ssh-keygen -R '[ADDRESS]:7351'" in told
    status = replace(HOST, doors=(renewed,))
    assert own_news(status, HOST, ["192.168.1.20:7341"])[-1] == told
    assert own_news(without_open_doors(status), HOST) == [told]


def test_guests_are_told_nothing_of_a_door() -> None:
    assert own_news(Status(doors=(OPEN, DoorNow(DoorKind.WEB, 7361))), Status()) == []


@pytest.mark.parametrize(
    ("address", "host"), [("box.local:7341", "box.local"), ("[fe80::1%eth0]:7341", "fe80::1%eth0")]
)
def test_an_address_for_ssh_has_no_brackets(address: str, host: str) -> None:
    assert host_of(address) == host


def test_what_a_door_lacks_comes_with_the_commands_that_the_docs_give() -> None:
    makefile, page = (ROOT / name for name in ("Makefile", "docs/hosting.md"))
    assert f"\n{PLAY_COMMAND.removeprefix('make ')}:" in makefile.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").count(f"`{INSTALL_COMMAND}`") == len(DoorKind)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for kind in DoorKind:
        told = door_sentence(DoorNow(kind, trouble=DoorTrouble.MISSING))
        assert PLAY_COMMAND in told
        assert INSTALL_COMMAND in told
        assert kind in INSTALL_COMMAND
        assert kind in project["optional-dependencies"]


@pytest.mark.parametrize("trouble", DoorTrouble)
@pytest.mark.parametrize("kind", DoorKind)
def test_each_trouble_of_a_door_has_its_sentence(kind: DoorKind, trouble: DoorTrouble) -> None:
    told = door_sentence(DoorNow(kind, trouble=trouble))
    others = {
        door_sentence(DoorNow(kind, trouble=other)) for other in DoorTrouble if other != trouble
    }
    assert told not in others
    assert told.endswith(".")


def test_the_host_is_told_of_a_door_that_opens_or_closes_and_not_of_one_that_never_was() -> None:
    closed = DoorNow(DoorKind.SSH)
    assert own_news(replace(HOST, doors=(OPEN,)), HOST) == [door_sentence(OPEN)]
    assert own_news(replace(HOST, doors=(closed,)), replace(HOST, doors=(OPEN,))) == [
        door_sentence(closed)
    ]
    assert own_news(replace(HOST, doors=(closed,)), HOST) == []
    assert own_news(replace(HOST, doors=(OPEN,)), replace(HOST, doors=(OPEN,))) == []
