"""What can be chosen: the dialog with every setting, the look in the View menu, and the file that keeps it all."""
