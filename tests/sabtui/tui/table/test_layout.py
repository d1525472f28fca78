"""How a table shares a terminal of any size."""

from __future__ import annotations

import pytest

from sabtui.tui.mine.tiles import HOME, ROW_NAME_COLUMNS, TileSize, Viewport
from sabtui.tui.table.layout import FIELD_CELLS, FIELD_ROWS, MIN_SIDE_COLUMNS, RULE_COLUMNS, Layout


@pytest.mark.parametrize(
    ("columns", "rows", "side", "tiles"),
    [
        (60, 18, 29, TileSize.SMALL),
        (72, 24, 32, TileSize.COMPACT),
        (80, 24, 31, TileSize.NORMAL),
        (100, 30, 33, TileSize.WIDE),
        (120, 40, 35, TileSize.LARGE),
        (130, 24, 56, TileSize.WIDE),
        (130, 40, 45, TileSize.LARGE),
        (166, 33, 56, TileSize.LARGE),
        (166, 34, 45, TileSize.HUGE),
        (200, 60, 34, TileSize.POSTER),
    ],
)
def test_the_way_to_the_goals_is_in_sight_and_the_side_has_the_rest(
    columns: int, rows: int, side: int, tiles: TileSize
) -> None:
    layout = Layout.of(columns, rows)
    assert layout.text + RULE_COLUMNS == side
    assert not layout.is_too_small
    window = Viewport.over(HOME, layout.mine, layout.body)
    assert window.size is tiles
    assert all(window.shows(cell) for cell in HOME)


@pytest.mark.parametrize(
    ("columns", "rows", "tiles", "hand"),
    [
        (60, 18, TileSize.SMALL, 2),
        (80, 24, TileSize.NORMAL, 5),
        (100, 30, TileSize.WIDE, 7),
        (120, 40, TileSize.LARGE, 10),
        (166, 40, TileSize.HUGE, 10),
        (200, 60, TileSize.POSTER, 14),
    ],
)
def test_drawn_cards_of_mine_and_hand_grow_with_the_terminal(
    columns: int, rows: int, tiles: TileSize, hand: int
) -> None:
    layout = Layout.of(columns, rows, is_drawn=True)
    window = Viewport.over(HOME, layout.mine, layout.body)
    assert (window.size, layout.hand) == (tiles, hand)
    assert window.shows_all(HOME)
    assert Layout.of(columns, rows).hand <= 5, "others do not grow"


@pytest.mark.parametrize("is_drawn", [False, True])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_at_most_a_fifth_of_the_mine_is_unused_where_larger_tiles_would_fit(
    size: tuple[int, int], *, is_drawn: bool
) -> None:
    layout = Layout.of(*size, is_drawn=is_drawn)
    tiles = Viewport.over(HOME, layout.mine, layout.body).size
    used = FIELD_CELLS * tiles.columns * FIELD_ROWS * tiles.rows
    wider = next((one.columns for one in TileSize if one.columns > tiles.columns), size[0])
    room = size[0] - MIN_SIDE_COLUMNS - ROW_NAME_COLUMNS
    assert FIELD_CELLS * wider > room or used >= 0.8 * layout.mine * layout.body


def test_the_moves_of_all_others_fit_into_the_usual_terminal() -> None:
    for players in range(3, 11):
        assert Layout.of(80, 24).seats(players).pane >= players - 1
        assert Layout.of(60, 18).seats(players).pane >= 5


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
def test_from_seven_players_up_they_are_listed_in_two_columns(size: tuple[int, int]) -> None:
    paired = [players for players in range(3, 11) if Layout.of(*size).seats(players).is_paired]
    assert paired == [7, 8, 9, 10]


@pytest.mark.parametrize("titled", [False, True])
@pytest.mark.parametrize("players", range(3, 11))
def test_each_player_is_found_where_they_stand(players: int, *, titled: bool) -> None:
    for size in ((60, 18), (80, 24)):
        room = Layout.of(*size).seats(players, titled=titled)
        places = [room.corner_of(seat) for seat in range(players)]
        assert len(set(places)) == players
        for seat, (column, row) in enumerate(places):
            assert row < room.rows - 1
            assert room.at(column, row) == room.at(column + room.columns - 1, row) == seat
        assert room.at(3, room.rows - 1) is None, "the rule is nobody"
        assert (room.at(3, 0) is None) is room.has_title
    odd = Layout.of(60, 18).seats(9)
    assert odd.at(odd.columns + 3, odd.has_title + odd.lines - 1) is None, "nobody stands there"
