"""How the window looks: palettes, the theme, and the style sheet laid over its parts."""
