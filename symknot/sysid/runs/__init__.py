"""Runs: measured trajectories, and the points with known noise that are made of them.

Local polynomial stencils, how noisy a run is, how wide a window smooths it best, states with derivatives or successors.
This room may import the rooms from `ground` to `results`.
A reader starts at `trajectories`, then `samples`.
"""
