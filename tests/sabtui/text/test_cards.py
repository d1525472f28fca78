"""Names of cards: alone, and as the object of a sentence."""

from __future__ import annotations

import re
from functools import partial

import pytest

from engine.actions import Rockfall
from engine.cards import CARDS, Card
from engine.dealing import deal
from engine.game import Game
from engine.moves import Discard
from sabtui.text.cards import a_path, card_words, name_card
from sabtui.text.i18n import load_locale
from sabtui.text.moves import done_words
from sabtui.text.summary import UnseenCards, own_lines
from tests.sabtui.cases import CAST, DIG
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.tour import speak

ARTICLES = {
    "en": r"a ",
    "es_AR": r"una? ",
    "fr": r"une? ",
    "it": r"(un |una |uno |un')",
    "pt_BR": r"uma? ",
}


@pytest.mark.parametrize("language", FINISHED)
def test_a_path_card_has_its_article_in_a_sentence(language: str) -> None:
    with speak(load_locale(language)):
        for card in Card:
            for path in card.ways:
                assert re.match(ARTICLES[language], a_path(path)), a_path(path)


def test_who_watches_is_told_of_no_gold_and_no_role() -> None:
    assert own_lines(DIG._replace(seat=None, role=None)) == own_lines(DIG)[2:]


def test_cards_that_one_discarded_are_told_by_name() -> None:
    view = DIG._replace(buried=(Card.NES, next(one for one in Card if one.text == "ns"), Card.MAP))
    assert own_lines(view)[2] == "You discarded face down: T-junction, dead end, map."


def test_what_a_move_does_begins_with_a_small_letter() -> None:
    beside = next(cell for cell, path in DIG.table.board.cards.items() if cell != (0, 0))
    assert done_words(Rockfall(beside), DIG, CAST).startswith("bring down ")
    assert done_words(Discard(Card.NES), DIG, CAST) == "pass and discard it."


def test_no_two_cards_have_the_same_words() -> None:
    for find_words in (card_words, partial(name_card, spelt=False)):
        assert len({find_words(card) for card in CARDS}) == len(CARDS)


def test_every_card_not_seen_yet_is_in_a_row_of_their_list() -> None:
    game, _events = Game.begin(deal(bytes(32), number=1, players=3))
    unseen = UnseenCards.of(game.view(0))
    by_tool = (*unseen.breaks.values(), *unseen.repairs.values())
    others = (unseen.doubles, *unseen.others.values())
    assert sum((*unseen.paths.values(), *by_tool, *others)) == unseen.total
