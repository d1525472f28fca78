"""A finished game watched again in lines of text.

A typed line leads from one position to another. `answer` is pure: it returns the next position and
the lines to write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.state import Phase
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    ReplayPosition,
    WatchedGame,
    said_words,
    seen_by_words,
    step_lines,
)
from sabtui.plain.console import QUIT_WORDS, Console, unknown
from sabtui.text import cards, layout, settings, summary
from sabtui.text.i18n import _, pgettext, phrases

_MOVES: Final[Mapping[str, Callable[[ReplayPosition], ReplayPosition]]] = {
    "": lambda at: at.move(1),
    "next": lambda at: at.move(1),
    "back": lambda at: at.move(-1),
    "turn": lambda at: at.turn(1),
    "turn back": lambda at: at.turn(-1),
    "round": lambda at: at.at_round(1),
    "round back": lambda at: at.at_round(-1),
    "first": lambda at: at.at_step(0),
    "last": lambda at: at.last,
}

_SHORT: Final = {word[0]: word for word in ("next", "back", "turn", "round", "mine", "hands")}


class ReplayInLines:
    """A finished game that is watched again in between, at its table."""

    def __init__(self, at: ReplayPosition) -> None:
        self.at = at

    def begin(self) -> list[str]:
        """Return the first lines to show: the players, what can be typed, and the deal."""
        names = self.at.game.names()
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(names.names, 1))
        text = _(
            "Enter shows the next step, back the previous one; help says what else you can type."
        )
        return [players, text, *_position_lines(self.at)]

    @property
    def step(self) -> int:
        """The step where one is."""
        return self.at.frame.step

    def visit(self, step: int) -> list[str]:
        """Go to a step; return what happened there."""
        self.at = self.at.at_step(step)
        return _position_lines(self.at)

    def prompt(self) -> str:
        """Return where in the game one is."""
        step, count = self.at.step, len(self.at.game.replay.steps)
        text = _("step {number} of {count}, round {round}")
        return text.format(number=step.number + 1, count=count, round=step.round)

    def answer(self, line: str, size: layout.TerminalSize) -> list[str] | None:
        """Take a typed line; return what to show, `None` if the player goes back to the table."""
        if line.casefold() in QUIT_WORDS:
            return None
        self.at, lines = answer(self.at, line, size)
        return lines


def watch_in_lines(game: WatchedGame, console: Console) -> int:
    """Watch a game until the input ends. Returns the exit code."""
    replay = ReplayInLines(game.begin())
    console.say(replay.begin())
    while (line := console.ask(replay.prompt())) is not None:
        lines = replay.answer(line.strip(), console.size)
        if lines is None:
            break
        console.say(lines)
    console.leave()
    return 0


def answer(
    position: ReplayPosition, line: str, size: layout.TerminalSize
) -> tuple[ReplayPosition, list[str]]:
    """Return the position after a typed line, and the lines to write."""
    first, *more = line.casefold().split() or [""]
    words = " ".join([_SHORT.get(first, first), *more])
    if words in _MOVES:
        after = _MOVES[words](position)
        if after != position:
            return after, _position_lines(after)
        return after, [layout.no_more()]
    word, _gap, rest = words.partition(" ")
    match word:
        case "go":
            return _go_to(position, rest)
        case "seat" | "watch" | "open":
            return _look_from(position, word, rest)
        case "mine":
            return position, summary.mine_shown(rest, position.view)
        case "draw":
            return position, position.view.draw(columns=size.columns, rows=size.rows)
        case "hands":
            return position, _hands(position)
        case "who":
            return position, summary.who_lines(position.view, position.names)
        case "play":
            lines: list[str] = []
            while not position.is_last:
                position = position.move(1)
                lines += _position_lines(position)
            return position, lines or [layout.no_more()]
        case "help" | "?":
            return position, _help(position, size)
        case _:
            return position, [unknown(word)]


def _position_lines(position: ReplayPosition) -> list[str]:
    """Return what happened or was said in a frame."""
    names, step, said = position.names, position.step, position.said
    if said is not None:
        return [said_words(said, names, position.truth(step, said))]
    view = None if position.seen_from.is_open else position.view
    if lines := step_lines(step, replace(names, spelt=True), view):
        return lines
    if position.view.to_act is None:
        return [_("game over") if position.view.phase is Phase.OVER else _("round over")]
    return [_("turn: {name}").format(name=names.names[position.view.to_act])]


def _go_to(position: ReplayPosition, rest: str) -> tuple[ReplayPosition, list[str]]:
    """Go to a step by its number."""
    count = len(position.game.replay.steps)
    if not (rest.isascii() and rest.isdecimal() and len(rest) < 6 and 1 <= int(rest) <= count):
        return position, [settings.type_line("go 12")]
    found = position.at_step(int(rest) - 1)
    return found, _position_lines(found)


def _look_from(position: ReplayPosition, word: str, rest: str) -> tuple[ReplayPosition, list[str]]:
    """Look from another side."""
    every = position.game.points_of_view
    wanted = PointOfView() if word == "watch" else ALL_OPEN
    if word == "seat":
        if not (rest.isascii() and rest.isdecimal() and len(rest) < 3):
            return position, [settings.type_line("seat 2")]
        wanted = PointOfView(int(rest) - 1)
    if wanted not in every:
        return position, [_("{title}: {facts}").format(title=_("view"), facts=_sides(position))]
    found = position.look_from(wanted)
    words = seen_by_words(wanted.seat, position.game.names(), is_open=wanted.is_open)
    view = _("{title}: {facts}").format(title=_("view"), facts=words)
    return found, [view, *_position_lines(found)]


def _sides(position: ReplayPosition) -> str:
    """Return the sides from which the game can be watched."""
    every, names = position.game.points_of_view, position.game.names()
    return phrases([seen_by_words(viewer.seat, names, is_open=viewer.is_open) for viewer in every])


def _hands(position: ReplayPosition) -> list[str]:
    """Return everybody's role, cards and gold, or those of the seat whose view is shown."""
    sight = position.sight
    if sight.revealed is None:
        return [_hand_words(sight.view.hand)]
    held, row, lines = sight.revealed.round, _("{title}: {facts}"), list[str]()
    for seat in sight.seats:
        gold = cards.nuggets_counted(sight.nuggets(seat) or 0)
        facts = phrases([cards.role_words(held.roles[seat]), _hand_words(held.hands[seat]), gold])
        lines.append(row.format(title=sight.names.names[seat], facts=facts))
    return lines


def _hand_words(hand: tuple[Card, ...]) -> str:
    """Return the cards of a hand in notation."""
    return " ".join(card.text for card in hand) or cards.cards_counted(0)


def _help(position: ReplayPosition, size: layout.TerminalSize) -> list[str]:
    """Return what can be typed."""
    enter = pgettext("key", "Enter")
    rows = (
        (enter + ", next", _("the next step")),
        ("back", _("the previous step")),
        ("turn, turn back", phrases([_("the next move"), _("the previous move")])),
        ("round, round back", phrases([_("the next round"), _("the previous round")])),
        ("first, last", phrases([_("the beginning of the game"), _("the end of the game")])),
        ("go 12", _("a step by its number")),
        ("open, seat 2, watch", _sides(position)),
        ("mine, draw, hands, who", _("the mine in words or drawn, the cards, the players")),
        ("play", _("all the steps that are left, at once")),
        ("quit", _("back to where you were")),
    )
    return [word + meaning for word, meaning in layout.two_columns(rows, size.columns)]
