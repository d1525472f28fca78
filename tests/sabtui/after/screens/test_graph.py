"""The graph of a review: the miners' chance in columns, flags, and each round's dwarves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from engine.bots.estimates import Estimate
from engine.bots.hints import Sheds
from engine.bots.review import MoveOfNote, MoveReview, ReviewSummary, StepReview
from engine.cards import Card, Role
from engine.moves import Discard, KeepGold
from engine.notation.record import Replay, ReplayStep
from sabtui.after.review import GameReview
from sabtui.after.screens.review import MAX_FLAGS, ReviewGraph
from sabtui.text.i18n import languages, load_locale, pgettext
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.panel import Ground, Row, plain, width
from tests.sabtui.games import game_record
from tests.sabtui.tui.tour import speak
from tests.samples import each_in_turn

NAMES = ("Ana", "Bruno", "Chiara", "Dede", "Eitri", "Frida", "Gromm", "Hulda", "Ivald", "Norri")
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


def with_chances(of: ReviewGraph, *chances: float) -> ReviewGraph:
    """The graph of a review whose steps have these chances, and the last of them from then on."""
    told = [*chances, *[chances[-1]] * len(of.review.steps)]
    steps = tuple(
        replace(one, chance=Estimate.certain(share))
        for one, share in zip(of.review.steps, told, strict=False)
    )
    return replace(of, review=replace(of.review, steps=steps))


def test_a_chance_fills_its_column_to_its_height() -> None:
    of = with_chances(graph(rounds=1, glyphs=ASCII), 1.0, 0.5, 0.0, 1.0)
    lines = [line.ljust(78) for line in graph_lines(of, len(of.review.steps) - 1)]
    curve = lines[1 : lines.index(next(one for one in lines if "^" in one))]
    heights = {
        step: sum(line[of._label_columns + of.column_of(step)] == "#" for line in curve)
        for step in range(4)
    }
    assert heights == {0: len(curve), 1: len(curve) // 2, 2: 0, 3: len(curve)}


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


def test_where_the_reader_is_is_seen_without_colours() -> None:
    of = graph()
    for step in (0, 30, len(of.review.steps) - 1):
        (pointer,) = [line for line in graph_lines(of, step) if line.strip() == "^"]
        assert pointer.index("^") == of._label_columns + of.column_of(step)
        marked = [
            row for row in of.draw(step) if any(span.ground is Ground.SMALL_CURSOR for span in row)
        ]
        assert len(marked) >= 2


def test_ribbons_tell_on_which_side_each_player_was_in_each_round() -> None:
    of = graph(glyphs=ASCII)
    begins = [span.start for _number, span in of._spans]
    lines = graph_lines(of)
    for seat, name in enumerate(NAMES[:5]):
        line = next(line for line in lines if line.startswith(name))
        signs = [line[of._label_columns + begin] for begin in begins]
        roles = [of._roles(number)[seat] for number in (1, 2, 3)]
        assert signs == ["#" if role is Role.SABOTEUR else "-" for role in roles]
    assert lines[-1].split() == ["round", "1", "round", "2", "round", "3"]


def test_flags_are_the_turning_points_that_changed_most_and_one_jumps_to_them() -> None:
    of = graph()
    some = next(one.move for one in of.review.steps if one.move)
    points = tuple(
        MoveOfNote(step, some, Estimate(change, change, change, 1, 1))
        for step, change in ((4, 0.2), (9, -0.9), (30, 0.5), (40, -0.4))
    )
    summary = replace(of.review.summary, turning_points=points)
    of = replace(of, review=replace(of.review, summary=summary))
    assert [one.step for one in of.flags] == [9, 30, 40]
    assert len(of.flags) == MAX_FLAGS
    flags = graph_lines(of)[0]
    assert {sign: flags.index(sign) - of._label_columns for sign in "123"} == {
        sign: of.column_of(step) for sign, step in (("1", 9), ("2", 30), ("3", 40))
    }
    assert of.next_flag(0) == 9
    assert of.next_flag(9) == 30
    assert of.next_flag(40) == 40
    assert of.flag_before(30) == 9
    assert of.flag_before(9) == 9
    assert "A turning point." in of.sentence(9)
    assert "A turning point." not in of.sentence(10)


def test_a_sentence_says_whom_a_move_helped_and_what_was_better_if_that_is_sure() -> None:
    of = graph()
    at = next(one.number for one in of.review.steps[1:] if one.move and not one.move.agrees)
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
