"""PySide6's optional features are left alone."""

import sys

import gui.window


def test_pyside_reads_no_source_to_find_its_features() -> None:
    """Fails with a PySide6 that finds them in another way: see whether `gui.features` is of use then."""
    features = sys.modules["shibokensupport.feature"]
    assert features.pyside_feature_dict[gui.window.__name__] == -1, "the window's module is ignored"
