"""Secrets: nobody moves for a seat whose secret they don't have."""

from __future__ import annotations

from connectoe.web.service.keys import Keys, hashed, invitation, new_id, new_secret


def test_a_browser_opens_only_its_own_seats() -> None:
    ann, bob = Keys(browser=new_secret()), Keys(browser=new_secret())
    seat = hashed(ann.seat_secret("match 0"))
    assert ann.opens(seat, "match 0")
    assert not ann.opens(seat, "match 1")
    assert not bob.opens(seat, "match 0")


def test_a_program_opens_a_seat_by_its_secret() -> None:
    secret = new_secret()
    assert Keys(bearer=secret).opens(hashed(secret), "anything")
    assert not Keys(bearer=new_secret()).opens(hashed(secret), "anything")


def test_no_keys_open_nothing_not_even_a_seat_without_a_secret() -> None:
    for keys in (Keys(), Keys(browser="b"), Keys(bearer="b")):
        assert not keys.opens("", "match 0")


def test_an_invitation_does_not_tell_the_secret_it_was_made_of() -> None:
    secret = new_secret()
    assert invitation(secret) not in secret
    assert invitation(secret) != invitation(new_secret())
    assert not Keys(bearer=invitation(secret)).opens(hashed(secret), "match 0")


def test_ids_and_secrets_are_never_the_same_twice() -> None:
    assert len({new_id() for _ in range(1000)}) == 1000
    assert len({new_secret() for _ in range(1000)}) == 1000
