"""What is measured of trees and searches: their size, paths by length, the least tree, the speedup."""
