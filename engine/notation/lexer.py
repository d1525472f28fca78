"""The lexer of records: words, tags, comments and checksums; and the parts of a turn's word.

A record is a sequence of statements, written one a line; each is some words and then a check, `#`
and eight hexadecimal digits. Spaces, line breaks and `{comments}` (without braces in them) may
stand between any words. A tag, `[Name "text"]`, is one word.

The check is CRC-32 (zlib's) over the words of this statement and of all before it, in UTF-8: the
words of a statement are joined by one space each, and a line break follows. So spacing and
comments do not count, and everything else does: a statement that is altered, lost, added or out
of place shows at the next check. The last statement is known by its first word, `End`; if that is
missing, the record was cut off.

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
from typing import Final, NamedTuple

from engine.board import Cell
from engine.cards import Card, Goal, Path
from engine.mistakes import NotationError
from engine.moves import Move, ObservedMove, read_move
from engine.readonly import ReadOnly
from engine.tokens import Span, read_card, read_cell, read_goal_lying, read_goal_seen


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
