"""Controls of the search: the row of buttons, and the options."""
