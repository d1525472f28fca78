"""The words of a record: words, tags, comments and checksums, and the parts of a turn's word.

A record is a sequence of statements, written one a line; each is some words and then a check, `#`
and eight hexadecimal digits. Spaces, line breaks and `{comments}` (without braces in them) may
stand between any words. A tag, `[Name "text"]`, is one word: the tags tell a record's format
version, edition, players, seeds, shares and result.

The check is CRC-32 (zlib's) over the words of this statement and of all before it, in UTF-8: the
words of a statement are joined by one space each, and a line break follows. So spacing and comments
do not count, and everything else does: a statement that is altered, lost, added or out of place
shows at the next check. The last statement is known by its first word, `End`; if that is missing,
the record was cut off.

CRC-32 detects every burst of changes of at most 32 bits: it is the remainder of dividing the text,
taken as a polynomial over GF(2), by one of degree 32 with a constant term, which divides no such
burst. One character replaced by another of as many bytes, at most 4, is such a burst. A change that
lengthens or shortens the text, or spans more than 4 bytes, passes once in 2**32 times. The check
guards against accidents and careless edits; it is no signature, as anybody can recompute it.

A turn in a seat's own record is one word, the move and its results:

    M@8n2:(NE)=EW    NES@7!8:SW=?    x?
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.dealing import (
    COMMITMENT_BYTES,
    DRAW_ID_BYTES,
    SEED_BYTES,
    SHARE_BYTES,
    Draw,
    SeedShare,
    commitment,
)
from engine.edition import Edition
from engine.mistakes import NotationError
from engine.moves import Move, ObservedMove, read_move
from engine.readonly import ReadOnly
from engine.state import PLAYERS, ROUNDS
from engine.tokens import (
    Span,
    format_seat,
    read_card,
    read_cell,
    read_goal_lying,
    read_goal_seen,
    read_seat,
)


class TokenReader:
    """Reads words one after another; `end` is the position reported if they run out."""

    def __init__(self, words: Sequence[Span], end: Span) -> None:
        self._words = words
        self._end = end
        self._at = 0

    @property
    def next(self) -> str:
        """The next word, empty if there is none."""
        return self._words[self._at].text if self._at < len(self._words) else ""

    def take(self) -> Span:
        """Take the next word. Raises `NotationError` if there is none."""
        if self._at == len(self._words):
            raise self._end.error("expected more here")
        self._at += 1
        return self._words[self._at - 1]

    def expect(self, *texts: str) -> None:
        """Take the next words, which must be these. Raises `NotationError`."""
        for text in texts:
            expect_text(self.take(), text)

    def expect_nothing(self) -> None:
        """Raise `NotationError` unless all words have been taken."""
        if self.next:
            raise self.take().error("nothing more belongs here")


def expect_text(span: Span, text: str) -> None:
    """Raise `NotationError` unless the span has this text."""
    if span.text != text:
        raise span.error("expected {text} here", text=text)


MAX_RECORD_CHARACTERS: Final = 1 << 17
"""Characters of the longest record accepted; three rounds of ten players have some 8000."""

END_WORD: Final = "End"  # the first word of the last statement

_LEXEME: Final = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<comment>\{[^{}]*\})"
    r'|(?P<tag>\[[ \t]*[A-Za-z][A-Za-z0-9_]*[ \t]+"(?:[^"\\\n]|\\["\\])*"[ \t]*\])'
    r"|(?P<word>[!#-Z^-z|~]+)"
)
_TAG: Final = re.compile(r'\[[ \t]*([A-Za-z0-9_]+)[ \t]+"(.*)"[ \t]*\]', re.DOTALL)
_CHECK: Final = re.compile(r"#[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Token:
    """A word and its position; a tag also has `name` and `value`, its text still with escapes.

    A comment with its braces is a token, too.
    """

    span: Span
    name: str | None = None
    value: str = ""
    is_comment: bool = False

    @property
    def text(self) -> str:
        """The word, for a tag without the optional spaces."""
        return self.span.text if self.name is None else f'[{self.name} "{self.value}"]'


class Comment(NamedTuple):
    """A comment with its braces, and the number of words before it, checks not counted."""

    text: str
    words: int


class Lexed(NamedTuple):
    """The words of a record, without the checks, and its comments."""

    words: list[Token]
    comments: list[Comment]


def with_checks(
    statements: Iterable[Sequence[str]], comments: Mapping[int, Sequence[str]] = ReadOnly({})
) -> str:
    """Return the text of a record with these statements, each with its check, one a line.

    `comments` are by the number of words before them. They do not count for the checks.
    """
    crc = count = 0
    lines: list[str] = []
    for words in statements:
        crc = _check(words, crc)
        lines += [f"{comment}\n" for comment in comments.get(count, ())]
        parts = [words[0]]
        for at, word in enumerate(words[1:], count + 1):
            parts += [*comments.get(at, ()), word]
        lines.append(" ".join((*parts, f"#{crc:08x}")) + "\n")
        count += len(words)
    return "".join(lines)


def checked_words(text: str) -> Lexed:
    """Return the words of a record, without the checks, all of which must fit; and its comments.

    Raises `NotationError` with the position of the first fault.
    """
    if len(text) > MAX_RECORD_CHARACTERS:
        raise Span(text, MAX_RECORD_CHARACTERS, MAX_RECORD_CHARACTERS, lined=True).error(
            "a record has at most {most} characters", most=MAX_RECORD_CHARACTERS
        )
    found: list[Token] = []
    comments: list[Comment] = []
    statement: list[Token] = []
    crc = 0
    ended: Span | None = None
    for word in _lexemes(text):
        if word.is_comment:
            comments.append(Comment(word.text, len(found) + len(statement)))
            continue
        if ended is not None:
            raise word.span.error("nothing may follow the end of the record")
        if word.name is not None or not word.text.startswith("#"):
            statement.append(word)
            continue
        if _CHECK.fullmatch(word.text) is None:
            raise word.span.error("a checksum is # and eight characters 0-9 or a-f")
        crc = _check([said.text for said in statement], crc)
        if not statement or word.text != f"#{crc:08x}":
            raise word.span.error(
                "the checksum does not match: something was changed, lost or added on this "
                "line or just before it"
            )
        ended = word.span if statement[0].text == END_WORD else None
        found += statement
        statement.clear()
    if ended is None:
        raise Span(text, len(text), len(text), lined=True).error("the record is cut off here")
    return Lexed(found, comments)


def _check(words: Iterable[str], crc: int) -> int:
    """Return the CRC-32 after one more statement, given the CRC-32 of all before it."""
    text = f"{' '.join(words)}\n"
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), crc)


def _lexemes(text: str) -> Iterator[Token]:
    """Yield every word of a text, checks and comments included, without spaces."""
    at = 0
    while at < len(text):
        found = _LEXEME.match(text, at)
        span = Span(text, at, found.end() if found else at, lined=True)
        if found is None:
            raise _stray(span, text[at])
        at = found.end()
        if found.lastgroup == "word":
            yield Token(span)
        elif found.lastgroup == "comment":
            yield Token(span, is_comment=True)
        elif found.lastgroup == "tag":
            tag = _TAG.fullmatch(span.text)
            assert tag is not None
            name, value = tag.groups()
            yield Token(span, name, value)


def _stray(span: Span, character: str) -> NotationError:
    """Return the error for a character at which no word begins."""
    if character == "{":
        return span.error("this comment has no end, or another one begins inside it")
    if character == "[":
        return span.error(
            'this tag is incomplete; write it as [Name "text"], with \\" and \\\\ in the text'
        )
    return span.error("this character is only allowed in comments and in the text of tags")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a seat's own record.

    `saw` is the goal that a map showed, `reveals` are the goals turned up and how they lie. `drew`
    is True if a card was drawn, and `card` is that card if it is known.
    """

    move: Move | ObservedMove
    saw: Goal | None = None
    reveals: tuple[tuple[Cell, Path], ...] = ()
    drew: bool = False
    card: Card | None = None


def read_turn(span: Span) -> Turn:
    """Read a turn. Raises `NotationError`."""
    said, drawn = span.partition("=")
    done, *reveals = said.split("!")
    move, saw = done, None
    if done.text.startswith(f"{Card.MAP.text}@"):
        move, saw = done.partition(":")
    card = None if drawn is None or drawn.text == "?" else read_card(drawn)
    return Turn(
        move=read_move(move),
        saw=None if saw is None else read_goal_seen(saw),
        reveals=tuple(_read_reveal(reveal) for reveal in reveals),
        drew=drawn is not None,
        card=card,
    )


def _read_reveal(span: Span) -> tuple[Cell, Path]:
    """Read the cell of a goal just revealed, and the path it lies as."""
    cell, path = span.partition(":")
    if path is None:
        raise span.error("missing: which way round the goal lies, as in !8:SW")
    return read_cell(cell), read_goal_lying(path)


FORMAT_VERSION: Final = "1"
"""Version of the format, in the first tag. A reader refuses all others."""

MAX_TAG_CHARACTERS: Final = 200  # characters of the longest text of a tag
MAX_OWN_TAGS: Final = 50  # most tags that the format does not define
MAX_SHARES: Final = 41  # most people who are asked in a draw: the host, and all whom a table has
TALK_CHECK_BYTES: Final = 4  # bytes of the checksum of the talk
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_HEX: Final = re.compile(r"[0-9a-f]*")
_SEAT: Final = re.compile(r"Seat[0-9]+")
_SEEDS: Final = tuple(f"Seed{number}" for number in range(1, ROUNDS + 1))
"""The tags of the seeds of rounds that were each dealt from their own."""

_DRAW: Final = re.compile(r"Draw[0-9]+|Share[0-9]+_[0-9]+")
"""The tags of draws: `Draw1` is the id of the first round's, `Share1_0` the host's share in it."""

_STANDARD: Final = (
    *("Sabtui", "Edition", "Rounds", "Youngest", "Seed", *_SEEDS, "Seen", "Talk", "Result"),
)

MAX_TAGS: Final = (
    (len(_STANDARD) - 1) + PLAYERS[-1] + ROUNDS * (1 + MAX_SHARES) + MAX_OWN_TAGS  # all but `Seen`
)
"""Most tags of a record: all that the format defines, of most players and most shares, and own."""

Extra = tuple[tuple[str, str], ...]
"""Tags that the format does not define, as (name, text), in their order."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a record, read; `seen` and `seed` decide which kind of record it is.

    `rounds` is the number of rounds to be played, `names` are by seat, and `youngest` is the seat
    named to begin (S8). All rounds are dealt from `seed`, or each from one of `seeds`; without
    either, the deals are written out. `draws` are those of the `seeds` that were drawn together.
    `seen` holds the one seat, or `None` for a watcher, whose record it is; it is `None` itself if
    the record is whole. `talk` is the checksum of what was said, empty if there is none. `result`
    is the text of that tag.
    """

    edition: Edition
    names: tuple[str, ...]
    rounds: int
    youngest: int | None
    seed: bytes | None
    seeds: tuple[bytes, ...]
    draws: tuple[Draw | None, ...]
    seen: tuple[int | None] | None
    talk: str
    result: str
    extra: Extra


def check_texts(names: Iterable[str], extra: Extra) -> None:
    """Raise `ValueError` unless these names and extra tags can stand in a record.

    Text that others have written may not reach a terminal with control or format characters.
    """
    for text in (*names, *(text for _, text in extra)):
        if len(text) > MAX_TAG_CHARACTERS or not text.isprintable():
            raise ValueError(f"no text for a tag: {text[:MAX_TAG_CHARACTERS]!a}")
    own = [name for name, _ in extra]
    for name in own:
        is_standard = name in _STANDARD or _SEAT.match(name) or _DRAW.fullmatch(name)
        if is_standard or _NAME.fullmatch(name) is None:
            raise ValueError(f"no name for a tag of one's own: {name[:MAX_TAG_CHARACTERS]!a}")
    if len(set(own)) < len(own) or len(own) > MAX_OWN_TAGS:
        raise ValueError(
            f"a record has at most {MAX_OWN_TAGS} tags of one's own, of different names"
        )


def format_tags(tags: Tags) -> list[str]:
    """Spell the tags in order: those of the format, then the extra ones."""
    said = [
        ("Sabtui", FORMAT_VERSION),
        ("Edition", tags.edition.text),
        ("Rounds", str(tags.rounds)),
    ]
    said += [(f"Seat{format_seat(seat)}", name) for seat, name in enumerate(tags.names)]
    if tags.seen is None:
        said.append(("Youngest", _format_seat(tags.youngest)))
    else:
        said.append(("Seen", _format_seat(tags.seen[0])))
    if tags.seed is not None:
        said.append(("Seed", tags.seed.hex()))
    said += zip(_SEEDS, [seed.hex() for seed in tags.seeds], strict=False)
    for draw in _format_draws(tags.draws):
        said += draw
    if tags.talk:
        said.append(("Talk", tags.talk))
    said += [("Result", tags.result), *tags.extra]
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"'})
    return [f'[{name} "{text.translate(escapes)}"]' for name, text in said]


def _format_draws(draws: Iterable[Draw | None]) -> Iterator[list[tuple[str, str]]]:
    """Yield the tags of each draw: its id, then each share after its commitment, the host's first.

    For a person who put in nothing both are `-`.
    """
    for number, draw in enumerate(draws, 1):
        if draw is not None:
            tags = [(f"Draw{number}", draw.id.hex())]
            for at, part in enumerate((draw.host, *draw.others)):
                committed, share = draw.commitment(part).hex() or "-", part.share.hex() or "-"
                tags.append((f"Share{number}_{at}", f"{committed} {share} {part.name}"))
            yield tags


def read_tags(words: list[Token], end: Span) -> Tags:
    """Read the tags, in any order except that the version is first; `end` is where they end.

    Raises `NotationError`.
    """
    found = _Found(words, end)
    edition = found.edition()
    names = found.names()
    seen = found.seat("Seen", len(names)) if "Seen" in found else None
    draws = found.draws() if seen is None else ()
    known = {"Seen"}
    if seen is None:
        known = {"Youngest", "Seed", *_SEEDS, "Talk"}
        known.update(name for draw in _format_draws(draws) for name, _ in draw)
    return Tags(
        edition=edition,
        names=names,
        rounds=found.rounds(),
        youngest=found.seat("Youngest", len(names))[0] if seen is None else None,
        seed=found.seed("Seed") if "Seed" in found and seen is None else None,
        seeds=found.seeds() if seen is None else (),
        draws=draws,
        seen=seen,
        talk=found.talk() if seen is None else "",
        result=found.text("Result"),
        extra=found.extra(known=known),
    )


class _Found:
    """The tags of a record by name, with a method to read each."""

    def __init__(self, words: list[Token], end: Span) -> None:
        """Index the tags by name, and check the version.

        Raises `NotationError` for too many, repeated or overlong tag names, or another version.
        """
        self.end = end
        tags: dict[str, Token] = {}
        for word in words[: MAX_TAGS + 1]:
            name = word.name or ""
            if _NAME.fullmatch(name) is None:
                raise word.span.error("the name of a tag has at most 32 characters")
            if name in tags:
                raise word.span.error("the tag {name} appears here for the second time", name=name)
            tags[name] = word
        if len(tags) > MAX_TAGS:
            raise tags.popitem()[1].span.error("a record has at most {most} tags", most=MAX_TAGS)
        if not tags or words[0].name != "Sabtui":
            first = words[0].span if words else end
            raise first.error(
                'a record begins with [Sabtui "{version}"], its version', version=FORMAT_VERSION
            )
        self.tags: Mapping[str, Token] = MappingProxyType(tags)
        version = self.text("Sabtui")
        if version != FORMAT_VERSION:
            raise words[0].span.error(
                "this Sabtui reads version {version} of records; a newer one may be able to "
                "read this",
                version=FORMAT_VERSION,
            )

    def __contains__(self, name: str) -> bool:
        return name in self.tags

    def at(self, name: str) -> Span:
        """Return the position of a tag. Raises `NotationError` if it is missing."""
        if name not in self.tags:
            raise self.end.error("the tag {name} is missing", name=name)
        return self.tags[name].span

    def text(self, name: str) -> str:
        """Return a tag's text. Raises `NotationError` if it is missing or cannot be shown."""
        span = self.at(name)
        text = re.sub(r"\\(.)", r"\1", self.tags[name].value)
        if len(text) > MAX_TAG_CHARACTERS:
            raise span.error(
                "the text of a tag has at most {most} characters", most=MAX_TAG_CHARACTERS
            )
        if not text.isprintable():
            raise span.error("the text of a tag has a control or format character")
        return text

    def edition(self) -> Edition:
        """Return the edition. Raises `NotationError`."""
        text = self.text("Edition")
        try:
            edition = Edition.read(text)
        except NotationError:
            raise self.at("Edition").error("no edition or house rule has this name") from None
        if edition.text != text:
            raise self.at("Edition").error(
                "this edition is written {edition}", edition=edition.text
            )
        return edition

    def names(self) -> tuple[str, ...]:
        """Return the names by seat. Raises `NotationError` unless there are 3 to 10 (S1)."""
        seats = [name for name in self.tags if _SEAT.fullmatch(name)]
        due = [f"Seat{at + 1}" for at in range(max(len(seats), PLAYERS.start))]
        for seat in seats:
            if len(seats) > PLAYERS[-1] or seat not in due:
                raise self.at(seat).error(
                    "a game has 3 to 10 players, each with a tag: Seat1, Seat2... (S1)"
                )
        return tuple(self.text(seat) for seat in due)

    def rounds(self) -> int:
        """Return the number of rounds to be played. Raises `NotationError`."""
        text = self.text("Rounds")
        if text not in {"1", "2", "3"}:
            raise self.at("Rounds").error("a game has 1, 2 or 3 rounds (S1)")
        return int(text)

    def seat(self, name: str, players: int) -> tuple[int | None]:
        """Return the seat of a tag in a 1-tuple, `None` in it for `-`. Raises `NotationError`."""
        text = self.text(name)
        if text == "-":
            return (None,)
        if text not in {format_seat(seat) for seat in range(players)}:
            raise self.at(name).error(
                "this should be - or one of the {players} seats", players=players
            )
        return (read_seat(Span.whole(text)),)

    def talk(self) -> str:
        """Return the checksum of the talk, empty if there is none. Raises `NotationError`."""
        if "Talk" not in self:
            return ""
        return self._bytes("Talk", self.text("Talk"), TALK_CHECK_BYTES).hex()

    def seeds(self) -> tuple[bytes, ...]:
        """Return the rounds' own seeds; none if all have one seed. Raises `NotationError`."""
        found = [name for name in _SEEDS if name in self]
        if found and "Seed" in self:
            raise self.at("Seed").error("this tag does not belong in this kind of record")
        return tuple(self.seed(name) for name in _SEEDS[: len(found)])

    def seed(self, name: str) -> bytes:
        """Return the seed in a tag, as bytes. Raises `NotationError`."""
        text = self.text(name)
        if len(text) != 2 * SEED_BYTES or _HEX.fullmatch(text) is None:
            raise self.at(name).error(
                "a seed is {digits} characters 0-9 or a-f", digits=2 * SEED_BYTES
            )
        return bytes.fromhex(text)

    def draws(self) -> tuple[Draw | None, ...]:
        """Return the draw of each seed, `None` for those that the host drew alone.

        Raises `NotationError` for a draw from which its round's seed does not follow.
        """
        found = [name for name in _SEEDS if name in self]
        draws = tuple(self._draw(number) for number in range(1, len(found) + 1))
        for draw, name in zip(draws, found, strict=True):
            if draw is not None and draw.seed != self.seed(name):
                raise self.at(name).error("this seed does not follow from the shares of its round")
        return () if set(draws) == {None} else draws

    def _draw(self, number: int) -> Draw | None:
        """Return the draw of a round, `None` if it has no tags. Raises `NotationError`."""
        name = f"Draw{number}"
        if name not in self:
            return None
        draw = self._bytes(name, self.text(name), DRAW_ID_BYTES)
        host = self._share(f"Share{number}_0", draw)
        if not host.share:
            raise self.at(f"Share{number}_0").error(
                "missing: the share of the host, who has one in every draw"
            )
        count = sum(tag.startswith(f"Share{number}_") for tag in self.tags)
        others = [self._share(f"Share{number}_{at}", draw) for at in range(1, count)]
        return Draw(draw, host, tuple(others))

    def _share(self, name: str, draw: bytes) -> SeedShare:
        """Return the share in a tag, which its commitment fits. Raises `NotationError`."""
        committed, share, person = (*self.text(name).split(" ", 2), "", "")[:3]
        if (committed, share) == ("-", "-"):
            return SeedShare(person)
        shown = SeedShare(person, self._bytes(name, share, SHARE_BYTES))
        if self._bytes(name, committed, COMMITMENT_BYTES) != commitment(draw, person, shown.share):
            raise self.at(name).error("this share is not the one that was committed to")
        return shown

    def _bytes(self, name: str, text: str, count: int) -> bytes:
        """Return this number of bytes from the text of a tag. Raises `NotationError`."""
        if len(text) != 2 * count or _HEX.fullmatch(text) is None:
            raise self.at(name).error(
                "expected {digits} characters 0-9 or a-f here", digits=2 * count
            )
        return bytes.fromhex(text)

    def extra(self, known: set[str]) -> Extra:
        """Return the tags that the format does not define, unchanged. Raises `NotationError`.

        `known` are the format's tags that belong in this kind of record beside those of every
        record.
        """
        read = known | {"Sabtui", "Edition", "Rounds", "Result"}
        names = [name for name in self.tags if name not in read and not _SEAT.fullmatch(name)]
        for name in names:
            if name in _STANDARD or _DRAW.fullmatch(name):
                raise self.at(name).error("this tag does not belong in this kind of record")
        return tuple((name, self.text(name)) for name in names)


def _format_seat(seat: int | None) -> str:
    return "-" if seat is None else format_seat(seat)
