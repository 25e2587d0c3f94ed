"""Fitting: the paper.  Points in, vanishing polynomials and knots out, all of it in numbers.

The recursion, what "unit size" means, FindBasis, knotting, the pursuit, the spectrum, the loop over degrees;
power laws, and new points.
This room may import `ground`, `polynomials` and `reading`.
A reader starts at `loop`, which is Algorithm 3, and follows its imports.
"""
