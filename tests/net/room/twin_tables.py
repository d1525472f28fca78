"""Two games that differ only in what one seat, or a watcher, must not know.

A round is played once. Then it is dealt again so that every card which anybody saw is where it was,
and those that only others saw, or nobody, have changed places: cards thrown away face down by
others, kept to the end or never drawn; and up to the reveal also the others' dwarves, and goals
that the seat did not look at. Played again with the same public moves, it must look the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import msgspec
import pytest

from engine import Card, Deal, Discard, Game, IllegalMove, KeepGold, Move, Phase, deal
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Playouts
from engine.cards import CARDS, in_order
from engine.edition import INTERNATIONAL, Edition
from net.protocol import requests
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.game_wire import write_move
from net.protocol.lobby import Settings, TableClaim, Taken, Topic
from net.protocol.messages import ClientCommand, HostMessage, Refusal
from net.room import inputs
from tests.net.room.room_fixture import Table


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
            rng = Random(1000 * seed + chance)
            new, again = twin_of(dealt, moves, me, rng, first)
            tried = replace(other, deals=[*other.deals, new], moves=[*other.moves, again])
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


def twin_of(
    deal: Deal, moves: Sequence[Move], me: int | None, rng: Random, game: Game
) -> tuple[Deal, list[Move]]:
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
    return new, [
        Discard(thrown[number].card) if number in thrown else move
        for number, move in enumerate(moves)
    ]


def other_dwarves_and_goals(deal: Deal, me: int | None, end: Game, rng: Random) -> Deal:
    """The deal with the dwarves of all others dealt again, and the goals nobody else may know."""
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


PEOPLE = ("Ann", "Ben", "Cleo", "Dede", "Emil")
ME = 1
WIDELY = 4
"""A seat that changes hands."""


def perform(
    script: Script, monkeypatch: pytest.MonkeyPatch, seed: int, kind: type[Table] = Table
) -> Table:
    """Do all of a script at a table, with joins, breaks, talk, errors and snapshots between."""
    table = kind(Settings(seats=len(PEOPLE), rounds=script.rounds, edition=script.edition.text))
    for name in PEOPLE:
        table.come(name)
    table.come("Wim", watch=True)
    perform_game(table, script, monkeypatch, seed)
    return table


def perform_game(table: Table, script: Script, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Begin a game at a table at which all sit, and do all of its script."""
    rng = Random(seed)
    monkeypatch.setattr("engine.notation.record.deal", table.deal_these(script.deals))
    for seat in range(len(PEOPLE)):
        if isinstance(table.lobby.chairs[seat], Taken):
            table.wants(there(table, table.lobby.name_at(seat)), requests.SetReady(ready=True))
    assert table.wants(there(table, "Ann"), requests.Start()) is None
    for number, moves in enumerate(script.moves):
        if number:
            reseat(table, rng)
            assert table.wants(there(table, "Ann"), requests.NextRound()) is None
        while table.lobby.draw is not None and not table.lobby.draw.done:
            table.wait(1)  # whoever answers no longer is left out in time
        for move in moves:
            disturb(table, rng)
            make(table, move)


def make(table: Table, move: Move) -> None:
    """The next move of a script, by whoever has the seat: a person, a bot or nobody."""
    game = table.game
    assert game.to_act is not None
    for _chair, person in table.lobby.sitting:
        if not table.room.may_play:
            there(table, person.name)
    if isinstance(table.lobby.chairs[game.to_act], Taken):
        assert table.plays(there(table, table.name_to_act()), move) is None
        return
    there(table, "Ann")
    turn = table.turn
    table.apply(inputs.make_bot_move(table.room, table.now, turn, move))


def there(table: Table, name: str) -> str:
    """Somebody who is at the table, or comes back to it now."""
    if not table.people[name].client.entered:
        table.come(name)
    return name


def reseat(table: Table, rng: Random) -> None:
    """Between rounds a seat is freed, given to a bot, or to somebody new."""
    table.wait(3)
    kind = rng.randrange(3)
    if kind == 0:
        table.wants(there(table, "Ann"), requests.FreeSeat(WIDELY))
    elif kind == 1:
        table.wants(there(table, "Ann"), requests.PutBot(WIDELY, f"Robo {table.now}", "random"))
    else:
        assert hand_over(table) is None


def hand_over(table: Table) -> Refusal | None:
    """Somebody new is given a seat, whoever had it before, and knows then what goes with it."""
    late = table.come(f"H{table.connections}", watch=True)
    return table.wants(there(table, "Ann"), requests.HandOver(WIDELY, late.member))


def disturb(table: Table, rng: Random) -> None:
    """Something beside the game, the same at both tables."""
    name = rng.choice((*PEOPLE, "Wim"))
    connected = table.people[name]
    kind = rng.randrange(20)
    table.wait(0.5, *PEOPLE[3:])
    if kind == 0:
        table.come(name)
    elif kind == 1:
        inputs.drop_connection(table.room, table.now, connected.connection)
        connected.client.end_connection()
    elif kind == 8 and rng.random() < 0.3:
        table.crash()
        for person in ("Ann", "Ben", "Wim"):
            table.come(person)
    elif kind == 9:
        away = "W0" if "W0" in table.people and rng.random() < 0.7 else "Emil"
        table.wants(there(table, "Ann"), requests.Kick(table.people[away].member))
    elif kind == 10 and rng.random() < 0.5:
        assert hand_over(table) is Refusal.HOLDS_CARDS
    elif not connected.client.entered or connected.ended:
        return
    elif kind == 2:
        table.wants(name, requests.Chat("I saw nothing " * rng.randint(1, 9)))
    elif kind == 3:
        table.wants(name, requests.MakeClaim(TableClaim(Topic.DIGS_FOR_US, rng.randrange(5))))
    elif kind == 4:
        table.ask(connected)
    elif kind == 5 and table.people["Ann"].client.entered:
        for paused in (True, False):
            assert table.wants("Ann", requests.Pause(paused)) is None
    elif kind == 6:
        wrong = KeepGold(2) if table.room.state.phase is Phase.PLAY else Discard(CARDS[0])
        far = requests.MakeMove(table.room.state.number, write_move(wrong))
        table.say(connected, ClientCommand(connected.client.last_id, far))
        table.wants(name, far)
    elif kind == 7:
        late = table.come(f"W{rng.randrange(4)}", watch=True)
        table.say(late, late.client.ping())


def messages_sent(table: Table, name: str) -> list[HostMessage]:
    """All that somebody was sent, on all their connections."""
    return [
        message
        for connected in table.connected.values()
        if connected.name == name
        for message in connected.got
    ]


def same_to(one: Table, other: Table, name: str) -> None:
    """Assert that both tables sent somebody the same."""
    mine, theirs = messages_sent(one, name), messages_sent(other, name)
    assert mine == theirs
    assert [pack(message, MAX_HOST_FRAME_BYTES) for message in mine] == [
        pack(message, MAX_HOST_FRAME_BYTES) for message in theirs
    ]


def check_same_lengths(one: Table, other: Table) -> None:
    """Assert that all were sent as much, in as many frames, padding aside."""
    for name in {connected.name for connected in one.connected.values()}:
        mine, theirs = messages_sent(one, name), messages_sent(other, name)
        assert [len(msgspec.msgpack.encode(message)) for message in mine] == [
            len(msgspec.msgpack.encode(message)) for message in theirs
        ]


def short_of_the_record(script: Script) -> Script:
    """A script without its last move: the end of a game tells all (K)."""
    return replace(script, moves=[*script.moves[:-1], script.moves[-1][:-1]])


def short_of_the_gold(script: Script) -> Script:
    """A script of one round without its last move before it is over, which turns up dwarves."""
    moves: list[Move] = [move for move in script.moves[0] if not isinstance(move, KeepGold)]
    return replace(script, deals=script.deals[:1], moves=[moves[:-1]])


def with_other_dwarves(script: Script, me: int | None, end: Game, seed: int) -> Script:
    """A script of one round with all in other places that a seat does not know before its end."""
    other = twin_script(script, me, seed)
    dealt = other_dwarves_and_goals(other.deals[0], me, end, Random(seed + 1))
    return replace(other, deals=[dealt])
