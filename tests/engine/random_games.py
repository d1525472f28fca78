"""Games to look at from every seat, and what may be told differently in two of them.

A *twin* is a game that a seat cannot tell from another: imagined by that seat, or dealt with two
secrets exchanged.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import engine
from engine import DeadTable, Discard, Edition, Game, KeepGold, Lay, Move, Phase, Table, View
from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS, Board
from engine.bots import Playouts, greedy
from engine.cards import CARDS, DECK, GOALS, PATHS, Goal, Role, Tool
from engine.dealing import ALL_GOLD, deal, list_dwarves
from engine.events import FaceUpPlay, Private, addressee
from engine.legality import can_play
from engine.notation import format_position
from tests.engine.cases import find_undiscarded, say_all

Driver = Callable[[Game, Random], Move]


def anyhow(game: Game, rng: Random) -> Move:
    """Any legal move."""
    return rng.choice(game.legal_moves())


def keen(game: Game, rng: Random) -> Move:
    """Dig, block and look, each for their own side; now and then anything."""
    if rng.random() < 0.15:
        return anyhow(game, rng)
    return greedy(game.view(game.to_act, history=False), rng, Playouts(0))


def idle(game: Game, rng: Random) -> Move:
    """Pass, with what could be played first, and so run the pile out; choose gold anyhow."""
    moves = game.legal_moves()
    passes = [move for move in moves if isinstance(move, Discard)]
    useless = {card for card in CARDS if card.repairs}
    if not passes or (not game.round.pile and rng.random() < 0.3):
        return rng.choice(moves)
    return rng.choice([move for move in passes if move.card not in useless] or passes)


DRIVERS: dict[str, Driver] = {"anyhow": anyhow, "keen": keen, "idle": idle}


def games(
    edition: Edition, players: int, driver: Driver, rng: Random, rounds: int = 3
) -> Iterator[Game]:
    """A game from its first deal to its end, after every step."""
    seed = rng.randbytes(32)
    game, _ = Game.begin(deal(seed, 1, players), edition, rounds)
    yield game
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            number = game.score.number + 1
            game, _ = game.deal(deal(seed, number, players, game.purse.pile))
        else:
            game, _ = game.apply(driver(game, rng))
        yield game


def seats(game: Game) -> tuple[int | None, ...]:
    """Everybody at a table, and a watcher."""
    return (*range(game.round.table.players), None)


def universe(game: Game) -> list[Move]:
    """Every move that could be written down for a table, and some that are nonsense."""
    board: Board = game.round.table.board
    there = [*board.cards, *board.hidden]
    (west, *_, east), (north, *_, south) = (sorted(line) for line in zip(*there, strict=True))
    cells = [*product(range(west - 2, east + 3), range(north - 2, south + 3)), (40, -30)]
    seats = range(-1, game.round.table.players + 1)
    moves: list[Move] = [Lay(path, cell) for path in PATHS for cell in cells]
    moves += [Break(tool, seat) for tool in Tool for seat in seats]
    moves += [Repair(card, seat, tool) for card in CARDS for seat in seats for tool in Tool]
    moves += [Rockfall(cell) for cell in cells] + [Map(cell) for cell in cells]
    return moves + [Discard(card) for card in CARDS] + [KeepGold(nuggets) for nuggets in range(5)]


def where(game: Game, seat: int | None) -> str:
    """What to paste back where something is wrong."""
    edition = game.round.table.edition.text
    return f"{edition}, seat {'-' if seat is None else seat + 1}: {format_position(game.round)}"


def check_whole(game: Game) -> None:
    """See that a game is made of the cards of the box, each once (S2 to S5)."""
    now, purse, score = game.round, game.purse, game.score
    table = now.table
    assert Counter((*find_undiscarded(now), *table.discards)) == Counter(DECK)
    assert tuple(map(len, now.hands)) == table.hands
    assert tuple(map(len, now.buried)) == table.buried
    assert len(now.pile) == table.pile
    assert all(list(hand) == sorted(hand, key=CARDS.index) for hand in now.hands)
    assert Counter((*now.roles, now.spare)) == Counter(list_dwarves(table.players))
    assert set(now.goals) == set(GOALS)
    for cell, goal in zip(GOAL_CELLS, now.goals, strict=True):
        assert cell in table.board.hidden or Goal.lying(table.board.cards[cell]) is goal
    if table.end is not None:
        assert end_round(game, table.end) == table.end
    gold = [*purse.pile, *purse.offer, *(nuggets for held in purse.held for nuggets in held)]
    assert sorted(gold) == sorted(ALL_GOLD)
    assert tuple(map(len, purse.held)) == score.cards
    assert (len(purse.pile), len(purse.offer)) == (score.pile, score.offer)


def check_dead_table(view: View, twin: Game) -> int:
    """See that a twin's round would have gone on, and ended, when it did (R3).

    The hands are followed back from the end as far as the draw pile was empty. Returns how many
    moments were looked at.
    """
    if view.table.edition.dead_table is DeadTable.PLAYED_OUT:
        return 0
    hands = [Counter(hand) for hand in twin.round.hands]
    buried = [list(cards) for cards in twin.round.buried]
    moments = 0
    for event, table in reversed(list(moments_of(view))):
        if table.pile or isinstance(event, engine.Drew):
            break
        if isinstance(event, engine.TurnBegan | engine.RoundEnded):
            alive = any(
                can_play(table, seat, tuple(hand.elements())) for seat, hand in enumerate(hands)
            )
            if isinstance(event, engine.TurnBegan) or event.winner is Role.SABOTEUR:
                assert alive == isinstance(event, engine.TurnBegan), where(twin, view.seat)
                moments += 1
        elif isinstance(event, engine.Passed):
            hands[event.seat][buried[event.seat].pop()] += 1
        elif isinstance(event, FaceUpPlay):
            hands[event.seat][event.move.card] += 1
    return moments


def moments_of(view: View) -> Iterator[tuple[engine.Event, Table]]:
    """Each public event of a view's round, and the table after it."""
    table = Table.empty(view.table.edition, view.table.players)
    for event in view.history:
        if not isinstance(event, Private):
            table = table.after(event)
            yield event, table


class Told:
    """What a seat was told in a game and in its twin by the same move, one event by one."""

    def __init__(self, game: Game, twin: Game, seat: int | None) -> None:
        self.before = game, twin
        self.seat = seat

    def compare(self, move: Move, twins: Move | None = None) -> Iterator[str]:
        """Make the move in both; name each secret that the step itself gave the seat.

        Every other difference fails. After a goal that turned out another, a round that ended in
        one game only, or other dwarves, nothing more is compared: what follows depends on it.
        """
        game, twin = self.before
        self.game, here = game.apply(move)
        self.twin, there = twin.apply(twins or move)
        mine, theirs = engine.visible_to(here, self.seat), engine.visible_to(there, self.seat)
        for one, other in zip(mine, theirs, strict=False):
            if one != other:
                secret = self.secret(one, other)
                assert secret, (
                    f"{where(game, self.seat)}\n  twin {format_position(twin.round)}"
                    f"\n  {move!s}: {say_all(mine)}\n  twin: {say_all(theirs)}"
                )
                yield secret
                if secret not in ("card", "map", "offer", "gold"):
                    return
        assert len(mine) == len(theirs)

    def secret(self, one: engine.Event, other: engine.Event) -> str:
        """Which secret two different events give away, nothing where they may not differ."""
        game, twin = self.before
        seat = self.seat
        for event in (one, other):
            assert addressee(event) in (None, seat)
        match one, other:
            case engine.Dealt(), engine.Dealt():
                truly = (one.card, other.card) == (game.round.pile[0], twin.round.pile[0])
                return "card" if truly else ""
            case engine.GoalPeeked(), engine.GoalPeeked() if one.cell == other.cell:
                at = GOAL_CELLS.index(one.cell)
                truly = (one.goal, other.goal) == (game.round.goals[at], twin.round.goals[at])
                return "map" if truly else ""
            case engine.Revealed(), engine.Revealed() if one.cell == other.cell:
                at = GOAL_CELLS.index(one.cell)
                return "goal" if game.round.goals[at] is not twin.round.goals[at] else ""
            case engine.RoundEnded(), engine.RoundEnded() if one.winner is other.winner:
                return (
                    "end" if one == end_round(game, one) and other == end_round(twin, other) else ""
                )
            case (engine.RoundEnded(), engine.TurnBegan() | engine.Skipped()) | (
                engine.TurnBegan() | engine.Skipped(),
                engine.RoundEnded(),
            ):
                return "dead table" if self.is_dead_in_one() else ""
            case engine.GoldShown(), engine.GoldShown():
                offers = self.game.purse.offer, self.twin.purse.offer
                return "offer" if (one.nuggets, other.nuggets) == offers else ""
            case engine.GoldReceived(), engine.GoldReceived():
                return "gold" if self.gold_differs() else ""
            case engine.SaboteursPaid(), engine.SaboteursPaid() if one.due == other.due:
                return "payment" if self.gold_differs() else ""
            case engine.GameEnded(), engine.GameEnded():
                helds = self.game.purse.held, self.twin.purse.held
                return "all gold" if (one.gold, other.gold) == helds else ""
            case _:
                return ""

    def gold_differs(self) -> bool:
        """Whether there was other gold in the pile or on offer."""
        game, twin = self.before
        piles = sorted(game.purse.pile), sorted(twin.purse.pile)
        return piles[0] != piles[1] or game.purse.offer != twin.purse.offer or self.unseen_draw()

    def unseen_draw(self) -> bool:
        """Whether this very step drew other gold cards for the miners."""
        game, twin = self.before
        return game.score.chooser is None and game.purse.pile != twin.purse.pile

    def is_dead_in_one(self) -> bool:
        """Whether R3 ended the round in one game alone, for what others hold."""
        rounds = self.game.round, self.twin.round
        asked = rounds[0].table.edition.dead_table is DeadTable.ENDS_ROUND
        alive = [
            any(can_play(now.table, seat, hand) for seat, hand in enumerate(now.hands))
            for now in rounds
        ]
        return asked and not any(now.pile for now in rounds) and alive[0] != alive[1]


def end_round(game: Game, event: engine.RoundEnded) -> engine.RoundEnded:
    """How a game's round ends, if that side wins it."""
    now = game.round
    return engine.RoundEnded(event.winner, now.roles, now.spare, now.goals)
