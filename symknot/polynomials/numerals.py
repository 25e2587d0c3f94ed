"""Exact numbers as text and back, of any length, whatever Python's limit on digits is."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from ..ground.errors import TooLarge

MOST_LITERAL_BITS = 1536
"""Binary digits of a whole number that is written in decimal: 463 decimal ones, below the 640 to which Python's limit
can be lowered."""


def integer_text(value: int) -> str:
    """A whole number in decimal digits, however many.

    Examples
    --------
    >>> integer_text(-12), len(integer_text(10**5000))
    ('-12', 5001)
    """
    return str(Decimal(value))


def integer_of(text: str) -> int:
    """The whole number that decimal digits, however many, stand for.

    Examples
    --------
    >>> integer_of("-12"), integer_of("1" + "0" * 5000) == 10**5000
    (-12, True)
    """
    return int(Decimal(text))


def rational_text(value: Fraction | int) -> str:
    """``p/q``, or ``p`` for a whole number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> rational_text(Fraction(-3, 7)), rational_text(Fraction(5))
    ('-3/7', '5')
    """
    return integer_text(value.numerator) + (f"/{integer_text(value.denominator)}" if value.denominator > 1 else "")


def literal_text(value: int) -> str:
    """A whole number as Python reads it: hexadecimal where decimal digits would pass a limit.

    Examples
    --------
    >>> literal_text(-12), literal_text(16**600)[:4]
    ('-12', '0x10')
    """
    return str(value) if value.bit_length() < MOST_LITERAL_BITS else hex(value)


def height(value: Fraction | int) -> int:
    """How long a rational number is: the larger of its numerator and denominator, without sign.

    Examples
    --------
    >>> from fractions import Fraction
    >>> height(Fraction(-22, 7))
    22
    """
    return max(abs(value.numerator), value.denominator)


def wide_context(digits: int, rounding: str = ROUND_HALF_EVEN) -> Context:
    """Decimal arithmetic with so many digits and room for exponents of any size."""
    return Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)


def rounded(value: Fraction | int, context: Context) -> Decimal:
    """A rational number as a `Decimal` with the digits of a context.

    Examples
    --------
    >>> from fractions import Fraction
    >>> rounded(Fraction(1, 3), wide_context(5))
    Decimal('0.33333')
    """
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def nearest_float(value: Fraction, place: str) -> float:
    """The double nearest to a Fraction; `place` says where it is from."""
    try:
        return float(value)
    except OverflowError:
        raise TooLarge(f"{place}: larger than every double; divide the equation by a large number") from None
