"""The export methods that `Ideal` and `ExactIdeal` share."""

from __future__ import annotations

from ..export import DIGITS, export


class Exports:
    """Mixin: a class that has `_system(**options)` can be exported everywhere.

    Every `to_...` method is `export` with that target.
    """

    def export(self, target, path=None, *, field="QQ", digits=DIGITS, **options):
        """Write the equations for another program, ready to run.

        Parameters
        ----------
        target : str
            "singular", "macaulay2", "cocoa5", "sage", "magma", "maple", "mathematica", "msolve",
            "latex", "python", "c" or "json".
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

    def to_singular(self, path=None, **options):
        """A Singular script; see `export`."""
        return self.export("singular", path, **options)

    def to_macaulay2(self, path=None, **options):
        """A Macaulay2 script; see `export`."""
        return self.export("macaulay2", path, **options)

    def to_cocoa5(self, path=None, **options):
        """A CoCoA-5 script; see `export`."""
        return self.export("cocoa5", path, **options)

    def to_sage(self, path=None, **options):
        """A Sage script; see `export`."""
        return self.export("sage", path, **options)

    def to_magma(self, path=None, **options):
        """A Magma script; see `export`."""
        return self.export("magma", path, **options)

    def to_maple(self, path=None, **options):
        """A Maple script; see `export`."""
        return self.export("maple", path, **options)

    def to_mathematica(self, path=None, **options):
        """A Wolfram Language script; see `export`."""
        return self.export("mathematica", path, **options)

    def to_msolve(self, path=None, **options):
        """An msolve input file; see `export`."""
        return self.export("msolve", path, **options)

    def to_latex(self, path=None, **options):
        """A LaTeX document; see `export`."""
        return self.export("latex", path, **options)

    def to_python(self, path=None, **options):
        """A Python module that needs numpy only; see `export`."""
        return self.export("python", path, **options)

    def to_c(self, path=None, **options):
        """A C99 source file; see `export`."""
        return self.export("c", path, **options)

    def to_json(self, path=None, **options):
        """JSON with exponent lists and hexadecimal numbers; see `export`."""
        return self.export("json", path, **options)
