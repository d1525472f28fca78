"""Editions, house rules and bot levels in words."""

from __future__ import annotations

from typing import assert_never

from engine.bots.installed import offered_bots
from engine.edition import (
    EDITIONS,
    INTERNATIONAL,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    EditionRow,
    ShareRule,
    StarterRule,
)
from engine.mistakes import NotationError
from sabtui.text.i18n import _, capitalise, lower_first, pgettext, phrases


def edition_name(text: str) -> str:
    """Return an edition's name with its house rules; for an unknown edition, return its text."""
    try:
        edition = Edition.read(text)
    except NotationError:
        return text
    name = book_name(edition.book)
    if not edition.changed:
        return name
    rows = phrases([row_words(row) for row in edition.changed])
    return _("{edition}, but {rows}").format(edition=name, rows=rows)


def game_facts(edition: Edition, players: int, rounds: int) -> str:
    """Return the sentence on what kind of game a record is of."""
    text = _("Edition {edition}, {players} players, rounds: {rounds}.")
    return text.format(edition=edition_name(edition.text), players=players, rounds=rounds)


def book_name(book: str) -> str:
    """Return the name of a rulebook."""
    names = {
        "international": pgettext("edition", "international"),
        "argentina": pgettext("edition", "Argentina"),
        "italia": pgettext("edition", "Italy 2004"),
        "france": pgettext("edition", "France 2004"),
    }
    assert names.keys() == EDITIONS.keys()
    return names[book]


def printed_name(book: str) -> str:
    """Return the country and year of the box that a rulebook of an edition was printed for."""
    return _("Brazil 2017") if book == INTERNATIONAL.book else book_name(book)


def book_words(book: str) -> str:
    """Return a rulebook's terms in its own language, by which owners recognise their copy."""
    words = {
        "international": "minerador, sabotador, caminho, desmoronamento, mapa",
        "argentina": "minero de oro, saboteador, recorrido, desprendimiento de rocas, mapa",
        "italia": "cercatore d'oro, sabotatore, percorso, frana, mappa",
        "france": "chercheur d'or, saboteur, galerie, effondrement, plan",
    }
    assert words.keys() == EDITIONS.keys()
    return words[book]


def differences(edition: Edition) -> str:
    """Return a sentence on how an edition differs from the international one."""
    rows = [row for row in edition.rows if row not in INTERNATIONAL.rows]
    if not rows:
        return _(
            "Play goes clockwise; the player left of whoever laid the last path card begins the "
            "next round."
        )
    return capitalise(phrases([row_words(row) for row in rows])) + "."


def edition_sentence(edition: Edition) -> str:
    """Return the sentence on how turns pass, what paths touch, and what else an edition changes."""
    rows = [
        row
        for row in edition.rows
        if isinstance(row, Direction | ConnectRule) or row not in INTERNATIONAL.rows
    ]
    text = phrases([row_words(row) for row in rows])
    return _("Edition {edition} ({rows}).").format(edition=book_name(edition.book), rows=text)


def row_label(row: EditionRow) -> str:
    """Return a row's label in a form, 13 columns at most."""
    match row:
        # Translators: labels of a form, 13 columns at most: which way turns pass.
        case Direction():
            return _("Direction")
        # Translators: what a path that is laid has to touch.
        case ConnectRule():
            return _("Path cards")
        # Translators: when a round ends in which nobody reached the treasure.
        case DeadTable():
            return _("Round ends")
        # Translators: how many gold cards the miners share.
        case ShareRule():
            return _("Gold cards")
        # Translators: who begins the next round.
        case StarterRule():
            return _("Next to begin")
        case _:
            assert_never(row)


def row_shown(row: EditionRow) -> str:
    """Return a row's rule as a form shows it beside its label, 40 columns at most."""
    shown = {
        # Translators: turns pass: clockwise.
        Direction.CLOCKWISE: _("clockwise"),
        Direction.COUNTER_CLOCKWISE: _("counter-clockwise"),
        # Translators: paths: join a tunnel from the start.
        ConnectRule.LINKED: _("join a tunnel from the start"),
        ConnectRule.ADJACENT: _("touch any path card"),
        # Translators: the round ends: when all hands are empty.
        DeadTable.PLAYED_OUT: _("when all hands are empty"),
        DeadTable.ENDS_ROUND: _("pile empty and nobody can play"),
        # Translators: gold cards that the miners share: one for each miner.
        ShareRule.EACH_MINER_ONE: _("one for each miner"),
        ShareRule.ALL_PLAYERS: _("as many as there are players"),
        # Translators: next to begin: who sits left of whoever laid the last path.
        StarterRule.PATH: _("left of whoever laid the last path card"),
        StarterRule.CARD: _("left of whoever played the last card"),
    }
    return shown[row]


def row_words(row: EditionRow) -> str:
    """Return the rule of an edition's row in words."""
    return _("{title}: {facts}").format(title=lower_first(row_label(row)), facts=row_shown(row))


def edition_lines() -> list[str]:
    """Return lines that list the editions and house rules, as typed and in words."""
    lines = [_("edition italia picks a rulebook, edition +linked changes one of its rules:")]
    lines += [f"{book}: {differences(edition)}" for book, edition in EDITIONS.items()]
    rows = [
        row for kind in (Direction, ConnectRule, DeadTable, ShareRule, StarterRule) for row in kind
    ]
    return lines + [f"+{row}: {row_words(row)}" for row in rows]


def level_name(level: str) -> str:
    """Return the name of a bot level; for an unknown level, return it unchanged."""
    names = {
        "easy": pgettext("bot", "easy"),
        "medium": pgettext("bot", "medium"),
        "hard": pgettext("bot", "hard"),
    }
    return names.get(level, level)


def next_level(level: str, by: int = 1) -> str:
    """Return the level after this one, or before it if `by` is -1; after the last is the first.

    The first is also what follows an unknown one.

    After our levels come the bots of others that are installed here.
    """
    levels = offered_bots()
    return levels[(levels.index(level) + by) % len(levels)] if level in levels else levels[0]
