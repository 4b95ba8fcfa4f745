"""Settings: the dialog with all of them, the part of the View menu that changes the look, and the file that stores
them."""
