"""Commands of the table, the most useful first: for keys, footer, help and palette alike.

Keys that move the cursor are hidden from the footer: everybody tries them anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from sabtui.text.i18n import _, pgettext
from sabtui.tui.commands import Command

if TYPE_CHECKING:
    from sabtui.tui.table.screen import TableScreen

MAX_DIGIT_KEYS: Final = 6
"""Cards with a digit key: the largest hand (S2, S7)."""

PAN_CELLS: Final = 3
"""Cells by which one key press pans the mine."""


def table_commands(table: TableScreen) -> Iterator[Command]:
    """Yield all commands of the table."""
    yield from _playing(table)
    yield from _talking(table)
    yield from _looking(table)
    yield from _moving(table)
    yield from _leaving(table)


def _playing(table: TableScreen) -> Iterator[Command]:
    can = table.can

    def plays() -> bool:
        return table.status.seat is not None

    yield Command(
        "do",
        ("enter", "space"),
        _("do it"),
        _("do what the line below the hand says"),
        table.playing.do_it,
        can.do,
    )
    yield Command(
        "turn",
        ("r",),
        # Translators: turn the chosen card around. Labels in the footer are one short word.
        pgettext("label", "turn"),
        _("turn the chosen card, or choose the other tool to repair"),
        table.playing.turn,
        can.turn,
        concerns=plays,
    )
    yield Command(
        "next",
        ("n",),
        pgettext("place", "next"),
        _("go to the next place where the chosen card can be played"),
        lambda: table.playing.jump(1),
        can.with_card,
        concerns=plays,
    )
    yield Command(
        "previous",
        ("N",),
        pgettext("place", "previous"),
        _("go to the place before"),
        lambda: table.playing.jump(-1),
        can.with_card,
        hidden=True,
        concerns=plays,
    )
    yield Command(
        "discard",
        ("x",),
        _("discard"),
        _("pass, and discard the chosen card face down"),
        table.playing.discard,
        can.with_card,
        concerns=plays,
    )
    yield Command(
        "hint",
        ("i",),
        # Translators: ask for a hint, which is advice on what to do.
        pgettext("label", "hint"),
        _("a move that may be good, and why; once more for another"),
        table.advice.ask,
        can.have_hint,
        concerns=plays,
    )
    again = _("choose card 1, or gold of one nugget; once more turns the card")
    for digit in range(1, MAX_DIGIT_KEYS + 1):
        purpose = again if digit == 1 else _("choose card {digit}").format(digit=digit)
        name, choose = f"card {digit}", _of(table.playing.choose, digit)
        yield Command(name, (str(digit),), _("card"), purpose, choose, hidden=True, concerns=plays)
    yield Command("back", ("escape",), _("back"), _("one step back"), table.back, can.back)


def _talking(table: TableScreen) -> Iterator[Command]:
    yield Command("talk", ("t",), _("talk"), _("say something to all"), table.talking.talk)
    yield Command(
        "claim",
        ("c",),
        # Translators: say a quick claim; a verb.
        pgettext("label", "claim"),
        _("say something in two keys: what a goal is, who digs for whom"),
        table.talking.claim,
        table.can.claim,
    )
    yield Command(
        "note",
        ("m",),
        # Translators: note whether a player is friend or foe, for oneself.
        pgettext("label", "mark"),
        _("mark a player as friend +, foe - or unsure ?, for yourself alone"),
        table.talking.note,
        table.can.note,
    )


def _looking(table: TableScreen) -> Iterator[Command]:
    yield Command(
        "pane",
        ("tab",),
        # Translators: show the other pane: the log, or what you know.
        pgettext("label", "pane"),
        _("change between talk and what you know; after the game, gold and mine"),
        table.looking.change_pane,
        table.can.change_pane,
    )
    yield Command(
        "players",
        ("p",),
        _("players"),
        _("go between the mine and the players"),
        table.looking.to_players,
        table.can.look,
        hidden=True,
    )
    yield Command(
        "veil",
        ("v",),
        # Translators: hide what you are from people behind you.
        pgettext("label", "veil"),
        _("hide your dwarf from people behind you, or show it"),
        table.looking.veil,
        hidden=True,
    )
    looks = (
        ("newest", ("full_stop",), _("go to the newest card"), table.looking.to_newest),
        ("start", ("home", "0"), _("go to the start"), table.looking.to_start),
        ("goals", ("end", "g"), _("go to the goals, one after the other"), table.looking.to_goals),
        ("larger", ("plus", "equals_sign"), _("draw larger tiles"), lambda: table.looking.zoom(1)),
        ("smaller", ("minus",), _("draw smaller tiles"), lambda: table.looking.zoom(-1)),
    )
    for name, keys, purpose, do in looks:
        yield Command(name, keys, purpose, purpose, do, table.can.look, hidden=True)
    yield Command(
        "older",
        ("pageup",),
        _("older"),
        _("older lines"),
        lambda: table.looking.scroll(1),
        hidden=True,
    )
    yield Command(
        "newer",
        ("pagedown",),
        _("newer"),
        _("newer lines"),
        lambda: table.looking.scroll(-1),
        hidden=True,
    )


def _moving(table: TableScreen) -> Iterator[Command]:
    ways = (
        ("left", ("left", "h", "a"), _("go left"), -1, 0),
        ("down", ("down", "j", "s"), _("go down"), 0, 1),
        ("up", ("up", "k", "w"), _("go up"), 0, -1),
        ("right", ("right", "l", "d"), _("go right"), 1, 0),
    )
    for name, keys, purpose, east, south in ways:
        yield Command(
            name,
            keys,
            purpose,
            purpose,
            _of_two(table.looking.move, east, south),
            table.can.look,
            hidden=True,
        )
        yield Command(
            f"pan {name}",
            (f"shift+{name}", f"ctrl+{name}"),
            purpose,
            _("move the mine: {way}").format(way=purpose),
            _of_two(table.looking.pan, PAN_CELLS * east, PAN_CELLS * south),
            table.can.look,
            hidden=True,
        )


def _leaving(table: TableScreen) -> Iterator[Command]:
    yield Command(
        "save",
        ("S",),
        _("save"),
        _("save the record of the game that is over"),
        table.save,
        table.can.save,
    )
    yield Command(
        "autopilot",
        ("A",),
        _("autopilot"),
        _("let a bot play for you, or take over again"),
        table.flying.change,
        table.flying.why_not,
        hidden=True,
        concerns=lambda: table.status.seat is not None,
    )
    yield Command("leave", ("q",), _("leave"), _("leave the table; asks first"), table.leave)


def _of(do: Callable[[int], None], what: int) -> Callable[[], None]:
    return lambda: do(what)


def _of_two(do: Callable[[int, int], None], this: int, that: int) -> Callable[[], None]:
    return lambda: do(this, that)
