"""Commands of the table, the most useful first: for keys, footer, help and palette alike.

Keys that move the cursor are hidden from the footer: everybody tries them anyway. Rare commands of
the host are in the palette only; those needed in a hurry, or while the game stands still, have a
key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, Protocol, TypeAlias

from net.client.session import Status
from sabtui.table.deed import is_host
from sabtui.table.deeds import DEEDS
from sabtui.text.audit import words_purpose
from sabtui.text.i18n import _, pgettext
from sabtui.text.seats import autopilot_purpose
from sabtui.tui.command import Command, host_title
from sabtui.tui.table import card_actions, host_actions, view_actions
from sabtui.tui.table.actions import Action, TableStep
from sabtui.tui.table.assist import AUTOPILOT, HINT
from sabtui.tui.table.layout import MAX_HAND_CARDS

AZERTY_DIGITS: Final = tuple(
    (key,)
    for key in (
        *("ampersand", "é", "quotation_mark", "apostrophe"),
        *("left_parenthesis", "minus"),
    )
)
"""Keys of the digits from 1 on, on a French keyboard, which types digits only with Shift."""

PAN_CELLS: Final = 3
"""Cells by which one key press pans the mine."""


class ActionTaker(Protocol):
    """Taker of the commands' actions: the table's screen."""

    status: Status

    def act(self, step: TableStep) -> None:
        """Take an action."""

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable now, or `None`."""


BoundAction: TypeAlias = tuple[Callable[[], object], Callable[[], str | None], Callable[[], bool]]
"""An action as a command has it: to take it, why not, and whether it concerns the player."""

BindAction: TypeAlias = Callable[[Action], BoundAction]


def _bind(player: ActionTaker, action: Action) -> BoundAction:
    """Return an action of a player as a command has it."""
    return (
        partial(player.act, action),
        partial(player.why_not, action),
        lambda: action.concerns(player.status),
    )


def table_commands(player: ActionTaker) -> Iterator[Command]:
    """Yield all commands of the table."""
    bind = partial(_bind, player)
    # Translators: a title in help: playing cards.
    play = pgettext("help", "Play")
    # Translators: a title in help: looking around.
    look = pgettext("help", "Look")
    for group, commands in (
        (play, _playing(bind)),
        (look, _moving(bind)),
        (_("Talk"), _talking(bind)),
        (look, _looking(bind)),
        ("", _leaving(bind)),
    ):
        yield from (replace(command, group=group) for command in commands)
    for deed in DEEDS:
        if deed.table is not None:
            yield Command(
                deed.name,
                deed.table.keys,
                deed.label() if deed.label else deed.name,
                deed.purpose(),
                *bind(host_actions.do_deed(deed)),
                hidden=deed.table.is_hidden,
                search=deed.search(),
                group=host_title() if deed.concerns is is_host else "",
            )


def _playing(bind: BindAction) -> Iterator[Command]:
    text = _("choose a card")
    for digit, spare in zip(range(1, MAX_HAND_CARDS + 1), AZERTY_DIGITS, strict=True):
        name, keys, act = f"card {digit}", (str(digit),), bind(card_actions.choose_card(digit))
        yield Command(name, keys, text, text, *act, series=True, spare_keys=spare)
    yield Command(
        "do",
        ("enter", "space"),
        _("do it"),
        _("do what the line above says"),
        *bind(card_actions.CONFIRM),
    )
    yield Command(
        "turn",
        ("r",),
        # Translators: turn the chosen card around. Labels in the footer are one short word.
        pgettext("label", "turn"),
        _("turn the card, or repair the other tool"),
        *bind(card_actions.TURN),
    )
    yield Command(
        "play turned",
        ("R",),
        pgettext("label", "turn"),
        _("turn the card and play it at once, where it fits either way"),
        *bind(card_actions.PLAY_TURNED),
        hidden=True,
    )
    yield Command(
        "next",
        ("n",),
        pgettext("row", "next"),
        _("go to the next place for the chosen card"),
        *bind(card_actions.jump(1)),
    )
    yield Command(
        "previous",
        ("N",),
        pgettext("replay", "previous"),
        _("go to the previous place"),
        *bind(card_actions.jump(-1)),
        hidden=True,
    )
    yield Command(
        "discard",
        ("x",),
        _("discard"),
        _("pass: discard the chosen card, or the one whose number follows"),
        *bind(card_actions.DISCARD),
    )
    yield Command(
        "hint",
        ("i",),
        # Translators: ask for a hint, which is advice on what to do.
        pgettext("label", "hint"),
        _("suggest a move, and why; again for another"),
        *bind(HINT),
    )
    text = _("choose the next card")
    yield Command("next card", ("e",), _("card"), text, *bind(card_actions.NEXT_CARD), hidden=True)
    yield Command("back", ("escape",), _("back"), _("one step back"), *bind(view_actions.BACK))


def _talking(bind: BindAction) -> Iterator[Command]:
    yield Command(
        "talk", ("t",), _("talk"), _("say something to everybody"), *bind(view_actions.TALK)
    )
    yield Command(
        "claim",
        ("c",),
        # Translators: say a quick claim; a verb.
        pgettext("label", "claim"),
        _("quick claim: a goal, a player or a tool"),
        *bind(view_actions.CLAIMS),
    )
    yield Command(
        "note",
        ("m",),
        # Translators: note whether a player is friend or foe, for oneself.
        pgettext("label", "mark"),
        _("mark a player as friend +, foe - or unsure ?, for your eyes only"),
        *bind(view_actions.MARK),
    )


def _looking(bind: BindAction) -> Iterator[Command]:
    yield Command(
        "pane",
        ("tab",),
        # Translators: turn to the next page beside the mine; a noun.
        _("page"),
        _("the next page: moves, claims, cards, your role"),
        *bind(view_actions.CHANGE_PANE),
    )
    yield Command(
        "role",
        ("u",),
        _("role"),
        _("show your role card and your gold, or put it away"),
        *bind(view_actions.SHOW_ROLE),
        hidden=True,
    )
    yield Command(
        "log",
        ("L", "slash"),
        _("log"),
        _("the whole log on a screen of its own; / searches it"),
        *bind(view_actions.READ_LOG),
        hidden=True,
    )
    yield Command(
        "words", (), "words", words_purpose(), *bind(view_actions.TELL_WORDS), hidden=True
    )
    yield Command(
        "players",
        ("p",),
        _("players"),
        _("switch between the mine and the players"),
        *bind(view_actions.TO_PLAYERS),
        hidden=True,
    )
    yield Command(
        "veil",
        ("v",),
        # Translators: hide what you are from people behind you.
        pgettext("label", "hide"),
        _("hide your role from onlookers, or show it"),
        *bind(view_actions.TOGGLE_VEIL),
        hidden=True,
    )
    goals = _("go to the goals, one after another")
    for name, keys, purpose, action in (
        ("newest", ("full_stop",), _("go to the newest card"), view_actions.TO_NEWEST),
        ("start", ("home",), _("go to the start"), view_actions.TO_START),
        ("goals", ("end", "g"), goals, view_actions.TO_GOALS),
        ("all", ("z",), _("show all of the mine; again to go back"), view_actions.FIT),
        ("larger", ("plus", "equals_sign"), _("draw larger tiles"), view_actions.zoom(1)),
        ("smaller", ("minus",), _("draw smaller tiles"), view_actions.zoom(-1)),
        ("older", ("pageup",), _("older lines"), view_actions.scroll(1)),
        ("newer", ("pagedown",), _("newer lines"), view_actions.scroll(-1)),
    ):
        yield Command(name, keys, purpose, purpose, *bind(action), hidden=True)


def _moving(bind: BindAction) -> Iterator[Command]:
    ways = (
        ("left", ("left", "h", "a"), -1, 0),
        ("down", ("down", "j", "s"), 0, 1),
        ("up", ("up", "k", "w"), 0, -1),
        ("right", ("right", "l", "d"), 1, 0),
    )
    purpose = _("move over the mine")
    for name, keys, east, south in ways:
        move = view_actions.move_cursor(east, south)
        yield Command(name, keys, purpose, purpose, *bind(move), series=True)
    purpose = _("scroll the mine")
    for name, _keys, east, south in ways:
        pan = view_actions.pan(PAN_CELLS * east, PAN_CELLS * south)
        both = (f"shift+{name}", f"ctrl+{name}")
        yield Command(f"pan {name}", both, purpose, purpose, *bind(pan), hidden=True, series=True)


def _leaving(bind: BindAction) -> Iterator[Command]:
    yield Command(
        "replay",
        ("W",),
        # Translators: watch the finished game again; a noun.
        pgettext("label", "replay"),
        _("watch the finished game again; r reviews it there"),
        *bind(host_actions.WATCH_AGAIN),
    )
    yield Command(
        "save",
        ("S",),
        _("save"),
        _("save the record of the finished game"),
        *bind(host_actions.SAVE_RECORD),
    )
    yield Command(
        "picture",
        ("I",),
        # Translators: save a picture (image) of the result; a noun.
        pgettext("label", "picture"),
        _("save a picture of the final table"),
        *bind(host_actions.SAVE_PICTURE),
    )
    yield Command(
        "autopilot",
        ("A",),
        _("autopilot"),
        autopilot_purpose(),
        *bind(AUTOPILOT),
        hidden=True,
    )
    leaving = _("leave for now, and come back later")
    yield Command("leave", ("q",), _("leave"), leaving, *bind(host_actions.LEAVE))
