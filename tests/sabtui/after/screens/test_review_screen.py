"""The review's screen shows how far it is, can be left, and stands beside the game afterwards."""

import asyncio
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.bots.estimates import Estimate
from engine.bots.review import Effort
from engine.notation import format_record, parse_record
from engine.notation.record import Replay
from sabtui.after.replays import WatchedGame
from sabtui.after.review import GameReview, review_game
from sabtui.after.screens.review import ReviewScreen
from sabtui.after.text import beside_lines
from sabtui.text.connection import no_files
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import RECORDS
from tests.sabtui.after.screens.test_replay_screen import Watching, watching
from tests.sabtui.games import game_record
from tests.sabtui.tui.app_fixture import Front
from tests.samples import first

LITTLE = Effort(2, 6, 6)
TEXT = format_record(game_record(6))
GAME = WatchedGame(Replay.of(parse_record(TEXT)), TEXT, "Gold Rush")


async def until_reviewed(reader: Front) -> None:
    """Wait until the screen on top has its review."""
    async with asyncio.timeout(60):
        while not (isinstance(reader.app.screen, ReviewScreen) and reader.app.screen.done):
            await reader.pilot.pause(0.02)
    await reader.pilot.pause()


@cache
def review_once() -> GameReview:
    """Review the game."""
    done = review_game(GAME.replay, effort=LITTLE)
    assert done is not None
    return done


async def open_review(
    reader: Watching, taken: list[GameReview], *, is_done: bool = True
) -> ReviewScreen:
    """Open the review of the game, as if it had been reviewed before unless that is the test."""
    done = review_once() if is_done else None
    screen = ReviewScreen(GAME, taken.append, reader.replay.visit, LITTLE, done)
    await reader.app.push_screen(screen)
    await reader.pilot.pause()
    return screen


async def test_a_review_is_shown_once_it_is_there(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        taken: list[GameReview] = []
        screen = await open_review(reader, taken, is_done=False)
        assert screen.progress[1] == len(GAME.replay.steps)
        await until_reviewed(reader)
        assert taken == [screen.done]
        assert "\n miners  " in "\n".join(reader.lines)


async def test_who_leaves_stops_the_work(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        taken: list[GameReview] = []
        screen = await open_review(reader, taken, is_done=False)
        async with asyncio.timeout(60):
            while screen.progress[0] < 2:
                await reader.pilot.pause(0.01)
        await reader.press("enter")
        assert "...] " in "\n".join(reader.lines)
        await reader.press("right")
        assert "...] " in "\n".join(reader.lines)
        await reader.press("escape")
        await reader.app.workers.wait_for_complete()  # the thread ends with the step that it is at
        assert taken == []
        assert screen.done is None


async def test_afterwards_the_review_of_each_step_stands_beside_it(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME, (120, 40)) as reader:
        assert "miners win" not in "\n".join(reader.lines)
        reader.replay._take_review(review_once())
        await reader.press("down")
        text = "\n".join(reader.lines)
        assert "miners win" in text
        assert "the hard bot" in text
        assert "most suspected: " in text
        await reader.press("v")
        assert "miners win" not in "\n".join(reader.lines), "a seat knew nothing of it"


def test_beside_a_step_stand_the_three_most_suspected_by_name() -> None:
    review = review_once()
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dede", "Eitri"), None)
    one = replace(review.steps[1], suspicion=(0.004, 0.98, 0.2, 0.0, 0.5), move=None)
    lines = beside_lines(one, names)
    assert lines[1:] == ["most suspected: Bruno 98%, Eitri 50%, Chiara 20%"]
    one = replace(one, suspicion=(0.0, 0.0, 0.0, 0.004, 0.98))
    assert beside_lines(one, names)[1:] == ["most suspected: Eitri 98%"]
    assert beside_lines(replace(one, suspicion=(0.0,) * 5), names)[1:] == []


def test_beside_a_step_stands_what_the_hard_bots_move_gains_only_if_that_is_sure() -> None:
    review = review_once()
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dede", "Eitri"), None)
    one = next(step for step in review.steps if step.move is not None and not step.move.agrees)
    assert one.move is not None
    for gain, told in (
        (Estimate(0.0, -0.35, 0.35), ""),
        (Estimate(0.31, 0.2, 0.42), "(+31%)"),
    ):
        *_before, last = beside_lines(replace(one, move=replace(one.move, gain=gain)), names)
        assert last.startswith("the hard bot: ")
        assert last.endswith(told)
        assert ("%)" in last) is bool(told)


@pytest.mark.parametrize("name", first(1, ["seat_2.sab", "begun.sab"], thorough=2))
async def test_what_cannot_be_reviewed_says_why(tmp_path: Path, name: str) -> None:
    text = (RECORDS / name).read_text(encoding="utf-8")
    async with watching(tmp_path, WatchedGame(Replay.of(parse_record(text)), text)) as reader:
        await reader.press("r")
        assert "Only a whole game that is over can be reviewed" in "\n".join(reader.lines)


async def test_a_guest_at_a_door_can_watch_but_leaves_no_work_with_the_host(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path, GAME) as reader:
        reader.app.is_guest = True
        await reader.press("r")
        assert no_files() in " ".join("\n".join(reader.lines).split())
        await reader.press("right")
        assert reader.step == 1


async def test_r_opens_the_review_and_a_second_time_at_once(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        await reader.press("r")
        await reader.pilot.pause()
        assert isinstance(reader.app.screen, ReviewScreen)
        await reader.press("escape")
        await reader.app.workers.wait_for_complete()
        assert reader.replay.model.review is None
        reader.replay._take_review(review_once())
        await reader.press("r")
        await reader.pilot.pause()
        assert "Round 1: the deal" in reader.lines[-2]


async def test_the_work_stops_once_its_screen_was_taken_away(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        screen = await open_review(reader, [])
        await until_reviewed(reader)
        assert await asyncio.to_thread(screen._tell, 1, 2)
        await reader.app.pop_screen()  # as a game that begins does
        assert not await asyncio.to_thread(screen._tell, 1, 2)


async def test_one_walks_along_the_graph_and_enter_shows_the_step(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        screen = await open_review(reader, [])
        await until_reviewed(reader)
        assert "Round 1: the deal" in reader.lines[-2]
        assert "%" not in "\n".join(reader.lines), "figures stand beside the steps of the replay"
        await reader.press("right", "right", "left")
        assert screen.at == 1
        assert screen._graph.sentence(1).split(":")[0] == "Round 1, move 1"
        assert "Round 1, move 1: " in "\n".join(reader.lines)
        await reader.press("end", "right")
        assert screen.at == len(GAME.replay.steps) - 1, "there is nothing beyond the end"
        await reader.press("home", "left")
        assert screen.at == 0
        column = screen._graph.column_of(5) + 1 + screen._graph._label_columns
        await reader.pilot.click(screen.panel, offset=(column, 3))
        assert screen._graph.column_of(screen.at) == screen._graph.column_of(5)
        await reader.press("enter")
        await reader.pilot.pause()
        assert reader.step == screen.at
