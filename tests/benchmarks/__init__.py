"""Benchmarks, run by hand: ``python -m tests.benchmarks.recovery`` and ``python -m tests.benchmarks.speed``."""
