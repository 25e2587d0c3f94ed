"""Exact: rational equations and knots, and proofs about them that anyone can check.

Rational numbers near floats, the nearest polynomial that vanishes on points, Krawczyk's test, syzygies, certificates.
This room may import the rooms from `ground` to `engines`.
A reader starts at `build`: which route, and the steps of each.  `verify` stands alone: it checks certificates.
"""
