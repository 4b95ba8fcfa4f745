"""Measurements of trees and searches: tree size, perft, critical tree, speedup."""
