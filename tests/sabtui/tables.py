"""Lobbies as values: who sits where, told in one call."""

from __future__ import annotations

from net.protocol.lobby import (
    BotChair,
    Chair,
    Free,
    Lobby,
    Person,
    Presence,
    Settings,
    TablePhase,
    Taken,
)

ANA, BRUNO, DEDE, EVA = 1, 2, 3, 4
NAMES = {ANA: "Ana", BRUNO: "Bruno", DEDE: "Dede", EVA: "Eva"}
BOT = BotChair("Borin", "easy")
FREE = Free()


def sits(member: int, *, ready: bool = True) -> Taken:
    """A member's chair."""
    return Taken(member, ready)


def lobby(
    *chairs: Chair,
    settings: Settings | None = None,
    stage: TablePhase = TablePhase.LOBBY,
    presence: Presence = Presence.THERE,
    people: tuple[int, ...] = (ANA, BRUNO, DEDE, EVA),
) -> Lobby:
    """A table whose host is Ana. `presence` is Dede's."""
    chairs = chairs or (sits(ANA), sits(BRUNO), sits(DEDE), BOT, FREE)
    return Lobby(
        "Gold Rush",
        settings or Settings(seats=len(chairs)),
        chairs,
        tuple(
            Person(member, NAMES[member], presence if member == DEDE else Presence.THERE)
            for member in people
        ),
        host=ANA,
        stage=stage,
    )
