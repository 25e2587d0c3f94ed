"""Equations of motion from measured runs."""
