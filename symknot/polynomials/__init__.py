"""Polynomials: exponents and coefficients, exact and in floats, on their way to and from sympy.

Monomials in a fixed order, term orders, exact terms (exponent tuple -> Fraction), numbers as text and as JSON.
This room may import `ground`.
A reader starts at `monomials`, then `terms`: the two forms in which every other room holds a polynomial.
"""
