"""The window's language: translations, and the words of the field."""
