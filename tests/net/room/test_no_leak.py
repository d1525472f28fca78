"""No leak on the wire: what a seat must not know changes nothing of what it is sent (RULES K).

Two tables do the same things in public, and differ in cards, dwarves, goals or gold that one seat,
or a watcher, never saw. Everything sent to it must be alike: contents, lengths, number and order.
To everybody else it must be alike in length and number, for lengths follow from public facts.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from engine import Discard, Event, Game, KeepGold, Move, Phase
from engine.cards import CARDS
from engine.edition import EDITIONS
from engine.events import Dealt, RoundEnded, addressee
from net.lobby.model import Presence, Settings, TableClaim, Taken, Topic
from net.lobby.succession import is_outnumbered
from net.protocol.events import read_move, write_move
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    HostMessage,
    KeyShareWanted,
    LogPart,
    Refusal,
    Resync,
    StepFrame,
)
from net.protocol.requests import (
    Chat,
    FreeSeat,
    HandOver,
    Kick,
    MakeClaim,
    MakeMove,
    NextRound,
    Pause,
    PlayAgain,
    PutBot,
    SetReady,
    Start,
)
from net.room.state import Epoch, KeyShare, Step, read_step, write
from tests.net.attack.messages import well_formed
from tests.net.room.room_fixture import Table
from tests.net.room.sealed_table import SealedTable
from tests.net.room.twin_games import (
    Script,
    games,
    other_dwarves_and_goals,
    plan,
    twin_of,
    twin_script,
)
from tests.samples import first, pairs

pytestmark = pytest.mark.broad

PEOPLE = ("Ann", "Ben", "Cleo", "Dede", "Emil")
ME = 1
WIDELY = 4
"""A seat that changes hands."""


class CopiedTable(SealedTable):
    """A sealed table, whose log is copied, at which all come back after a crash."""

    def crash(self, incarnation: int | None = None) -> None:
        del incarnation
        self.kill()
        for name in PEOPLE:
            if self.people[name].farewell is None:
                self.come(name)


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
    monkeypatch.setattr("engine.notation.record.deal", table.dealt_by(script.deals))
    for seat in range(len(PEOPLE)):
        if isinstance(table.lobby.chairs[seat], Taken):
            table.wants(there(table, table.lobby.name_at(seat)), SetReady(ready=True))
    assert table.wants(there(table, "Ann"), Start()) is None
    for number, moves in enumerate(script.moves):
        if number:
            reseat(table, rng)
            assert table.wants(there(table, "Ann"), NextRound()) is None
        for move in moves:
            disturb(table, rng)
            make(table, move)


def make(table: Table, move: Move) -> None:
    """The next move of a script, by whoever has the seat: a person, a bot or nobody."""
    game = table.room.state.game
    assert game is not None
    assert game.to_act is not None
    while is_outnumbered(table.lobby):  # nobody moves until more than half are there
        gone = [one for _, one in table.lobby.sitting() if one.presence is not Presence.THERE]
        table.come(gone[0].name)
    if isinstance(table.lobby.chairs[game.to_act], Taken):
        assert table.plays(there(table, table.name_to_act()), move) is None
        return
    there(table, "Ann")
    turn = table.room.bot_turn()
    assert turn is not None
    table.happen(table.room.bot_moved(turn, move, table.now))


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
        table.wants(there(table, "Ann"), FreeSeat(WIDELY))
    elif kind == 1:
        table.wants(there(table, "Ann"), PutBot(WIDELY, f"Robo {table.now}", "random"))
    else:
        assert hand_over(table) is None


def hand_over(table: Table) -> Refusal | None:
    """Somebody new is given a seat, whoever had it before, and knows then what goes with it."""
    late = table.come(f"H{table.connections}", watch=True)
    return table.wants(there(table, "Ann"), HandOver(WIDELY, late.client.status.member))


def disturb(table: Table, rng: Random) -> None:
    """Something beside the game, the same at both tables."""
    name = rng.choice((*PEOPLE, "Wim"))
    connected = table.people[name]
    kind = rng.randrange(20)
    table.wait(0.5, *PEOPLE[3:])
    if kind == 0:
        table.come(name)
    elif kind == 1:
        table.room.lost(connected.connection, table.now)
        connected.client.disconnected()
    elif kind == 8 and rng.random() < 0.3:
        table.crash()
        for one in ("Ann", "Ben", "Wim"):
            table.come(one)
    elif kind == 9:
        away = "W0" if "W0" in table.people and rng.random() < 0.7 else "Emil"
        table.wants(there(table, "Ann"), Kick(table.people[away].client.status.member))
    elif kind == 10 and rng.random() < 0.5:
        assert hand_over(table) is Refusal.HOLDS_CARDS
    elif not connected.client.entered or connected.ended:
        return
    elif kind == 2:
        table.wants(name, Chat("I saw nothing " * rng.randint(1, 9)))
    elif kind == 3:
        table.wants(name, MakeClaim(TableClaim(Topic.DIGS_FOR_US, rng.randrange(5))))
    elif kind == 4:
        table.say(connected, Resync())
    elif kind == 5 and table.people["Ann"].client.entered:
        for paused in (True, False):
            assert table.wants("Ann", Pause(paused)) is None
    elif kind == 6:
        wrong = KeepGold(2) if table.room.state.phase is Phase.PLAY else Discard(CARDS[0])
        far = MakeMove(table.room.state.number, write_move(wrong))
        table.say(connected, ClientCommand(connected.client.last_id, far))
        table.wants(name, far)
    elif kind == 7:
        late = table.come(f"W{rng.randrange(4)}", watch=True)
        table.say(late, late.client.ping())


def sent(table: Table, name: str) -> list[HostMessage]:
    """All that somebody was sent, on all their connections."""
    return [
        one
        for connected in table.connected.values()
        if connected.name == name
        for one in connected.got
    ]


def same_to(one: Table, other: Table, name: str) -> None:
    """Assert that both tables sent somebody the same."""
    mine, theirs = sent(one, name), sent(other, name)
    assert mine == theirs
    assert [pack(message, MAX_HOST_FRAME_BYTES) for message in mine] == [
        pack(message, MAX_HOST_FRAME_BYTES) for message in theirs
    ]


def as_long_to_all(one: Table, other: Table) -> None:
    """Assert that all were sent as much, in as many frames, padding aside."""
    for name in {connected.name for connected in one.connected.values()}:
        mine, theirs = sent(one, name), sent(other, name)
        assert [len(msgspec.msgpack.encode(message)) for message in mine] == [
            len(msgspec.msgpack.encode(message)) for message in theirs
        ]


def without_ciphers(message: HostMessage) -> HostMessage:
    """A message with zeroes for what is encrypted, which is another at each table."""
    match message:
        case StepFrame(sealed=sealed) if sealed:
            return msgspec.structs.replace(message, sealed=write(masked(read_step(sealed))))
        case LogPart(steps=steps):
            shown = tuple(write(masked(read_step(step))) for step in steps)
            return msgspec.structs.replace(message, steps=shown)
        case KeyShareWanted(sealed):
            return KeyShareWanted(bytes(len(sealed)))
        case _:
            return message


def masked(step: Step) -> Step:
    """A step of a copy with zeroes for what is encrypted."""
    epoch = step.epoch
    if epoch is not None:
        shares = [KeyShare(one.member, bytes(len(one.sealed)), bytes(16)) for one in epoch.shares]
        assert not epoch.key
        epoch = Epoch(tuple(shares), bytes(len(epoch.previous)))
    return msgspec.structs.replace(step, sealed=bytes(len(step.sealed)), epoch=epoch)


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


@pytest.mark.rule("K")
@pytest.mark.parametrize(("seed", "level"), first(1, [(0, "random"), (1, "greedy")]))
@pytest.mark.parametrize(("book", "me"), first(2, pairs([*EDITIONS], (ME, None))))
def test_cards_that_a_seat_never_saw_change_nothing_it_is_sent_in_a_whole_game(
    seed: int, level: str, book: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level, EDITIONS[book])
    other = twin_script(script, me, seed)
    assert other.deals != script.deals
    one = perform(short_of_the_record(script), monkeypatch, seed)
    two = perform(short_of_the_record(other), monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W0")
    as_long_to_all(one, two)


@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(8)))
def test_copies_of_the_log_change_nothing_but_ciphers(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "random", tuple(EDITIONS.values())[seed % len(EDITIONS)])
    tables = [
        perform(short_of_the_record(one), monkeypatch, seed, CopiedTable)
        for one in (script, twin_script(script, ME, seed))
    ]
    one, two = tables
    assert any(isinstance(message, LogPart) for message in sent(one, PEOPLE[ME]))
    as_long_to_all(one, two)
    for name in (PEOPLE[ME], "Wim"):
        mine, theirs = (list(map(without_ciphers, sent(table, name))) for table in tables)
        assert mine == theirs


@pytest.mark.rule("K")
@pytest.mark.parametrize(
    ("seed", "level", "me"),
    first(2, [(n, *one) for n in range(6) for one in pairs(("random", "greedy"), (ME, None))]),
)
def test_dwarves_and_goals_that_a_seat_never_saw_change_nothing_until_they_are_turned_up(
    seed: int, level: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level, tuple(EDITIONS.values())[seed % len(EDITIONS)])
    _, end = next(games(script))
    assert any(isinstance(event, RoundEnded) for events in end.history for event in events)
    script = short_of_the_gold(script)
    other = with_other_dwarves(script, me, end, seed)
    one = perform(script, monkeypatch, seed)
    two = perform(other, monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W1")
    as_long_to_all(one, two)


@pytest.mark.rule("K")
@pytest.mark.parametrize("book", first(2, EDITIONS))
def test_gold_that_a_seat_was_not_shown_changes_nothing_it_is_sent(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = EDITIONS[book]
    for seed in range(40):
        script = plan(seed, "greedy", edition)
        _, end = next(games(script))
        found = end.round.table.end
        keeps = [move for move in script.moves[0] if isinstance(move, KeepGold)]
        if found is None or not keeps or found.roles[ME] == "m":
            continue
        pile = list(script.deals[0].gold)
        Random(seed).shuffle(pile)
        dealt = replace(script.deals[0], gold=tuple(pile))
        game, _ = Game.begin(dealt, edition, script.rounds)
        other: list[Move] = []
        for move in script.moves[0]:
            kept = isinstance(move, KeepGold)
            other.append(list(game.view(game.to_act).legal_moves())[-1] if kept else move)
            game, _ = game.apply(other[-1])
        script = replace(script, deals=script.deals[:1], moves=script.moves[:1])
        one = perform(script, monkeypatch, seed)
        two = perform(replace(script, deals=[dealt], moves=[other]), monkeypatch, seed)
        same_to(one, two, PEOPLE[ME])
        same_to(one, two, "Wim")
        as_long_to_all(one, two)
        return
    raise AssertionError("in no game they have gold to choose from")


@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(4)))
@pytest.mark.parametrize("me", [ME, None], ids=["seat", "watcher"])
def test_whatever_a_seat_asks_and_gets_wrong_it_is_answered_alike(
    seed: int, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "random")
    _, end = next(games(script))
    script = short_of_the_gold(script)
    script.moves[0] = script.moves[0][:12]
    tables = [
        perform(one, monkeypatch, seed)
        for one in (script, with_other_dwarves(script, me, end, seed))
    ]
    name = "Wim" if me is None else PEOPLE[ME]
    for table in tables:
        there(table, name)
    said = [one for one in well_formed(tables[0].room.state.number) if may_be_said(tables[0], one)]
    assert len(said) > 200
    for table in tables:
        for message in said:
            there(table, name)
            table.wait(0.5)
            connected = table.people[name]
            if isinstance(message, ClientCommand):
                connected.client.last_id += 1
                message = ClientCommand(connected.client.last_id, message.request)  # noqa: PLW2901 - a new id
            table.say(connected, message)
    one, two = tables
    same_to(one, two, name)
    as_long_to_all(one, two)


def may_be_said(table: Table, message: ClientMessage) -> bool:
    """Whether a message changes nothing: what a seat does by a good move, it knows itself."""
    if not isinstance(message, ClientCommand) or not isinstance(message.request, MakeMove):
        return True
    view = table.room.state.view(ME)
    assert view is not None
    return view.why_not(read_move(message.request.move)) is not None


@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_a_game_that_was_put_away_tells_nothing_in_the_next(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = plan(seed, "greedy", rounds=1), plan(seed + 100, "random", rounds=1)
    tables = []
    for script, then in (
        (first, second),
        (twin_script(first, ME, seed), twin_script(second, ME, seed)),
    ):
        table = perform(script, monkeypatch, seed)
        table.wait(3)
        before = {
            connected.connection: len(connected.got) for connected in table.connected.values()
        }
        assert table.wants(there(table, "Ann"), PlayAgain()) is None
        for name in ("Wim", PEOPLE[ME]):
            table.come(name)
        hand_over(table)
        perform_game(table, short_of_the_record(then), monkeypatch, seed)
        for guest in table.connected.values():
            del guest.got[: before.get(guest.connection, 0)]
        tables.append(table)
    one, two = tables
    same_to(one, two, PEOPLE[ME])
    as_long_to_all(one, two)


def test_a_refused_move_is_told_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    script = plan(1, "random")
    script = replace(script, deals=script.deals[:1], moves=[script.moves[0][:3]])
    table = perform(script, monkeypatch, 1)
    before = {connected.connection: len(connected.got) for connected in table.connected.values()}
    name = table.name_to_act()
    if not table.people[name].client.entered:
        table.come(name)
        before = {guest.connection: len(guest.got) for guest in table.connected.values()}
    assert table.plays(name, KeepGold(1)) is not None
    assert [
        guest.name
        for guest in table.connected.values()
        if len(guest.got) > before[guest.connection]
    ] == [name]


def test_this_would_notice_an_event_that_is_told_to_a_watcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leaky(event: Event) -> int | None:
        return None if isinstance(event, Dealt) else addressee(event)

    script = plan(0, "random")
    first, _ = next(games(script))
    moves = script.moves[0][:8]
    twin = twin_of(script.deals[0], moves, ME, Random(0), first)
    monkeypatch.setattr("net.room.broadcast.addressee", leaky)
    one = perform(replace(script, deals=script.deals[:1], moves=[moves]), monkeypatch, 0)
    two = perform(replace(script, deals=[twin.deal], moves=[list(twin.moves)]), monkeypatch, 0)
    with pytest.raises(AssertionError):
        same_to(one, two, "Wim")
