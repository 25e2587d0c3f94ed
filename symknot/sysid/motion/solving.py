r"""Implicit equations of motion solved for a derivative, a next state, or any other variable, exactly.

Equations :math:`g_i(x, \dot x) = 0` with rational coefficients are polynomials in the *targets* (:math:`\dot x`)
whose coefficients are polynomials in the *states*.  Where they are linear in the targets, elimination over the field
:math:`\mathbb Q(x)` of rational functions answers everything.  Elsewhere the other targets are eliminated from the
ideal of the equations by a Groebner basis (`symknot.engines`), and what is left is solved for the one asked for: by
division if it is linear, by radicals if its degree allows.
"""

from __future__ import annotations

import sympy

from ...engines import engine
from ...ground.errors import InconsistentEquations, InvalidOption
from ...polynomials.conversion import expression_of, terms_of

CONTRADICTION = "the equations contradict each other: no values of the variables satisfy all of them"


def reduced(equations, variables, targets):
    """The same equations, combined such that each holds a single target wherever that is possible.

    Parameters
    ----------
    equations : sequence of sympy expressions
        Polynomials in `variables` with rational coefficients, which are zero.
    variables : sequence of sympy.Symbol
        States and targets.
    targets : sequence of sympy.Symbol

    Returns
    -------
    tuple of sympy expressions
        Polynomials again.  Equations that follow from the others are left out; relations among states alone
        come last.

    Notes
    -----
    They are equivalent to the given ones wherever the divisors that occur do not vanish.

    Examples
    --------
    >>> x, y, dx, dy = variables = sympy.symbols("x y x' y'")
    >>> reduced([dx + dy - x * y, dx - 2 * dy + y**2], variables, [dx, dy])
    (-2*x*y/3 + x' + y**2/3, -x*y/3 - y**2/3 + y')
    """
    variables, targets, terms = _read(equations, variables, targets)
    rows, products, field = _rows(terms, variables, targets)
    rows, relations = _eliminated(rows)
    found = [_polynomial(row, [*products, sympy.Integer(1)], field) for row in rows]
    return tuple(found + [_polynomial([value], [sympy.Integer(1)], field) for value in relations])


def solve_implicit(equations, variables, targets, name, timeout=60):
    """One variable of implicit equations in terms of the others.

    Parameters
    ----------
    equations, variables, targets
        As for `reduced`.
    name : str or sympy.Symbol
        A target: the other targets are eliminated.  Any other variable: it is solved for from the equation in which its
        degree is lowest (of several the one with the fewest terms); targets may then occur in the answer.
    timeout : float or None
        Seconds an elimination may take.

    Returns
    -------
    sympy expression, or tuple of them
        Several branches where the equation is not linear.

    Raises
    ------
    InvalidOption
        The equations do not determine the variable, or no formula gives it.
    InconsistentEquations
        They contradict each other.
    TimeLimit

    Examples
    --------
    >>> x, K, V, dx = variables = sympy.symbols("x K V x'")
    >>> solve_implicit([dx * (K + x) + V * x], variables, [dx], "x'")
    -V*x/(K + x)
    >>> solve_implicit([dx * (K + x) + V * x], variables, [dx], "x")
    -K*x'/(V + x')
    """
    variables, targets, terms = _read(equations, variables, targets)
    wanted = {str(variable): variable for variable in variables}.get(str(name))
    if wanted is None:
        raise InvalidOption("name", str(name), f"one of {', '.join(map(str, variables))}")
    if wanted not in targets:
        candidates = [sympy.Poly(expression_of(t, variables), wanted) for t in terms]
        candidates = [p for p in candidates if p.degree() > 0]
        if not candidates:
            raise InvalidOption("name", str(wanted), "a variable that occurs in an equation")
        return _solved(min(candidates, key=lambda p: (p.degree(), len(p.as_expr().args))), wanted)
    place = targets.index(wanted)
    if all(sum(e[variables.index(target)] for target in targets) <= 1 for t in terms for e in t):
        return _linear(terms, variables, targets, place)
    others = [target for target in targets if target != wanted]
    polynomials = [sympy.Poly(expression_of(t, variables), *variables, domain=sympy.QQ) for t in terms]
    if others:
        polynomials = engine("auto").eliminate(polynomials, others, timeout=timeout)
    if any(p.is_ground for p in polynomials):
        raise InconsistentEquations(CONTRADICTION)
    candidates = [sympy.Poly(p.as_expr(), wanted) for p in polynomials]
    candidates = [p for p in candidates if p.degree() > 0]
    if not candidates:
        raise _undetermined(wanted, terms, targets)
    return _solved(min(candidates, key=lambda p: p.degree()), wanted)


def _read(equations, variables, targets):
    """Symbols as tuples, and the equations as exact terms; whatever is no polynomial is refused here."""
    variables, targets = tuple(variables), tuple(targets)
    if not set(targets) <= set(variables) or not targets:
        raise InvalidOption("targets", targets, f"some of the variables {', '.join(map(str, variables))}")
    terms = [terms_of(equation, variables, "equations") for equation in equations]
    return variables, targets, [t for t in terms if t]


def _rows(terms, variables, targets):
    """Coefficients over QQ(states) of each product of targets and of 1, the products, and the field.

    Products of different targets come first, so that elimination takes them out first, then the powers of each target.
    """
    places = [variables.index(target) for target in targets]
    states = [variable for variable in variables if variable not in targets]
    field = sympy.QQ.frac_field(*states) if states else sympy.QQ
    keys = {tuple(e[k] for k in places) for t in terms for e in t} - {(0,) * len(places)}

    def rank(key):
        involved = [k for k, power in enumerate(key) if power]
        return (0, -len(involved), -sum(key), key) if len(involved) > 1 else (1, involved[0], -sum(key), key)

    keys = sorted(keys, key=rank)
    rows = []
    for t in terms:
        parts = {}
        for e, value in t.items():
            rest = tuple(0 if k in places else power for k, power in enumerate(e))
            parts.setdefault(tuple(e[k] for k in places), {})[rest] = value
        rows.append([field.from_sympy(expression_of(parts.get(key, {}), variables))
                     for key in (*keys, (0,) * len(places))])
    products = [sympy.Mul(*[target**power for target, power in zip(targets, key)]) for key in keys]
    return rows, products, field


def _eliminated(rows):
    """Reduced echelon form, the last column not counting as an unknown, and the last entries of the other rows."""
    rows, done = [list(row) for row in rows], 0
    for column in range(len(rows[0]) - 1 if rows else 0):
        candidates = [r for r in range(done, len(rows)) if rows[r][column]]
        if not candidates:
            continue
        pivot = min(candidates, key=lambda r: len(str(rows[r][column])))        # short divisors keep the others short
        rows[done], rows[pivot] = rows[pivot], rows[done]
        divisor = rows[done][column]
        rows[done] = [value / divisor for value in rows[done]]
        for r, row in enumerate(rows):
            if r != done and row[column]:
                factor = row[column]
                rows[r] = [value - factor * above for value, above in zip(row, rows[done])]
        done += 1
    return rows[:done], [row[-1] for row in rows[done:] if row[-1]]


def _polynomial(row, products, field):
    """A row times its common denominator, as an expression."""
    divisor = sympy.Integer(1)
    for value in row:
        divisor = sympy.lcm(divisor, sympy.fraction(sympy.together(field.to_sympy(value)))[1])
    if divisor.is_number:                     # a rational number is no denominator to get rid of
        divisor = sympy.Integer(1)
    return sympy.expand(sympy.Add(*[sympy.cancel(field.to_sympy(value) * divisor) * product
                                    for value, product in zip(row, products)]))


def _linear(terms, variables, targets, place):
    rows, products, field = _rows(terms, variables, targets)
    rows, relations = _eliminated(rows)
    if any(field.to_sympy(value).is_number for value in relations):
        raise InconsistentEquations(CONTRADICTION)
    for row in rows:
        known = [product for value, product in zip(row, products) if value]
        if known == [targets[place]]:
            return sympy.cancel(-field.to_sympy(row[-1]))
    raise _undetermined(targets[place], terms, targets)


def _undetermined(wanted, terms, targets):
    return InvalidOption("name", str(wanted), f"determined by the equations: {len(terms)} equation(s) for the unknowns "
                                              f"{', '.join(map(str, targets))} leave it open")


def _solved(polynomial, wanted):
    """A polynomial's zeros as expressions; one alone is not wrapped in a tuple."""
    if polynomial.degree() == 1:
        slope, rest = polynomial.all_coeffs()
        return sympy.cancel(-rest / slope)
    zeros = sympy.roots(polynomial, wanted)
    if sum(zeros.values()) < polynomial.degree():
        raise InvalidOption("name", str(wanted), "a variable for which there is a formula, but the equation "
                            f"{polynomial.as_expr()} = 0 is of degree {polynomial.degree()} in it")
    return tuple(zeros) if len(zeros) > 1 else next(iter(zeros))
