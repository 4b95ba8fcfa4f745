"""The facts in the tour's texts about the game and the searches, by their placeholders."""

from engine.result import Result
from engine.text.numbers import thousands
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.spoilers import HIDDEN, spoilers
from gui.state.wording import is_proven, verdict
from gui.tree.path import PathView
from gui.tree.path_text import why_pruned


def facts(record: GameRecord, analysis: Analysis, path: PathView) -> dict[str, str]:
    """The facts that are known and not hidden."""
    known, info, game, before = {}, analysis.info, record.game, record.position_before
    if record.last_move is not None and before is not None:
        names = {"player": game.mover_name(before), "move": game.notation.move_name(record.last_move)}
        known["answer"] = tr("{player} {move}", **names)
    if path.rows:
        known["value"] = path.rows[0].cell(0).text or tr(HIDDEN)
    if pruned := path.pruned_rows:  # the path may go on beside them
        known["reason"] = tr("The reason is hidden.") if spoilers().hidden else why_pruned(pruned[-1])
    if info is not None:
        known["nodes"] = thousands(info.counters.nodes)
    if analysis.result is not None:
        found = _found(analysis, analysis.result)
        nothing = tr("What it found is hidden.") if spoilers().hidden else tr("It found no move yet.")
        known["found"] = tr("It found {best}: {verdict}.", **found) if found else nothing
    known["comparison"] = _comparison(analysis)
    return known


def _found(analysis: Analysis, run: Result) -> dict[str, str]:
    """The best move and its value, by a search of the position on the board; empty where they are hidden or unknown."""
    info, game = spoilers().found(run.info), analysis.game
    if info is None or game is None or info.best is None or info.value is None:
        return {}
    worth = verdict(game, analysis.position, info.value, run.job.scoring, is_proven(run.info, run))
    return {"best": game.notation.move_name(info.best), "verdict": worth}


def _comparison(analysis: Analysis) -> str:
    """The newest minimax and the newest alpha-beta of the position on the board, compared."""
    job, newest = analysis.job, {}
    for run in analysis.runs if job is not None else ():
        asked = run.job.game, run.job.position, run.job.scoring
        if run.complete and job is not None and asked == (job.game, job.position, job.scoring):
            newest.setdefault(run.job.algorithm, run)
    minimax, alphabeta = newest.get("minimax"), newest.get("alphabeta")
    if minimax is None or alphabeta is None:
        return tr("Search a position with minimax and with alpha-beta to compare them.")
    nodes = {
        "minimax": thousands(minimax.info.counters.nodes),
        "alphabeta": thousands(alphabeta.info.counters.nodes),
    }
    counted = tr("Minimax took {minimax} nodes, alpha-beta {alphabeta}.", **nodes)
    found, also_found = (_found(analysis, run) for run in (minimax, alphabeta))
    if not found or found != also_found:
        return counted
    both = tr("Both find {best}: {verdict}.", **found)
    return f"{counted} {both}"
