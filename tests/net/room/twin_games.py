"""Two games that differ only in what one seat, or a watcher, must not know.

A round is played once. Then it is dealt anew so that every card which anybody saw is where it was,
and those that only others saw, or nobody, have changed places: cards thrown away face down by
others, kept to the end or never drawn; and up to the reveal also the others' dwarves, and goals
that the seat did not look at. Played again with the same public moves, it must look the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine import Card, Deal, Discard, Game, IllegalMove, KeepGold, Move, Phase, deal
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Playouts
from engine.cards import in_order
from engine.edition import INTERNATIONAL, Edition


@dataclass
class Script:
    """What is dealt and done in a game, round by round."""

    deals: list[Deal] = field(default_factory=list)
    moves: list[list[Move]] = field(default_factory=list)
    edition: Edition = INTERNATIONAL
    rounds: int = 3


def plan(
    seed: int, level: str, edition: Edition = INTERNATIONAL, players: int = 5, rounds: int = 2
) -> Script:
    """A whole game by bots, found out beforehand. One round of two leaves secrets to the next."""
    rng = Random(seed)
    script = Script([deal(rng.randbytes(32), 1, players)], [[]], edition, rounds)
    game, _ = Game.begin(script.deals[0], edition, rounds)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            number = len(script.deals) + 1
            script.deals.append(deal(rng.randbytes(32), number, players, game.purse.pile))
            script.moves.append([])
            game, _ = game.deal(script.deals[-1])
        else:
            move = BOTS[level](game.view(game.to_act), rng, Playouts(0))
            script.moves[-1].append(move)
            game, _ = game.apply(move)
    return script


def games(script: Script) -> Iterator[tuple[Game, Game]]:
    """The game after each deal and at the end of each round."""
    game: Game | None = None
    for dealt, moves in zip(script.deals, script.moves, strict=True):
        if game is None:
            game, _ = Game.begin(dealt, script.edition, script.rounds)
        else:
            game, _ = game.deal(dealt)
        first = game
        for move in moves:
            game, _ = game.apply(move)
        yield first, game


def twin_script(script: Script, me: int | None, seed: int) -> Script:
    """The same game with the cards in other places that `me` never saw.

    Where a round ends with the last card that can be played (R3), it has to end with the same move.
    """
    other = replace(script, deals=[], moves=[])
    for dealt, moves, (first, end) in zip(script.deals, script.moves, games(script), strict=True):
        for chance in range(1000):
            twin = twin_of(dealt, moves, me, Random(1000 * seed + chance), first)
            tried = replace(
                other, deals=[*other.deals, twin.deal], moves=[*other.moves, list(twin.moves)]
            )
            if _ends_alike(tried, end):
                other = tried
                break
    assert len(other.deals) == len(script.deals)
    return other


def _ends_alike(script: Script, end: Game) -> bool:
    """Whether a script can be played, and its last round ends as another did."""
    try:
        *_, (_, last) = games(script)
    except IllegalMove:
        return False
    return (last.phase, last.to_act) == (end.phase, end.to_act)


@dataclass
class Slot:
    """Where a card came from, what it is, and whether everybody came to see it."""

    card: Card
    owner: int | None = None
    public: bool = False


@dataclass(frozen=True)
class Twin:
    """A deal, and the moves that lead on from it."""

    deal: Deal
    moves: tuple[Move, ...]


def twin_of(deal: Deal, moves: Sequence[Move], me: int | None, rng: Random, game: Game) -> Twin:
    """The same round with the cards in other places that `me` never saw.

    `game` is at its first turn.
    """
    hands = [[Slot(card, seat) for card in hand] for seat, hand in enumerate(deal.hands)]
    pile = [Slot(card) for card in deal.pile]
    slots = [slot for hand in hands for slot in hand] + pile
    thrown: dict[int, Slot] = {}
    drawn = 0
    for number, move in enumerate(moves):
        seat = game.to_act
        assert seat is not None
        if not isinstance(move, KeepGold):
            slot = next(slot for slot in hands[seat] if slot.card is move.card)
            hands[seat].remove(slot)
            if isinstance(move, Discard):
                thrown[number] = slot
            else:
                slot.public = True
        before = game.round.table.pile
        game, _ = game.apply(move)
        if game.round.table.pile < before:
            pile[drawn].owner = seat
            hands[seat].append(pile[drawn])
            drawn += 1
    hidden = [slot for slot in slots if not slot.public and (me is None or slot.owner != me)]
    cards = [slot.card for slot in hidden]
    rng.shuffle(cards)
    for slot, card in zip(hidden, cards, strict=True):
        slot.card = card
    size = len(deal.hands[0])
    dealt = tuple(
        in_order(slot.card for slot in slots[seat * size : (seat + 1) * size])
        for seat in range(len(deal.hands))
    )
    new = replace(deal, hands=dealt, pile=tuple(slot.card for slot in pile))
    again = tuple(
        Discard(thrown[number].card) if number in thrown else move
        for number, move in enumerate(moves)
    )
    return Twin(new, again)


def other_dwarves_and_goals(deal: Deal, me: int | None, end: Game, rng: Random) -> Deal:
    """The deal with the dwarves of all others dealt anew, and the goals nobody else may know."""
    others = [seat for seat in range(len(deal.roles)) if seat != me]
    dwarves = [*(deal.roles[seat] for seat in others), deal.spare]
    rng.shuffle(dwarves)
    roles = list(deal.roles)
    for seat, role in zip(others, dwarves, strict=False):
        roles[seat] = role
    looked = frozenset() if me is None else end.round.table.looks[me]
    up = end.round.table.board.cards
    free = [at for at, cell in enumerate(GOAL_CELLS) if cell not in looked and cell not in up]
    faces = [deal.goals[at] for at in free]
    rng.shuffle(faces)
    goals = list(deal.goals)
    for at, goal in zip(free, faces, strict=True):
        goals[at] = goal
    return replace(
        deal, roles=tuple(roles), spare=dwarves[-1], goals=(goals[0], goals[1], goals[2])
    )
