"""The dealers of a game, whether it checks, and words to compare, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import VoidDraw, VoidReason
from net.client.session import Received
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.journals import loss_sentence


def wrong_lines(heard: Received) -> list[str]:
    """Return what is wrong with a game: it fails the check.

    At any time: that a draw goes on without the share of the reader, and what the table has lost.
    """
    lines = unfair_lines(heard)
    if heard.audit is not None and heard.audit.mismatches:
        lines += audit_lines(heard.audit, heard.report)
    return lines


def right_lines(heard: Received) -> list[str]:
    """Return what came of a check that found nothing wrong: who dealt."""
    audit = heard.audit
    return [] if audit is None or audit.mismatches else audit_lines(audit)


def words_purpose() -> str:
    """Return the purpose of the command that tells those words."""
    return _("words of the last round, to compare aloud")


def words_sentence(words: Sequence[str]) -> str:
    """Return the words of the last round, for whoever asks for them."""
    if not words:
        return _("Words to compare come after a round that you have seen from its beginning.")
    text = _("Words of the last round: {words}. All who have seen the same game have the same.")
    return text.format(words=spoken_words(words))


def spoken_words(words: Sequence[str]) -> str:
    """Return words to say aloud in groups of three, with a pause between."""
    groups = (words[at : at + 3] for at in range(0, len(words), 3))
    return ", ".join(" ".join(group) for group in groups)


def unfair_lines(heard: Received) -> list[str]:
    """Return what the reader should know at once: what is lost or hidden, a draw without them."""
    lost = [loss_sentence(heard.gone)] if heard.gone else []
    answered = _(
        "Round {number} is dealt without your share. Your program had answered, "
        "but the host says that nothing came."
    )
    silent = _("Round {number} is dealt without your share: nothing came from you in time.")
    texts = ((answered if one.answered else silent, one.number) for one in heard.left_out)
    return [*lost, *(text.format(number=number) for text, number in texts)]


def audit_lines(audit: Audit, report: str = "") -> list[str]:
    """Return the result of an audit: who dealt, or what does not fit and where the report is."""
    if not audit.mismatches:
        missed = _("You missed a part of round {number}, so that part was not checked.")
        return [
            *dealers_lines(audit),
            *_void_lines(audit.voids),
            *(_unseen(number) for number in audit.unseen),
            *(missed.format(number=number) for number in audit.missed),
            *([loss_sentence(audit.gone)] if audit.gone else []),
        ]
    lines = [mismatch_sentence(one) for one in audit.mismatches]
    if report:
        lines.append(_("This game failed the check. A report is saved: {path}").format(path=report))
    return lines


def dealers_lines(audit: Audit) -> list[str]:
    """Return who dealt the game that was checked, and who was left out of a round.

    A host who never came has no name.
    """
    dealers = [name for name in audit.dealers if name]
    lines = [
        _("Round {number} was dealt without {names}.").format(
            number=number, names=join_words(list(names))
        )
        for number, names in audit.left_out
    ]
    if not dealers:
        return lines
    text = ngettext(
        "Dealt by {names} alone: checked.", "Dealt by {names} together: checked.", len(dealers)
    )
    if not audit.is_complete:
        text = ngettext(
            "Dealt by {names} alone: checked as far as you saw it.",
            "Dealt by {names} together: checked as far as you saw it.",
            len(dealers),
        )
    return [text.format(names=join_words(dealers)), *lines]


def mismatch_sentence(mismatch: Mismatch) -> str:
    """Return the sentence on what does not fit."""
    match mismatch.kind:
        case MismatchKind.NO_RECORD:
            text = _("The host showed no record of this game, so nothing can be checked.")
        case MismatchKind.NOT_VALID:
            text = _("The host's record contradicts itself: its shares, deals or moves do not fit.")
        case MismatchKind.OTHER_GAME:
            text = _("The host's record is of another game: its players or rules differ.")
        case MismatchKind.OTHER_SHARES:
            text = _("Round {number} was not dealt from the players' shares.")
        case MismatchKind.NOT_DRAWN:
            text = _("Round {number} was dealt by the host alone, without asking the others.")
        case MismatchKind.OTHER_EVENTS:
            text = _("In round {number} you saw other cards or moves than the host's record has.")
        case MismatchKind.REWRITTEN:
            text = _("The host took back cards or moves that it had shown you.")
        case _:
            assert_never(mismatch.kind)
    return text.format(number=mismatch.number)


def _unseen(number: int) -> str:
    text = _("You were not there when round {number} was dealt: only its record was checked.")
    return text.format(number=number)


def _void_lines(voids: tuple[VoidDraw, ...]) -> list[str]:
    """Return a line for each round of which a draw was void."""
    text = _("Round {number} was drawn {count} times. Void: {reasons}.")
    lines = list[str]()
    for number in dict.fromkeys(void.number for void in voids):
        whys = [_why_void(void) for void in voids if void.number == number]
        lines.append(text.format(number=number, count=len(whys) + 1, reasons="; ".join(whys)))
    return lines


def _why_void(void: VoidDraw) -> str:
    match void.why:
        case VoidReason.LEFT:
            text = _("{names} left")
        case VoidReason.REMOVED:
            text = _("{names} was removed")
        case VoidReason.HOST_CHANGED:
            text = _("{names} was no longer the host")
        case VoidReason.NO_ANSWER:
            text = ngettext("{names} did not answer", "{names} did not answer", len(void.names))
        case _:
            assert_never(void.why)
    return text.format(names=join_words(list(void.names)))
