"""The dealers of a game, its check, words to compare, and journals, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import Note
from net.client.session import Received, RoundWords, Status
from net.server import journal_format
from net.server.journal import Journal
from sabtui.text.errors import not_written
from sabtui.text.i18n import _, join_words, lazy, ngettext
from sabtui.text.seats import dealt_without

unfinished: Final = lazy("You were away when the game before this one ended: it was not checked.")
no_table: Final = lazy("There is no table to bring back: sabtui host opens a new one.")


def why_no_journal(error: journal_format.JournalError) -> str:
    """Explain why the journal of a table or a club cannot be opened."""
    match error:
        case journal_format.JournalBusy():
            text = _("It is already running: sabtui join takes you there.")
        case journal_format.JournalFinished() | journal_format.JournalMissing():
            text = no_table()
        case journal_format.JournalUnwritable():
            return not_written(error.path, error.error)
        case _:
            text = _(
                "{path} cannot be read: it is damaged, or from another version of Sabtui. Nothing "
                "in it was changed."
            )
    return text.format(path=error.path)


def journal_warnings(journal: Journal) -> Iterator[str]:
    """Yield warnings about a journal that was opened in spite of them."""
    if not journal.is_locked:
        yield _(
            "No disk here has file locks: nothing stops a second program from running this table."
        )
    if journal.has_lost_end:
        text = _("The end of {path} is damaged. What was saved before it is brought back.")
        yield text.format(path=journal.path)


def loss_sentence(lost_steps: int) -> str:
    """Report that the table has gone back by up to this many steps."""
    text = ngettext(
        "This table goes on without the last step that you saw.",
        "This table goes on without the last {count} steps that you saw.",
        lost_steps,
    )
    return text.format(count=lost_steps)


def wrong_lines(heard: Received) -> list[str]:
    """Report the faults in an update: lost steps, false deals, a failed check."""
    late = _("Your program answered too late, so round {number} is dealt without it.")
    false = (Mismatch(MismatchKind.FALSE_DRAW, number) for number in heard.false_draws)
    return [
        *([loss_sentence(heard.lost_steps)] if heard.lost_steps else []),
        *map(mismatch_sentence, false),
        *(late.format(number=number) for number in heard.left_out),
        *([check_line(heard.audit)] if heard.audit and heard.audit.mismatches else []),
    ]


def words_sentence(found: RoundWords) -> str:
    """Return the words of the last round, or why there are none."""
    number = found.round[1]
    if found.words:
        # Translators: they are said aloud: all who were told the same have the same.
        text = _("Six words to compare for round {number}: {words}")
        groups = (found.words[at : at + 3] for at in range(0, len(found.words), 3))
        return text.format(number=number, words=", ".join(map(" ".join, groups)))
    away = [_away_sentence(number)] if found.away else []
    whys = [loss_sentence(found.lost_steps)] if found.lost_steps else away
    return " ".join([_("Round {number} has no check words.").format(number=number), *whys])


def wrong_check(status: Status) -> tuple[str, ...]:
    """Return the line below a finished game that failed its check, () for one that passed."""
    if status.audit is None or not status.audit.mismatches:
        return ()
    return (_("Something does not fit in this game. F tells what."),)


def fair_lines(status: Status) -> list[str]:
    """Return the page on fairness: how cards are dealt, the check, words to compare."""
    if status.lobby is None or not status.lobby.name:
        return [_("In practice your own program deals, and nobody checks it.")]
    lines = [
        _("All players' programs shuffle together. Nobody can choose cards, not even the host."),
        _("After each round, everybody who was shown the same game has the same six words."),
        _("Say yours aloud. If somebody has others, one of you was shown another game."),
    ]
    if status.words is not None:
        lines.append(words_sentence(status.words))
    if status.audit is None:
        return [*lines, _("When the game is over, your program checks every card that it saw.")]
    return [*lines, check_line(status.audit)]


def check_line(audit: Audit) -> str:
    """Return the result of an audit in one line: who dealt, or what does not fit."""
    moved = _("The table moved in round {number}: the deals up to then cannot be checked.")
    if audit.mismatches:
        sentences = [
            *dict.fromkeys(map(mismatch_sentence, audit.mismatches)),
            *_void_lines(audit.voids),
        ]
    else:
        sentences = [
            *(moved.format(number=number) for number in audit.moved[-1:]),
            *([] if audit.moved and len(audit.dealers) == 1 else [_dealt_sentence(audit)]),
            *(dealt_without(number, names) for number, names in audit.left_out),
            *_void_lines(audit.voids),
            *([] if audit.is_first else [unfinished()]),
            *map(_away_sentence, dict.fromkeys((*audit.unseen, *audit.missed))),
            *([loss_sentence(audit.lost_steps)] if audit.lost_steps else []),
        ]
    line = " ".join(sentences)
    if not audit.at_door:
        return line
    # Translators: {check} is a whole line, such as "Checked: dealt by Ana and Ben together; ...".
    return _("The host's computer says: {check}").format(check=line)


def _dealt_sentence(audit: Audit) -> str:
    """Name the dealers of a game; a host who never joined has no name.

    It is called checked only if no step was lost, and this program knows of every deal.
    """
    if len(audit.dealers) == 1:
        return _("Dealt by the host alone.")
    names = [name for name in audit.dealers if name]
    text = ngettext(
        "Checked: dealt by {names} and the host's computer; everything you saw matches.",
        "Checked: dealt by {names} together; everything you saw matches.",
        len(names),
    )
    is_whole = audit.is_first and all(void.names for void in audit.voids)
    if audit.lost_steps or audit.unseen or not is_whole:
        text = ngettext(
            "Dealt by {names} and the host's computer.", "Dealt by {names} together.", len(names)
        )
    return text.format(names=join_words(names))


def _away_sentence(number: int) -> str:
    return _("You were away for part of round {number}.").format(number=number)


def mismatch_sentence(mismatch: Mismatch) -> str:
    match mismatch.kind:
        case MismatchKind.NO_RECORD | MismatchKind.NOT_VALID | MismatchKind.OTHER_GAME:
            text = _("The host showed no valid record of this game: nothing can be checked.")
        case MismatchKind.FALSE_DRAW | MismatchKind.OTHER_SHARES | MismatchKind.NOT_DRAWN:
            text = _("Round {number} was not dealt jointly: the host could have chosen the cards.")
        case MismatchKind.OTHER_EVENTS:
            text = _("What you saw in round {number} differs from the host's record.")
        case MismatchKind.REWRITTEN:
            text = _("The host took back what it had shown you: cards, moves or a deal.")
        case _:
            assert_never(mismatch.kind)
    return text.format(number=mismatch.number)


def _void_lines(voids: tuple[Note, ...]) -> list[str]:
    """Return a line for each round whose cards were drawn again, and why."""
    by_host = _("The host's program abandoned a deal of round {number} and made another.")
    often = _("Abandoned deals of round {number}: {count}.")
    lines: list[str] = []
    for void in voids:
        because = ngettext(
            "Round {number} was dealt again because {names} left or did not answer.",
            "Round {number} was dealt again because {names} left or did not answer.",
            len(void.names),
        )
        text = because if void.names else by_host
        lines.append(text.format(number=void.number, names=join_words(void.names)))
        if void.count > 1:
            lines.append(often.format(number=void.number, count=void.count))
    return lines
