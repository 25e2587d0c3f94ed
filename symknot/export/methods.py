"""The export methods of every result: `export`, and one `to_...` per registered target."""

from __future__ import annotations

import os
from typing import Any

from .script import DIGITS
from .system import System
from .targets import Target, export


class Exports:
    """Mixin: a class that has `_system(**options)` can be exported everywhere.

    There is one method ``to_NAME(path=None, **options)`` per registered target; each is `export`
    with that target.
    """

    def _system(self, *args: Any, **options: Any) -> System:
        """What is exported; each class brings its own."""
        raise NotImplementedError(f"{type(self).__name__} says nowhere what of it is exported: define _system")

    def export(self, target: str, path: str | os.PathLike[str] | None = None, *, field: str = "QQ",
               digits: int = DIGITS, **options: Any) -> str:
        """Write the equations for another program, ready to run.

        Parameters
        ----------
        target : str
            One of `symknot.export.TARGETS`: a computer algebra system or a language.
        path : path-like, optional
            A file to write, all or nothing.
        field : {"QQ", "real"}
            Exact rational numbers, or, where the target has them, real ones.
        digits : int
            Decimal digits of real numbers.
        **options
            Of an `Ideal`: ``approximate=True`` exports the fitted equations themselves instead of
            exact ones, with a warning of what a program will make of them; others as in `Ideal.exact`.

        Returns
        -------
        str
            The text, also when a file was written.

        Examples
        --------
        >>> import symknot
        >>> ideal = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], epsilon=1e-8, names=["x", "y"])
        >>> ideal.to_msolve().split()
        ['x,y', '0', 'x^2-x,', 'y^2-y']
        """
        return export(self._system(**options), target, path, field, digits)


def add_method(target: Target) -> None:
    """Give `Exports`, and so every result, the method ``to_NAME`` of a target."""
    def write(self: Exports, path: str | os.PathLike[str] | None = None, **options: Any) -> str:
        return self.export(target.name, path, **options)

    write.__name__ = f"to_{target.name}"
    write.__qualname__ = f"{Exports.__qualname__}.{write.__name__}"
    write.__doc__ = f"{target.summary}\n\nThe same as ``export({target.name!r}, path, **options)``; see `export`."
    setattr(Exports, write.__name__, write)
