"""Systems that no rule of the package has seen: functions, fractions, laws among states, states unseen, noise as the values.

They are written down without a look at how equations of motion are found or at what earlier groups came to, to be run once:
those of `FUNCTIONS`, `FRACTIONS` and `PROPORTIONAL` by ``tests.benchmarks.motion --group further``, those of `BOUND` and
`HIDDEN` by ``tests.benchmarks.unmeasured --group further``.  Rules must not be tuned on them.  Only that they are what they
claim is tested here (`tests.test_other_motions`).
"""

from __future__ import annotations

from tests.fresh_dynamics import Fresh
from tests.other_motions import Bound, Hidden

FUNCTIONS = (
    Fresh("molecule that vibrates", ("q", "p"), ("p", "2*exp(-2*q)-2*exp(-q)"), ((1, 0), (-0.4, 0), (2, 0.1)), 20, 400, 2),
    Fresh("compass near a magnet", ("a", "w"), ("w", "-2*sin(a)+0.9*cos(a)-0.15*w"), ((2, 0), (-1.5, 1), (0.5, -2.5)), 15, 400,
          2),
    Fresh("flight of a glider", ("v", "g"), ("-sin(g)-0.1*v**2", "v-cos(g)/v"), ((1.5, 0), (0.7, 0.1), (1, -0.6)), 15, 400, 3),
    Fresh("membrane that is excited", ("v", "w"), ("5.6-2.1*v+7.4*tanh(v)-1.1*v*tanh(v)-18.8*w-4*v*w", "0.3+0.3*tanh(v)-0.6*w"),
          ((0.5, 0.05), (-2.5, 0.6), (2, 0.3)), 15, 600, 2),
    Fresh("herd and its predators", ("x", "y"), ("x-0.25*x**2-0.8*sqrt(x)*y", "0.3*sqrt(x)*y-0.4*y"),
          ((3, 0.4), (1.2, 1.3), (2.5, 1.5)), 20, 400, 2),
    Fresh("tumour and its vessels", ("v", "k"), ("0.6*v*log(k)-0.6*v*log(v)", "0.9*v-0.3*v*k"), ((0.2, 1.5), (4, 1), (0.6, 5)),
          15, 300, 3),
)
FRACTIONS = (
    Fresh("ring of three repressors", ("x", "y", "z"), ("6/(1+z**2)-x", "6/(1+x**2)-y", "6/(1+y**2)-z"),
          ((0.1, 1, 3), (4, 0.5, 0.2), (2, 2, 0.1)), 10, 300, 3),
    Fresh("predators that learn", ("x", "y"), ("x-0.2*x**2-1.5*x**2*y/(1+x**2)", "0.9*x**2*y/(1+x**2)-0.4*y"),
          ((1, 1), (4, 0.3), (0.4, 2)), 25, 400, 4),
    Fresh("two drugs and one enzyme", ("a", "b"), ("-1.2*a/(0.6+a+0.5*b)", "-0.7*b/(0.6+a+0.5*b)"),
          ((4, 1), (1, 5), (0.5, 0.5), (3, 3)), 6, 240, 2),
    Fresh("glucose and insulin", ("g", "i"), ("1.2-0.2*g-1.5*g*i/(2+g)", "1.5*g**2/(4+g**2)-0.6*i"),
          ((6, 0.2), (1, 2), (3, 0.5)), 15, 300, 3),
    Fresh("train at full power", ("v",), ("6/v-0.3-0.02*v**2",), ((0.8,), (3,), (12,)), 10, 200, 3),
)
PROPORTIONAL = (
    Fresh("virus in a patient", ("c", "i", "v"), ("1-0.2*c-0.5*c*v", "0.5*c*v-0.7*i", "2*i-1.5*v"),
          ((5, 0.01, 0.02), (1, 0.5, 2), (3, 1, 0.1)), 20, 400, 2),
    Fresh("drug in blood and tissue", ("c", "d"), ("0.4*d-0.6*c-1.2*c/(0.5+c)", "0.6*c-0.4*d"), ((8, 0.2), (1, 4), (3, 0.1)), 8,
          300, 2),
)
"""Their noise is a percentage of each value, not of each state's standard deviation."""
BOUND = (
    Bound(Fresh("magnetic moment that settles", ("x", "y", "z"), ("y-0.2*x*z", "-x-0.2*y*z", "0.2-0.2*z**2"),
                ((0.6, 0, -0.8), (0, 0.96, 0.28), (-0.48, 0.36, -0.8)), 12, 400, 2), ("x**2+y**2+z**2-1",)),
    Bound(Fresh("immunity that wanes", ("s", "i", "r"), ("0.1*r-1.5*s*i", "1.5*s*i-0.5*i", "0.5*i-0.1*r"),
                ((0.98, 0.02, 0), (0.4, 0.3, 0.3), (0.2, 0.05, 0.75)), 40, 400, 2), ("s+i+r-1",)),
    Bound(Fresh("acid and base in a stirred tank", ("h", "o"), ("-h*(0.8+0.4*h-0.4*o)/(h+o)", "o*(0.8+0.4*h-0.4*o)/(h+o)"),
                ((4, 0.25), (0.2, 5), (1.6, 0.625)), 8, 250, 3), ("h*o-1",)),
    Bound(Fresh("motor behind a gear", ("i", "u", "v"), ("3-i-0.8*u", "1.2*i-0.05*u**2", "0.3*i-0.0125*u**2"),
                ((0, 0, 0), (3, 4, 1), (-1, 6, 1.5)), 10, 300, 2), ("u-4*v",)),
)
HIDDEN = (
    Hidden(Fresh("prey, predators unseen", ("x", "p"), ("x-0.2*x**2-x*p", "0.4*x*p-0.3*p"), ((3, 0.4), (1, 1.5), (0.3, 0.3)),
                 30, 400, 2), ("x",)),
    Hidden(Fresh("Chua's circuit, current unseen", ("x", "y", "z"), ("10*y-10*x**3+1.43*x", "x-y+z", "-16*y"),
                 ((0.1, 0, 0), (-0.5, 0.1, 0.6)), 20, 1000, 3), ("x", "y")),
)
