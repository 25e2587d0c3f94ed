"""Reading: every door for data.  Arrays, frames and files become tables with names, tables become points.

Whatever is wrong with the data is said here, with the row, the column and the value.
This room may import `ground` and `polynomials`.
A reader starts at `points`: what is checked, and the one map between the user's units and the inside.
"""
