"""Two searches side by side: their records aligned, their pictures, and the list that they are chosen in."""

from tests.planted_faults.planting import Fault

COMPARE, OF_COMPARE = "engine/trace/compare.py", "tests/engine/trace/test_compare.py"

FAULTS = (
    Fault(
        "two compared records show the siblings by their moves, not in the order of the first search",
        COMPARE,
        "np.lexsort((begins, unique // WHY))",
        "np.lexsort((unique, unique // WHY))",
        OF_COMPARE,
    ),
    Fault(
        "of several searches of a move a compared record shows the first",
        COMPARE,
        "np.append(inside[1:] != inside[:-1], True)",
        "np.append(True, inside[1:] != inside[:-1])",
        OF_COMPARE,
    ),
    Fault(
        "the second of two compared records is a moment ahead where it has cut",
        COMPARE,
        "moment = replay.left(row) - 1",
        "moment = replay.left(row)",
        OF_COMPARE,
    ),
)
