"""A play-out is a fast round: moves lead where the rules say, and seats play as they should."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from engine import EDITIONS, FRANCE, Game, KeepGold, Rockfall, Round, deal
from engine.board import (
    EMPTY,
    GOAL_CELLS,
    LINKED,
    OPEN_SHIFT,
    SITE_STATES,
    START,
    Board,
    Cell,
    neighbours,
)
from engine.bots import fast_board as sites
from engine.bots import rollout
from engine.bots.fast_board import (
    NO_FIT_RANK,
    RANK_SCALE,
    SITE_DISTANCES,
    UNREACHABLE_CARDS,
    FastBoard,
    SiteDistances,
    unpack_cell,
)
from engine.bots.rollout import FastRound, miner_policy, roll_out, saboteur_policy
from engine.cards import CARDS, Card, CardKind, E, Path, Role
from tests.engine.cases import ROAD, play_of, round_at
from tests.engine.random_games import keen


def cards_of(fast_board: FastBoard) -> Mapping[Cell, Path]:
    """The face-up cards on a board of play-outs."""
    return {unpack_cell(cell): path for cell, path in fast_board.cards.items()}


def expect_same_board(fast_board: FastBoard, board: Board) -> None:
    """See that the two boards are the same in each part."""
    assert cards_of(fast_board) == board.cards
    assert tuple(map(unpack_cell, fast_board.hidden)) == board.hidden
    assert {unpack_cell(cell) for cell in fast_board.reached} == board.reached
    assert {unpack_cell(at): asked for at, asked in fast_board.sites.items()} == board.sites
    openings = [divmod(site, SITE_STATES) for site in sorted(fast_board.openings.values())]
    assert tuple((unpack_cell(at), asked) for at, asked in openings) == board.openings
    assert fast_board.openings.keys() == {at for at, _ in openings}
    assert {unpack_cell(cell) for cell in fast_board.cut_off} == {
        cell for cell, path in board.cards.items() if path.through and cell not in board.reached
    }


# Where a card leads, worked out once for each site.

MIDDLE = SITE_DISTANCES[2]


def test_the_tunnel_is_as_far_away_as_its_nearest_opening() -> None:
    assert SITE_DISTANCES[7].count_needed(EMPTY) == 7
    assert SITE_DISTANCES[1].count_needed(EMPTY) == 9
    assert SITE_DISTANCES[0].count_needed(EMPTY) == UNREACHABLE_CARDS
    board = round_at("EW@1/EW@2 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    assert MIDDLE.count_needed(board) == 5


def test_a_card_is_ranked_by_where_it_leads_and_then_by_what_it_opens() -> None:
    site = next(site for site in EMPTY.openings if site[0] == (1, 0))
    ranks = MIDDLE.ranks[site]
    assert ranks[-1] == 7
    assert ranks[Card.EW.index] // RANK_SCALE == ranks[Card.NESW.index] // RANK_SCALE == 6
    assert ranks[Card.NESW.index] < ranks[Card.NEW.index] < ranks[Card.EW.index]
    assert ranks[Card.NS.index] == NO_FIT_RANK
    assert ranks[Card.DEAD_EW.index] // RANK_SCALE == UNREACHABLE_CARDS
    assert sites.path_of_rank(ranks[Card.NEW.index]) is Path.read("NEW")


def test_a_side_that_a_neighbour_has_shut_leads_nowhere() -> None:
    board = round_at("EW@1/nw@2n1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    site = (2, 0), board.sites[2, 0]
    assert MIDDLE.distance_after(Path.read("ESW"), site) == 5
    assert MIDDLE.distance_after(Path.read("SW"), site) == 7
    assert MIDDLE.distance_after(Path.read("esw"), site) == UNREACHABLE_CARDS


def test_a_card_fits_however_far_the_gold_is_and_leads_no_nearer_where_it_leads_nowhere() -> None:
    far = (-30, 0), E | E << OPEN_SHIFT | LINKED
    assert MIDDLE.ranks[far][-1] == UNREACHABLE_CARDS
    assert MIDDLE.ranks[far][Card.EW.index] < NO_FIT_RANK == MIDDLE.ranks[far][Card.NS.index]
    assert MIDDLE.distance_after(Path.read("e"), far) >= MIDDLE.distance[far[0]]


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.readonly._MAX_REMEMBERED", 2)
    few = SiteDistances(7)
    for site in EMPTY.openings:
        assert few.ranks[site] == SITE_DISTANCES[7].ranks[site]
        assert len(few.ranks) <= 2
    assert [few.distance[x, 0] for x in range(7)] == [8 - x for x in range(7)]
    assert len(few.distance) <= 2


# Whole play-outs.

NOBODY = [False] * 10
PLACES = "(NE)/(NESW)/(NW)"


def agree(fast_round: FastRound, now: Round) -> None:
    """See that a play-out is where the round is."""
    table = now.table
    assert fast_round.won == (table.end is not None and table.end.winner is Role.MINER)
    expect_same_board(fast_round.board, table.board)
    if fast_round.won:
        return
    assert tuple(fast_round.broken) == table.broken
    assert fast_round.left == sum(table.hands) + table.pile
    assert [Counter(hand) for hand in fast_round.hands] == [
        Counter(card.index for card in hand) for hand in now.hands
    ]
    assert tuple(CARDS[card] for card in reversed(fast_round.pile)) == now.pile


@pytest.mark.parametrize("book", EDITIONS)
def test_a_move_leads_where_the_rules_say(book: str, rng: Random) -> None:
    turned = collapsed = 0
    for players in (3, 6, 10) * 4:
        game = Game.new(players, seed=rng.randbytes(32), edition=EDITIONS[book])
        fast_round = FastRound(game.round, NOBODY)
        while game.round.table.end is None:
            move = keen(game, rng)
            assert not isinstance(move, KeepGold)
            collapsed += isinstance(move, Rockfall)
            game, _ = game.apply(move)
            fast_round = fast_round.after(move)
            agree(fast_round, game.round)
            assert game.round.table.turn in (None, fast_round.turn)
        turned += len(GOAL_CELLS) - len(fast_round.board.hidden)
    assert min(turned, collapsed) > 3


@pytest.mark.parametrize(
    "tunnels",
    ["NESW@7", "NEW@7/ES@7n1/SW@8n1/n@8s1"],
    ids=["opens the goal there", "a stone lies as more of its neighbours agree"],
)
def test_a_card_that_joins_a_far_tunnel_to_the_start(tunnels: str) -> None:
    line = f"EW@1/EW@2/NEW@4/NEW@5/NEW@6/{tunnels} (NESW)/(NE)/(NW) 1 -,-,- EW,NS,NS M mms+m"
    now, move = round_at(line, FRANCE), play_of("EW@3")
    fast_round = FastRound(now, NOBODY).after(move)
    agree(fast_round, now.apply(move)[0])
    assert len(fast_round.board.hidden) == 2
    assert cards_of(fast_round.board)[8, 0] is Path.read("SW")


@pytest.mark.parametrize("book", EDITIONS)
def test_played_out_nothing_is_lost_and_all_cards_lie_as_they_may(book: str, rng: Random) -> None:
    won = 0
    for players in (3, 5, 10) * 6:
        now = Game.new(players, seed=rng.randbytes(32), edition=EDITIONS[book]).round
        fast_round = FastRound(now, NOBODY)
        value = roll_out(fast_round)
        assert fast_round.won == (value > 0.5)
        won += fast_round.won
        assert fast_round.left == sum(map(len, fast_round.hands)) + len(fast_round.pile)
        assert fast_round.won or not fast_round.left
        cards = cards_of(fast_round.board)
        tunnels = {cell: path for cell, path in cards.items() if cell != START}
        hidden = tuple(map(unpack_cell, fast_round.board.hidden))
        expect_same_board(fast_round.board, Board.of(tunnels, hidden))
        for cell in cards.keys() - {START, *GOAL_CELLS}:
            for side, back, beside in neighbours(cell):
                if beside in cards.keys() - GOAL_CELLS:
                    assert bool(cards[cell].edges & side) == bool(cards[beside].edges & back)
    assert 0 < won < 18


@pytest.mark.parametrize(
    ("move", "harm"), [("-P>2", True), ("ew@2", True), ("R@1", True), ("NE@0n1", False)]
)
def test_a_saboteur_who_does_harm_is_marked(move: str, *, harm: bool) -> None:
    for roles in ("smm+m", "mms+m"):
        now = round_at(f"EW@1 (NE)/(NESW)/(NW) 1 -,-,- -P/NE/ew/R,NS,NS M {roles}")
        after = FastRound(now, NOBODY[:3]).after(play_of(move))
        assert after.marked == [harm and roles.startswith("s"), False, False]


def test_a_saboteur_whom_everybody_knew_before_a_play_out_does_not_hide_in_it() -> None:
    dealt = Game.begin(deal(bytes(32), 1, 5), youngest=2)[0].round
    armed = 0
    for seat, hand in enumerate(dealt.hands):
        roles = tuple(Role.SABOTEUR if at == seat else Role.MINER for at in range(5))
        hides, strikes = (
            CARDS[saboteur_policy(FastRound(dealt._replace(roles=roles), [is_known] * 5), seat)]
            for is_known in (False, True)
        )
        assert not hides.breaks
        armed += any(card.breaks for card in hand)
        assert bool(strikes.breaks) == any(card.breaks for card in hand)
    assert armed


def test_a_win_counts_more_the_sooner_it_comes_and_a_loss_the_nearer_it_was() -> None:
    soon, late, near, far = (
        *(
            f"{ROAD} {PLACES} 1 -,-,- {rest} mms+m"
            for rest in ("NESW,NS,NS M/M/M/M", "NS,NESW,NS M")
        ),
        *(f"{tunnel} {PLACES} 1 -,-,- NS,NS,NS M mms+m" for tunnel in (ROAD, "-")),
    )
    values = [roll_out(FastRound(round_at(line), NOBODY)) for line in (soon, late, near, far)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_what_has_been_tried_leaves_the_start_as_it_was(rng: Random) -> None:
    hands = "EW/NESW/NE,NS/-L/NES,NW/NES/NEW"
    holed = round_at(f"NEW@1/NEW@2/EW@4/NEW@5/NESW@6 {PLACES} 1 -,-,- {hands} M/M/M mms+m")
    for now in (Game.new(5, seed=rng.randbytes(32)).round, holed):
        start = FastRound(now, NOBODY)
        ends = []
        for _ in range(2):
            ends.append([roll_out(start.after(move)) for move in now.legal_moves()])
            agree(start, now)
        assert ends[0] == ends[1]
        assert len(set(ends[0])) > 1


def test_others_follow_a_miner_who_has_looked_and_no_saboteur() -> None:
    now = round_at("- (NE)/(NESW)/(NW) 1 -,-,- M/NE,NE,NS M mms+m")
    for seat, goal, rumour in ((0, 0, 0b110), (0, 1, 0b010), (2, 0, 0b111)):
        fast_round = FastRound(now, NOBODY)
        fast_round.look(seat, goal)
        assert fast_round.rumour == rumour
        assert fast_round.targets[1] == rumour
        assert fast_round.targets[seat] == rumour & ~0b001
    assert FastRound(now, NOBODY).after(play_of("M@8")).targets[1] == 0b010
    misled = FastRound(now, NOBODY, rumour=0b001)
    misled.look(0, 0)
    assert misled.rumour == 0b001
    assert misled.targets == [0b110, 0b001, 0b001]


# What the seats do, which the measure of `search` rests on.


def play_seat_1(line: str, marked: str = "---") -> tuple[Card, FastRound]:
    """The card that seat 1 plays there, and what that leads to."""
    game = FastRound(round_at(line), [mark == "!" for mark in marked])
    play = rollout.miner_policy if game.miner[0] else rollout.saboteur_policy
    return CARDS[play(game, 0)], game


@pytest.mark.parametrize(
    ("tunnel", "seats", "marked", "card", "broken"),
    [
        # Miners repair nobody who is marked, and break their tools before they dig.
        ("-", "P,-,L EW/-C/+L,NS,NS M mms+m", "---", "+L", [1, 0, 0]),
        ("-", "P,-,L EW/-C/+L,NS,NS M mms+m", "-!!", "-C", [1, 4, 2]),
        (ROAD, "-,-,- NEW/-C,NS,NS M mms+m", "---", "NEW", [0, 0, 0]),
        (ROAD, "-,-,- NEW/-C,NS,NS M mms+m", "--!", "-C", [0, 0, 4]),
        # Saboteurs break the tools of those who can dig, and repair their own unmarked.
        ("-", "-,-,L,-,- -P,NS,NS,NS,NS M ssmmm+m", "-----", "-P", [0, 0, 2, 1, 0]),
        ("EW@1", "-,P,P -P,NS,NS M smm+m", "---", "-P", [0, 1, 1]),
        ("-", "P,-,- +PL,NS,NS M smm+m", "---", "+PL", [0, 0, 0]),
    ],
)
def test_a_seat_plays_for_its_side(
    tunnel: str, seats: str, marked: str, card: str, broken: list[int]
) -> None:
    played, game = play_seat_1(f"{tunnel} {PLACES} 1 {seats}", marked)
    assert (played.text, game.broken) == (card, broken)
    gave_away = card == "-P" and "ss" in seats
    assert game.marked == [gave_away, *(mark == "!" for mark in marked[1:])]


def test_a_miner_looks_at_the_middle_first() -> None:
    _, game = play_seat_1(f"- {PLACES} 1 P,-,- M,NS,NS M mms+m")
    assert game.looks == [2, 0, 0]
    assert game.targets == [2, 2, 2], "all follow"
    game = FastRound(round_at("- (NESW)/(NE)/(NW) 1 P,-,- M/M,NS,NS M mms+m"), [False] * 3)
    for looks in (2, 3):
        rollout.miner_policy(game, 0)
        assert game.looks[0] == looks
    assert game.targets[0] == 1


def test_a_miner_only_discards_a_card_of_a_kind_that_play_outs_do_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = [None if card is Card.ROCKFALL else card.kind for card in CARDS]
    monkeypatch.setattr(rollout, "CARD_KINDS", unknown)
    at = "EW@1/ew@2 (NE)/(NESW)/(NW) 1 P,-,- R,NS,NS M mms+m"
    seats = FastRound(round_at(at), [False] * 3)
    before = dict(seats.board.cards)
    assert miner_policy(seats, 0) == Card.ROCKFALL.index
    assert seats.board.cards == before, "it would clear this dead end"


def test_a_miner_clears_a_dead_end_and_a_saboteur_lays_one_where_it_harms_most() -> None:
    card, game = play_seat_1(f"EW@1 {PLACES} 1 -,-,- -C/+P,NS,NS M mms+m")
    assert card.kind is CardKind.BREAK, "which is worth less than the repair, kept for later"
    assert not any(game.broken)
    _, game = play_seat_1(f"EW@1/ew@2 {PLACES} 1 P,-,- R,NS,NS M mms+m")
    assert (2, 0) not in cards_of(game.board)
    _, game = play_seat_1(f"{ROAD} {PLACES} 1 -,-,- nw,NS,NS M smm+m")
    assert cards_of(game.board)[7, 0] is Path.read("nw"), "as near to the gold as it fits"
