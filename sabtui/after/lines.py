"""A finished game watched again in lines of text; typed lines move from position to position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.state import Phase
from net.client.trail import GameState
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    ReplayPosition,
    WatchedGame,
    said_words,
    seen_by_words,
    step_lines,
    watched_text,
)
from sabtui.plain.console import QUIT_WORDS, Console, not_understood
from sabtui.text import cards, layout, summary
from sabtui.text.i18n import _, pgettext, phrases
from sabtui.text.settings import type_line

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


def watch_again(held: GameState) -> ReplayInLines:
    """Return a finished game, to be watched again. Raises `UserError`: its record is invalid."""
    return ReplayInLines(watched_text(held.record, held.lobby).begin())


class ReplayInLines:
    """A finished game that is watched again in lines of text."""

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
        """The step where the reader is, counted from 0."""
        return self.at.frame.step

    def visit(self, step: int) -> list[str]:
        """Go to a step; return its events."""
        self.at = self.at.at_step(step)
        return _position_lines(self.at)

    def prompt(self) -> str:
        """Return the reader's place in the game as a prompt."""
        step, count = self.at.step, len(self.at.game.replay.steps)
        text = _("step {number} of {count}, round {round}")
        return text.format(number=step.number + 1, count=count, round=step.round)

    def answer(self, line: str, size: layout.TerminalSize) -> list[str] | None:
        """Run a typed line; return the lines to show, `None` if the reader leaves."""
        if line.casefold() in QUIT_WORDS:
            return None
        words = " ".join(line.casefold().split())
        if words in _MOVES:
            return self._move(_MOVES[words])
        word, _gap, rest = words.partition(" ")
        match word:
            case "go":
                count = len(self.at.game.replay.steps)
                number = _read_number(rest)
                return self.visit(number - 1) if 1 <= number <= count else [type_line("go 12")]
            case "seat" | "watch" | "open":
                return self._look_from(word, rest)
            case "mine":
                return summary.mine_shown(rest, self.at.view)
            case "draw":
                return self.at.view.draw(columns=size.columns, rows=size.rows)
            case "hands":
                return _hands(self.at)
            case "who":
                return summary.who_lines(self.at.view, self.at.names)
            case "play":
                lines: list[str] = []
                while not self.at.is_last:
                    lines += self._move(_MOVES["next"])
                return lines or [layout.no_more()]
            case "help" | "?":
                return _help(self.at, size)
            case _:
                return [not_understood(word)]

    def _move(self, move: Callable[[ReplayPosition], ReplayPosition]) -> list[str]:
        """Move in the game; return the events there, or that there is no more."""
        before, self.at = self.at, move(self.at)
        return [layout.no_more()] if self.at == before else _position_lines(self.at)

    def _look_from(self, word: str, rest: str) -> list[str]:
        """Switch to the typed point of view, if the record has it; return the lines to show."""
        game, wanted = self.at.game, PointOfView() if word == "watch" else ALL_OPEN
        if word == "seat":
            number = _read_number(rest)
            if not number:
                return [type_line("seat 2")]
            wanted = PointOfView(number - 1)
        is_there = wanted in game.points_of_view
        if is_there:
            self.at = self.at.look_from(wanted)
            words = seen_by_words(wanted.seat, game.names(), is_open=wanted.is_open)
        else:
            words = _points_of_view_words(self.at)
        view = _("{title}: {facts}").format(title=_("view"), facts=words)
        return [view, *(_position_lines(self.at) if is_there else ())]


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


def _read_number(text: str) -> int:
    """Return the number that was typed, 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _position_lines(position: ReplayPosition) -> list[str]:
    names, step, said = position.names, position.step, position.said
    if said is not None:
        return [said_words(said, names, position.truth(step, said), quoted=True)]
    view = None if position.seen_from.is_open else position.view
    if lines := step_lines(step, replace(names, spelt=True), view):
        return lines
    if position.view.to_act is None:
        return [_("game over") if position.view.phase is Phase.OVER else _("round over")]
    return [_("turn: {name}").format(name=names.names[position.view.to_act])]


def _points_of_view_words(position: ReplayPosition) -> str:
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
    return " ".join(card.text for card in hand) or cards.cards_counted(0)


def _help(position: ReplayPosition, size: layout.TerminalSize) -> list[str]:
    enter = pgettext("key", "Enter")
    rows = (
        (enter + ", next", _("the next step")),
        ("back", _("the previous step")),
        ("turn, turn back", phrases([_("the next move"), _("the previous move")])),
        ("round, round back", phrases([_("the next round"), _("the previous round")])),
        ("first, last", phrases([_("the beginning of the game"), _("the end of the game")])),
        ("go 12", _("go to a step by number")),
        ("open, seat 2, watch", _points_of_view_words(position)),
        ("mine, draw, hands, who", _("the mine in words or drawn, the cards, the players")),
        ("play", _("show all remaining steps")),
        ("quit", _("back to where you were")),
    )
    return [word + meaning for word, meaning in layout.two_columns(rows, size.columns)]
