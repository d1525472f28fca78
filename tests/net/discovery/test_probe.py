"""Questions and answers: which belong together, and when there are too many."""

from __future__ import annotations

from itertools import count

from net.discovery.advert import (
    ADDRESS_ANSWERS,
    ANSWERS,
    MAX_KNOWN_ADDRESSES,
    QUERY_LIFETIME_S,
    Advert,
    AdvertStage,
    ProbeReply,
    ProbeResponder,
    Queries,
    read_answer,
    read_question,
    write_answer,
    write_question,
)
from net.protocol import Versions
from net.secure.address import Address

ANA = Advert("0123456789abcdef", "Ana", Versions(1, 3), AdvertStage.LOBBY, 2, 5)
NONCE = b"8 bytes!"
HERE = Address("10.0.0.5", 7341)
ASKER = Address("10.0.0.9", 50000)


def new_questions() -> Queries:
    numbers = count()
    return Queries(lambda: next(numbers).to_bytes(8))


def answer_to(question: bytes) -> bytes:
    nonce = read_question(question)
    assert nonce is not None
    return write_answer(nonce, ANA)


def test_a_question_is_answered() -> None:
    packet = ProbeResponder().answer(write_question(NONCE), ASKER, 0.0, ANA)
    assert packet is not None
    assert read_answer(packet) == (NONCE, ANA)


def test_anything_else_is_met_with_silence() -> None:
    responder = ProbeResponder()
    for packet in (b"", b"GET / HTTP/1.1\r\n\r\n", write_answer(NONCE, ANA).ljust(128, b"\0")):
        assert responder.answer(packet, ASKER, 0.0, ANA) is None


def test_one_address_gets_so_many_answers_and_others_theirs() -> None:
    responder = ProbeResponder()
    question = write_question(NONCE)

    def count_answers(source: str, now: float) -> int:
        return sum(
            responder.answer(question, Address(source, 1), now, ANA) is not None for _ in range(400)
        )

    assert count_answers("10.0.0.9", 0.0) == ADDRESS_ANSWERS.burst
    assert count_answers("10.0.0.8", 0.0) == ADDRESS_ANSWERS.burst
    assert count_answers("10.0.0.9", 1.0) == ADDRESS_ANSWERS.rate


def test_all_addresses_together_get_so_many_and_few_are_kept_in_mind() -> None:
    responder = ProbeResponder()
    question = write_question(NONCE)
    sources = [f"10.0.{number // 250}.{number % 250}" for number in range(3 * MAX_KNOWN_ADDRESSES)]
    answers = [responder.answer(question, Address(host, 1), 0.0, ANA) for host in sources]
    assert sum(answer is not None for answer in answers) == ANSWERS.burst
    assert len(responder._limiter._buckets) == MAX_KNOWN_ADDRESSES


def test_an_answer_belongs_to_its_question_once() -> None:
    queries = new_questions()
    there = Address("10.0.0.6", 7341)
    first = answer_to(queries.ask(HERE, 1.0))
    second = answer_to(queries.ask(there, 2.0))
    assert queries.match_answer(second, HERE, 2.5) == ProbeReply(there, 2.0, ANA)
    assert queries.match_answer(first, HERE, 2.5) == ProbeReply(HERE, 1.0, ANA)
    assert queries.match_answer(first, HERE, 2.5) is None


def test_an_answer_that_nobody_asked_for_is_none() -> None:
    queries = new_questions()
    queries.ask(HERE, 0.0)
    assert queries.match_answer(write_answer(NONCE, ANA), HERE, 0.0) is None
    assert queries.match_answer(b"noise", HERE, 0.0) is None


def test_a_late_answer_is_none_and_old_questions_are_forgotten() -> None:
    queries = new_questions()
    late = answer_to(queries.ask(HERE, 0.0))
    assert queries.match_answer(late, HERE, QUERY_LIFETIME_S + 0.1) is None
    for second in range(100):
        queries.ask(HERE, float(second))
    assert len(queries._open) == QUERY_LIFETIME_S + 1


def test_a_call_has_many_answers_and_each_speaks_for_where_it_came_from() -> None:
    queries = new_questions()
    answer = answer_to(queries.ask(None, 1.0))
    there = Address("10.0.0.6", 7342)
    assert queries.match_answer(answer, HERE, 1.1) == ProbeReply(HERE, 1.0, ANA, is_broadcast=True)
    assert queries.match_answer(answer, there, 1.2) == ProbeReply(
        there, 1.0, ANA, is_broadcast=True
    )
    assert queries.match_answer(answer, HERE, 1.0 + QUERY_LIFETIME_S + 0.1) is None


def test_an_answer_to_no_call_is_none_and_old_calls_are_forgotten() -> None:
    queries = new_questions()
    assert queries.match_answer(write_answer(NONCE, ANA), HERE, 0.0) is None
    assert queries.match_answer(b"noise", HERE, 0.0) is None
    for second in range(100):
        queries.ask(None, float(second))
    assert len(queries._open) == QUERY_LIFETIME_S + 1
