"""The lines of the textbook recursion are those that run."""

import sys
from types import FrameType
from typing import Any

import pytest

from engine.kernels.worker_memory import CUTOFF
from engine.options.choices import Form
from engine.registry import algorithms, game
from engine.text.textbook import recursion
from tests.engine.naive import record

LATE = "xo./.x./o.."


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("name", ["minimax", "alphabeta", "pvs"])
def test_the_lines_of_a_recursion_are_those_that_run(name: str, form: Form) -> None:
    root = game("tictactoe").notation.parse(LATE)
    functions = {function.name: function for function in recursion(name, form)}
    module = sys.modules[algorithms()[name].options.__module__]
    codes = {getattr(module, function).__code__: functions[function] for function in functions}
    seen = {"enters": 0, "calls": 0, "second": 0, "cuts": 0, "returns": 0}

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        function = codes.get(frame.f_code)
        if function is None:
            return None
        line = frame.f_lineno - frame.f_code.co_firstlineno
        if event == "call":
            seen["enters"] += line == function.enters
            above = frame.f_back
            while above is not None and above.f_code not in codes and above.f_code.co_name == "<genexpr>":
                above = above.f_back
            if above is not None and above.f_code in codes:
                caller = codes[above.f_code]
                place = above.f_lineno - above.f_code.co_firstlineno
                assert place in caller.calls
                seen["calls"] += 1
                seen["second"] += place == caller.calls[-1] and len(caller.calls) > 1
        elif event == "line" and line == function.cuts:
            seen["cuts"] += 1
        elif event == "return" and line == function.returns:
            seen["returns"] += 1
        return watch

    first = next(iter(functions))
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        getattr(module, first)(root)
    finally:
        sys.settrace(before)
    kind = algorithms()[name]
    rows = record(root, kind.prunes, repeats=kind.options.searches_again)
    assert seen["returns"] == sum(row.end - number > 1 for number, row in enumerate(rows) if row)
    assert seen["calls"] == seen["enters"] - 1 >= len(rows) - 1
    assert seen["cuts"] >= sum(row.why == CUTOFF for row in rows)
    if not kind.prunes:
        assert seen["cuts"] == 0


def test_a_driver_stands_before_its_recursion() -> None:
    assert [function.name for function in recursion("mtdf", Form.MAXMIN)] == ["mtdf", "negamax"]
    assert [function.name for function in recursion("pvs", Form.MAXMIN)] == ["negamax"]
    assert [function.name for function in recursion("alphabeta", Form.MAXMIN)] == ["maximise", "minimise"]
