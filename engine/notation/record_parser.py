"""Records as text: `.sab` files, modelled on the PGN of chess.

    [Sabtui "1"] #8c1d52e0
    [Edition "international"] #90e4ea7b
    Round 1 #0f1b2c3d
    EW@1 xNE -L>2 #55d0a1b2
    End 7 4 3 #c0ffee00

First come the tags (`engine.notation.lexer`), then lines for each round's heading, each lap of
turns and the end of the round (`engine.notation.record_writer`), then the result: the nuggets by
seat, or `*` for a game that is not over. Every line ends in a check.

A whole record gives the moves, and the results that follow from them so that they can be compared.
Its rounds are dealt from the tags `Seed1`, `Seed2` and `Seed3`, or all from one `Seed`. A seed that
was drawn together follows from tags such as `Draw1`, `Share1_0` and `Share1_1`. If it has no seed,
a round's heading holds its deal: a position, and the gold pile, next card first, as `$1123...`. A
seat's own record, `[Seen "2"]`, or `[Seen "-"]` for a watcher, gives what that seat saw.

Only correct records are accepted: checks that fit, legal moves, results that follow from them. A
record that is accepted would be written with the same words, whatever its spacing, its comments and
the order of its tags. A summary for lists checks all checksums, but not the moves: whether the game
was possible at all is known only after `parse_record`. That makes it ten times as fast.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, NamedTuple

from engine.cards import Role
from engine.dealing import Deal
from engine.edition import Edition
from engine.events import RoundBegan
from engine.game import Game
from engine.mistakes import NotationError
from engine.moves import IllegalMove, read_nuggets, read_own_move
from engine.notation.lexer import (
    END_WORD,
    Comment,
    Extra,
    Tags,
    Token,
    TokenReader,
    check_texts,
    checked_words,
    expect_text,
    format_tags,
    read_tags,
    with_checks,
)
from engine.notation.observed import ObservedReplay, read_gold
from engine.notation.position import FIELD_COUNT, format_position, read_position
from engine.notation.record import (
    ObservedRecord,
    Record,
    Utterance,
    format_utterance,
    is_printable,
    read_utterance,
    replay,
    talk_check,
)
from engine.notation.record_writer import LineKind, RecordLine, RecordWriter
from engine.state import Phase, Score
from engine.tokens import Span, format_seat

BYTE_ORDER_MARK: Final = "\ufeff"  # the mark that some editors put before text in UTF-8
UNFINISHED_RESULT: Final = "*"  # the result of a game that is not over


def format_record(record: Record | ObservedRecord) -> str:
    """Spell a record.

    What is written, `parse_record` reads: the text is read once before it is returned. Raises
    `ValueError` for what cannot be a record, such as a name or tag that cannot be shown, events
    that no seat receives in that order, or more talk than a record has room for; and the errors of
    `replay`.
    """
    check_texts((*record.names, *_read_dealers(record)), record.extra)
    talk = record.talk if isinstance(record, Record) else ()
    if not all(map(is_printable, talk)):
        raise ValueError("no text for talk: it is too long, or has a control character")
    lines, score, places = _body(record)
    result = _result(score)
    tags = Tags(
        edition=record.edition,
        names=record.names,
        rounds=record.rounds,
        youngest=record.youngest if isinstance(record, Record) else None,
        seed=record.seed if isinstance(record, Record) else None,
        seeds=record.seeds if isinstance(record, Record) else (),
        draws=record.draws if isinstance(record, Record) else (),
        seen=None if isinstance(record, Record) else (record.seat,),
        talk=talk_check(talk) if talk else "",
        result=result,
        extra=record.extra,
    )
    head, body = format_tags(tags), [line.words for line in lines]
    comments: dict[int, list[str]] = {}
    for said in talk:
        if said.place not in places:
            raise ValueError(f"no move of this game goes before this talk: {said.place}")
        comments.setdefault(len(head) + places[said.place], []).append(format_utterance(said))
    statements = [*((tag,) for tag in head), *body, (END_WORD, *result.split())]
    text = with_checks(statements, comments)
    try:
        read = parse_record(text)
    except NotationError as error:
        raise ValueError(f"this cannot be a record: {error}") from error
    if isinstance(read, ObservedRecord) and read != record:
        raise ValueError("no seat receives these events in this order")
    return text


def parse_record(text: str | bytes) -> Record | ObservedRecord:
    """Read a record and check all of it: the result can be replayed to its end.

    Raises `NotationError` with the line of the fault. Bytes are UTF-8, as in a file, and may begin
    with a byte order mark.
    """
    head, body, comments = record_parts(text)
    tags = read_tags(head, body[0].span)
    rest = TokenReader([word.span for word in body], body[-1].span)
    # Reading checks all but the words that follow from the rest; so the record is then written
    # again, and must give the same words.
    record = _read_whole(tags, rest) if tags.seen is None else _read_seen(tags, tags.seen[0], rest)
    if isinstance(record, Record) and len(record.seeds) < len(tags.seeds):
        last = f"Seed{len(tags.seeds)}"
        spare = next(word.span for word in head if word.name == last)
        raise spare.error("this tag does not belong in this kind of record")
    lines, score, places = _body(record)
    if isinstance(record, Record) and tags.talk:
        said = _read_talk(comments, {len(head) + at: place for place, at in places.items()}, record)
        if talk_check(said) != tags.talk:
            tag = next(word.span for word in head if word.name == "Talk")
            raise tag.error(
                "the checksum does not match what was said: something in the braces between the "
                "moves was changed, lost or added"
            )
        record = replace(record, talk=said)
    result = _result(score)
    if tags.result != result:
        tag = next(word.span for word in head if word.name == "Result")
        raise tag.error('going by what follows, the result is "{result}"', result=result)
    rest = TokenReader([word.span for word in body], body[-1].span)
    rest.expect(*(word for line in lines for word in line.words), END_WORD, *result.split())
    rest.expect_nothing()
    return record


class RecordParts(NamedTuple):
    """The tags of a record, the words after them, and its comments."""

    head: list[Token]
    body: list[Token]
    comments: list[Comment]


def record_parts(text: str | bytes) -> RecordParts:
    """Return the parts of a record, whose checksums all fit.

    Raises `NotationError` with the line of the fault.
    """
    text = text if isinstance(text, str) else decode_utf8(text)
    words, comments = checked_words(text.removeprefix(BYTE_ORDER_MARK))
    first = next((at for at, word in enumerate(words) if word.name is None), len(words))
    head, body = words[:first], words[first:]
    for word in body:
        if word.name is not None:
            raise word.span.error("tags go before the first round")
    return RecordParts(head, body, comments)


def _read_dealers(record: Record | ObservedRecord) -> list[str]:
    """Return the names of all people who were asked for shares."""
    draws = record.draws if isinstance(record, Record) else ()
    return [share.name for draw in draws if draw for share in (draw.host, *draw.others)]


def record_lines(record: Record | ObservedRecord) -> tuple[list[RecordLine], Score]:
    """Return the lines of a record between its tags and its end, and the score it ends with.

    Raises the errors of `replay`.
    """
    lines, score, _places = _body(record)
    return lines, score


def _read_talk(
    comments: Iterable[Comment], places: Mapping[int, tuple[int, int]], record: Record
) -> tuple[Utterance, ...]:
    """Return the talk of a game. Comments that are no talk, or before it began, are skipped.

    `places` are the round and the number of its moves that were made, by the words before them.
    """
    starts = sorted(places)
    said: list[Utterance] = []
    for text, words in comments:
        at = bisect_right(starts, words)
        if at:
            utterance = read_utterance(text, places[starts[at - 1]], len(record.names))
            if utterance is not None:
                said.append(utterance)
    return tuple(said)


def _body(
    record: Record | ObservedRecord,
) -> tuple[list[RecordLine], Score, dict[tuple[int, int], int]]:
    """Return the lines of a record, the score it ends with, and the places for talk.

    The places are by the round and the number of its moves that were made: the words before them.
    Raises the errors of `replay`, and `ValueError` for events that its seat does not receive in
    that order.
    """
    places: dict[tuple[int, int], int] = {}
    moves = 0
    writer = RecordWriter(len(record.names), moves_only=isinstance(record, Record))
    score = Score.bare(record.rounds, len(record.names))
    if isinstance(record, Record):
        for game, events in replay(record):
            writer.add_event(*events)
            is_deal = isinstance(events[0], RoundBegan)
            if record.writes_deals and is_deal:
                gold = "".join(map(str, game.purse.pile))
                writer.add(*format_position(game.round).split(), f"${gold}")
            score = game.score
            moves = 0 if is_deal else moves + 1
            places[score.number, moves] = writer.words
    else:
        for event, view in record.views():
            writer.add_event(event)
            score = view.score
        writer.finish()
    return writer.lines, score, places


def _result(score: Score) -> str:
    """Return the result of a score as text: the nuggets by seat, or `*`."""
    return UNFINISHED_RESULT if score.nuggets is None else " ".join(map(str, score.nuggets))


def decode_utf8(data: bytes) -> str:
    """Decode UTF-8. Raises `NotationError` at the first byte that is not UTF-8."""
    try:
        return str(data, "utf-8")  # which refuses what is not bytes
    except UnicodeDecodeError as error:
        good = data[: error.start].decode()
        raise Span(good, len(good), len(good), lined=True).error(
            "what follows here is not UTF-8 text"
        ) from None


def _read_whole(tags: Tags, reader: TokenReader) -> Record:
    """Read the rounds of a whole record by playing them. Raises `NotationError`."""
    record = Record(
        tags.names, tags.edition, tags.rounds, tags.youngest, tags.seed, extra=tags.extra
    )
    game: Game | None = None
    while reader.next != END_WORD:
        if game is not None and game.phase is not Phase.DEAL:
            reader.expect(END_WORD)
        record, game = _read_round(record, tags, game, reader)
    return record


def _read_round(
    record: Record, tags: Tags, game: Game | None, reader: TokenReader
) -> tuple[Record, Game]:
    """Read and play one round of a whole record, after `game`. Raises `NotationError`."""
    reader.expect(LineKind.ROUND.value)
    heading, number = reader.take(), len(record.moves) + 1
    expect_text(heading, str(number))
    if tags.seeds:
        if number > len(tags.seeds):
            raise heading.error("the tag {name} is missing", name=f"Seed{number}")
        draw = tags.draws[number - 1] if tags.draws else None
        record = record.add_round(tags.seeds[number - 1] if draw is None else draw)
    else:
        record = record.add_round(
            _read_deal(record.edition, reader) if record.seed is None else None
        )
    try:
        game, _ = record.next_step(game)
    except ValueError:
        raise heading.error(
            "this deal is not made from the cards of this game (S2 to S5)"
        ) from None
    while game.to_act is not None and reader.next != END_WORD:
        span = reader.take()
        move = read_own_move(span)
        seat = game.to_act
        try:
            game, events = game.apply(move)
        except IllegalMove as illegal:
            raise span.error(
                "seat {seat} cannot do this now", detail=str(illegal.reason), seat=format_seat(seat)
            ) from illegal
        record = record.add_move(move)
        writer = RecordWriter(len(record.names), moves_only=True)
        writer.add_event(*events)
        first, *others = [word for line in writer.lines for word in line.words]
        expect_text(span, first)
        reader.expect(*others)
    return record, game


def _read_deal(edition: Edition, reader: TokenReader) -> Deal:
    """Read a deal that is written out. Raises `NotationError`."""
    fields = [reader.take() for _ in range(FIELD_COUNT)]
    position = read_position(fields, edition)
    gold = reader.take()
    if position.gaps or position.turn is None:
        missing = ", ".join(position.gaps) or "who begins"
        raise fields[0].error(
            "a deal that is written out must be known in full", detail=f"missing: {missing}"
        )
    expect_text(gold.cut(0, 1), "$")
    dealt = position.round()
    nuggets = tuple(read_nuggets(gold.cut(at, at + 1)) for at in range(1, len(gold.text)))
    return Deal(
        dealt.roles, dealt.spare, dealt.goals, dealt.hands, dealt.pile, nuggets, position.turn
    )


def _read_seen(tags: Tags, seat: int | None, reader: TokenReader) -> ObservedRecord:
    """Read the record of a seat or a watcher. Raises `NotationError`."""
    record = ObservedRecord(tags.names, seat, tags.edition, tags.rounds, extra=tags.extra)
    replay = ObservedReplay(record.before(), reader)
    while reader.next != END_WORD:
        if replay.view.phase is not Phase.DEAL:
            reader.expect(END_WORD)
        ended = replay.read_round()
        if ended is not None:
            read_gold(replay, ended)
    return record.with_events(*replay.events)


_COUNT: Final = re.compile(r"[0-9]{1,3}")

GAME_ID_CHARACTERS: Final = 32  # characters of the id of a game: 16 bytes in hexadecimal digits


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The side that won a round, and the dwarves by seat."""

    winner: Role
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """A game as its record tells it.

    `id` is the same for all records of the game with the same moves, whatever comments and extra
    tags they have. `seen` holds the one seat whose record it is, or `None` for a watcher; it is
    `None` itself if the record is whole. `nuggets` are by seat, `None` if the game is not over.
    `played` are the rounds that are over.
    """

    id: str
    names: tuple[str, ...]
    edition: Edition
    rounds: int
    seen: tuple[int | None] | None
    nuggets: tuple[int, ...] | None
    played: tuple[RoundSummary, ...]
    extra: Extra


def parse_summary(text: str | bytes) -> RecordSummary:
    """Read the summary of a record's game. Raises `NotationError` with the line of a fault."""
    head, body, _comments = record_parts(text)
    tags = read_tags(head, body[0].span)
    own = {name for name, _ in tags.extra}
    said = [word.text for word in head if word.name not in own and word.name != "Talk"]
    digest = sha256("\n".join([*sorted(said), *(word.text for word in body)]).encode()).hexdigest()
    return RecordSummary(
        id=digest[:GAME_ID_CHARACTERS],
        names=tags.names,
        edition=tags.edition,
        rounds=tags.rounds,
        seen=tags.seen,
        nuggets=_nuggets(tags.result, len(tags.names), body, head),
        played=_rounds(body, len(tags.names)),
        extra=tags.extra,
    )


def _nuggets(
    result: str, players: int, body: list[Token], head: list[Token]
) -> tuple[int, ...] | None:
    """Return the nuggets by seat, `None` if the game is not over. Raises `NotationError`."""
    end = next((at for at, word in enumerate(body) if word.text == END_WORD), len(body))
    ended = " ".join(word.text for word in body[end + 1 :])
    tag = next(word.span for word in head if word.name == "Result")
    if ended != result:
        raise tag.error('going by what follows, the result is "{result}"', result=ended)
    if result == UNFINISHED_RESULT:
        return None
    counts = result.split(" ")
    if len(counts) != players or not all(map(_COUNT.fullmatch, counts)):
        raise tag.error("this game has {players} players", players=players)
    return tuple(map(int, counts))


def _rounds(body: list[Token], players: int) -> tuple[RoundSummary, ...]:
    """Return the rounds that are over. Raises `NotationError`."""
    found: list[RoundSummary] = []
    for at, word in enumerate(body):
        if word.text != LineKind.WON:
            continue
        winner, dwarves, *_rest = (*(word.text for word in body[at + 1 : at + 3]), "", "")
        roles, _plus, _spare = dwarves.partition("+")
        letters = {str(role) for role in Role}
        if winner not in letters or len(roles) != players or not letters.issuperset(roles):
            raise word.span.error(
                "a round cannot end like this with {players} dwarves", players=players
            )
        found.append(RoundSummary(Role(winner), tuple(map(Role, roles))))
    return tuple(found)
