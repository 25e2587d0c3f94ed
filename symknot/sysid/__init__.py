"""System identification: equations of motion, invariants and constraints from measured runs.

Four rooms in a row: `runs` (trajectories and samples), `motion` (`identify`, models), `space` (`identify_field`), `invariants`
(`conserved`).
This room may import every room from `ground` to `results`.
A reader starts at `motion.identify`.
"""
