"""Showing: equations for the eye, as text, LaTeX, HTML and pictures.

matplotlib is an optional companion, imported when a picture is asked for.
This room may import the rooms from `ground` to `export`.
A reader starts at `equations`.
"""
