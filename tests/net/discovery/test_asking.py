"""Questions and answers: which belong together, and when there are too many."""

from __future__ import annotations

from itertools import count

from net.discovery.address import Address
from net.discovery.advert import Advert, Stage
from net.discovery.doorman import ALL, BURST, EACH, KNOWN, Doorman
from net.discovery.probe import (
    QUESTION_BYTES,
    read_answer,
    read_question,
    write_answer,
    write_goodbye,
    write_question,
)
from net.discovery.questions import PATIENCE, Calls, Heard, Questions
from net.secure.versions import Versions

ANA = Advert("0123456789abcdef", "Ana", Versions(1, 3), Stage.LOBBY, 2, 5)
NONCE = b"8 bytes!"
HERE = Address("10.0.0.5", 7341)
ASKER = Address("10.0.0.9", 50000)


def new_questions() -> Questions:
    numbers = count()
    return Questions(lambda: next(numbers).to_bytes(8))


def answer_to(question: bytes) -> bytes:
    nonce = read_question(question)
    assert nonce is not None
    return write_answer(nonce, ANA)


def test_a_question_is_answered() -> None:
    packet = Doorman().answer(write_question(NONCE), ASKER, 0.0, ANA)
    assert packet is not None
    answer = read_answer(packet)
    assert answer is not None
    assert (answer.nonce, answer.advert) == (NONCE, ANA)


def test_anything_else_is_met_with_silence() -> None:
    doorman = Doorman()
    for packet in (b"", b"GET / HTTP/1.1\r\n\r\n", write_answer(NONCE, ANA).ljust(128, b"\0")):
        assert doorman.answer(packet, ASKER, 0.0, ANA) is None


def test_one_address_gets_so_many_answers_and_others_theirs() -> None:
    doorman = Doorman()
    question = write_question(NONCE)

    def answered(source: str, now: float) -> int:
        return sum(
            doorman.answer(question, Address(source, 1), now, ANA) is not None for _ in range(400)
        )

    assert answered("10.0.0.9", 0.0) == EACH * BURST
    assert answered("10.0.0.8", 0.0) == EACH * BURST
    assert answered("10.0.0.9", 1.0) == EACH


def test_all_addresses_together_get_so_many_and_few_are_kept_in_mind() -> None:
    doorman = Doorman()
    question = write_question(NONCE)
    sources = [f"10.0.{number // 250}.{number % 250}" for number in range(3 * KNOWN)]
    answers = [doorman.answer(question, Address(host, 1), 0.0, ANA) for host in sources]
    assert sum(answer is not None for answer in answers) == ALL * BURST
    assert len(doorman._each) == KNOWN
    assert len(doorman.goodbyes(0.0, ANA.id)) <= KNOWN


def test_a_table_that_is_left_says_goodbye_once_to_each_who_asked_lately() -> None:
    doorman, questions = Doorman(), new_questions()
    doorman.answer(questions.ask(HERE, 0.0), Address("10.0.0.8", 1), 0.0, ANA)
    size = 0
    for now in (1.0, 2.0):
        answer = doorman.answer(questions.ask(HERE, now), ASKER, now, ANA)
        assert answer is not None
        questions.hear(answer, now)
        size = len(answer)
    ((asker, goodbye),) = doorman.goodbyes(PATIENCE + 0.5, ANA.id)
    assert asker == ASKER
    assert size + len(goodbye) <= QUESTION_BYTES
    assert questions.hear(goodbye, PATIENCE + 0.5) is None
    assert questions.hear_goodbye(goodbye, PATIENCE + 0.5) == Heard(HERE, 2.0, ANA)
    assert questions.hear_goodbye(goodbye, PATIENCE + 0.5) is None


def test_in_any_great_crowd_those_who_asked_last_hear_the_goodbye() -> None:
    doorman = Doorman()
    crowd = [Address(f"10.0.{number // 250}.{number % 250}", 1) for number in range(KNOWN + 9)]
    for number, asker in enumerate(crowd):
        assert doorman.answer(write_question(NONCE), asker, number * 0.002, ANA) is not None
    said = doorman.goodbyes(len(crowd) * 0.002, ANA.id)
    assert [asker for asker, _ in said] == crowd[-KNOWN:]


def test_a_goodbye_counts_from_who_answered_that_question_lately_with_that_table() -> None:
    questions = new_questions()
    question = questions.ask(HERE, 0.0)
    nonce = read_question(question)
    assert nonce is not None
    goodbye = write_goodbye(nonce, ANA.id)
    assert questions.hear_goodbye(goodbye, 0.0) is None, "nobody has answered"
    questions.hear(answer_to(question), 0.0)
    for said in (b"noise", write_goodbye(NONCE, ANA.id), goodbye[:-1], goodbye[:14]):
        assert questions.hear_goodbye(said, 0.0) is None
    assert questions.hear_goodbye(write_goodbye(nonce, "f" * 16), 0.0) is None
    questions.hear(answer_to(late := questions.ask(HERE, 1.0)), 1.0)
    nonce = read_question(late)
    assert nonce is not None
    assert questions.hear_goodbye(write_goodbye(nonce, ANA.id), 1.1 + PATIENCE) is None
    for second in range(9, 20):
        questions.hear(answer_to(questions.ask(HERE, float(second))), float(second))
    assert len(questions._answered) == PATIENCE + 1


def test_an_answer_belongs_to_its_question_once() -> None:
    questions = new_questions()
    there = Address("10.0.0.6", 7341)
    first = answer_to(questions.ask(HERE, 1.0))
    second = answer_to(questions.ask(there, 2.0))
    assert questions.hear(second, 2.5) == Heard(there, 2.0, ANA)
    assert questions.hear(first, 2.5) == Heard(HERE, 1.0, ANA)
    assert questions.hear(first, 2.5) is None


def test_an_answer_that_nobody_asked_for_is_none() -> None:
    questions = new_questions()
    questions.ask(HERE, 0.0)
    assert questions.hear(write_answer(NONCE, ANA), 0.0) is None
    assert questions.hear(b"noise", 0.0) is None


def test_a_late_answer_is_none_and_old_questions_are_forgotten() -> None:
    questions = new_questions()
    late = answer_to(questions.ask(HERE, 0.0))
    assert questions.hear(late, PATIENCE + 0.1) is None
    for second in range(100):
        questions.ask(HERE, float(second))
    assert len(questions._open) == PATIENCE + 1


def new_calls() -> Calls:
    numbers = count()
    return Calls(lambda: next(numbers).to_bytes(8))


def test_a_call_has_many_answers_and_each_speaks_for_where_it_came_from() -> None:
    calls = new_calls()
    answer = answer_to(calls.call(1.0))
    there = Address("10.0.0.6", 7342)
    assert calls.hear(answer, HERE, 1.1) == Heard(HERE, 1.0, ANA)
    assert calls.hear(answer, there, 1.2) == Heard(there, 1.0, ANA)
    assert calls.hear(answer, HERE, 1.0 + PATIENCE + 0.1) is None


def test_an_answer_to_no_call_is_none_and_old_calls_are_forgotten() -> None:
    calls = new_calls()
    assert calls.hear(write_answer(NONCE, ANA), HERE, 0.0) is None
    assert calls.hear(b"noise", HERE, 0.0) is None
    for second in range(100):
        calls.call(float(second))
    assert len(calls._open) == PATIENCE + 1
