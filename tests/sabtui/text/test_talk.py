"""Talk and quick claims in words."""

from __future__ import annotations

import pytest

from net.protocol.chat import ChatLine
from net.protocol.lobby import TableClaim, Topic
from sabtui.text.talk import chat_words, claim_words, quick_claims

NAMES = ("Ana", "Bruno", "Chiara")


def test_a_line_of_talk_is_a_name_and_the_text_as_it_is() -> None:
    assert (
        chat_words(ChatLine("Bruno", 1, "8 is {stone}: 100%s"), NAMES)
        == "Bruno: 8 is {stone}: 100%s"
    )
    assert (
        chat_words(ChatLine("Eva", -1, "", TableClaim(Topic.BLUFF, 1)), NAMES)
        == "Eva: Bruno is bluffing"
    )


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (TableClaim(Topic.GOLD_AT, 0), "north goal is gold"),
        (TableClaim(Topic.STONE_AT, 1), "middle goal is stone"),
        (TableClaim(Topic.GOLD_AT, 2), "south goal is gold"),
        (TableClaim(Topic.DIGS_FOR_US, 2), "I think Chiara is a miner"),
        (TableClaim(Topic.DIGS_AGAINST_US, 1), "I think Bruno is a saboteur"),
        (TableClaim(Topic.HELP_ME, 1), "please repair my lantern"),
        (TableClaim(Topic.BLUFF, 0), "Ana is bluffing"),
        (TableClaim(Topic.WHO_ME), "who, me?"),
    ],
)
def test_a_claim_is_made_words_in_the_readers_language(claim: TableClaim, words: str) -> None:
    assert claim_words(claim, NAMES) == words


def test_a_claim_about_a_seat_that_is_gone_names_its_number() -> None:
    assert claim_words(TableClaim(Topic.BLUFF, 9), NAMES) == "seat 10 is bluffing"


@pytest.mark.parametrize("seats", [3, 10])
def test_the_menu_has_every_claim_that_fits_but_about_oneself(seats: int) -> None:
    listed = quick_claims(seats, 0)
    assert len(set(listed)) == len(listed)
    assert all(claim.fits(seats) for claim in listed)
    every = {TableClaim(topic, about) for topic in Topic for about in range(10)}
    about_me = Topic.DIGS_FOR_US, Topic.DIGS_AGAINST_US, Topic.BLUFF
    left_out = {TableClaim(topic, 0) for topic in about_me}
    assert {claim for claim in every if claim.fits(seats)} - set(listed) == left_out
    assert len(quick_claims(seats, None)) == len(listed) + 3
    assert len({claim_words(claim, NAMES) for claim in listed}) == len(listed)
