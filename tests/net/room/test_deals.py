"""Each round is dealt from its own seed, drawn when it is dealt: no journal tells a later round."""

import msgspec
import pytest

from engine import Phase
from engine.notation import Record, parse_record
from net.protocol.lobby import Settings
from net.protocol.requests import NextRound, Start
from net.room import inputs
from net.room.state import Begin, DealNext, Step, read_step, write
from tests.net.room.room_fixture import Table, bots, play_on, playing


def seed_of(number: int) -> bytes:
    """One of many seeds."""
    return number.to_bytes(32, "big")


def after_a_round(*, alone: bool = False) -> Table:
    """A table whose first round is over, with two guests or with bots."""
    if alone:
        table = Table(Settings(seats=3, rounds=3))
        table.come("Ann")
        bots(table, (1, 2))
        assert table.wants("Ann", Start()) is None
    else:
        table = playing(Settings(seats=3, rounds=3))
    play_on(table)
    assert table.room.state.phase is Phase.DEAL
    return table


@pytest.mark.parametrize("alone", [True, False])
def test_two_copies_of_a_journal_deal_two_next_rounds(*, alone: bool) -> None:
    table, games = after_a_round(alone=alone), []
    kept = tuple(table.disk)
    for number in (1000, 2000):
        table.seed = seed_of(number)
        table.room = inputs.resume(table.kept, kept, 2, lambda: table.seed, table.now)
        for name in table.people:
            table.come(name)
        assert table.wants("Ann", NextRound()) is None
        games.append(table.game)
    one, two = (game.round for game in games)
    assert (one.roles, one.hands, one.pile) != (two.roles, two.hands, two.pile)


def test_what_is_in_the_journal_before_a_round_is_dealt_holds_no_seed_of_it() -> None:
    table = after_a_round()
    table.seed = seed_of(7)
    before = b"".join(table.disk)
    assert table.wants("Ann", NextRound()) is None
    (share,) = [step.share for step in map(read_step, table.disk) if step.share == seed_of(7)]
    assert share not in before
    record = table.room.state.record
    assert record is not None
    assert record.seeds[1] not in before


def test_the_record_tells_the_shares_of_each_round_and_is_checked_by_them() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table)
    table.seed = seed_of(1)
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    held = table.people["Ben"].held
    record = parse_record(held.record)
    assert isinstance(record, Record)
    draws = [draw for draw in record.draws if draw is not None]
    assert [draw.host.share for draw in draws] == [bytes(range(32)), seed_of(1)]
    assert [draw.dealers for draw in draws] == [("Ann", "Ben", "Cleo")] * 2
    assert record.seeds == tuple(draw.seed for draw in draws)


def test_a_journal_from_before_each_round_had_a_seed_deals_as_it_did_then() -> None:
    table = after_a_round(alone=True)
    old = [*table.disk, msgspec.msgpack.encode([0, 0, [[13]], [2]])]
    new = [*table.disk, write(Step(news=read_step(old[-1]).news, act=DealNext(bytes(range(32)))))]
    begun = next(act for act in (read_step(one).act for one in old) if isinstance(act, Begin))
    assert begun.seed == bytes(range(32))
    one, two = (inputs.resume(table.kept, disk, 2, lambda: b"", 0.0).state for disk in (old, new))
    assert one.game == two.game
    assert one.game is not None
    assert one.game.score.number == 2
