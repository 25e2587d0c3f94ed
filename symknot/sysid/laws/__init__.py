"""Laws: the door `identify`, which joins equations of motion with the constraints and invariants of the states.

This room may import the rooms from `ground` to `results`, and `sysid.runs`, `sysid.motion` and `sysid.invariants`.
A reader starts at `identify`.
"""
