"""The look of the window: palettes, the theme, and the style sheet of its parts."""
