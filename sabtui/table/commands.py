"""The commands at a table (`TABLE_COMMANDS`), with their keys, words and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from msgspec import structs

from engine.state import Phase
from net.client.session import Status
from net.protocol import requests
from net.protocol.cleaning import is_numbered
from net.protocol.doors import DoorKind
from net.protocol.fields import NOBODY
from net.protocol.lobby import (
    BOT_NAMES,
    DEFAULT_LEVEL,
    BotChair,
    Chair,
    Free,
    Lobby,
    Person,
    Presence,
    TablePhase,
    Taken,
    bot_names,
)
from net.protocol.messages import Refusal
from net.protocol.requests import Request
from net.room.permissions import people_awaited, people_waited_for, players_missing, who_decides
from sabtui.text import seats
from sabtui.text.connection import lost_host
from sabtui.text.door_words import door_name, door_purpose
from sabtui.text.i18n import _, capitalise, lazy, pgettext
from sabtui.text.lobby import doors_words, seat_needed, why_not_here
from sabtui.text.names import list_colours, list_faces
from sabtui.text.reasons import refusal_sentence, why_unavailable
from sabtui.text.settings import next_level, nothing_changed


@dataclass(frozen=True, slots=True)
class Target:
    """Target of a command, at a table that the player sees as `status`."""

    status: Status
    seat: int | None = None  # the selected seat
    member: int | None = None  # the person there, or a watcher
    to: int | None = None  # the member who gets the seat, if one was picked
    reaction: requests.Reaction | None = None  # the reaction that was picked
    look: int = 0  # face or colour that was picked
    how: str = ""  # sentence that says how to select a seat
    word: str | None = None  # typed word of the command; `None` on a screen
    asked: Mapping[int, str] = field(default_factory=dict[int, str])
    """Levels of bots that were requested and have not arrived yet, by seat."""

    @property
    def lobby(self) -> Lobby:
        assert self.status.lobby is not None
        return self.status.lobby

    @property
    def chair(self) -> Chair | None:
        """The selected chair, `None` for a watcher."""
        return None if self.seat is None else self.lobby.chairs[self.seat]

    @property
    def person(self) -> Person | None:
        """The selected person, `None` for a bot or a free chair."""
        return None if self.member is None else self.lobby.person(self.member)

    @property
    def name(self) -> str:
        """Name of the selected player, "" for a free chair."""
        if self.seat is not None:
            return self.lobby.name_at(self.seat)
        return "" if self.person is None else self.person.name

    @property
    def is_in_game(self) -> bool:
        view = self.status.view
        return view is not None and view.phase is not Phase.OVER


def target_seat(status: Status, seat: int | None, how: str = "") -> Target:
    chair = None if seat is None or status.lobby is None else status.lobby.chairs[seat]
    return Target(status, seat, chair.member if isinstance(chair, Taken) else None, how=how)


def gets_host_commands(status: Status) -> bool:
    """Return True for the host, except in practice, where the table has no name."""
    return status.is_host and (status.lobby is None or bool(status.lobby.name))


def concerns_all(_status: Status) -> bool:
    return True


class Argument(Enum):
    """Kind of text that follows the typed word of a command."""

    NOTHING = auto()
    SEAT = auto()
    PERSON = auto()
    SEAT_AND_PERSON = auto()
    CHOICE = auto()  # the number of one of `others`, from 1


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a command on a screen; if `is_hidden`, the footer leaves it out."""

    keys: tuple[str, ...] = ()
    is_hidden: bool = True


def hide_keys(*keys: str) -> Keys:
    """Return keys that the footer leaves out; without any, the command is only in the palette."""
    return Keys(keys)


def show_keys(*keys: str) -> Keys:
    return Keys(keys, is_hidden=False)


def no_question(_target: Target) -> str:
    """Return "", as the question of a command that runs at once."""
    return ""


def explain_no_target(target: Target) -> str:
    """Return why a command has no target: an empty seat, or none selected."""
    return seats.nobody_sits() if target.seat is not None else target.how


@dataclass(frozen=True, slots=True)
class TableCommand:
    """A request to a table, with all words and keys that lead to it."""

    name: str
    purpose: Callable[[], str]  # phrase for help and palette
    request: Callable[[Target], Request | None]  # `None` if something must be selected first
    offered_to: Callable[[Status], bool] | None = None  # `None`: only to the host
    label: Callable[[], str] | None = None  # word for the footer, `None` if that leaves it out
    lobby: Keys | None = None  # keys in the lobby, `None` where it is not offered
    table: Keys | None = None  # its keys during a game
    typed: tuple[str, ...] = ()  # words in lines
    takes: Argument = Argument.NOTHING  # what follows the typed word
    choose: Callable[[Target], str] = explain_no_target  # says what to select first
    instead: Callable[[Target], Mapping[Refusal, str]] = (
        lambda _target: {}
    )  # what to say for refusals
    question: Callable[[Target], str] = no_question  # asked first on a screen, unless it is ""
    warning: Callable[[Target], str] = no_question  # what would be lost
    is_final: bool = False  # True if the question is asked in lines, too
    pick: Callable[[Target], str] = no_question  # asks which of several `others` is meant
    others: Callable[[Target], tuple[tuple[str, Target], ...]] = lambda _target: ()
    is_listed: bool = True  # False if help leaves it out: a sentence offers it when it is useful

    @property
    def is_for_host(self) -> bool:
        return self.offered_to is None

    def concerns(self, status: Status) -> bool:
        """Return False for people who can never do this: it is not offered to them."""
        return (self.offered_to or gets_host_commands)(status)

    def why_not(self, target: Target) -> str | None:
        """Explain why this cannot be done now; `None` if it can."""
        if target.status.lobby is None:
            return seats.not_at_table()
        instead = self.instead(target)
        if self.is_for_host and not target.status.is_host:
            return instead.get(Refusal.HOST_ONLY) or refusal_sentence(Refusal.HOST_ONLY)
        request = self.request(target)
        if request is None:
            return self.choose(target)
        return why_unavailable(target.status, request, instead)

    def refusal(self, target: Target) -> Refusal | None:
        """Return why the table would refuse this; `None` if it would not, or lacks a target."""
        if self.is_for_host and not target.status.is_host:
            return Refusal.HOST_ONLY
        request = self.request(target)
        return None if request is None else target.status.why_not(request)

    def ask(self, target: Target) -> str:
        """Return the question that a screen asks first, with its warning; "" for none."""
        return f"{self.question(target)} {self.warning(target)}".strip()


def what_start_needs(lobby: Lobby) -> str | None:
    """Return what a game still needs before it can start; `None` for nothing."""
    missing = players_missing(lobby)
    if missing:
        return seats.more_needed(missing, "b")
    return seats.waiting_sentence(people_awaited(lobby))


def _why_no_start(target: Target) -> Mapping[Refusal, str]:
    # In lines the refusal says it: these sentences name keys of the screen.
    awaits = what_start_needs(target.lobby) if target.word is None else None
    return {Refusal.TOO_FEW: awaits, Refusal.NOT_READY: awaits} if awaits else {}


START: Final = TableCommand(
    "start",
    lazy("start the game"),
    lambda _target: requests.Start(),
    label=lazy("start"),
    lobby=show_keys("enter"),
    typed=("start",),
    instead=_why_no_start,
)


def _switch_to(target: Target, on: str, *, is_on: bool) -> bool:
    """Return the new state of a switch: what the typed word says; a key on a screen toggles it."""
    return not is_on if target.word is None else target.word == on


def _be_ready(target: Target) -> Request | None:
    if target.word is None and target.lobby.stage is TablePhase.LOBBY and target.status.is_host:
        return None  # on the host's screen, this key does nothing before a game
    is_ready = target.lobby.is_ready(target.status.member)
    return requests.SetReady(_switch_to(target, "ready", is_on=is_ready))


READY: Final = TableCommand(
    "ready",
    lazy("mark yourself ready, or not ready"),
    _be_ready,
    concerns_all,
    label=lambda: pgettext("a player", "ready"),
    lobby=hide_keys("r"),
    typed=("ready", "unready"),
    choose=lambda _target: seats.enter_starts(),
)


def _why_not_sit(target: Target) -> Mapping[Refusal, str]:
    seated = _("You already have a seat.")
    reasons = {Refusal.NOT_NOW: seats.between_rounds(), Refusal.SEATED: seated}
    return {**reasons, Refusal.SEAT_TAKEN: seated} if target.seat == target.status.seat else reasons


def _choose_seat(target: Target) -> str:
    """Return how to select a seat or, if there is none to take now, why not."""
    reason = target.status.why_not(requests.Sit(0))
    if reason in {None, Refusal.SEAT_TAKEN}:
        return target.how
    return why_unavailable(target.status, requests.Sit(0), _why_not_sit(target)) or target.how


SIT: Final = TableCommand(
    "sit",
    lazy("take a free seat"),
    lambda target: None if target.seat is None else requests.Sit(target.seat),
    lambda status: status.seat is None or status.view is None,
    label=lazy("sit here"),
    lobby=show_keys("enter"),
    table=hide_keys(),
    typed=("sit",),
    takes=Argument.SEAT,
    choose=_choose_seat,
    instead=_why_not_sit,
)

HOST_SIT: Final = replace(
    SIT, name="host sit", offered_to=None, lobby=hide_keys("s"), table=None, typed=()
)
"""`SIT` for the host in the lobby, whose Enter starts the game."""

STAND: Final = TableCommand(
    "stand",
    lazy("give up your seat and watch"),
    lambda _target: requests.StandUp(),
    lambda status: status.seat is not None,
    label=lazy("stand up"),
    lobby=show_keys("u"),
    typed=("stand",),
)

LEAVE_FOR_GOOD: Final = TableCommand(
    "leave for good",
    lazy("leave for good, and give up your seat"),
    lambda _target: requests.Leave(),
    lambda status: not status.is_host,
    table=hide_keys(),
    typed=("leave",),
    question=lambda _target: seats.leave_table_question(),
    warning=lambda target: (
        _("A bot takes over, and your copy of the game is not saved.") if target.is_in_game else ""
    ),
    is_final=True,
)


def _put_bot(target: Target) -> Request | None:
    """Return the request for one more bot: on this chair, else on the next or the first free seat.

    Seats for which a bot was just asked count as taken, while others are free.
    """
    seat, free = target.seat, target.lobby.free_seats
    if not free:
        return None
    free = tuple(other for other in free if other not in target.asked) or free
    if seat not in free:
        seat = next((other for other in free if seat is not None and other > seat), free[0])
    taken = target.lobby.names()
    # Each seat suggests a different name: bots may be added faster than the host answers.
    usual = BOT_NAMES[(seat - 1) % len(BOT_NAMES)]
    name = bot_names(1, taken)[0] if usual.casefold() in taken else usual
    return requests.PutBot(seat, name, DEFAULT_LEVEL)


BOT: Final = TableCommand(
    "bot",
    lazy("add a bot"),
    _put_bot,
    # Translators: add a bot to the seat.
    label=lambda: pgettext("label", "bot"),
    lobby=show_keys("b"),
    choose=lambda _target: _("No seat is free for a bot: press e to add seats."),
)


def _change_level(by: int) -> Callable[[Target], Request | None]:
    """Return a function that makes the request to change the level of the selected bot."""

    def request(target: Target) -> Request | None:
        if target.seat is None or not isinstance(target.chair, BotChair):
            return None
        level = target.asked.get(target.seat, target.chair.level)
        return requests.PutBot(target.seat, target.chair.name, next_level(level, by))

    return request


STRONGER: Final = TableCommand(
    "stronger",
    lazy("change the level of the bot there"),
    _change_level(1),
    # Translators: change the level of the bot there.
    label=lambda: pgettext("label", "level"),
    lobby=show_keys("plus", "equals_sign"),
    typed=("level",),
    takes=Argument.SEAT,
    choose=lambda _target: _("No bot sits there."),
)

WEAKER: Final = TableCommand(
    "weaker",
    lazy("change the level of the bot there"),
    _change_level(-1),
    lobby=hide_keys("minus"),
    choose=lambda _target: _("No bot sits there."),
)


def _remove(target: Target) -> Request | None:
    if target.member is not None:
        return requests.Kick(target.member)
    return requests.FreeSeat(target.seat) if target.seat is not None and target.name else None


def _ask_to_remove(target: Target) -> str:
    """Return the question before somebody is removed; an open table cannot keep them out."""
    if target.member is None:
        return ""
    text = _("Remove {name} for good?")
    if target.lobby.settings.is_open:
        # Translators: {code} is the label of the command for it: new code.
        text = _("Remove {name}? The table is open: only a code keeps people out ({code}).")
    return text.format(name=target.name, code=_("new code"))


REMOVE: Final = TableCommand(
    "remove",
    lazy("remove a bot or a person"),
    _remove,
    label=lazy("remove"),
    lobby=show_keys("x", "delete"),
    table=hide_keys("K"),
    typed=("remove",),
    takes=Argument.PERSON,
    instead=lambda _target: {Refusal.NOT_NOW: seats.between_rounds()},
    question=_ask_to_remove,
    is_final=True,
)


def _mark_youngest(target: Target) -> Request | None:
    """Return the request to let that player begin; repeating it has the seat drawn (S8)."""
    if target.seat is None or isinstance(target.chair, Free):
        return None
    settings = target.lobby.settings
    seat = NOBODY if settings.youngest == target.seat else target.seat
    return requests.ChangeSettings(structs.replace(settings, youngest=seat))


YOUNGEST: Final = TableCommand(
    "youngest",
    lazy("mark the youngest player, who goes first"),
    _mark_youngest,
    label=lazy("youngest"),
    lobby=show_keys("y"),
)


def _takers(target: Target) -> tuple[Person, ...]:
    """Return the connected people to whom a seat may be given.

    These are the watchers and, before a game, namesakes: people who return on a new device already
    have another seat, under their name with a number.
    """
    lobby = target.lobby
    begins = lobby.stage is TablePhase.LOBBY
    return tuple(
        person
        for person in lobby.people
        if person.presence is Presence.THERE
        and not person.projector
        and (
            lobby.seat_of(person.member) is None
            or (begins and is_numbered(person.name, target.name))
        )
    )


def _hand_over(target: Target) -> Request | None:
    to = (
        target.to
        if target.to is not None
        else next((person.member for person in _takers(target)), None)
    )
    free = target.seat is None or isinstance(target.chair, Free)
    return None if free or target.seat is None or to is None else requests.HandOver(target.seat, to)


def _choose_owner(target: Target) -> str:
    if not _takers(target):
        return refusal_sentence(Refusal.SEATED)
    return explain_no_target(target)


def _give_question(target: Target) -> str:
    request = _hand_over(target)
    to = target.lobby.person(request.member) if isinstance(request, requests.HandOver) else None
    if to is None or target.seat is None:
        return ""
    text = _("Give {owner}'s seat {seat} to {name}?")
    return text.format(owner=target.name, seat=target.seat + 1, name=to.name)


HAND_OVER: Final = TableCommand(
    "hand over",
    lazy("give a seat to a watcher"),
    _hand_over,
    # Translators: give a seat to a watcher.
    label=lambda: pgettext("label", "give"),
    lobby=show_keys("g"),
    table=hide_keys(),
    typed=("give",),
    takes=Argument.SEAT_AND_PERSON,
    choose=_choose_owner,
    question=_give_question,
    pick=lambda target: _("Who gets seat {seat}, with its cards and gold?").format(
        seat=(target.seat or 0) + 1
    ),
    others=lambda target: tuple(
        (person.name, replace(target, to=person.member)) for person in _takers(target)
    ),
)

STARTING: Final = (START, READY)
SEATING: Final = (SIT, HOST_SIT, STAND, LEAVE_FOR_GOOD)
FILLING: Final = (BOT, REMOVE, STRONGER, WEAKER, YOUNGEST)


UNSAVED: Final = TableCommand(
    "unsaved",
    lazy("continue without saving; a crash loses the game"),
    lambda _target: requests.GoUnsaved(),
    label=lazy("unsaved"),
    lobby=show_keys("f"),
    table=show_keys("f"),
    typed=("unsaved",),
    instead=lambda _target: {Refusal.NOT_NOW: nothing_changed()},
    question=lambda _target: _("Play on unsaved? If the table's computer stops, the game is lost."),
)

PAUSE_KEY: Final = "P"  # the host's key that pauses and resumes the game

PAUSE: Final = TableCommand(
    "pause",
    lazy("pause or resume the game"),
    lambda target: requests.Pause(_switch_to(target, "pause", is_on=target.lobby.paused)),
    table=hide_keys(PAUSE_KEY),
    typed=("pause", "go"),
)


def _may_deal(status: Status) -> bool:
    """Return True for the host, and for the player who decides while the host is away or late."""
    lobby = status.lobby
    is_next = lobby is not None and status.member == who_decides(lobby, people_awaited(lobby))
    return gets_host_commands(status) or (is_next and status.view is not None)


NEXT_ROUND: Final = TableCommand(
    "next round",
    lazy("deal the next round without waiting"),
    lambda _target: requests.NextRound(),
    _may_deal,
    table=hide_keys(),
    typed=("next",),
    instead=lambda _target: {Refusal.NOT_NOW: seats.between_rounds()},
)


PLAY_AGAIN: Final = TableCommand(
    "again", lazy("play another game"), lambda _target: requests.PlayAgain(), typed=("again", "a")
)

LOCK: Final = TableCommand(
    "lock",
    lazy("lock the table to newcomers, or unlock it"),
    lambda target: requests.Lock(_switch_to(target, "lock", is_on=target.lobby.locked)),
    label=lazy("lock"),
    lobby=hide_keys(),
    table=hide_keys(),
    typed=("lock", "unlock"),
)


def _draw_code(target: Target) -> Request:
    """Return the request for a new code; a table without a code asks for one from then on."""
    settings = target.lobby.settings
    if not settings.is_open:
        return requests.NewCode()
    return requests.ChangeSettings(structs.replace(settings, is_open=False))


def _ask_for_new_code(target: Target) -> str:
    """Return the question before a code is replaced, "" at a table that uses none."""
    if target.lobby.settings.is_open:
        return ""
    text = _("Replace the room code {code}? The old one lets nobody in then.")
    return text.format(code=target.status.code.upper())


NEW_CODE: Final = TableCommand(
    "new code",
    lazy("draw a room code; an old one expires"),
    _draw_code,
    label=lazy("new code"),
    lobby=hide_keys(),
    table=hide_keys(),
    typed=("code", "new-code"),
    question=_ask_for_new_code,
    is_final=True,
)


def is_open(status: Status, kind: DoorKind) -> bool:
    return any(door.kind is kind and door.port for door in status.doors)


def _switch_door(name: str, kind: DoorKind, key: str) -> TableCommand:
    return TableCommand(
        name,
        lambda: door_purpose(kind),
        lambda target: requests.SwitchDoor(kind, open=not is_open(target.status, kind)),
        label=lambda: door_name(kind),
        lobby=hide_keys(key),
        table=hide_keys(),
    )


WEB_DOOR: Final = _switch_door("browser door", DoorKind.WEB, "p")
SSH_DOOR: Final = _switch_door("ssh door", DoorKind.SSH, "d")


closing_question: Final = lazy("Close the table for everybody?")


CLOSE: Final = TableCommand(
    "close",
    lazy("close the table for good"),
    lambda _target: requests.Close(),
    table=hide_keys("C"),
    typed=("close",),
    question=lambda _target: closing_question(),
    warning=lambda target: seats.game_lost() if target.is_in_game else "",
    is_final=True,
)

GO_ON: Final = TableCommand(
    "go on here",
    lazy("move the table to your computer, if the host's is gone"),
    lambda _target: requests.TakeOverHere(),
    lambda status: status.can_host and not status.is_host,
    label=lazy("go on here"),
    lobby=hide_keys("G"),
    table=hide_keys("G"),
    typed=("go-on",),
    instead=lambda target: {Refusal.NOT_NOW: why_not_here(target.status)},
    question=lambda _target: _("Move the table to your computer and host it?"),
    warning=lambda target: doors_words(target.status),
    is_listed=False,
)

SWITCH_HOST: Final = TableCommand(
    "go over",
    lazy("go to the table at another computer, if it runs there too"),
    lambda _target: requests.SwitchHost(),
    lambda status: status.elsewhere is not None,
    lobby=hide_keys("O"),
    table=hide_keys("O"),
    typed=("go-over",),
    instead=lambda _target: {Refusal.NOT_NOW: _("The table runs at no other computer.")},
    is_listed=False,
)

GIVE_HOST: Final = TableCommand(
    "give host",
    lazy("ask a player to run the table at their computer"),
    lambda target: None if target.member is None else requests.GiveHost(target.member),
    lobby=hide_keys("G"),
    table=hide_keys("G"),
    typed=("give-host",),
    takes=Argument.PERSON,
    instead=lambda _target: {Refusal.NO_SEAT: seat_needed()},
    question=lambda target: (
        "" if target.member is None else _("Ask {name} to run the table?").format(name=target.name)
    ),
)


def _why_no_knock(target: Target) -> Mapping[Refusal, str]:
    me = target.lobby.person(target.status.member)
    if me is not None and me in people_waited_for(target.lobby, target.status.view):
        return {Refusal.NOT_NOW: _("The table waits for you.")}
    return {Refusal.NOT_NOW: _("Nobody is keeping the table waiting.")}


WAIT_NO_LONGER: Final = TableCommand(
    "wait no longer",
    lazy("play on without the missing players"),
    lambda target: (
        requests.StopWaiting()
        if target.status.gathering is not None
        else requests.ContinueWithout()
    ),
    lambda status: status.gathering is not None or status.may_continue,
    lobby=hide_keys("E"),
    table=hide_keys("E"),
    typed=("enough",),
    instead=lambda _target: {Refusal.NOT_NOW: _("Nobody is keeping the table waiting.")},
    is_listed=False,
)

NUDGE: Final = TableCommand(
    "nudge",
    # Translators: knock on the table, so that the player whose turn it is looks up.
    lazy("knock to remind whoever keeps you waiting"),
    lambda _target: requests.Nudge(),
    lambda status: status.seat is not None,
    # Translators: knock on the table, so that the player whose turn it is looks up; a verb.
    label=lambda: pgettext("label", "knock"),
    table=show_keys("exclamation_mark"),
    typed=("nudge",),
    instead=_why_no_knock,
)


def _reaction(
    name: str,
    label: Callable[[], str],
    reaction: requests.Reaction,
) -> TableCommand:
    return TableCommand(
        name,
        label,
        lambda _target: requests.React(reaction),
        concerns_all,
        label=label,
        lobby=hide_keys(),
        table=hide_keys(),
        typed=(name,),
        instead=_why_no_reaction,
        is_listed=False,
    )


def _why_no_reaction(_target: Target) -> Mapping[Refusal, str]:
    return {Refusal.NOT_NOW: lost_host()}


REACTIONS: Final = (
    _reaction(
        "laugh",
        # Translators: a reaction to what others do.
        lambda: pgettext("label", "laugh"),
        requests.Reaction.LAUGH,
    ),
    _reaction(
        "applaud",
        # Translators: a reaction to what others do.
        lambda: pgettext("label", "applause"),
        requests.Reaction.APPLAUD,
    ),
    _reaction(
        "gasp",
        # Translators: a reaction to what others do.
        lambda: pgettext("label", "gasp"),
        requests.Reaction.GASP,
    ),
    _reaction(
        "hurry",
        # Translators: a reaction to what others do.
        lambda: pgettext("label", "hurry up"),
        requests.Reaction.HURRY,
    ),
)

REACT: Final = TableCommand(
    "react",
    lazy("laugh, applaud, gasp, or say: hurry up!"),
    lambda target: requests.React(target.reaction or requests.Reaction.LAUGH),
    concerns_all,
    # Translators: show a reaction; a verb.
    label=lambda: pgettext("label", "react"),
    lobby=hide_keys("z"),
    table=hide_keys("z"),
    instead=_why_no_reaction,
    pick=lambda _target: capitalise(pgettext("label", "react")),
    others=lambda target: tuple(
        (command.label() if command.label else command.name, replace(target, reaction=reaction))
        for command, reaction in zip(REACTIONS, requests.Reaction, strict=True)
    ),
)
"""All reactions with one key and a digit."""


def _pick_look(
    name: str, purpose: Callable[[], str], key: str, list_looks: Callable[[], tuple[str, ...]]
) -> TableCommand:
    def request(target: Target) -> Request:
        dwarf = target.lobby.find_person(target.status.member).dwarf
        return requests.PickDwarf(structs.replace(dwarf, **{name: target.look}))

    return TableCommand(
        name,
        purpose,
        request,
        lambda status: status.seat is not None,
        lobby=hide_keys(key),
        typed=(name,),
        takes=Argument.CHOICE,
        instead=lambda _target: {Refusal.NOT_NOW: _("You can only do that before a game.")},
        pick=lambda _target: capitalise(purpose()),
        others=lambda target: tuple(
            (look, replace(target, look=at)) for at, look in enumerate(list_looks())
        ),
        is_listed=False,
    )


LOOK_COMMANDS: Final = (
    _pick_look("face", lazy("pick your dwarf's face"), "k", list_faces),
    _pick_look("colour", lazy("pick your dwarf's colour"), "c", list_colours),
)

LET_BOT_MOVE: Final = TableCommand(
    "let bot move",
    lazy("let a bot make this move for a slow player"),
    lambda _target: requests.LetBotMove(),
    lambda status: status.seat is not None or status.is_host,
    table=hide_keys(),
    typed=("bot-move",),
    instead=lambda _target: {Refusal.NOT_NOW: _("Nobody is keeping the table waiting.")},
    is_listed=False,
)

WAITING: Final = (NUDGE, LET_BOT_MOVE)

REACTING: Final = (REACT, *REACTIONS)

MOVING: Final = (GO_ON, SWITCH_HOST, WAIT_NO_LONGER)

HOSTING: Final = (
    HAND_OVER,
    GIVE_HOST,
    UNSAVED,
    PAUSE,
    NEXT_ROUND,
    PLAY_AGAIN,
    LOCK,
    NEW_CODE,
    WEB_DOOR,
    SSH_DOOR,
    CLOSE,
)
TABLE_COMMANDS: Final = (
    *STARTING,
    *SEATING,
    *FILLING,
    *WAITING,
    *REACTING,
    *LOOK_COMMANDS,
    *MOVING,
    *HOSTING,
)
"""Every command, the families in the order in which footer and help show them."""
