"""Mutation tests: faults planted in a copy of the checkout, and the tests that should fail on each."""
