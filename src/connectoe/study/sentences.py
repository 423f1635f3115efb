"""The sentences of a report: answers to an inventor's first questions, and how the figures were made."""

from __future__ import annotations

from collections.abc import Sequence

from connectoe.core.game import Game
from connectoe.core.match import REPETITION
from connectoe.study.breakdowns import ENOUGH_FOR_THE_PIE, FEWEST_GAMES, Pie, pie
from connectoe.study.figures import PairingFigures, SkillFigure, StudyFigures, VariantFigures
from connectoe.study.measures import MEASURES
from connectoe.study.plan import Pairing
from connectoe.study.samples import MOST_EVALUATED, PLY_LIMIT
from connectoe.study.wording import count, interval, level, percent, signed_parts, theory_in_words

NEARLY = 0.03
"""How far from one half a score may be to be called nearly fair, and an interval may reach to be called fair."""
ENOUGH_FOR_A_VERDICT = 20
"""With fewer games intervals are too narrow, and no advantage is claimed."""
HOW_OFTEN = (
    (0.0, "Never so far"),
    (0.02, "Hardly ever"),
    (0.2, "Sometimes"),
    (0.5, "Often"),
    (0.999999, "Mostly"),
    (1.0, "Always so far"),
)
"""Words for a share of drawn games, each up to a limit."""
MOST_STOPPED = 0.5
"""The share of a level's games that may be stopped at the ply limit; above it, nothing else is said about the level."""


def answers(variant: VariantFigures) -> list[tuple[str, str]]:
    """Return the questions an inventor asks first, with what the games between equal players answer."""
    equals = variant.equals
    ended = [pairing for pairing in equals if _ended_by(PLY_LIMIT, pairing) <= MOST_STOPPED]
    asked = (
        ("Does it end?", _does_it_end(equals)),
        ("Is it fair?", _is_it_fair(variant, ended)),
        ("How often does it tie?", _how_often_drawn(ended)),
        ("Does better play win?", _does_better_play_win(variant.skill) if ended else ""),
        ("What would the pie rule change?", _with_the_pie_rule(variant, ended)),
    )
    return [(question, answer) for question, answer in asked if answer]


def _ended_by(ending: str, pairing: PairingFigures) -> float:
    """Return the share of the games that ended in this way."""
    share = pairing.endings.get(ending)
    return share.value if share else 0.0


def _does_it_end(equals: Sequence[PairingFigures]) -> str:
    """Answer only for a game that sometimes does not end, or ends by repetition."""
    stopped, repeated = ([_ended_by(way, pairing) for pairing in equals] for way in (PLY_LIMIT, REPETITION.kind))
    if min(stopped) == 1:
        return "No: every game was stopped at the ply limit, so nothing else can be said."
    if min(repeated) == 1:
        return "Only by repetition: every game was drawn that way, and nobody ever won."
    levels = list(reversed(list(zip(equals, stopped, repeated, strict=True))))
    if not any(stopped):
        shares = [f"{_small_percent(share)} between {level(pairing)}" for pairing, _, share in levels if share]
        return f"Yes, but some games only by repetition, which is a draw: {'; '.join(shares)}." if shares else ""
    said = []
    for pairing, limit, repetition in levels:
        ways = [f"{_small_percent(limit)} were stopped at the ply limit"] if limit else []
        ways += [f"{_small_percent(repetition)} ended by repetition"] if repetition else []
        if ways:
            said.append(f"of the games between {level(pairing)}, {' and '.join(ways)}")
    return f"Not always: {'; '.join(said)}. {'Both count' if any(repeated) else 'This counts'} as half a point."


def _small_percent(share: float) -> str:
    return "under 0.1%" if share < 0.001 else percent(share)


def _is_it_fair(variant: VariantFigures, equals: Sequence[PairingFigures]) -> str:
    """Answer by the score of the strongest players, and by theory if it is known."""
    said = ""
    best = equals[-1] if equals else None
    score = best.measures.get("first_score") if best else None
    if best and score:
        if _ended_by(REPETITION.kind, best) == 1:
            said = "This cannot be answered: nobody wins."
        elif score.low <= 0.5 <= score.high or best.games < ENOUGH_FOR_A_VERDICT:
            is_near = score.high - score.low < 2 * NEARLY and best.games >= ENOUGH_FOR_A_VERDICT
            said = "Yes, as far as these games can tell." if is_near else "Too few games to tell."
        else:
            side = "first" if score.low > 0.5 else "second"
            how = "Nearly" if abs(score.value - 0.5) < NEARLY else "No"
            said = f"{how}: moving {side} is an advantage."
        said += f" Between {level(best)} the first player scores {interval(score)}.{_if_few_differ(best)}"
    if variant.theory:
        said += f" In theory, {theory_in_words(variant.theory)}."
    return said.strip()


def _how_often_drawn(equals: Sequence[PairingFigures]) -> str:
    """Answer by the draws of the strongest players, then of the others."""
    shares = [(pairing, share) for pairing in reversed(equals) if (share := pairing.measures.get("draws"))]
    if not shares:
        return ""
    best, share = shares[0]
    how = next(word for limit, word in HOW_OFTEN if share.value <= limit)
    others = [f"{percent(other.value)} between {level(pairing)}" for pairing, other in shares[1:]]
    return f"{how}: {'; '.join([f'{interval(share)} of the games between {level(best)}', *others])}."


def _does_better_play_win(skill: Sequence[SkillFigure]) -> str:
    gaps = [(gap, gap.score) for gap in skill if gap.score]
    if not gaps:
        return ""
    won = [score.low > 0.5 and score.games >= ENOUGH_FOR_A_VERDICT for _, score in gaps]
    lost = [score.high < 0.5 and score.games >= ENOUGH_FOR_A_VERDICT for _, score in gaps]
    if all(won):
        how = "Yes"
    elif any(lost):
        how = "Not in the order in which the players are listed, weakest first"
    else:
        how = "Not at every level" if any(won) else "Not as far as these games can tell"
    said = [f"{gap.stronger} scores {interval(score)} against {gap.weaker}" for gap, score in gaps]
    return f"{how}: {'; '.join(said)}."


def _with_the_pie_rule(variant: VariantFigures, equals: Sequence[PairingFigures]) -> str:
    """Answer by the strongest players who tried most openings; others only know those they prefer.

    There is no answer if no player ever won: all openings are the same then.
    """

    def tried(pairing: PairingFigures) -> int:
        return sum(score is not None and score.games >= ENOUGH_FOR_THE_PIE for score in pairing.openings.values())

    equals = [pairing for pairing in equals if pairing.results.first + pairing.results.second]
    if not equals:
        return ""
    openings = max(len(pairing.openings) for pairing in equals)
    broad = [pairing for pairing in equals if tried(pairing) >= 0.75 * openings] or [max(equals, key=tried)]
    chosen = broad[-1]
    found = pie(chosen.openings)
    if not found:
        return ""
    score = interval(found.score)
    if found.among > 1:
        score = f"{score[:-1]}, widened for {found.among} openings)"
    measured = f"after it the first player scores {score} between {level(chosen)}."
    theory = variant.theory
    if not theory or len(theory.moves) != openings:
        if found.is_even:
            how = "The opening to choose is"
        elif found.any_may_be_even:
            how = "Too few games to tell; nearest to even is"
        else:
            how = "No opening is even; the nearest is"
        return f"{how} {found.move}: {measured}"
    drawn = [move for move, value in theory.moves.items() if value == "draw"]
    if not drawn:
        known = "it does not help: no opening is drawn, so the player who may swap wins"
    elif len(drawn) == openings > 1:
        known = "any opening will do: all are drawn"
    else:
        known = f"choose {' or '.join(drawn[:12])}{' or others' if len(drawn) > 12 else ''}, for a draw"
    return f"In theory, {known}. The most even opening in these games is {found.move}: {measured}"


def level_by_level(equals: Sequence[PairingFigures]) -> list[str]:
    """Return one sentence for each level: who wins, and whether that is an advantage."""
    sentences = []
    for pairing in equals:
        first, second, drawn = (number / pairing.games for number in pairing.results)
        score, stopped = pairing.measures.get("first_score"), pairing.measures.get("timeouts")
        said = (
            f"Between {level(pairing)} the first player wins {percent(first)} of the games, "
            f"the second {percent(second)}, and {percent(drawn)} are drawn"
        ) + (" or stopped at the ply limit" if stopped and stopped.value else "")
        if score:
            if score.low > 0.5 and pairing.games >= ENOUGH_FOR_A_VERDICT:
                said += ": moving first is an advantage"
            elif score.high < 0.5 and pairing.games >= ENOUGH_FOR_A_VERDICT:
                said += ": moving second is an advantage"
            else:
                said += ": no advantage of either side can be shown"
        sentences.append(f"{said}.{_if_few_differ(pairing)}")
    return sentences


def _if_few_differ(pairing: PairingFigures) -> str:
    """Return a warning if players without randomness played the same games several times.

    If there is randomness, games that happen to be the same are as good as others.
    """
    if not pairing.always_alike or not pairing.written_down == pairing.games > 2 * pairing.different:
        return ""
    return (
        f" These players always make the same move in the same position: the {pairing.games:,} games are only "
        f"{count(pairing.different, 'different game')}, and say little about others."
    )


def differences(figures: StudyFigures) -> list[str]:
    """Return the differences of the other variants, one sentence for each variant and level."""
    if not figures.comparisons:
        return []
    base, *others = (variant.name for variant in figures.variants)
    sentences = []
    for number, name in enumerate(others, start=1):
        levels: dict[str, list[str]] = {}
        for row in figures.comparisons.rows:
            if row.variant == number:
                said = levels.setdefault(row.players, [])
                if row.real:
                    measure = MEASURES[row.measure]
                    value, reach = signed_parts(row)
                    said.append(f"{measure.quantity[0].lower()}{measure.quantity[1:]} {value} {measure.unit} {reach}")
        for player, gaps in levels.items():
            sentences.append(
                f"{name} compared with {base}, between {player} players: {', '.join(gaps) or 'no real difference'}."
            )
    return sentences


def about_the_study(figures: StudyFigures, game: Game) -> str:
    """Return the first paragraph of the page."""
    variants = f", of {len(figures.variants)} variants" if len(figures.variants) > 1 else ""
    return (
        f"{game.summary} {count(figures.origin.games, 'game')} by {', '.join(figures.origin.players)} "
        f"players{variants}. Figures in brackets are 95% intervals."
    )


def about_the_comparison(figures: StudyFigures) -> str:
    """Return how variants were compared."""
    assert figures.comparisons
    intervals = "; intervals of shares are Newcombe's" if figures.intervals else ""
    return (
        f"Each variant is compared with {figures.variants[0].name}, between equal players. Shares are compared by the "
        f"two-proportion z test, means by the z test with the variance of all games together{intervals}. The p-value "
        "is the probability of such a difference, or a larger one, if there were none in truth; the "
        f"{count(figures.comparisons.tests, 'p-value')} are corrected together by Holm's method. Differences in bold "
        f"are real at the {percent(figures.comparisons.level, 0)} level. Shares are in percentage points."
    )


def about_the_theory(variant: VariantFigures) -> str:
    """Return the exact value of a variant beside the scores of the players."""
    if not variant.theory:
        return "This game is not solved here, so there is no exact value to compare these figures with."
    scores = [
        f"{pairing.players[0]} {interval(pairing.measures['first_score'])}"
        for pairing in variant.equals
        if "first_score" in pairing.measures
    ]
    seen = f" The first player's score by level: {'; '.join(scores)}." if scores else ""
    return f"In theory, {theory_in_words(variant.theory)}.{seen}"


def about_the_openings(has_boards: bool) -> str:
    """Return what the scores after openings are for."""
    colours = (
        ", in percent: orange is good for the first player, blue for the second, white is even; openings with fewer "
        f"than {FEWEST_GAMES} games are left blank"
        if has_boards
        else ""
    )
    return (
        f"The first player's score after each opening{colours}. With the pie rule the second player may take over the "
        "first player's side after the first move, so the opening nearest to 50% is the one to make."
    )


def about_the_pie(found: Pie | None) -> str:
    """Return which opening is nearest to even."""
    if not found:
        return "No opening was played often enough to say which is nearest to even."
    widened = f", with an interval widened for the {found.among} openings it was picked from" if found.among > 1 else ""
    return f"Nearest to even: {found.move}, {interval(found.score)} in {count(found.score.games, 'game')}{widened}."


def how_it_was_made(figures: StudyFigures, pairings: Sequence[Pairing], game: Game) -> list[str]:
    """Return what a reader must know about the games and the figures."""
    played = []
    for pairing in pairings:
        assert pairing.players
        random_moves = f", each after {count(pairing.plies, 'random move')}" if pairing.plies else ""
        played.append(
            f"{pairing.players[0]} against {pairing.players[1]}: {count(pairing.games, 'game')} in "
            f"{count(pairing.chunks, 'chunk')}{random_moves}, at most {pairing.records:,} recorded, "
            f"{pairing.evaluated} evaluated"
        )
    points = " and of points" if figures.intervals else ""
    repetition = "when a position occurs for the third time, " if game.can_repeat else ""
    return [
        f"{'; '.join(played)}.",
        "Players who would play the same game every time begin with random moves, so their figures are those of such "
        "openings; few different games say little about others.",
        f"Shares of games{points} have Wilson's interval, all other figures a bootstrap interval of 1,000 resamples. "
        "Only the interval of the opening nearest to even is corrected for the number of openings (Bonferroni): the "
        "best of many looks better than it is.",
        f"Lead changes, drama, decisiveness and settled are based on a tree search with {figures.simulations:,} "
        f"simulations per position, at most {MOST_EVALUATED} positions per game; strong players may know better.",
        "Turns, branching, real decisions and special moves are counted in games that were followed move by move.",
        f"Games end by the rules, {repetition}or at the ply limit ({game.ply_limit:,} moves).",
        "A Ludii name is that of the same measure there; but LeadChange also counts the first position, "
        "DecisivenessMoves drawn games, and evaluations come from other searches.",
    ]
