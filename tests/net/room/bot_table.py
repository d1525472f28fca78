"""A table at which bots speak."""

from __future__ import annotations

from random import Random

from engine import Break, Map, Phase
from engine.bots import BOTS, Playouts
from net.protocol.lobby import ChatRule, Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed
from net.protocol.messages import StepFrame
from net.protocol.requests import MakeClaim, PutBot, SetReady, Start
from net.room import inputs
from net.room.bots import BotClaimDue, BotClaimRequest, Occasion, bot_claim
from tests.net.room.room_fixture import Table
from tests.net.room.twin_tables import make

SEATS = Settings(seats=5, rounds=1, chat=ChatRule.ALL)

NAMES = {2: "Borin", 3: "Dagna", 4: "Eitri"}


def with_bots(settings: Settings = SEATS, seed: int = 0) -> Table:
    """Ann and Ben in a game with three bots, and Wim who watches."""
    table = Table(settings, Random(seed).randbytes(32))
    for name in ("Ann", "Ben"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    table.come("Wim", watch=True)
    for seat, name in NAMES.items():
        assert table.wants("Ann", PutBot(seat, name, "random")) is None
    assert table.wants("Ann", Start()) is None
    return table


def play(table: Table, rng: Random) -> None:
    """Whose turn it is makes some move, a bold one if there is one."""
    game = table.game
    view = game.view(game.to_act)
    bold = [move for move in view.legal_moves() if isinstance(move, Map | Break)]
    make(table, rng.choice(bold) if bold else BOTS["random"](view, rng, Playouts(0)))


def claim_due_of(table: Table, kind: type[Occasion], seed: int = 1) -> BotClaimRequest:
    """Play until a bot is to speak on such an occasion; on others they say nothing."""
    rng = Random(seed)
    while True:
        due = table.room.claim_request()
        if due is None:
            assert table.room.state.phase is Phase.PLAY, "there was no such occasion"
            play(table, rng)
        elif isinstance(due.occasion, kind):
            return due
        else:
            claims(table, due, None)


def claims(table: Table, due: BotClaimDue, claim: TableClaim | None) -> None:
    """A bot claims this, or nothing."""
    table.happen(inputs.make_bot_claim(table.room, table.now, due, claim))


def speak(table: Table, due: BotClaimRequest) -> TableClaim | None:
    """The bot says what it has to say."""
    claim = bot_claim(due.view, due.occasion)
    claims(table, due, claim)
    return claim


def claims_heard(table: Table, name: str) -> list[BotClaimed]:
    """All news of bots' claims that somebody was told."""
    lines = [message for message in table.people[name].got if isinstance(message, StepFrame)]
    return [event for line in lines for event in line.lobby_events if isinstance(event, BotClaimed)]


def blames(table: Table, name: str, seat: int, topic: Topic = Topic.DIGS_AGAINST_US) -> None:
    """Somebody blames a seat."""
    table.wait(3)  # who talks too fast is not heard
    assert table.wants(name, MakeClaim(TableClaim(topic, seat))) is None


def first_claim(table: Table) -> BotClaimRequest:
    """What a bot is to speak of now."""
    due = table.room.claim_request()
    assert due is not None
    return due
