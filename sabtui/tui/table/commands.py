"""Commands of the table, the most useful first: for keys, footer, help and palette alike.

Keys that move the cursor are hidden from the footer: everybody tries them anyway. Rare commands of
the host are in the palette only; those needed in a hurry, or while the game stands still, have a
key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

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
from sabtui.tui.table.selection import PLACE_DIGITS

PAN_CELLS: Final = 3
"""Cells by which one key press pans the mine."""


class ActionTaker(Protocol):
    """Taker of the commands' actions: the table's screen."""

    status: Status

    def act(self, step: TableStep) -> None:
        """Take an action."""

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable now, or `None`."""


@dataclass(frozen=True, slots=True)
class Giver:
    """Makes the commands of a player from their actions, below the title of a `group`."""

    player: ActionTaker
    group: str = ""

    def __call__(  # noqa: PLR0913 - a command has these fields
        self,
        name: str,
        keys: tuple[str, ...],
        label: str,
        purpose: str,
        action: Action,
        *,
        hidden: bool = False,
        search: str = "",
        series: bool = False,
    ) -> Command:
        """Return a command that takes an action."""
        player = self.player
        return Command(
            name,
            keys,
            label,
            purpose,
            partial(player.act, action),
            partial(player.why_not, action),
            hidden,
            lambda: action.concerns(player.status),
            search,
            self.group,
            series,
        )


def table_commands(player: ActionTaker) -> Iterator[Command]:
    """Yield all commands of the table."""
    give = Giver(player)
    # Translators: a title in help: playing cards.
    play = pgettext("help", "Play")
    # Translators: a title in help: looking around.
    look = pgettext("help", "Look")
    yield from _playing(replace(give, group=play))
    yield from _moving(replace(give, group=look))
    yield from _talking(replace(give, group=_("Talk")))
    yield from _looking(replace(give, group=look))
    yield from _leaving(give)
    for deed in DEEDS:
        if deed.table is not None:
            yield replace(give, group=host_title() if deed.concerns is is_host else "")(
                deed.name,
                deed.table.keys,
                deed.label() if deed.label else deed.name,
                deed.purpose(),
                host_actions.do_deed(deed),
                hidden=deed.table.is_hidden,
                search=deed.search(),
            )


def _playing(give: Giver) -> Iterator[Command]:
    text = _("choose a card; then a place for it")
    for digit in PLACE_DIGITS:
        if digit == 0:
            text = _("go to place 10 of the chosen card; without one, to the start")
        name, keys, press = f"card {digit}", (str(digit),), card_actions.press_digit(digit)
        yield give(name, keys, text, text, press, hidden=digit == 0, series=True)
    yield give(
        "do",
        ("enter", "space"),
        _("do it"),
        _("do what the line above says"),
        card_actions.CONFIRM,
    )
    yield give(
        "turn",
        ("r",),
        # Translators: turn the chosen card around. Labels in the footer are one short word.
        pgettext("label", "turn"),
        _("turn the card, or repair the other tool"),
        card_actions.TURN,
    )
    yield give(
        "play turned",
        ("R",),
        pgettext("label", "turn"),
        _("turn the card and play it at once, where it fits either way"),
        card_actions.PLAY_TURNED,
        hidden=True,
    )
    yield give(
        "next",
        ("n",),
        pgettext("row", "next"),
        _("go to the next place for the chosen card, even past place 9"),
        card_actions.jump(1),
    )
    yield give(
        "previous",
        ("N",),
        pgettext("replay", "previous"),
        _("go to the previous place"),
        card_actions.jump(-1),
        hidden=True,
    )
    yield give(
        "discard",
        ("x",),
        _("discard"),
        _("pass: discard the chosen card, or the one whose number follows"),
        card_actions.DISCARD,
    )
    yield give(
        "hint",
        ("i",),
        # Translators: ask for a hint, which is advice on what to do.
        pgettext("label", "hint"),
        _("suggest a move, and why; again for another"),
        HINT,
    )
    text = _("choose the next card")
    yield give("next card", ("e",), _("card"), text, card_actions.NEXT_CARD, hidden=True)
    yield give("back", ("escape",), _("back"), _("one step back"), view_actions.BACK)


def _talking(give: Giver) -> Iterator[Command]:
    yield give("talk", ("t",), _("talk"), _("say something to everybody"), view_actions.TALK)
    yield give(
        "claim",
        ("c",),
        # Translators: say a quick claim; a verb.
        pgettext("label", "claim"),
        _("quick claim: a goal, a player or a tool"),
        view_actions.CLAIMS,
    )
    yield give(
        "note",
        ("m",),
        # Translators: note whether a player is friend or foe, for oneself.
        pgettext("label", "mark"),
        _("mark a player as friend +, foe - or unsure ?, for your eyes only"),
        view_actions.MARK,
    )


def _looking(give: Giver) -> Iterator[Command]:
    yield give(
        "pane",
        ("tab",),
        # Translators: turn to the next page beside the mine; a noun.
        _("page"),
        _("the next page: moves, claims, cards, your role"),
        view_actions.CHANGE_PANE,
    )
    yield give(
        "role",
        ("u",),
        _("role"),
        _("show your role card and your gold, or put it away"),
        view_actions.SHOW_ROLE,
        hidden=True,
    )
    yield give(
        "log",
        ("L", "slash"),
        _("log"),
        _("the whole log on a screen of its own; / searches it"),
        view_actions.READ_LOG,
        hidden=True,
    )
    yield give("words", (), "words", words_purpose(), view_actions.TELL_WORDS, hidden=True)
    yield give(
        "players",
        ("p",),
        _("players"),
        _("switch between the mine and the players"),
        view_actions.TO_PLAYERS,
        hidden=True,
    )
    yield give(
        "veil",
        ("v",),
        # Translators: hide what you are from people behind you.
        pgettext("label", "hide"),
        _("hide your role from onlookers, or show it"),
        view_actions.TOGGLE_VEIL,
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
    ):
        yield give(name, keys, purpose, purpose, action, hidden=True)
    older, newer = ("pageup",), ("pagedown",)
    yield give(
        "older", older, _("older lines"), _("older lines"), view_actions.scroll(1), hidden=True
    )
    yield give(
        "newer", newer, _("newer lines"), _("newer lines"), view_actions.scroll(-1), hidden=True
    )


def _moving(give: Giver) -> Iterator[Command]:
    ways = (
        ("left", ("left", "h", "a"), -1, 0),
        ("down", ("down", "j", "s"), 0, 1),
        ("up", ("up", "k", "w"), 0, -1),
        ("right", ("right", "l", "d"), 1, 0),
    )
    purpose = _("move over the mine")
    for name, keys, east, south in ways:
        move = view_actions.move_cursor(east, south)
        yield give(name, keys, purpose, purpose, move, series=True)
    purpose = _("scroll the mine")
    for name, _keys, east, south in ways:
        pan = view_actions.pan(PAN_CELLS * east, PAN_CELLS * south)
        both = (f"shift+{name}", f"ctrl+{name}")
        yield give(f"pan {name}", both, purpose, purpose, pan, hidden=True, series=True)


def _leaving(give: Giver) -> Iterator[Command]:
    yield give(
        "replay",
        ("W",),
        # Translators: watch the finished game again; a noun.
        pgettext("label", "replay"),
        _("watch the finished game again; r reviews it there"),
        host_actions.WATCH_AGAIN,
    )
    yield give(
        "save",
        ("S",),
        _("save"),
        _("save the record of the finished game"),
        host_actions.SAVE_RECORD,
    )
    yield give(
        "picture",
        ("I",),
        # Translators: save a picture (image) of the result; a noun.
        pgettext("label", "picture"),
        _("save a picture of the final table"),
        host_actions.SAVE_PICTURE,
    )
    yield give(
        "autopilot",
        ("A",),
        _("autopilot"),
        autopilot_purpose(),
        AUTOPILOT,
        hidden=True,
    )
    leaving = _("leave for now, and come back later")
    yield give("leave", ("q",), _("leave"), leaving, host_actions.LEAVE)
