"""The result of a fit: a thin face on its numbers, with everything that can be done with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..exact.build import checked_request, default_equations, make_exact, vanishing_on_knots
from ..exact.rational import rationalization
from ..export.system import System
from ..fitting.fitted import Fitted
from ..fitting.nearest_points import Nearest, nearest_points, within_noise
from ..ground.calls import call_text, noted
from ..ground.checks import fraction_of_one
from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption, Status, TimeLimit
from ..ground.storage import plain, write_json
from ..polynomials.equation import Equation
from ..reading.points import checked_points
from ..reading.sources import has_columns
from ..showing.equations import equation_lines
from ..showing.scene import Scene, scene_of
from ..symbolic.compiled import Compiled, plain_function
from ..symbolic.polynomial import Polynomial, compiled_for, polynomials_of
from ..symbolic.readable import ReadableForm, make_readable, readable_of
from .base import ENGINE_SECONDS
from .checking import Check, confirmed
from .drawn import RESIDUALS, SHAPE, SPECTRUM
from .exact_ideal import ExactIdeal
from .fit_checks import ideal_checks
from .fit_report import ReportedFit
from .points_ideal import PointsIdeal, points_ideal
from .readable import Readable

FORMAT, VERSION = "symknot ideal", 2
LEVEL = 0.01
"""Probability with which noise alone is to bring a point of the variety farther away than `contains` allows: a
convention."""
APPROXIMATE = ("several fitted equations rarely have a common zero as exact numbers: expect the ideal (1), an empty "
               "variety and dimension -1; the exact equations are what to compute with")


@dataclass(frozen=True, eq=False, repr=False)
class Ideal(ReportedFit, Fitted):
    """Vanishing polynomials and data knots, as `symknot.fit` and `symknot.vca` find them.

    Its attributes are those of `symknot.fitting.fitted.Fitted`, its language that of every result
    (`symknot.results.base`).  Groebner bases and other exact algebra are about the exact equations, those of `exact()`.
    """

    picture_kinds: ClassVar[tuple[str, ...]] = (SHAPE, RESIDUALS, SPECTRUM)

    @classmethod
    def of(cls, fitted: Fitted) -> Ideal:
        """The face of these numbers."""
        content = {field.name: getattr(fitted, field.name) for field in fields(fitted)}
        return cls(**{**content, "alternatives": tuple(map(cls.of, fitted.alternatives))})

    @property
    def polynomials(self) -> tuple[Polynomial, ...]:  # type: ignore[override]
        """The equations, by degree, then residual; without the redundant ones."""
        return polynomials_of(self)

    @property
    def redundant(self) -> tuple[Polynomial, ...]:
        """Vanishing polynomials that those of lower degree generate."""
        return polynomials_of(self, redundant=True)

    @property
    def knotting_ratio(self) -> float:
        """Number of knots over number of points."""
        return len(self.knots) / self.point_count

    def readable(self, order: str = "grevlex", simplify: bool = True, integers: bool = False, points: Any = None,
                 timeout: float | None = None) -> Readable:
        """The equations as a person would write them: see `symknot.symbolic.readable`.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex", "sparsest"}
            Term order that decides which monomials lead; "sparsest" takes the one with fewest terms.
        simplify : bool
            Drop terms that the data cannot tell from zero and round the others to the simplest
            numbers that the data do not reject; without it only the basis is changed.
        integers : bool
            Multiply each simplified equation by its common denominator.
        points : (n, d) array, optional
            Measure the distances of the data on these; without them they are estimated from
            the knots and the noise.
        timeout : float, optional
            Seconds after which the estimates are returned as they are, for the order "grevlex" where the sparsest one
            was sought, with `Status.OUT_OF_TIME`.

        Returns
        -------
        Readable
        """
        call = call_text(Ideal.readable, locals())
        points = None if points is None else checked_points(points, self.names)[0]
        try:
            with Deadline(timeout).ruling("readable"):
                return self._face(make_readable(self, order, simplify, integers, points), call)
        except TimeLimit:
            order = "grevlex" if order == "sparsest" else order
            plain = self._face(make_readable(self, order, False, points=points), call)
            said = f"{Status.OUT_OF_TIME.advice}; the numbers are as estimated"
            return noted(replace(plain, status=Status.OUT_OF_TIME, message=said), call)

    def uncertainty(self, order: str = "grevlex") -> Readable:
        """The equations in echelon form with the standard error of every coefficient.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex"}

        Returns
        -------
        Readable
            Not rounded; `standard_errors` of each equation come from the noise level.
        """
        return self._face(make_readable(self, order, simplify=False), call_text(Ideal.uncertainty, locals()))

    def _face(self, form: ReadableForm, call: str) -> Readable:
        face = Readable(self.names, form.equations, form.knots, self.noise, self.status, self.message, self.symbols)
        return noted(confirmed(face, face._checks(None)), call)

    def exact(self, route: str = "auto", rationalize: str = "simplest", *, denominator: int | None = None,
              digits: int | None = None, basis: str = "readable", points: Any = None, timeout: float | None = None,
              arithmetic: str | None = None) -> ExactIdeal:
        """Rational equations that hold exactly: at rational knots, or at zeros proved to lie next to the knots.

        Parameters
        ----------
        route : {"auto", "points", "equations"}
            "points", for knots that are finitely many isolated points: knots become rational, and
            each polynomial is replaced by the nearest one that is zero at all of them.  "equations",
            for curves and surfaces: the equations become rational, and for each knot a box is
            proved to hold a true zero.  "auto" decides by what was found.
        rationalize : {"simplest", "binary"}
            Smallest denominators within the fit's tolerance, or the floats' exact values.
        denominator, digits : int, optional
            Instead: the largest denominator allowed, or so many digits after the decimal point.
        basis : {"readable", "fit"}
            Start from the equations in echelon form, or from `polynomials` as they are.  Route
            "points" only; "equations" always takes the readable ones.
        points : (n, d) array, optional
            The data: residuals are measured on them instead of being estimated from the knots.
        timeout : float, optional
            Seconds after which to give up with `TimeLimit`.
        arithmetic : {None, "flint", "numpy"}
            For exact linear algebra; None takes python-flint where it is installed.

        Returns
        -------
        ExactIdeal
            The same object each time it is asked for with the same options (other than `points`).

        Examples
        --------
        >>> import symknot
        >>> ideal = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], epsilon=1e-8, names=["x", "y"])
        >>> exact = ideal.exact()
        >>> [str(expression) for expression in exact.exprs], exact.certificate.verify()
        (['x**2 - x', 'y**2 - y'], True)
        """
        call, rule = call_text(Ideal.exact, locals()), rationalization(rationalize, denominator, digits)
        request = checked_request(self, route, rule, basis=basis, points=points, timeout=timeout, arithmetic=arithmetic)
        key = (request.route, rationalize, denominator, digits, basis, arithmetic)
        if points is not None:
            return noted(ExactIdeal.of(make_exact(self, request)), call)
        if key not in self._exact_by_options:
            self._exact_by_options[key] = noted(ExactIdeal.of(make_exact(self, request)), call)
        return self._exact_by_options[key]

    @cached_property
    def _exact_by_options(self) -> dict:
        return {}

    def vanishing_ideal(self, order: str = "grevlex", rationalize: str = "simplest", *, denominator: int | None = None,
                        digits: int | None = None, timeout: float | None = None,
                        arithmetic: str | None = None) -> PointsIdeal:
        """The exact ideal of *all* polynomials that vanish on the knots, made rational.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex"}
        rationalize, denominator, digits, timeout, arithmetic
            As in `exact`.

        Returns
        -------
        PointsIdeal
            Reduced Groebner basis, standard monomials, separators, border basis and more.
        """
        knots = vanishing_on_knots(self, rationalization(rationalize, denominator, digits))
        return points_ideal(knots.points, self.names, order, self.variables, timeout, arithmetic)

    def _exact_equations(self) -> tuple[Equation, ...]:
        return default_equations(self).polynomials if self.polynomials else ()

    def _shown_equations(self) -> tuple[Equation, ...]:
        return readable_of(self).equations

    def latex(self, digits: int | None = None, simplify: bool = True) -> str:
        """The equations in LaTeX.

        Parameters
        ----------
        digits : int, optional
            Significant ones; by default as many as the data determine.
        simplify : bool
            The simplest numbers that the data do not reject, or the estimates.
        """
        return super().latex(digits) if simplify else self.uncertainty().latex(digits)

    def text(self, digits: int | None = None, simplify: bool = True) -> str:
        """Equations with the distance of the data from them, knots, and how the fit ended; options as in `latex`."""
        # asked for in the same words everywhere, so that it is worked out once
        equations = (readable_of(self) if simplify else readable_of(self, simplify=False)).equations
        return "\n".join(equation_lines(equations, digits) + self._last_lines())

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from ideal_checks(self, None if points is None else checked_points(points, self.names)[0])

    def _scene(self) -> Scene:
        return scene_of(self)

    def evaluate(self, X: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Values of `polynomials` at points.

        Parameters
        ----------
        X : (n, d) array, or d numbers for one point
            Real; NaN in a row makes its values NaN.
        out : array of floats, optional
            Where the values go, of the shape that is returned; for many values, again and again, memory that is there
            already saves much of the time.

        Returns
        -------
        (n, number of polynomials) array, or (number of polynomials,) for one point

        Examples
        --------
        >>> import symknot
        >>> ideal = symknot.vca([[0, 0], [1, 0], [0, 1]], epsilon=1e-8)
        >>> ideal.evaluate([[0, 0], [2, 3]]).shape, ideal.evaluate([2, 3]).shape
        ((2, 3), (3,))
        """
        return self._compiled.values(X, out)

    def jacobian(self, X: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Derivatives of `polynomials` at points, as in `evaluate`: an (n, polynomials, d) array, or one row of it."""
        return self._compiled.slopes(X, out)

    def project(self, X: Any) -> np.ndarray:
        """The nearest points of the variety, in the metric of the noise (see `symknot.fitting.nearest_points`).

        Parameters
        ----------
        X : (n, d) array, or d numbers for one point

        Returns
        -------
        (n, d) array, or (d,) for one point
            Zeros of the equations, each no farther from its point than the nearest knot, from which no short step along
            the variety leads nearer; for points near the variety compared with its bends the nearest of all.  NaN where
            no zero was found, and for NaN.  Without equations every point is its own.

        Examples
        --------
        >>> import symknot
        >>> ideal = symknot.vca([[1, 0], [0, 1], [-1, 0], [0, -1], [0.6, 0.8]], epsilon=1e-6, max_degree=2)
        >>> ideal.project([3, 4]).round(9).tolist()
        [0.6, 0.8]
        """
        return self._near(X, lambda near: near.points)

    def distance(self, X: Any) -> np.ndarray | float:
        """Distances of points from the variety in standard deviations of the noise.

        Parameters
        ----------
        X : (n, d) array, or d numbers for one point

        Returns
        -------
        (n,) array, or a float for one point
            From the points that `project` gives.  Where the data are exact the noise is taken to be rounding, 1e-10 of
            the data's spread: below 1 on the variety, huge elsewhere.  0 without equations, NaN where `project` is.
        """
        return self._near(X, lambda near: near.distances)

    def contains(self, expr: Any, engine: str = "auto", timeout: float | None = ENGINE_SECONDS, *,  # type: ignore[override]
                 level: float | None = None) -> np.ndarray | bool:
        """Whether points lie on the variety up to noise; or whether a polynomial follows from the exact equations.

        Parameters
        ----------
        expr : (n, d) array, d numbers for one point, or a polynomial
            A sympy.Expr, sympy.Poly or dict of terms is a polynomial; all else are points.
        engine, timeout
            For a polynomial; see `groebner`.
        level : float, optional
            For points: the probability with which a point of the variety, measured with the noise of the fit, is turned
            away; default 0.01.  The squared `distance` is compared with chi^2 of as many degrees of freedom as the
            variety has codimension there (at singular points: as there are variables).

        Returns
        -------
        (n,) bool array, or a bool for one point or a polynomial
            False for NaN.

        Examples
        --------
        >>> import numpy as np, symknot
        >>> t = np.linspace(0, 6.2, 300)
        >>> ideal = symknot.fit(np.c_[np.cos(t), np.sin(t)] + 0.02 * np.random.default_rng(0).normal(size=(300, 2)))
        >>> ideal.contains([[1.03, 0], [1.1, 0]]).tolist()
        [True, False]
        """
        if not (isinstance(expr, (list, tuple, np.ndarray)) or has_columns(expr) and not isinstance(expr, str)):
            if level is not None:
                raise InvalidOption("level", level, "left out unless points are asked about")
            return super().contains(expr, engine, timeout)
        chance = fraction_of_one("level", LEVEL if level is None else level)
        return self._near(expr, lambda near: within_noise(near, chance))

    def _near(self, X: Any, part: Callable[[Nearest], np.ndarray]) -> Any:
        points, one = checked_points(X, self.names)
        found = part(nearest_points(self, points))
        return (found[0] if found.ndim > 1 else found[0].item()) if one else found

    def lambdify(self, modules: str = "numpy") -> Callable:
        """A plain function of d arguments that returns the list of the values of `polynomials`.

        Parameters
        ----------
        modules : {"numpy", "mpmath", "math"}
            As in `Polynomial.lambdify`.

        Returns
        -------
        function
        """
        return plain_function(self._compiled, modules)

    @cached_property
    def _compiled(self) -> Compiled:
        return compiled_for(self, self.in_order())

    def _system(self, approximate: bool = False, **options: Any) -> System:
        """What is exported: exact equations, or on request the fitted ones with a warning."""
        fitted = readable_of(self, simplify=False).equations
        if not approximate:
            return self.exact(**options)._system(equation_lines(fitted, most=None))
        terms = tuple(equation.terms for equation in fitted)
        return System(self.names, terms, title="fitted equations of noisy points", sound=len(terms) == 1,
                      warning=APPROXIMATE if len(terms) > 1 else None)

    def __repr__(self) -> str:
        return (f"<Ideal of {len(self.polynomials)} polynomial(s) in {len(self.names)} variable(s), "
                f"{len(self.knots)} knot(s), {self.status.value}>")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ideal to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, ideal_json(self))


def ideal_json(ideal: Ideal) -> dict:
    """The numbers of an ideal as JSON data."""
    left_out = {"symbols", "noise_log_errors", "alternatives"}
    left_out |= {"law"} if ideal.law is None else set()      # files of before laws have none either
    content = {field.name: plain(getattr(ideal, field.name)) for field in fields(ideal) if field.name not in left_out}
    if ideal.noise_log_errors is not None:
        content["noise_log_errors"] = [value if np.isfinite(value) else None for value in ideal.noise_log_errors.tolist()]
    return {**content, "alternatives": [ideal_json(Ideal.of(rival)) for rival in ideal.alternatives]}
