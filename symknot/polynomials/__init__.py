"""Polynomials: exponents and coefficients, exact and in floats, on their way to and from sympy.

Monomials in a fixed order, term orders, exact terms (exponent tuple -> Fraction), numbers as text and as JSON,
what all equations have in common, the ideal of everything that vanishes on points.
This room may import `ground`.
A reader starts at `monomials`, then `terms`: the two forms in which every other room holds a polynomial.
"""
