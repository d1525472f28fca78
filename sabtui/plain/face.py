"""A line face between two lines: what was heard becomes lines, a line typed a wish.

Knows a view, the names and the size of the terminal; no clock, no input, no output. A `Face` is a
value: `hear` and `read` return what is said and the face to go on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.cards import Card
from engine.events import Event, HandDealt
from engine.moves import Move
from engine.table import Phase
from engine.view import View
from sabtui.plain.choices import gold_lines, hand_lines, held, play_lines
from sabtui.plain.telling import told
from sabtui.plain.wishes import Play, Power, Wish
from sabtui.plain.wrap import Size, wrapped
from sabtui.words.cards import card_words
from sabtui.words.cast import Cast
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _
from sabtui.words.turns import broken_words, pile_words, waiting


@dataclass(frozen=True, slots=True)
class Face:
    """One player's line face.

    `card` is the card whose places were listed, so that the next number is a place, and `listed`
    how many of them are out; `leaving` tells that the next line answers whether to leave.
    """

    view: View
    cast: Cast
    powers: frozenset[Power] = frozenset()
    size: Size = field(default_factory=Size)
    card: Card | None = None
    listed: int = 0
    leaving: bool = False

    @property
    def my_turn(self) -> bool:
        """Whether it is this player who is to play or to choose gold."""
        return self.view.seat is not None and self.view.to_act == self.view.seat

    @property
    def plays(self) -> Sequence[Move]:
        """What the card whose places were listed can do."""
        return next((kind.plays for kind in held(self.view) if kind.card is self.card), ())

    def hear(self, events: Iterable[Event]) -> Said:
        """Hear what happened, all in one go, and say it and then where that leaves the player."""
        view, hand = self.view, False
        lines: list[str] = []
        for event in events:
            view = view.after(event)
            lines += told(event, view, self.cast)
            hand = hand or isinstance(event, HandDealt)
        face = replace(self, view=view, card=None, listed=0)
        if hand and not face.my_turn:
            lines += hand_lines(view)
        return face.say([*lines, *face.where()])

    def where(self) -> list[str]:
        """Where the player is: whose turn it is, and what can be done."""
        view = self.view
        if self.my_turn and view.phase is Phase.GOLD:
            head = _("Choose a gold card by its nuggets. Then {count} are passed on.")
            return [head.format(count=len(view.offer) - 1), *gold_lines(view)]
        if self.my_turn:
            return [self._your_turn(), *hand_lines(view)]
        return self._offers() if view.to_act is None else [waiting(view, self.cast)]

    def choose(self, card: Card, page: int = 0) -> Said:
        """List what a card can do, from a place on, to choose from."""
        face = replace(self, card=card)
        plays = face.plays
        if not plays:
            discard = _("{card} ({words}) can only be discarded now: x{number}.")
            number = [kind.card for kind in held(self.view)].index(card) + 1
            told = discard.format(card=card.text, words=card_words(card), number=number)
            return replace(self, card=None, listed=0).say([told])
        upto = min(len(plays), page + self.size.rows - 5)
        out = play_lines(plays[page:upto], self.view, self.cast, page)
        head = _("{card} ({words}) can do:").format(card=card.text, words=card_words(card))
        ways = [_("x discards it, b goes back")]
        if upto < len(plays):
            ways.append(_("+ lists {count} more").format(count=len(plays) - upto))
        return replace(face, listed=upto).say([head, *out, f"{', '.join(ways)}."])

    def attempt(self, move: Move) -> Said:
        """Make a move if it can be made; if not, say why, and stay where we were."""
        reason = self.view.why_not(move)
        if reason is not None:
            return self.say([why_not(reason, move, self.view, self.cast)])
        return replace(self, card=None, listed=0).say([], Play(move))

    def say(self, lines: Iterable[str], wish: Wish | None = None) -> Said:
        """Say something, as wide as the terminal."""
        return Said(self, tuple(wrapped(lines, self.size.columns)), wish)

    def prompt(self) -> str:
        """What stands before the line to type: whose turn it is, and what the line answers."""
        view = self.view
        if self.leaving:
            return _("Leave? yes or no")
        if not self.my_turn:
            return waiting(view, self.cast).rstrip(".") if view.to_act is None else ""
        if view.phase is Phase.GOLD:
            return _("Your gold, {cards}").format(
                cards="/".join(str(nuggets) for nuggets in dict.fromkeys(view.offer))
            )
        if self.card is not None:
            return _("Your turn, {card} 1-{last}").format(card=self.card.text, last=self.listed)
        return _("Your turn, card 1-{last}").format(last=len(held(view)))

    def _your_turn(self) -> str:
        told = [_("Your turn."), pile_words(self.view)]
        assert self.view.seat is not None
        broken = broken_words(self.view.seat, self.view)
        if broken:
            told.append(_("Yours {broken}.").format(broken=broken))
        return " ".join(told)

    def _offers(self) -> list[str]:
        """What can be done where the game waits for nobody."""
        offers = []
        if self.view.phase is Phase.DEAL and Power.DEAL in self.powers:
            offers.append(_("Enter deals the next round"))
        if self.view.phase is Phase.OVER:
            if Power.SAVE in self.powers:
                offers.append(_("save FILE keeps the record"))
            if Power.AGAIN in self.powers:
                offers.append(_("again begins a new game"))
            offers.append(_("quit leaves"))
        return [f"{', '.join(offers)}."] if offers else []


@dataclass(frozen=True, slots=True)
class Said:
    """What a face says, the face to go on with, and what it wishes to be done."""

    face: Face
    lines: tuple[str, ...]
    wish: Wish | None = None
