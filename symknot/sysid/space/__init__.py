"""Fields on a grid in time and one dimension of space: partial differential equations by moments.

This room may import the rooms from `ground` to `results`, `sysid.runs` and `sysid.motion`.
A reader starts at `identify_field`.
"""
