"""Has PySide6 leave its optional features alone, such as names in snake case: this program uses none.

To know which modules use one, PySide6 reads the source of every module that is imported after it.
"""

import sys
from typing import Any

import PySide6.QtCore  # noqa: F401

_features: Any = sys.modules.get("shibokensupport.feature")
if hasattr(_features, "_mod_uses_pyside"):  # a later PySide6 may do otherwise
    _features._mod_uses_pyside = lambda _module: False
