"""The decisions on ultimate tic-tac-toe, as play."""

from __future__ import annotations

import pytest

from connectoe import State, load
from connectoe.core.errors import BadPosition, IllegalMove
from tests.games.plain_ultimate import PlainUltimate
from tests.games.side_by_side import play_in_lockstep
from tests.playing import after

LETTERS = "abcdefghi"

X_WINS_A_BOARD_AND_SENDS_O_THERE = "f4 h2 d6 b8 e5"
"""X takes the falling diagonal of the middle board with its last move on the middle square."""
FIRST_FULL_BOARD_WITHOUT_OWNER = (
    "i7 g2 c6 i8 h6 e9 f9 h7 d3 b7 e2 f6 g7 c3 h9 e8 f4 i1 i3 g9 c7 g1 a3 a8 a6 c8 g6 a9 c9 g8 c4 h1 f3 i9 h8 d4 c1"
)
X_WINS = "d4 a2 a4 b2 d6 c9 h9 e8 e6 d8 c5 i5 h5 f5 g6 a8 c6 g8 c4 i1 g2 e5 e4 f1 g1 c3 i9 h8 f4 i2 i4"
O_WINS = "d8 b6 d9 b9 d7 a3 c9 i9 i7 g3 b7 f3 h9 c7 i1 h3 f1 h2 e4 e2 f4 i3 g7 c1 b1 d1 a1 b2"
DRAWN = (
    "h8 d5 c4 i2 h6 d9 a8 a5 b5 d4 a3 a9 b8 d6 c8 i4 i3 i7 g3 f8 h4 d2 a6 f9 g7 a2 c3 h7 d3 e9 h3 b3 i6 g9 f1 b2 e3 e2 "
    "i5 g5 f3 i9 h9 b1 h5 g8 i8"
)
AS_MANY_BOARDS_FOR_BOTH = (
    "g4 c3 i8 i6 h7 d3 c9 h8 d6 a8 c5 h4 e1 d1 a1 b3 f7 i2 i5 i4 g3 b9 d7 c1 g1 a2 a4 b1 e2 d4 b2 e5 f4 i1 h1 f3 g8 c4 "
    "h3 e8 d5 c6 g7 c2 h5 f6 g9 c8 g6 b7 e3 f8 h6 d8 a5 a6 c7 g2 b5 g5 a7 a9 b8 h2"
)
OPEN_BOTH_HAVE_LINES_ON_ONE_BOARD = "h8 f4 g2 a4 c1 g1 b1 d3 c7 i1 i2 h4 e2 f5 i4 h1 e1 f1 h2"
OPEN_SENT_TO_A_WON_BOARD = "i3 i7 i2 i4 i1"
OPEN_FIRST_FULL_BOARD = "d4 c3 g7 b1 f1 i3 i7 g2 b5 d5 c5 h5 f6 h8 e6 e8 f5 h4 e2 e4 f3 h7 f2 g4 b2 f4 h2 d6 b8 e5"
OPEN_DRAWN = (
    "b5 d5 c6 i7 i2 i6 h7 e1 f2 h4 d1 c3 g7 b1 f1 g3 c9 i9 g8 b4 d2 a5 a4 c1 i1 h2 d6 b7 d3 c7 h1 e3 f9 i8 i4 i3 h8 f6 "
    "g9 c8 g4 a2 c5 h6 d8 c4 h3 e8 e4 f3 h9 d7 a1 b3 d9 a9 b9 f7 g1 a3 a7 c2 h5 e6 f8 g5 a6 a8 b6 e9 e7 e2 f5 g6 b8 f4 "
    "g2 e5 d4 b2 i5"
)


def playable(state: State) -> set[str]:
    """The small boards that legal moves are on, by their corners."""
    corners = set()
    for move in state.legal_moves():
        left, low = LETTERS.index(move[0]) // 3 * 3, (int(move[1]) - 1) // 3 * 3
        corners.add(f"{LETTERS[left]}{low + 1}-{LETTERS[left + 2]}{low + 3}")
    return corners


ALL_BOARDS = {"a1-c3", "d1-f3", "g1-i3", "a4-c6", "d4-f6", "g4-i6", "a7-c9", "d7-f9", "g7-i9"}


def test_the_first_move_may_be_any_square() -> None:
    state = load("ultimate").start
    assert state.legal_moves() == sorted(letter + digit for letter in LETTERS for digit in "123456789")


@pytest.mark.parametrize(
    ("move", "board"),
    [
        ("d4", "a1-c3"), ("e4", "d1-f3"), ("f4", "g1-i3"),
        ("d5", "a4-c6"), ("e5", "d4-f6"), ("f5", "g4-i6"),
        ("d6", "a7-c9"), ("e6", "d7-f9"), ("f6", "g7-i9"),
        ("a1", "a1-c3"), ("i9", "g7-i9"), ("h1", "d1-f3"),
    ],
)  # fmt: skip
def test_the_square_inside_the_small_board_is_the_board_to_move_in(move: str, board: str) -> None:
    assert playable(after("ultimate", move)) == {board}


def test_a_move_is_one_square_never_a_choice_of_board() -> None:
    game = load("ultimate")
    assert len(game.move_texts) == 81
    state = after(game, X_WINS_A_BOARD_AND_SENDS_O_THERE)
    assert all(move in game.move_texts for move in state.legal_moves())
    assert state.play("a1").turn == 0


def test_three_marks_in_line_win_a_small_board_and_close_it() -> None:
    state = after("ultimate", X_WINS_A_BOARD_AND_SENDS_O_THERE)
    assert [piece.id for piece in state.scene().pieces if piece.kind == "claim"] == ["claim-d4-f6"]
    assert "d4-f6" not in playable(state)


def test_sent_to_a_won_board_one_moves_in_any_unfinished_board() -> None:
    state = after("ultimate", X_WINS_A_BOARD_AND_SENDS_O_THERE)
    assert playable(state) == ALL_BOARDS - {"d4-f6"}
    assert state.scene().notes == ["O may play on any open board"]


def test_sent_to_a_full_board_one_moves_in_any_unfinished_board() -> None:
    state = after("ultimate", FIRST_FULL_BOARD_WITHOUT_OWNER)
    assert state.why_illegal("i9") == "'i9' is not legal: board g7-i9 is finished: it is full"
    assert "g7-i9" not in playable(state)
    assert len(playable(state)) > 1


def test_three_small_boards_in_line_win() -> None:
    state = after("ultimate", X_WINS)
    assert str(state.outcome) == "won by 0: three boards a4-c6, d4-f6, g4-i6"
    assert state.legal_moves() == []
    state = after("ultimate", O_WINS)
    assert state.outcome is not None
    assert state.outcome.winner == 1


def test_all_boards_finished_without_a_line_is_a_draw() -> None:
    state = after("ultimate", DRAWN)
    assert str(state.outcome) == "drawn: all boards are finished and nobody has three in line"
    assert "." in "".join(state.board())


def test_with_most_boards_the_player_with_more_of_them_wins_if_nobody_has_a_line() -> None:
    state = after("ultimate", DRAWN, undecided="most-boards")
    won = [piece.owner for piece in state.scene().pieces if piece.kind == "claim"]
    assert (won.count(0), won.count(1)) == (5, 3)
    assert state.outcome is not None
    assert state.outcome.kind == "most boards"
    all_are_finished = "all boards are finished and nobody has three in line"
    assert str(state.outcome) == f"won by 0: most boards, 5 against 3: {all_are_finished}"
    assert after("ultimate", X_WINS, undecided="most-boards").outcome == after("ultimate", X_WINS).outcome


def test_with_most_boards_as_many_for_both_is_a_draw() -> None:
    state = after("ultimate", AS_MANY_BOARDS_FOR_BOTH, undecided="most-boards")
    assert str(state.outcome) == (
        "drawn: all boards are finished and nobody has three in line, and both have won the same number"
    )


def test_an_open_won_board_stays_playable() -> None:
    assert playable(after("ultimate", OPEN_SENT_TO_A_WON_BOARD, won_boards="open")) == {"g1-i3"}
    assert playable(after("ultimate", OPEN_SENT_TO_A_WON_BOARD)) == ALL_BOARDS - {"g1-i3"}


def test_an_open_won_board_keeps_its_first_owner() -> None:
    state = after("ultimate", OPEN_BOTH_HAVE_LINES_ON_ONE_BOARD, won_boards="open")
    assert [row[6:] for row in state.board()[7:]] == ["XXX", "OOO"]
    owners = {piece.id: piece.owner for piece in state.scene().pieces if piece.id.startswith("owner-")}
    assert owners["owner-g1-i3"] == 1


def test_with_open_boards_only_full_ones_set_the_opponent_free() -> None:
    state = after("ultimate", OPEN_FIRST_FULL_BOARD, won_boards="open")
    assert state.scene().notes == ["X may play on any open board"]
    assert playable(state) == ALL_BOARDS - {"d4-f6"}
    assert state.why_illegal("e5") == "'e5' is not legal: board d4-f6 is finished: it is full"


def test_with_open_boards_the_draw_comes_when_all_are_full() -> None:
    state = after("ultimate", OPEN_DRAWN, won_boards="open")
    assert str(state.outcome) == "drawn: all boards are full and nobody has three in line"
    assert "." not in "".join(state.board())


@pytest.mark.slow
@pytest.mark.parametrize("undecided", ["draw", "most-boards"])
@pytest.mark.parametrize("won_boards", ["closed", "open"])
def test_played_in_lockstep_with_the_plain_reference(won_boards: str, undecided: str) -> None:
    for seed in range(75):
        game = load("ultimate", won_boards=won_boards, undecided=undecided)
        play_in_lockstep(game, PlainUltimate(won_boards, undecided), seed)


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("e5", "a1", "O was sent to board d4-f6 and must play there"),
        ("e5", "e5", "there is a mark on e5 already"),
        (X_WINS_A_BOARD_AND_SENDS_O_THERE, "e4", "board d4-f6 is finished: X has won it"),
        (FIRST_FULL_BOARD_WITHOUT_OWNER, "h9", "board g7-i9 is finished: it is full"),
        (X_WINS_A_BOARD_AND_SENDS_O_THERE, "h2", "there is a mark on h2 already"),
    ],
)
def test_an_illegal_move_is_refused_in_the_words_of_the_rules(moves: str, move: str, reason: str) -> None:
    state = after("ultimate", moves)
    assert state.why_illegal(move) == f"'{move}' is not legal: {reason}"
    with pytest.raises(IllegalMove, match=reason):
        state.play(move)


@pytest.mark.parametrize("won_boards", ["closed", "open"])
@pytest.mark.parametrize("moves", ["", "e5", X_WINS_A_BOARD_AND_SENDS_O_THERE, FIRST_FULL_BOARD_WITHOUT_OWNER])
def test_a_position_is_written_and_read_back(won_boards: str, moves: str) -> None:
    state = load("ultimate", won_boards=won_boards).start
    for move in moves.split():
        state = state.play(move if state.why_illegal(move) is None else state.legal_moves()[0])
        assert state.game.state(state.text) == state


def test_the_text_of_a_position() -> None:
    assert after("ultimate", "e5").text == "9/9/9/9/4X4/9/9/9/9 O d4"
    assert load("ultimate").start.text == "9/9/9/9/9/9/9/9/9 X any"
    assert after("ultimate", OPEN_SENT_TO_A_WON_BOARD, won_boards="open").text.endswith(" O g1 3/3/2X")


EMPTY = "9/9/9/9/9/9/9/9/9"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{EMPTY} X", "a position is"),
        (f"{EMPTY} X a2", "the board to play on is any or its first square"),
        (f"{EMPTY} O any", "X must have one mark more than O"),
        (f"{EMPTY} X d4", "no mark of O sends X to board d4-f6"),
        ("9/9/9/9/4X4/9/9/9/9 O any", "O may not play on any board: no mark of X points to a finished one"),
        ("9/9/9/9/4X4/9/9/9/9 O a1", "no mark of X sends O to board a1-c3"),
        ("9/9/9/9/4X4/9/9/9/O8 X a1", "O was sent to board d4-f6 more often than it marked there"),
        ("9/9/9/9/9/9/XXX6/OOO6/9 X any", "both players have a line on board a1-c3"),
        ("9/9/9/9/9/9/XXX6/9 X any", "the board has 9 rows"),
        ("OO1OO1OO1/9/9/9/9/9/XXX6/9/XXX6 X any", "board a1-c3 was won before all these marks were made"),
        ("XXXXXXXXX/OO1OO1OO1/1O2O4/9/9/9/1O2O2O1/OO1OO1OO1/XXXXXXXXX O any", "X won the game before winning all"),
        ("XXXXXXXXX/OO1OO1OO1/1O2O2O1/9/9/9/9/9/9 X any", "X has three boards in line already, and the game ended"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        load("ultimate").state(text)


def test_nobody_can_be_sent_to_a_finished_board() -> None:
    text = after("ultimate", X_WINS_A_BOARD_AND_SENDS_O_THERE).text
    with pytest.raises(BadPosition, match="O cannot be sent to board d4-f6: it is finished"):
        load("ultimate").state(text.replace("any", "d4"))


@pytest.mark.parametrize(
    ("owners", "reason"),
    [
        ("3/3/2O", "O owns board g1-i3, but X has a line there"),
        ("3/3/3", "nobody owns board g1-i3, but X has a line there"),
        ("X2/3/2X", "X owns board a7-c9, but nobody has a line there"),
    ],
)
def test_with_open_boards_owners_must_have_a_line(owners: str, reason: str) -> None:
    text = after("ultimate", OPEN_SENT_TO_A_WON_BOARD, won_boards="open").text
    with pytest.raises(BadPosition, match=reason):
        load("ultimate", won_boards="open").state(text.replace("3/3/2X", owners))


def test_the_picture_shows_the_board_to_play_on_and_the_last_move() -> None:
    scene = after("ultimate", "e5 d6").scene()
    places = {mark.kind: mark for mark in scene.highlights}
    assert (places["forced"].width, places["forced"].height) == (3, 3)
    inside = [
        target.move
        for target in scene.targets
        if 0 <= target.x - places["forced"].x < 3 and 0 <= target.y - places["forced"].y < 3
    ]
    assert sorted(inside) == after("ultimate", "e5 d6").legal_moves()
    assert places["last"].width == 1
    assert scene.notes == ["X must play on the top left board, a7-c9"]


def test_in_a_terminal_won_boards_stand_between_stars_and_the_last_move_in_brackets() -> None:
    assert str(after("ultimate", X_WINS)).splitlines()[4:7] == [
        "6*X   X*│*X   X*│*X   X*",
        "5*  X  *│*  X  *│*  X  *",
        "4*X   X*│*X   X*│*X  [X]",
    ]


def test_a_closed_board_is_covered_and_an_open_one_keeps_its_marks_in_sight() -> None:
    closed = after("ultimate", OPEN_SENT_TO_A_WON_BOARD).scene()
    assert {piece.id: piece.kind for piece in closed.pieces} == {
        "claim-g1-i3": "claim",
        "mark-i4": "mark",
        "mark-i7": "mark",
    }
    opened = after("ultimate", OPEN_SENT_TO_A_WON_BOARD, won_boards="open").scene()
    assert {"mark-i1", "mark-i2", "mark-i3", "owner-g1-i3"} <= {piece.id for piece in opened.pieces}
    assert [mark.owner for mark in opened.highlights if mark.kind == "owned"] == [0]


def test_the_winning_boards_are_struck_through() -> None:
    scene = after("ultimate", X_WINS).scene()
    assert [mark.kind for mark in scene.highlights].count("win") == 3
    assert [stroke.owner for stroke in scene.strokes] == [0]
    assert scene.targets == []


def test_small_boards_stand_apart_in_a_terminal() -> None:
    assert (
        str(after("ultimate", "e5"))
        == """\
9 · · · │ · · · │ · · ·
8 · · · │ · · · │ · · ·
7 · · · │ · · · │ · · ·
 ───────┼───────┼───────
6 · · · │┃• • •┃│ · · ·
5 · · · │┃•[X]•┃│ · · ·
4 · · · │┃• • •┃│ · · ·
 ───────┼───────┼───────
3 · · · │ · · · │ · · ·
2 · · · │ · · · │ · · ·
1 · · · │ · · · │ · · ·
  a b c   d e f   g h i"""
    )
