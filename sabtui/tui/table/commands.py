"""Commands of the table as rows, and clicks and keys of the open list as actions.

A row holds a command's words and its action; footer, help, palette and keys are all made of rows,
the most useful first. Keys that move the cursor are hidden from the footer: everybody tries them
anyway. Rare commands of the host are in the palette only; those needed in a hurry, or while the
game stands still, have a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias, assert_never

from engine.state import Phase
from engine.view import View
from net.client.session import Status
from sabtui.table.deeds import DEEDS, is_host
from sabtui.table.sight import Sight
from sabtui.text.i18n import _, pgettext
from sabtui.text.seats import autopilot_purpose
from sabtui.tui.command import Command, host_title
from sabtui.tui.table import actions, hand, side
from sabtui.tui.table.actions import (
    AUTOPILOT,
    CONFIRM,
    HINT,
    SAVE_PICTURE,
    TURN,
    WATCH_AGAIN,
    change_subject,
    choose_card,
    jump,
    press_claim,
    press_place,
    scroll,
    zoom,
)
from sabtui.tui.table.layout import MAX_HAND_CARDS
from sabtui.tui.table.model import Action, TableModel, TableStep
from sabtui.tui.table.render import above_sentence
from sabtui.tui.table.side import Side, seats_part
from sabtui.tui.table.status import sentence

AZERTY_DIGITS: Final = (
    *("ampersand", "é", "quotation_mark", "apostrophe"),
    *("left_parenthesis", "minus"),
)
"""Keys of the digits from 1 on, on a French keyboard, which types digits only with Shift."""

WAYS: Final = (
    ("left", "left h a", -1, 0),
    ("down", "down j s", 0, 1),
    ("up", "up k w", 0, -1),
    ("right", "right l d", 1, 0),
)
"""Ways over the mine: name and keys, and by how much they go east and south."""

PAN_CELLS: Final = 3
"""Cells by which one key press pans the mine."""


class ActionTaker(Protocol):
    """Taker of the commands' actions: the table's screen."""

    status: Status

    def act(self, step: TableStep) -> None:
        """Take an action."""

    def why_not(self, action: Action) -> str | None:
        """Return why an action is unavailable now, or `None`."""


class CommandRow(NamedTuple):
    """A command of the table: its name, its keys, the action, and what a `Command` has besides.

    Without a purpose its label tells that, too.
    """

    name: str
    keys: str
    action: Action
    label: str
    purpose: str = ""
    hidden: bool = False
    series: bool = False
    spare_keys: str = ""
    group: str = ""

    def bind(self, player: ActionTaker) -> Command:
        """Return the command that lets a player take the action."""
        return Command(
            self.name,
            tuple(self.keys.split()),
            self.label,
            self.purpose or self.label,
            partial(player.act, self.action),
            partial(player.why_not, self.action),
            lambda: self.action.concerns(player.status),
            hidden=self.hidden,
            group=self.group,
            series=self.series,
            spare_keys=tuple(self.spare_keys.split()),
        )


def table_commands(player: ActionTaker) -> list[Command]:
    """Return all commands of the table."""
    return [row.bind(player) for row in command_rows()]


def command_rows() -> Iterator[CommandRow]:
    """Yield the rows of all commands of the table, by the titles of their groups in help."""
    # Translators: a title in help: playing cards.
    play = pgettext("help", "Play")
    # Translators: a title in help: looking around.
    look = pgettext("help", "Look")
    for group, rows in (
        (play, _playing_rows()),
        (look, _moving_rows()),
        (_("Talk"), _talking_rows()),
        (look, _looking_rows()),
        ("", _leaving_rows()),
    ):
        yield from (row._replace(group=group) for row in rows)
    for deed in DEEDS:
        if deed.table is not None:
            yield CommandRow(
                deed.name,
                " ".join(deed.table.keys),
                actions.do_deed(deed),
                deed.label() if deed.label else deed.name,
                deed.purpose(),
                hidden=deed.table.is_hidden,
                group=host_title() if deed.concerns is is_host else "",
            )


def _playing_rows() -> Iterable[CommandRow]:
    row, text = CommandRow, _("choose a card")
    for digit, spare in zip(range(1, MAX_HAND_CARDS + 1), AZERTY_DIGITS, strict=True):
        choose = choose_card(digit)
        yield row(f"card {digit}", str(digit), choose, text, series=True, spare_keys=spare)
    # Translators: turn the chosen card around. Labels in the footer are one short word.
    turn = pgettext("label", "turn")
    turned = _("turn the card and play it at once, where it fits either way")
    discard = _("pass: discard the chosen card, or the one whose number follows")
    # Translators: ask for a hint, which is advice on what to do.
    hint = pgettext("label", "hint")
    following = pgettext("row", "next")
    yield from (
        row("do", "enter space", CONFIRM, _("do it"), _("do what the line above says")),
        row("turn", "r", TURN, turn, _("turn the card, or repair the other tool")),
        row("play turned", "R", actions.PLAY_TURNED, turn, turned, hidden=True),
        row("next", "n", jump(1), following, _("go to the next place for the chosen card")),
        row("previous", "N", jump(-1), _("go to the previous place"), hidden=True),
        row("discard", "x", actions.DISCARD, _("discard"), discard),
        row("hint", "i", HINT, hint, _("suggest a move, and why; again for another")),
        row("next card", "e", actions.NEXT_CARD, _("card"), _("choose the next card"), hidden=True),
        row("back", "escape", actions.BACK, _("back"), _("one step back")),
    )


def _moving_rows() -> Iterable[CommandRow]:
    text = _("move over the mine")
    for name, keys, east, south in WAYS:
        yield CommandRow(name, keys, actions.move_cursor(east, south), text, series=True)
    text = _("scroll the mine")
    for name, _keys, east, south in WAYS:
        keys, pan = f"shift+{name} ctrl+{name}", actions.pan(PAN_CELLS * east, PAN_CELLS * south)
        yield CommandRow(f"pan {name}", keys, pan, text, hidden=True, series=True)


def _talking_rows() -> Iterable[CommandRow]:
    row = CommandRow
    # Translators: say a quick claim; a verb.
    claim = pgettext("label", "claim")
    # Translators: note whether a player is friend or foe, for oneself.
    mark = pgettext("label", "mark")
    marking = _("mark a player as friend +, foe - or unsure ?, for your eyes only")
    return (
        row("talk", "t", actions.TALK, _("talk"), _("say something to everybody")),
        row("claim", "c", actions.CLAIMS, claim, _("quick claim: a goal, a player or a tool")),
        row("note", "m", actions.MARK, mark, marking),
    )


def _looking_rows() -> Iterable[CommandRow]:
    row = partial(CommandRow, hidden=True)
    # Translators: turn to the next page beside the mine; a noun.
    page, turning = _("page"), _("the next page: moves, claims, cards, your role")
    # Translators: hide what you are from people behind you.
    hide = pgettext("label", "hide")
    role = _("show your role card and your gold, or put it away")
    log = _("the whole log on a screen of its own")
    players = _("switch between the mine and the players")
    return (
        row("pane", "tab", actions.CHANGE_PANE, page, turning, hidden=False),
        row("role", "u", actions.SHOW_ROLE, _("role"), role),
        row("log", "L", actions.READ_LOG, _("log"), log),
        row("players", "p", actions.TO_PLAYERS, _("players"), players),
        row("veil", "v", actions.TOGGLE_VEIL, hide, _("hide your role from onlookers, or show it")),
        row("newest", "full_stop", actions.TO_NEWEST, _("go to the newest card")),
        row("start", "home", actions.TO_START, _("go to the start")),
        row("goals", "end g", actions.TO_GOALS, _("go to the goals, one after another")),
        row("larger", "plus equals_sign", zoom(1), _("draw larger tiles")),
        row("smaller", "minus", zoom(-1), _("draw smaller tiles")),
        row("older", "pageup", scroll(1), _("older lines")),
        row("newer", "pagedown", scroll(-1), _("newer lines")),
    )


def _leaving_rows() -> Iterable[CommandRow]:
    row = CommandRow
    # Translators: watch the finished game again; a noun.
    replay = pgettext("label", "replay")
    # Translators: save a picture (image) of the result; a noun.
    picture = pgettext("label", "picture")
    watching = _("watch the finished game again; r reviews it there")
    return (
        row("replay", "W", WATCH_AGAIN, replay, watching),
        row("picture", "I", SAVE_PICTURE, picture, _("save a picture of the final table")),
        row("autopilot", "A", AUTOPILOT, _("autopilot"), autopilot_purpose(), hidden=True),
        row("leave", "q", actions.LEAVE, _("leave"), _("leave for now, and come back later")),
    )


PRIMARY_BUTTON: Final = 1
"""Mouse button that acts; any other turns the chosen card."""


class TablePart(Enum):
    """Part of the table that can be clicked."""

    MINE = auto()
    PLAYERS = auto()
    PANE = auto()
    HAND = auto()


@dataclass(frozen=True, slots=True)
class PanelClick:
    """Click at a column and row of a part."""

    part: TablePart
    column: int
    row: int
    button: int = PRIMARY_BUTTON


def click_action(model: TableModel, status: Status, click: PanelClick) -> Action | None:
    """Return the action that a click stands for, or `None`."""
    sight, (column, row) = Sight.of(status), (click.column, click.row)
    if sight is None:
        return None
    laid = Side.above(sentence(model, status), sight, model)
    match click.part:
        case TablePart.PLAYERS | TablePart.PANE if laid.claims is not None:
            above = laid.room.rows if click.part is TablePart.PANE else 0
            at = laid.claims.at(row + above, model.claims_page)
            return None if at is None else press_claim(at)
        case TablePart.MINE if click.button != PRIMARY_BUTTON:
            return TURN
        case TablePart.MINE:
            cell = above_sentence(model, status, sentence(model, status)).window.at(column, row)
            return None if cell is None else press_place(cell)
        case TablePart.PLAYERS:
            seat = laid.room.at(column, row)
            return None if seat is None else press_place(seat)
        case TablePart.HAND:
            return _hand_action(model, sight.view, column) if row else None
        case TablePart.PANE:
            return None
        case _:
            assert_never(click.part)


def _hand_action(model: TableModel, view: View, column: int) -> Action | None:
    """Return the action of a click on the cards, or on the gold on offer."""
    columns = model.layout.columns
    if view.phase is Phase.PLAY:
        at = hand.card_at(column, columns, len(view.hand), model.layout.hand - 1)
        return None if at is None else choose_card(at + 1)
    if view.phase is not Phase.GOLD or not view.offer:
        return None
    kinds = tuple(dict.fromkeys(view.offer))
    at = hand.card_at(column, columns, len(kinds), model.layout.hand - 1)
    if at is None:
        return None
    chosen = kinds[at] == model.selection.nuggets
    return CONFIRM if chosen else choose_card(kinds[at])


def claims_key_action(
    model: TableModel, status: Status, key: str, character: str | None
) -> Action | None:
    """Return the action of a key in the open list of claims, `None` for any other key."""
    view, about = status.view, model.about
    if view is None or about is None:
        return None
    if key in {"up", "down"}:
        return change_subject(1 if key == "down" else -1)
    at = side.CLAIM_KEYS.find(character) if character else -1
    return press_claim(at) if 0 <= at < len(side.list_claims(view, about)) else None


PlaceOnPart: TypeAlias = tuple[TablePart, tuple[int, int]]
"""A part of the table, and a column and row of it."""


def cursor_place(model: TableModel, status: Status, text: str) -> PlaceOnPart | None:
    """Return the part, column and row of the chosen player or tile above a status sentence.

    There the terminal's own cursor stands. It is `None` if neither is in view: something else is
    drawn there, or in the whole terminal.
    """
    shown, selection = above_sentence(model, status, text), model.selection
    sight = Sight.of(status)
    if sight is None or model.layout.is_too_small:
        return None
    if selection.seat is not None:
        if model.about is not None:
            return None
        column, row = seats_part(sight, shown).corner_of(selection.seat)
        return TablePart.PLAYERS, (column + 1, row)
    corner = shown.window.corner_of(selection.cell)
    if corner is None or model.shows_result(sight.view):
        return None
    size = shown.window.size
    if shown.glyphs.has_pictures:  # a terminal's cursor would leave a hole in a picture
        return TablePart.MINE, corner
    return TablePart.MINE, (corner[0] + size.columns // 2, corner[1] + size.rows // 2)
