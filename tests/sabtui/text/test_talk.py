"""Talk and quick claims in words, and the board of claims with what speaks against them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.actions import Broke, Collapsed, Repaired
from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Statement,
    StoneAt,
    Talk,
)
from engine.cards import Card, Path, Tool
from engine.events import Laid, Passed, Public
from engine.notation import parse_position
from engine.view import View
from net.protocol.chat import ChatLine, Moment, moment
from net.protocol.lobby import TableClaim, Topic
from sabtui.text.names import PlayerNames
from sabtui.text.talk import (
    ClaimStatus,
    Opinion,
    bot_reason,
    chat_words,
    claim_lines,
    claim_words,
    goal_claims,
    player_claims,
    quick_claims,
)
from tests.sabtui.cases import CAST, view_of
from tests.sabtui.tui import scenes

NAMES = ("Ana", "Bruno", "Chiara")


@pytest.mark.parametrize("said", ["all fits", '"all fits" Checked: ', "“x” Room code: y", "«»"])
def test_talk_is_one_pair_of_quotes_to_the_end_of_its_line(said: str) -> None:
    line = chat_words(ChatLine("Checked", 1, said), NAMES)
    assert line.startswith('Checked says: "')
    assert line.endswith('"')
    assert not set('"“”«»') & set(line[len('Checked says: "') : -1])


def test_a_line_of_talk_is_a_name_and_the_text_as_it_is() -> None:
    assert (
        chat_words(ChatLine("Bruno", 1, "8 is {stone}: 100%s"), NAMES)
        == 'Bruno says: "8 is {stone}: 100%s"'
    )
    assert (
        chat_words(ChatLine("Eva", -1, "", TableClaim(Topic.BLUFF, 1)), NAMES)
        == 'Eva says: "Bruno is bluffing"'
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
    (Topic.DIGS_FOR_US, Repaired(1, Card.read("+P"), 2, Tool.PICK), "thank you for the repair"),
    (Topic.DIGS_FOR_US, BLOCKED, ""),
    (Topic.DIGS_AGAINST_US, Passed(1), ""),
]


@pytest.mark.parametrize(("topic", "event", "reason"), TOLD)
def test_a_bots_claim_has_a_deed_that_speaks_for_it(
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
    assert chat_words(line, NAMES, told) == f'Chiara says: "{said}{": " * bool(reason)}{reason}"'


def test_a_bot_that_is_blamed_defends_itself_by_what_it_did() -> None:
    view = parse_position("EW@1 ?/?/? 1 -,-,- NES,3,3 9 ???+?").view(None)
    view = view._replace(history=(Repaired(2, Card.read("+P"), 0, Tool.PICK), Passed(0)))
    line = ChatLine("Chiara", 2, "", TableClaim(Topic.WHO_ME))
    told = bot_reason(line, view, PlayerNames.of(NAMES, None))
    assert chat_words(line, NAMES, told) == 'Chiara says: "who, me? I repaired Ana\'s pick."'


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


NORTH, MIDDLE, SOUTH = (8, -2), (8, 0), (8, 2)
UNKNOWN = view_of("EW@1 ?/?/? 1 -,-,- NES/NW,3,2 9 m??+?")
NORTH_IS_STONE = view_of("EW@1 (NE)/?/? 1 -,-,- NES/NW,3,2 9 m??+?")
NORTH_IS_GOLD = view_of("EW@1 (NESW)/?/? 1 -,-,- NES/NW,3,2 9 m??+?")


def make_talk(*claims: tuple[int, Claim]) -> Talk:
    return SILENCE.after(Statement(seat, claim, 9) for seat, claim in claims)


def claim_statuses(talk: Talk, view: View = UNKNOWN) -> dict[tuple[int, bool], ClaimStatus]:
    """How each claim about a goal stands."""
    return {(claim.goal, claim.is_gold): claim.status for claim in goal_claims(view, talk)}


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        (((1, GoldAt(MIDDLE)), (2, StoneAt(NORTH)), (2, GoldAt(MIDDLE))), ClaimStatus.OPEN),
        (((1, StoneAt(MIDDLE)), (2, StoneAt(NORTH)), (1, GoldAt(SOUTH))), ClaimStatus.OPEN),
        (((1, GoldAt(MIDDLE)), (2, StoneAt(MIDDLE))), ClaimStatus.DISPUTED),
        (((1, GoldAt(MIDDLE)), (2, GoldAt(NORTH))), ClaimStatus.DISPUTED),
        (((1, GoldAt(MIDDLE)), (1, StoneAt(MIDDLE))), ClaimStatus.DISPUTED),
    ],
    ids=["alike", "stone at two goals", "the opposite", "another goal", "both by one"],
)
def test_what_cannot_be_true_together_is_disputed(
    claims: tuple[tuple[int, Claim], ...], status: ClaimStatus
) -> None:
    assert set(claim_statuses(make_talk(*claims)).values()) == {status}


def test_somebody_who_claims_the_same_stands_together() -> None:
    talk = make_talk((1, GoldAt(MIDDLE)), (2, StoneAt(NORTH)), (2, GoldAt(MIDDLE)))
    assert [claim.seats for claim in goal_claims(UNKNOWN, talk)] == [(2,), (1, 2)]


def test_what_the_reader_knows_proves_claims_true_or_false() -> None:
    talk = make_talk((1, GoldAt(NORTH)), (2, StoneAt(NORTH)), (2, GoldAt(SOUTH)))
    assert claim_statuses(talk, NORTH_IS_STONE) == {
        (0, True): ClaimStatus.FALSE,
        (0, False): ClaimStatus.TRUE,
        (2, True): ClaimStatus.DISPUTED,
    }
    assert claim_statuses(talk, NORTH_IS_GOLD)[2, True] is ClaimStatus.FALSE, (
        "there is one treasure"
    )


def test_players_are_accused_and_vouched_for() -> None:
    talk = make_talk((1, DigsAgainstUs(2)), (2, DigsForUs(0)), (0, DigsAgainstUs(2)))
    (of_ana, of_chiara) = player_claims(UNKNOWN, talk)
    assert (of_ana.about, of_ana.opinion, of_ana.seats) == (0, Opinion.MINER, (2,))
    assert (of_chiara.about, of_chiara.opinion, of_chiara.seats) == (2, Opinion.SABOTEUR, (0, 1))
    assert of_ana.status is of_chiara.status is ClaimStatus.OPEN
    disputed = make_talk((1, DigsAgainstUs(2)), (0, DigsForUs(2)))
    assert {claim.status for claim in player_claims(UNKNOWN, disputed)} == {ClaimStatus.DISPUTED}


def test_a_doubt_of_somebodys_word_stands_beside_what_is_said_of_them() -> None:
    talk = make_talk((1, Bluff(2)), (0, Bluff(2)), (0, DigsForUs(2)))
    vouched, doubted = player_claims(UNKNOWN, talk)
    assert (vouched.opinion, vouched.seats) == (Opinion.MINER, (0,))
    assert (doubted.opinion, doubted.seats) == (Opinion.BLUFFING, (0, 1))
    assert vouched.status is doubted.status is ClaimStatus.OPEN, "a miner may be wrong, too"
    assert claim_lines(UNKNOWN, talk, CAST)[1:] == ["Chiara: bluffing (you and Bruno)."]
    _vouched, doubted = player_claims(scenes.between(), make_talk((1, Bluff(2)), (0, DigsForUs(2))))
    assert doubted.status is ClaimStatus.OPEN, "the dwarf does not prove it"


def test_ones_own_role_is_not_told_by_the_worth_of_a_claim() -> None:
    (only,) = player_claims(UNKNOWN, make_talk((1, DigsAgainstUs(0))))
    assert only.status is ClaimStatus.OPEN


def test_the_end_of_a_round_proves_them_all() -> None:
    talk = make_talk((0, DigsAgainstUs(1)), (1, DigsAgainstUs(0)))
    of_ana, of_bruno = player_claims(scenes.between(), talk)
    assert (of_ana.status, of_bruno.status) == (ClaimStatus.FALSE, ClaimStatus.TRUE)


def test_in_lines_each_goal_and_each_player_has_one_sentence() -> None:
    talk = make_talk(
        (1, GoldAt(NORTH)), (2, StoneAt(NORTH)), (0, StoneAt(SOUTH)), (2, StoneAt(SOUTH)),
        (2, DigsAgainstUs(1)),
    )  # fmt: skip
    assert claim_lines(NORTH_IS_STONE, talk, CAST) == [
        "north goal: stone on your map; gold (Bruno), false; stone (Chiara), true.",
        "south goal: stone (you and Chiara).",
        "Bruno: saboteur (Chiara).",
    ]
    assert claim_lines(UNKNOWN, SILENCE, CAST) == ["Nothing yet in this round."]
