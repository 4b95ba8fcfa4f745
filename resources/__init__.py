"""Icons, fonts and pictures: data only, found with `importlib.resources.files("resources")`."""
