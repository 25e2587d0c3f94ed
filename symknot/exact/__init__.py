"""Exact algebra over the rational numbers."""
