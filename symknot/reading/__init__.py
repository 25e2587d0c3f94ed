"""Reading: the one door for data.  Arrays, frames and files become tables with names, tables become points.

Whatever is wrong with the data is said here, with the file, the row or line, the column and the value; what is left out is
said in notes.  A new kind of data file is one function in `files`.  Runs in time are made of the same tables, in `sysid/runs`.
This room may import `ground` and `polynomials`.
A reader starts at `sources`, the door; then `points`: the one map between the user's units and the inside.
"""
