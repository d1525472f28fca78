"""A deed: what a person may ask of a table, with its keys, words, question and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from engine.state import Phase
from net.client.session import Status
from net.protocol.lobby import Chair, Lobby, Person, Taken
from net.protocol.messages import Refusal
from net.protocol.requests import Request
from sabtui.text.i18n import _
from sabtui.text.reasons import refusal_sentence, why_unavailable
from sabtui.text.seats import not_at_table


@dataclass(frozen=True, slots=True)
class Aim:
    """Target of a deed, at a table that its doer sees as `status`.

    `seat` is the seat pointed at, `member` the person there, or a watcher; `to` is the member who
    gets the seat, if one was picked. `how` says how to point at a seat. `word` is the typed word of
    the deed, "" on a screen. `asked` has the levels of bots that were asked for and are not there
    yet, by their seats.
    """

    status: Status
    seat: int | None = None
    member: int | None = None
    to: int | None = None
    how: str = ""
    word: str = ""
    asked: Mapping[int, str] = field(default_factory=dict[int, str])

    @property
    def lobby(self) -> Lobby:
        """Lobby of the table, which is known."""
        assert self.status.lobby is not None
        return self.status.lobby

    @property
    def chair(self) -> Chair | None:
        """Chair pointed at, `None` for a watcher."""
        return None if self.seat is None else self.lobby.chairs[self.seat]

    @property
    def person(self) -> Person | None:
        """Person pointed at, `None` for a bot or a free chair."""
        return None if self.member is None else self.lobby.person(self.member)

    @property
    def name(self) -> str:
        """Name of the player pointed at, "" for a free chair."""
        if self.seat is not None:
            return self.lobby.name_at(self.seat)
        return "" if self.person is None else self.person.name

    @property
    def is_in_game(self) -> bool:
        """True during a game that is not over."""
        view = self.status.view
        return view is not None and view.phase is not Phase.OVER


def aim_at(status: Status, seat: int | None, how: str = "") -> Aim:
    """Return the aim at a seat, and at the person there."""
    chair = None if seat is None or status.lobby is None else status.lobby.chairs[seat]
    return Aim(status, seat, chair.member if isinstance(chair, Taken) else None, how=how)


def is_host(status: Status) -> bool:
    """Return True for a host of others: the default `concerns`. Practice tables have no name."""
    return status.is_host and (status.lobby is None or bool(status.lobby.name))


def everybody(_status: Status) -> bool:
    """Return True: the `concerns` of a deed of each person."""
    return True


class Argument(Enum):
    """Text that follows the typed word of a deed."""

    NOTHING = auto()
    SEAT = auto()
    PERSON = auto()
    SEAT_AND_PERSON = auto()


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a deed on a screen; if `is_hidden`, the footer leaves it out."""

    keys: tuple[str, ...] = ()
    is_hidden: bool = True


def hide_keys(*keys: str) -> Keys:
    """Return keys that the footer leaves out; without any, the deed is in the palette alone."""
    return Keys(keys)


def show_keys(*keys: str) -> Keys:
    """Return keys that the footer shows."""
    return Keys(keys, is_hidden=False)


def no_words(_aim: Aim) -> str:
    """Return "": the default question, of a deed that is done at once."""
    return ""


def nobody_there(aim: Aim) -> str:
    """Return the reason against a deed for which nothing fitting is pointed at."""
    return _("Nobody sits there.") if aim.seat is not None else aim.how


@dataclass(frozen=True, slots=True)
class Deed:
    """Deed at a table: a request, with all words and keys that lead to it.

    `purpose` is a phrase for help and palette, `search` more words to find it by, and `label` a
    word for the footer, if that shows it. `request` returns the request, `None` if something is to
    be pointed at first: what, says `choose`. `concerns` returns False if a person can never do
    this: then it is not offered. `lobby` and `table` are its keys there, `None` where it is not
    offered. `typed` are its words in lines, and `takes` is what follows them. `instead` has
    sentences that say more than the usual ones on a refusal. On a screen, `question` is asked
    first, if it is not "", and `warning` says what is lost; a typed word is meant, and asked about
    only if the deed `is_final`. `pick` is the question which of several `others` is meant.
    """

    name: str
    purpose: Callable[[], str]
    request: Callable[[Aim], Request | None]
    concerns: Callable[[Status], bool] = is_host
    label: Callable[[], str] | None = None
    lobby: Keys | None = None
    table: Keys | None = None
    typed: tuple[str, ...] = ()
    takes: Argument = Argument.NOTHING
    choose: Callable[[Aim], str] = nobody_there
    instead: Callable[[Aim], Mapping[Refusal, str]] = lambda _aim: {}
    question: Callable[[Aim], str] = no_words
    warning: Callable[[Aim], str] = no_words
    is_final: bool = False
    search: Callable[[], str] = str
    pick: Callable[[Aim], str] = no_words
    others: Callable[[Aim], tuple[tuple[str, Aim], ...]] = lambda _aim: ()
    is_listed: bool = True
    """False if help for lines leaves it out: a sentence offers it when it is of use."""

    def why_not(self, aim: Aim) -> str | None:
        """Return the sentence that says why this cannot be done now, or `None`."""
        if aim.status.lobby is None:
            return not_at_table()
        instead = self.instead(aim)
        if self.concerns is is_host and not aim.status.is_host:
            return instead.get(Refusal.HOST_ONLY) or refusal_sentence(Refusal.HOST_ONLY)
        request = self.request(aim)
        if request is None:
            return self.choose(aim)
        return why_unavailable(aim.status, request, instead)

    def ask(self, aim: Aim) -> str:
        """Return the question that a screen asks first, with its warning; "" for none."""
        return f"{self.question(aim)} {self.warning(aim)}".strip()
