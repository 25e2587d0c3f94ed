"""Motion: from samples to equations of motion, their uncertainty, simulation and score.

First guesses point by point, the search for terms, states and coefficients estimated together; kinds of dynamics, one
contract (`dynamics`) and one file each (`flow`, `map`, `static`).
This room may import the rooms from `ground` to `results`, and `sysid.runs`.
A reader starts at `forms`, then `search` and `joint`.
"""
