"""Systems that the tests of exports share."""

from fractions import Fraction as Q

from symknot.export import System

CUBIC = System(
    ("x", "y", "petal length (cm)"),
    ({(2, 0, 0): Q(1), (0, 1, 0): Q(-1)}, {(3, 0, 0): Q(1), (0, 0, 1): Q(-1)}),
    knots=((Q(1), Q(1), Q(1)), (Q(1, 2), Q(1, 4), Q(1, 8)), (Q(-2), Q(4), Q(-8))),
    title="twisted cubic",
    notes=("fitted on 500 points",),
    polynomial_notes=("largest distance of a coefficient from its float 3e-17", "residual on the data 0.05"),
    approximate=("y - 1.0001*x**2 = 0   +/- 0.01",),
)

CIRCLES = System(
    ("x", "y"),
    ({(4, 0): Q(1), (2, 2): Q(2), (0, 4): Q(1), (2, 0): Q(-5), (0, 2): Q(-5), (0, 0): Q(4)},),
    knots=((Q(3, 5), Q(4, 5)), (Q(0), Q(-2))),
    title="two concentric circles",
)

THREE_POINTS = System(
    ("a", "b"),
    ({(1, 1): Q(1)}, {(2, 0): Q(1), (1, 0): Q(-1)}, {(0, 2): Q(1), (0, 1): Q(-1)}),
    knots=((Q(0), Q(0)), (Q(1), Q(0)), (Q(0), Q(1)), (Q(1), Q(0))),
)

NO_ZERO = System(("a",), ({(1,): Q(1)}, {(1,): Q(1), (0,): Q(-1, 3)}), knots=((Q(0),),), sound=False,
                 warning="an engine answers that the ideal is (1)")

#: Each would create a file named PWNED in the working directory, or swallow code, if it were ever read as code.
HOSTILE = (
    'x; system("sh","touch PWNED");',
    'y\nsystem("sh","touch PWNED");\n',
    'run "touch PWNED"',
    '-* *- */ system("touch PWNED"); /*',
    '*) Run["touch PWNED"]; (*',
    "z\u2028import os; os.system('touch PWNED')\u2029",
    "\"); __import__('os').system('touch PWNED') #",
    "$include PWNED\r$include PWNED",
    "\\input{/etc/passwd} \\immediate\\write18{touch PWNED} %",
    "ends in a backslash \\",
    "trigraph ??/",
    "*/ int PWNED; /* //",
    "${PWNED} `touch PWNED` $(touch PWNED)",
    "",
    "\x00\x1b\x7f\U0001f600\ud800",
)
