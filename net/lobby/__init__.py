"""A table beside its game: who is there, on which terms, and what is said. All of it public.

The host's room and every client hold the same `Lobby` and fold it by the same `News`. Knows no
key, link, card or clock.
"""

from net.lobby.claims import Claim, Topic
from net.lobby.lines import BEFORE_ALL, Line, Moment, Talk, in_order, moment, said_in, talk_after
from net.lobby.news import News, after
from net.lobby.talk import clean_text
from net.lobby.values import (
    Absence,
    BotChair,
    Chair,
    Free,
    Lobby,
    Person,
    Presence,
    Settings,
    Stage,
    Taken,
)

__all__ = [
    "BEFORE_ALL",
    "Absence",
    "BotChair",
    "Chair",
    "Claim",
    "Free",
    "Line",
    "Lobby",
    "Moment",
    "News",
    "Person",
    "Presence",
    "Settings",
    "Stage",
    "Taken",
    "Talk",
    "Topic",
    "after",
    "clean_text",
    "in_order",
    "moment",
    "said_in",
    "talk_after",
]
