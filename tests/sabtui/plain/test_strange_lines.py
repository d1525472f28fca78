"""Lines that nobody should type: numbers with zeros before them, and texts that are too long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec import msgpack

from net.client.session import Session, Update
from net.protocol.framing import decode
from net.protocol.messages import ClientCommand
from net.protocol.requests import Chat, OwnRequest
from sabtui.club.lines import _Hall
from sabtui.club.visit import ClubVisit
from sabtui.plain.console import Console
from sabtui.text.layout import cut_off_sentence, wrap_lines
from tests.sabtui.club.pictures import in_hall
from tests.sabtui.plain.test_parser import HERE, IN_LOBBY
from tests.sabtui.plain_sessions import SMALL, Place, type_lines

LONG = "x" * 190


@pytest.mark.parametrize("line", ["x0010", "x 0019", "c 0099", "claim 00199", "who 0019"])
def test_zeros_before_a_number_do_not_make_it_another(line: str) -> None:
    reaction = type_lines(HERE, line)
    assert reaction.is_told_only
    assert reaction.lines


def test_zeros_before_a_number_do_not_count() -> None:
    for line in ("x2", "c 2", "who 2"):
        word, number = line[:-1], line[-1]
        assert type_lines(HERE, f"{word}000{number}") == type_lines(HERE, line)


@pytest.mark.parametrize("place", [HERE, IN_LOBBY], ids=["game", "lobby"])
@pytest.mark.parametrize("line", [f"t {LONG}", f'"{LONG}', f"t {'é' * 150}", f"t {'金' * 90}"])
def test_talk_that_is_too_long_is_cut_and_that_is_said(place: Place, line: str) -> None:
    reaction = type_lines(place, line)
    assert [*reaction.lines] == wrap_lines([cut_off_sentence()], SMALL.columns)
    (request,) = reaction.requests
    assert isinstance(request, Chat)
    assert request.text in line


@pytest.mark.parametrize("line", [f"t {LONG}", f"bot {LONG}", f"bot {'é' * 40} hard"])
def test_no_line_makes_a_message_that_the_table_would_not_read(line: str) -> None:
    reaction = type_lines(IN_LOBBY, line)
    assert reaction.requests
    for request in reaction.requests:
        assert not isinstance(request, OwnRequest)
        command = ClientCommand(1, request)
        assert decode(msgpack.encode(command), ClientCommand) == command


def test_talk_that_is_too_long_for_a_hall_is_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    asked: list[object] = []
    monkeypatch.setattr(Console, "say", lambda _console, lines: said.extend(lines))
    monkeypatch.setattr(Console, "prompt", lambda _console, _prompt: None)
    hall = _Hall(cast("ClubVisit", SimpleNamespace(find_way=lambda _update: "")), Console())
    hall._session = cast("Session", SimpleNamespace(request=asked.append))
    hall._take(Update(in_hall()))
    said.clear()
    hall._read(f"t {LONG}")
    assert said == [cut_off_sentence()]
    assert asked == [Chat(LONG[:160])]
