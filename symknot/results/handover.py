"""Handing an ideal over to sympy: exact polynomials, never floats.

A Groebner basis over floats is meaningless, and noisy equations that over-determine their
variety generate the ideal (1).  So what is handed over are the readable equations, over
the rational numbers; where they cannot be made to agree with each other this is said.
"""

from __future__ import annotations

import sympy

from ..ground.errors import InconsistentEquations, InvalidOption


def rational_polynomials(ideal, order="grevlex", simplify=True):
    """The equations as `sympy.Poly` over QQ.

    Parameters
    ----------
    ideal : Ideal
    order : str
        Term order of the readable form.
    simplify : bool
        Simplified (dropped terms, simple numbers) or full-precision coefficients.

    Returns
    -------
    list of sympy.Poly
    """
    polynomials = []
    for equation in ideal.readable(order=order, simplify=simplify):
        numbers = {e: sympy.Rational(v.numerator, v.denominator) for e, v in equation.terms.items()}
        polynomials.append(sympy.Poly.from_dict(numbers, *ideal.variables, domain=sympy.QQ))
    return polynomials


def groebner_basis(ideal, order="grevlex"):
    """Reduced Groebner basis over QQ of the readable equations.

    Raises
    ------
    InconsistentEquations
        When the equations, as rational numbers, have no common zero.
    """
    polynomials = rational_polynomials(ideal, order)
    if not polynomials:
        return sympy.groebner([0], *ideal.variables, order=order, domain=sympy.QQ)
    basis = sympy.groebner(polynomials, *ideal.variables, order=order, domain=sympy.QQ)
    if basis.exprs == [sympy.S.One]:
        raise InconsistentEquations(
            f"the {len(polynomials)} equations over-determine their variety and, as rational numbers, have no common "
            "zero: their ideal is (1)")
    return basis


def normal_form(ideal, expression, order="grevlex"):
    """`expression` modulo the ideal of the readable equations.

    Parameters
    ----------
    expression : sympy expression in `ideal.variables`

    Returns
    -------
    sympy.Expr
        Zero exactly when the expression follows from the equations.
    """
    if isinstance(expression, sympy.Poly):
        expression = expression.as_expr()
    if not isinstance(expression, sympy.Expr):
        raise InvalidOption("expression", expression, "a sympy expression")
    expression = sympy.nsimplify(expression, rational=True)
    unknown = expression.free_symbols - set(ideal.variables)
    if unknown:
        raise InvalidOption("expression", expression, f"in the variables {', '.join(map(str, ideal.variables))}")
    if not ideal.polynomials:
        return expression
    return groebner_basis(ideal, order).reduce(expression)[1].as_expr()


def solutions(ideal, *unknowns):
    """Solve the readable equations for `unknowns` with sympy (all variables by default).

    Returns
    -------
    list of dict
    """
    wrong = [symbol for symbol in unknowns if symbol not in ideal.variables]
    if wrong:
        raise InvalidOption("unknowns", wrong[0], f"among {', '.join(map(str, ideal.variables))}")
    expressions = [polynomial.as_expr() for polynomial in rational_polynomials(ideal)]
    if not expressions:
        raise InvalidOption("ideal", ideal, "one with at least one equation")
    return sympy.solve(expressions, unknowns or ideal.variables, dict=True)
