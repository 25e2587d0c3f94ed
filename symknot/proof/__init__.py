"""Proofs handed over: from exact results to files that Coq checks, and questions that SMT solvers decide.

What is claimed (`claims`), cofactors that show why a polynomial follows from others (`proving`), the checks by real
programs (`checking`), and questions over the real numbers (`asking`).
This room may import the rooms from `ground` to `export`.  A reader starts at `proving`.
"""
