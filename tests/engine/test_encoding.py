"""Actions and observations as numbers: they mean what they meant, and say all that a seat sees."""

from hashlib import sha256
from itertools import chain, islice
from random import Random

import pytest

from engine import Break, Card, Path, Phase, Repair, Rockfall, Tool, View, sample_game
from engine.board import GOAL_CELLS
from engine.cards import Goal
from engine.edition import EDITIONS, FRANCE, INTERNATIONAL, Edition
from engine.encoding import (
    ACTIONS,
    CELLS,
    ENCODING_VERSION,
    FIELDS,
    OBSERVATION_BYTES,
    PLANES,
    ActionCounts,
    decode_action,
    describe_action,
    encode_move,
    encode_view,
    legal_actions,
    legal_mask,
    own_return,
    team_return,
)
from engine.moves import KeepGold, Lay, parse_move
from engine.notation import parse_position
from tests.docs.pages import ROOT, tables
from tests.engine.cases import game_of, round_at
from tests.engine.random_games import anyhow, games, keen
from tests.samples import is_run

LINE = "EW@1/NEW@2/ew@3 (NW)/(NE)/(NESW) 1 -,PL,- NS/NE/-P,NS/NS/R,-L/M NE/NW/NES/R mms+m"
SEEN = "EW@1/NEW@2/ew@3 ?/(NE)/? 1 -,PL,- NS/NE/-P,3,2 4 m??+?"

FINGERPRINT = "183817d39c2bc0d9"
"""The hash of all moves by their actions, and of the names of planes and fields."""

OBSERVED = {
    "international": "3e3a900e3392ee12",
    "argentina": "97af09733f48c7c7",
    "italia": "7f802b40f44715d8",
    "france": "633a133f466473a6",
}
"""The hash of observations of all seats in games of an edition."""


def position() -> View:
    return parse_position(SEEN).view(0)


def plane(view: View, name: str) -> set[tuple[int, int]]:
    at = PLANES.index(name) * len(CELLS)
    return {cell for cell, here in zip(CELLS, encode_view(view)[at:], strict=False) if here}


def check_fields(view: View, text: str) -> None:
    """See that each field has its number: `miner 1; NS in hand 1`."""
    told = dict(zip(FIELDS, encode_view(view)[len(PLANES) * len(CELLS) :], strict=True))
    for piece in text.split("; "):
        name, _, number = piece.rpartition(" ")
        assert told[name] == int(number), name


def test_deeds_that_somebody_has_counted_need_no_history() -> None:
    *_, game = (game for game in games(FRANCE, 5, keen, Random(3)) if game.phase is Phase.PLAY)
    counts = ActionCounts(5)
    counts.count(game.view(None).history)
    for seat in (*range(5), None):
        view = game.view(seat)
        assert encode_view(view._replace(history=()), counts) == encode_view(view)
        assert encode_view(view._replace(history=())) != encode_view(view)


def test_every_action_is_a_move_and_the_move_is_that_action() -> None:
    view = position()
    moves = [decode_action(view, action) for action in range(ACTIONS)]
    assert len(set(moves)) == ACTIONS
    for action, move in enumerate(moves):
        if not isinstance(move, Break | Repair) or move.target < view.table.players:
            assert encode_move(view, move) == action


MASKED = range(9) if is_run("thorough") else (2, 5)
"""Seeds of games of which some reach beyond the grid: these two do."""


def test_the_mask_is_the_legal_moves_but_for_those_off_the_grid() -> None:
    asked = off = 0
    for game in chain.from_iterable(games(FRANCE, 5, anyhow, Random(seed)) for seed in MASKED):
        for seat in (game.to_act, None):
            view = game.view(seat)
            on_grid = [
                move
                for move in view.legal_moves()
                if not isinstance(move, Lay | Rockfall) or move.cell in CELLS
            ]
            off += len(view.legal_moves()) - len(on_grid)
            mask = legal_mask(view)
            legal = legal_actions(view)
            assert [decode_action(view, action) for action in legal] == on_grid
            assert [action for action in range(ACTIONS) if mask[action]] == sorted(legal)
            assert (len(mask), {*mask} <= {0, 1}) == (ACTIONS, True)
            asked += len(on_grid) > 0
    assert asked > 250
    assert off


def test_a_target_is_counted_from_the_seat_that_acts() -> None:
    game = game_of(round_at(LINE))
    action = encode_move(game.view(0), Break(Tool.PICK, 1))
    assert action == encode_move(game.view(2), Break(Tool.PICK, 0))
    assert decode_action(game.view(1), action) == Break(Tool.PICK, 2)
    mended = encode_move(game.view(2), Repair(Card.REPAIR_LANTERN_CART, 0, Tool.CART))
    assert decode_action(game.view(0), mended) == Repair(Card.REPAIR_LANTERN_CART, 1, Tool.CART)


def test_every_action_is_told_in_words_of_its_own() -> None:
    told = [describe_action(action) for action in range(ACTIONS)]
    assert len(set(told)) == ACTIONS
    view = game_of(round_at(LINE)).view(1)
    moves = {"-P>2": "-P>1", "+LC>1:C": "+LC>3:C"}
    moves |= {text: text for text in ("NES@3n1", "R@2", "M@8n2", "xNES", "$3")}
    for move, words in moves.items():
        assert told[encode_move(view, parse_move(move))] == words
    with pytest.raises(ValueError, match="there is no action"):
        describe_action(ACTIONS)


def test_a_move_off_the_grid_has_no_number_and_beyond_the_numbers_is_no_move() -> None:
    view = position()
    for action in (-1, ACTIONS):
        with pytest.raises(ValueError, match="there is no action"):
            decode_action(view, action)
    for move in (Lay(Path.read("EW"), (11, 0)), Rockfall((0, -7)), KeepGold(4)):
        with pytest.raises(ValueError, match="has no number"):
            encode_move(view, move)


def test_the_planes_show_the_mine() -> None:
    view = position()
    assert plane(view, "card") == {(0, 0), (1, 0), (2, 0), (3, 0)}
    assert plane(view, "tunnel") == plane(view, "reached") == {(0, 0), (1, 0), (2, 0)}
    assert plane(view, "north open") == {(0, 0), (2, 0)}
    assert plane(view, "west open") == {(0, 0), (1, 0), (2, 0), (3, 0)}
    assert plane(view, "site joined to the start") == {(0, -1), (0, 1), (-1, 0), (2, -1)}
    assert (3, 1) in plane(view, "site")
    assert plane(view, "goal face down") == {(8, -2), (8, 0), (8, 2)}
    assert plane(view, "treasure") == set()
    assert plane(view, "stone") == {(8, 0)}


def test_the_fields_tell_what_the_seat_knows() -> None:
    view = position()
    check_fields(view, "miner 1; saboteur 0; NS in hand 1; cards in the draw pile 4; adjacent 0")
    check_fields(view, "seat 1: pick broken 1; seat 1: lantern broken 1; seat 1: cart broken 0")
    check_fields(view, "seat 0: to act 1; seat 0: pick broken 0; seat 1: cards in hand 3")
    check_fields(view, "seat 2: cards in hand 2; seat 2: at the table 1; seat 3: at the table 0")
    check_fields(game_of(round_at(LINE, FRANCE)).view(1), "adjacent 1; seat 0: pick broken 1")
    game = game_of(round_at(LINE))
    for move in ("NE@-1", "", ""):
        game, _ = game.apply(game.read(move) if move else game.legal_moves()[-1])
    check_fields(game.view(0), "seat 0: tunnels laid 1; seat 1: passes 1; seat 2: passes 1")
    check_fields(game.view(0), "seat 2: played the last card 1")


def test_the_fields_tell_the_gold_on_offer_to_whoever_chooses() -> None:
    choosing = [
        game.view(game.to_act)
        for game in games(FRANCE, 5, keen, Random(7341))
        if game.phase is Phase.GOLD
    ]
    assert any(len(set(view.offer)) > 1 for view in choosing)
    for view in choosing:
        for nuggets in (1, 2, 3):
            check_fields(view, f"gold cards of {nuggets} on offer {view.offer.count(nuggets)}")


def test_the_numbers_mean_what_they_meant_in_this_version() -> None:
    """If this fails, programs that learned from the old numbers no longer work: a new version."""
    found = sha256(f"{ENCODING_VERSION}".encode())
    view = position()
    found.update(" ".join(str(decode_action(view, action)) for action in range(ACTIONS)).encode())
    found.update("|".join((*PLANES, *FIELDS)).encode())
    assert found.hexdigest()[:16] == FINGERPRINT


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_observations_are_those_of_this_version_for_every_seat(edition: Edition) -> None:
    """As above, for the views of all seats and of a watcher, with and without history."""
    found, rng = sha256(), Random(7341)
    for players in (3, 7, 10):
        for game in islice(games(edition, players, anyhow, rng), 0, None, 9):
            for seat in (None, *range(players)):
                found.update(seen := encode_view(game.view(seat)))
                assert len(seen) == OBSERVATION_BYTES
                found.update(encode_view(game.view(seat, history=False)))
    assert found.hexdigest()[:16] == OBSERVED[edition.book]


def test_an_observation_is_the_same_for_games_that_a_seat_cannot_tell_apart() -> None:
    rng, told = Random(7341), 0
    for game in games(INTERNATIONAL, 5, keen, Random(7341)):
        if game.phase is not Phase.PLAY:
            continue
        view = game.view(game.to_act)
        twin = sample_game(view, rng)
        assert encode_view(twin.view(view.seat)._replace(history=view.history)) == encode_view(view)
        told += twin.round.hands != game.round.hands
    assert told > 50


def test_a_seat_returns_what_its_side_and_it_itself_won() -> None:
    ended = 0
    for game in games(INTERNATIONAL, 4, keen, Random(7341)):
        table, score = game.round.table, game.score
        for seat, role in enumerate(game.round.roles):
            won = team_return(table, seat)
            assert (won == 0) == (table.end is None)
            if table.end is not None:
                ended += 1
                assert (won > 0) == (table.end.winner is role)
            assert own_return(score, seat) == (score.nuggets or [0] * table.players)[seat]
    assert ended


def _planes_of_the_page() -> dict[str, int]:
    page = (ROOT / "docs" / "writing-bots.md").read_text("utf-8")
    (found,) = (table for table in tables(page) if table.heading == "Planes")
    return {row[1].strip("`"): int(row[0]) for row in found.rows}


def test_an_observation_is_decoded_by_the_page_alone() -> None:
    planes = _planes_of_the_page()
    assert tuple(planes) == PLANES
    views = [
        game.view(seat)
        for game in islice(games(INTERNATIONAL, 5, keen, Random(7341)), 0, None, 7)
        if game.phase is Phase.PLAY
        for seat in range(5)
    ][:100]
    assert len(views) == 100
    for view in views:
        seen = encode_view(view)
        marked = {
            name: {
                (x, y)
                for y in range(-6, 8)
                for x in range(-5, 11)
                if seen[plane * 14 * 16 + (y + 6) * 16 + (x + 5)]
            }
            for name, plane in planes.items()
        }
        board = view.table.board
        assert marked["card"] == {*board.cards} & {*CELLS}
        sides = ("north open", "east open", "south open", "west open")
        for at, side in enumerate(sides):
            wide = {cell for cell, path in board.cards.items() if path.edges >> at & 1}
            assert marked[side] == wide & {*CELLS}
        through = {cell for cell, path in board.cards.items() if path.through}
        assert marked["tunnel"] == through & {*CELLS}
        assert marked["reached"] == {*board.reached} & {*CELLS}
        assert marked["site"] == {*board.sites} & {*CELLS}
        assert marked["site joined to the start"] == {cell for cell, _ in board.openings} & {*CELLS}
        assert marked["goal face down"] == {*board.hidden} & {*CELLS}
        known = {cell: view.goal_on(cell) for cell in GOAL_CELLS}
        assert marked["treasure"] == {cell for cell in known if known[cell] is Goal.TREASURE}
        stones = (None, Goal.TREASURE)
        assert marked["stone"] == {cell for cell in known if known[cell] not in stones}
