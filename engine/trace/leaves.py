"""The kinds of leaves in a record."""

from engine.kernels.worker_memory import AT_HORIZON, BY_TABLE, TERMINAL
from engine.result import Leaf

LEAVES = {TERMINAL: Leaf.TERMINAL, AT_HORIZON: Leaf.HORIZON, BY_TABLE: Leaf.TABLE}
"""The kind of leaf for the reason in a row."""
