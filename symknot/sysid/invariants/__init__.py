"""Invariants: polynomials that stay constant along every run, and those that are zero in all of them.

Level sets estimated together with the states, how many of them there are, their numbers made simple.
This room may import the rooms from `ground` to `results`, `sysid.runs` and `sysid.motion`.
A reader starts at `conserved`.
"""
