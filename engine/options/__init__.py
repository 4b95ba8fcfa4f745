"""The options of a search: the catalogue of them all, the choices that have names, and the rules between them."""
