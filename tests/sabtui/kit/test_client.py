"""A program joins a table, watches and plays, as docs/python-client.md shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest

from net.client import credentials
from net.protocol.lobby import Settings
from net.protocol.lobby_events import Said
from net.protocol.requests import Close, Kick, SetReady
from net.tasks import cancel_and_wait
from sabtui.app import launcher
from sabtui.app.errors import UserError
from sabtui.kit.client import join
from tests.docs.pages import ROOT, blocks
from tests.net.server.journal_tools import quick_folder
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, hosting, until

Example = Callable[[str, str], Coroutine[object, object, None]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep seats in a folder of this test, and give up no table because the machine is slow."""
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    monkeypatch.setattr(credentials, "JOIN_TIMEOUT_S", 600.0)


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


def examples() -> dict[str, Example]:
    names: dict[str, Example] = {}
    for block in blocks(ROOT / "docs" / "python-client.md"):
        if block.language == "python":
            exec(block.text, names)  # noqa: S102 - our own page
    return names


@pytest.mark.level("broad")
async def test_the_programs_of_the_page_watch_and_play_a_game(
    where: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = examples()
    async with hosting(where, Settings(seats=3, rounds=1)) as hosted:
        ann, _ = await hosted.come("Ann", "Ben")
        at = f"{HERE}:{hosted.port}", str(CODE)
        watching = asyncio.create_task(page["watch"](*at))
        playing = asyncio.create_task(page["play"](*at))
        await until(lambda: len(ann.lobby.people) == 4)
        await hosted.play_on()
        await playing
        said = [
            event.text
            for frame in ann.got
            for event in getattr(frame, "lobby_events", ())
            if isinstance(event, Said)
        ]
        assert said == ["Good game!"]
        ann.say(*ann.state.request(Close()))
        await watching
    told = capsys.readouterr().out
    assert "RoundBegan(number=1" in told
    assert "won by seat" in told
    assert told.endswith("The host has closed the table.\n")


async def test_who_comes_again_has_the_same_seat(where: Path) -> None:
    async with hosting(where) as hosted:
        (ann,) = await hosted.come("Ann")
        for _ in range(2):
            async with join(f"{HERE}:{hosted.port}", name="Robot", code=str(CODE)) as table:
                first = await anext(table)
                assert first.status.lobby == table.lobby
                assert table.view is None
                assert table.status.seat == 1
                assert not table.is_to_move
                assert table.farewell == ""
            assert table.farewell == "You have left the table."
        await until(lambda: ann.lobby.people[1].presence.is_gone)
        assert [person.name for person in ann.lobby.people] == ["Ann", "Robot"]


async def test_what_goes_wrong_is_one_sentence(where: Path) -> None:
    async with hosting(where) as hosted:
        at = f"{HERE}:{hosted.port}"
        await hosted.come("Ann")
        for code, name, why in (
            ("amber", "Robot", "is not a room code: it is two words"),
            (str(OTHER_CODE), "Robot", "not this table's code"),
            (str(CODE), "Ann", "Somebody at the table has that name"),
        ):
            with pytest.raises(UserError, match=why) as raised:
                async with join(at, name=name, code=code):
                    pytest.fail("it was let in")
            assert "\n" not in str(raised.value)


async def test_one_is_asked_once_at_each_step_and_reads_what_is_refused(where: Path) -> None:
    async with hosting(where) as hosted:
        (ann,) = await hosted.come("Ann")
        async with join(f"{HERE}:{hosted.port}", name="Robot", code=str(CODE)) as table:
            table.request(SetReady(ready=False))
            async for _ in table:
                if table.is_asked_ready:
                    break
            table.request(Kick(ann.lobby.host))  # which is the host's to do
            assert not table.is_asked_ready
            async for update in table:
                if update.received is not None and update.received.refused is not None:
                    break
            assert not table.is_asked_ready
            table.say_ready()
            async for _ in table:
                if table.lobby.is_ready(table.status.member):
                    break


async def test_a_program_that_is_stopped_leaves(where: Path) -> None:
    async with hosting(where) as hosted:
        (ann,) = await hosted.come("Ann")
        watching = asyncio.create_task(examples()["watch"](f"{HERE}:{hosted.port}", str(CODE)))
        await until(lambda: len(ann.lobby.people) == 2)
        await cancel_and_wait(watching)
        await until(lambda: len(ann.lobby.people) == 1 or ann.lobby.people[1].presence.is_gone)
