"""The results of evenings, asked of real tables by somebody who has no seat and no code."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from net.client.results import ask_results
from net.discovery.address import Address
from net.lobby.evening import EveningPlan, TargetUnit
from net.lobby.model import Settings
from net.protocol.requests import ChangeSettings, NewEvening
from net.security.results import BadResults, ResultsFault, TableResults, read_results, sign_results
from net.transport.connection import ConnectionFailed
from tests.net.server.served_table import HERE, Hosted, hosting

CLUB = Settings(seats=3, rounds=1, evening=EveningPlan(TargetUnit.GAMES, 3, "club"))
NAMELESS = replace(CLUB, evening=EveningPlan(TargetUnit.GAMES, 3))


async def told(hosted: Hosted) -> TableResults | None:
    """Return what a table tells a stranger."""
    signed = await ask_results((Address(HERE, hosted.port),), hosted.table.id)
    return None if signed is None else read_results(signed)


async def test_two_tables_of_one_evening_tell_what_was_played_there(where: Path) -> None:
    async with AsyncExitStack() as stack:
        tables = [
            await stack.enter_async_context(hosting(where / name, CLUB)) for name in ("a", "b")
        ]
        for hosted in tables:
            await hosted.begin()
            await hosted.play_on()
            results = await told(hosted)
            assert results is not None
            assert (results.table, results.word, results.term) == (hosted.table.id, "club", 0)
            (game,) = results.games
            state = hosted.state
            assert state.game is not None
            assert [player.gold for player in game.players] == [*(state.game.score.nuggets or ())]
            assert [player.name for player in game.players] == ["Ann", "Ben", "Cleo"]
            assert {player.key for player in game.players} == {
                key[:8] for key in state.keys.values()
            }
        assert tables[0].state.results != tables[1].state.results


async def test_nothing_is_told_of_a_game_that_is_not_over(where: Path) -> None:
    async with hosting(where, CLUB) as hosted:
        await hosted.begin()
        before = await told(hosted)
        for _ in range(5):
            await hosted.next_move()
        assert await told(hosted) == before
        assert before is not None
        assert before.games == ()


async def test_a_table_whose_evening_has_no_name_tells_nothing(where: Path) -> None:
    async with hosting(where, NAMELESS) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await told(hosted) is None
        assert await ann.wants(ChangeSettings(CLUB)) is None
        assert await told(hosted) is not None


async def test_an_evening_that_begins_anew_has_no_results(where: Path) -> None:
    async with hosting(where, CLUB) as hosted:
        ann, *_ = await hosted.begin()
        await hosted.play_on()
        assert await ann.wants(NewEvening()) is None
        results = await told(hosted)
        assert results is not None
        assert results.games == ()


async def test_the_results_of_another_table_are_refused(where: Path) -> None:
    async with hosting(where, CLUB) as hosted:
        with pytest.raises(BadResults) as refused:
            await ask_results((Address(HERE, hosted.port),), "0" * 16)
        assert refused.value.why is ResultsFault.OTHER_TABLE


async def test_results_signed_by_another_certificate_than_the_tables_own_are_refused(
    where: Path,
) -> None:
    async with hosting(where / "a", CLUB) as one, hosting(where / "b", CLUB) as other:
        results = await told(one)
        assert results is not None
        forged = sign_results(results, other.table.certificate)
        one.host._signed_results = results, forged
        with pytest.raises(BadResults) as refused:
            await told(one)
        assert refused.value.why is ResultsFault.FORGED


async def test_where_nobody_answers_the_next_address_is_asked(where: Path) -> None:
    async with hosting(where, CLUB) as hosted:
        nobody, there = Address(HERE, 9), Address(HERE, hosted.port)
        assert await ask_results((nobody, there), hosted.table.id) is not None
        with pytest.raises(ConnectionFailed):
            await ask_results((nobody,), hosted.table.id)


async def test_who_only_asks_again_and_again_takes_nobodys_place(where: Path) -> None:
    async with hosting(where, CLUB) as hosted:
        await asyncio.gather(*(told(hosted) for _ in range(40)))
        (ann,) = await hosted.come("Ann")
        assert ann.is_in
        assert [person.name for person in hosted.state.lobby.people] == ["Ann"]
