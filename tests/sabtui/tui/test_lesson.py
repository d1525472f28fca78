"""The lesson on screens: somebody who only presses what they are told to gets to its end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.actions import Map, Rockfall
from engine.board import GOAL_CELLS
from engine.moves import Lay
from engine.state import Phase
from sabtui.app.lesson import learn
from sabtui.text.lesson import LessonStep, task_of
from sabtui.tui.screens.host import PractiseScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.render import above_sentence
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.app_fixture import Front, open_app

SIZES = [(60, 18), (80, 24)]
LAST = list(LessonStep)[-1]


def step(front: Front) -> LessonStep | None:
    """The step of the lesson that is asked for, `None` while the others play."""
    assert isinstance(front.screen, TableScreen)
    task = task_of(front.screen.status)
    return None if task is None else task.step


@asynccontextmanager
async def lesson(folder: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Front]:
    """The app, in a lesson whose other seats play at once, and whose ceremonies are short."""
    with patch("sabtui.tui.table.screen.FRAME_INTERVAL_S", 0.01):
        async with open_app(folder, size) as front:
            front.app.enter_table(learn("Ana", pace_s=0.0))
            await front.is_on(TableScreen)
            await front.until(lambda: "Press " in front.said)
            yield front


def _is_deaf(front: Front) -> bool:
    """Return True while Enter does nothing: after a ceremony, or with a move on its way."""
    if not isinstance(front.screen, TableScreen):
        return False
    model = front.screen.model
    return model.pauses > 0 or model.is_sent(front.screen.status)


async def obey(front: Front) -> LessonStep:
    """Press what the sentence says, and wait for the next step."""
    before = step(front)
    assert before is not None
    assert isinstance(front.screen, TableScreen)
    while front.screen.model.is_in_ceremony:
        await front.press("enter")
    await front.until(lambda: "Press " in front.said and not _is_deaf(front))
    told = re.search(r"(Press c\. )?Say: (.*?)\.|Press ([^.]*)\.", front.said)
    assert told is not None, front.said
    if told[2]:
        await front.press("c")
        claim = " ".join(told[2].split()[:4])
        key = re.search(rf"│ (\w) {re.escape(claim)}", front.text)
        assert key is not None, front.text
        await front.press(key[1])
    else:
        keys = told[3].replace("then", "").replace(",", "").split()
        await front.press(*(key.lower() for key in keys))
    await front.until(lambda: step(front) not in (before, None))
    after = step(front)
    assert after is not None
    return after


@pytest.mark.level("thorough")  # it is taken in lines, and a command at a time here
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_lesson_is_taken_by_pressing_what_its_sentences_say_and_leaves_no_record(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with lesson(tmp_path, size) as front:
        steps = [LessonStep.LAY]
        while steps[-1] is not LAST:
            _check_goals_visible(front)
            await _check_place_visible(front)
            steps.append(await obey(front))
        assert steps == list(LessonStep)
        assert isinstance(front.screen, TableScreen)
        view = front.screen.status.view
        assert view is not None
        assert view.phase is Phase.OVER
        assert view.score.winners == (0,)
        await front.press("W")
        assert front.said.endswith(" There is no record of this game.")


def _check_goals_visible(front: Front) -> None:
    """Check that the sentence covers none of the goals during a round."""
    assert isinstance(front.screen, TableScreen)
    view = front.screen.status.view
    if view is not None and view.phase is Phase.PLAY:
        shown = above_sentence(front.screen.model, front.screen.status, front.said).window
        assert shown is not None
        assert shown.shows_all(GOAL_CELLS), front.text


async def _check_place_visible(front: Front) -> None:
    """Choose the card that the step is about; its place has to be in sight above the sentence."""
    assert isinstance(front.screen, TableScreen)
    table, task = front.screen, task_of(front.screen.status)
    view = table.status.view
    if view is None or task is None or not isinstance(task.action, Lay | Rockfall | Map):
        return
    await front.press(str(view.hand.index(task.action.card) + 1))
    await front.pilot.pause()
    x, y = task.action.cell
    cursor = front.app.cursor_position - table.mine.region.offset
    assert table.mine.region.contains_point(front.app.cursor_position), (x, y)
    assert cursor.y < table.mine.region.height
    await front.press("escape")


async def test_the_sentence_stays_until_the_deed_and_what_enter_does_stands_beside_it(
    tmp_path: Path,
) -> None:
    async with lesson(tmp_path) as front:
        asked = front.said
        assert asked.endswith("Press 1, then Enter.")
        await front.press("9")
        assert front.said == f"{asked} You hold 6 cards."
        await front.press("1")
        purpose = asked.removesuffix("Press 1, then Enter.")
        assert front.said == f"{purpose}Enter: lay it here: from west to east."
        await front.press("escape")
        assert front.said == asked
        await front.press("q")
        assert front.said == "Leave this game? Unfinished games are not saved. y: yes, n: no"
        await front.press("n")
        assert front.said == asked


async def test_a_key_begins_the_lesson_and_then_the_cursor_is_on_practise(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        await front.go(TableScreen, "l")
        await front.until(lambda: "Press 1, then Enter." in front.said)
        await front.go(WelcomeScreen, "q", "y")
        await front.go(PractiseScreen, "enter")


async def test_the_autopilot_tries_no_move_twice(tmp_path: Path) -> None:
    async with lesson(tmp_path) as front:
        await front.press("A", "y")
        await front.until(
            lambda: step(front) is not LessonStep.LAY or "do this first." in front.said
        )
        table = await front.is_on(TableScreen)
        while table.model.is_on_autopilot:
            await front.until(lambda: not table.model.is_in_ceremony)
            await front.press("A")  # a ceremony that begins meanwhile takes the key
            await front.until(lambda: table.model.is_in_ceremony or not table.model.is_on_autopilot)
