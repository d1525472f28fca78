"""The lesson's sentences: one for each step, and the keys or the line that complete it.

A `LessonStatus` is the status of a lesson's session (`sabtui.app.lesson`). Its `task` is what the
player has to do now; the faces show `task_words` and know nothing else about lessons.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from engine.cards import Card
from engine.moves import Discard, KeepGold, Lay, Move, Play
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import TableClaim
from net.protocol.requests import SetReady
from sabtui.text.i18n import _, pgettext, put_title
from sabtui.text.names import PlayerNames
from sabtui.text.settings import type_line
from sabtui.text.summary import hand_entries
from sabtui.text.talk import claim_words, quick_claims

TaskAction: TypeAlias = Move | TableClaim | SetReady  # something that a step waits for


class LessonStep(Enum):
    """The steps of the lesson, in order."""

    LAY = auto()
    TURN = auto()
    REACH = auto()
    REPAIR = auto()
    MAP = auto()
    ACCUSE = auto()
    ROCKFALL = auto()
    WIN = auto()
    GOLD = auto()
    OTHER_SIDE = auto()
    BREAK = auto()
    BLOCK = auto()
    LIE = auto()
    PASS = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class LessonTask:
    """The step of the lesson that the player is at, and one way to do it."""

    step: LessonStep
    action: TaskAction | None  # one way to do it, `None` if nothing is left to do
    about: int | None = None  # the seat that the sentence names
    is_reminder: bool = False  # after the player has done something else


@dataclass(frozen=True, slots=True)
class LessonStatus(Status):
    """The status of a session that teaches the game."""

    task: LessonTask | None = None  # `None` while the other seats play


def task_of(status: Status) -> LessonTask | None:
    """Return the task that a lesson waits for, `None` during others' turns and in a real game."""
    return status.task if isinstance(status, LessonStatus) else None


def task_words(  # noqa: PLR0913 - what to say, and which keys were pressed already
    task: LessonTask,
    view: View,
    names: PlayerNames,
    *,
    in_lines: bool,
    begun: Move | None = None,
    is_listed: bool = False,
) -> str:
    """Tell the player their next task, and how to do it.

    The method is given as keys, or with `in_lines` as a line of plain-text mode. Keys that were
    already pressed are left out: `begun` is the move that Enter would make, `is_listed` is True
    while the list of claims is open.
    """
    about = "" if task.about is None else names.call(task.about)
    words = [_purpose(task.step).format(name=about)]
    if task.is_reminder and (begun is None or begun != task.action):
        words.insert(0, _("Not yet: do this first."))
    if in_lines:
        return " ".join([*words, _line_words(task, view, names)])
    how = _keys_left(task, begun, names, is_listed=is_listed)
    return " ".join([*words, how or _key_words(task, view, names)])


def _purpose(step: LessonStep) -> str:
    """Explain the purpose of a step; {name} is the player it is about."""
    return {
        LessonStep.LAY: _("You are a miner. Gold lies under one of the three goals: dig to it!"),
        LessonStep.TURN: _("Cards can be rotated: make this branch lead south."),
        LessonStep.REACH: _("One more card reaches the middle goal: gold or stone?"),
        LessonStep.REPAIR: _("Just stone! And {name} broke your pick: repair it to dig again."),
        LessonStep.MAP: _("Only you see what a map shows. Look under the north goal."),
        LessonStep.ACCUSE: _("You saw a stone in the north, but {name} says gold. A lie!"),
        LessonStep.ROCKFALL: _(
            "The gold is south, but {name}'s dead end is in the way: bring it down."
        ),
        LessonStep.WIN: _("The way is clear: lay the last card and win!"),
        LessonStep.GOLD: _("Gold! You reached it, so you choose first."),
        LessonStep.OTHER_SIDE: _("That was a round as a miner. Now finish one as a saboteur!"),
        LessonStep.BREAK: _("Keep them from the gold! Without a lantern {name} cannot dig."),
        LessonStep.BLOCK: _("{name} still can. Lay a dead end in the way!"),
        LessonStep.LIE: _("Now mislead them: you may say whatever you like."),
        LessonStep.PASS: _("This card would only help them, so pass: discard it."),
        LessonStep.END: _("Nobody found the gold, so you win. That was the lesson!"),
    }[step]


def _keys_left(task: LessonTask, begun: Move | None, names: PlayerNames, *, is_listed: bool) -> str:
    """Name the keys still to press for a move already begun, "" if none was."""
    match task.action, begun:
        case TableClaim() as claim, _ if is_listed:
            return _ask_to_say(claim, names)
        case action, _ if begun is not None and action == begun:
            return press_enter()
        case Lay(path, cell), Lay(other, at) if at == cell and other.card is path.card:
            return _press("r", _enter())
        case Discard(card), Lay() as lay if lay.card is card:
            return _press("x", _enter())
        case action, other if isinstance(action, Play) and isinstance(other, Play):
            return _("Press n for the next place.") if other.card is action.card else ""
        case _:
            return ""


def _ask_to_say(claim: TableClaim, names: PlayerNames) -> str:
    return _("Say: {claim}.").format(claim=claim_words(claim, names.names))


def press_enter() -> str:
    """Return the request to press Enter, the only key left."""
    return _press(_enter())


def _enter() -> str:
    return pgettext("key", "Enter")


def _press(*keys: str) -> str:
    *first, last = keys
    if first:
        # Translators: keys to press, in order, as in: 3, r, then Enter.
        last = _("{first}, then {last}").format(first=", ".join(first), last=last)
    # Translators: {keys} is such as: 3, r, then Enter.
    return _("Press {keys}.").format(keys=last)


def _key_words(task: LessonTask, view: View, names: PlayerNames) -> str:
    match task.action:
        case None:
            return _("Press q, and try Practise next.")
        case SetReady():
            return press_enter()
        case TableClaim() as claim:
            return f"{_press('c')} {_ask_to_say(claim, names)}"
        case KeepGold(nuggets):
            return _press(str(nuggets), _enter())
        case Discard(card):
            return _press("x", _place_in_hand(card, view))
        case Lay(path) as lay if path is not lay.card.ways[0]:
            return _press(_place_in_hand(lay.card, view), "r", _enter())
        case play:
            return _press(_place_in_hand(play.card, view), _enter())


def _place_in_hand(card: Card, view: View) -> str:
    """Return the number of a card in the hand, which is its key."""
    return str(view.hand.index(card) + 1)


def _line_words(task: LessonTask, view: View, names: PlayerNames) -> str:
    match task.action:
        case None:
            return type_line("quit")
        case SetReady():
            return press_enter()
        case TableClaim() as claim:
            number = quick_claims(view.table.players, view.seat).index(claim) + 1
            said = claim_words(claim, names.names)
            return type_line(put_title(f"c {number}", said))
        case KeepGold(nuggets):
            return type_line(str(nuggets))
        case Discard(card):
            return type_line(f"x{_card_number(card, view)}")
        case play:
            number = _card_number(play.card, view)
            place = hand_entries(view)[number - 1].plays.index(play) + 1
            # Translators: in plain-text mode one types the number of a card and of a place.
            text = _("Type {number} {place}: card {number}, place {place}.")
            return text.format(number=number, place=place)


def _card_number(card: Card, view: View) -> int:
    return [entry.card for entry in hand_entries(view)].index(card) + 1
