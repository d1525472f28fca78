"""A game that is watched again: the reader's place in it, the point of view, and its sentences.

Screens and lines of text step through the same value, a `ReplayPosition`. It counts frames: each
step of the record is a frame, and so is each thing that was said after it.

A record is text from strangers: none of it reaches the terminal before all of it was checked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from engine import notation
from engine.events import (
    DiscardedCard,
    Drew,
    Event,
    GoalPeeked,
    GoldReceived,
    PartlySecret,
    visible_to,
)
from engine.notation.record import Replay, ReplayStep, Truth, Utterance
from engine.view import View
from net.protocol.chat import BEFORE_ALL, ChatLine, Moment, moment, table_claim
from net.protocol.fields import seat_code
from net.protocol.lobby import Dwarf, Lobby, Presence
from sabtui.app.errors import UserError
from sabtui.app.records import not_a_record, read_record
from sabtui.table.sight import Sight
from sabtui.text import cards, events, talk
from sabtui.text.i18n import _, add_facts, pgettext
from sabtui.text.lobby import table_name
from sabtui.text.names import BOTS_TAG, PlayerNames, read_bots, read_dwarves


@dataclass(frozen=True, slots=True)
class PointOfView:
    """Point of view of a game: of a seat, of a watcher, or with all cards open."""

    seat: int | None = None  # `None` for a watcher's view
    is_open: bool = False  # True for all cards


ALL_OPEN: Final = PointOfView(is_open=True)


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """A step, by number from 0, and how many of the things said after it are shown."""

    step: int
    said: int


@dataclass(frozen=True)
class WatchedGame:
    """A game to be watched again."""

    replay: Replay
    text: str  # of the record
    title: str = ""  # the name of its file or table
    dwarves: tuple[Dwarf, ...] = ()  # of the players at their table, by seat; () if not known
    bots: frozenset[int] = frozenset()  # the seats of bots, none if that is not known

    @cached_property
    def frames(self) -> tuple[ReplayFrame, ...]:
        return tuple(
            ReplayFrame(step.number, said)
            for step in self.replay.steps
            for said in range(len(step.said) + 1)
        )

    @property
    def points_of_view(self) -> tuple[PointOfView, ...]:
        """The points of view of which the record knows enough; all cards come first."""
        seats = sorted(self.replay.seats, key=lambda seat: (seat is None, seat or 0))
        every = tuple(map(PointOfView, seats))
        return (ALL_OPEN, *every) if self.replay.is_whole else every

    def names(self, me: int | None = None) -> PlayerNames:
        return PlayerNames.of(self.replay.names, me, self.dwarves)

    def begin(self) -> ReplayPosition:
        return ReplayPosition(self, 0, self.points_of_view[0])


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A frame of a game, by its index `at`, and the point of view."""

    game: WatchedGame
    at: int
    seen_from: PointOfView

    @property
    def frame(self) -> ReplayFrame:
        return self.game.frames[self.at]

    @property
    def step(self) -> ReplayStep:
        return self.game.replay.steps[self.frame.step]

    @property
    def said(self) -> Utterance | None:
        """The claim or text that this frame adds, `None` for the frame of a step itself."""
        return self.step.said[self.frame.said - 1] if self.frame.said else None

    @property
    def view(self) -> View:
        """The view at this frame: the seat's own, or for all cards a watcher's with all goals."""
        view = self.step.view(self.seen_from.seat)
        game = self.step.game
        if not self.seen_from.is_open or game is None:
            return view
        return view._replace(peeks=game.round.goals)

    @property
    def sight(self) -> Sight:
        """The table as it was shown to the seat or watcher at this frame, or with all cards."""
        replayed, view, seat = self.game.replay, self.view, self.seen_from.seat
        said: list[ChatLine] = []
        for step, utterances in self.round_so_far():
            seen = step.view(seat)
            when = moment(seen.table, seen.score)
            said += [chat_line(utterance, self.names, when) for utterance in utterances]
        last = self.step
        # Earlier rounds are counted at the end of a round, and only then.
        before = replayed.steps[: last.number - last.moves] if view.table.end is not None else ()
        return Sight(
            view,
            self.names,
            self.game.title,
            presences=(Presence.THERE,) * len(replayed.names),
            said=tuple(said),
            past=tuple(event for step in before for event in visible_to(step.events, seat)),
            record=self.game.text if view.score.gold is not None and replayed.is_whole else "",
            revealed=self.step.game if self.seen_from.is_open else None,
        )

    @property
    def names(self) -> PlayerNames:
        return self.game.names(self.seen_from.seat)

    def round_so_far(self) -> Iterator[tuple[ReplayStep, tuple[Utterance, ...]]]:
        """Yield the steps of the round up to this frame, each with the talk after it."""
        last, frame = self.step, self.frame
        for step in self.game.replay.steps[last.number - last.moves : last.number + 1]:
            yield step, step.said if step.number < last.number else step.said[: frame.said]

    @property
    def is_last(self) -> bool:
        return self.at == len(self.game.frames) - 1

    @property
    def last(self) -> ReplayPosition:
        return replace(self, at=len(self.game.frames) - 1)

    def truth(self, step: ReplayStep, said: Utterance) -> Truth | None:
        """Return the truth of a claim or text, `None` unless all cards are open."""
        return self.game.replay.truth(step, said) if self.seen_from.is_open else None

    def move(self, frames: int) -> ReplayPosition:
        """Return the position this many frames later, or earlier, but not beyond the ends."""
        at = max(0, min(self.at + frames, len(self.game.frames) - 1))
        return replace(self, at=at)

    def at_step(self, number: int) -> ReplayPosition:
        """Return the position at a step, from 0; beyond the ends, at the first or the last."""
        steps = len(self.game.replay.steps)
        return replace(self, at=self._first_of(max(0, min(number, steps - 1))))

    def turn(self, steps: int) -> ReplayPosition:
        """Return the position this many steps later, or earlier.

        From something said after a step, the first step back is that step itself.
        """
        here = self.frame.step
        back = -1 if steps < 0 and self.frame.said else 0
        return self.at_step(here + steps - back)

    def at_round(self, rounds: int) -> ReplayPosition:
        """Return the position at the deal of another round, `rounds` later, or earlier if negative.

        After the deal of a round, the nearest earlier one is the deal of that round.
        """
        deals = [step.number for step in self.game.replay.steps if step.moves == 0]
        here = self.at if rounds > 0 else self.at - 1
        begun = sum(self._first_of(number) <= here for number in deals)
        at = begun - 1 + rounds + (rounds < 0)
        return self.at_step(deals[max(at, 0)]) if at < len(deals) else self.last

    def look_from(self, seen_from: PointOfView) -> ReplayPosition:
        return replace(self, seen_from=seen_from)

    def next_point_of_view(self) -> ReplayPosition:
        every = self.game.points_of_view
        return self.look_from(every[(every.index(self.seen_from) + 1) % len(every)])

    def _first_of(self, step: int) -> int:
        return bisect_left(self.game.frames, step, key=lambda frame: frame.step)


def chat_line(said: Utterance, names: PlayerNames, when: Moment = BEFORE_ALL) -> ChatLine:
    """Turn talk in a record into a line of chat, said at a moment of the game."""
    name = said.name or ("" if said.seat is None else names.names[said.seat])
    claim = None if said.claim is None else table_claim(said.claim)
    return ChatLine(name, seat_code(said.seat), said.text, claim, when)


def said_words(
    said: Utterance, names: PlayerNames, truth: Truth | None, *, quoted: bool = False
) -> str:
    """Return what was said with its speaker and, given its `truth`, whether it was true.

    In lines it has to be `quoted`, as in `chat_words`.
    """
    words = talk.chat_words(chat_line(said, names), names.names, quoted=quoted)
    if truth is None:
        return words
    worth = {
        Truth.TRUE: pgettext("claim", "true"),
        Truth.FALSE: pgettext("claim", "false"),
        # Translators: of a claim: the speaker knew better.
        Truth.LIE: pgettext("claim", "a lie"),
    }
    return add_facts(words, worth[truth])


def open_lines(step: ReplayStep, names: PlayerNames, card: str = "") -> Iterator[tuple[Event, str]]:
    """Yield the public events of a step in sentences, with the cards that only one seat saw.

    `card` is as in `sabtui.text.events.log_lines`.
    """
    view, opened = step.view(None), dict[int, str]()
    for event in step.events:
        match event:
            case DiscardedCard(seat, found):
                opened[seat] = _("{name} discarded: {card}.").format(
                    name=names.names[seat], card=cards.name_card(found, spelt=names.spelt)
                )
            case GoalPeeked(seat, cell, goal):
                opened[seat] = _("{name} looked at {goal}: {what}.").format(
                    name=names.names[seat],
                    goal=cards.the_goal(cell, spelt=names.spelt),
                    what=cards.goal_words(goal),
                )
            case GoldReceived(seat, nuggets):
                gold = cards.nuggets_counted(sum(nuggets))
                text = _("{name} gets {gold}.").format(name=names.names[seat], gold=gold)
                # A saboteur may be paid in the step of their last move, which was described
                # already.
                opened.setdefault(seat, text)
            case _:
                pass
    for event in visible_to(step.events, None):
        result = opened.get(event.seat, "") if isinstance(event, PartlySecret) else ""
        if result:
            yield event, result
        elif not isinstance(event, Drew):
            for line in events.log_lines([event], view, names, card):
                yield event, line


def step_lines(step: ReplayStep, names: PlayerNames, view: View | None) -> list[str]:
    """Return a step in sentences: what the seat of a view saw of it, or without one, everything."""
    if view is None:
        return [text for _event, text in open_lines(step, names)]
    return events.log_lines(visible_to(step.events, view.seat), view, names)


def place_words(step: ReplayStep) -> str:
    """Name a step's place in the game: its round, and its move unless it is a deal."""
    if step.moves:
        return _("round {round}, move {move}").format(round=step.round, move=step.moves)
    return _("round {number}").format(number=step.round)


def seen_by_words(seat: int | None, names: PlayerNames, *, is_open: bool) -> str:
    if is_open:
        return _("all cards open")
    if seat is None:
        return _("as a watcher saw it")
    return _("as {name} saw it").format(name=names.names[seat])


def read_replay(path: Path) -> WatchedGame:
    """Read a game from a file, all of which is checked before any of it is shown.

    Raises UserError: the file cannot be read, is not a valid record, or has no game in it.
    """
    record, written = read_record(path)
    extra, players = dict(record.extra), len(record.names)
    dwarves = read_dwarves(extra, players)
    bots = read_bots(extra.get(BOTS_TAG, ""), players)
    return WatchedGame(_read_steps(record, path.name), written, path.stem, dwarves, bots)


def watched_text(text: str, lobby: Lobby) -> WatchedGame:
    """Return the game of a record that the host of a table has published.

    Raises UserError: it is not a valid record, or has no game in it; an honest host sends neither.
    """
    title = table_name(lobby)
    try:
        record = notation.parse_record(text)
    except notation.NotationError as error:
        raise UserError(not_a_record(title)) from error
    return WatchedGame(_read_steps(record, title), text, title, lobby.dwarves)


def _read_steps(record: notation.Record | notation.ObservedRecord, title: str) -> Replay:
    """Return the steps of a record. Raises UserError: there are none."""
    replayed = Replay.of(record)
    if not replayed.steps:
        raise UserError(not_a_record(title))
    return replayed
