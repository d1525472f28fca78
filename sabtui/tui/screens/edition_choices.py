"""The edition of a table as choices in a form: a rulebook, and each of its rules by itself.

The wording of each rule comes from `sabtui.text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.edition import EDITIONS, INTERNATIONAL, Edition, EditionRow
from sabtui.text.editions import (
    book_name,
    differences,
    edition_name,
    row_label,
    row_shown,
    row_words,
)
from sabtui.text.i18n import _, listed, pgettext
from sabtui.tui.widgets.form import ChoiceRow, Option


class EditionChoices:
    """Choice of the rulebook and one choice per rule; `follow` keeps them consistent."""

    def __init__(self, edition: str) -> None:
        """Make the choices. `edition` is the text of an edition."""
        begins = _read(edition)
        self._mixture = edition if begins.changed else ""
        self.book: Final = ChoiceRow("edition", _("Edition"), self._books(), edition)
        self.rows: Final = tuple(
            ChoiceRow(type(row).__name__, row_label(row), [_option(one) for one in type(row)], row)
            for row in begins.rows
        )

    def follow(self, changed: ChoiceRow) -> None:
        """Set the rules to those of the chosen book, or the book to the mixture of chosen rules."""
        if changed is self.book:
            for choice, row in zip(self.rows, _read(self.book.value).rows, strict=True):
                choice.choose(row)
        elif changed in self.rows:
            edition = mixture(choice.value for choice in self.rows)
            if edition.changed:
                self._mixture = edition.text
            self.book.offer(self._books(), edition.text)

    def _books(self) -> list[Option]:
        """Return the books and the last mixture, so that the player can return to it."""
        options = [Option(book, book_name(book), differences(of)) for book, of in EDITIONS.items()]
        if self._mixture:
            # Translators: an edition whose rules were mixed by the players.
            custom = pgettext("edition", "custom")
            text = _("A mixture: {edition}.").format(edition=edition_name(self._mixture))
            options.append(Option(self._mixture, custom, text))
        return options


def mixture(rows: Iterable[str]) -> Edition:
    """Return the edition with these five rules, named after the book that it differs least from."""
    all_of_them = Edition.read("+".join((INTERNATIONAL.book, *rows))).rows
    return min((book.replace(*all_of_them) for book in EDITIONS.values()), key=_distance)


def _distance(edition: Edition) -> int:
    return len(edition.changed)


def _read(edition: str) -> Edition:
    """Return the edition of this text, or the usual one if the text is of a newer Sabtui."""
    try:
        return Edition.read(edition)
    except KeyError:
        return INTERNATIONAL


def _option(row: EditionRow) -> Option:
    """Return the option for a rule, with the books that have it."""
    books = [book_name(book) for book, edition in EDITIONS.items() if row in edition.rows]
    text = _("As in {books}: {rule}.").format(books=listed(books), rule=row_words(row))
    return Option(row, row_shown(row), text)
