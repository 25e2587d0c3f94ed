"""System identification: equations of motion, invariants and constraints from measured runs.

Five rooms in a row: `runs` (trajectories and samples), `motion` (search, estimate, models), `space` (`identify_field`),
`invariants` (`conserved`), `laws` (`identify`).
This room may import every room from `ground` to `results`.
A reader starts at `laws.identify`.
"""
