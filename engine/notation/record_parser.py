"""Records as text: `.sab` files, modelled on the PGN of chess.

    [Sabtui "1"] #8c1d52e0
    [Edition "international"] #90e4ea7b
    Round 1 #0f1b2c3d
    {2 gold 8n2}
    EW@1 xNE -L>2 #55d0a1b2
    End 7 4 3 #c0ffee00

First come the tags, `[Name "text"]`: the format's version, the edition, the players, the seeds and
the result. A whole record then has the lines of `engine.notation.record_writer`, with what was said
in braces (`engine.notation.record`), and last the nuggets by seat, or `*` for a game that is not
over. Its rounds are dealt from the tags `Seed1`, `Seed2` and `Seed3`, or all from one `Seed`. A
seed that was drawn together follows from tags such as `Draw1`, `Share1_0` and `Share1_1`. If it has
no seed, a round's heading holds its deal: a position, and the gold pile, next card first, as
`$1123...`. A seat's own record, `[Seen "2"]`, or `[Seen "-"]` for a watcher, has the events that it
received (`engine.notation.event_words`), one a line.

Every line ends in a check, `#` and eight hexadecimal digits: CRC-32 (zlib's) over the words of this
line and of all before it, in UTF-8, the words of a line joined by one space each and followed by a
line break. What was said does not count for the checks; the tag `Talk` has its own. They guard
against accidents; they are not a signature, as anybody can recompute them.

A record is read by playing it, and then written again: it is accepted if that gives the same text.
So it is spelt in one way only, and all that follows from the moves is right. A summary for lists
checks all checksums, but not the moves. That makes it ten times as fast.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import count, takewhile, zip_longest
from typing import Final, NamedTuple, TypeVar

from engine.cards import Role
from engine.dealing import Deal, Draw, SeedShare
from engine.edition import Edition
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.mistakes import NotationError
from engine.moves import parse_move, read_nuggets
from engine.notation.event_words import check_cards, follow, read_event, spell_event
from engine.notation.position import format_position, parse_position
from engine.notation.record import (
    ObservedRecord,
    Record,
    checksum_talk,
    format_utterance,
    is_printable,
    read_utterance,
    replay,
)
from engine.notation.record_writer import LineKind, RecordLine, RecordWriter
from engine.readonly import ReadOnly
from engine.state import ROUNDS, Phase, Score, check_players, check_rounds, check_seat
from engine.tokens import Span, format_seat

T = TypeVar("T")

FORMAT_VERSION: Final = "1"
"""Version of the format, in the first tag. A reader refuses all others."""

MAX_RECORD_CHARACTERS: Final = 1 << 17
"""Maximum characters of an accepted record; three rounds of ten players have some 8000."""

MAX_TAG_CHARACTERS: Final = 200  # characters of the longest text of a tag
MAX_OWN_TAGS: Final = 50  # maximum number of tags that the format does not define
GAME_ID_CHARACTERS: Final = 32  # characters of the id of a game: 16 bytes in hexadecimal digits

_END: Final = "End"  # the first word of the last line
_UNFINISHED: Final = "*"  # the result of a game that is not over

_TOKEN: Final = re.compile(r'\{[^{}]*\}|\[[^"]*"(?:[^"\\]|\\["\\])*"\]|[^ {}]+')
_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,31}) "(.*)"\]', re.DOTALL)
_OWN_NAME: Final = re.compile(
    r"(?!(Sabtui|Edition|Rounds|Youngest|Seen|Talk|Result|Seat[0-9]+|Seed[1-3]?|Draw[0-9]+"
    r"|Share[0-9]+_[0-9]+)$)[A-Za-z][A-Za-z0-9_]{0,31}"
)
"""The name of a tag that the format does not define."""

_COUNT: Final = re.compile(r"[0-9]{1,3}")
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"'})
_NOT_MOVES: Final = frozenset((*LineKind, _END)) - {LineKind.LAP, LineKind.GOLD}
"""The first words of lines without moves."""


def format_record(record: Record | ObservedRecord) -> str:
    """Spell a record.

    What is written, `parse_record` reads: the text is read once before it is returned. Raises
    `ValueError` for an impossible record, such as a name or tag that cannot be shown, events
    that no seat receives in that order, or more talk than a record has room for; and the errors of
    `replay`.
    """
    text = write_record(record)
    try:
        parse_record(text)
    except NotationError as error:
        raise ValueError(f"this cannot be a record: {error}") from error
    return text


def parse_record(text: str | bytes) -> Record | ObservedRecord:
    """Read a record and check all of it: the result can be replayed to its end.

    Raises `NotationError` with the line of the fault. Bytes are UTF-8, as in a file, and may have
    what editors add: a byte order mark, and carriage returns.
    """
    lines = _read_lines(text)
    tags = _Tags(lines)
    body = lines[len(tags.lines) :]
    record = _read_seen(tags, body) if "Seen" in tags.lines else _read_whole(tags, body)
    # Beside the moves, a record says what follows from them: cards drawn, who won, who was paid.
    # Writing it again checks all of that at once.
    try:
        written = write_record(record).split("\n")
    except ValueError as error:
        raise lines[0].error(str(error)) from None
    given = [line.text for line in lines]
    for number, (line, due) in enumerate(zip_longest(given, written[:-1], fillvalue=""), 1):
        if line != due:
            problem = f"this does not follow from the rest; expected {due[:80]!a}"
            raise NotationError(problem, line, 1, number)
    return record


class _Line(NamedTuple):
    """A line of a record, its words without the check, and its tokens: words and talk."""

    number: int
    text: str
    words: tuple[str, ...]
    tokens: tuple[str, ...]

    def error(self, problem: str) -> NotationError:
        """Return the error to raise for this line."""
        shown = problem if problem.isprintable() else ascii(problem)
        return NotationError(shown, self.text, 1, self.number)


def with_checks(
    statements: Iterable[Sequence[str]], talk: Mapping[int, Sequence[str]] = ReadOnly({})
) -> str:
    """Return the text of a record: these statements, each on a line of its own with its check.

    `talk` are the comments to write, by the number of words before them.
    """
    crc = words_before = 0
    lines: list[str] = []
    for words in statements:
        crc = _add_to_crc(words, crc)
        lines += talk.get(words_before, ())
        parts = [words[0]]
        for at, word in enumerate(words[1:], words_before + 1):
            parts += [*talk.get(at, ()), word]
        lines.append(" ".join((*parts, f"#{crc:08x}")))
        words_before += len(words)
    return "".join(f"{line}\n" for line in lines)


def _add_to_crc(words: Iterable[str], crc: int) -> int:
    """Return the CRC-32 of one more statement and all before it, whose CRC-32 is given."""
    # A lone surrogate, which UTF-8 refuses, is for later checks to report, with its line.
    return zlib.crc32(f"{' '.join(words)}\n".encode("utf-8", "surrogatepass"), crc)


def _read_lines(text: str | bytes) -> list[_Line]:
    """Return the lines of a record, whose checksums all fit. Raises `NotationError`."""
    if not isinstance(text, str):
        text = _decode(text)
    if len(text) > MAX_RECORD_CHARACTERS:
        raise NotationError(f"a record has at most {MAX_RECORD_CHARACTERS} characters", "", 1, 1)
    found: list[_Line] = []
    crc, last = 0, ""
    for number, written in enumerate(_strip(text).split("\n"), 1):
        tokens = tuple(_TOKEN.findall(written))
        words = tuple([token for token in tokens if token[0] != "{"])
        line = _Line(number, written, words[:-1], tokens[:-1] if words else tokens)
        if words:
            crc = _add_to_crc(line.words, crc)
            if not line.words or not written.endswith(f" #{crc:08x}"):
                raise line.error(
                    "the checksum does not match: something was changed, lost or added on this "
                    "line or just before it"
                )
            last = line.words[0]
        found.append(line)
    if last != _END:
        raise found[-1].error("the record is cut off here")
    return found


def _strip(text: str) -> str:
    """Return a text without byte order mark, carriage returns and blank lines at the end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip(" \n")


def _decode(data: bytes) -> str:
    """Decode UTF-8. Raises `NotationError` at the first byte that is not UTF-8."""
    try:
        return str(data, "utf-8")  # raises `TypeError` for anything but bytes
    except UnicodeDecodeError as error:
        *before, line = data[: error.start].decode().split("\n")
        raise NotationError(
            "what follows here is not UTF-8 text", line, len(line) + 1, len(before) + 1
        ) from None


def _is_tag(line: _Line) -> bool:
    return bool(line.words) and line.words[0].startswith("[")


class _Tags:
    """The tags of a record, each read by its name. All that reads raises `NotationError`."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.lines: dict[str, _Line] = {}
        self._texts: dict[str, str] = {}
        for line in takewhile(_is_tag, lines):
            found = _TAG.fullmatch(line.tokens[0])
            if found is None or found[1] in self.lines:
                raise line.error('a tag is written as [Name "text"], and stands once')
            self.lines[found[1]] = line
            text = self._texts[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
            if not _can_be_text(text):
                raise line.error(f"a tag has at most {MAX_TAG_CHARACTERS} printable characters")
        self._first = lines[0]
        if next(iter(self._texts.items()), None) != ("Sabtui", FORMAT_VERSION):
            raise self._first.error(
                f'this Sabtui reads records that begin with [Sabtui "{FORMAT_VERSION}"]; a newer '
                "one may be able to read this"
            )

    def read(self, name: str, read: Callable[[str], T]) -> T:
        """Return what a function reads from a tag's text."""
        if name not in self.lines:
            raise self._first.error(f"the tag {name} is missing")
        try:
            return read(self._texts[name])
        except ValueError as error:
            raise self.lines[name].error(f"the tag {name} is wrong: {error}") from None

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.read("Edition", Edition.read)

    @property
    def rounds(self) -> int:
        """The number of rounds to be played."""
        rounds = self.read("Rounds", int)
        # Read twice, so that either error names the tag.
        self.read("Rounds", lambda _text: check_rounds(rounds))
        return rounds

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat (S1)."""
        names = tuple(self.read(seat, str) for seat in self._list_numbered("Seat{}"))
        # Read only to report a wrong number of seats at the first tag.
        self.read("Sabtui", lambda _text: check_players(len(names)))
        return names

    @property
    def extra(self) -> tuple[tuple[str, str], ...]:
        """The tags that the format does not define."""
        return tuple(tag for tag in self._texts.items() if _OWN_NAME.fullmatch(tag[0]))

    def seat(self, name: str) -> int | None:
        """Return the seat in a tag, `None` for `-`."""
        text = self.read(name, str)
        if text == "-":
            return None
        seat = self.read(name, int) - 1
        self.read(name, lambda _text: check_seat(seat, len(self.names)))
        return seat

    def list_sources(self) -> Iterator[Draw | bytes]:
        """Yield what each round with a seed of its own was dealt from."""
        for number, seed in enumerate(self._list_numbered("Seed{}"), 1):
            draw = f"Draw{number}"
            if draw in self.lines:
                yield self.read(draw, partial(self._draw, number))
            else:
                yield self.read(seed, bytes.fromhex)

    def _draw(self, number: int, draw: str) -> Draw:
        tags = self._list_numbered(f"Share{number}_{{}}", 0)
        host, *others = [self.read(tag, _read_share) for tag in tags]
        return Draw(bytes.fromhex(draw), host, tuple(others))

    def _list_numbered(self, name: str, first: int = 1) -> Iterator[str]:
        """Return the tags of this name, numbered one after another."""
        return takewhile(self.lines.__contains__, map(name.format, count(first)))


def _read_share(text: str) -> SeedShare:
    """Return the share in a tag; its commitment follows from it. Raises `ValueError`."""
    _commitment, share, name = text.split(" ", 2)
    return SeedShare(name, b"" if share == "-" else bytes.fromhex(share))


def _read_whole(tags: _Tags, body: Iterable[_Line]) -> Record:
    """Read the rounds of a whole record by playing them. Raises `NotationError`."""
    has_own = "Seed1" in tags.lines
    seed = tags.read("Seed", bytes.fromhex) if "Seed" in tags.lines and not has_own else None
    record = Record(
        tags.names, tags.edition, tags.rounds, tags.seat("Youngest"), seed, extra=tags.extra
    )
    writes_deals = seed is None and not has_own
    sources = tags.list_sources()
    game: Game | None = None
    for line in body:
        kind = line.words[0] if line.words else ""
        try:
            if kind == LineKind.ROUND:
                deal = _read_deal(line, record.edition) if writes_deals else next(sources, None)
                record = record.add_round(deal)
                game, _ = record.next_step(game)
            for token in line.tokens:
                if token.startswith("{"):
                    record = _add_comment(record, token)
                elif _is_move(kind, token, game):
                    record, game = _make_move(record, game, token)
        except ValueError as error:
            raise line.error(str(error)) from None
    return record


def _make_move(record: Record, game: Game | None, text: str) -> tuple[Record, Game]:
    """Return a record and its game after one more move. Raises `ValueError`."""
    if game is None:
        raise ValueError("a round begins with its heading")
    move = parse_move(text)
    game, _ = game.apply(move)
    return record.add_move(move), game


def _is_move(kind: str, token: str, game: Game | None) -> bool:
    """Return True for a word that is a move: the last gold card is taken without a choice (D4)."""
    if kind == LineKind.GOLD:
        return token.startswith("$") and game is not None and game.phase is Phase.GOLD
    return kind not in _NOT_MOVES


def _add_comment(record: Record, comment: str) -> Record:
    """Add the talk in a comment. Raises `ValueError` for other comments, and before any round."""
    place = len(record.moves), len(record.moves[-1]) if record.moves else 0
    said = read_utterance(comment, place, len(record.names))
    if said is None or not record.moves:
        raise ValueError("a comment like this is no talk, or it is before the first round")
    return replace(record, talk=(*record.talk, said))


def _read_deal(line: _Line, edition: Edition) -> Deal:
    """Read a deal that is written out. Raises `ValueError`."""
    *fields, gold = line.words[2:] or ("",)
    position = parse_position(" ".join(fields), edition)
    dealt, turn = position.round(), position.turn
    if turn is None:
        raise ValueError("nobody begins this round")
    nuggets = tuple(read_nuggets(Span.whole(card)) for card in gold[1:])
    return Deal(dealt.roles, dealt.spare, dealt.goals, dealt.hands, dealt.pile, nuggets, turn)


def _read_seen(tags: _Tags, body: Sequence[_Line]) -> ObservedRecord:
    """Read the record of a seat or a watcher. Raises `NotationError`."""
    record = ObservedRecord(
        tags.names, tags.seat("Seen"), tags.edition, tags.rounds, extra=tags.extra
    )
    view, events = record.before(), list[Event]()
    for line in body:
        try:
            if line.words[:1] != (_END,):
                event = read_event(line.words)
                view = follow(view, event)
                events.append(event)
            elif events:
                check_cards(view)
        except (ValueError, LookupError) as error:
            raise line.error(f"no event of this game: {error}") from None
    return record.with_events(*events)


def write_record(record: Record | ObservedRecord) -> str:
    """Spell a record as `format_record` does, but without reading it again: three times as fast.

    Raises `ValueError`, and the errors of `replay`.
    """
    talk: dict[int, list[str]] = {}
    if isinstance(record, Record):
        lines, score, places = _make_lines(record)
        head = [*_format_tags(record, score)]
        body: list[Sequence[str]] = [line.words for line in lines]
        if not all(map(is_printable, record.talk)):
            raise ValueError("no text for talk: it is too long, or has a control character")
        for said in record.talk:
            if said.place not in places:
                raise ValueError(f"no move of this game goes before this talk: {said.place}")
            at = len(head) + places[said.place]
            talk.setdefault(at, []).append(format_utterance(said))
    else:
        score = record.before().score
        for event in record.events:
            score = score.after(event)
        head = [*_format_tags(record, score)]
        body = [spell_event(event) for event in record.events]
    end = (_END, *_format_result(score).split())
    return with_checks([*((tag,) for tag in head), *body, end], talk)


def _make_lines(record: Record) -> tuple[list[RecordLine], Score, dict[tuple[int, int], int]]:
    """Return the lines of a whole record, its final score, and the positions of its talk.

    The position of each `Utterance.place` is the number of words before it. Raises the errors of
    `replay`.
    """
    places: dict[tuple[int, int], int] = {}
    moves = 0
    writer = RecordWriter(len(record.names))
    score = Score.empty(record.rounds, len(record.names))
    for game, events in replay(record):
        writer.add_event(*events)
        is_deal = isinstance(events[0], RoundBegan)
        if record.writes_deals and is_deal:
            gold = "".join(map(str, game.purse.pile))
            writer.lines[-1].words += [*format_position(game.round).split(), f"${gold}"]
        score = game.score
        moves = 0 if is_deal else moves + 1
        places[score.number, moves] = writer.words
    return writer.lines, score, places


def _format_result(score: Score) -> str:
    """Return the result of a score as text: the nuggets by seat, or `*`."""
    return _UNFINISHED if score.nuggets is None else " ".join(map(str, score.nuggets))


def _format_tags(record: Record | ObservedRecord, score: Score) -> Iterator[str]:
    """Yield the tags in order: those of the format, then the extra ones.

    Raises `ValueError` for tags that cannot be read: text that others have written may not reach a
    terminal with control or format characters.
    """
    said = [
        ("Sabtui", FORMAT_VERSION),
        ("Edition", record.edition.text),
        ("Rounds", str(record.rounds)),
        *((f"Seat{format_seat(seat)}", name) for seat, name in enumerate(record.names)),
    ]
    if isinstance(record, Record):
        said.append(("Youngest", _format_seat(record.youngest)))
        said += _format_seeds(record)
        if record.talk:
            said.append(("Talk", checksum_talk(record.talk)))
    else:
        said.append(("Seen", _format_seat(record.seat)))
    said += [("Result", _format_result(score)), *record.extra]
    own = [name for name, _ in record.extra]
    for name in own:
        if _OWN_NAME.fullmatch(name) is None:
            raise ValueError(f"no name for an extra tag: {name[:MAX_TAG_CHARACTERS]!a}")
    if len(set(own)) < len(own) or len(own) > MAX_OWN_TAGS:
        raise ValueError(f"a record has at most {MAX_OWN_TAGS} extra tags, of different names")
    for name, text in said:
        if not _can_be_text(text):
            raise ValueError(f"no text for a tag: {text[:MAX_TAG_CHARACTERS]!a}")
        yield f'[{name} "{text.translate(_ESCAPES)}"]'


def _can_be_text(text: str) -> bool:
    return len(text) <= MAX_TAG_CHARACTERS and text.isprintable()


def _format_seeds(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the seed tags, then each draw: its id, then commitment and share, the host's first.

    For a person who put in nothing both are `-`.
    """
    if record.seed is not None:
        yield "Seed", record.seed.hex()
    for number, seed in zip(range(1, ROUNDS + 1), record.seeds, strict=False):
        yield f"Seed{number}", seed.hex()
    for number, draw in enumerate(record.draws, 1):
        if draw is not None:
            yield f"Draw{number}", draw.id.hex()
            for at, part in enumerate((draw.host, *draw.others)):
                committed, share = draw.commitment(part).hex() or "-", part.share.hex() or "-"
                yield f"Share{number}_{at}", f"{committed} {share} {part.name}"


def _format_seat(seat: int | None) -> str:
    return "-" if seat is None else format_seat(seat)


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The side that won a round, and the dwarves by seat."""

    winner: Role
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """A game as its record tells it."""

    id: str
    """Equal for all records of a game with the same moves; talk and extra tags do not count."""
    names: tuple[str, ...]
    edition: Edition
    rounds: int
    seen: tuple[int | None] | None
    """`None` for a whole record; else the seat whose record it is, or `(None,)` for a watcher's."""
    nuggets: tuple[int, ...] | None
    """The nuggets of each seat, `None` if the game is not over."""
    played: tuple[RoundSummary, ...]
    """The rounds that are over."""
    extra: tuple[tuple[str, str], ...]


def parse_summary(text: str | bytes) -> RecordSummary:
    """Read the summary of a record's game. Raises `NotationError` with the line of a fault."""
    lines = _read_lines(text)
    tags = _Tags(lines)
    names, extra = tags.names, tags.extra
    own = {"Talk", *(name for name, _ in extra)}
    said = [line.tokens[0] for name, line in tags.lines.items() if name not in own]
    body = lines[len(tags.lines) :]
    words = [word for line in body for word in line.words]
    digest = sha256("\n".join([*sorted(said), *words]).encode("utf-8", "surrogatepass"))
    return RecordSummary(
        id=digest.hexdigest()[:GAME_ID_CHARACTERS],
        names=names,
        edition=tags.edition,
        rounds=tags.rounds,
        seen=(tags.seat("Seen"),) if "Seen" in tags.lines else None,
        nuggets=_read_result(tags, lines[-1], len(names)),
        played=tuple(_read_rounds(body, len(names))),
        extra=extra,
    )


def _read_result(tags: _Tags, end: _Line, players: int) -> tuple[int, ...] | None:
    """Return the nuggets by seat, `None` if the game is not over. Raises `NotationError`."""
    counts = end.words[1:]
    if " ".join(counts) != tags.read("Result", str):
        raise end.error("the tag Result has another result")
    if counts == (_UNFINISHED,):
        return None
    if len(counts) != players or not all(map(_COUNT.fullmatch, counts)):
        raise end.error(f"this game has {players} players")
    return tuple(map(int, counts))


def _read_rounds(body: Iterable[_Line], players: int) -> Iterator[RoundSummary]:
    """Yield the rounds that are over. Raises `NotationError`."""
    for line in body:
        if line.words[:1] not in {("Won",), ("RoundEnded",)}:
            continue
        # Words may be missing: a summary is read without playing the game.
        winner, dwarves, *_rest = (*line.words[1:3], "", "")
        roles = dwarves.partition("+")[0].replace("/", "")
        letters = set(Role)
        if winner not in letters or len(roles) != players or not letters.issuperset(roles):
            raise line.error(f"a round cannot end like this with {players} dwarves")
        yield RoundSummary(Role(winner), tuple(map(Role, roles)))
