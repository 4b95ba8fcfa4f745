"""What is asked of the search: the row of buttons, and the options behind them."""
