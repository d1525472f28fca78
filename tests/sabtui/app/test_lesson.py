"""The lesson as a session: its positions, its script, and whatever else a player may try."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.cards import Role
from engine.events import RoundBegan
from engine.moves import Lay
from engine.notation import format_position, parse_position
from engine.state import Phase
from net.client.session import ConnectionState, Received, Update
from net.protocol.lobby import TableClaim, Topic
from net.protocol.messages import CloseReason
from net.protocol.requests import Chat, Leave, MakeClaim, SetReady
from sabtui.app.lesson import LESSON, MINERS_ROUND, SABOTEURS_ROUND, LessonSession, learn
from sabtui.app.preferences import has_played
from sabtui.table.sight import Sight
from sabtui.text.i18n import languages, load_locale
from sabtui.text.layout import confine_lines
from sabtui.text.lesson import LessonStatus, LessonStep, LessonTask, TaskDeed, task_words
from tests.sabtui.tui.tour import speak

SMALL_COLUMNS = 58
"""Columns of a status line in the smallest terminal."""


class Pupil:
    """Somebody in a lesson: what they are told, and what they do."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.heard = asyncio.Event()
        session = learn("Ana", pace_s=0.0).make(self.hear)
        assert isinstance(session, LessonSession)
        self.session = session

    def hear(self, update: Update) -> None:
        """Take in an update."""
        self.updates.append(update)
        self.heard.set()

    @property
    def status(self) -> LessonStatus:
        return self.session.status

    @property
    def task(self) -> LessonTask:
        assert self.status.task is not None
        return self.status.task

    async def wait_for_task(self) -> LessonTask:
        """Wait until the lesson asks for something."""
        async with asyncio.timeout(60):
            while self.status.task is None:
                self.heard.clear()
                await self.heard.wait()
        return self.task

    def do(self, deed: TaskDeed) -> None:
        """Do what is asked, or something else."""
        match deed:
            case SetReady():
                self.session.request(deed)
            case TableClaim():
                self.session.request(MakeClaim(deed))
            case _:
                self.session.request(self.session.status.move_request(deed))


@asynccontextmanager
async def lesson() -> AsyncIterator[Pupil]:
    """A lesson that has begun."""
    pupil = Pupil()
    running = asyncio.create_task(pupil.session.run())
    await pupil.wait_for_task()
    yield pupil
    pupil.session.leave()
    await running


async def steps(pupil: Pupil) -> AsyncIterator[LessonTask]:
    """Go through the lesson, and stop at each step before it is done."""
    while True:
        task = await pupil.wait_for_task()
        yield task
        if task.deed is None:
            return
        pupil.do(task.deed)


@pytest.mark.parametrize("line", [MINERS_ROUND, SABOTEURS_ROUND])
def test_a_round_of_the_lesson_is_a_position_that_can_be_played_on(line: str) -> None:
    position = parse_position(line)
    assert not position.gaps
    assert format_position(position) == line
    assert position.turn == 0


async def test_who_does_what_is_asked_wins_as_a_miner_and_then_as_a_saboteur() -> None:
    async with lesson() as pupil:
        done = [task.step async for task in steps(pupil)]
        view = pupil.status.view
    assert done == list(LessonStep)
    assert view is not None
    assert view.phase is Phase.OVER
    assert view.score.wins == (Role.MINER, Role.SABOTEUR)
    assert view.score.winners == (0,)


async def test_the_lesson_is_noted_once_it_was_taken_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with lesson() as pupil:
        async for task in steps(pupil):
            assert has_played() == (task.deed is None)
    assert has_played()


async def test_the_final_table_tells_of_both_rounds() -> None:
    async with lesson() as pupil:
        assert [task async for task in steps(pupil)]
        sight = Sight.of(pupil.status)
    assert sight is not None
    tally = sight.tally
    assert [round_.winner for round_ in tally.rounds] == [Role.MINER, Role.SABOTEUR]
    assert [round_.number for round_ in tally.rounds] == [1, 2]
    assert [round_.nuggets for round_ in tally.rounds] == [(3, 2, 0), (4, 0, 0)], "and no bare card"
    assert tally.seats[0].tunnels > 2, "those of the first round count, too"


async def test_each_update_holds_the_events_that_lead_from_one_view_to_the_next() -> None:
    async with lesson() as pupil:
        assert [task async for task in steps(pupil)]
    first, *later = [update for update in pupil.updates if update.received is not None]
    assert first.received == Received(renewed=True)
    assert first.status.view is None, "a lobby is not shown, and the deal is told"
    view, folded = None, 0
    for update in later:
        assert update.received is not None
        events = update.received.events
        if view is None or any(isinstance(event, RoundBegan) for event in events):
            view = update.status.view
            continue
        for event in events:
            view = view.after(event)
        assert view == update.status.view
        folded += bool(events)
    assert folded > 25


async def test_no_other_legal_move_is_made_at_any_step() -> None:
    reminded = 0
    async with lesson() as pupil:
        async for task in steps(pupil):
            view, part = (
                pupil.status.view,
                next(candidate for candidate in LESSON if candidate.step is task.step),
            )
            assert view is not None
            for move in view.legal_moves():
                if move in part.read_deeds:
                    continue
                pupil.session.request(pupil.session.status.move_request(move))
                assert pupil.status.view == view
                assert pupil.task.is_reminder
                assert (pupil.task.step, pupil.task.deed) == (task.step, task.deed)
                received = pupil.updates[-1].received
                assert received is not None
                assert received.settled, "a face waits for an answer"
                reminded += 1
    assert reminded > 300


async def test_every_claim_is_heard_and_ends_only_a_step_that_waits_for_it() -> None:
    async with lesson() as pupil:
        async for task in steps(pupil):
            claim = TableClaim(Topic.WHO_ME)
            pupil.do(claim)
            assert pupil.task == task
            assert pupil.status.game_state is not None
            assert pupil.status.game_state.talk[-1].claim == claim
            pupil.session.request(Chat("hello"))
            assert pupil.status.game_state.talk[-1].text == "hello"


async def test_a_move_during_the_others_turns_is_not_made() -> None:
    async with lesson() as pupil:
        deed = pupil.task.deed
        assert deed is not None
        pupil.do(deed)
        assert pupil.status.task is None, "the others are to move"
        step = pupil.status.game_state
        pupil.do(deed)
        assert pupil.status.game_state == step
        assert (await pupil.wait_for_task()).step is LessonStep.TURN


async def test_who_gives_up_the_seat_leaves_at_once_even_while_others_think() -> None:
    updates: list[Update] = []
    session = LessonSession("Ana", updates.append, pace_s=3600.0)
    running = asyncio.create_task(session.run())
    await asyncio.sleep(0)
    deed = LESSON[0].read_deeds[0]
    assert not isinstance(deed, TableClaim | SetReady)
    session.request(session.status.move_request(deed))
    await asyncio.sleep(0)
    session.request(Leave())
    async with asyncio.timeout(60):
        await running
    assert session.status.connection is ConnectionState.ENDED
    assert session.status.ending is CloseReason.LEFT


def task_text(status: LessonStatus, *, in_lines: bool) -> str:
    """The sentence of what is to be done now."""
    sight = Sight.of(status)
    assert sight is not None
    assert status.task is not None
    return task_words(status.task, sight.view, sight.names, in_lines=in_lines)


async def test_no_sentence_points_at_a_sign_where_nothing_is_drawn() -> None:
    async with lesson() as pupil:
        said = [task_text(pupil.status, in_lines=True) async for _task in steps(pupil)]
    assert not any("?:" in text or " ?" in text for text in said)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("in_lines", [False, True], ids=["keys", "lines"])
async def test_every_sentence_is_translated_and_fits_two_lines(
    language: str,
    in_lines: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    said: dict[str, list[str]] = {}
    async with lesson() as pupil:
        statuses = [pupil.status async for _task in steps(pupil)]
    for spoken_language in {"en", language}:
        with speak(load_locale(spoken_language)):
            said[spoken_language] = [task_text(status, in_lines=in_lines) for status in statuses]
    for text, english in zip(said[language], said["en"], strict=True):
        assert len(confine_lines([text], SMALL_COLUMNS, 0)) <= 2, text
        assert "{" not in text
        assert language == "en" or text != english


async def test_a_deed_before_its_time_is_not_done() -> None:
    pupil = Pupil()
    first = LESSON[0].read_deeds[0]
    before = pupil.status.game_state
    assert isinstance(first, Lay)
    pupil.session.request(pupil.status.move_request(first))
    assert pupil.status.game_state == before
    running = asyncio.create_task(pupil.session.run())
    assert (await pupil.wait_for_task()).step is LESSON[0].step
    pupil.session.leave()
    await running
