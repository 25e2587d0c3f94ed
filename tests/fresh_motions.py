"""Systems with functions and fractions that no rule of the package was made on, for ``tests.benchmarks.motion --fresh``.

They were written down after the rules, and run once before anything was changed.  Rules must not be tuned on them.
"""

from __future__ import annotations

from tests.fresh_dynamics import Fresh

FUNCTIONS = (
    Fresh("Josephson junction", ("p", "v"), ("v", "0.6-sin(p)-0.4*v"), ((0, 2.5), (1, -1), (3, 0.5)), 15, 400, 2),
    Fresh("rider on a hoop", ("a", "w"), ("w", "2*sin(a)*cos(a)-sin(a)-0.2*w"), ((0.4, 0), (2, 0.5), (-1, 1.5)), 15, 400, 3),
    Fresh("Toda pair", ("q", "p"), ("p", "1-exp(q)"), ((1, 0), (-2, 0.5)), 15, 400, 2),
    Fresh("Gompertz growth", ("n",), ("0.8*n-0.5*n*log(n)",), ((0.2,), (1,), (9,)), 8, 200, 3),
    Fresh("draining tank", ("h",), ("0.5-0.4*sqrt(h)",), ((4,), (0.3,), (2.5,)), 10, 200, 2),
    Fresh("Kuramoto pair", ("d",), ("0.8-0.5*sin(d)",), ((0,), (2,)), 20, 400, 2),
    Fresh("rate unit", ("x",), ("-x+2*tanh(x)+0.1",), ((0.05,), (-0.3,), (4,), (-4,)), 8, 200, 2),
)
FRACTIONS = (
    Fresh("chemostat", ("s", "b"), ("0.5*(4-s)-1.2*s*b/(0.6+s)", "1.2*s*b/(0.6+s)-0.5*b"), ((4, 0.2), (1, 1), (0.3, 3)),
          12, 300, 3),
    Fresh("autoregulation", ("m", "p"), ("3/(1+p**2)-m", "2*m-1.5*p"), ((0, 0), (3, 1), (1, 3)), 8, 300, 3),
    Fresh("harvested fish", ("n",), ("n-n**2/8-1.6*n/(1+n)",), ((0.3,), (8,), (2,), (1.2,)), 8, 200, 3),
    Fresh("Beddington prey", ("x", "y"), ("1.2*x-0.3*x**2-x*y/(0.8+x)", "0.7*x*y/(0.8+x)-0.3*y-0.05*y**2"),
          ((1, 1), (3, 0.4), (0.4, 2)), 20, 400, 3),
    Fresh("inhibited enzyme", ("s",), ("0.7-2*s/(1+s**2)",), ((0.05,), (1.2,), (4,), (2.4,)), 6, 200, 3),
)
