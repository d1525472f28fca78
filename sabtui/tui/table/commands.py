"""Commands of the table, the most useful first: for keys, footer, help and palette alike.

Keys that move the cursor are hidden from the footer: everybody tries them anyway. Rare commands of
the host are in the palette only; those needed in a hurry, or while the game stands still, have a
key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sabtui.text.audit import words_purpose
from sabtui.text.i18n import _, pgettext
from sabtui.tui.table.actions import (
    CardAction,
    HostAction,
    Jump,
    MoveCursor,
    Pan,
    PlayerAction,
    PressDigit,
    Scroll,
    SeatAction,
    TalkAction,
    ViewAction,
    Zoom,
)
from sabtui.tui.table.hand import MAX_HAND_CARDS
from sabtui.tui.table.selection import PLACE_DIGITS
from sabtui.tui.table.status import PAUSE_KEY

PAN_CELLS: Final = 3
"""Cells by which one key press pans the mine."""


@dataclass(frozen=True, slots=True)
class TableCommand:
    """Action with its name, keys, label, purpose and more words to find it by, as in `Command`."""

    name: str
    keys: tuple[str, ...]
    label: str
    purpose: str
    action: PlayerAction
    hidden: bool = False
    search: str = ""


def table_commands() -> Iterator[TableCommand]:
    """Yield all commands of the table."""
    yield from _playing()
    yield from _talking()
    yield from _looking()
    yield from _moving()
    yield from _leaving()
    yield from _hosting()
    yield from _sitting()


def _playing() -> Iterator[TableCommand]:
    yield TableCommand(
        "do",
        ("enter", "space"),
        _("do it"),
        _("do what the line above the keys offers"),
        CardAction.CONFIRM,
    )
    yield TableCommand(
        "turn",
        ("r",),
        # Translators: turn the chosen card around. Labels in the footer are one short word.
        pgettext("label", "turn"),
        _("turn the card, or repair the other tool"),
        CardAction.TURN,
    )
    yield TableCommand(
        "play turned",
        ("R",),
        pgettext("label", "turn"),
        _("turn the card and play it at once, where it fits either way"),
        CardAction.PLAY_TURNED,
        hidden=True,
    )
    yield TableCommand(
        "next",
        ("n",),
        pgettext("place", "next"),
        _("go to the next place for the chosen card, even past place 9"),
        Jump(1),
    )
    yield TableCommand(
        "previous",
        ("N",),
        pgettext("place", "previous"),
        _("go to the previous place"),
        Jump(-1),
        hidden=True,
    )
    yield TableCommand(
        "discard",
        ("x",),
        _("discard"),
        _("pass: discard the chosen card, or the one whose number follows"),
        CardAction.DISCARD,
    )
    yield TableCommand(
        "hint",
        ("i",),
        # Translators: ask for a hint, which is advice on what to do.
        pgettext("label", "hint"),
        _("suggest a move, and why; again for another"),
        CardAction.HINT,
    )
    first = _("choose card 1, or gold of one nugget; then place 1")
    both = _("choose card {digit}; then place {digit}")
    place = _("go to place {digit} of the chosen card")
    start = _("go to place 10 of the chosen card; without one, to the start")
    for digit in PLACE_DIGITS:
        if digit == 0:
            text = start
        elif digit == 1:
            text = first
        else:
            text = both if digit <= MAX_HAND_CARDS else place
        purpose, keys, label = text.format(digit=digit), (str(digit),), _("card")
        yield TableCommand(f"card {digit}", keys, label, purpose, PressDigit(digit), hidden=True)
    text = _("choose the next card")
    yield TableCommand("next card", ("e",), _("card"), text, CardAction.NEXT_CARD, hidden=True)
    yield TableCommand("back", ("escape",), _("back"), _("one step back"), ViewAction.BACK)


def _talking() -> Iterator[TableCommand]:
    yield TableCommand("talk", ("t",), _("talk"), _("say something to everybody"), TalkAction.TALK)
    yield TableCommand(
        "claim",
        ("c",),
        # Translators: say a quick claim; a verb.
        pgettext("label", "claim"),
        _("quick claim: a goal, a player or a tool"),
        TalkAction.CLAIMS,
    )
    yield TableCommand(
        "note",
        ("m",),
        # Translators: note whether a player is friend or foe, for oneself.
        pgettext("label", "mark"),
        _("mark a player as friend +, foe - or unsure ?, for your eyes only"),
        ViewAction.MARK,
    )


def _looking() -> Iterator[TableCommand]:
    yield TableCommand(
        "pane",
        ("tab",),
        # Translators: turn to the next page beside the mine; a noun.
        pgettext("label", "page"),
        _("the next page: moves, claims, cards, your role"),
        ViewAction.CHANGE_PANE,
    )
    yield TableCommand(
        "role",
        ("u",),
        _("role"),
        _("show your role card and your gold, or put it away"),
        ViewAction.SHOW_ROLE,
        hidden=True,
    )
    yield TableCommand(
        "log",
        ("L", "slash"),
        _("log"),
        _("the whole log on a screen of its own; / searches it"),
        ViewAction.READ_LOG,
        hidden=True,
    )
    yield TableCommand("words", (), "words", words_purpose(), ViewAction.TELL_WORDS, hidden=True)
    yield TableCommand(
        "players",
        ("p",),
        _("players"),
        _("switch between the mine and the players"),
        ViewAction.TO_PLAYERS,
        hidden=True,
    )
    yield TableCommand(
        "veil",
        ("v",),
        # Translators: hide what you are from people behind you.
        pgettext("label", "hide"),
        _("hide your role from onlookers, or show it"),
        ViewAction.TOGGLE_VEIL,
        hidden=True,
    )
    goals = _("go to the goals, one after another")
    for name, keys, purpose, action in (
        ("newest", ("full_stop",), _("go to the newest card"), ViewAction.TO_NEWEST),
        ("start", ("home",), _("go to the start"), ViewAction.TO_START),
        ("goals", ("end", "g"), goals, ViewAction.TO_GOALS),
        ("all", ("z",), _("show all of the mine; again to go back"), ViewAction.FIT),
        ("larger", ("plus", "equals_sign"), _("draw larger tiles"), Zoom(1)),
        ("smaller", ("minus",), _("draw smaller tiles"), Zoom(-1)),
    ):
        yield TableCommand(name, keys, purpose, purpose, action, hidden=True)
    older, newer = ("pageup",), ("pagedown",)
    yield TableCommand("older", older, _("older"), _("older lines"), Scroll(1), hidden=True)
    yield TableCommand("newer", newer, _("newer"), _("newer lines"), Scroll(-1), hidden=True)


def _moving() -> Iterator[TableCommand]:
    ways = (
        ("left", ("left", "h", "a"), _("go left"), _("scroll the mine left"), -1, 0),
        ("down", ("down", "j", "s"), _("go down"), _("scroll the mine down"), 0, 1),
        ("up", ("up", "k", "w"), _("go up"), _("scroll the mine up"), 0, -1),
        ("right", ("right", "l", "d"), _("go right"), _("scroll the mine right"), 1, 0),
    )
    for name, keys, purpose, panned, east, south in ways:
        move, pan = MoveCursor(east, south), Pan(PAN_CELLS * east, PAN_CELLS * south)
        yield TableCommand(name, keys, purpose, purpose, move, hidden=True)
        others = (f"shift+{name}", f"ctrl+{name}")
        yield TableCommand(f"pan {name}", others, purpose, panned, pan, hidden=True)


def _leaving() -> Iterator[TableCommand]:
    yield TableCommand(
        "replay",
        ("W",),
        # Translators: watch the finished game again; a noun.
        pgettext("label", "replay"),
        _("watch the finished game again; r reviews it there"),
        SeatAction.WATCH_AGAIN,
    )
    yield TableCommand(
        "save",
        ("S",),
        _("save"),
        _("save the record of the finished game"),
        SeatAction.SAVE_RECORD,
    )
    yield TableCommand(
        "picture",
        ("I",),
        # Translators: save a picture (image) of the result; a noun.
        pgettext("label", "picture"),
        _("save a picture of the final table"),
        SeatAction.SAVE_PICTURE,
    )
    yield TableCommand(
        "autopilot",
        ("A",),
        _("autopilot"),
        _("let a bot play for you, or take over again"),
        CardAction.AUTOPILOT,
        hidden=True,
    )
    leaving = _("leave for now; asks first")
    yield TableCommand("leave", ("q",), _("leave"), leaving, SeatAction.LEAVE)


def _hosting() -> Iterator[TableCommand]:
    text = _("host: play unsaved; a crash loses the game")
    yield TableCommand("unsaved", ("f",), _("unsaved"), text, HostAction.GO_UNSAVED)
    # Translators: more words by which the command "pause or resume the game" is found.
    more = pgettext("search", "go on, continue, unpause, stop")
    away = _("host: remove the player under the cursor")
    give = _("host: give the seat under the cursor to a watcher")
    host = _("host: let another computer run the table")
    for name, key, purpose, action in (
        ("pause", PAUSE_KEY, _("host: pause or resume the game"), HostAction.PAUSE),
        ("next round", "", _("host: deal the next round without waiting"), HostAction.NEXT_ROUND),
        ("kick", "K", away, HostAction.KICK),
        ("hand over", "", give, HostAction.HAND_OVER),
        ("give host", "G", host, HostAction.GIVE_HOST),
        ("lock", "", _("host: lock the table, or unlock it"), HostAction.LOCK),
        ("new code", "", _("host: replace the room code"), HostAction.NEW_CODE),
        ("close", "C", _("host: close the table for good"), HostAction.CLOSE),
    ):
        yield TableCommand(
            name,
            (key,) if key else (),
            name,
            purpose,
            action,
            hidden=True,
            search=more if action is HostAction.PAUSE else "",
        )


def _sitting() -> Iterator[TableCommand]:
    sit = _("take the seat under the cursor, between rounds")
    yield TableCommand("sit", (), "sit", sit, SeatAction.SIT, hidden=True)
    text, name = _("leave for good, and give up your seat"), "leave for good"
    yield TableCommand(name, (), name, text, SeatAction.LEAVE_FOR_GOOD, hidden=True)
