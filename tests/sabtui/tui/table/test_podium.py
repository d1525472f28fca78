"""At the end dwarves stand on a podium, and role cards are turned over, where cards are drawn."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.cards import Role
from sabtui.table.sight import Sight
from sabtui.tui.table.moments import draw_masks, draw_podiums, final_rows, rank_players
from sabtui.tui.theme import BOX, DRAWN, DRAWN_IN_256, PICTURED, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.tui import scenes

OVER = scenes.sight(scenes.finished_status())
CROWD = scenes.sight(scenes.crowd_finished())
RANKED = rank_players(OVER)


@pytest.mark.parametrize("glyphs", [DRAWN, DRAWN_IN_256, PICTURED])
@pytest.mark.parametrize("sight", [OVER, CROWD])
def test_all_stand_on_the_podium_below_whoever_has_more_gold(sight: Sight, glyphs: Glyphs) -> None:
    found = list(draw_podiums(rank_players(sight), 130, glyphs))
    assert len(found) == 4
    for podium in found:
        assert {width(row) for row in podium} == {130}
        lines = [plain(row) for row in podium]
        nuggets = sight.view.score.nuggets or ()
        heights: dict[int, set[int]] = {}
        for seat, name in enumerate(sight.names.names):
            named = next(at for at, line in enumerate(lines) if name[:3] in line)
            heights.setdefault(named, set()).add(nuggets[seat])
        ordered = [heights[at] for at in sorted(heights)]
        assert max(nuggets) == min(ordered[0]) == max(ordered[0])
        assert all(min(upper) > max(lower) for upper, lower in pairwise(ordered))


def test_nobody_is_named_on_the_podium_before_coming_up() -> None:
    (podium, *_others) = draw_podiums(RANKED, 85, DRAWN, 2)
    told = "".join(map(plain, podium))
    assert [name for name in OVER.names.names if name in told] == ["Chiara", "Norri"]
    assert told.count("$") == 2
    assert [len(one) for one in draw_podiums(RANKED, 85, DRAWN, 2)] == [
        len(one) for one in draw_podiums(RANKED, 85, DRAWN)
    ]


@pytest.mark.parametrize("room", [(45, 12), (49, 15), (85, 28), (166, 43)])
@pytest.mark.parametrize("sight", [OVER, CROWD])
def test_the_result_fits_and_keeps_its_table(sight: Sight, room: tuple[int, int]) -> None:
    columns, rows = room
    drawn = final_rows(sight, columns, rows, DRAWN)
    assert len(drawn) == rows
    assert {width(row) for row in drawn} == {columns}
    text = "\n".join(map(plain, drawn))
    for name in sight.names.names:
        assert name[:4] in text


def test_there_is_no_podium_of_lines_or_where_it_has_no_room() -> None:
    assert not list(draw_podiums(RANKED, 130, BOX))
    assert not list(draw_podiums(RANKED, 23, DRAWN))
    assert len(list(draw_podiums(RANKED, 24, DRAWN))) == 1
    assert final_rows(OVER, 49, 9, DRAWN) == final_rows(OVER, 49, 9, BOX)


def test_role_cards_not_yet_turned_up_are_alike() -> None:
    roles = [replace(scenes.ENDED, roles=tuple(map(Role, text))) for text in ("msmms", "mmsms")]
    one, other = (draw_masks(end, (0,), OVER, (49, 15), DRAWN) for end in roles)
    assert one == other
    one, other = (draw_masks(end, (0, 1), OVER, (49, 15), DRAWN) for end in roles)
    assert one != other
    assert not draw_masks(roles[0], (0,), OVER, (49, 5), DRAWN)
    assert not draw_masks(roles[0], (0,), OVER, (49, 15), BOX)
