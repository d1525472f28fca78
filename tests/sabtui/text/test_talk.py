"""Talk and quick claims in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.actions import Broke, Collapsed, Repaired
from engine.cards import Card, Path, Tool
from engine.events import Laid, Passed, Public
from engine.notation import parse_position
from net.protocol.chat import ChatLine, Moment, moment
from net.protocol.lobby import TableClaim, Topic
from sabtui.text.names import PlayerNames
from sabtui.text.talk import bot_reason, chat_words, claim_words, quick_claims

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
    assert claim_words(TableClaim(Topic.BLUFF, 9), NAMES) == "Player 10 is bluffing"


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


BLOCKED = Laid(1, Path.read("w"), (2, 0))
TOLD = [
    (Topic.DIGS_AGAINST_US, BLOCKED, "laid a dead end at 2 east while 4 ways were open"),
    (
        Topic.DIGS_AGAINST_US,
        Collapsed(1, (1, 0), Path.read("EW")),
        "brought the tunnel down at 1 east",
    ),
    (Topic.DIGS_AGAINST_US, Broke(1, Tool.PICK, 0), "broke Ana's pick"),
    (Topic.DIGS_FOR_US, Repaired(1, Card.read("+P"), 0, Tool.PICK), "repaired Ana's pick"),
    (
        Topic.DIGS_FOR_US,
        Repaired(1, Card.read("+P"), 2, Tool.PICK),
        "thank you for the repair",
    ),
    (Topic.DIGS_FOR_US, BLOCKED, ""),
    (Topic.DIGS_AGAINST_US, Passed(1), ""),
]


@pytest.mark.parametrize(("topic", "event", "reason"), TOLD)
def test_a_bots_claim_has_the_deed_that_speaks_for_it(
    topic: Topic, event: Public, reason: str
) -> None:
    board = "EW@1" if event != BLOCKED else "EW@1/w@2"
    board = "-" if isinstance(event, Collapsed) else board
    pick = "P" if event == Broke(1, Tool.PICK, 0) else "-"
    view = parse_position(f"{board} ?/?/? 1 {pick},-,- NES,3,3 9 ???+?").view(None)
    line = ChatLine("Chiara", 2, "", TableClaim(topic, 1))
    told = bot_reason(line, view._replace(history=(event,)), PlayerNames.of(NAMES, None))
    assert told == reason
    said = claim_words(TableClaim(topic, 1), NAMES)
    assert chat_words(line, NAMES, told) == f"Chiara: {said}{': ' * bool(reason)}{reason}"


def test_a_bot_that_is_blamed_defends_itself_by_what_it_did() -> None:
    view = parse_position("EW@1 ?/?/? 1 -,-,- NES,3,3 9 ???+?").view(None)
    view = view._replace(history=(Repaired(2, Card.read("+P"), 0, Tool.PICK), Passed(0)))
    line = ChatLine("Chiara", 2, "", TableClaim(Topic.WHO_ME))
    told = bot_reason(line, view, PlayerNames.of(NAMES, None))
    assert chat_words(line, NAMES, told) == "Chiara: who, me? I repaired Ana's pick."


def test_no_reason_lies_after_the_claim_or_in_another_round() -> None:
    view = parse_position("EW@1 ?/?/? 1 P,-,- NES,3,3 9 ???+?").view(None)
    view = view._replace(history=(Broke(1, Tool.PICK, 0),))
    now = moment(view.table, view.score)
    claim = TableClaim(Topic.DIGS_AGAINST_US, 1)
    cast = PlayerNames.of(NAMES, None)
    before = ChatLine("Chiara", 2, "", claim, Moment(now.round, now.unplayed + 1))
    assert bot_reason(before, view, cast) == ""
    assert bot_reason(replace(before, when=now), view, cast)
    earlier = replace(before, when=Moment(now.round + 1, now.unplayed))
    assert bot_reason(earlier, view, cast) == ""
