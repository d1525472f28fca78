"""A host that is somebody's own program, and says what no honest one lets in."""

import pytest
from msgspec.structs import replace

from net.protocol.chat import ChatLine
from net.protocol.framing import BadFrame
from net.protocol.lobby import BotChair, TableClaim, Topic
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSat,
    Claimed,
    Entered,
    LobbyEvent,
    Said,
)
from net.protocol.messages import Snapshot, StepFrame, hash_of_all
from net.room.broadcast import snapshot
from tests.net.room.room_fixture import Table, awaiting, three_at_a_table

HOSTILE = "\x1b[2Jbob"
TOO_WIDE = "x" * 25


def next_step(table: Table, *lobby_events: LobbyEvent) -> StepFrame:
    """The step that would come next, with this news."""
    last = table.people["Ben"].numbered[-1]
    return StepFrame(table.room.state.number + 1, last.incarnation, 0, lobby_events, (), bytes(8))


def whole(table: Table) -> Snapshot:
    """The snapshot that Ben would be sent now."""
    return snapshot(table.room.state, 2, 1, table.room.disk)


@pytest.mark.parametrize(
    "event",
    [
        Entered(9, HOSTILE, is_host=False),
        Entered(9, TOO_WIDE, is_host=False),
        BotSat(1, HOSTILE, "random"),
        BotSat(1, "Bo", "\x1b[31mrandom"),
        BotRetired("\x1b[31m", "medium"),
        BotRetired("random", "fa\u202eir"),
        Said(1, "look: \u202eevil"),
        Said(1, " "),
    ],
)
def test_news_with_text_that_no_host_lets_in_ends_the_connection(event: LobbyEvent) -> None:
    table = three_at_a_table()
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(next_step(table, event))


@pytest.mark.parametrize(
    "event",
    [
        Claimed(1, TableClaim(Topic.GOLD_AT, 3)),
        BotClaimed(1, TableClaim(Topic.HELP_ME, 9)),
        BotClaimed(1, TableClaim(Topic.WHO_ME, 1)),
    ],
)
def test_a_claim_about_what_no_table_has_is_not_taken_in(event: LobbyEvent) -> None:
    table = three_at_a_table()
    client = table.people["Ben"].client
    assert client.receive(next_step(table, event)).disagreed
    assert client.lost


def test_a_snapshot_with_such_text_ends_the_link_wherever_it_is() -> None:
    table = three_at_a_table()
    honest = whole(table)
    lobby = honest.lobby
    client = table.people["Ben"].client
    awaiting(client).receive(honest)
    chairs = (*lobby.chairs[:2], BotChair(HOSTILE, "random"))
    people = (*lobby.people[:2], replace(lobby.people[2], name=HOSTILE))
    spoilt = [
        replace(honest, lobby=replace(lobby, name=HOSTILE)),
        replace(honest, lobby=replace(lobby, chairs=chairs)),
        replace(honest, lobby=replace(lobby, people=people)),
        replace(honest, talk=(ChatLine(HOSTILE, 0, "hello"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "\x07"),)),
        replace(honest, talk=(ChatLine("Ann", 0, "", TableClaim(Topic.STONE_AT, 9)),)),
    ]
    for one in spoilt:
        # Its hash fits: the host is the one who lies.
        with pytest.raises(BadFrame):
            awaiting(client).receive(set_hash(one))


def set_hash(snapshot: Snapshot) -> Snapshot:
    """The same with the hash that it would have."""
    return replace(snapshot, hash=hash_of_all(snapshot.lobby, None))
