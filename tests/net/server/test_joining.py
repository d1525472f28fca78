"""Who may come to a table, come back, and take over from themselves; and who may not."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path

import pytest

from net.protocol.lobby import Settings
from net.protocol.messages import GuessAlarm, Snapshot, StepFrame
from net.protocol.requests import ChangeSettings, Chat
from net.secure.handshake import AuthenticationFailed, Rejection
from tests.net.server.served_table import OTHER_CODE, SMALL, Guest, hosting, until


async def refusal(coming: Coroutine[None, None, Guest]) -> Rejection:
    """Why somebody is not let in."""
    with pytest.raises(AuthenticationFailed) as caught:
        await coming
    return caught.value.why


async def test_who_was_away_comes_back_by_key_and_is_told_what_they_missed(where: Path) -> None:
    async with hosting(where) as hosted:
        _, ben, cleo = await hosted.begin()
        await ben.leave()
        assert await cleo.wants(Chat("where is Ben?")) is None
        assert await cleo.wants(Chat("ah")) is None
        heard = len(ben.got)
        await ben.come_back()
        await until(lambda: ben.step == hosted.state.number)
        assert not any(isinstance(one, Snapshot) for one in ben.got[heard:])
        assert sum(isinstance(one, StepFrame) for one in ben.got[heard:]) == 2
        await hosted.go_on()


async def test_wrong_codes_are_refused_and_told_to_the_host_alone_while_the_game_goes_on(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(where) as hosted:
        ann, ben, cleo = await hosted.begin()
        connections = [guest.connection for guest in (ann, ben, cleo)]
        strangers = [Guest("Eve", hosted.port) for _ in range(5)]
        why = await asyncio.gather(*(refusal(eve.join(OTHER_CODE)) for eve in strangers))
        assert why == [Rejection.WRONG_CODE] * 5
        assert await refusal(Guest("Eve", hosted.port).join(OTHER_CODE)) is Rejection.SLOW_DOWN
        assert await refusal(Guest("Eve", hosted.port).join(None)) is Rejection.CODE_NEEDED
        await until(lambda: GuessAlarm(5) in ann.got)
        await hosted.go_on()
        assert not any(isinstance(one, GuessAlarm) for guest in (ben, cleo) for one in guest.got)
        assert [guest.connection for guest in (ann, ben, cleo)] == connections
    assert "tiger" not in caplog.text
    assert "lantern" not in caplog.text


async def test_an_open_table_asks_for_no_code_and_may_be_opened_late(where: Path) -> None:
    async with hosting(where) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await refusal(hosted.guest("Ben").join(None)) is Rejection.CODE_NEEDED
        settings = Settings(seats=SMALL.seats, rounds=SMALL.rounds, is_open=True)
        assert await ann.wants(ChangeSettings(settings)) is None
        ben = await hosted.guest("Ben").join(None)
        assert ben.state.status.seat == 1
