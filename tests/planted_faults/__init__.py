"""Do the tests notice? Faults that are planted in a copy of the checkout, and the tests that should fail on each."""
