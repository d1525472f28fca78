"""The lesson: its script, whatever else a player may try, and all of it in lines."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Role
from engine.events import RoundBegan
from engine.state import Phase
from net.client.session import ConnectionState, Received, Update
from net.protocol.lobby import TableClaim, Topic
from net.protocol.messages import CloseReason
from net.protocol.requests import Chat, Leave, MakeClaim, SetReady
from sabtui.app.lesson import LESSON, LessonSession, learn
from sabtui.app.preferences import has_played
from sabtui.cli.play import take_lesson
from sabtui.table.sight import Sight
from sabtui.text.i18n import languages, load_locale
from sabtui.text.layout import confine_lines, width
from sabtui.text.lesson import LessonStatus, LessonStep, LessonTask, TaskAction, task_words
from tests.sabtui.script import WAIT, Script, run_here
from tests.sabtui.tui.tour import speak
from tests.samples import english_first

SMALL_COLUMNS = 58
"""Columns of a status line in the smallest terminal."""


class Pupil:
    """Somebody in a lesson: what they are told, and what they do."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.heard = asyncio.Event()
        session = learn("Ana", pace_s=0.0).make(self.receive)
        assert isinstance(session, LessonSession)
        self.session = session

    def receive(self, update: Update) -> None:
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

    def do(self, action: TaskAction) -> None:
        """Do what is asked, or something else."""
        match action:
            case SetReady():
                self.session.request(action)
            case TableClaim():
                self.session.request(MakeClaim(action))
            case _:
                self.session.request(self.session.status.move_request(action))


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
        if task.action is None:
            return
        pupil.do(task.action)


async def test_somebody_who_does_what_is_asked_wins_as_a_miner_and_then_as_a_saboteur(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = list[LessonStep]()
    async with lesson() as pupil:
        async for task in steps(pupil):
            done.append(task.step)
            assert has_played() == (task.action is None), "it is noted at its end"
        sight = Sight.of(pupil.status)
    assert done == list(LessonStep)
    assert sight is not None
    assert sight.view.phase is Phase.OVER
    assert sight.view.score.winners == (0,)
    assert [(round_.number, round_.winner, round_.nuggets) for round_ in sight.tally.rounds] == [
        (1, Role.MINER, (3, 2, 0)),
        (2, Role.SABOTEUR, (4, 0, 0)),
    ]
    assert sight.tally.seats[0].tunnels > 2, "those of the first round count, too"

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
        assert view == update.status.view, "events lead from one view to the next"
        folded += bool(events)
    assert folded > 25


async def test_nothing_else_is_done_at_any_step_and_all_that_is_said_is_heard() -> None:
    reminded, claim = 0, TableClaim(Topic.WHO_ME)
    async with lesson() as pupil:
        async for task in steps(pupil):
            view = pupil.status.view
            part = next(candidate for candidate in LESSON if candidate.step is task.step)
            assert view is not None
            pupil.do(claim)
            assert pupil.task == task
            assert pupil.status.game_state is not None
            assert pupil.status.game_state.talk[-1].claim == claim
            pupil.session.request(Chat("hello"))
            assert pupil.status.game_state.talk[-1].text == "hello"
            for move in view.legal_moves():
                if move in part.parsed_actions:
                    continue
                pupil.session.request(pupil.session.status.move_request(move))
                assert pupil.status.view == view
                assert pupil.task == replace(task, is_reminder=True)
                received = pupil.updates[-1].received
                assert received is not None
                assert received.settled, "a face waits for an answer"
                reminded += 1
    assert reminded > 300


async def test_nothing_is_done_before_the_lesson_begins_or_while_the_others_move() -> None:
    pupil, first = Pupil(), LESSON[0].parsed_actions[0]
    before = pupil.status.game_state
    pupil.do(first)
    assert pupil.status.game_state == before
    running = asyncio.create_task(pupil.session.run())
    assert (await pupil.wait_for_task()).step is LESSON[0].step
    pupil.do(first)
    assert pupil.status.task is None, "the others are to move"
    step = pupil.status.game_state
    pupil.do(first)
    assert pupil.status.game_state == step
    assert (await pupil.wait_for_task()).step is LessonStep.TURN
    pupil.session.leave()
    await running


async def test_somebody_who_gives_up_the_seat_leaves_at_once_even_while_others_think() -> None:
    updates: list[Update] = []
    session = LessonSession("Ana", updates.append, pace_s=3600.0)
    running = asyncio.create_task(session.run())
    await asyncio.sleep(0)
    action = LESSON[0].parsed_actions[0]
    assert not isinstance(action, TableClaim | SetReady)
    session.request(session.status.move_request(action))
    await asyncio.sleep(0)
    session.request(Leave())
    async with asyncio.timeout(60):
        await running
    assert session.status.connection is ConnectionState.ENDED
    assert session.status.ending is CloseReason.LEFT


def task_texts(statuses: Iterable[LessonStatus], *, in_lines: bool) -> list[str]:
    """The sentences of what is to be done, as they are spoken now."""
    texts = list[str]()
    for status in statuses:
        sight = Sight.of(status)
        assert sight is not None
        assert status.task is not None
        texts.append(task_words(status.task, sight.view, sight.names, in_lines=in_lines))
    return texts


@pytest.mark.parametrize("language", languages())
async def test_every_sentence_is_translated_fits_two_lines_and_points_at_nothing_undrawn(
    language: str,
) -> None:
    async with lesson() as pupil:
        statuses = [pupil.status async for _task in steps(pupil)]
    for in_lines in (False, True):
        english = task_texts(statuses, in_lines=in_lines)
        with speak(load_locale(language)):
            said = task_texts(statuses, in_lines=in_lines)
        for text, in_english in zip(said, english, strict=True):
            assert len(confine_lines([text], SMALL_COLUMNS, 0)) <= 2, text
            assert "{" not in text
            assert not (in_lines and ("?:" in in_english or " ?" in in_english))
            assert language == "en" or text != in_english


TYPED = re.compile(r"(?:Type|Tape|Scrivi|Escribí|Digite) (c \d+|x\d+|\d+ \d+|\d+|quit)\b")
"""What a task tells to type, in any language."""

LINES_AT_MOST = 400
"""Prompts after which a lesson that does not go on is given up."""


def unwrap(lines: Sequence[str]) -> str:
    """Join lines that were broken for the terminal."""
    return " ".join(line.strip() for line in lines)


class Obedient:
    """Types what the last task says, `idle` if it says nothing; before each, all of `first`."""

    def __init__(self, *first: str, idle: str = "") -> None:
        self.first = first
        self.idle = idle
        self.due: list[str] = []
        self.prompts = 0

    def __call__(self, _prompt: str, lines: Sequence[str]) -> str | None:
        self.prompts += 1
        if not self.due:
            text = unwrap(lines)
            told = TYPED.findall(text) or ["" if "Press Enter." in text else self.idle]
            self.due = [*self.first, told[-1]]
        return self.due.pop(0) if self.prompts < LINES_AT_MOST else None


@pytest.mark.parametrize("language", english_first(languages()))
def test_the_lesson_is_taken_by_typing_what_its_sentences_say(language: str) -> None:
    with speak(load_locale(language)):
        script = Script(Obedient())
        assert take_lesson("Ana", script) == 0
    assert all(width(line) <= 60 for line in script.lines)
    assert any(re.match(" +7 Ana", line) for line in script.lines), script.lines[-20:]


def test_whatever_else_is_typed_the_lesson_goes_on_from_where_it_was() -> None:
    pupil = Obedient("", "h", "1 1", "x2", "2 1", "i", "99", "c 13", "c", "m", "t hello", "bogus")
    script = Script(pupil)
    assert take_lesson("Ana", script) == 0
    assert any(re.match(" +7 Ana", line) for line in script.lines), script.lines[-40:]
    assert any(line.startswith("Not yet: do this first. ") for line in script.lines)


def test_a_person_at_a_terminal_reads_each_task_once_after_the_others_moves() -> None:
    # Enter during the others' moves would have the task that follows read a second time.
    script = Script(Obedient(idle=WAIT), eager=True)
    assert take_lesson("Ana", script) == 0
    assert len(TYPED.findall(unwrap(script.lines))) == len(LESSON) - 1, "all but one"


def test_the_lesson_begins_from_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("learn", "--plain", "--name", "Ana", "--language", "en")
    code, out, err = run_here(capsys, *learn, text="1 1\n")
    assert code == 0, err
    assert "Type 1 1: card 1, place 1." in unwrap(out.splitlines())
    assert "You laid a straight, east and west, at 3." in out
