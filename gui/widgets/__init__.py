"""Widgets that all parts of the window use: cards, small boards, texts that fit."""
