"""Results: what a user holds in hand, all in one language, and how it is saved and opened again.

The same thing has the same name on every result; a class lacks what makes no sense for it.
This room may import the rooms from `ground` to `showing`.
A reader starts at `ideal`: a thin face on the numbers of a fit.
"""
