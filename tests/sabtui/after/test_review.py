"""The review of a game, told as a story, and its screen: the work, and the graph."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import pytest

from engine.bots.estimates import Estimate
from engine.bots.hints import Sheds
from engine.bots.review import (
    Effort,
    MoveOfNote,
    MoveReview,
    ReviewSummary,
    StepReview,
    Suspicion,
)
from engine.cards import Card
from engine.moves import Discard, KeepGold
from engine.notation import Record, format_record, parse_record
from engine.notation.record import Replay, ReplayStep
from sabtui.after.replays import WatchedGame
from sabtui.after.review import (
    GameReview,
    beside_lines,
    describe_game,
    found_out_lines,
    read_steps,
    review_game,
)
from sabtui.after.review_screen import MAX_FLAGS, ReviewGraph, ReviewScreen, draw_area
from sabtui.app.errors import UserError
from sabtui.text.connection import no_files
from sabtui.text.i18n import languages, load_locale, pgettext
from sabtui.text.names import PlayerNames
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.panel import Ground, Row, plain, width
from tests.engine.notation.games import RECORDS
from tests.sabtui.after.test_replay_screen import Watching, watching
from tests.sabtui.games import game_record
from tests.sabtui.tui.app_fixture import Front
from tests.sabtui.tui.tour import speak
from tests.samples import each_in_turn, first

LITTLE = Effort(2, 6, 6)
TEXT = format_record(game_record(6))
GAME = WatchedGame(Replay.of(parse_record(TEXT)), TEXT, "Gold Rush")
NAMES = ("Ana", "Bruno", "Chiara", "Dede", "Eitri", "Frida", "Gromm", "Hulda", "Ivald", "Norri")
FIVE = PlayerNames.of(NAMES[:5], None)


@cache
def review_once() -> GameReview:
    done = review_game(GAME.replay, effort=LITTLE)
    assert done is not None
    return done


def is_reviewed(reader: Front) -> bool:
    """Tell whether the screen on top has its review."""
    return isinstance(reader.app.screen, ReviewScreen) and reader.app.screen.done is not None


async def open_review(
    reader: Watching, taken: list[GameReview], *, is_done: bool = True
) -> ReviewScreen:
    """Open the review of the game, as if it had been reviewed before unless that is the test."""
    done = review_once() if is_done else None
    screen = ReviewScreen(GAME, taken.append, reader.replay.visit, LITTLE, done)
    await reader.app.push_screen(screen)
    await reader.pilot.pause()
    return screen


async def test_a_review_is_shown_once_it_is_there_and_worked_out_no_longer_than_its_screen(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path, GAME) as reader:
        taken: list[GameReview] = []
        screen = await open_review(reader, taken, is_done=False)
        assert screen.progress[1] == len(GAME.replay.steps)
        await reader.until(lambda: is_reviewed(reader))
        assert taken == [screen.done]
        assert "\n miners  " in reader.text
        assert await asyncio.to_thread(screen._report_progress, 1, 2)
        await reader.app.pop_screen()  # as a game that begins does
        assert not await asyncio.to_thread(screen._report_progress, 1, 2)


async def test_somebody_who_leaves_stops_the_work(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        taken: list[GameReview] = []
        screen = await open_review(reader, taken, is_done=False)
        await reader.until(lambda: screen.progress[0] >= 2)
        await reader.press("enter")
        assert "...] " in reader.text
        await reader.press("right")
        assert "...] " in reader.text
        await reader.press("escape")
        await reader.app.workers.wait_for_complete()  # the thread ends with the step that it is at
        assert taken == []
        assert screen.done is None


def test_beside_a_step_stand_the_three_most_suspected_by_name() -> None:
    for suspicion, told in (
        ((0.004, 0.98, 0.2, 0.0, 0.5), ["most suspected: Bruno 98%, Eitri 50%, Chiara 20%"]),
        ((0.0, 0.0, 0.0, 0.004, 0.98), ["most suspected: Eitri 98%"]),
        ((0.0,) * 5, []),
    ):
        one = replace(review_once().steps[1], suspicion=suspicion, move=None)
        assert beside_lines(one, FIVE)[1:] == told


def test_beside_a_step_stands_what_the_hard_bots_move_gains_only_if_that_is_sure() -> None:
    review = review_once()
    one = next(step for step in review.steps if step.move is not None and not step.move.agrees)
    assert one.move is not None
    for gain, told in (
        (Estimate(0.0, -0.35, 0.35), ""),
        (Estimate(0.31, 0.2, 0.42), "(+31%)"),
    ):
        *_before, last = beside_lines(replace(one, move=replace(one.move, gain=gain)), FIVE)
        assert last.startswith("the hard bot: ")
        assert last.endswith(told)
        assert ("%)" in last) is bool(told)


@pytest.mark.parametrize("name", first(1, ["seat_2.sab", "begun.sab"], thorough=2))
async def test_what_cannot_be_reviewed_says_why(tmp_path: Path, name: str) -> None:
    text = (RECORDS / name).read_text(encoding="utf-8")
    async with watching(tmp_path, WatchedGame(Replay.of(parse_record(text)), text)) as reader:
        await reader.press("r")
        assert "Only the full record of a finished game can be reviewed" in reader.text


async def test_a_guest_at_a_door_can_watch_but_leaves_no_work_with_the_host(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path, GAME) as reader:
        reader.app.is_guest = True
        await reader.press("r")
        assert no_files() in " ".join(reader.text.split())
        await reader.press("right")
        assert reader.step == 1


async def test_r_opens_the_review_and_a_second_time_at_once_and_then_it_stands_beside_each_step(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path, GAME, (120, 40)) as reader:
        await reader.press("r")
        await reader.pilot.pause()
        assert isinstance(reader.app.screen, ReviewScreen)
        await reader.press("escape")
        await reader.app.workers.wait_for_complete()
        assert reader.replay.model.review is None
        assert "miners' chance" not in reader.text
        reader.replay._take_review(review_once())
        await reader.press("r")
        await reader.pilot.pause()
        assert "Round 1: the deal" in reader.lines[-2]
        await reader.press("escape", "down")
        for words in ("miners' chance", "the hard bot", "most suspected: "):
            assert words in reader.text
        await reader.press("v")
        assert "miners' chance" not in reader.text, "a seat knew nothing of it"


async def test_one_walks_along_the_graph_and_enter_shows_the_step(tmp_path: Path) -> None:
    async with watching(tmp_path, GAME) as reader:
        screen = await open_review(reader, [])
        await reader.until(lambda: is_reviewed(reader))
        assert "Round 1: the deal" in reader.lines[-2]
        assert "%" not in reader.text, "figures stand beside the steps of the replay"
        await reader.press("right", "right", "left")
        assert screen.at == 1
        assert screen._graph.sentence(1).split(":")[0] == "Round 1, move 1"
        assert "Round 1, move 1: " in reader.text
        screen._go_to(len(GAME.replay.steps) - 1)
        await reader.press("right")
        assert screen.at == len(GAME.replay.steps) - 1, "there is nothing beyond the end"
        screen._go_to(0)
        await reader.press("left")
        assert screen.at == 0
        column = screen._graph.column_of(5) + 1 + screen._graph._label_columns
        await reader.pilot.click(screen.panel, offset=(column, 3))
        assert screen._graph.column_of(screen.at) == screen._graph.column_of(5)
        await reader.press("enter")
        await reader.pilot.pause()
        assert reader.step == screen.at


SIZES = [(58, 12), (78, 18), (118, 34), (198, 54), (43, 22)]


@lru_cache
def make_review(players: int = 5, rounds: int = 3) -> tuple[Replay, GameReview]:
    """A game, and a review of it that was made up: bots would take seconds."""
    replay = Replay.of(game_record(5, NAMES[:players], rounds=rounds))
    steps = tuple(_review_step(step, players) for step in replay.steps)
    return replay, GameReview(steps, ReviewSummary((), ()))


def _review_step(step: ReplayStep, players: int) -> StepReview:
    shares, nothing = (0.0,) * players, Estimate.certain(0.0)
    move = None
    if step.move is not None and not isinstance(step.move, KeepGold):
        better, need = Discard(Card.MAP), Sheds(Card.MAP)
        move = MoveReview(step.seat or 0, step.move, need, better, need, nothing)
    chance = Estimate.certain(0.25 + step.number % 4 / 4)
    return StepReview(step.number, step.round, shares, (0.0,) * 3, None, chance, move)


def graph(
    size: tuple[int, int] = (78, 18), glyphs: Glyphs = BOX, players: int = 5, rounds: int = 3
) -> ReviewGraph:
    return ReviewGraph(*make_review(players, rounds), *size, glyphs)


def graph_lines(of: ReviewGraph, step: int = 0) -> list[str]:
    return [plain(row).rstrip() for row in of.draw(step)]


@pytest.mark.parametrize(("size", "players"), each_in_turn(SIZES, [5, 10]))
@pytest.mark.parametrize("glyphs", [BOX, ASCII], ids=lambda glyphs: str(glyphs.name))
def test_it_fits_its_room_and_has_at_least_two_rows_of_curve(
    size: tuple[int, int], players: int, glyphs: Glyphs
) -> None:
    of = graph(size, glyphs, players)
    for step in (0, len(of.review.steps) // 2, len(of.review.steps) - 1):
        rows: list[Row] = of.draw(step)
        assert len(rows) <= size[1]
        assert max(map(width, rows)) <= size[0]
        assert sum(any(sign in plain(row) for sign in "█▄#") for row in rows) >= 2
        if glyphs is ASCII:
            assert "".join(map(plain, rows)).isascii()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", languages())
def test_in_no_language_the_words_beside_the_curve_are_cut(
    size: tuple[int, int], language: str
) -> None:
    with speak(load_locale(language)):
        lines = graph_lines(graph(size))
        miners = pgettext("review", "miners win"), pgettext("dwarves", "miners")
        saboteurs = pgettext("dwarves", "saboteurs")
    assert any(line.startswith(miners) for line in lines)
    assert any(line.startswith(saboteurs) for line in lines)


@pytest.mark.parametrize("rounds", [1, 3])
def test_every_step_has_a_column_and_every_column_leads_back_to_it(rounds: int) -> None:
    for size in SIZES:
        of = graph(size, rounds=rounds)
        columns = [of.column_of(step) for step in range(len(of.review.steps))]
        assert columns == sorted(columns)
        assert columns[-1] < size[0] - of._label_columns
        for step, column in enumerate(columns):
            at = of.step_at(of._label_columns + column)
            assert at is not None
            assert at >= step
            assert of.column_of(at) == column
        assert of.step_at(0) is None
        assert of.step_at(size[0]) is None


def with_flags(of: ReviewGraph) -> ReviewGraph:
    """The graph of a review with four turning points, the first the least."""
    some = next(step.move for step in of.review.steps if step.move)
    points = tuple(
        MoveOfNote(step, some, Estimate(change, change, change, 1, 1))
        for step, change in ((4, 0.2), (9, -0.9), (30, 0.5), (40, -0.4))
    )
    summary = replace(of.review.summary, turning_points=points)
    return replace(of, review=replace(of.review, summary=summary))


DRAWN = """
              1        2   3
miners     #    #    # #  # #    #    # #  # #    #    # #  # #    #    # #  #
           #    #    # #  # #    #    # #  # #    #    # #  # #    #    # #  #
           ## # #  # # ## # ## # #  # # ## # ## # #  # # ## # ## # #  # # ## #
chance    ### #### # #### #### #### # #### #### #### # #### #### #### # #### #
          ####################################################################
saboteurs ####################################################################
               ^
Ana       ########################## ---------------------------- -----------
Bruno     -------------------------- ---------------------------- -----------
Chiara    ########################## ############################ -----------
Dede      -------------------------- ############################ ###########
Eitri     -------------------------- ---------------------------- -----------
          round 1                    round 2                      round 3
"""


def test_the_graph_has_flags_chances_the_readers_place_sides_and_rounds() -> None:
    of = with_flags(graph((78, 14), ASCII))
    assert graph_lines(of, 12) == DRAWN.strip("\n").splitlines()
    marked = [any(span.ground is Ground.SMALL_CURSOR for span in row) for row in of.draw(12)]
    assert sum(marked) == 6, "in each row of the curve"


def test_flags_are_the_turning_points_that_changed_most_and_one_jumps_to_them() -> None:
    of = with_flags(graph())
    assert [flag.step for flag in of.flags] == [9, 30, 40]
    assert len(of.flags) == MAX_FLAGS
    assert [of.next_flag(step) for step in (0, 9, 40)] == [9, 30, 40]
    assert [of.flag_before(step) for step in (30, 9)] == [9, 9]
    assert "A turning point." in of.sentence(9)
    assert "A turning point." not in of.sentence(10)


def test_a_sentence_says_whom_a_move_helped_and_what_was_better_if_that_is_sure() -> None:
    of = graph()
    at = next(step.number for step in of.review.steps[1:] if step.move and not step.move.agrees)
    sure = Estimate(0.4, 0.2, 0.6, 4, 10)
    before, one = of.review.steps[at - 1], of.review.steps[at]
    assert one.move is not None
    steps = list(of.review.steps)
    steps[at - 1] = replace(before, chance=Estimate.certain(0.2))
    steps[at] = replace(one, chance=Estimate.certain(0.9), move=replace(one.move, gain=sure))
    told = replace(of, review=replace(of.review, steps=tuple(steps))).sentence(at)
    assert "Good for the miners." in told
    assert "Better: " in told
    assert "%" not in told
    steps[at] = replace(
        steps[at], chance=Estimate.certain(0.1), move=replace(one.move, gain=Estimate.certain(0.0))
    )
    told = replace(of, review=replace(of.review, steps=tuple(steps))).sentence(at)
    assert "Good for the saboteurs." in told
    assert "Better: " not in told


def test_an_area_is_filled_from_below_to_half_a_row() -> None:
    assert draw_area([0, 0.25, 0.5, 1, 2], 2) == ["   ██", " ▄███"]
    assert draw_area([0, 0.25, 0.5, 1, -1], 2, ascii_only=True) == ["   # ", "  ## "]


# The story.

TOLD = Replay.of(game_record(5, rounds=1, talks=True))


def test_a_review_that_is_stopped_is_none() -> None:
    assert review_game(TOLD, lambda done, _all: done < 3, Effort(1, 1, 1)) is None


def test_only_whole_games_that_are_over_are_reviewed() -> None:
    seen = Replay.of(parse_record((RECORDS / "seat_2.sab").read_bytes()))
    with pytest.raises(UserError, match="full record of a finished"):
        review_game(seen)
    record = game_record(5)
    begun = replace(record, moves=(record.moves[0][:3],), talk=())
    for unfinished in (begun, Record(("A", "B", "C"))):
        with pytest.raises(UserError, match="full record"):
            review_game(Replay.of(unfinished))


def test_what_was_said_is_heard_where_it_was_said() -> None:
    steps, said = read_steps(TOLD)
    claims = sum(statement.claim is not None for step in TOLD.steps for statement in step.said)
    assert claims > 2
    assert sum(map(len, said.values())) == claims
    for number, statements in said.items():
        assert {statement.unplayed for statement in statements} == {
            steps[number].game.round.table.unplayed
        }


def test_a_story_has_each_rounds_end_its_roles_and_turning_points_but_no_shares() -> None:
    done = review_game(TOLD, effort=LITTLE)
    assert done is not None
    lines = describe_game(TOLD, done)
    told = " ".join(" ".join(lines).split())
    assert "%" not in told, "figures are for those who ask for them"
    rounds = max(step.round for step in done.steps)
    assert [line for line in lines if line.startswith("Round ") and ":" not in line] == [
        f"Round {number}" for number in range(1, rounds + 1)
    ]
    assert told.count("win the round.") + told.count("wins the round.") == rounds
    assert told.count("A turning point.") == len(done.summary.turning_points)
    assert told.count(" a saboteur") >= len(done.summary.suspicions) > 0
    assert "The game is over." in told
    assert max(map(len, lines)) <= 80, "short names"


def test_a_story_tells_what_each_player_surely_lost_most_by_and_marks_bots() -> None:
    done = review_game(TOLD, effort=LITTLE)
    assert done is not None
    sure = Estimate(0.274, 0.2, 0.35)
    moves = {step.move.seat: step for step in done.steps if step.move and not step.move.agrees}
    steps = list(done.steps)
    for step in moves.values():
        assert step.move is not None
        steps[step.number] = replace(step, move=replace(step.move, gain=sure))
    losses = tuple(
        MoveOfNote(number, move, Estimate.certain(0))
        for number, move in (
            (at, steps[at].move) for at in sorted(s.number for s in moves.values())
        )
        if move is not None
    )
    done = replace(done, steps=tuple(steps), summary=replace(done.summary, losses=losses))
    assert len(moves) > 1
    bot, *_people = moves
    for bots in ((), (bot,), tuple(moves)):
        told = " ".join(" ".join(describe_game(TOLD, done, bots)).split())
        assert told.count("That wins 27 more rounds in 100.") == len(moves)
        marked = {seat for seat, name in enumerate(TOLD.names) if f"{name} (bot)" in told}
        assert marked == set(bots)


def test_of_miners_more_suspected_it_is_said_than_which_saboteur() -> None:
    replay = Replay.of(game_record(5))
    suspicions = Suspicion(1, 3, None, (1, 2)), Suspicion(1, 4, None, (1,))
    lines = [line for suspicion in suspicions for line in found_out_lines(replay, suspicion, FIVE)]
    assert "At the end of round 1, Bruno and Chiara looked more suspicious than Dede." in lines
    assert "At the end of round 1, Bruno looked more suspicious than Eitri." in lines
