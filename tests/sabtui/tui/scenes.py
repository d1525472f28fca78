"""Moments at a table, made by hand: what each seat would hold, without a host.

Knows positions, lobbies and talk. Everything is fixed: nothing here is drawn by lot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from engine.actions import Broke, Looked
from engine.cards import Goal, Path, Role, Tool
from engine.edition import INTERNATIONAL
from engine.events import (
    Event,
    GoldReceived,
    GoldTaken,
    Laid,
    Passed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
)
from engine.notation import parse_position
from engine.state import Score
from engine.view import View
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.chat import ChatHistory, ChatLine, Moment
from net.protocol.lobby import (
    Absence,
    BotChair,
    Evening,
    Lobby,
    Person,
    Presence,
    Settings,
    TableClaim,
    TablePhase,
    Taken,
    Topic,
)
from net.protocol.lobby_events import LobbyEvent, Rematch
from sabtui.table.sight import Sight

MINE = (
    "NS@0n1/EW@1/NEW@2/ESW@2n1/nesw@2n2/EW@3/NES@3n1/ns@4s1/SW@4n1/NES@5/nw@5s1/NS@6n1"
    " ?/(NW)/(NESW)"
)
HAND = "NE/NES/ew/-L/+PC/R"
OTHERS = "5,6,6,4"


def view(
    mine: str = MINE, hand: str = HAND, seat: int = 0, turn: int | None = 1, role: str = "m"
) -> View:
    """What Ana knows in the second round of a game of five."""
    pile = min(18, 30 - mine.count("@"))
    line = f"{mine} {turn or '-'} -,P,PLC,-,- {hand},{OTHERS} {pile} {role}????+?"
    seen = parse_position(line, INTERNATIONAL).view(seat)
    score = replace(Score.empty(3, 5), number=2, wins=(Role.MINER,), cards=(1, 1, 0, 2, 1), pile=23)
    told: tuple[Event, ...] = (
        Laid(3, Path.read("ESW"), (2, -1)),
        Broke(3, Tool.PICK, 1),
        Looked(2, (8, -2)),
        Laid(4, Path.read("SW"), (4, -1)),
    )
    table = seen.table._replace(last_card=4, last_path=4, starter=2)
    return seen._replace(score=score, table=table, gold=(2,), history=told)


CROWD = (
    *("Ana", "Maximilian", "Chiara", "Dede"),
    *("Eitri", "Frida", "Gromm", "Hulda", "Ivald", "Norri"),
)
"""Ten players; those after the fourth are bots."""


def crowd(turn: int | None = 1) -> View:
    """What Ana knows at a table of ten."""
    line = (
        f"{MINE} {turn or '-'} -,P,PLC,-,-,LC,-,-,C,- NE/NES/ew/-L,4,4,4,4,4,4,4,4,4 0 m{'?' * 9}+?"
    )
    seen = parse_position(line, INTERNATIONAL).view(0)
    return seen._replace(score=replace(Score.empty(1, 10), number=1, pile=12))


def crowd_now(of: View | None = None) -> Status:
    """What Ana holds at a table of ten."""
    bots = tuple(BotChair(name, "easy") for name in CROWD[4:])
    few = lobby(CROWD[:4])
    at = structs.replace(few, chairs=(*few.chairs[:4], *bots))
    return now(of or crowd(), at)


def possible() -> View:
    """Ana's turn, of which nothing is told that did not happen: bots think it through."""
    return view()._replace(history=())


def lobby(names: Iterable[str] = ("Ana", "Bruno", "Chiara", "Dede")) -> Lobby:
    """Four people, one of them shaky and one gone, a bot, and one who watches."""
    people = tuple(names)
    presences = (Presence.THERE, Presence.THERE, Presence.SHAKY, Presence.GONE)
    return Lobby(
        "Gold Rush",
        Settings(absent=Absence.WAIT),
        (
            *(Taken(member, ready=False) for member in range(1, len(people) + 1)),
            BotChair("Norri", "easy"),
        ),
        (
            *(
                Person(member, name, presence)
                for member, (name, presence) in enumerate(zip(people, presences, strict=True), 1)
            ),
            Person(9, "Zoe", Presence.THERE),
        ),
        host=1,
        stage=TablePhase.PLAYING,
    )


LATELY = Moment(view().score.number, 0)
TALK = (
    ChatLine("Dede", 3, "the south one is stone, trust me", None, LATELY),
    ChatLine("Bruno", 1, "", TableClaim(Topic.GOLD_AT, 2), LATELY),
    ChatLine("Zoe", -1, "good luck to all of you!", None, LATELY),
)


def now(of: View | None = None, at: Lobby | None = None, talk: ChatHistory = TALK) -> Status:
    """What Ana holds."""
    held = GameState(1, 57, at or lobby(), view() if of is None else of, talk)
    return Status(ConnectionState.CONNECTED, 1, held)


def sight(status: Status | None = None) -> Sight:
    """What Ana sees."""
    seen = Sight.of(now() if status is None else status)
    assert seen is not None
    return seen


def in_lobby(at: Lobby) -> Status:
    """What Ana holds of a table without a game."""
    return Status(ConnectionState.CONNECTED, 1, GameState(1, 57, at, None, TALK))


def between_games() -> tuple[Status, tuple[LobbyEvent, ...]]:
    """The second game of an evening is over; what is told when the host goes on to the third."""
    here = structs.replace(lobby(), settings=Settings(seats=5), evening=EVENING)
    return in_lobby(here), (Rematch(),)


EVENING = (
    Evening()
    .after(("Ana", "Bruno", "Chiara", "Fay", "Norri"), (4, 7, 0, 2, 1))
    .after(("Ana", "Bruno", "Chiara", "Dede", "Norri"), (5, 0, 5, 1, 3))
)


ENDED = RoundEnded(
    Role.MINER,
    (Role.MINER, Role.SABOTEUR, Role.MINER, Role.MINER, Role.MINER),
    Role.SABOTEUR,
    (Goal.STONE_NE, Goal.STONE_NW, Goal.TREASURE),
)


def between() -> View:
    """The round has been won, and gold shared."""
    seen = view()
    table = seen.table._replace(turn=None, end=ENDED, hands=(0,) * 5)
    score = replace(seen.score, wins=(Role.MINER, Role.MINER), cards=(2, 1, 1, 3, 2), pile=19)
    return seen._replace(table=table, score=score, hand=(), gold=(3, 2))


def choosing() -> View:
    """Ana is to choose gold."""
    seen = between()
    score = replace(seen.score, offer=4, chooser=0)
    return seen._replace(score=score, offer=(3, 2, 1, 1), gold=(2,))


def over() -> View:
    """The game is over."""
    seen = between()
    score = replace(
        seen.score, number=3, gold=((3, 2), (3,), (1,), (3, 1, 1), (3,)), chits=(0, 0, 0, 0, 0)
    )
    return seen._replace(score=score)


def _round(number: int, winner: Role, dwarves: str, gold: dict[int, int]) -> tuple[Event, ...]:
    """A round as the record of the game tells it: roles by seat, and who got how many nuggets."""
    roles = tuple(map(Role, dwarves))
    began = RoundBegan(number, 0, (6,) * 5, 37)
    laid: tuple[Event, ...] = (
        *(Laid(seat, Path.read("EW"), (seat, 0)) for seat in (0, 0, 1, 2, 2, 2, 3, 4, 4)),
        *(Laid(seat, Path.read("ew"), (seat, 1)) for seat, role in enumerate(roles) if role == "s"),
        *(Broke(1, Tool.CART, 2), Broke(4, Tool.PICK, 0), Passed(3), Passed(0)),
    )
    ended = RoundEnded(winner, roles, Role.SABOTEUR, ENDED.goals)
    paid: tuple[Event, ...] = tuple(
        event
        for seat, nuggets in gold.items()
        for event in (GoldTaken(seat), GoldReceived(seat, (nuggets,)))
    )
    if winner is Role.SABOTEUR:
        cards = tuple(int(seat in gold) for seat in range(5))
        paid = (SaboteursPaid(max(gold.values()), cards, (0,) * 5),)
    return (began, *laid, ended, *paid)


ROUNDS = (
    *_round(1, Role.MINER, "mmsms", {0: 3, 1: 3, 3: 1}),
    *_round(2, Role.SABOTEUR, "mmmss", {3: 3, 4: 3}),
    *_round(3, Role.MINER, "msmmm", {0: 2, 2: 1, 3: 1}),
)
"""A whole game, of which nothing is hidden any more."""


def round_over() -> Status:
    """What Ana holds when a round is over and its gold is shared."""
    taken = (GoldTaken(3), GoldTaken(0), GoldReceived(0, (3,)), GoldTaken(4), GoldTaken(2))
    seen: tuple[Event, ...] = (RoundBegan(2, 2, (6,) * 5, 37), ENDED, *taken)
    held = GameState(1, 57, lobby(), between(), TALK, past=seen)
    return Status(ConnectionState.CONNECTED, 1, held)


def finished_status() -> Status:
    """What Ana holds when the game is over, and its record published."""
    held = GameState(1, 57, lobby(), over(), TALK, past=ROUNDS)
    return Status(ConnectionState.CONNECTED, 1, held)


def crowd_finished() -> Status:
    """What Ana holds at a table of ten when the game is over."""
    gold = ((3, 1), (1,), (2,), (1,), (1, 1), (2, 2), (), (3, 3), (1,), (2,))
    view = crowd()
    score = replace(view.score, gold=gold, chits=(0,) * 10, wins=(Role.MINER,))
    end = replace(ENDED, roles=tuple(map(Role, "mmsmmmsmms")))
    taken = ((seat, nuggets) for seat, cards in enumerate(gold) for nuggets in cards)
    won: list[Event] = []
    for seat, nuggets in taken:
        won += GoldTaken(seat), GoldReceived(seat, (nuggets,))
    events: tuple[Event, ...] = (RoundBegan(1, 0, (4,) * 10, 37), *view.history, end, *won)
    over_now = view._replace(score=score, table=view.table._replace(end=end, turn=None))
    now_held = crowd_now(over_now).game_state
    assert now_held is not None
    return Status(ConnectionState.CONNECTED, 1, replace(now_held, past=events))


def hostile() -> Status:
    """Names and talk that try to be markup, escapes, wide or tall, as they arrive: cleaned."""
    names = (
        "[red]Ana[/]",
        "金金金金金金金金金金金金",
        "\u00e9\u0301lan \u00e5\u0323",
        "[@click=app.quit]x",
    )
    talk = (
        ChatLine(names[3], 3, "[link=http://x]hi[/] \\[b] {0} %s", None, LATELY),
        ChatLine(names[1], 1, "金" * 50, None, LATELY),
        ChatLine(names[2], 2, "a\u0300\u0301" * 30, None, LATELY),
    )
    held = GameState(1, 57, lobby(names), view(), talk)
    return Status(ConnectionState.CONNECTED, 1, held)
