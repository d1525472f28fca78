"""Records as text: `.sab` files, after the PGN of chess.

    [Sabtui "1"] #8c1d52e0
    [Edition "international"] #90e4ea7b
    Round 1 #0f1b2c3d
    EW@1 xNE -L>2 #55d0a1b2
    End 7 4 3 #c0ffee00

First the tags (`engine.notation.tags`), then a line for each round's heading, each lap of turns,
and what came of the round (`engine.notation.lines`), then the result in nuggets by seat, `*` for a
game that is not over. Every line ends in a check (`engine.notation.check`).

A whole record tells moves, and what follows from them to be compared. Its rounds are dealt from the
tags `Seed1`, `Seed2` and `Seed3`, or all from one `Seed`. Where it has no seed, a round's heading
holds its deal: a position, and the gold pile, next card first, as `$1123...`. A
seat's own record, `[Seen "2"]` or `[Seen "-"]` for a watcher, tells what was heard.

Read is only what is right: checks that fit, moves that can be made, results that follow; then it
would be written with the same words, whatever its spacing and comments.
"""

from __future__ import annotations

from typing import Final

from engine.deals import Deal
from engine.edition import Edition
from engine.events import RoundBegan
from engine.game import Game
from engine.notation.cells import format_seat
from engine.notation.check import END, checked_words, with_checks
from engine.notation.hearing import Hearing
from engine.notation.hearing_gold import hear_gold
from engine.notation.lines import Line, Teller, Told
from engine.notation.moves import read_nuggets, read_own_move
from engine.notation.position_text import FIELDS, format_position, read_position
from engine.notation.record import Record, SeenRecord, replay
from engine.notation.tags import Tags, check_texts, format_tags, read_tags
from engine.notation.text import Piece
from engine.notation.words import Words, must_be
from engine.round import IllegalMove
from engine.table import Phase, Score

BYTE_ORDER_MARK: Final = "\ufeff"
"""Some editors put it before a text that is UTF-8."""

UNFINISHED: Final = "*"
"""The result of a game that is not over."""


def format_record(record: Record | SeenRecord) -> str:
    """Spell a record.

    Raises `ValueError` for a name or tag that cannot be shown (longer than 200 characters, or
    with control or format characters), and what `replay` raises.
    """
    check_texts(record.names, record.extra)
    lines, score = record_lines(record)
    result = _result(score)
    tags = Tags(
        edition=record.edition,
        names=record.names,
        rounds=record.rounds,
        youngest=record.youngest if isinstance(record, Record) else None,
        seed=record.seed if isinstance(record, Record) else None,
        seeds=record.seeds if isinstance(record, Record) else (),
        seen=None if isinstance(record, Record) else (record.seat,),
        result=result,
        extra=record.extra,
    )
    said = [line.words for line in lines]
    return with_checks([*((tag,) for tag in format_tags(tags)), *said, (END, *result.split())])


def parse_record(text: str | bytes) -> Record | SeenRecord:
    """Read a record, and check all of it: what is returned can be replayed to its end.

    Raises `NotationError`, which says in which line. Bytes are UTF-8, as in a file, and may begin
    with the mark of that.
    """
    text = text if isinstance(text, str) else _decoded(text)
    words = checked_words(text.removeprefix(BYTE_ORDER_MARK))
    first = next((at for at, word in enumerate(words) if word.name is None), len(words))
    head, body = words[:first], words[first:]
    for word in body:
        if word.name is not None:
            raise word.piece.wrong("tags stand before the first round")
    end = body[0].piece
    tags = read_tags(head, end)
    rest = Words([word.piece for word in body], words[-1].piece)
    record = _read_whole(tags, rest) if tags.seen is None else _read_seen(tags, tags.seen[0], rest)
    if isinstance(record, Record) and len(record.seeds) < len(tags.seeds):
        last = f"Seed{len(tags.seeds)}"
        spare = next(word.piece for word in head if word.name == last)
        raise spare.wrong("this tag does not belong in such a record")
    lines, score = record_lines(record)
    result = _result(score)
    if tags.result != result:
        tag = next(word.piece for word in head if word.name == "Result")
        raise tag.wrong('by what follows the result is "{result}"', result=result)
    rest = Words([word.piece for word in body], words[-1].piece)
    rest.expect(*(word for line in lines for word in line.words), END, *result.split())
    rest.expect_nothing()
    return record


def record_lines(record: Record | SeenRecord) -> tuple[list[Line], Score]:
    """What a record tells between its tags and its end, and the score it ends with.

    Raises what `replay` raises.
    """
    teller = Teller(len(record.names), plain=isinstance(record, Record))
    score = Score.bare(record.rounds, len(record.names))
    if isinstance(record, Record):
        for game, events in replay(record):
            teller.tell(*events)
            if record.writes_deals and isinstance(events[0], RoundBegan):
                gold = "".join(map(str, game.purse.pile))
                teller.add(*format_position(game.round).split(), f"${gold}")
            score = game.score
    else:
        teller.tell(*record.events)
        teller.finish()
        for event in record.events:
            score = score.after(event)
    return teller.lines, score


def _result(score: Score) -> str:
    return UNFINISHED if score.nuggets is None else " ".join(map(str, score.nuggets))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        good = data[: error.start].decode()
        raise Piece(good, len(good), len(good), lined=True).wrong(
            "what follows here is no text in UTF-8"
        ) from None


def _read_whole(tags: Tags, words: Words) -> Record:
    """Read the rounds of a whole record, playing them. Raises `NotationError`."""
    record = Record(
        tags.names, tags.edition, tags.rounds, tags.youngest, tags.seed, extra=tags.extra
    )
    game: Game | None = None
    while words.next != END:
        if game is not None and game.phase is not Phase.DEAL:
            words.expect(END)
        record, game = _read_round(record, tags.seeds, game, words)
    return record


def _read_round(
    record: Record, seeds: tuple[bytes, ...], game: Game | None, words: Words
) -> tuple[Record, Game]:
    """Read a round of a whole record, after `game`. Raises `NotationError`."""
    words.expect(Told.ROUND.value)
    heading, number = words.take(), len(record.moves) + 1
    must_be(heading, str(number))
    if seeds:
        if number > len(seeds):
            raise heading.wrong("the tag {name} is missing", name=f"Seed{number}")
        record = record.dealt(seeds[number - 1])
    else:
        record = record.dealt(_read_deal(record.edition, words) if record.seed is None else None)
    try:
        game, _ = record.next_step(game)
    except ValueError:
        raise heading.wrong("this deal is not made of the cards of this game (S2 to S5)") from None
    while game.to_act is not None and words.next != END:
        piece = words.take()
        move = read_own_move(piece)
        seat = game.to_act
        try:
            game, events = game.apply(move)
        except IllegalMove as illegal:
            raise piece.wrong(
                "seat {seat} cannot do this now", detail=str(illegal.reason), seat=format_seat(seat)
            ) from illegal
        record = record.moved(move)
        teller = Teller(len(record.names), plain=True)
        teller.tell(*events)
        first, *others = [word for line in teller.lines for word in line.words]
        must_be(piece, first)
        words.expect(*others)
    return record, game


def _read_deal(edition: Edition, words: Words) -> Deal:
    """Read a deal that is written out. Raises `NotationError`."""
    fields = [words.take() for _ in range(FIELDS)]
    position = read_position(fields, edition)
    gold = words.take()
    if position.gaps or position.turn is None:
        missing = ", ".join(position.gaps) or "who begins"
        raise fields[0].wrong(
            "a deal that is written out is known in full", detail=f"missing: {missing}"
        )
    must_be(gold.cut(0, 1), "$")
    dealt = position.round()
    nuggets = tuple(read_nuggets(gold.cut(at, at + 1)) for at in range(1, len(gold.text)))
    return Deal(
        dealt.roles, dealt.spare, dealt.goals, dealt.hands, dealt.pile, nuggets, position.turn
    )


def _read_seen(tags: Tags, seat: int | None, words: Words) -> SeenRecord:
    """Read what a seat, or a watcher, heard. Raises `NotationError`."""
    record = SeenRecord(tags.names, seat, tags.edition, tags.rounds, extra=tags.extra)
    hearing = Hearing(record.before(), words)
    while words.next != END:
        if hearing.view.phase is not Phase.DEAL:
            words.expect(END)
        ended = hearing.hear_round()
        if ended is not None:
            hear_gold(hearing, ended)
    return record.heard(*hearing.events)
