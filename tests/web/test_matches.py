"""Matches in both databases: who may do what, and what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sql

from connectoe import ConnectoeError, Match, load
from connectoe.core.errors import IllegalMove
from connectoe.web.render.words import status_words
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.keys import Keys, new_secret
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import BadName, NoSuchMatch, NotYourSeat, Refused, Stale
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from connectoe.web.service.storage import matches as matches_stored
from connectoe.web.service.views import MatchView

ANN, BOB, EVE = (Keys(browser=new_secret()) for _ in range(3))


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    storage = Storage(database)
    yield storage
    storage.close()


@pytest.fixture
def matches(storage: Storage) -> Matches:
    return Matches(storage)


def ann_against_bob(matches: Matches, game: str = "connect-four") -> str:
    made = matches.create(ANN, load(game), (Wish("me", "Ann"), Wish("open")))
    assert made.invite
    matches.join(made.id, BOB, made.invite, "Bob")
    return made.id


def played(matches: Matches, match_id: str, moves: str) -> MatchView:
    view = matches.view(match_id, ANN)
    for move in moves.split():
        view = matches.play(match_id, (ANN, BOB)[view.match.turn or 0], move, view.match.ply)
    return view


def read_anew(storage: Storage, match_id: str) -> MatchView:
    """The match as another process would read it."""
    return Matches(storage).view(match_id, ANN)


def test_two_people_play_by_a_link(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    view = played(matches, match_id, "d d d d")
    assert view.match.moves == ["d", "d", "d", "d"]
    assert [seat.name for seat in view.seats] == ["Ann", "Bob"]
    assert not view.is_practice
    assert matches.view(match_id, ANN).yours == {0}
    assert matches.view(match_id, BOB).yours == {1}
    assert matches.view(match_id, EVE).yours == set()
    assert read_anew(storage, match_id).data() == view.data() | {"yours": [0]}


def test_nobody_moves_for_a_seat_that_is_not_theirs(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    with pytest.raises(NotYourSeat, match="it is not your turn"):
        matches.play(match_id, BOB, "d", 0)
    for keys in (EVE, Keys(), Keys(bearer=match_id)):
        with pytest.raises(NotYourSeat, match="you only watch"):
            matches.play(match_id, keys, "d", 0)
        for act in (matches.undo, matches.resign, matches.offer_draw, matches.rematch):
            with pytest.raises((NotYourSeat, Refused)):
                act(match_id, keys)
    assert matches.view(match_id, ANN).match.ply == 0


def test_an_illegal_move_is_refused_in_the_words_of_the_game(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    played(matches, match_id, "d d d d d d")
    with pytest.raises(IllegalMove, match="column d is full"):
        matches.play(match_id, ANN, "d", 6)
    assert read_anew(storage, match_id).match.ply == 6


def test_the_same_move_sent_again_changes_nothing(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    version = matches.play(match_id, ANN, "d", 0).version
    assert matches.play(match_id, ANN, "d", 0).version == version
    played(matches, match_id, "e")
    assert matches.play(match_id, ANN, "d", 0).match.ply == 2


def test_another_move_for_a_ply_that_is_past_is_refused_with_the_current_state(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    matches.play(match_id, ANN, "d", 0)
    for keys, move, ply in ((ANN, "e", 0), (BOB, "d", 0), (ANN, "d", 5)):
        with pytest.raises(Stale) as refused:
            matches.play(match_id, keys, move, ply)
        assert refused.value.view.match.moves == ["d"]


def test_of_simultaneous_moves_for_one_ply_exactly_one_is_accepted(storage: Storage) -> None:
    processes = [Matches(storage) for _ in range(4)]
    for _ in range(5):
        made = processes[0].create(ANN, load("connect-four"), (Wish("me"), Wish("me")))

        def attempt(number: int, match_id: str = made.id) -> str:
            try:
                return processes[number % 4].play(match_id, ANN, "abcdefg"[number % 7], 0).match.moves[0]
            except Stale:
                return ""

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(attempt, range(16)))
        [stored] = read_anew(storage, made.id).match.moves
        assert set(answers) == {"", stored}


def test_a_seat_is_taken_only_once(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("open"), Wish("me", "Ann")))
    assert made.invite
    with pytest.raises(NotYourSeat, match="does not fit"):
        matches.join(made.id, EVE, "guess", "Eve")
    matches.join(made.id, BOB, made.invite, "Bob")
    with pytest.raises(NotYourSeat, match="taken already"):
        matches.join(made.id, EVE, made.invite, "Eve")
    assert matches.view(made.id, BOB).yours == {0}


def test_who_made_a_match_sees_its_invitation_until_it_is_used_and_cannot_use_the_seat_then(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("open")))
    assert matches.view(made.id, ANN).invite == made.invite
    assert matches.view(made.id, EVE).invite is None
    assert made.invite
    matches.join(made.id, BOB, made.invite, "Bob")
    assert matches.view(made.id, ANN).invite is None
    assert matches.view(made.id, Keys(bearer=made.invite)).yours == set()


def test_a_private_link_moves_a_seat_to_another_device(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    phone = Keys(browser=new_secret())
    secret = matches.view(match_id, ANN).private[0]
    assert matches.claim(match_id, phone, secret).yours == {0}
    assert matches.view(match_id, ANN).yours == set()
    assert matches.play(match_id, phone, "d", 0).match.ply == 1
    with pytest.raises(NotYourSeat, match="moved on"):
        matches.claim(match_id, EVE, secret)


def test_undo_alone_takes_the_last_move_back_at_once(matches: Matches, storage: Storage) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me")))
    for ply, move in enumerate("dde"):
        matches.play(made.id, ANN, move, ply)
    assert matches.undo(made.id, ANN).match.moves == ["d", "d"]
    assert read_anew(storage, made.id).match.moves == ["d", "d"]


def test_undo_against_an_engine_takes_back_to_your_turn(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("engine", level="easy")))
    for move in "dec":
        view = matches.play(made.id, ANN, move, matches.view(made.id, ANN).match.ply)
        matches.play_for_engine(made.id, view.version, "a")
    assert matches.undo(made.id, ANN).match.moves == ["d", "a", "e", "a"]
    assert matches.view(made.id, ANN).may_move


def test_an_undo_that_is_asked_for_again_after_a_lost_answer_takes_one_move_back(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me")), moves=["d", "d", "e"])
    first = matches.undo(made.id, ANN, ply=3)
    again = matches.undo(made.id, ANN, ply=3)
    assert (first.match.moves, again.match.moves) == (["d", "d"], ["d", "d"])
    assert again.version == first.version
    assert matches.undo(made.id, ANN, ply=2).match.moves == ["d"]


def test_a_resignation_is_taken_back_once_and_the_move_before_it_stays(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me")), moves=["d", "d"])
    matches.resign(made.id, ANN)
    for _ in range(2):
        assert matches.undo(made.id, ANN, ply=3).match.moves == ["d", "d"]


def test_what_an_engine_thought_before_an_undo_is_not_played(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("engine", level="easy")))
    thinking_of = matches.play(made.id, ANN, "d", 0).version
    matches.undo(made.id, ANN)
    matches.play_for_engine(made.id, thinking_of, "a")
    assert matches.view(made.id, ANN).match.moves == []
    matches.play(made.id, ANN, "e", 0)
    matches.play_for_engine(made.id, thinking_of, "a")
    assert matches.view(made.id, ANN).match.moves == ["e"]


def test_undo_against_a_person_is_asked_for(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    with pytest.raises(Refused, match="no move that could be taken back"):
        matches.undo(match_id, ANN)
    played(matches, match_id, "d e")
    assert matches.undo(match_id, ANN).undo_offer == 0
    with pytest.raises(NotYourSeat, match="the other player answers"):
        matches.answer(match_id, ANN, "undo", True)
    assert matches.answer(match_id, BOB, "undo", True).match.moves == []
    played(matches, match_id, "c d")
    matches.undo(match_id, BOB)
    assert matches.answer(match_id, ANN, "undo", False).undo_offer is None
    assert matches.view(match_id, ANN).match.moves == ["c", "d"]


def test_a_turn_of_two_steps_is_taken_back_as_a_whole(matches: Matches) -> None:
    match_id = ann_against_bob(matches, "ultimate-ultimate")
    played(matches, match_id, "1.1.1 +2")
    matches.undo(match_id, ANN)
    assert matches.answer(match_id, BOB, "undo", True).match.moves == []


def test_a_draw_is_agreed_by_offer_and_answer(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    assert matches.offer_draw(match_id, ANN).draw_offer == 0
    assert matches.answer(match_id, BOB, "draw", False).draw_offer is None
    with pytest.raises(Stale, match="no such offer"):
        matches.answer(match_id, BOB, "draw", True)
    matches.offer_draw(match_id, BOB)
    view = matches.answer(match_id, ANN, "draw", True)
    assert view.match.status == "Draw: agreement"
    assert read_anew(storage, match_id).match.status == "Draw: agreement"


def test_a_move_declines_an_offer(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    matches.offer_draw(match_id, BOB)
    assert matches.play(match_id, ANN, "d", 0).draw_offer is None


def test_an_offer_is_repeated_only_after_a_move(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    matches.offer_draw(match_id, ANN)
    matches.answer(match_id, BOB, "draw", False)
    [answer] = read_anew(storage, match_id).answers
    assert (answer.seat, answer.is_declined) == (0, True)
    assert not matches.view(match_id, ANN).may_offer("draw")
    assert matches.view(match_id, BOB).may_offer("draw")
    with pytest.raises(Refused, match="again after your next move"):
        matches.offer_draw(match_id, ANN)
    matches.play(match_id, ANN, "d", 0)
    matches.offer_draw(match_id, ANN)
    matches.answer(match_id, ANN, "draw", False)  # withdrawn: Bob has declined nothing
    assert [answer.is_declined for answer in matches.view(match_id, ANN).answers] == [False]
    with pytest.raises(Refused, match="again after your next move"):
        matches.offer_draw(match_id, ANN)


def test_offering_a_draw_to_somebody_who_offers_one_agrees(matches: Matches) -> None:
    match_id = ann_against_bob(matches)
    matches.offer_draw(match_id, ANN)
    assert matches.offer_draw(match_id, BOB).match.outcome


def test_engines_play_on(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("engine", level="easy")))
    with pytest.raises(Refused, match="engines play on"):
        matches.offer_draw(made.id, ANN)


def test_resigning_ends_it_for_good_between_people(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    assert matches.resign(match_id, BOB).match.status == "X wins: resignation"
    assert read_anew(storage, match_id).match.status == "X wins: resignation"
    for act in (matches.undo, matches.resign, matches.offer_draw):
        with pytest.raises(Stale, match="the match is over"):
            act(match_id, ANN)
    with pytest.raises(Stale):
        matches.play(match_id, ANN, "d", 0)


def test_a_resignation_against_an_engine_can_be_taken_back(matches: Matches) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("engine", level="easy")))
    matches.resign(made.id, ANN)
    assert matches.undo(made.id, ANN).match.outcome is None


def test_a_rematch_swaps_sides_and_keeps_the_seats(matches: Matches, storage: Storage) -> None:
    match_id = ann_against_bob(matches)
    with pytest.raises(Refused, match="when the match is over"):
        matches.rematch(match_id, ANN)
    matches.resign(match_id, BOB)
    with pytest.raises(NotYourSeat):
        matches.rematch(match_id, EVE)
    again = matches.rematch(match_id, BOB)
    assert matches.rematch(match_id, ANN) == again
    assert matches.view(match_id, ANN).rematch == again
    assert matches.view(again, BOB).yours == {0}
    assert matches.view(again, ANN).yours == {1}
    assert [seat.name for seat in read_anew(storage, again).seats] == ["Bob", "Ann"]
    matches.play(again, BOB, "d", 0)


def test_recent_matches_are_those_one_plays_in_the_latest_first(matches: Matches) -> None:
    first, second = ann_against_bob(matches), ann_against_bob(matches)
    matches.play(first, ANN, "d", 0)
    assert [view.id for view in matches.recent(ANN)] == [first, second]
    assert [view.id for view in matches.recent(BOB, most=1)] == [first]
    assert matches.recent(EVE) == matches.recent(Keys()) == []


def test_engines_that_play_each_other_are_among_the_matches_of_who_let_them(matches: Matches) -> None:
    engines = (Wish("engine", level="easy"), Wish("engine", level="random"))
    made = matches.create(ANN, load("connect-four"), engines, moves=list("dcdcdcd"))
    after = matches.rematch(made.id, ANN)
    assert {view.id for view in matches.recent(ANN)} == {made.id, after}
    assert matches.recent(BOB) == []
    assert matches.view(made.id, ANN).yours == set()


@pytest.mark.parametrize(
    ("ended_by", "text", "status"),
    [
        (PlayersEnding(resigned=0), "resignation 0", "O wins: resignation"),
        (PlayersEnding(resigned=1), "resignation 1", "X wins: resignation"),
        (PlayersEnding(), "agreement", "Draw: agreement"),
        (None, "", "O to move"),
    ],
)
def test_a_match_may_be_over_already_as_its_players_ended_it(
    matches: Matches, storage: Storage, ended_by: PlayersEnding | None, text: str, status: str
) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me")), moves=["d"], ended_by=ended_by)
    assert matches.view(made.id, ANN).match.status == status
    read = read_anew(storage, made.id).match
    assert read.status == status
    assert PlayersEnding.of_match(read) == ended_by
    with storage.engine.connect() as connection:  # the text that databases have always held
        assert connection.scalar(sql.text("SELECT ended_by FROM matches")) == text


def test_a_match_that_its_moves_ended_was_not_ended_by_its_players() -> None:
    match = Match(load("tic-tac-toe"))
    for move in "a1 b1 a2 b2 a3".split():
        match.play(move)
    assert match.outcome
    assert PlayersEnding.of_match(match) is None


@pytest.mark.parametrize("text", ["resignation", "resignation 2", "agreement 0", "timeout"])
def test_a_stored_ending_that_nobody_knows_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not how players end a match"):
        PlayersEnding.from_text(text)


def test_a_match_may_begin_from_a_position_or_after_moves(matches: Matches, storage: Storage) -> None:
    game = load("tic-tac-toe")
    made = matches.create(ANN, game, (Wish("me"), Wish("me")), game.state("3/1X1/3 O"), ["a1"])
    view = read_anew(storage, made.id)
    assert view.match.state.text == "3/1X1/O2 X"
    assert view.match.start.text == "3/1X1/3 O"
    with pytest.raises(IllegalMove):
        matches.create(ANN, game, (Wish("me"), Wish("me")), None, ["a1", "a1"])


@pytest.mark.parametrize(
    "name",
    [
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL} Zoë",
        "\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}\N{ZERO WIDTH JOINER}\N{FIRE}",
        "علی\N{ZERO WIDTH NON-JOINER}رضا",
        "രാജന\N{MALAYALAM SIGN VIRAMA}\N{ZERO WIDTH JOINER} ക",  # a word may end with it
        "...",
        "",
    ],
)
def test_names_of_all_the_world_are_taken_as_they_are(matches: Matches, name: str) -> None:
    made = matches.create(ANN, load("tic-tac-toe"), (Wish("me", name), Wish("open")))
    assert matches.view(made.id, ANN).seats[0].name == name


@pytest.mark.parametrize(
    "name",
    [
        "a\N{RIGHT-TO-LEFT OVERRIDE}b",
        "a\N{RIGHT-TO-LEFT ISOLATE}b",
        "a\N{LEFT-TO-RIGHT MARK}b",
        "a\x07b",
        "a\x00",
        "a\N{ZERO WIDTH SPACE}b",
        "\N{ZERO WIDTH JOINER}a",
        "a\N{ZERO WIDTH JOINER}\N{ZERO WIDTH JOINER}b",
        "a \N{ZERO WIDTH NON-JOINER}b",
        "\N{ZERO WIDTH JOINER}",
        "\N{VARIATION SELECTOR-16}",
        "\N{VARIATION SELECTOR-16}\N{ZERO WIDTH JOINER}",
        "\N{COMBINING ACUTE ACCENT}",
        "\N{HANGUL FILLER}",
        "\N{BRAILLE PATTERN BLANK} \N{HALFWIDTH HANGUL FILLER}",
    ],
)
def test_a_name_that_hides_or_turns_what_is_read_is_refused(matches: Matches, name: str) -> None:
    with pytest.raises(BadName, match="can be printed"):
        matches.create(ANN, load("tic-tac-toe"), (Wish("me", name), Wish("open")))


@pytest.mark.parametrize(
    ("wishes", "problem"),
    [
        ((Wish("me", "x" * 41), Wish("open")), "at most 40 characters"),
        ((Wish("me", "a\u202eb"), Wish("open")), "can be printed"),
        ((Wish("engine", level="godlike"), Wish("me")), "no level 'godlike'"),
        ((Wish("robot"), Wish("me")), "me, open or engine"),
        ((Wish("open"), Wish("open")), "needs you"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(matches: Matches, wishes: tuple[Wish, Wish], problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        matches.create(ANN, load("tic-tac-toe"), wishes)


def test_there_is_no_such_match(matches: Matches) -> None:
    for act in (
        lambda: matches.view("nothing", ANN),
        lambda: matches.play("nothing", ANN, "d", 0),
        lambda: matches.join("nothing", ANN, "code", ""),
    ):
        refused: Callable[[], object] = act
        with pytest.raises(NoSuchMatch):
            refused()


def test_secrets_are_stored_hashed_only(matches: Matches, storage: Storage) -> None:
    made = matches.create(ANN, load("connect-four"), (Wish("me", "Ann"), Wish("open")))
    assert made.invite
    _, secret = matches.join(made.id, BOB, made.invite, "Bob")
    with storage.reading() as reading:
        stored = repr([reading.row(made.id), reading.seats(made.id), reading.moves(made.id)])
    for hidden in (ANN.browser, BOB.browser, secret, made.invite, *made.secrets.values()):
        assert hidden not in stored


def test_every_game_is_stored_and_read_back(matches: Matches, storage: Storage) -> None:
    from connectoe import game_ids

    for game_id in game_ids():
        made = matches.create(ANN, load(game_id), (Wish("me"), Wish("me")))
        for ply in range(6):
            matches.play(made.id, ANN, matches.view(made.id, ANN).match.legal_moves()[-1], ply)
        assert read_anew(storage, made.id).match == matches.view(made.id, ANN).match


def test_a_match_is_drawn_after_its_last_move_instead_of_letting_an_engine_think_in_vain(
    matches: Matches, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("service.matches", "service.next_version", "render.words"):
        monkeypatch.setattr(f"connectoe.web.{module}.MOST_MOVES", 4)
    made = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("engine", level="random")), None, ["d"] * 2)
    matches.play(made.id, ANN, "d", 2)
    matches.play_for_engine(made.id, matches.view(made.id, ANN).version, "d")
    view = read_anew(storage, made.id)
    assert (view.match.status, view.thinking) == ("Draw: agreement", False)
    assert status_words(view) == "Draw: a match has at most 4 moves"
    again = matches.undo(made.id, ANN, 5)
    assert (again.match.ply, again.may_move) == (2, True)


def test_a_match_that_could_not_go_on_is_not_begun(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectoe.web.service.matches.MOST_MOVES", 4)
    alone, game = (Wish("me"), Wish("me")), load("connect-four")
    for moves in (4, 5):
        with pytest.raises(Refused, match="at most 4 moves"):
            matches.create(ANN, game, alone, None, ["d"] * moves)
    matches.create(ANN, game, alone, None, ["d"] * 4, PlayersEnding())  # but it can be looked at


def test_the_moves_that_a_process_keeps_in_memory_are_limited(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.web.service.memory.MOST_MOVES_KEPT", 10)
    matches = Matches(storage)
    made = [matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me")), None, ["d"] * 4) for _ in range(4)]
    assert list(matches.memory.kept) == [made[2].id, made[3].id]
    matches.play(made[0].id, ANN, "e", 4)
    matches.play(made[0].id, ANN, "e", 5)
    assert list(matches.memory.kept) == [made[3].id, made[0].id]
    matches.memory.forget(made[0].id)
    matches.memory.forget(made[3].id)
    assert matches.memory.moves_kept == 0


def test_matches_that_are_over_make_room_for_those_that_go_on(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.web.service.memory.MOST_ENDED_KEPT", 2)
    matches = Matches(storage)
    made = [matches.create(ANN, load("tic-tac-toe"), (Wish("me"), Wish("me"))).id for _ in range(5)]
    for match_id in made[1:4]:
        matches.resign(match_id, ANN)
    assert list(matches.memory.kept) == [made[0], made[4], made[2], made[3]]
    assert matches.view(made[1], ANN).match.outcome  # read again, in place of the one that was used first
    assert list(matches.memory.kept) == [made[0], made[4], made[3], made[1]]
    matches.undo(made[1], ANN)  # the resignation: the match goes on
    matches.resign(made[0], ANN)
    assert list(matches.memory.kept) == [made[4], made[3], made[1], made[0]]


def test_all_matches_of_a_game_share_its_list_of_moves(storage: Storage) -> None:
    matches = Matches(storage)
    made = [matches.create(ANN, load("tic-tac-toe"), (Wish("me"), Wish("me"))).id for _ in range(2)]
    matches.memory.forget(made[1])
    first, second = (matches.stored(match_id).match.game for match_id in made)
    assert first is second


def test_threads_share_a_database_in_memory() -> None:
    matches = Matches(Storage("sqlite://"))

    def play_one(_: int) -> str:
        made = matches.create(ANN, load("tic-tac-toe"), (Wish("me"), Wish("me")))
        matches.memory.forget(made.id)
        matches.play(made.id, ANN, "b2", 0)
        matches.recent(ANN, 2)
        return matches.view(made.id, ANN).match.status

    with ThreadPoolExecutor(4) as people:
        assert set(people.map(play_one, range(60))) == {"O to move"}


def test_all_that_is_read_at_once_is_of_one_moment(matches: Matches, storage: Storage) -> None:
    match_id = matches.create(ANN, load("connect-four"), (Wish("me"), Wish("me"))).id
    with storage.reading() as reading:
        row = reading.row(match_id)
        assert row is not None
        matches.play(match_id, ANN, "d", 0)
        assert (row.version, reading.moves(match_id)) == (1, [])
    with storage.reading() as reading:
        assert reading.row(match_id) is not None
        with storage.changing("") as change:
            change.connection.execute(sql.delete(matches_stored))
        assert [seat.seat for seat in reading.seats(match_id)] == [0, 1]
    with pytest.raises(NoSuchMatch):
        matches.view(match_id, ANN)


def test_a_database_that_is_none_is_refused() -> None:
    for url in ("nonsense", "mysql://host/name"):
        with pytest.raises(ConnectoeError, match="database|stored in"):
            Storage(url)
