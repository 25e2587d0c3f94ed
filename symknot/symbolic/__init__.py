"""Symbolic: from the numbers of a fit to algebra that a person can read.

Expansion with more digits than a double has, fast evaluation through lambdify, uncertainty, rounding, readable form.
This room may import `ground`, `polynomials`, `reading` and `fitting`.
A reader starts at `polynomial` (one equation in all its forms), then `readable`.
"""
