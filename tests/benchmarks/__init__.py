"""Benchmarks, run by hand: ``python -m tests.benchmarks`` for speed, ``python -m tests.benchmarks.recovery`` and others."""
