"""The dealers of a game, whether it checks, and whether all have seen the same, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import RolledBack, VoidDraw, VoidReason
from net.client.session import Comparison, Received
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.journals import loss_sentence, lost_moves


def wrong_lines(heard: Received, me: int) -> list[str]:
    """Return what is wrong with a game: others have seen another one, or the audit fails.

    At any time: that a draw goes on without the share of the reader, who is member `me`, and what a
    table with a new host has lost.
    """
    lines = unfair_lines(heard)
    lines += lost_moves(heard.lost, me) if heard.lost is not None else []
    if heard.comparison is not None and heard.comparison.differing:
        lines += comparison_lines(heard.comparison)
    if heard.audit is not None and heard.audit.mismatches:
        lines += audit_lines(heard.audit, heard.report)
    return lines


def right_lines(heard: Received) -> list[str]:
    """Return what came of checks that found nothing wrong: who dealt, words to compare aloud."""
    compared, audit = heard.comparison, heard.audit
    lines = [] if compared is None or compared.differing else comparison_lines(compared)
    return lines + ([] if audit is None or audit.mismatches else audit_lines(audit))


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return what came of comparing: nothing if all agree, else words to compare aloud.

    Who has seen another game, or says so, is named; who of them is to blame nobody can know.
    """
    lines, words = list[str](), spoken_words(comparison.words)
    if comparison.differing:
        text = ngettext(
            "You and {names} have seen different games! Either the host has shown you different "
            "things, or the program of {names} is lying. Compare aloud: {words}.",
            "You and {names} have seen different games! Either the host has shown you different "
            "things, or the programs of {names} are lying. Compare aloud: {words}.",
            len(comparison.differing),
        )
        lines.append(text.format(names=join_words(list(comparison.differing)), words=words))
    if comparison.missing:
        text = _(
            "Compare these words aloud with {names}, as your programs could not: {words}. If they "
            "differ, you have seen different games."
        )
        lines.append(text.format(names=join_words(list(comparison.missing)), words=words))
    return lines


def words_purpose() -> str:
    """Return the purpose of the command that tells those words."""
    return _("words of the last round, to compare aloud")


def words_sentence(compared: Comparison | None) -> str:
    """Return the words of the last round, for whoever asks for them."""
    if compared is None:
        return _(
            "Words to compare come some seconds after a round, "
            "if two others play on their own computers."
        )
    text = _("Words of the last round: {words}. All who have seen the same game have the same.")
    return text.format(words=spoken_words(compared.words))


def spoken_words(words: Sequence[str]) -> str:
    """Return words to say aloud in groups of three, with a pause between."""
    groups = (words[at : at + 3] for at in range(0, len(words), 3))
    return ", ".join(" ".join(group) for group in groups)


def unfair_lines(heard: Received) -> list[str]:
    """Return what the reader should know at once: what is lost or hidden, a draw without them."""
    lost = [] if heard.lost is None else [loss_sentence(heard.lost)]
    answered = _(
        "Round {number} is dealt without your share. Your program had answered, "
        "but the host says that nothing came."
    )
    silent = _("Round {number} is dealt without your share: nothing came from you in time.")
    texts = ((answered if one.answered else silent, one.number) for one in heard.left_out)
    hidden = ngettext(
        "The host did not show you {count} step that you missed, "
        "so your program could not check it.",
        "The host did not show you {count} steps that you missed, "
        "so your program could not check them.",
        heard.gap,
    )
    gap = [hidden.format(count=heard.gap)] if heard.gap else []
    return [*lost, *gap, *(text.format(number=number) for text, number in texts)]


def audit_lines(audit: Audit, report: str = "") -> list[str]:
    """Return the result of an audit: who dealt, or what does not fit and where the report is."""
    if not audit.mismatches:
        hidden = _("The host did not show you all that you had missed, so that was not checked.")
        return [
            *dealers_lines(audit),
            *_void_lines(audit.voids),
            *(_unseen(number) for number in audit.unseen),
            *(_rollback_sentence(one) for one in audit.rollbacks),
            *([hidden] if audit.has_gap else []),
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


def _rollback_sentence(back: RolledBack) -> str:
    text = _("The table went back to step {step}, with {host} as its host.")
    if back.names:
        text += " " + _("It has lost moves of {names} that you saw.")
    return text.format(step=back.since, host=back.host, names=join_words(list(back.names)))
