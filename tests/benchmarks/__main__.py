"""``python -m tests.benchmarks``: time and memory next to bare linear algebra (`tests.benchmarks.speed`)."""

from .speed import main

if __name__ == "__main__":
    main()
