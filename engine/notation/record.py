"""Records of games, as values: a whole one, from which a game is replayed, and a seat's own.

A `Record` holds every secret of the rounds that were dealt, as their seeds or deals do, so only the
host may have one until the game is over (RULES K). A `Replay` is a record as a list of steps: each
deal and each move, the views after it, and what was said then.

    for step in Replay.of(parse_record(data)).steps:
        step.seat, step.move, step.events, step.said
        step.view(2)        # exactly the view that seat 3 had
        step.view(None)     # what everybody could see
        step.game           # every secret; None in the record of what one seat saw

What players and watchers said is written as comments between the moves:

    {2 gold 8n2}    {3 "Who says so?"}    {2 "Wim" saboteur 1}    {"Ida" "Good luck!"}

First comes the speaker: a seat, with a name if it is not the one in the record, or for a watcher
only a name. Then comes a claim, or a text in quotes. The tag `Talk` holds a CRC-32 of all that was
said and where, so that talk is as well guarded as moves are.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from itertools import takewhile
from types import MappingProxyType
from typing import Final, assert_never

from engine.board import GOAL_CELLS
from engine.bots.talk import (
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    StoneAt,
    WhoMe,
    list_claims,
)
from engine.cards import Goal, Role, Tool
from engine.dealing import ALL_GOLD, Deal, Draw, deal
from engine.edition import INTERNATIONAL, Edition, check_edition
from engine.events import (
    ChoiceBegan,
    DiscardedCard,
    Event,
    FaceUpPlay,
    GoldReceived,
    GoldTaken,
    Played,
    RoundBegan,
)
from engine.game import Game, Transition
from engine.moves import Discard, KeepGold, Move
from engine.state import MAX_PLAYERS, ROUNDS
from engine.tokens import Span, format_cell, format_seat
from engine.view import View

MAX_SAID_CHARACTERS: Final = 200  # maximum characters of a text, or of a speaker's name

Extra = tuple[tuple[str, str], ...]
"""Tags that the format does not define, as (name, text), in their order."""

_COMMENT: Final = re.compile(
    r'\{(?:(?P<seat>[1-9][0-9]?) )?(?:"(?P<name>(?:[^"\\]|\\.)*)" )?'
    r'(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<claim>[a-z]+(?: [0-9A-Zns-]+)?))\}'
)
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "{": "\\(", "}": "\\)"}
"""Escapes within quotes: a comment has no braces in it."""
_ESCAPING: Final = str.maketrans(_ESCAPES)
_UNESCAPED: Final = {escape: character for character, escape in _ESCAPES.items()}
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something said aloud: a claim, or a text."""

    round: int
    """The number of the round in which it was said."""
    moves: int
    """The number of moves that were made in that round before it."""
    seat: int | None
    """The speaker's seat, `None` for a watcher."""
    name: str = ""
    """The speaker's name, empty if it is the name of the seat in the record."""
    claim: Claim | None = None
    text: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """The number of the round, and the number of its moves that were made before."""
        return self.round, self.moves


def format_claim(claim: Claim) -> str:
    """Spell a claim."""
    match claim:
        case GoldAt(cell):
            return f"gold {format_cell(cell)}"
        case StoneAt(cell):
            return f"stone {format_cell(cell)}"
        case DigsAgainstUs(seat):
            return f"saboteur {format_seat(seat)}"
        case DigsForUs(seat):
            return f"miner {format_seat(seat)}"
        case HelpMe(tool):
            return f"help {tool.value}"
        case Bluff(seat):
            return f"bluff {format_seat(seat)}"
        case WhoMe():
            return "me"
        case _:
            assert_never(claim)


@lru_cache
def spell_claims(players: int) -> Mapping[str, Claim]:
    """Return every claim that can be made among this number of players, by its spelling."""
    return MappingProxyType({format_claim(claim): claim for claim in list_claims(players)})


def parse_claim(text: str) -> Claim:
    """Read a claim, such as `gold 8n2`. Raises `NotationError`."""
    claim = spell_claims(MAX_PLAYERS).get(text)
    if claim is None:
        raise Span.whole(text).error("no claim is written like this")
    return claim


def format_utterance(said: Utterance) -> str:
    """Spell what was said, as the comment at the place where it was said."""
    words = [] if said.seat is None else [format_seat(said.seat)]
    if said.name or said.seat is None:
        words.append(_quote(said.name))
    words.append(_quote(said.text) if said.claim is None else format_claim(said.claim))
    return f"{{{' '.join(words)}}}"


def read_utterance(comment: str, place: tuple[int, int], players: int) -> Utterance | None:
    """Read the utterance in a comment at this `place`; `None` if it is not talk.

    `place` is the round, and the number of its moves that were made before.
    """
    found = _COMMENT.fullmatch(comment)
    if found is None:
        return None
    number, name, text, claim = found.group("seat", "name", "text", "claim")
    seats = {format_seat(seat): seat for seat in range(players)}
    spelt = spell_claims(players)
    if (number is None and name is None) or (number is not None and number not in seats):
        return None
    if claim is not None and claim not in spelt:
        return None
    seat = None if number is None else seats[number]
    claimed = None if claim is None else spelt[claim]
    said = Utterance(*place, seat, _unquote(name), claimed, _unquote(text))
    # Each is written in one way only, so a comment written differently is not talk.
    return said if format_utterance(said) == comment and is_printable(said) else None


def is_printable(said: Utterance) -> bool:
    """Return True if name and text of an utterance are short and have no control characters."""
    return all(
        len(text) <= MAX_SAID_CHARACTERS and text.isprintable() for text in (said.name, said.text)
    )


def checksum_talk(talk: Iterable[Utterance]) -> str:
    """Return the text of the tag `Talk`: a CRC-32 of all that was said, and where."""
    crc = 0
    for said in talk:
        line = f"{said.round} {said.moves} {format_utterance(said)}\n"
        crc = zlib.crc32(line.encode("utf-8", "surrogatepass"), crc)
    return f"{crc:08x}"


def _quote(text: str) -> str:
    """Return a text in quotes, with escapes for quotes, backslashes and braces."""
    return f'"{text.translate(_ESCAPING)}"'


def _unquote(text: str | None) -> str:
    """Return the text that `_quote` was given; an unknown escape stays as it is."""
    if text is None:
        return ""
    return _ESCAPE.sub(lambda found: _UNESCAPED.get(found[0], found[0]), text)


@dataclass(frozen=True, slots=True)
class Record:
    """A game, or as much of it as was played.

    The rounds are dealt from one `seed`, or each from its own of the `seeds`, or as the `deals`
    say.
    """

    names: tuple[str, ...]
    """The players' names by seat."""
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    """The number of rounds to be played."""
    youngest: int | None = None
    """The seat that the table named to begin (S8)."""
    seed: bytes | None = None
    """The 32-byte seed of all rounds, if there is one for all."""
    seeds: tuple[bytes, ...] = ()
    """The 32-byte seed of each round that was dealt, if each has its own."""
    deals: tuple[Deal, ...] = ()
    """Without seeds, the deal of each round, with the `starter` that really began."""
    draws: tuple[Draw | None, ...] = ()
    """The draw that each of the `seeds` came from; `None` if the host drew it alone."""
    moves: tuple[tuple[Move, ...], ...] = ()
    """The moves of each round that was dealt."""
    talk: tuple[Utterance, ...] = ()
    """What was said aloud, in order."""
    extra: Extra = ()

    def __post_init__(self) -> None:
        """Raise `TypeError` unless `edition` is an `Edition`."""
        check_edition(self.edition)

    @property
    def writes_deals(self) -> bool:
        """True if the deals are written out, because there are no seeds."""
        return self.seed is None and not self.seeds

    def add_round(self, by: Deal | Draw | bytes | None = None) -> Record:
        """Return this record with the next round dealt.

        `by` is the draw of the round's own seed, or that seed, or the deal to be written out;
        `None` if all rounds are dealt from one seed.
        """
        moves = (*self.moves, ())
        match by:
            case None:
                return replace(self, moves=moves)
            case Deal():
                return replace(self, deals=(*self.deals, by), moves=moves)
            case _:
                draw = by if isinstance(by, Draw) else None
                seed = by.seed if isinstance(by, Draw) else by
        draws = (*self.draws, *(None,) * (len(self.seeds) - len(self.draws)), draw)
        # Without any draw the field is empty, so that records compare equal.
        draws = draws if any(draws) else ()
        return replace(self, seeds=(*self.seeds, seed), draws=draws, moves=moves)

    def add_move(self, move: Move) -> Record:
        """Return this record with one more move in the present round, or a choice of gold."""
        *before, now = self.moves
        # Not `replace`: this is called for each move, and then it would take the longest.
        return Record(
            self.names,
            self.edition,
            self.rounds,
            self.youngest,
            self.seed,
            self.seeds,
            self.deals,
            self.draws,
            (*before, (*now, move)),
            self.talk,
            self.extra,
        )

    def add_utterance(
        self, seat: int | None, name: str, claim: Claim | None = None, text: str = ""
    ) -> Record:
        """Return this record with a claim or a text said now, in a round that was dealt.

        `name` is the name of the speaker, a watcher if `seat` is `None`.
        """
        said = Utterance(
            round=len(self.moves),
            moves=len(self.moves[-1]),
            seat=seat,
            name="" if seat is not None and name == self.names[seat] else name,
            claim=claim,
            text=text,
        )
        return replace(self, talk=(*self.talk, said))

    def next_step(self, game: Game | None) -> Transition:
        """Deal the first round, or the one after `game`; return the game and its events.

        Raises `ValueError` if the deal is missing or impossible, or the game does not wait for one.
        """
        number = 1 if game is None else game.score.number + 1
        gold = ALL_GOLD if game is None else game.purse.pile
        players = len(self.names)
        seed = self.seeds[number - 1] if number <= len(self.seeds) else self.seed
        if seed is not None:
            dealt = deal(seed, number, players, gold)
        elif number <= len(self.deals) and len(self.deals[number - 1].roles) == players:
            dealt = self.deals[number - 1]
        else:
            raise ValueError(f"round {number} has no seed and no deal for {players} players")
        if game is not None:
            return game.deal(dealt)
        return Game.begin(dealt, self.edition, self.rounds, self.youngest)


def replay(record: Record) -> Iterator[Transition]:
    """Play a record, yielding the game after each deal and each move, with its events.

    Raises `ValueError` for an impossible deal, and `IllegalMove` for a move; a record that was read
    from text has neither.
    """
    game: Game | None = None
    for moves in record.moves:
        game, events = record.next_step(game)
        yield game, events
        for move in moves:
            game, events = game.apply(move)
            yield game, events


@dataclass(frozen=True, slots=True)
class ObservedRecord:
    """A game as one seat saw it, or for `None` a watcher: all the `events` it received, in order.

    A record ends after a whole step, and so with a turn that has begun, gold to choose, a deal that
    is awaited, or the end of the game.
    """

    names: tuple[str, ...]
    seat: int | None
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    events: tuple[Event, ...] = ()
    extra: Extra = ()

    def __post_init__(self) -> None:
        """Raise `TypeError` unless `edition` is an `Edition`."""
        check_edition(self.edition)

    def with_events(self, *events: Event) -> ObservedRecord:
        """Return this record with more events, all of them visible to the seat (RULES K)."""
        return replace(self, events=self.events + events)

    def before(self) -> View:
        """Return the seat's view before the first deal."""
        return View.before(self.edition, len(self.names), self.rounds, self.seat)


class Truth(Enum):
    """The truth of a claim, by all cards."""

    TRUE = auto()
    FALSE = auto()
    """It is false, but the speaker could not know that."""
    LIE = auto()
    """It is false, and the speaker could see that."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A deal or a move, and the state after it."""

    number: int
    """The number of the step, from 0."""
    round: int
    """The number of the round, from 1."""
    moves: int
    """The number of moves in the round so far, this one included."""
    seat: int | None
    """The seat that moved, `None` for a deal."""
    move: Move | None
    """The move; `None` for a deal, and for a card or gold that the record does not know."""
    events: tuple[Event, ...]
    said: tuple[Utterance, ...] = ()
    """What was said after this step and before the next."""
    game: Game | None = None
    """The game with all secrets; `None` in the record of what one seat saw."""
    seen: View | None = None
    """The view of the seat that made the record, where there is no `game`."""

    def view(self, seat: int | None) -> View:
        """Return the view that a seat, or for `None` a watcher, had after this step.

        Raises `LookupError` for a seat whose view the record does not know.
        """
        if self.game is not None:
            return self.game.view(seat)
        if self.seen is None or self.seen.seat != seat:
            whose = "a watcher" if seat is None else f"seat {format_seat(seat)}"
            raise LookupError(f"the record does not know what {whose} saw")
        return self.seen


@dataclass(frozen=True, slots=True)
class Replay:
    """The steps of a game.

    `seats` are the points of view that it can be looked at from, `None` for a watcher. `is_whole`
    is True if all secrets are known.
    """

    names: tuple[str, ...]
    edition: Edition
    rounds: int
    steps: tuple[ReplayStep, ...]
    seats: tuple[int | None, ...]
    is_whole: bool

    @staticmethod
    def of(record: Record | ObservedRecord) -> Replay:
        """Return the steps of a record.

        Raises the errors of `replay`; a record that was read from text has none.
        """
        seats: tuple[int | None, ...]
        if isinstance(record, Record):
            steps, seats = _list_whole_steps(record), (None, *range(len(record.names)))
        else:
            steps, seats = _list_seen_steps(record), (record.seat,)
        is_whole = isinstance(record, Record)
        return Replay(record.names, record.edition, record.rounds, tuple(steps), seats, is_whole)

    def truth(self, step: ReplayStep, said: Utterance) -> Truth | None:
        """Return the truth of a claim that was made after a step.

        It is `None` for a text, for a claim that can be neither true nor false, and where not all
        cards are known.
        """
        game, claim = step.game, said.claim
        if game is None or claim is None:
            return None
        round_so_far = [
            earlier for earlier in self.steps[: step.number + 1] if earlier.round == step.round
        ]
        is_true = _is_true(round_so_far, game, said, claim)
        if is_true is None:
            return None
        if is_true:
            return Truth.TRUE
        has_lied = said.seat is not None and _could_see_lie(game, said.seat, claim)
        return Truth.LIE if has_lied else Truth.FALSE


def _list_whole_steps(record: Record) -> Iterator[ReplayStep]:
    said: dict[tuple[int, int], list[Utterance]] = {}
    for utterance in record.talk:
        said.setdefault(utterance.place, []).append(utterance)
    moves = 0
    for number, (game, events) in enumerate(replay(record)):
        is_deal = isinstance(events[0], RoundBegan)
        moves = 0 if is_deal else moves + 1
        place = game.score.number, moves
        move = None if is_deal else record.moves[place[0] - 1][moves - 1]
        talk = tuple(said.get(place, ()))
        yield ReplayStep(number, *place, _find_actor(events), move, events, talk, game)


def _list_seen_steps(record: ObservedRecord) -> Iterator[ReplayStep]:
    view = record.before()
    moves = 0
    for number, events in enumerate(_group_events(record.events)):
        for event in events:
            view = view.after(event)
        moves = 0 if isinstance(events[0], RoundBegan) else moves + 1
        seat, move = _find_actor(events), _find_move(events)
        yield ReplayStep(number, view.score.number, moves, seat, move, events, seen=view)


def _group_events(events: Iterable[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield the events of each deal and each move."""
    group: list[Event] = []
    was_asked = False
    for event in events:
        # Taking the last gold card is not a move: nobody chooses it (D4).
        is_move = was_asked if isinstance(event, GoldTaken) else isinstance(event, Played)
        if group and (is_move or isinstance(event, RoundBegan)):
            yield tuple(group)
            group = []
            was_asked = False
        was_asked = was_asked or isinstance(event, ChoiceBegan)
        group.append(event)
    if group:
        yield tuple(group)


def _find_actor(events: tuple[Event, ...]) -> int | None:
    """Return the seat whose move these events show, `None` for the events of a deal."""
    return next((event.seat for event in events if isinstance(event, Played)), None)


def _find_move(events: tuple[Event, ...]) -> Move | None:
    """Return the move that one seat saw in these events, `None` if it did not see it."""
    match events:
        case (GoldTaken(), GoldReceived(_, (nuggets,)), *_):
            return KeepGold(nuggets)
        case (GoldTaken(), *_):
            return None
        case _:
            pass
    for event in events:
        match event:
            case DiscardedCard(_, card):
                return Discard(card)
            case _ if isinstance(event, FaceUpPlay):
                return event.move
            case _:
                pass
    return None


def _is_true(steps: Iterable[ReplayStep], game: Game, said: Utterance, claim: Claim) -> bool | None:
    """Return True if a claim is true by all cards, `None` if it can be neither true nor false.

    `steps` are the steps of the round so far.
    """
    now = game.round
    match claim:
        case GoldAt(cell):
            return now.goals[GOAL_CELLS.index(cell)] is Goal.TREASURE
        case StoneAt(cell):
            return now.goals[GOAL_CELLS.index(cell)] is not Goal.TREASURE
        case DigsAgainstUs(seat):
            return now.roles[seat] is Role.SABOTEUR
        case DigsForUs(seat):
            return now.roles[seat] is Role.MINER
        case HelpMe(tool):
            broken = 0 if said.seat is None else now.table.broken[said.seat]
            return None if said.seat is None else tool in Tool.within(broken)
        case Bluff(seat):
            every = (utterance for step in steps for utterance in step.said)
            # By identity: the same may have been said before, word for word.
            before = takewhile(lambda utterance: utterance is not said, every)
            return any(_makes_false_claim(game, utterance, seat) for utterance in before)
        case WhoMe():
            return None if said.seat is None else now.roles[said.seat] is Role.MINER
        case _:
            assert_never(claim)


def _makes_false_claim(game: Game, said: Utterance, seat: int) -> bool:
    """Return True if this was the seat's claim about a goal or a role, and false."""
    claim = said.claim
    if claim is None or said.seat != seat or isinstance(claim, Bluff | HelpMe):
        return False
    return _is_true((), game, said, claim) is False


def _could_see_lie(game: Game, seat: int, claim: Claim) -> bool:
    """Return True if the speaker could see that a false claim is false."""
    view = game.view(seat, history=False)
    match claim:
        case GoldAt(cell):
            faces = [view.goal_on(goal) for goal in GOAL_CELLS]
            # Whoever saw the treasure elsewhere knows that it is not here.
            return view.goal_on(cell) is not None or Goal.TREASURE in faces
        case StoneAt(cell):
            others = [view.goal_on(goal) for goal in GOAL_CELLS if goal != cell]
            # Whoever saw two stones knows the third goal.
            return view.goal_on(cell) is not None or None not in others
        case DigsAgainstUs(about) | DigsForUs(about):
            return about == seat or game.round.table.end is not None
        case HelpMe() | WhoMe():
            return True
        case Bluff():
            return False
        case _:
            assert_never(claim)
