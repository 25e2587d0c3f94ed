"""The ground: what every other room stands on, and what knows nothing of polynomials.

Errors and statuses in words, checks of options, time limits, progress, blocks of rows, files;
linear algebra in floats (`linalg`) and in rational numbers (`exact_linear`).
This room may import nothing of the package.
A reader starts at `errors`: how a computation can end, and what a person is told.
"""
