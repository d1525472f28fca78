"""Seeds drawn together: what follows from the shares, and what each share is bound to."""

import hmac
from dataclasses import replace
from hashlib import sha256
from typing import cast

import pytest

from engine.dealing import DRAW_ID_BYTES, Draw, SeedShare, commitment, draw_id

DRAW = Draw(
    bytes(range(DRAW_ID_BYTES)),
    SeedShare("Ana", b"H" * 32),
    (SeedShare("Bruno", b"B" * 32), SeedShare("Chiara"), SeedShare("Dédé", b"D" * 32)),
)


def parts(*texts: bytes) -> bytes:
    """What the module's docstring calls parts, spelt once more."""
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def test_the_seed_is_made_as_the_docstring_says() -> None:
    draw = bytes(range(16))
    committed = {
        name: sha256(parts(b"sabtui share 1", draw, name.encode(), share * 32)).digest()
        for name, share in (("Ana", b"H"), ("Bruno", b"B"), ("Dédé", b"D"))
    }
    said = parts(
        *(b"sabtui seed 1", draw, b"Ana", committed["Ana"]),
        *(b"Bruno", committed["Bruno"], b"B" * 32),
        *(b"Chiara", b"", b""),
        *("Dédé".encode(), committed["Dédé"], b"D" * 32),
    )
    assert DRAW.seed == hmac.digest(b"H" * 32, said, "sha256")


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("id", b"", "id has 16 bytes, not 0"),
        ("id", bytes(17), "id has 16 bytes, not 17"),
        ("host", SeedShare("Ana"), "share has 32 bytes, not 0"),
        ("host", SeedShare("Ana", b"H"), "share has 32 bytes, not 1"),
        ("others", (SeedShare("Bruno", b"B" * 33),), "share has 32 bytes, not 33"),
    ],
)
def test_a_draw_of_other_lengths_is_refused(part: str, value: object, problem: str) -> None:
    fields = {"id": DRAW.id, "host": DRAW.host, "others": DRAW.others, part: value}
    with pytest.raises(ValueError, match=problem):
        Draw(
            cast(bytes, fields["id"]),
            cast(SeedShare, fields["host"]),
            cast(tuple[SeedShare, ...], fields["others"]),
        )


def test_who_put_in_nothing_is_no_dealer() -> None:
    assert DRAW.dealers == ("Ana", "Bruno", "Dédé")
    assert DRAW.left_out == ("Chiara",)


@pytest.mark.parametrize(
    "other",
    [
        replace(DRAW, id=b"\1" * DRAW_ID_BYTES),
        replace(DRAW, host=SeedShare("Ana", b"h" * 32)),
        replace(DRAW, host=SeedShare("Anna", b"H" * 32)),
        replace(DRAW, others=DRAW.others[1:]),
        replace(DRAW, others=DRAW.others[::-1]),
        replace(DRAW, others=(SeedShare("Bruno", b"b" * 32), *DRAW.others[1:])),
        replace(DRAW, others=(*DRAW.others[:2], SeedShare("Dédé"))),
        replace(DRAW, others=(DRAW.others[0], *DRAW.others[2:])),
    ],
)
def test_whatever_is_put_in_otherwise_gives_another_seed(other: Draw) -> None:
    assert other.seed != DRAW.seed


def test_a_commitment_fits_one_person_in_one_draw() -> None:
    made = commitment(DRAW.id, "Bruno", b"B" * 32)
    assert made == DRAW.commitment(DRAW.others[0])
    assert made != commitment(DRAW.id, "Dede", b"B" * 32)
    assert made != commitment(b"\1" * DRAW_ID_BYTES, "Bruno", b"B" * 32)


def test_the_id_of_a_draw_binds_what_the_deal_depends_on() -> None:
    nonce, basis = bytes(range(16)), b"B" * 32
    whole = sha256(parts(b"sabtui draw 1", nonce, basis)).digest()
    assert draw_id(nonce, basis) == whole[:16]
    assert draw_id(nonce, b"C" * 32) != draw_id(nonce, basis) != draw_id(bytes(16), basis)
