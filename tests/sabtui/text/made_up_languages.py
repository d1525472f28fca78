"""Languages that nobody speaks, made while a test runs.

`Pseudo` is English in the letters of another script: what is shown in Latin ones does not go
through gettext, or is a name, or notation. `Marked` is another language in which each message
begins and ends with signs of its own, one cell wide: a sign that a screen shows at the beginning
and not at the end tells of a text that is cut off.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from gettext import NullTranslations
from string import ascii_letters
from typing import Final

from rich.cells import cell_len

FIELD: Final = re.compile(r"(\{[^{}]*\}|%\([a-z_]+\)[sr]|%[sr])")
NOTATION: Final = re.compile(r"x?(N?E?S?W?|n?e?s?w?|P?L?C?|M|R|m+s*m*)")
WORD: Final = re.compile(r"\w+")
LETTERS: Final = str.maketrans(
    ascii_letters, "абвгдежзийклмнопрстуфхцчшщ" + "абвгдежзийклмнопрстуфхцчшщ".upper()
)


def latin(shown: str) -> list[str]:
    """Words in Latin letters, but for keys and what cards, tools and sides are spelt with."""
    words = set(re.findall(r"(?<![A-Za-z])[A-Za-z]{2,}(?![A-Za-z])", shown))
    return sorted(word for word in words if NOTATION.fullmatch(word) is None)


def _signs() -> Iterator[str]:
    """Letters that no text here has: printable, one cell wide, without capitals, NFC."""
    for code in range(0x12000, 0x16A39):
        sign = chr(code)
        known = unicodedata.category(sign) == "Lo" and unicodedata.normalize("NFKC", sign) == sign
        if known and sign.upper() == sign and cell_len(sign) == 1:
            yield sign


SIGNS: Final = tuple(_signs())


class Pseudo(NullTranslations):
    """English in other letters."""

    def gettext(self, message: str) -> str:
        parts = FIELD.split(message)
        return "".join(part if at % 2 else part.translate(LETTERS) for at, part in enumerate(parts))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)


class Marked(NullTranslations):
    """A language with signs at both ends of each message; `said` tells which signs are whose."""

    def __init__(self, language: NullTranslations) -> None:
        super().__init__()
        self._language = language
        self.said: dict[str, int] = {}
        self._letters: dict[int, str] = {}

    def gettext(self, message: str) -> str:
        return self._mark(self._language.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._mark(self._language.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return self._mark(self._language.pgettext(context, message))

    def cut_off(self, shown: str) -> list[str]:
        """The messages that are shown from their beginning, and not to their end."""
        signs = Counter(shown)
        return [
            message
            for message, at in self.said.items()
            if signs[SIGNS[2 * at]] > signs[SIGNS[2 * at + 1]]
        ]

    def remove_signs(self, shown: str) -> str:
        """What a screen would show in the language itself: signs know no capitals, words do."""
        return WORD.sub(self._remove_word_signs, shown)

    def _remove_word_signs(self, found: re.Match[str]) -> str:
        word, others = found[0], found[0].translate(dict.fromkeys(self._letters))
        letters = word.translate(self._letters)
        return letters.upper() if others.isupper() else letters

    def _mark(self, message: str) -> str:
        """The message with other letters at both ends of its text; short ones as they are."""
        parts = FIELD.split(message)
        letters = [
            (part, at)
            for part in range(0, len(parts), 2)
            for at, letter in enumerate(parts[part])
            if letter.isalpha()
        ]
        if len(letters) < 2:
            return message
        number = self.said.setdefault(message, len(self.said))
        for (part, at), sign in zip(
            (letters[0], letters[-1]), SIGNS[2 * number : 2 * number + 2], strict=True
        ):
            self._letters[ord(sign)] = parts[part][at]
            parts[part] = parts[part][:at] + sign + parts[part][at + 1 :]
        return "".join(parts)
